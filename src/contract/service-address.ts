/** Which addresses of a service are accepted, in the form, on the command line and in stored settings alike. */
import { DeskError } from './errors.ts';

/**
 * Whether `url` names this machine: 127.0.0.0/8, ::1 or localhost. The URL parser has already brought other
 * spellings of an IPv4 address (`127.1`, `0x7f000001`) to four decimal numbers.
 */
export const isLoopback = (url: URL): boolean =>
  url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);

/** Parts of an address that it must not have: `/authorize` and `/contractor/…` are appended to it. */
type ExtraPart = 'userinfo' | 'query' | 'fragment';

const extraPart = (url: URL): ExtraPart | undefined => {
  // A password would be stored in clear, shown in the settings and sent to the host the address names.
  if (url.username !== '' || url.password !== '') return 'userinfo';
  // `search` and `hash` are empty for a lone `?` or `#`, which would still swallow what is appended.
  if (url.href.includes('#')) return 'fragment';
  return url.href.includes('?') ? 'query' : undefined;
};

/**
 * Why `address` is not accepted as the address in `field`, or undefined where it is: `input/invalid` (not an http
 * address), `connection/insecure` (http to another machine), `connection/address` (details `part`). The error names the
 * field and never repeats the address, which may hold a password.
 */
export const addressRefusal = (field: string, address: string): DeskError | undefined => {
  // The URL parser drops tabs and line breaks inside an address; printing it would not drop them.
  const url = URL.canParse(address) && !/[\s\p{Cc}]/u.test(address) ? new URL(address) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol)) {
    return new DeskError('input/invalid', `${field} is not an http or https address`, { details: { field } });
  }
  const part = extraPart(url);
  if (part !== undefined) {
    return new DeskError('connection/address', `${field} contains a part that is not allowed`, {
      details: { field, part },
    });
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    return new DeskError('connection/insecure', `${field} is not https`, {
      details: { field, host: url.host },
    });
  }
  return undefined;
};

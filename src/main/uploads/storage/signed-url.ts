/** Checks signed URLs before files are sent to them: they come from the service, and are not trusted. */
import { BlockList, isIP } from 'node:net';
import { DeskError } from '../../../contract/errors.ts';
import { isLoopback } from '../../net/urls.ts';

/**
 * The rules for signed URLs. `isLocal`: the service itself is on this machine (the sample service, a test), so its
 * storage may be, too.
 */
export type SignedUrlRules = { readonly isLocal: boolean };

/** The loopback and unspecified addresses, which reach this machine. */
const thisMachine = new BlockList();
thisMachine.addSubnet('0.0.0.0', 8, 'ipv4');
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4');
thisMachine.addAddress('::', 'ipv6');
thisMachine.addAddress('::1', 'ipv6');

/** Link-local (where clouds offer a machine's credentials), multicast and reserved addresses: never a storage. */
const noStorage = new BlockList();
noStorage.addSubnet('169.254.0.0', 16, 'ipv4');
noStorage.addSubnet('224.0.0.0', 3, 'ipv4');
noStorage.addSubnet('fe80::', 10, 'ipv6');
noStorage.addSubnet('ff00::', 8, 'ipv6');

/**
 * Parses the address of a signed URL, if a file may be sent to it: by https, at any port, without a user name or
 * password, to a host that is neither this machine nor in `noStorage`. With `isLocal`, this machine is permitted, and
 * http to its loopback addresses. Private networks are permitted, for storage in the office. Names are not resolved:
 * the host has to present a certificate for its name.
 * @throws DeskError `upload/insecure-url`, which names at most the host: a signed URL is a credential.
 */
export const signedUrl = (address: string, { isLocal }: SignedUrlRules): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSecure =
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal && isLoopback(url))) &&
    url.username === '' &&
    url.password === '' &&
    !isIn(noStorage, url) &&
    (isLocal || !isOnThisMachine(url));
  if (isSecure) return url;
  throw new DeskError('upload/insecure-url', 'the signed URL is not secure', {
    details: url?.host ? { host: url.host } : {},
  });
};

/**
 * Whether the host is an address in these ranges. The URL parser has already normalised the spelling of the address,
 * such as `127.1`. A `BlockList` also applies its IPv4 ranges to mapped addresses, such as `::ffff:127.0.0.1`.
 */
const isIn = (ranges: BlockList, { hostname }: URL): boolean => {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  return version !== 0 && ranges.check(address, version === 6 ? 'ipv6' : 'ipv4');
};

/**
 * Whether the host is this machine. Names below `localhost` are loopback, with or without a trailing dot (RFC 6761,
 * 6.3).
 */
const isOnThisMachine = (url: URL): boolean => isIn(thisMachine, url) || /(^|\.)localhost\.?$/.test(url.hostname);

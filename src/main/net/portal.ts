/** Networks that answer in place of the servers behind them: guest networks before their sign-in, pages that a proxy shows. */
import { DeskError } from '../../contract/errors.ts';
import type { BodyReader } from './read-body.ts';
import type { Answer } from './translate.ts';

/** RFC 6585 section 6: Network Authentication Required. */
const NETWORK_SIGN_IN = 511;

const beginsAsPage = (text: string): boolean =>
  /^[\s\uFEFF]*<(!doctype\s+html|html|head|body|script|meta|title)[\s>]/i.test(text);

/**
 * Whether an answer is a web page, where none of the app's servers sends one: a success whose body is announced as HTML and
 * begins as such. Some servers announce everything as HTML, so neither is enough.
 */
export const isPortal = ({ status, headers, text }: Answer): boolean =>
  status === NETWORK_SIGN_IN || (isAnnounced(status, headers) && beginsAsPage(text));

const isAnnounced = (status: number, headers: Answer['headers']): boolean =>
  status >= 200 &&
  status < 300 &&
  /^(text\/html|application\/xhtml)/i.test([headers['content-type'] ?? ''].flat()[0] ?? '');

/** `network/captive-portal`, details `host` and `origin`: an outage, since the server itself got nothing. */
export const portalError = (url: URL, status: number): DeskError =>
  new DeskError('network/captive-portal', 'a web page answered in place of the server', {
    retry: 'later',
    details: { phase: 'connect', origin: url.origin, host: url.host, status },
  });

/** What `readerOf` answers, which is asked once it is known that no web page came instead. Its errors: `portalError`. */
export const unlessPortal = <T>(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  url: URL,
  readerOf: (status: number) => BodyReader<T>,
): BodyReader<T> => {
  const portal = (): never => {
    throw portalError(url, status);
  };
  if (status === NETWORK_SIGN_IN) return { take: portal, end: portal };
  if (!isAnnounced(status, headers)) return readerOf(status);
  let reader: BodyReader<T> | undefined;
  return {
    take: (part) => {
      if (reader === undefined && beginsAsPage(part.toString('utf8'))) return portal();
      reader ??= readerOf(status);
      return reader.take(part);
    },
    end: () => (reader ?? readerOf(status)).end(),
  };
};

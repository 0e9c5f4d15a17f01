/** One HTTP request and its whole answer, for JSON-sized traffic. Uploads are streamed and have their own code. */
import { type Dispatcher, request } from 'undici';
import { cancellation } from '../async/cancel.ts';
import { withDeadline } from './deadline.ts';
import { unlessPortal } from './portal.ts';
import { type BodyReader, readBody, wholeText } from './read-body.ts';
import { type Answer, translateNetworkError } from './translate.ts';

export type ExchangeRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The limit from connecting to the last byte. A slow trickle of bytes does not extend it. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
};

/** `body`: the result of its reader. Header names are lower case. */
export type Exchanged<T> = Pick<Answer, 'status' | 'headers'> & { readonly body: T };

const defaultTimeoutMs = 30_000;

/**
 * Sends the request and gives the answer's body to the reader for its status. Any status
 * counts as an answer, even a redirect.
 * @throws DeskError what the reader throws; those of `translateNetworkError`; `service/timeout`.
 */
export const exchangeInto = async <T>(
  dispatcher: Dispatcher,
  { timeoutMs = defaultTimeoutMs, signal, method, url, headers, body }: ExchangeRequest,
  readerOf: (status: number) => BodyReader<T>,
): Promise<Exchanged<T>> =>
  withDeadline(timeoutMs, signal, async (within) => {
    try {
      const answer = await request(url, { dispatcher, method, headers, body: body ?? null, signal: within });
      const { statusCode: status } = answer;
      const reader = unlessPortal({ status, headers: answer.headers }, url, readerOf);
      return { status, headers: answer.headers, body: await readBody(answer.body, reader, within) };
    } catch (error) {
      throw within.aborted ? cancellation(within) : translateNetworkError(error, url);
    }
  });

/** As `exchangeInto`, with the whole body as text. @throws DeskError also `service/too-large` above `maxBytes` */
export const exchange = async (
  dispatcher: Dispatcher,
  sent: ExchangeRequest,
  maxBytes = 1024 * 1024,
): Promise<Answer> => {
  const { body, ...answer } = await exchangeInto(dispatcher, sent, () => wholeText(maxBytes));
  return { ...answer, text: body };
};

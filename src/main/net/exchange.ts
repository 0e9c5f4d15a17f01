/** One HTTP request and its whole answer, for JSON-sized traffic. Uploads stream and have their own. */
import { type Dispatcher, request } from 'undici';
import { DeskError } from '../../contract/errors.ts';
import { cancellation } from './cancel.ts';
import { withDeadline } from './deadline.ts';
import { type Answer, translateNetworkError } from './translate.ts';

export type ExchangeRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For all of it, from the connection to the last byte: one byte now and then does not prolong it. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
};

const defaultTimeoutMs = 30_000;

/** No answer of the interface comes near it; an endless one must not fill the memory. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Sends the request and reads the answer to its end, so its connection is free again. Whatever the status, a
 * redirect's too: an answer is an answer.
 * @throws DeskError as `translateNetworkError` says; `service/timeout`; `service/malformed` for an answer above `maxBytes`.
 */
export const exchange = async (
  dispatcher: Dispatcher,
  { timeoutMs = defaultTimeoutMs, signal, ...request }: ExchangeRequest,
  maxBytes = maxAnswerBytes,
): Promise<Answer> =>
  withDeadline(timeoutMs, signal, (within) => exchangeWithin(dispatcher, request, within, maxBytes));

const exchangeWithin = async (
  dispatcher: Dispatcher,
  { method, url, headers, body }: ExchangeRequest,
  signal: AbortSignal,
  maxBytes: number,
): Promise<Answer> => {
  try {
    const answer = await request(url, { dispatcher, method, headers, body: body ?? null, signal });
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      // Leaving the loop destroys the body and, with it, the connection.
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
    return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    throw signal.aborted ? cancellation(signal) : translateNetworkError(error, url);
  }
};

const tooLarge = (maxBytes: number): DeskError =>
  new DeskError('service/malformed', 'the answer is too large', { details: { maxBytes } });

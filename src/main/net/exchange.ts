/** One HTTP request and its whole answer, for JSON-sized traffic. Uploads are streamed and have their own code. */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../contract/errors.ts';
import { cancellation } from '../async/cancel.ts';
import { withDeadline } from './deadline.ts';
import { unlessPortal } from './portal.ts';
import { type BodyFlow, type BodyReader, createBodyFlow, wholeText } from './read-body.ts';
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
export const exchangeInto = <T>(
  dispatcher: Dispatcher,
  { timeoutMs = defaultTimeoutMs, signal, ...sent }: ExchangeRequest,
  readerOf: (status: number) => BodyReader<T>,
): Promise<Exchanged<T>> =>
  withDeadline(timeoutMs, signal, (within) => dispatch(dispatcher, { ...sent, within }, readerOf));

type Sent = Pick<ExchangeRequest, 'method' | 'url' | 'headers' | 'body'> & { readonly within: AbortSignal };

/** Over the dispatcher itself: undici's `request` makes a stream for each answer, which takes longer than all of this. */
const dispatch = <T>(
  dispatcher: Dispatcher,
  { method, url, headers, body, within }: Sent,
  readerOf: (status: number) => BodyReader<T>,
): Promise<Exchanged<T>> =>
  new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let over = false;
    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      within.removeEventListener('abort', cancel);
      settle();
    };
    const fail = (error: unknown): void => {
      const failure = within.aborted ? cancellation(within) : translateNetworkError(error, url);
      end(() => reject(failure));
      controller?.abort(failure);
    };
    const cancel = (): void => fail(within.reason);

    let flow: BodyFlow | undefined;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        if (over) started.abort(new DeskError('app/cancelled', 'cancelled'));
      },
      onResponseStart: (stream, status, answered) => {
        if (status < 200 || over) return;
        try {
          flow = createBodyFlow({
            reader: unlessPortal({ status, headers: answered }, url, readerOf),
            stream,
            onValue: (value, isWhole) => {
              end(() => resolve({ status, headers: answered, body: value }));
              if (!isWhole) stream.abort(new DeskError('app/cancelled', 'the rest is not needed'));
            },
            onError: fail,
          });
        } catch (error) {
          fail(error);
        }
      },
      onResponseData: (_, chunk) => flow?.add(chunk),
      onResponseEnd: () => flow?.end(),
      onResponseError: (_, error) => fail(error),
    };

    if (within.aborted) return reject(cancellation(within));
    within.addEventListener('abort', cancel);
    try {
      const path = `${url.pathname}${url.search}`;
      const request = { origin: url.origin, path, method, headers: { ...headers }, body: body ?? null };
      dispatcher.dispatch(request, handler);
    } catch (error) {
      fail(error);
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

/** One PUT over undici's dispatcher, with an eye on every byte: who stops is noticed, and every end has a cause. */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../../contract/errors.ts';
import { cancellation } from '../../async/cancel.ts';
import { createStallWatch } from '../../async/stall-watch.ts';
import { translateNetworkError } from '../../net/translate.ts';
import type { SendTimeouts } from './timeouts.ts';

/** What the storage answered. `text`: the start of its body. */
export type StorageAnswer = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  /** Every byte had been handed over when the answer came. */
  readonly afterLastByte: boolean;
};

/** The bytes to send: at once, or as they are read. What the iteration throws ends the request. */
export type SendBody = {
  readonly sizeBytes: number;
  readonly content: Buffer | AsyncIterable<Buffer>;
};

export type BodySend = {
  readonly dispatcher: Dispatcher;
  /** A credential: never logged, never in an error. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: SendBody;
  readonly timeouts: SendTimeouts;
  readonly signal: AbortSignal;
};

/** More of an error body than any storage says. */
const ANSWER_CHARS = 16 * 1024;

/**
 * Sends the body and reads the answer, an early one too: then undici stops sending.
 * @throws DeskError what the body's iteration threw; `upload/stalled`; `app/cancelled`, which after the last byte
 *   waits `graceMs` for the answer; else as `translateNetworkError`. Details `lastByte`: every byte was handed over.
 */
export const sendBody = (send: BodySend): Promise<StorageAnswer> =>
  new Promise((resolve, reject) => {
    const { dispatcher, url, headers, body, timeouts, signal } = send;
    const watch = createStallWatch();
    let controller: Dispatcher.DispatchController | undefined;
    let handedOver = false;
    let over = false;

    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      watch.end();
      signal.removeEventListener('abort', cancel);
      settle();
    };
    const fail = (error: DeskError): void => {
      end(() => reject(handedOver ? withLastByte(error) : error));
      controller?.abort(error);
    };
    const details = { origin: url.origin };
    const stalled = (): void =>
      fail(new DeskError('upload/stalled', 'nothing moved any more', { retry: 'later', details }));
    const cancel = (): void => {
      const give = (): void => fail(cancellation(signal));
      if (handedOver) watch.allow(timeouts.graceMs, give);
      else give();
    };
    const lastByte = (): void => {
      handedOver = true;
      if (signal.aborted) cancel();
      else watch.allow(timeouts.answerMs, stalled);
    };

    async function* watched(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
      for await (const part of parts) {
        watch.moved();
        yield part;
        // Asked for the next part: the connection has taken this one.
        watch.moved();
      }
      lastByte();
    }

    let status = 0;
    let answerHeaders: StorageAnswer['headers'] = {};
    let text = '';
    let afterLastByte = false;
    const answered = (): void =>
      end(() => resolve({ status, headers: answerHeaders, text: text.slice(0, ANSWER_CHARS), afterLastByte }));
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        if (over) started.abort(new DeskError('app/cancelled', 'cancelled'));
        else if (Buffer.isBuffer(body.content)) lastByte();
      },
      onResponseStart: (_, statusCode, responseHeaders) => {
        if (statusCode < 200) return;
        status = statusCode;
        answerHeaders = responseHeaders;
        afterLastByte = handedOver;
        // One that is given up has but the time it was left with.
        if (!signal.aborted) watch.allow(timeouts.idleMs, stalled);
      },
      onResponseData: (_, chunk) => {
        text += chunk.toString('latin1');
        if (text.length < ANSWER_CHARS) return;
        answered();
        // There may be no end to it.
        controller?.abort(new DeskError('app/cancelled', 'the rest is not needed'));
      },
      onResponseEnd: () => answered(),
      onResponseError: (_, error) => fail(translateNetworkError(error, url)),
    };

    if (signal.aborted) return reject(cancellation(signal));
    signal.addEventListener('abort', cancel);
    watch.allow(timeouts.idleMs, stalled);
    const content = Buffer.isBuffer(body.content) ? body.content : watched(body.content);
    const path = `${url.pathname}${url.search}`;
    const length = { 'content-length': String(body.sizeBytes) };
    try {
      dispatcher.dispatch(
        { origin: url.origin, path, method: 'PUT', headers: { ...headers, ...length }, body: content as never },
        handler,
      );
    } catch (error) {
      fail(translateNetworkError(error, url));
    }
  });

const withLastByte = ({ code, message, retry, retryAfterMs, details, cause }: DeskError): DeskError =>
  new DeskError(code, message, { retry, retryAfterMs, details: { ...details, lastByte: true }, cause });

/**
 * One PUT over undici's dispatcher that watches every byte: it notices a stall on either side, and every end has a
 * cause.
 */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../../contract/errors.ts';
import { cancellation, onAbort } from '../../async/cancel.ts';
import { isPortal, portalError } from '../../net/exchange.ts';
import { translateNetworkError } from '../../net/translate.ts';

/** The storage's response. `text`: the start of its body. */
export type StorageAnswer = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
  /** Every byte had been handed over when the response came. */
  readonly afterLastByte: boolean;
  /** Time from the first byte of the content to the response. */
  readonly ms: number;
};

/** How long a request waits for something to move. */
export type SendTimeouts = {
  /** While bytes are to be sent: neither the file supplied a byte nor the connection took one. */
  readonly idleMs: number;
  /** After the last byte was handed over: a storage may still have much to receive, and may copy the file. */
  readonly answerMs: number;
  /**
   * How long to wait for the response after cancelling a request whose last byte was handed over: the response says
   * whether the file arrived.
   */
  readonly graceMs: number;
};

/** Long enough for a slow line that many transfers share: a send buffer empties before the next part is taken. */
export const SEND_TIMEOUTS: SendTimeouts = { idleMs: 120_000, answerMs: 300_000, graceMs: 3_000 };

export type PutRequest = {
  readonly dispatcher: Dispatcher;
  /** A credential: never logged, never in an error. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly sizeBytes: number;
  /** The bytes to send, or an iteration over them. An error in the iteration ends the request. */
  readonly content: Buffer | AsyncIterable<Buffer>;
  readonly timeouts: SendTimeouts;
  readonly signal: AbortSignal;
};

/** More than the error body of any storage. */
const ANSWER_CHARS = 16 * 1024;

/**
 * Sends the request and reads the response. If the response comes early, undici stops sending.
 * @throws DeskError errors of the content's iteration; `upload/stalled`; `app/cancelled`, which after the last byte
 *   waits `graceMs` for the response; otherwise as `translateNetworkError`. Details `lastByte`: every byte was handed
 *   over.
 */
export const sendPutRequest = (request: PutRequest): Promise<StorageAnswer> =>
  new Promise((resolve, reject) => {
    const { dispatcher, url, headers, sizeBytes, timeouts, signal } = request;
    const watch = createStallWatch();
    let controller: Dispatcher.DispatchController | undefined;
    let handedOver = false;
    let over = false;
    let begunMs: number | undefined;

    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      watch.end();
      stopListening();
      settle();
    };
    const fail = (error: DeskError): void => {
      end(() => reject(handedOver ? withLastByte(error) : error));
      controller?.abort(error);
    };
    const details = { origin: url.origin };
    const stalled = (): void =>
      fail(new DeskError('upload/stalled', 'the transfer stalled', { retry: 'later', details }));
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
        begunMs ??= performance.now();
        watch.moved();
        yield part;
        // The next part is requested, so the connection has taken this one.
        watch.moved();
      }
      lastByte();
    }

    let status = 0;
    let answerHeaders: StorageAnswer['headers'] = {};
    let text = '';
    let afterLastByte = false;
    let ms = 0;
    const answered = (): void => {
      const answer = { status, headers: answerHeaders, text: text.slice(0, ANSWER_CHARS), afterLastByte, ms };
      if (isPortal(answer)) fail(portalError(url, status));
      else end(() => resolve(answer));
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        if (over) started.abort(new DeskError('app/cancelled', 'cancelled'));
        else if (Buffer.isBuffer(request.content)) {
          begunMs = performance.now();
          lastByte();
        }
      },
      onResponseStart: (_, statusCode, responseHeaders) => {
        if (statusCode < 200) return;
        status = statusCode;
        answerHeaders = responseHeaders;
        afterLastByte = handedOver;
        ms = begunMs === undefined ? 0 : performance.now() - begunMs;
        // A cancelled request keeps its deadline.
        if (!signal.aborted) watch.allow(timeouts.idleMs, stalled);
      },
      onResponseData: (_, chunk) => {
        text += chunk.toString('latin1');
        if (text.length < ANSWER_CHARS) return;
        answered();
        // The body may be endless.
        controller?.abort(new DeskError('app/cancelled', 'the rest is not needed'));
      },
      onResponseEnd: () => answered(),
      onResponseError: (_, error) => fail(translateNetworkError(error, url)),
    };

    if (signal.aborted) return reject(cancellation(signal));
    const stopListening = onAbort(signal, cancel);
    watch.allow(timeouts.idleMs, stalled);
    const content = Buffer.isBuffer(request.content) ? request.content : watched(request.content);
    const path = `${url.pathname}${url.search}`;
    const length = { 'content-length': String(sizeBytes) };
    try {
      // undici sends every iterable of bytes, although its types name only streams.
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

/**
 * Detects stalls: neither undici nor the file system ends a transfer whose peer stops responding. At first there is no
 * period; `allow` starts one.
 */
const createStallWatch = () => {
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Something moved: restarts the current period. */
    moved: (): void => {
      timer?.refresh();
    },
    /** Starts a period of `ms`, after which `onStall` is called. */
    allow: (ms: number, onStall: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(onStall, ms);
    },
    end: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};

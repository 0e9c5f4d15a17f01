/**
 * One HTTP request and its whole response, for small bodies such as JSON. Uploads have their own code, which streams.
 */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../contract/errors.ts';
import { cancellation, onAbort, throwIfCancelled, timedOut } from '../async/cancel.ts';
import { type HttpResponse, translateNetworkError } from './translate.ts';

export type ExchangeRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * The time limit from connecting to the last byte of the response. A slow trickle of bytes does not extend it.
   * Default: 30 s.
   */
  readonly timeoutMs?: number | undefined;
};

type Exchanged<T> = Pick<HttpResponse, 'status' | 'headers'> & { readonly body: T };

const defaultTimeoutMs = 30_000;

/**
 * The header that names the app in each request (RFC 9110 section 10.1.5). Firewalls of cloud providers refuse requests
 * without it.
 */
export const USER_AGENT = { 'user-agent': 'InspectionDesk' } as const;

/**
 * Sends the request, and passes the body of the response to the reader for its status. Resolves for each status from
 * 200, including redirects and errors. Rejects if a network responds in place of the server.
 * @throws DeskError the errors of the reader and of `translateNetworkError`; `network/captive-portal`;
 * `service/timeout`; the `cancellation` of `signal`
 */
export const exchangeInto = async <T>(
  dispatcher: Dispatcher,
  { method, url, headers, body, signal, timeoutMs = defaultTimeoutMs }: ExchangeRequest,
  readerOf: (status: number) => BodyReader<T>,
): Promise<Exchanged<T>> => {
  throwIfCancelled(signal);
  const { promise, resolve, reject } = Promise.withResolvers<Exchanged<T>>();
  let controller: Dispatcher.DispatchController | undefined;
  let failure: DeskError | undefined;
  const fail = (error: unknown): void => {
    failure ??= signal?.aborted ? cancellation(signal) : translateNetworkError(error, url);
    reject(failure);
    controller?.abort(failure);
  };
  const stopListening = signal && onAbort(signal, () => fail(signal.reason));
  const timer = setTimeout(() => fail(timedOut(timeoutMs)), timeoutMs);

  let flow: ReturnType<typeof createBodyFlow> | undefined;
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (failure) started.abort(failure);
    },
    onResponseStart: (stream, status, responseHeaders) => {
      if (status < 200 || failure) return;
      const onValue = (value: T, isWhole: boolean): void => {
        resolve({ status, headers: responseHeaders, body: value });
        if (!isWhole) stream.abort(new DeskError('app/cancelled', 'the rest is not needed'));
      };
      try {
        const reader = unlessPortal({ status, headers: responseHeaders }, url, readerOf);
        flow = createBodyFlow(reader, stream, onValue, fail);
      } catch (error) {
        fail(error);
      }
    },
    onResponseData: (_, chunk) => flow?.add(chunk),
    onResponseEnd: () => flow?.end(),
    onResponseError: (_, error) => fail(error),
  };

  try {
    // undici's `request` is not used, because it creates a stream for each response, which costs more than the rest of
    // an exchange.
    const path = `${url.pathname}${url.search}`;
    const request = { origin: url.origin, path, method, headers: { ...headers, ...USER_AGENT }, body: body ?? null };
    dispatcher.dispatch(request, handler);
  } catch (error) {
    fail(error);
  }
  return promise.finally(() => {
    clearTimeout(timer);
    stopListening?.();
  });
};

/**
 * Sends the request, and resolves to the response with its whole body as text.
 * @throws DeskError the errors of `exchangeInto`; `service/too-large` above `maxBytes`
 */
export const exchange = async (
  dispatcher: Dispatcher,
  sent: ExchangeRequest,
  maxBytes = 1024 * 1024,
): Promise<HttpResponse> => {
  const { body, ...response } = await exchangeInto(dispatcher, sent, () => wholeText(maxBytes));
  return { ...response, text: body };
};

/** Creates a value from a body as the body is received. */
export type BodyReader<T> = {
  /**
   * Reads the next part. Returns false if the rest is not needed. If it throws a `DeskError`, the exchange rejects with
   * that error.
   */
  readonly take: (part: Buffer) => boolean;
  readonly end: () => T;
};

/** The size of the parts that a reader gets. A part is processed in a few milliseconds. */
const SLICE_BYTES = 4096;
/** How long a body is read before other work can run. */
const BUSY_MS = 8;

/**
 * Passes a body to `reader`. `onValue` is called once with the result. `isWhole`: false if the reader did not need the
 * rest of the body.
 */
const createBodyFlow = <T>(
  reader: BodyReader<T>,
  stream: Pick<Dispatcher.DispatchController, 'pause' | 'resume'>,
  onValue: (value: T, isWhole: boolean) => void,
  onError: (error: unknown) => void,
) => {
  let waiting: Buffer[] = [];
  let isPaused = false;
  let isEnded = false;
  let isOver = false;

  /**
   * Passes the received chunks to the reader. Returns true at the end of the body, false if the rest is not needed, and
   * undefined if more chunks are expected or other work should run first.
   */
  const readOn = (): boolean | undefined => {
    const sinceMs = performance.now();
    for (let chunk = waiting.shift(); chunk; chunk = waiting.shift()) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        if (!reader.take(chunk.subarray(at, at + SLICE_BYTES))) return false;
        if (performance.now() - sinceMs <= BUSY_MS) continue;
        waiting.unshift(chunk.subarray(at + SLICE_BYTES));
        isPaused = true;
        return undefined;
      }
    }
    return isEnded ? true : undefined;
  };

  const run = (): void => {
    if (isPaused || isOver) return;
    try {
      const isWhole = readOn();
      if (isPaused) takeTurns();
      if (isWhole === undefined) return;
      isOver = true;
      waiting = [];
      onValue(reader.end(), isWhole);
    } catch (error) {
      isOver = true;
      waiting = [];
      onError(error);
    }
  };

  const takeTurns = (): void => {
    stream.pause();
    setImmediate(() => {
      isPaused = false;
      run();
      if (!isPaused) stream.resume();
    });
  };

  return {
    add: (chunk: Buffer): void => {
      waiting.push(chunk);
      run();
    },
    end: (): void => {
      isEnded = true;
      run();
    },
  };
};

/** Creates a reader whose value is made from the value of another reader. */
export const mapped = <T, U>({ take, end }: BodyReader<T>, change: (value: T) => U): BodyReader<U> => ({
  take,
  end: () => change(end()),
});

/** Creates a reader that returns the whole body as text. Reading throws `service/too-large` above `maxBytes`. */
export const wholeText = (maxBytes: number): BodyReader<string> => {
  const body = collector();
  return {
    take: (part) => {
      if (body.add(part) > maxBytes) throw tooLarge({ maxBytes });
      return true;
    },
    end: body.text,
  };
};

/**
 * Creates a reader that returns the start of a body as text, up to the end of the part that reaches `maxBytes`. The
 * exchange does not wait for the rest.
 */
export const startOfText = (maxBytes: number): BodyReader<string> => {
  const body = collector();
  return { take: (part) => body.add(part) < maxBytes, end: body.text };
};

/**
 * Creates the error of a response that is larger than any valid one. It is not retried, because the response would be
 * as large again.
 */
export const tooLarge = (details: Readonly<Record<string, number>>): DeskError =>
  new DeskError('service/too-large', 'the response is too large', { details });

/** Removes the byte order mark, which some servers send before JSON although it is not part of JSON (RFC 8259, 8.1). */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

const collector = () => {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  return {
    add: (part: Buffer): number => {
      // A copy, because a view would keep its whole chunk in memory.
      parts.push(Buffer.from(part));
      sizeBytes += part.length;
      return sizeBytes;
    },
    text: (): string => withoutMark(Buffer.concat(parts, sizeBytes).toString('utf8')),
  };
};

// Networks that respond in place of a server, such as guest networks before the user has signed in, or proxies that
// show a page.

/** Network Authentication Required (RFC 6585 section 6). */
const NETWORK_SIGN_IN = 511;

const beginsAsPage = (text: string): boolean =>
  /^[\s\uFEFF]*<(!doctype\s+html|html|head|body|script|meta|title)[\s>]/i.test(text);

/**
 * Whether a response is a web page, which no server of the app sends: status 511, or a success whose body is declared
 * as HTML and begins like HTML. The header alone is not enough, because some servers declare everything as HTML.
 */
export const isPortal = ({ status, headers, text }: HttpResponse): boolean =>
  status === NETWORK_SIGN_IN || (isAnnounced(status, headers) && beginsAsPage(text));

const isAnnounced = (status: number, headers: HttpResponse['headers']): boolean =>
  status >= 200 &&
  status < 300 &&
  /^(text\/html|application\/xhtml)/i.test([headers['content-type'] ?? ''].flat()[0] ?? '');

/**
 * Creates the error `network/captive-portal`. The server received nothing, so the details are those of an outage:
 * `phase` is `connect`, and `origin` is set.
 */
export const portalError = (url: URL, status: number): DeskError =>
  new DeskError('network/captive-portal', 'a web page answered in place of the server', {
    retry: 'later',
    details: { phase: 'connect', origin: url.origin, host: url.host, status },
  });

/**
 * Creates a reader that throws `portalError` if the response comes from a captive portal, and otherwise passes the body
 * to the reader that `readerOf` creates.
 */
const unlessPortal = <T>(
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
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

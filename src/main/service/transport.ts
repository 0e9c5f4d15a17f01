/** One call to the service: deadline, gate, bearer token, one replay after a 401, retries. The endpoints are in client.ts. */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../contract/errors.ts';
import { isPathSegment } from '../../contract/resources.ts';
import { throwIfCancelled, withDeadline } from '../async/cancel.ts';
import { steadyNow } from '../async/clock.ts';
import { REQUEST_RETRY, type RetryOptions, withRetry } from '../async/retry.ts';
import { type BodyReader, exchangeInto, startOfText } from '../net/exchange.ts';
import type { Gate } from '../net/gate.ts';
import { isOutage, mayHaveBeenProcessed, translateStatus } from '../net/translate.ts';
import { assertSecure } from '../net/urls.ts';
import type { ResponseReader } from './responses.ts';

export type TransportOptions = {
  /** {base_url} of the interface; may have a path, with or without a slash at its end. */
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  readonly tokens: TokenSource;
  readonly gate: Gate;
  /** Called with what each exchange, and the end of each call, shows about the service's reachability. */
  readonly onReach?: (seen: ReachSeen) => void;
  /** Defaults: `REQUEST_RETRY`, a wait of at most 60 s at the service's request. */
  readonly retry?: Partial<Omit<RetryOptions, 'signal' | 'when' | 'leftMs'>>;
  /** Replaces the limits of every call. */
  readonly timeLimits?: TimeLimits | undefined;
  /** A person waits for the calls: the pace of a host that was away does not hold them back. Default: false. */
  readonly isUrgent?: boolean;
  /** A clock that never jumps. */
  readonly now?: () => number;
};

export type ReachSeen =
  | { readonly type: 'answered' }
  /** A call failed with this error after its last attempt, and no other call got a response during that attempt. */
  | { readonly type: 'lost'; readonly error: DeskError }
  /** The service requested a pause, and the gate is closed. */
  | { readonly type: 'held'; readonly reason: DeskError };

type ServiceCall<T> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path segments below {base_url}; each is encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly response: ResponseReader<T>;
  /** Whether repeating it is harmless. If not, it is retried only if it cannot have been processed. */
  readonly idempotent: boolean;
  readonly timeLimits: TimeLimits;
  readonly signal?: AbortSignal | undefined;
  /** Called with the error of each attempt; may return a value instead. */
  readonly recover?: (error: unknown) => T;
};

type Transport = <T>(call: ServiceCall<T>) => Promise<T>;

/** The caller decides about longer waits that the service requests. */
const maxRetryAfterMs = 60_000;

/**
 * Calls below `baseUrl`, with `Authorization: Bearer` (RFC 6750; the interface does not say how the token is sent) and to
 * that origin only.
 * @throws DeskError `connection/insecure`; a call rejects with `input/invalid`, `auth/…`, `service/…` (`service/timeout`
 *   after its `callMs` at the latest) or `app/cancelled`.
 */
export const createTransport = (options: TransportOptions): Transport => {
  const { dispatcher, tokens, gate, isUrgent = false, onReach = () => {}, now = steadyNow } = options;
  const base = assertSecure(options.baseUrl);
  const retry = { ...REQUEST_RETRY, maxRetryAfterMs, ...options.retry };
  /** The number of responses that have begun. A service that responds to other calls is slow, not unreachable. */
  let responses = 0;
  /** Refused requests for a token that the gate knows of: calls that waited for the same token share one refusal, which counts once. */
  const counted = new WeakSet<DeskError>();

  return async <T>(call: ServiceCall<T>): Promise<T> => {
    const { timeLimits = call.timeLimits } = options;
    const url = addressOf(base, call);
    const endMs = now() + timeLimits.callMs;
    const leftMs = (): number => endMs - now();
    /** The token at the beginning, so that no attempt is made as another user, who has signed in while the call waited. */
    let former = tokens.present?.();
    // Fails at once if nobody is signed in. After a wait, the call would be made as the next user.
    if (tokens.present && former === undefined) former = await tokens.accessToken({ signal: call.signal });
    /** The number of responses that had begun when the request was last sent; undefined while it waits for a token. */
    let responsesBefore: number | undefined;

    /** The error of a call for which the service, or the server that issues tokens, is too busy. */
    const tooBusy = (refusal: DeskError, calledMs: number): DeskError => {
      const reason = gate.hold(url.host, refusal.retryAfterMs, calledMs);
      if (reason && !reason.details.paced) onReach({ type: 'held', reason });
      return isUrgent ? refusal : (reason ?? refusal);
    };

    const send = async (
      asked: { readonly stale?: string; readonly former?: string | undefined },
      signal: AbortSignal,
    ) => {
      const calledMs = await gate.pass(url.host, {
        // A replay is part of the same turn: if it waited for another one, a call that does not wait would never replace its token.
        ...{
          signal,
          isUrgent: isUrgent || asked.stale !== undefined,
          maxWaitMs: Math.min(retry.maxRetryAfterMs, leftMs()),
        },
      });
      // Only for a call that may be made: a token that has expired costs a request.
      const token = await tokens.accessToken({ ...asked, signal }).catch((error: unknown) => {
        if (!(error instanceof DeskError) || error.code !== 'service/busy' || counted.has(error)) throw error;
        counted.add(error);
        throw tooBusy(error, calledMs);
      });
      responsesBefore = responses;
      const { method, body } = call;
      const type = body && { 'content-type': 'application/json' };
      const headers = { accept: 'application/json', authorization: `Bearer ${token}`, ...type };
      const timeoutMs = timeLimits.exchangeMs;
      const request = { method, url, headers, body: body && JSON.stringify(body), signal, timeoutMs };
      const response = await exchangeInto(dispatcher, request, (status) => {
        responses += 1;
        onReach({ type: 'answered' });
        return isSuccess(status) ? accepted(call) : refused();
      });
      return { ...response, token, calledMs };
    };

    const attempt = async (signal: AbortSignal): Promise<T> => {
      throwIfCancelled(signal);
      responsesBefore = undefined;
      let response = await send({ former }, signal);
      former ??= response.token;
      if (response.status === 401) {
        response = await send({ stale: response.token }, signal);
        if (response.status === 401) throw new DeskError('auth/expired', 'the service refuses a fresh token');
      }
      const { body, calledMs } = response;
      const refusal = 'text' in body ? translateStatus({ ...response, text: body.text }) : undefined;
      if (refusal?.code === 'service/busy') throw tooBusy(refusal, calledMs);
      if (refusal?.code !== 'service/failed') gate.answered(url.host, calledMs);
      if ('value' in body) return body.value;
      throw refusal;
    };

    const when = (error: DeskError): boolean => call.idempotent || !mayHaveBeenProcessed(error);
    try {
      return await withDeadline(timeLimits.callMs, call.signal, (signal) =>
        withRetry(() => attempt(signal).catch(call.recover), { ...retry, signal, leftMs, when }),
      );
    } catch (error) {
      const isSlow =
        error instanceof DeskError && error.code === 'service/timeout' && responses > (responsesBefore ?? responses);
      if (error instanceof DeskError && isOutage(error) && !isSlow) onReach({ type: 'lost', error });
      throw error;
    }
  };
};

/** More than any error body that a service sends. */
const REFUSAL_BYTES = 64 * 1024;

/** The interface does not list success codes, so every 2xx counts. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The body of a response: the value, or the beginning of a refusal's text. */
type Body<T> = BodyReader<{ readonly value: T } | { readonly text: string }>;

const accepted = <T>({ response, idempotent }: ServiceCall<T>): Body<T> => {
  const { take, end } = response(idempotent ? 'later' : 'never');
  return { take, end: () => ({ value: end() }) };
};

const refused = (): Body<never> => {
  const { take, end } = startOfText(REFUSAL_BYTES);
  return { take, end: () => ({ text: end() }) };
};

const addressOf = (base: URL, { path, query = {} }: ServiceCall<unknown>): URL => {
  const url = new URL(base);
  if (!path.every(isPathSegment)) throw new DeskError('input/invalid', 'the id cannot be used in a path');
  url.pathname = [base.pathname.replace(/\/+$/, ''), ...path.map(encodeURIComponent)].join('/');
  url.search = '';
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  return url;
};

/** The part of `Session` (auth/session.ts) that a call needs. */
export type TokenSource = {
  /** The token of the present user, which may have expired. */
  readonly present?: () => string | undefined;
  readonly accessToken: (options?: {
    readonly stale?: string;
    readonly former?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<string>;
};

// The time limits of a call to the service. A slow trickle of bytes does not extend them.

export type TimeLimits = {
  /** One request and its whole response. */
  readonly exchangeMs: number;
  /** The call with its attempts, the waits between them, and the wait for a token. */
  readonly callMs: number;
};

/** For a response with a few fields. */
export const SMALL_RESPONSE: TimeLimits = { exchangeMs: 30_000, callMs: 90_000 };

/** For a list: 24 MiB at 1.7 Mbit/s. */
export const LIST_RESPONSE: TimeLimits = { exchangeMs: 120_000, callMs: 180_000 };

/** One call to the service: deadline, gate, bearer, one replay after a 401, retries. The endpoints are in client.ts. */
import type { Dispatcher } from 'undici';
import { DeskError } from '../../contract/errors.ts';
import { isPathSegment } from '../../contract/resources.ts';
import { throwIfCancelled, withDeadline } from '../async/cancel.ts';
import { steadyNow } from '../async/clock.ts';
import { REQUEST_RETRY, type RetryOptions, withRetry } from '../async/retry.ts';
import { type BodyReader, type Exchanged, type ExchangeRequest, exchangeInto, startOfText } from '../net/exchange.ts';
import type { Gate } from '../net/gate.ts';
import { isOutage, mayHaveBeenProcessed, translateStatus } from '../net/translate.ts';
import { assertSecure } from '../net/urls.ts';
import type { AnswerReader } from './answers.ts';

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
  /** A clock that never jumps. */
  readonly now?: () => number;
};

export type ReachSeen =
  | { readonly type: 'answered' }
  /** A call failed with this after all of its tries, and no other call was answered during the last one. */
  | { readonly type: 'lost'; readonly error: DeskError }
  /** The service asked for a pause, and the gate is closed. */
  | { readonly type: 'held'; readonly reason: DeskError };

type ServiceCall<T> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path segments below {base_url}; each is encoded. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer: AnswerReader<T>;
  /** Whether doing it twice has the same effect as once. If not, it is retried only if it cannot have been processed. */
  readonly idempotent: boolean;
  readonly timeLimits: TimeLimits;
  readonly signal?: AbortSignal | undefined;
  /** Called with the error of each attempt; may return an answer instead. */
  readonly recover?: (error: unknown) => T;
};

type Transport = <T>(call: ServiceCall<T>) => Promise<T>;

/** The caller decides about longer waits that the service asks for. */
const maxRetryAfterMs = 60_000;

/**
 * Calls below `baseUrl`, with `Authorization: Bearer` (RFC 6750; the interface does not
 * say how the token is sent) and to that origin only.
 * @throws DeskError `connection/insecure`; a call rejects with `input/invalid`, `auth/…`, `service/…` (`service/timeout`
 *   after its `callMs` at the latest) or `app/cancelled`.
 */
export const createTransport = (options: TransportOptions): Transport => {
  const { dispatcher, tokens, gate, onReach = () => {}, now = steadyNow } = options;
  const base = assertSecure(options.baseUrl);
  const retry = { ...REQUEST_RETRY, maxRetryAfterMs, ...options.retry };
  /** The number of answers that began. A service that answers other calls is slow, not unreachable. */
  let answers = 0;

  const send = async <T>(call: Attempt<T>, url: URL, token: string): Promise<Exchanged<Told<T>>> => {
    await gate.pass(url.host, call.signal, Math.min(retry.maxRetryAfterMs, call.leftMs()));
    const request: ExchangeRequest = {
      method: call.method,
      url,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      signal: call.signal,
      timeoutMs: call.timeLimits.exchangeMs,
    };
    call.sent.afterAnswers = answers;
    return exchangeInto(dispatcher, request, (status) => {
      answers += 1;
      onReach({ type: 'answered' });
      return isSuccess(status) ? accepted(call) : refused();
    });
  };

  /** `begun`: the token of the first attempt, so that no later attempt is made as another user. */
  const attempt = async <T>(call: Attempt<T>, url: URL, begun: { token?: string }): Promise<T> => {
    const { signal } = call;
    throwIfCancelled(signal);
    call.sent.afterAnswers = undefined;
    const token = await tokens.accessToken({ former: begun.token, signal });
    begun.token ??= token;
    let answer = await send(call, url, token);
    if (answer.status === 401) {
      answer = await send(call, url, await tokens.accessToken({ stale: token, signal }));
      if (answer.status === 401) throw new DeskError('auth/expired', 'the service refuses a fresh token');
    }
    if ('value' in answer.body) return answer.body.value;
    const refusal = translateStatus({ ...answer, text: answer.body.text });
    if (refusal.code === 'service/busy' && refusal.retryAfterMs !== undefined) {
      const reason = gate.hold(url.host, refusal.retryAfterMs);
      if (reason) onReach({ type: 'held', reason });
    }
    throw refusal;
  };

  const tries = async <T>(call: Attempt<T>): Promise<T> => {
    const url = addressOf(base, call);
    const begun = {};
    return withRetry(
      async () => {
        try {
          return await attempt(call, url, begun);
        } catch (error) {
          if (call.recover === undefined) throw error;
          return call.recover(error);
        }
      },
      {
        ...retry,
        signal: call.signal,
        leftMs: call.leftMs,
        when: (error) => call.idempotent || !mayHaveBeenProcessed(error),
      },
    );
  };

  return (call) => {
    const { timeLimits = call.timeLimits } = options;
    const endMs = now() + timeLimits.callMs;
    const sent: Attempt<unknown>['sent'] = {};
    return withDeadline(timeLimits.callMs, call.signal, (signal) =>
      tries({ ...call, timeLimits, signal, sent, leftMs: () => endMs - now() }),
    ).catch((error: unknown) => {
      const answersMeanwhile = answers - (sent.afterAnswers ?? answers);
      const isSlow = answersMeanwhile > 0 && error instanceof DeskError && error.code === 'service/timeout';
      if (error instanceof DeskError && isOutage(error) && !isSlow) onReach({ type: 'lost', error });
      throw error;
    });
  };
};

/** The body of an answer: the value, or the beginning of a refusal's text. */
type Told<T> = { readonly value: T } | { readonly text: string };

/** More than any error body that a service sends. */
const REFUSAL_BYTES = 64 * 1024;

/** The interface does not list success codes, so every 2xx counts. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const accepted = <T>({ answer, idempotent }: ServiceCall<T>): BodyReader<Told<T>> => {
  const { take, end } = answer(idempotent ? 'later' : 'never');
  return { take, end: () => ({ value: end() }) };
};

const refused = (): BodyReader<Told<never>> => {
  const { take, end } = startOfText(REFUSAL_BYTES);
  return { take, end: () => ({ text: end() }) };
};

type Attempt<T> = ServiceCall<T> & {
  readonly signal: AbortSignal;
  readonly leftMs: () => number;
  /** The number of answers that had begun when the request was last sent; absent while it waits for a token. */
  readonly sent: { afterAnswers?: number | undefined };
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

/** The access token, for code that only sends it. */
export type TokenSource = {
  /**
   * An access token to send. `stale`: a token that the service has just refused; another one is returned. `former`: the
   * token of an earlier try; the returned one belongs to the same user, as far as tokens tell.
   * @throws DeskError as `Session.accessToken` in `auth/` does
   */
  readonly accessToken: (options?: {
    readonly stale?: string;
    readonly former?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<string>;
};

// The time limits of a call to the service. A slow trickle of bytes does not extend them.

export type TimeLimits = {
  /** One request and its whole answer. */
  readonly exchangeMs: number;
  /** The call with its tries, the waits between them, and the wait for a token. */
  readonly callMs: number;
};

/** For an answer with a few fields. */
export const SMALL_ANSWER: TimeLimits = { exchangeMs: 30_000, callMs: 90_000 };

/** For a list: 24 MiB at 1.7 Mbit/s. */
export const LIST_ANSWER: TimeLimits = { exchangeMs: 120_000, callMs: 180_000 };

/**
 * Retries of failed operations. The error's `retry`, which is set where the error is created, says whether a retry can
 * help.
 */
import { DeskError } from '../../contract/errors.ts';
import { sleep as realSleep, type Sleep } from './clock.ts';

/**
 * Exponential backoff: the first wait is `firstMs` (at least 1), each later one `growth` times the one before it, up to
 * `longestMs`.
 */
export type RetryPolicy = {
  /** The maximum number of attempts, including the first one. */
  readonly attempts: number;
  readonly firstMs: number;
  readonly growth: number;
  readonly longestMs: number;
  /** Multiplies each wait by a random number from 0 to 1: clients that failed together should not retry together. */
  readonly jitter: boolean;
};

/**
 * The retries of requests. The waits are at most 0.1, 0.4 and 1.6 s, so that one lost connection costs almost nothing.
 */
export const REQUEST_RETRY: RetryPolicy = { attempts: 4, firstMs: 100, growth: 4, longestMs: 30_000, jitter: true };

/**
 * The wait in ms after an attempt; `attempt` is 1 for the first. `random` returns a number from 0 up to but not
 * including 1.
 */
export const retryWaitMs = (policy: RetryPolicy, attempt: number, random: () => number = Math.random): number => {
  const { firstMs, growth, longestMs, jitter } = policy;
  return Math.min(longestMs, firstMs * growth ** (attempt - 1)) * (jitter ? random() : 1);
};

/** Overrides of `REQUEST_RETRY`, and limits. */
export type RetryOptions = Partial<RetryPolicy> & {
  /** The maximum wait that a server may request (`retryAfterMs`); beyond it, the error is thrown. Default: 60 s. */
  readonly maxRetryAfterMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Returns the time left, in ms. If a wait would take as long or longer, the error is thrown. Default: no limit. */
  readonly leftMs?: () => number;
  /** Returns whether an error that may be retried is retried. For an operation that must not be done twice. */
  readonly when?: (error: DeskError) => boolean;
  readonly sleep?: Sleep;
  readonly random?: () => number;
};

/**
 * Calls `operation(attempt)` until it succeeds, its error is not to be retried (`retry: 'never'`, `when`, or not a
 * `DeskError`), or a limit is reached; the last error is thrown as it is. After an error with `retryAfterMs`, the wait
 * is exactly that long.
 * @throws DeskError the `cancellation` of `signal` if it is aborted during a wait.
 */
export const withRetry = async <T>(
  operation: (attempt: number) => Promise<T>,
  {
    maxRetryAfterMs = 60_000,
    signal,
    leftMs = () => Number.POSITIVE_INFINITY,
    when = () => true,
    sleep = realSleep,
    random,
    ...different
  }: RetryOptions = {},
): Promise<T> => {
  const policy = { ...REQUEST_RETRY, ...different };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation(attempt);
    } catch (error) {
      const again = error instanceof DeskError && error.retry !== 'never' && when(error);
      if (!again || attempt >= policy.attempts || (error.retryAfterMs ?? 0) > maxRetryAfterMs) throw error;
      const waitMs = error.retryAfterMs ?? retryWaitMs(policy, attempt, random);
      if (waitMs >= leftMs()) throw error;
      await sleep(waitMs, signal);
    }
  }
};

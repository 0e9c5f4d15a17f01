/**
 * Retries of failed operations. The `retry` of an error, set where the error is created, says whether a retry can help.
 */
import { DeskError } from '../../contract/errors.ts';
import { sleep as realSleep, type Sleep } from './clock.ts';

/**
 * Exponential backoff: the first wait is `firstMs`, each later one `growth` times the one before it, up to `longestMs`.
 */
export type RetryPolicy = {
  readonly attempts: number;
  readonly firstMs: number;
  readonly growth: number;
  readonly longestMs: number;
  /** Multiplies each wait by a random number from 0 to 1: clients that failed together should not retry together. */
  readonly jitter: boolean;
};

/**
 * The retries of a request. The waits are at most 0.1, 0.4 and 1.6 s, so that a single lost connection costs almost no
 * time.
 */
export const REQUEST_RETRY: RetryPolicy = { attempts: 4, firstMs: 100, growth: 4, longestMs: 30_000, jitter: true };

/**
 * Returns the wait in ms after attempt number `attempt`, which is 1 for the first. `random` returns a number from 0 up
 * to but not including 1.
 */
export const retryWaitMs = (policy: RetryPolicy, attempt: number, random: () => number = Math.random): number => {
  const { firstMs, growth, longestMs, jitter } = policy;
  return Math.min(longestMs, firstMs * growth ** (attempt - 1)) * (jitter ? random() : 1);
};

/** Overrides of `REQUEST_RETRY`, and further limits. */
export type RetryOptions = Partial<RetryPolicy> & {
  /** If a server requests a longer wait (`retryAfterMs`), the error is thrown. Default: 60 s. */
  readonly maxRetryAfterMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Returns the time left, in ms. If a wait would take as long or longer, the error is thrown. Default: no limit. */
  readonly leftMs?: () => number;
  /** Whether to retry after an error that permits it. For operations that must not be done twice. Default: always. */
  readonly when?: (error: DeskError) => boolean;
  readonly sleep?: Sleep;
  readonly random?: () => number;
};

/**
 * Calls `operation(attempt)` until it succeeds, and waits between the attempts. Throws the error of the last attempt
 * once a limit is reached, or if the error is not a `DeskError`, has `retry: 'never'` or is refused by `when`. After an
 * error with `retryAfterMs`, the wait is exactly that long.
 * @throws DeskError the `cancellation` of `signal` if `signal` is aborted during a wait
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

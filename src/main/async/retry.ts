/**
 * The one place that decides about trying again. Whether that can help is a property of the error (`retry`), set
 * where the error was translated; callers only say how often.
 */
import { DeskError } from '../../contract/errors.ts';
import { sleep as realSleep, type Sleep } from './sleep.ts';

export type RetryOptions = {
  /** How often the operation is called at most, the first time included. */
  readonly attempts: number;
  /** The longest wait asked for by a server (`retryAfterMs`) that is obeyed; beyond it the error is thrown. */
  readonly maxRetryAfterMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** What is left of the time, in ms: rather than a wait that is longer, the error is thrown. Default: no limit. */
  readonly leftMs?: () => number;
  /** Narrows what is retried, for an operation that must not be done twice. */
  readonly when?: (error: DeskError) => boolean;
  readonly sleep?: Sleep;
  /** A number from 0 up to but not including 1. */
  readonly random?: () => number;
};

const baseMs = 100;
const growth = 4;
const capMs = 30_000;

/**
 * The wait before the attempt after `attempt` (1 for the first): anything from 0 to 100 ms · 4^(attempt − 1), at most
 * 30 s. One lost connection costs next to nothing, and the waits soon outlast a restart of the other end. Full jitter,
 * so that clients which failed together do not come back together.
 */
export const backoffMs = (attempt: number, random: () => number): number =>
  random() * Math.min(capMs, baseMs * growth ** (attempt - 1));

/**
 * Calls `operation(attempt)` until it succeeds, its error says `retry: 'never'`, or the attempts are used up; the
 * last error is thrown as it is. `retry: 'now'` waits not at all, `retryAfterMs` exactly that long, else a backoff.
 * @throws DeskError `app/cancelled` when `signal` is aborted during a wait.
 */
export const withRetry = async <T>(
  operation: (attempt: number) => Promise<T>,
  {
    attempts,
    maxRetryAfterMs = 60_000,
    signal,
    leftMs = () => Number.POSITIVE_INFINITY,
    when = () => true,
    sleep = realSleep,
    random = Math.random,
  }: RetryOptions,
): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation(attempt);
    } catch (error) {
      const again = error instanceof DeskError && error.retry !== 'never' && when(error);
      if (!again || attempt >= attempts || (error.retryAfterMs ?? 0) > maxRetryAfterMs) throw error;
      const waitMs = error.retry === 'later' ? (error.retryAfterMs ?? backoffMs(attempt, random)) : 0;
      if (waitMs >= leftMs()) throw error;
      if (error.retry === 'later') await sleep(waitMs, signal);
    }
  }
};

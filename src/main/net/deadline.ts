/** A limit for the total time of some work, even if it makes progress. */
import { DeskError } from '../../contract/errors.ts';

/**
 * Runs `work` with a signal that is aborted by `signal`, and with `service/timeout` after `ms`. Only that signal ends the
 * work. The two are joined by hand: V8 frees the signals of `AbortSignal.any` only when it collects the old generation, and
 * an upload of many files filled that up with them.
 */
export const withDeadline = async <T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const deadline = new AbortController();
  const late = (): void =>
    deadline.abort(
      new DeskError('service/timeout', 'not finished in time', { retry: 'later', details: { afterMs: ms } }),
    );
  const stop = (): void => deadline.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  const timer = setTimeout(late, ms);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
};

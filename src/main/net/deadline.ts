/** A limit for the total time of some work, even if it makes progress. */
import { DeskError } from '../../contract/errors.ts';

/**
 * Runs `work` with a signal that is aborted by `signal`, and with `service/timeout` after `ms`. Only that signal ends the
 * work.
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
  const timer = setTimeout(late, ms);
  try {
    return await work(signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal);
  } finally {
    clearTimeout(timer);
  }
};

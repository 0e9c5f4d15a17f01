/** A limit on how long something may take as a whole, however lively its parts look. */
import { DeskError } from '../../contract/errors.ts';

/**
 * Runs `work` with a signal that is aborted with `signal`, and after `ms` with a `service/timeout`. The work has to
 * obey it: nothing else ends here.
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

/** A limit for work on a drive that may have stalled. */
import { DeskError } from '../../../contract/errors.ts';
import { cancellation, onAbort } from '../../async/cancel.ts';

/**
 * The answer of `work`. Errors: those of `work`; `upload/stalled` after `idleMs`; the cancellation of `signal`. The work itself
 * continues when it is no longer awaited.
 */
export const inTime = async <T>(work: Promise<T>, idleMs: number, signal: AbortSignal): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const late = (): void => reject(new DeskError('upload/stalled', 'the file cannot be read', { retry: 'later' }));
  const timer = setTimeout(late, idleMs);
  const stop = onAbort(signal, () => reject(cancellation(signal)));
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
};

/** What an aborted `AbortSignal` means to the app. */
import { DeskError } from '../../contract/errors.ts';
import { onAbort } from './on-abort.ts';

/** Why `signal` was aborted: its reason if that is a `DeskError`, `service/timeout` for a timeout, otherwise `app/cancelled`. */
export const cancellation = (signal: AbortSignal): DeskError => {
  const reason: unknown = signal.reason;
  if (reason instanceof DeskError) return reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new DeskError('service/timeout', 'took too long', { retry: 'later', cause: reason });
  }
  return new DeskError('app/cancelled', 'cancelled', { cause: reason });
};

/** @throws DeskError the `cancellation` of `signal` if it is aborted. */
export const throwIfCancelled = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw cancellation(signal);
};

/**
 * `work`, or the `cancellation` of `signal` if that comes first. The work itself continues: others may be waiting for it.
 */
export const orCancelled = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  if (signal === undefined) return work;
  const cancelled = Promise.withResolvers<never>();
  const stop = onAbort(signal, () => cancelled.reject(cancellation(signal)));
  try {
    return await Promise.race([cancelled.promise, work]);
  } finally {
    stop();
  }
};

/** `parts`, or the `cancellation` of `signal` if that comes before the next part, which is then not awaited. */
export async function* untilCancelled<T>(parts: AsyncGenerator<T, void>, signal: AbortSignal): AsyncGenerator<T, void> {
  try {
    for (
      let next = await orCancelled(parts.next(), signal);
      !next.done;
      next = await orCancelled(parts.next(), signal)
    ) {
      yield next.value;
    }
  } finally {
    parts.return().catch(() => {});
  }
}

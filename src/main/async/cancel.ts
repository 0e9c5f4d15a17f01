import { DeskError } from '../../contract/errors.ts';

type Listeners = { readonly all: Set<() => void>; readonly call: () => void };

const listenersOf = new WeakMap<AbortSignal, Listeners>();

const listenTo = (signal: AbortSignal): Listeners => {
  const all = new Set<() => void>();
  const call = (): void => {
    for (const listener of all) listener();
  };
  signal.addEventListener('abort', call, { once: true });
  const listeners = { all, call };
  listenersOf.set(signal, listeners);
  return listeners;
};

/**
 * Calls `listener` when `signal` is aborted, or immediately if it was aborted before. The returned function removes the
 * listener. Each call needs a distinct function that does not throw. All calls share one listener of the signal,
 * because a signal compares each new listener with all others.
 */
export const onAbort = (signal: AbortSignal, listener: () => void): (() => void) => {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const { all, call } = listenersOf.get(signal) ?? listenTo(signal);
  all.add(listener);
  return () => {
    if (!all.delete(listener) || all.size > 0) return;
    // The listener is removed, because a signal made by `AbortSignal.any` is not garbage-collected while it has
    // listeners.
    signal.removeEventListener('abort', call);
    listenersOf.delete(signal);
  };
};

/**
 * Returns why `signal` was aborted: its reason if that is a `DeskError`, `service/timeout` for a timeout, otherwise
 * `app/cancelled`.
 */
export const cancellation = (signal: AbortSignal): DeskError => {
  const reason: unknown = signal.reason;
  if (reason instanceof DeskError) return reason;
  if (reason instanceof Error && reason.name === 'TimeoutError') {
    return new DeskError('service/timeout', 'took too long', { retry: 'later', cause: reason });
  }
  return new DeskError('app/cancelled', 'cancelled', { cause: reason });
};

export const throwIfCancelled = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw cancellation(signal);
};

/**
 * Settles like `work`, or rejects with the `cancellation` of `signal` if `signal` is aborted first. The work continues,
 * because other callers may be waiting for it.
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

/** Yields `parts`, each awaited by `wait`. If `wait` rejects, throws its error without waiting for the part. */
export async function* partsInTime<T>(
  parts: AsyncGenerator<T, void>,
  wait: <Next>(next: Promise<Next>) => Promise<Next>,
): AsyncGenerator<T, void> {
  try {
    for (let next = await wait(parts.next()); !next.done; next = await wait(parts.next())) yield next.value;
  } finally {
    // Not awaited: a part that never comes would block the end.
    parts.return().catch(() => {});
  }
}

export const timedOut = (ms: number): DeskError =>
  new DeskError('service/timeout', 'not finished in time', { retry: 'later', details: { afterMs: ms } });

/**
 * Passes `work` a signal that is aborted together with `signal`, or with the error of `late` after `ms`. Settles like
 * `work`, which has to stop when its signal is aborted. Does not use `AbortSignal.any`: its signals are freed only when
 * V8 collects the old generation, so an upload of many files would fill the memory.
 */
export const withDeadline = async <T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
  late = () => timedOut(ms),
): Promise<T> => {
  const deadline = new AbortController();
  const stop = signal && onAbort(signal, () => deadline.abort(signal.reason));
  const timer = setTimeout(() => deadline.abort(late()), ms);
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
    stop?.();
  }
};

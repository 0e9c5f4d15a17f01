/** Listeners of an `AbortSignal` that hundreds of tasks share, each for a moment. */

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
 * Calls `listener` when `signal` is aborted, at once if it already is. The returned function removes it. Each call needs a
 * function of its own, which does not throw. The signal itself gets one listener for all of them: it would compare each new
 * listener with all others.
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
    // A signal made of others is freed only when it has no listeners.
    signal.removeEventListener('abort', call);
    listenersOf.delete(signal);
  };
};

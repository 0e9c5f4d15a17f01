/** Listening to an `AbortSignal` that hundreds of tasks share, each for a moment. */

type Listeners = { readonly all: Set<() => void>; readonly call: () => void };

/** The signals with listeners. */
const heard = new WeakMap<AbortSignal, Listeners>();

const listenTo = (signal: AbortSignal): Listeners => {
  const all = new Set<() => void>();
  const call = (): void => {
    for (const listener of all) listener();
  };
  signal.addEventListener('abort', call, { once: true });
  const listeners = { all, call };
  heard.set(signal, listeners);
  return listeners;
};

/**
 * Calls `listener`, a function of the caller's own, when `signal` is aborted, at once if it already is. The returned function
 * ends that. A signal has one listener of the system for all of them, because it compares each new one with all that it has.
 */
export const onAbort = (signal: AbortSignal, listener: () => void): (() => void) => {
  if (signal.aborted) {
    listener();
    return () => {};
  }
  const { all, call } = heard.get(signal) ?? listenTo(signal);
  all.add(listener);
  return () => {
    if (!all.delete(listener) || all.size > 0) return;
    // A signal made of others is only freed without listeners.
    signal.removeEventListener('abort', call);
    heard.delete(signal);
  };
};

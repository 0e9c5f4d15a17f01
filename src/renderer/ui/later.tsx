import { type ComponentType, type JSX, useSyncExternalStore } from 'react';

/** Parts whose code nothing has needed yet, in the order in which they were declared. */
const waiting = new Set<() => Promise<void>>();

/** `begin` loads the code of `Part`, once. */
const createPart = <P extends object>(load: () => Promise<ComponentType<P>>, Fallback?: ComponentType<P>) => {
  let part: { readonly Loaded?: ComponentType<P>; readonly failure?: { readonly error: unknown } } = {};
  let loading: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    waiting.delete(begin);
    loading ??= load().then(
      (Loaded) => {
        part = { Loaded };
      },
      (error: unknown) => {
        part = { failure: { error } };
      },
    );
    return loading;
  };
  const subscribe = (onChange: () => void): (() => void) => {
    let isSubscribed = true;
    void begin().then(() => isSubscribed && onChange());
    return () => {
      isSubscribed = false;
    };
  };
  const Part = (props: P): JSX.Element | null => {
    const { Loaded = Fallback, failure } = useSyncExternalStore(subscribe, () => part);
    if (failure) throw failure.error;
    return Loaded ? <Loaded {...props} /> : null;
  };
  return { begin, Part };
};

/**
 * A component whose code is loaded when it is first rendered, or by `loadRest`. `Fallback` is rendered with its props until
 * then; default: nothing. Throws while rendering if the code cannot be loaded. Not React's `lazy`: once React has shown a
 * fallback, it shows the loaded content no earlier than 300 ms later.
 */
export const later = <P extends object>(load: () => Promise<ComponentType<P>>, Fallback?: ComponentType<P>) => {
  const { begin, Part } = createPart(load, Fallback);
  waiting.add(begin);
  return Part;
};

/**
 * A component that its page shows immediately: its code is loaded as soon as it is declared, in parallel with that of the
 * page. `Fallback` and errors as in `later`.
 */
export const soon = <P extends object>(load: () => Promise<ComponentType<P>>, Fallback?: ComponentType<P>) => {
  const { begin, Part } = createPart(load, Fallback);
  void begin();
  return Part;
};

/**
 * Loads the code of all parts that are not loaded yet, and of those in them, one after another while the window has nothing
 * else to do.
 */
export const loadRest = async (): Promise<void> => {
  for (const begin of waiting) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    await begin();
  }
};

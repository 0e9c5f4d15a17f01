import { type ComponentType, type JSX, useSyncExternalStore } from 'react';

/**
 * The functions that load the code of `lazily` components and have not been called yet, in the order of declaration.
 */
const waiting = new Set<() => Promise<void>>();

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
 * Creates a component whose code is loaded when it is first rendered, or by `loadRest`. Until the code is loaded,
 * `Fallback` is rendered with the same props; default: nothing. The component throws while rendering if its code cannot
 * be loaded. With React's `lazy`, the content would appear no earlier than 300 ms after the fallback.
 */
export const lazily = <P extends object>(load: () => Promise<ComponentType<P>>, Fallback?: ComponentType<P>) => {
  const { begin, Part } = createPart(load, Fallback);
  waiting.add(begin);
  return Part;
};

/**
 * Creates a component that its page shows immediately. Its code begins to load when the component is declared, that is,
 * when the code of the page runs. Until the code is loaded, nothing is rendered. The component throws while rendering
 * if its code cannot be loaded.
 */
export const eagerly = <P extends object>(load: () => Promise<ComponentType<P>>) => {
  const { begin, Part } = createPart(load, undefined);
  void begin();
  return Part;
};

/**
 * Loads the code of all `lazily` components that is not loaded yet, one component after another, while the window is
 * idle. Includes the components that the loaded code declares.
 */
export const loadRest = async (): Promise<void> => {
  for (const begin of waiting) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    await begin();
  }
};

/** Counts the changes of language and formats, so that what is drawn can be drawn again. */
import { type DependencyList, useMemo, useSyncExternalStore } from 'react';

let revision = 0;
const listeners = new Set<() => void>();

/** To be called when the words or the formats have changed. */
export const wordsChanged = (): void => {
  revision += 1;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Renders the caller again when the words or the formats have changed. Answers another number then. */
export const useWordsRevision = (): number => useSyncExternalStore(subscribe, () => revision);

/** `useMemo` for what has words or formats in it: it is made again when these have changed, too. */
export const useMemoInWords = <T>(make: () => T, dependencies: DependencyList): T => {
  const words = useWordsRevision();
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked where the hook is called.
  return useMemo(make, [words, ...dependencies]);
};

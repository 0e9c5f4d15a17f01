/** Counts the changes of language and formats, so that what is drawn can be drawn again. */
import { useSyncExternalStore } from 'react';

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

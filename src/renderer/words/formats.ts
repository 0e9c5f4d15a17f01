/**
 * The formats of the window. After each change of formats or words, the components that use `useWordsRevision` or
 * `useMemoInWords` are rendered again.
 */
import { type DependencyList, useMemo, useSyncExternalStore } from 'react';
import { createFormats, type FormatSettings, type Formats, ownLocale } from '../../words/formats.ts';

let revision = 0;
const listeners = new Set<() => void>();

export const wordsChanged = (): void => {
  revision += 1;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Renders the caller again when the words or the formats have changed. Returns a number that changes with them. */
export const useWordsRevision = (): number => useSyncExternalStore(subscribe, () => revision);

/**
 * Works like `useMemo`, for values that contain texts or formatted values. Also recomputes them when the words or the
 * formats change.
 */
export const useMemoInWords = <T>(make: () => T, dependencies: DependencyList): T => {
  const words = useWordsRevision();
  // biome-ignore lint/correctness/useExhaustiveDependencies: checked where the hook is called.
  return useMemo(make, [words, ...dependencies]);
};

/**
 * Returns the name of a locale in `language`, such as "Norwegian Bokmål (Norway)". Default: the name of the page's own
 * locale.
 */
export const localeName = (language: string, locale = ownLocale()): string =>
  new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' }).of(locale) ?? locale;

let current = createFormats({ language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' });

export const formats = (): Formats => current;

export const setFormats = (settings: FormatSettings): void => {
  current = createFormats(settings);
  wordsChanged();
};

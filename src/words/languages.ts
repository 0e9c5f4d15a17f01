/** The languages of the app, and how their words are loaded. */
import { Language } from '../contract/preferences.ts';
import type { Catalog } from './speech.ts';

/** The first of `locales` (BCP 47 tags, best first) in a language that the app speaks; English where there is none. */
export const languageOf = (locales: readonly string[]): Language =>
  locales.map((locale) => Language.safeParse(locale.toLowerCase().split(/[-_]/)[0]).data).find(Boolean) ?? 'en';

/** Each language is a file of its own, of which only the one that is spoken is loaded. */
const windowWords: Readonly<Record<Language, () => Promise<Catalog<'window'>['words']>>> = {
  en: async () => (await import('./english/window.ts')).windowWords,
  sv: async () => (await import('./swedish/window.ts')).windowWords,
  de: async () => (await import('./german/window.ts')).windowWords,
};

/** The words of the window in `language`. */
export const loadWindowWords = async (language: Language): Promise<Catalog<'window'>> => ({
  name: 'window',
  locale: language,
  words: await windowWords[language](),
});

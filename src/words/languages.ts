/**
 * The registry of the app's languages, and the functions that load their words. A language has a folder of files in
 * i18next's JSON format (v4), one for each area. `window.ts` in the folder combines the files that the window loads,
 * `host.ts` those that main and the command line load.
 */
import { Language, type Preferences } from '../contract/preferences.ts';
import type { HostWords, SharedWords, WindowWords } from './english.d.ts';

/**
 * A catalog in another language: it has a text for each key of the English one. Variants of keys can differ from
 * English: forms for a context (`_female`), and plural forms other than `_other`.
 * tests/integration/word-catalogs.test.ts checks the plural forms.
 */
export type Translation<Words> = {
  readonly [Key in keyof Words as Key extends Variant<Words> ? never : Key]: Words[Key] extends string
    ? string
    : Translation<Words[Key]>;
};

/** The keys that i18next uses only if a count or a context asks for them. */
type Variant<Words> = {
  [Key in keyof Words]: Key extends `${infer Base}_${infer Form}`
    ? Base extends keyof Words
      ? Key
      : `${Base}_other` extends keyof Words
        ? Form extends 'other'
          ? never
          : Key
        : never
    : never;
}[keyof Words];

/** The catalogs of one language, by the program that loads them. */
export type Catalogs = { readonly window: WindowWords; readonly host: HostWords };
export type Speaker = keyof Catalogs;

type LanguageEntry = {
  /** The language's own name for itself. */
  readonly name: string;
  /** The locale for dates and numbers if the system is in another language. */
  readonly usualLocale: string;
  /** The name of the folder with the language's texts of the Group Policy template for Windows. */
  readonly policyLocale: string;
};

/**
 * The registry. A new language needs a code in `Language`, a folder of texts, and a line in each record of this file;
 * the compiler reports missing ones. Until renderer/features/help/help-page.tsx has a translated user guide, users of
 * the language see the English guide.
 */
export const languages: Readonly<Record<Language, LanguageEntry>> = {
  en: { name: 'English', usualLocale: 'en-GB', policyLocale: 'en-US' },
  sv: { name: 'Svenska', usualLocale: 'sv-SE', policyLocale: 'sv-SE' },
  de: { name: 'Deutsch', usualLocale: 'de-DE', policyLocale: 'de-DE' },
};

type Loaders<Name extends Speaker> = Readonly<Record<Language, () => Promise<Translation<Catalogs[Name]>>>>;

// Each program has a record of its own, so that its bundle contains only the catalogs that the program can load.

const windowLoaders: Loaders<'window'> = {
  en: async () => (await import('./en/window.ts')).windowWords,
  sv: async () => (await import('./sv/window.ts')).windowWords,
  de: async () => (await import('./de/window.ts')).windowWords,
};

const hostLoaders: Loaders<'host'> = {
  en: async () => (await import('./en/host.ts')).hostWords,
  sv: async () => (await import('./sv/host.ts')).hostWords,
  de: async () => (await import('./de/host.ts')).hostWords,
};

/**
 * A language of the app, or `pseudo`: English with accents, at least as long as the longest translation, for tests and
 * development only.
 */
export type Spoken = Language | 'pseudo';

/** Returns the first of `locales` (BCP 47 tags, best first) in a language of the app; English if there is none. */
export const languageOf = (locales: readonly string[]): Language =>
  locales.map((locale) => Language.safeParse(locale.toLowerCase().split(/[-_.]/)[0]).data).find(Boolean) ?? 'en';

export const chosenLanguage = ({ language }: Pick<Preferences, 'language'>, system: Spoken): Spoken =>
  language === 'system' ? system : language;

/** Returns the language with the code `name`, or the pseudo-language; undefined for any other text. */
export const spokenOf = (name: string | null | undefined): Spoken | undefined =>
  name === 'pseudo' ? name : Language.safeParse(name).data;

const load = async <Words>(
  loaders: Readonly<Record<Language, () => Promise<Words>>>,
  spoken: Spoken,
): Promise<Words> =>
  spoken === 'pseudo'
    ? (await import('./pseudo.ts')).toPseudo(
        await loaders.en(),
        await Promise.all(Object.values(loaders).map((translation) => translation())),
      )
    : loaders[spoken]();

/** The words of one program (`name`), with the shared words, in the language `locale` (a BCP 47 tag). */
export type Catalog<Name extends Speaker = Speaker> = {
  readonly name: Name;
  readonly locale: string;
  readonly words: Translation<Catalogs[Name]> & Translation<SharedWords>;
};

/** `en-XA` is the tag for English with accents. */
const localeOf = (spoken: Spoken): string => (spoken === 'pseudo' ? 'en-XA' : spoken);

/** Loads the window's words in the language `spoken`. For `pseudo`, loads those of all languages. */
export const loadWindowWords = async (spoken: Spoken): Promise<Catalog<'window'>> => ({
  name: 'window',
  locale: localeOf(spoken),
  words: await load(windowLoaders, spoken),
});

export const loadHostWords = async (spoken: Spoken): Promise<Catalog<'host'>> => ({
  name: 'host',
  locale: localeOf(spoken),
  words: await load(hostLoaders, spoken),
});

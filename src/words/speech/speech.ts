/** Speaking one language: what stands in a catalog is said with its values, in the forms of that language. */
import { createInstance, type TFunction } from 'i18next';
import type { hostWords } from '../english/host.ts';
import type { windowWords } from '../english/window.ts';
import type { Translation } from '../translation.ts';
import { createErrorTexts, type ErrorTexts, type ErrorWords } from './error-text.ts';

/** The catalogs of one language, by who speaks. */
type Catalogs = { readonly window: typeof windowWords; readonly host: typeof hostWords };

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: Catalogs;
    defaultNS: 'window';
  }
}

/** Says any key: i18next types each call of `t` by its key. */
type Say = (key: string, values?: object) => string;

/** One catalog in the language `locale` (a BCP 47 tag). */
export type Catalog<Name extends keyof Catalogs = keyof Catalogs> = {
  readonly name: Name;
  readonly locale: string;
  readonly words: Translation<Catalogs[Name]> & { readonly error: ErrorWords };
};

/** The words of a key with their values filled in. */
export type Translate<Name extends keyof Catalogs> = TFunction<Name>;

export type Speech<Name extends keyof Catalogs> = ErrorTexts & {
  readonly locale: string;
  /** The words of a key with their values filled in: `t('count.file', { count: 3 })` is "3 files". */
  readonly t: Translate<Name>;
  readonly say: Say;
};

/** Speaks the language of `catalog`. Numbers in sentences are written by `formatNumber`, when they are said. */
export const createSpeech = <Name extends keyof Catalogs>(
  { name, locale, words }: Catalog<Name>,
  formatNumber: (value: number) => string,
): Speech<Name> => {
  const instance = createInstance();
  // Nothing is loaded, so it is ready at once.
  void instance.init({
    lng: locale,
    resources: { [locale]: { [name]: words } },
    ns: [name],
    defaultNS: name,
    initAsync: false,
    // React escapes what it renders, and a terminal's text is not markup.
    interpolation: { escapeValue: false },
  });
  instance.services.formatter?.add('number', formatNumber);
  const say = remembering(instance.t as unknown as Say);
  const retryIn = { second: 'error.retryInSeconds', minute: 'error.retryInMinutes' };
  return {
    locale,
    t: say as unknown as Translate<Name>,
    say,
    ...createErrorTexts(words.error, (unit, count) => say(retryIn[unit], { count })),
  };
};

/** Words without values are the same each time, and a table asks for them in every row. */
const remembering = (say: Say): Say => {
  const known = new Map<string, string>();
  return (key, values) => {
    if (values !== undefined) return say(key, values);
    const text = known.get(key) ?? say(key);
    known.set(key, text);
    return text;
  };
};

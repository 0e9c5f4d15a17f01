/**
 * The texts of one language: those of a catalog with their values filled in, and with the plural forms of the language.
 */
import { createInstance, type TFunction } from 'i18next';
import { createErrorTexts, type ErrorTexts } from './error-text.ts';
import { type Catalog, type Catalogs, loadHostWords, type Speaker, type Spoken } from './languages.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: Catalogs;
    defaultNS: 'window';
  }
}

/** `t` for any key. The key is not checked, whereas i18next types each call of `t` by its key. */
type Say = (key: string, values?: object) => string;

export type Translate<Name extends Speaker> = TFunction<Name>;

export type Speech<Name extends Speaker> = ErrorTexts & {
  readonly locale: string;
  /** The text of a key with its values filled in: `t('count.file', { count: 3 })` is "3 files". */
  readonly t: Translate<Name>;
  readonly say: Say;
};

/**
 * Creates the texts of `catalog`. Numbers in sentences are formatted by `formatNumber` whenever a text is looked up.
 */
export const createSpeech = <Name extends Speaker>(
  { name, locale, words }: Catalog<Name>,
  formatNumber: (value: number) => string,
): Speech<Name> => {
  const instance = createInstance();
  // Nothing is loaded, so the instance is ready synchronously.
  void instance.init({
    lng: locale,
    resources: { [locale]: { [name]: words } },
    ns: [name],
    defaultNS: name,
    initAsync: false,
    // Values are not escaped, because React escapes what it renders, and a terminal's text is not markup.
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

/** Creates the texts of main and the command line. Numbers are formatted for the language. */
export const createHostSpeech = async (spoken: Spoken): Promise<Speech<'host'>> => {
  const catalog = await loadHostWords(spoken);
  return createSpeech(catalog, (value) => value.toLocaleString(catalog.locale));
};

/** Caches texts without values: a table needs them in every row. */
const remembering = (say: Say): Say => {
  const known = new Map<string, string>();
  return (key, values) => {
    if (values !== undefined) return say(key, values);
    const text = known.get(key) ?? say(key);
    known.set(key, text);
    return text;
  };
};

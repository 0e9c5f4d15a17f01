/**
 * The texts of the window in its current language. The types of keys come from the English catalog, so TypeScript
 * reports an unknown key, and a call without a value that the text needs. Texts must be looked up at render, because no
 * language is known at import.
 */
import type { ErrorTexts } from '../../words/error-text.ts';
import type { Catalog, Catalogs } from '../../words/languages.ts';
import { createSpeech, type Speech } from '../../words/speech.ts';
import { formats, wordsChanged } from './formats.ts';

let current: Speech<'window'> | undefined;

/**
 * Returns the texts in the current language, for functions that the window shares with main. Throws before the first
 * `speak`.
 */
export const speech = (): Speech<'window'> => {
  if (current === undefined) throw new Error('no language yet: words are looked up when something is drawn');
  return current;
};

export const speak = (catalog: Catalog<'window'>): void => {
  current = createSpeech(catalog, (value) => formats().number(value));
  wordsChanged();
};

/** Returns the current language as a BCP 47 tag. */
export const spokenLocale = (): string => speech().locale;

/** Returns the text of `key` with its values filled in: `t('count.file', { count: 3 })` is "3 files". */
export const t = ((key: string, values?: object) => speech().say(key, values)) as unknown as Speech<'window'>['t'];

/** The keys of texts without values. Only texts with values have literal types. */
type KeysIn<Words> = {
  [Key in keyof Words & string]: string extends Words[Key]
    ? Key
    : Words[Key] extends string
      ? never
      : `${Key}.${KeysIn<Words[Key]>}`;
}[keyof Words & string];

export type TextKey = KeysIn<Catalogs['window']>;

/** Returns the text of a key that contains a value of the service; undefined if there is no such key. */
export const textOf = (key: string): string | undefined => {
  const text = speech().say(key);
  return text === key ? undefined : text;
};

type KeyOf<Value extends string> = Value extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<KeyOf<Rest>>}`
  : Value;

/** Returns the form that a value of the contract has in keys: `notUploaded` for `not-uploaded`. */
export const keyOf = <Value extends string>(value: Value): KeyOf<Value> =>
  value.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()) as KeyOf<Value>;

export const errorText: ErrorTexts['errorText'] = (error) => speech().errorText(error);

export const fileErrorText: ErrorTexts['fileErrorText'] = (error) => speech().fileErrorText(error);

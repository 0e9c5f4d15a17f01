/** The formats that apply to the whole window, which is drawn again when they change, as with its words. */
import { createFormats, type FormatSettings, type Formats, ownLocale } from '../../words/formats.ts';
import { wordsChanged } from './revision.ts';

/** A locale in the words of `language`, such as "Norwegian Bokmål (Norway)"; the page's own where none is given. */
export const localeName = (language: string, locale = ownLocale()): string =>
  new Intl.DisplayNames(language, { type: 'language', languageDisplay: 'standard' }).of(locale) ?? locale;

let current = createFormats({ language: 'system', formats: 'system', dateFormat: 'system', timeBase: 'auto' });

/** The formats of the current settings. */
export const formats = (): Formats => current;

/** Uses other settings from now on. */
export const setFormats = (settings: FormatSettings): void => {
  current = createFormats(settings);
  wordsChanged();
};

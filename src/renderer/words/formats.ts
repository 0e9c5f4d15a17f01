/**
 * How dates and numbers are written, and what the service's times count in. Like the words they are of the whole window:
 * set before it is first drawn, and again, with all of it drawn anew, when a person changes their mind.
 */
import type { Preferences } from '../../contract/preferences.ts';

export type FormatSettings = Pick<Preferences, 'language' | 'dateFormat' | 'timeBase'> & {
  /** The locale that the system has for dates and numbers; absent: the page's own. */
  readonly systemLocale?: string | undefined;
};

export type Formats = {
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
  readonly day: (timeMs: number) => string;
  readonly moment: (timeMs: number) => string;
  readonly hour: (timeMs: number) => string;
  /** "March 2026" or "Mar". */
  readonly month: (timeMs: number, length: 'long' | 'short') => string;
  readonly collator: Intl.Collator;
  readonly timeBase: Preferences['timeBase'];
};

/** English as most of the world writes it, where the system has another language. */
const worldEnglish = 'en-GB';

/** `locale` without what is not of language, script and region; undefined for what is no locale. */
const plain = (locale: string | undefined): string | undefined => {
  try {
    if (locale === undefined) return undefined;
    const { language, script, region } = new Intl.Locale(locale);
    return [language, script, region].filter(Boolean).join('-');
  } catch {
    return undefined;
  }
};

/** The locale for dates and numbers: the system's, unless a language is preferred that the system's is not of. */
export const localeOf = ({ language, systemLocale }: FormatSettings): string | undefined => {
  const system = plain(systemLocale);
  const present = system ?? new Intl.NumberFormat().resolvedOptions().locale;
  return language === 'system' || present.startsWith(language) ? system : worldEnglish;
};

/** A locale in words, such as "Norwegian Bokmål (Norway)"; the page's own where none is given. */
export const languageName = (locale = new Intl.NumberFormat().resolvedOptions().locale): string =>
  new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' }).of(locale) ?? locale;

const two = (value: number): string => String(value).padStart(2, '0');
const isoMonth = (date: Date): string => `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}`;
const isoDay = (date: Date): string => `${isoMonth(date)}-${two(date.getDate())}`;
const isoHour = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`;

const createFormats = (settings: FormatSettings): Formats => {
  const locale = localeOf(settings);
  const plainNumber = new Intl.NumberFormat(locale);
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (timeMs: number): string => format.format(timeMs);
  };
  const shortMonth = date({ month: 'short' });
  const longMonth = date({ month: 'long', year: 'numeric' });
  const rest = {
    number: (value: number, options?: Intl.NumberFormatOptions) =>
      options === undefined ? plainNumber.format(value) : value.toLocaleString(locale, options),
    collator: new Intl.Collator(locale, { numeric: true, sensitivity: 'base' }),
    timeBase: settings.timeBase,
  };
  if (settings.dateFormat === 'iso') {
    return {
      ...rest,
      day: (timeMs) => isoDay(new Date(timeMs)),
      moment: (timeMs) => `${isoDay(new Date(timeMs))} ${isoHour(new Date(timeMs))}`,
      hour: (timeMs) => isoHour(new Date(timeMs)),
      month: (timeMs, length) => (length === 'short' ? shortMonth(timeMs) : isoMonth(new Date(timeMs))),
    };
  }
  return {
    ...rest,
    day: date({ dateStyle: 'medium' }),
    moment: date({ dateStyle: 'medium', timeStyle: 'short' }),
    hour: date({ timeStyle: 'short' }),
    month: (timeMs, length) => (length === 'short' ? shortMonth : longMonth)(timeMs),
  };
};

let current = createFormats({ language: 'system', dateFormat: 'system', timeBase: 'auto' });

/** The formats of the present settings. */
export const formats = (): Formats => current;

/** Takes other settings. What was written before stays as it is until it is drawn again. */
export const setFormats = (settings: FormatSettings): void => {
  current = createFormats(settings);
};

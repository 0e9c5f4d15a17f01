/** Formats dates and numbers, for the window and for the files that main writes for users. */
import type { Preferences } from '../contract/preferences.ts';
import { languages } from './languages.ts';

export type FormatSettings = Pick<Preferences, 'language' | 'formats' | 'dateFormat' | 'timeBase'> & {
  /** The system's locale for dates and numbers; absent: that of this process, or of the page. */
  readonly systemLocale?: string | undefined;
};

export type Formats = {
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
  readonly day: (timeMs: number) => string;
  readonly moment: (timeMs: number) => string;
  readonly hour: (timeMs: number) => string;
  /** The locale whose order and separators are used for typed dates; undefined for ISO 8601. */
  readonly typedLocale: string | undefined;
  readonly collator: Intl.Collator;
  readonly timeBase: Preferences['timeBase'];
};

/** Returns language, script and region of `locale`; undefined for a text that is not a locale. */
const plain = (locale: string | undefined): string | undefined => {
  try {
    if (locale === undefined) return undefined;
    const { language, script, region } = new Intl.Locale(locale);
    return [language, script, region].filter(Boolean).join('-');
  } catch {
    return undefined;
  }
};

/** Returns the locale of this process, or of the page. */
export const ownLocale = (): string => new Intl.NumberFormat().resolvedOptions().locale;

/**
 * Returns the locale for dates and numbers: the system's if `formats` is `system` or the language of that locale, and
 * otherwise the usual locale of the chosen language. Returns undefined if the system's applies but is not known.
 */
export const localeOf = ({
  formats: choice,
  systemLocale,
}: Pick<FormatSettings, 'formats' | 'systemLocale'>): string | undefined => {
  const system = plain(systemLocale);
  return choice === 'system' || (system ?? ownLocale()).startsWith(choice) ? system : languages[choice].usualLocale;
};

/**
 * Returns the locale for the names of months and days in the app's language, `spoken`: the locale of typed dates if it
 * has that language, otherwise `spoken`.
 */
export const namesLocale = ({ typedLocale }: Formats, spoken: string): string =>
  typedLocale?.startsWith(spoken) ? typedLocale : spoken;

/** Formats a month with its year in the app's language, `spoken`: "March 2026", or "2026-03" in ISO 8601. */
export const monthText = (timeMs: number, formats: Formats, spoken: string): string =>
  formats.typedLocale === undefined
    ? isoMonth(new Date(timeMs))
    : new Intl.DateTimeFormat(namesLocale(formats, spoken), { month: 'long', year: 'numeric' }).format(timeMs);

const two = (value: number): string => String(value).padStart(2, '0');
const isoMonth = (date: Date): string => `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}`;

/** Formats the local day of `date` by ISO 8601, such as `2026-03-01`. */
export const isoDay = (date: Date): string => `${isoMonth(date)}-${two(date.getDate())}`;
/** Formats the local time of day of `date` by ISO 8601, such as `18:05`. */
export const isoHour = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`;

export const createFormats = (settings: FormatSettings): Formats => {
  const locale = localeOf(settings);
  const plainNumber = new Intl.NumberFormat(locale);
  const date = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (timeMs: number): string => format.format(timeMs);
  };
  // Formats are cached, because creating one takes far longer than using it.
  const numbers = new Map<string, Intl.NumberFormat>();
  const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = JSON.stringify(options);
    const format = numbers.get(key) ?? new Intl.NumberFormat(locale, options);
    numbers.set(key, format);
    return format;
  };
  const rest = {
    number: (value: number, options?: Intl.NumberFormatOptions) =>
      (options === undefined ? plainNumber : numberFormat(options)).format(value),
    // Names are sorted by the rules of the user's language, whatever the formats, because users look for them in that
    // order.
    collator: new Intl.Collator(localeOf({ ...settings, formats: settings.language }), {
      numeric: true,
      sensitivity: 'base',
    }),
    timeBase: settings.timeBase,
  };
  if (settings.dateFormat === 'iso') {
    return {
      ...rest,
      typedLocale: undefined,
      day: (timeMs) => isoDay(new Date(timeMs)),
      moment: (timeMs) => `${isoDay(new Date(timeMs))} ${isoHour(new Date(timeMs))}`,
      hour: (timeMs) => isoHour(new Date(timeMs)),
    };
  }
  return {
    ...rest,
    typedLocale: locale ?? ownLocale(),
    day: date({ dateStyle: 'medium' }),
    moment: date({ dateStyle: 'medium', timeStyle: 'short' }),
    hour: date({ timeStyle: 'short' }),
  };
};

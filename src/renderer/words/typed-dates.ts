/**
 * Dates as users type them: in digits, in the order and with the separators of the chosen format. The values of such
 * dates are local, and have the form of HTML's date inputs: "2026-03-01" or, with a time, "2026-03-01T18:00".
 */
import { formats } from './formats.ts';
import { t } from './words.ts';

type Part = 'year' | 'month' | 'day';

const two = (value: number): string => String(value).padStart(2, '0');

/** Matches the parts of the text that `writtenDate` returns. */
const PART = /\{(year|month|day)\}/g;

const ISO_DATE = '{year}-{month}-{day}';

/**
 * Returns how a date is written, with its parts in braces. Dates are in the Gregorian calendar and in Latin digits even
 * if the locale prefers others, because fields accept no others.
 */
const writtenDate = (): string => {
  const { typedLocale } = formats();
  if (typedLocale === undefined) return ISO_DATE;
  const options = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    calendar: 'gregory',
    numberingSystem: 'latn',
  } as const;
  return new Intl.DateTimeFormat(typedLocale, options)
    .formatToParts(new Date(2026, 2, 1))
    .map(({ type, value }) => (/^(year|month|day)$/.test(type) ? `{${type}}` : value))
    .join('');
};

/** Returns the names of the two halves of the day in a 12-hour clock; undefined for a 24-hour clock. */
const halves = (): readonly [string, string] | undefined => {
  const { typedLocale } = formats();
  if (typedLocale === undefined) return undefined;
  const format = new Intl.DateTimeFormat(typedLocale, { hour: 'numeric', minute: '2-digit' });
  const half = (hour: number): string | undefined =>
    format.formatToParts(new Date(2026, 2, 1, hour)).find(({ type }) => type === 'dayPeriod')?.value;
  const [morning, afternoon] = [half(9), half(21)];
  return morning === undefined || afternoon === undefined ? undefined : [morning, afternoon];
};

/** Returns the word that follows an hour, such as "Uhr"; empty if the locale has none. */
const oClock = (): string => {
  const { typedLocale } = formats();
  if (typedLocale === undefined) return '';
  const parts = new Intl.DateTimeFormat(typedLocale, { hour: 'numeric' }).formatToParts(new Date(2026, 2, 1, 18));
  return parts.flatMap(({ type, value }) => (type === 'literal' ? value : [])).join('');
};

const dateText = (of: Readonly<Record<Part, string>>): string =>
  writtenDate().replaceAll(PART, (_, part: Part) => of[part]);

const timeText = (hours: number, minutes: number): string => {
  const [morning, afternoon] = halves() ?? [];
  if (morning === undefined || afternoon === undefined) return `${two(hours)}:${two(minutes)}`;
  return `${hours % 12 || 12}:${two(minutes)} ${hours < 12 ? morning : afternoon}`;
};

/** Returns the text that a field shows for its value; empty if `value` does not have the expected form. */
export const typedText = (value: string): string => {
  const [, year, month, day, hours, minutes] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return '';
  const date = dateText({ year, month, day });
  return hours === undefined ? date : `${date} ${timeText(Number(hours), Number(minutes))}`;
};

/** Returns the format that a field expects, such as "dd/mm/yyyy", in the letters of the app's language. */
export const typedPattern = (withTime: boolean): string => {
  const date = dateText({ year: t('common.date.yyyy'), month: t('common.date.mm'), day: t('common.date.dd') });
  return withTime ? `${date} ${t('common.date.time')}` : date;
};

const dateOf = (figures: readonly string[]): string | undefined => {
  const written = (figures[0] ?? '').length === 4 ? ISO_DATE : writtenDate();
  const parts = [...written.matchAll(PART)].map(([, part]) => part);
  const figure = (part: Part): string => figures[parts.indexOf(part)] ?? '';
  const typedYear = figure('year');
  if (typedYear.length !== 2 && typedYear.length !== 4) return undefined;
  const [year, month, day] = [
    Number(typedYear) + (typedYear.length === 2 ? 2000 : 0),
    Number(figure('month')),
    Number(figure('day')),
  ];
  const date = new Date(year, month - 1, day);
  // Rejects days that do not exist. `Date` turns February 30 into a day in March.
  if (year < 1000 || date.getMonth() !== month - 1 || date.getDate() !== day) return undefined;
  return `${year}-${two(month)}-${two(day)}`;
};

const timeOf = (text: string): string | undefined => {
  const [, typedHours, minutes = '00', half = ''] = /^(\d{1,2})(?:[:.](\d\d))?\s*(\D*)$/.exec(text) ?? [];
  const [morning, afternoon] = halves() ?? ['am', 'pm'];
  const plain = (word: string): string => word.toLowerCase().replaceAll(/[.\s]/g, '');
  const isHalf = half !== '' && [morning, afternoon].some((word) => plain(word) === plain(half));
  const isKnown = half === '' || isHalf || plain(half) === plain(oClock());
  if (typedHours === undefined || !isKnown) return undefined;
  const typed = Number(typedHours);
  if (isHalf && (typed < 1 || typed > 12)) return undefined;
  const hours = isHalf ? (typed % 12) + (plain(half) === plain(afternoon) ? 12 : 0) : typed;
  return hours > 23 || Number(minutes) > 59 ? undefined : `${two(hours)}:${minutes}`;
};

/** The time that is added to a date without one: the start of a working day. */
export const MORNING = '08:00';

/**
 * Parses a typed text into a value; undefined if its date or its time cannot be read. A date that begins with a year of
 * four digits is accepted in every format. Other dates need the order of the chosen format, and their year can have two
 * digits. With `withTime`, a missing time is `MORNING`.
 */
export const typedValue = (text: string, withTime: boolean): string | undefined => {
  const plain = text.normalize('NFKC').trim();
  const [, first, second, third, rest = ''] = /^(\d+)\D+(\d+)\D+(\d+)(.*)$/s.exec(plain) ?? [];
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const date = dateOf([first, second, third]);
  const after = rest.replace(/^(?:\D*[\s,T])?/, '');
  if (date === undefined || !withTime) return /\d/.test(rest) ? undefined : date;
  const time = after.trim() === '' ? MORNING : timeOf(after);
  return time === undefined ? undefined : `${date}T${time}`;
};

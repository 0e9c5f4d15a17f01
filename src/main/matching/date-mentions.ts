/** Finds dates in names: "2026-05-12", "12.05.26", "20260512", "12 mai 2026", "May 2026", "2026". */
import { plain } from './fold.ts';

/** `month` from 1; without `day` a month is meant, without both a year. `start`, `end`: where it stands in the name. */
export type DateMention = {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
  readonly start: number;
  readonly end: number;
};

const MONTHS = [
  'jan januar january januari tammikuu janvier gennaio enero',
  'feb februar february februari helmikuu fevrier febbraio febrero',
  'mar mars march marts marz maaliskuu marzo maerz maart',
  'apr april huhtikuu avril aprile abril',
  'may mai maj toukokuu maggio mayo mei',
  'jun june juni kesakuu juin giugno junio',
  'jul july juli heinakuu juillet luglio julio',
  'aug august augusti elokuu aout agosto augustus',
  'sep sept september syyskuu septembre settembre septiembre',
  'okt oct oktober october lokakuu octobre ottobre octubre',
  'nov november marraskuu novembre noviembre',
  'des dec dez desember december dezember joulukuu decembre dicembre diciembre',
].map((names) => names.split(' '));
const monthOf = new Map(MONTHS.flatMap((names, at) => names.map((name) => [name, at + 1] as const)));
const monthNames = [...monthOf.keys()].sort((one, other) => other.length - one.length).join('|');

const fullYear = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits));
const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;

type Parts = { readonly year: number; readonly month?: number; readonly day?: number };
type Form = { readonly pattern: RegExp; readonly read: (found: readonly string[]) => Parts | undefined };

const YEAR = '(?:19|20)\\d\\d';
const day = (year: string, month: number, dayOfMonth: string): Parts | undefined =>
  isDay(month, Number(dayOfMonth)) ? { year: fullYear(year), month, day: Number(dayOfMonth) } : undefined;

/** The most telling form first; what one has found is not read again. Names are plain, with their positions kept. */
const FORMS: readonly Form[] = [
  {
    pattern: new RegExp(`(?<!\\d)(${YEAR})([-._ ])(\\d\\d?)\\2(\\d\\d?)(?!\\d)`, 'g'),
    read: ([year = '', , month = '', dayOfMonth = '']) => day(year, Number(month), dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<!\\d)(${YEAR})(\\d\\d)(\\d\\d)(?!\\d)`, 'g'),
    read: ([year = '', month = '', dayOfMonth = '']) => day(year, Number(month), dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<!\\d)(\\d\\d?)([-.])(\\d\\d?)\\2(${YEAR}|\\d\\d)(?!\\d|\\2\\d)`, 'g'),
    read: ([dayOfMonth = '', , month = '', year = '']) =>
      day(year, Number(month), dayOfMonth) ?? day(year, Number(dayOfMonth), month),
  },
  {
    // With blanks only where no street's number can be meant: at the start, or with a year behind a number.
    pattern: new RegExp(`(?<=^|\\d[ _])(\\d\\d?)([ _])(\\d\\d?)\\2(${YEAR})(?!\\d)`, 'g'),
    read: ([dayOfMonth = '', , month = '', year = '']) => day(year, Number(month), dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<![\\d\\p{L}])(\\d\\d?)[. _-]*(${monthNames})\\p{L}{0,2}[. _-]*(${YEAR})(?!\\d)`, 'gu'),
    read: ([dayOfMonth = '', month = '', year = '']) => day(year, monthOf.get(month) ?? 0, dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<!\\p{L})(${monthNames})[. _-]*(\\d\\d?),?[ _]+(${YEAR})(?!\\d)`, 'gu'),
    read: ([month = '', dayOfMonth = '', year = '']) => day(year, monthOf.get(month) ?? 0, dayOfMonth),
  },
  {
    pattern: new RegExp(`(?<!\\p{L})(${monthNames})[. _-]*(${YEAR})(?!\\d)`, 'gu'),
    read: ([month = '', year = '']) => ({ year: Number(year), month: monthOf.get(month) ?? 0 }),
  },
  {
    pattern: new RegExp(`(?<!\\d)(${YEAR})[-._ ](0[1-9]|1[0-2])(?!\\d)`, 'g'),
    read: ([year = '', month = '']) => ({ year: Number(year), month: Number(month) }),
  },
  { pattern: new RegExp(`(?<![\\d-])(${YEAR})(?!\\d)`, 'g'), read: ([year = '']) => ({ year: Number(year) }) },
  {
    // "260512": the usual short form in the Nordic countries.
    pattern: /(?<![\d-])([12]\d)(\d\d)(\d\d)(?!\d)/g,
    read: ([year = '', month = '', dayOfMonth = '']) => day(year, Number(month), dayOfMonth),
  },
];

/** The dates in `name`, in order. */
export const dateMentions = (name: string): readonly DateMention[] => {
  if (!/\d\d/.test(name)) return [];
  // Only if no letter changes its length the positions stay; otherwise names of months are not looked for.
  const folded = plain(name);
  let rest = folded.length === name.length ? folded : name;
  const found: DateMention[] = [];
  for (const { pattern, read } of FORMS)
    rest = rest.replace(pattern, (text: string, ...args: readonly unknown[]) => {
      const parts = read(args.filter((arg) => typeof arg === 'string'));
      const start = Number(args.find((arg) => typeof arg === 'number'));
      if (parts === undefined) return text;
      found.push({ ...parts, start, end: start + text.length });
      return '\u0000'.repeat(text.length);
    });
  return found.sort((one, other) => one.start - other.start);
};

/** A day of the calendar; `number`: days since 1970. */
export type Day = { readonly number: number; readonly month: number; readonly year: number };

/** `time` (seconds below 1e11, else milliseconds) as a day; undefined for 0 and what is no time. */
export const dayOfTime = (time: number): Day | undefined => {
  const date = new Date(Math.abs(time) < 1e11 ? time * 1000 : time);
  if (time === 0 || Number.isNaN(date.getTime())) return undefined;
  return { number: Math.floor(date.getTime() / DAY_MS), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() };
};

const DAY_MS = 86_400_000;

/** How well `mention` fits a day: the day, the one beside it (the same one in another time zone), its month, its year, or not. */
export const dateFit = (mention: DateMention, day: Day): 'day' | 'near' | 'month' | 'year' | 'other' => {
  if (mention.day !== undefined && mention.month !== undefined) {
    const apart = Math.abs(Date.UTC(mention.year, mention.month - 1, mention.day) / DAY_MS - day.number);
    if (apart === 0) return 'day';
    return apart <= 1 ? 'near' : 'other';
  }
  if (mention.year !== day.year) return 'other';
  if (mention.month === undefined) return 'year';
  return mention.month === day.month ? 'month' : 'other';
};

/** The service's times: numbers whose unit its interface does not give. */
import { formats } from '../words/formats.ts';

/** Seconds since 1970 stay below this until the year 5138; milliseconds passed it in 1973. */
const firstMilliseconds = 1e11;

/** The unit a number of the service counts in. */
export type TimeBase = 'seconds' | 'milliseconds';

/** The unit of `raw`: as the person says, else told by its size. */
export const timeBaseOf = (raw: number): TimeBase => {
  const { timeBase } = formats();
  if (timeBase !== 'auto') return timeBase;
  return Math.abs(raw) < firstMilliseconds ? 'seconds' : 'milliseconds';
};

/** `raw` as milliseconds since 1970. */
export const toMilliseconds = (raw: number): number => (timeBaseOf(raw) === 'seconds' ? raw * 1000 : raw);

/** Milliseconds since 1970 as the service counts: whole numbers of `base`. */
export const fromMilliseconds = (timeMs: number, base: TimeBase): number =>
  base === 'seconds' ? Math.floor(timeMs / 1000) : Math.floor(timeMs);

/** The local day of `timeMs`, such as "3 Feb 2025". A dash for a number that is no time. */
export const formatDay = (timeMs: number): string => (isTime(timeMs) ? formats().day(timeMs) : '–');

/** The local day and minute of `timeMs`, such as "3 Feb 2025, 14:05". */
export const formatMoment = (timeMs: number): string => (isTime(timeMs) ? formats().moment(timeMs) : '–');

/** The local time of day of `timeMs`, such as "14:05". */
export const formatHour = (timeMs: number): string => formats().hour(timeMs);

/** The month `value`, such as "2026-03", in words: "March 2026" or "Mar". */
export const formatMonth = (value: string, length: 'long' | 'short'): string => {
  const [year = 1970, month = 1] = value.split('-').map(Number);
  return formats().month(new Date(year, month - 1).getTime(), length);
};

const isTime = (timeMs: number): boolean => timeMs !== 0 && !Number.isNaN(new Date(timeMs).getTime());

const two = (value: number): string => String(value).padStart(2, '0');

/** `timeMs` as a date-time input holds it: local, to the minute. */
export const toInputValue = (timeMs: number): string => {
  const date = new Date(timeMs);
  const day = [String(date.getFullYear()).padStart(4, '0'), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** Milliseconds since 1970 of a date-time input's value; undefined while it is empty, as it is until it is filled in whole. */
export const fromInputValue = (value: string): number | undefined => {
  const timeMs = new Date(value).getTime();
  return value === '' || Number.isNaN(timeMs) ? undefined : timeMs;
};

import type { WorkDays } from '../../contract/assignments.ts';
import { serviceTimeMs, type TimeUnit } from '../../contract/resources.ts';
import { isoDay, isoHour, monthText } from '../../words/formats.ts';
import { formats } from './formats.ts';
import { spokenLocale } from './words.ts';

/** Converts `raw`, a time of the service, to milliseconds since 1970. */
export const toMilliseconds = (raw: number): number => serviceTimeMs(raw, formats().timeBase);

/** Converts `timeMs` (since 1970) to a time of the service: a whole number of `unit`, rounded down. */
export const fromMilliseconds = (timeMs: number, unit: TimeUnit): number =>
  unit === 'seconds' ? Math.floor(timeMs / 1000) : Math.floor(timeMs);

/** Formats the local day of `timeMs`, such as "3 Feb 2025"; a dash for 0 and for numbers that are not a time. */
export const formatDay = (timeMs: number): string => (isTime(timeMs) ? formats().day(timeMs) : '–');

/**
 * Formats the local day and minute of `timeMs`, such as "3 Feb 2025, 14:05"; a dash for 0 and for numbers that are not
 * a time.
 */
export const formatMoment = (timeMs: number): string => (isTime(timeMs) ? formats().moment(timeMs) : '–');

/** Formats the local time of day of `timeMs`, such as "14:05". */
const formatHour = (timeMs: number): string => formats().hour(timeMs);

/** Formats the local time of `timeMs`: "14:05" on the day of `nowMs`, otherwise with its day. */
export const formatNear = (timeMs: number, nowMs = Date.now()): string => {
  const isSameDay = new Date(timeMs).toDateString() === new Date(nowMs).toDateString();
  return isSameDay ? formatHour(timeMs) : formatMoment(timeMs);
};

/** Formats a time of day such as "14:05" in the chosen format, for example "2:05 PM". */
export const formatTimeOfDay = (time: string): string => formatHour(new Date(`2000-01-01T${time}`).getTime());

/** Formats the local month of `timeMs` with its year, such as "March 2026". */
export const formatMonth = (timeMs: number): string => monthText(timeMs, formats(), spokenLocale());

export const isTime = (timeMs: number): boolean => timeMs !== 0 && !Number.isNaN(new Date(timeMs).getTime());

/** Converts `timeMs` to the value of a date-time input, in local time and to the minute. */
export const toInputValue = (timeMs: number): string => {
  const date = new Date(timeMs);
  return `${isoDay(date)}T${isoHour(date)}`;
};

/**
 * Converts the value of a date-time input to milliseconds since 1970; undefined if the value is empty or not a time.
 */
export const fromInputValue = (value: string): number | undefined => {
  const timeMs = new Date(value).getTime();
  return value === '' || Number.isNaN(timeMs) ? undefined : timeMs;
};

/**
 * Returns the start of a local day such as "2026-03-05", or of the day `later` days after it, in ms since 1970;
 * undefined if `day` is not a day.
 */
const dayStart = (day: string, later = 0): number | undefined => {
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number);
  const timeMs = day === '' ? Number.NaN : new Date(year, month - 1, date + later).getTime();
  return Number.isNaN(timeMs) ? undefined : timeMs;
};

/**
 * Returns the first day of the week (0 is Sunday) in the region of the chosen format. It is Monday if dates are in ISO
 * 8601, or if the browser does not know the region's first day.
 */
export const firstDayOfWeek = (): number => {
  const { typedLocale } = formats();
  if (typedLocale === undefined) return 1;
  const locale: Intl.Locale & { readonly getWeekInfo?: () => { readonly firstDay: number } } = new Intl.Locale(
    typedLocale,
  );
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
};

/** Returns the starts of the day and the week of `nowMs`, and of the two weeks after that week, in ms since 1970. */
export const workDaysAround = (nowMs: number): WorkDays => {
  const now = new Date(nowMs);
  const intoWeek = (now.getDay() - firstDayOfWeek() + 7) % 7;
  const day = (offset: number): number => new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset).getTime();
  return { todayMs: day(0), thisWeekMs: day(-intoWeek), nextWeekMs: day(7 - intoWeek), laterMs: day(14 - intoWeek) };
};

/** Days as the values of date inputs, such as "2026-03-05"; empty for no bound. */
export type Days = { readonly fromDay: string; readonly toDay: string };

/**
 * Returns the start of the first day and the end of the last, in ms since 1970. A bound is absent if its day is empty
 * or not a day.
 */
export const dayBounds = ({ fromDay, toDay }: Days): { readonly fromMs?: number; readonly beforeMs?: number } => {
  const [fromMs, beforeMs] = [dayStart(fromDay), dayStart(toDay, 1)];
  return { ...(fromMs !== undefined && { fromMs }), ...(beforeMs !== undefined && { beforeMs }) };
};

/** Options that several commands share, and parsers for the values of options. */
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { type DayRange, lastDays, monthOf } from '../../../../contract/day-range.ts';
import { AssignmentLevel } from '../../../../contract/drafts.ts';
import { HashBeginning } from '../../../../contract/files.ts';
import { BytesPerSecond, Hours, TimeOfDay, type WantedSchedule } from '../../../../contract/hours.ts';
import { Preferences } from '../../../../contract/preferences.ts';
import { PageNumber } from '../../../../contract/resources.ts';
import { NameTemplate } from '../../../../contract/uploads.ts';
import english from '../../../../words/en/cli.json' with { type: 'json' };
import { localDay } from '../../../data/csv.ts';
import { defaultHome, makeHome } from '../../../data/data-directory.ts';
import { type ConnectionLayer, environmentLayer, layerBy } from '../../../settings/resolve-connection.ts';

export type CommonOptions = Omit<ConnectionLayer, 'sample'> & {
  readonly home?: string;
  readonly tokenStore?: 'keychain' | 'memory';
  /** Whether a browser may be opened; false with `--no-browser`. */
  readonly browser: boolean;
  readonly json?: boolean;
};

export type Environment = Readonly<Record<string, string | undefined>>;

type Place = { readonly options: CommonOptions; readonly cwd: string; readonly env: Environment };

export const homeOf = ({ options: { home }, cwd, env }: Place): string =>
  resolve(cwd, home || env.INSPECTION_DESK_HOME || defaultHome(env));

export const openHome = (place: Place): string => {
  const path = homeOf(place);
  makeHome(path);
  return path;
};

/** The connections that the options and the environment name. Options take precedence. */
export const connectionLayers = ({ options, env }: Omit<Place, 'cwd'>): readonly ConnectionLayer[] => [
  layerBy((field) => options[field]),
  environmentLayer(env),
];

export type ScheduleOptions = {
  readonly at?: number;
  readonly hours?: Hours;
};

/**
 * Parses a day, such as `2026-11-22`. Returns the time at which the day begins in local time; undefined for other text,
 * and for years before 1000, which are mistakes.
 */
const dayIn = (text: string): Date | undefined => {
  const day = new Date(`${text}T00:00`);
  // `Date` reads 30 February as 2 March.
  return !Number.isNaN(day.getTime()) && localDay(day) === text ? day : undefined;
};

const ISO_TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Parses a time of the day (its next occurrence) or a date with a time, which is local time unless it has an offset.
 * Returns ms since 1970; undefined for other text.
 */
const timeIn = (text: string): number | undefined => {
  if (TimeOfDay.safeParse(text).success) return nextTime(text);
  const at = dayIn(ISO_TIME.exec(text)?.[1] ?? '') ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

const nextTime = (time: string): number => {
  const now = new Date();
  const at = new Date(now);
  at.setHours(Number(time.slice(0, 2)), Number(time.slice(3)), 0, 0);
  if (at <= now) at.setDate(at.getDate() + 1);
  return at.getTime();
};

/** Parses periods with commas between them (`18:00-06:00,12:00-13:00`). Returns undefined for other text. */
const hoursIn = (text: string): Hours | undefined => {
  const periods = text.split(',').map((period) => {
    const [from, to, ...others] = period.trim().split('-');
    return others.length === 0 ? { from, to } : undefined;
  });
  return Hours.safeParse(periods).data;
};

/** Parses `this-month`, `last-month`, a month, a day, or two days with `..`, in local time; otherwise undefined. */
const periodIn = (text: string): DayRange | undefined => {
  if (text === 'this-month') return monthOf(new Date());
  if (text === 'last-month') return monthOf(new Date(), -1);
  const month = dayIn(`${text}-01`);
  if (month) return monthOf(month);
  const [first = '', last = first, ...others] = text.split('..');
  const [from, until] = [dayIn(first), dayIn(last)];
  if (!from || !until || from > until || others.length > 0) return undefined;
  return { fromMs: from.getTime(), beforeMs: lastDays(until, 1).beforeMs };
};

/** Removes slashes from the end of a path. Returns undefined if nothing is left. */
const folderIn = (text: string): string | undefined => text.replace(/\/+$/, '') || undefined;

export const scheduleOf = ({ at, hours }: ScheduleOptions): WantedSchedule => ({
  ...(hours !== undefined && { hours }),
  ...(at !== undefined && { notBeforeMs: at }),
});

// The parsers of options, which commander calls. `refusalOf` in output.ts translates their `InvalidArgumentError`.

/** Messages for scripts are in English, whatever the user's language. */
const { help } = english;

type Reason = keyof typeof help.reason;

/** Creates a parser that uses `read`. The parser throws `InvalidArgumentError` if `read` returns undefined. */
const valueBy =
  <T>(read: (text: string) => T | undefined, reason: Reason) =>
  (text: string): T => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(help.reason[reason]);
    return value;
  };

/** Returns `text` as a number if it consists of digits; otherwise unchanged, so that a schema of numbers rejects it. */
const digits = (text: string): number | string => (/^\d+$/.test(text) ? Number(text) : text);

const wholeNumber = <T>(schema: z.ZodType<T>, reason: Reason) =>
  valueBy((text) => schema.safeParse(digits(text)).data, reason);

/** Above 0, because with 0 every folder would be matched. */
const Probability = z.number().positive().max(1);

export const page = wholeNumber(PageNumber, 'page');
export const level = wholeNumber(AssignmentLevel, 'level');
export const limitRate = wholeNumber(BytesPerSecond, 'limitRate');
export const positive = wholeNumber(z.number().positive(), 'positive');
/**
 * Parses a number or `auto`. It does not return undefined for `auto`, because commander would then treat the option as
 * one without a value.
 */
export const concurrency = wholeNumber(Preferences.shape.concurrency, 'concurrency');
export const probability = valueBy((text) => Probability.safeParse(Number(text)).data, 'probability');
export const hashBeginning = valueBy((text) => HashBeginning.safeParse(text).data, 'hash');
export const nameTemplate = valueBy((text) => NameTemplate.safeParse(text).data, 'nameTemplate');
export const hours = valueBy(hoursIn, 'hours');
export const period = valueBy(periodIn, 'period');
export const folderBelow = valueBy(folderIn, 'folder');
export const atTime = valueBy(timeIn, 'at');

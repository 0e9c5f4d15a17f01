import { z } from 'zod';

export const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .meta({ examples: ['08:00'] });

/**
 * A period of the day in local time, from `from` up to but not including `to`. A `to` that is not after `from` is a
 * time of the next day. `days`: the days of the week on which the period begins, where 0 is Sunday; absent: every day.
 */
export const Period = z.object({
  from: TimeOfDay,
  to: TimeOfDay,
  days: z.array(z.int().min(0).max(6)).max(7).readonly().optional(),
});
export type Period = z.infer<typeof Period>;

/** The periods in which something is allowed. An empty list allows it at any time. */
export const Hours = z.array(Period).max(20).readonly();
export type Hours = z.infer<typeof Hours>;

/** When an upload may be sent: not before `notBeforeMs` (ms since 1970), and only within `hours`. */
export const Schedule = z.object({ notBeforeMs: z.number().optional(), hours: Hours });
export type Schedule = z.infer<typeof Schedule>;

/** The schedule requested for a new upload. Without `hours` the hours of the settings apply; `[]` means at any time. */
export const WantedSchedule = Schedule.partial();
export type WantedSchedule = z.infer<typeof WantedSchedule>;

const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 24 * 60;
const DAY_MS = MINUTES_A_DAY * MINUTE_MS;
const DAYS_A_WEEK = 7;

/** Whether `moment` is within the period. The period begins and ends when the clock shows `from` and `to`. */
export const isWithin = ({ from, to, days }: Period, moment: Date): boolean => {
  const minute = moment.getHours() * 60 + moment.getMinutes();
  const day = moment.getDay();
  const begins = minuteOf(from);
  const ends = minuteOf(to) > begins ? minuteOf(to) : minuteOf(to) + MINUTES_A_DAY;
  const isOf = (one: number): boolean => days === undefined || days.includes(one);
  const today = isOf(day) && minute >= begins && minute < ends;
  const sinceYesterday = isOf((day + 6) % DAYS_A_WEEK) && minute + MINUTES_A_DAY < ends;
  return today || sinceYesterday;
};

export const isOpen = (hours: Hours, moment: Date): boolean =>
  hours.length === 0 || hours.some((period) => isWithin(period, moment));

/**
 * Returns when the hours are open next, in ms since 1970: `moment` itself if they are open already. Returns undefined
 * if the hours never open, because each period has an empty list of days.
 */
export const opensAtMs = (hours: Hours, moment: Date): number | undefined => {
  if (isOpen(hours, moment)) return moment.getTime();
  for (let ahead = 0; ahead <= FARTHEST_DAYS; ahead += 1) {
    const [fromMs, beforeMs] = [midnightMs(moment, ahead), midnightMs(moment, ahead + 1)];
    const changeMs = clockChangeMs(fromMs, beforeMs);
    const openings = hours.flatMap((period) => {
      const begins = minuteOf(period.from) * MINUTE_MS;
      // Tries several moments, because a change of the clock can skip the beginning of the period, repeat it, or jump
      // into the period.
      return [fromMs, changeMs, fromMs + begins, beforeMs - DAY_MS + begins].filter(
        (ms) => ms > moment.getTime() && ms < beforeMs && isWithin(period, new Date(ms)),
      );
    });
    if (openings.length > 0) return Math.min(...openings);
  }
  return undefined;
};

/** Returns when all of the hours are next open at the same time, in ms since 1970; undefined if they never are. */
export const allOpenAtMs = (all: readonly Hours[], moment: Date): number | undefined => {
  let atMs = moment.getTime();
  for (const lastMs = atMs + FARTHEST_DAYS * DAY_MS; atMs <= lastMs; ) {
    const nextMs = Math.max(...all.map((hours) => opensAtMs(hours, new Date(atMs)) ?? Number.POSITIVE_INFINITY));
    if (nextMs === atMs) return atMs;
    atMs = nextMs;
  }
  return undefined;
};

/** How many days ahead to look for an opening: two weeks, because a change of the clock can skip a weekly period. */
const FARTHEST_DAYS = 2 * DAYS_A_WEEK;

const midnightMs = (moment: Date, daysAhead: number): number =>
  new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() + daysAhead).getTime();

/**
 * Returns the first moment from `fromMs` on at which the clock has changed; `beforeMs` if it does not change before.
 */
const clockChangeMs = (fromMs: number, beforeMs: number): number => {
  const offsetAt = (ms: number): number => new Date(ms).getTimezoneOffset();
  if (offsetAt(fromMs) === offsetAt(beforeMs)) return beforeMs;
  let [earlier, later] = [fromMs, beforeMs];
  while (later - earlier > MINUTE_MS) {
    const middle = earlier + Math.floor((later - earlier) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle) === offsetAt(fromMs)) earlier = middle;
    else later = middle;
  }
  return later;
};

export const isDue = ({ notBeforeMs = 0, hours }: Schedule, moment: Date): boolean =>
  moment.getTime() >= notBeforeMs && isOpen(hours, moment);

/** Returns when something with this schedule may be sent next, in ms since 1970; undefined if the hours never open. */
export const dueAtMs = ({ notBeforeMs = 0, hours }: Schedule, moment: Date): number | undefined =>
  opensAtMs(hours, new Date(Math.max(moment.getTime(), notBeforeMs)));

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

export const BytesPerSecond = z.int().min(1_000).max(10_000_000_000);

export const LimitPeriod = Period.extend({ bytesPerSecond: BytesPerSecond });
export type LimitPeriod = z.infer<typeof LimitPeriod>;

/**
 * The speed limit of uploads: that of the first period of `schedule` that contains the present time. Outside of all
 * periods the limit is `bytesPerSecond`; if that is absent, there is no limit.
 */
export const UploadLimit = z.object({
  bytesPerSecond: BytesPerSecond.optional(),
  schedule: z.array(LimitPeriod).max(20).readonly(),
});
export type UploadLimit = z.infer<typeof UploadLimit>;

/** When uploads give way to other traffic on the internet connection. */
export const LeaveRoom = z.enum(['working-hours', 'always', 'never']);
export type LeaveRoom = z.infer<typeof LeaveRoom>;

export const WORKING_DAYS: readonly number[] = [1, 2, 3, 4, 5];

/** The working hours that `LeaveRoom` refers to, in local time. */
export const WORKING_HOURS: Period = { from: '07:00', to: '18:00', days: WORKING_DAYS };

/** The upload hours that forms propose: outside of the working hours, on every day. */
export const OVERNIGHT: Period = { from: WORKING_HOURS.to, to: WORKING_HOURS.from };

export const leavesRoomAt = (when: LeaveRoom, moment: Date): boolean =>
  when === 'always' || (when === 'working-hours' && isWithin(WORKING_HOURS, moment));

/** --at and --hours: when an upload may be sent. */
import { Hours, TimeOfDay, type WantedSchedule } from '../../../../contract/hours.ts';

export type ScheduleOptions = {
  /** Ms since 1970. */
  readonly at?: number;
  readonly hours?: Hours;
};

/** Local time unless it names an offset. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:?\d{2})?$/;

/** A time of the day (the next one) or a date with a time, in ms since 1970; undefined if it is neither. */
export const timeIn = (text: string, now: Date): number | undefined => {
  if (TimeOfDay.safeParse(text).success) return nextTime(text, now);
  const at = ISO_TIME.test(text) ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

const nextTime = (time: string, now: Date): number => {
  const at = new Date(now);
  at.setHours(Number(time.slice(0, 2)), Number(time.slice(3)), 0, 0);
  if (at <= now) at.setDate(at.getDate() + 1);
  return at.getTime();
};

/** Periods with commas between them (`18:00-06:00,12:00-13:00`); undefined if they are none. */
export const hoursIn = (text: string): Hours | undefined => {
  const periods = text.split(',').map((period) => {
    const [from, to, ...others] = period.trim().split('-');
    return others.length === 0 ? { from, to } : undefined;
  });
  return Hours.safeParse(periods).data;
};

export const scheduleOf = ({ at, hours }: ScheduleOptions): WantedSchedule => ({
  ...(hours !== undefined && { hours }),
  ...(at !== undefined && { notBeforeMs: at }),
});

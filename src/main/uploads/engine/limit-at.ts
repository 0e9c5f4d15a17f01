/** The limit at a given moment. */
import type { LimitPeriod, UploadLimit } from '../../../contract/upload-limit.ts';

/**
 * The bytes per second that may be sent at `moment`, in local time; undefined: no limit. On days when the clock changes, a
 * period begins and ends when the clock shows its times.
 */
export const limitAt = ({ bytesPerSecond, schedule }: UploadLimit, moment: Date): number | undefined =>
  schedule.find((period) => holds(period, moment))?.bytesPerSecond ?? bytesPerSecond;

const MINUTES_A_DAY = 24 * 60;

const holds = ({ from, to, days }: LimitPeriod, moment: Date): boolean => {
  const minute = moment.getHours() * 60 + moment.getMinutes();
  const day = moment.getDay();
  const begins = minuteOf(from);
  const ends = minuteOf(to) > begins ? minuteOf(to) : minuteOf(to) + MINUTES_A_DAY;
  const isOf = (one: number): boolean => days === undefined || days.includes(one);
  const today = isOf(day) && minute >= begins && minute < ends;
  const sinceYesterday = isOf((day + 6) % 7) && minute + MINUTES_A_DAY < ends;
  return today || sinceYesterday;
};

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

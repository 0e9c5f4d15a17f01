/** Counts the cached protocols by month. Each month is one range in the index of dates. */
import type { DatabaseSync } from 'node:sqlite';
import type { Overview } from '../../contract/app.ts';
import type { TimeBase } from '../../contract/resources.ts';
import { type Span, spans } from './time-spans.ts';

type Months = Overview['protocolsByMonth'];

/** The last time that a `Date` can hold. */
const LAST_MS = 8.64e15;

/** Counts the protocols of connection `no` by month in local time, sorted. Dates that a `Date` cannot hold are left out. */
export const createMonths = (db: DatabaseSync): ((no: number, timeBase: TimeBase) => Months) => {
  const within = 'FROM protocol WHERE connection = ? AND InspectionDate >= ? AND InspectionDate < ?';
  const earliest = db.prepare(`SELECT min(InspectionDate) AS date ${within}`);
  const count = db.prepare(`SELECT count(*) AS count ${within}`);

  const monthsOf = (no: number, span: Span): Months => {
    const months: Months[number][] = [];
    const end = Math.min(span.before, LAST_MS / span.unitMs);
    for (let from = Math.max(span.from, -LAST_MS / span.unitMs); ; ) {
      const date = earliest.get(no, from, end)?.date;
      const month = date == null ? undefined : monthAround(Number(date), span);
      if (month === undefined) return months;
      const before = Math.min(end, month.beforeMs / span.unitMs);
      months.push({ ...month, count: Number(count.get(no, from, before)?.count) });
      from = before;
    }
  };
  return (no, timeBase) => {
    const found = spans[timeBase].flatMap((span) => monthsOf(no, span));
    // A month with times in seconds and in milliseconds is still one month.
    const months = Map.groupBy(found, ({ value }) => value);
    return [...months.values()]
      .flatMap(([month, ...same]) =>
        month ? [{ ...month, count: same.reduce((sum, { count }) => sum + count, month.count) }] : [],
      )
      .sort((a, b) => a.fromMs - b.fromMs);
  };
};

/** The bounds in ms of the month that contains `date`; undefined for an invalid date. */
const monthAround = (date: number, { unitMs }: Span) => {
  const day = new Date(date * unitMs);
  const [year, month] = [day.getFullYear(), day.getMonth()];
  const fromMs = new Date(year, month).getTime();
  const beforeMs = new Date(year, month + 1).getTime();
  if (!(fromMs / unitMs <= date && date < beforeMs / unitMs)) return undefined;
  return { value: `${year}-${String(month + 1).padStart(2, '0')}`, fromMs, beforeMs };
};

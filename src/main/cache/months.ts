/** The cached protocols by month: each month is one range of the index of dates, so no date is looked at twice. */
import type { DatabaseSync } from 'node:sqlite';
import type { Overview } from '../../contract/offline.ts';

export type TimeBase = 'auto' | 'seconds' | 'milliseconds';

type Months = Overview['protocolsByMonth'];
/** Numbers from `from` up to but not including `before`, each `unitMs` milliseconds. */
type Span = { readonly from: number; readonly before: number; readonly unitMs: number };

/** Below it a number is taken for seconds, which it reaches in the year 5138. */
const SECONDS_BELOW = 1e11;
const LAST = Number.MAX_VALUE;

const spans: Readonly<Record<TimeBase, readonly Span[]>> = {
  auto: [
    { from: -LAST, before: SECONDS_BELOW, unitMs: 1000 },
    { from: SECONDS_BELOW, before: LAST, unitMs: 1 },
  ],
  seconds: [{ from: -LAST, before: LAST, unitMs: 1000 }],
  milliseconds: [{ from: -LAST, before: LAST, unitMs: 1 }],
};

/** Counts the protocols of connection `no` by month in local time, in order; dates beyond what a clock can show are left out. */
export const createMonths = (db: DatabaseSync): ((no: number, timeBase: TimeBase) => Months) => {
  const within = 'FROM protocol WHERE connection = ? AND InspectionDate >= ? AND InspectionDate < ?';
  const earliest = db.prepare(`SELECT min(InspectionDate) AS date ${within}`);
  const count = db.prepare(`SELECT count(*) AS count ${within}`);

  const monthsOf = (no: number, span: Span): Months => {
    const months: Months = [];
    for (let from = span.from; ; ) {
      const date = earliest.get(no, from, span.before)?.date;
      const month = date == null ? undefined : monthAround(Number(date), span);
      if (month === undefined) return months;
      months.push({ ...month, count: Number(count.get(no, month.from, month.before)?.count) });
      from = month.before;
    }
  };
  return (no, timeBase) => spans[timeBase].flatMap((span) => monthsOf(no, span));
};

/** The month that `date` is in, within `span`; undefined where there is none. */
const monthAround = (date: number, span: Span) => {
  const day = new Date(date * span.unitMs);
  const [year, month] = [day.getFullYear(), day.getMonth()];
  const from = Math.max(span.from, new Date(year, month).getTime() / span.unitMs);
  const before = Math.min(span.before, new Date(year, month + 1).getTime() / span.unitMs);
  if (!(from <= date && date < before)) return undefined;
  return { value: `${year}-${String(month + 1).padStart(2, '0')}`, from, before };
};

/** Which numbers in a column of service times stand for which times. */
import { secondsBelow, type TimeBase } from '../../contract/resources.ts';

/** Numbers from `from` up to but not including `before`, each `unitMs` milliseconds. */
export type Span = { readonly from: number; readonly before: number; readonly unitMs: number };

const LAST = Number.MAX_VALUE;

/** The range of each unit, by time base. */
export const spans: Readonly<Record<TimeBase, readonly Span[]>> = {
  auto: [
    { from: -LAST, before: secondsBelow, unitMs: 1000 },
    { from: secondsBelow, before: LAST, unitMs: 1 },
  ],
  seconds: [{ from: -LAST, before: LAST, unitMs: 1000 }],
  milliseconds: [{ from: -LAST, before: LAST, unitMs: 1 }],
};

/** The numbers that stand for times from `fromMs` up to but not including `beforeMs`. */
export const rangesOf = (
  timeBase: TimeBase,
  fromMs: number | undefined,
  beforeMs: number | undefined,
): readonly Omit<Span, 'unitMs'>[] =>
  spans[timeBase]
    .map(({ from, before, unitMs }) => ({
      from: fromMs === undefined ? from : Math.max(from, fromMs / unitMs),
      before: beforeMs === undefined ? before : Math.min(before, beforeMs / unitMs),
    }))
    .filter(({ from, before }) => from < before);

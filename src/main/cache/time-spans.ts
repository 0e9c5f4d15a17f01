/** The units that the service's numbers may count time in (the interface does not say). */

export type TimeBase = 'auto' | 'seconds' | 'milliseconds';

/** Numbers from `from` up to but not including `before`, each `unitMs` milliseconds. */
export type Span = { readonly from: number; readonly before: number; readonly unitMs: number };

/** Below it a number is taken for seconds, which it reaches in the year 5138. */
const SECONDS_BELOW = 1e11;
const LAST = Number.MAX_VALUE;

/** Where each unit holds. */
export const spans: Readonly<Record<TimeBase, readonly Span[]>> = {
  auto: [
    { from: -LAST, before: SECONDS_BELOW, unitMs: 1000 },
    { from: SECONDS_BELOW, before: LAST, unitMs: 1 },
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

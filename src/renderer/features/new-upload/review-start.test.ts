import { expect, it } from 'vitest';
import type { Hours } from '../../../contract/hours.ts';
import { proposedTimes, wantedSchedule } from './review.tsx';

const noon = new Date(2026, 2, 10, 12).getTime();
const night = [
  { from: '20:00', to: '06:00', days: [1, 2, 3, 4, 5] },
  { from: '00:00', to: '00:00', days: [6] },
] as const;

it('offers this evening, or tomorrow evening where that has passed', () => {
  const at = (hour: number) => {
    const nowMs = new Date(2026, 2, 10, hour).getTime();
    return wantedSchedule({ kind: 'at', ...proposedTimes(undefined, nowMs) }, nowMs);
  };
  expect(at(12)).toEqual({ notBeforeMs: new Date(2026, 2, 10, 18).getTime(), hours: [] });
  expect(at(18)).toEqual({ notBeforeMs: new Date(2026, 2, 11, 18).getTime(), hours: [] });
});

it('offers the hours of the settings, and overrules them with "now"', () => {
  const schedule = (kind: 'hours' | 'now', usual?: Hours) =>
    wantedSchedule({ kind, ...proposedTimes(usual, noon) }, noon);
  expect(schedule('hours', night)).toEqual({ hours: night });
  expect(schedule('hours')).toEqual({ hours: [{ from: '18:00', to: '07:00' }] });
  expect(schedule('hours', [])).toEqual({ hours: [{ from: '18:00', to: '07:00' }] });
  expect(schedule('now', night)).toEqual({ hours: [] });
});

it('asks for nothing before the date is filled in, nor for a time that has passed', () => {
  const schedule = (at: string, nowMs = noon) => wantedSchedule({ kind: 'at', at, hours: [] }, nowMs);
  expect(schedule('')).toBeUndefined();
  expect(schedule('2026-03-09T18:00')).toBeUndefined();
  // The current minute does not count as passed.
  expect(schedule('2026-03-10T12:00', noon + 59_000)).toEqual({ notBeforeMs: noon, hours: [] });
});

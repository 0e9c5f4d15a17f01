import { expect, it } from 'vitest';
import { startTimeOf, wantedSchedule } from './review.tsx';

const noon = new Date(2026, 2, 10, 12).getTime();
const night = [
  { from: '20:00', to: '06:00', days: [1, 2, 3, 4, 5] },
  { from: '00:00', to: '00:00', days: [6] },
] as const;

it('offers this evening, or tomorrow evening where that has passed', () => {
  const at = (hour: number) => {
    const nowMs = new Date(2026, 2, 10, hour).getTime();
    return wantedSchedule(startTimeOf('at', undefined, nowMs), nowMs);
  };
  expect(at(12)).toEqual({ notBeforeMs: new Date(2026, 2, 10, 18).getTime(), hours: [] });
  expect(at(18)).toEqual({ notBeforeMs: new Date(2026, 2, 11, 18).getTime(), hours: [] });
});

it('offers the hours of the settings, and overrules them with "now"', () => {
  expect(wantedSchedule(startTimeOf('hours', night, noon), noon)).toEqual({ hours: night });
  expect(wantedSchedule(startTimeOf('hours', undefined, noon), noon)).toEqual({
    hours: [{ from: '18:00', to: '07:00' }],
  });
  expect(wantedSchedule(startTimeOf('now', night, noon), noon)).toEqual({ hours: [] });
});

it('asks for nothing before the date is filled in, nor for a time that has passed', () => {
  expect(wantedSchedule({ kind: 'at', at: '' }, noon)).toBeUndefined();
  expect(wantedSchedule({ kind: 'at', at: '2026-03-09T18:00' }, noon)).toBeUndefined();
  // The current minute does not count as passed.
  expect(wantedSchedule({ kind: 'at', at: '2026-03-10T12:00' }, noon + 59_000)).toEqual({
    notBeforeMs: noon,
    hours: [],
  });
});

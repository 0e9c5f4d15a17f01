import { expect, test } from 'vitest';
import { hoursIn, periodIn, scheduleOf, timeIn } from './options.ts';

const noon = new Date('2026-03-10T12:00');

test('a time of the day is the next one, and a date is local unless it names an offset', () => {
  expect(timeIn('22:30', noon)).toBe(new Date('2026-03-10T22:30').getTime());
  expect(timeIn('12:00', noon)).toBe(new Date('2026-03-11T12:00').getTime());
  expect(timeIn('2026-03-12T08:00', noon)).toBe(new Date('2026-03-12T08:00').getTime());
  expect(timeIn('2026-03-12T08:00:30Z', noon)).toBe(Date.UTC(2026, 2, 12, 8, 0, 30));
  for (const text of ['', '24:00', '9:00', 'tomorrow', '2026-03-12', '2026-13-40T08:00']) {
    expect(timeIn(text, noon), text).toBeUndefined();
  }
});

test('hours are periods with commas between them', () => {
  expect(hoursIn('18:00-06:00, 12:00-13:00')).toEqual([
    { from: '18:00', to: '06:00' },
    { from: '12:00', to: '13:00' },
  ]);
  for (const text of ['', '18:00', '18:00-', '18-06', '18:00-06:00-07:00', '18:00-06:00,']) {
    expect(hoursIn(text), text).toBeUndefined();
  }
});

test('what is not given is left to the settings', () => {
  expect(scheduleOf({})).toEqual({});
  expect(scheduleOf({ at: 5 })).toEqual({ notBeforeMs: 5 });
});

test('a period is a month, a day, or two days', () => {
  const between = (from: string, before: string) => ({
    fromMs: new Date(`${from}T00:00`).getTime(),
    beforeMs: new Date(`${before}T00:00`).getTime(),
  });
  expect(periodIn('this-month', noon)).toEqual(between('2026-03-01', '2026-04-01'));
  expect(periodIn('last-month', noon)).toEqual(between('2026-02-01', '2026-03-01'));
  expect(periodIn('2025-12', noon)).toEqual(between('2025-12-01', '2026-01-01'));
  expect(periodIn('2026-02-28', noon)).toEqual(between('2026-02-28', '2026-03-01'));
  expect(periodIn('2026-03-01..2026-03-15', noon)).toEqual(between('2026-03-01', '2026-03-16'));
  for (const text of ['', 'month', '2026', '2026-13', '2026-02-30', '2026-03-02..2026-03-01', '2026-03..2026-04']) {
    expect(periodIn(text, noon), text).toBeUndefined();
  }
});

import { InvalidArgumentError } from 'commander';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atTime, hours, period, scheduleOf } from './options.ts';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-03-10T12:00'), toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

test('a time of the day is the next one, and a date is local unless it names an offset', () => {
  expect(atTime('22:30')).toBe(new Date('2026-03-10T22:30').getTime());
  expect(atTime('12:00')).toBe(new Date('2026-03-11T12:00').getTime());
  expect(atTime('2026-03-12T08:00')).toBe(new Date('2026-03-12T08:00').getTime());
  expect(atTime('2026-03-12T08:00:30Z')).toBe(Date.UTC(2026, 2, 12, 8, 0, 30));
  for (const text of ['', '24:00', '9:00', 'tomorrow', '2026-03-12', '2026-13-40T08:00', '2026-02-30T08:00']) {
    expect(() => atTime(text), text).toThrow(InvalidArgumentError);
  }
});

test('hours are periods with commas between them', () => {
  expect(hours('18:00-06:00, 12:00-13:00')).toEqual([
    { from: '18:00', to: '06:00' },
    { from: '12:00', to: '13:00' },
  ]);
  for (const text of ['', '18:00', '18:00-', '18-06', '18:00-06:00-07:00', '18:00-06:00,']) {
    expect(() => hours(text), text).toThrow(InvalidArgumentError);
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
  expect(period('this-month')).toEqual(between('2026-03-01', '2026-04-01'));
  expect(period('last-month')).toEqual(between('2026-02-01', '2026-03-01'));
  expect(period('2025-12')).toEqual(between('2025-12-01', '2026-01-01'));
  expect(period('2026-02-28')).toEqual(between('2026-02-28', '2026-03-01'));
  expect(period('2026-03-01..2026-03-15')).toEqual(between('2026-03-01', '2026-03-16'));
  for (const text of ['', 'month', '2026', '2026-13', '0050-01', '2026-02-30', '2026-13-01', '2026-03..2026-04']) {
    expect(() => period(text), text).toThrow(InvalidArgumentError);
  }
  for (const last of ['2026-02-28', '2026-02-29', '2026-13-01', '2026-00-10', 'NaN-NaN-NaN']) {
    expect(() => period(`2026-03-01..${last}`), last).toThrow(InvalidArgumentError);
  }
});

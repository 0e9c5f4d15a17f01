import { expect, test } from 'vitest';
import { lastDays, monthOf, wholeMonth } from './day-range.ts';

const midnight = (...day: [number, number, number]): number => new Date(...day).getTime();
const january = new Date(2026, 0, 15, 9);

test('a month has its own days, also across a year', () => {
  expect(monthOf(january)).toEqual({ fromMs: midnight(2026, 0, 1), beforeMs: midnight(2026, 1, 1) });
  expect(monthOf(january, -1)).toEqual({ fromMs: midnight(2025, 11, 1), beforeMs: midnight(2026, 0, 1) });
  expect(wholeMonth(monthOf(january, 1))).toEqual(new Date(2026, 1, 1));
});

test('the last days end with today', () => {
  expect(lastDays(january, 1)).toEqual({ fromMs: midnight(2026, 0, 15), beforeMs: midnight(2026, 0, 16) });
  expect(lastDays(january, 7).fromMs).toBe(midnight(2026, 0, 9));
  expect(wholeMonth(lastDays(january, 7))).toBeUndefined();
});

import { expect, test } from 'vitest';
import { hoursIn, scheduleOf, timeIn } from './options.ts';

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

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allOpenAtMs, type Hours, isOpen, leavesRoomAt, opensAtMs } from './hours.ts';

/** The nights that begin on Monday to Friday. 5 January 2026 is a Monday. */
const evenings: Hours = [{ from: '18:00', to: '07:00', days: [1, 2, 3, 4, 5] }];
const opens = (hours: Hours, moment: string): string | undefined => {
  const at = opensAtMs(hours, new Date(moment));
  return at === undefined ? undefined : new Date(at).toString().slice(0, 21);
};

test('without periods the hours are always open', () => {
  expect(isOpen([], new Date())).toBe(true);
  expect(opens([], '2026-01-05T10:00')).toBe('Mon Jan 05 2026 10:00');
});

test('says when the hours open next', () => {
  expect(opens(evenings, '2026-01-05T10:00')).toBe('Mon Jan 05 2026 18:00');
  expect(opens(evenings, '2026-01-05T20:15')).toBe('Mon Jan 05 2026 20:15');
  expect(opens(evenings, '2026-01-10T06:59')).toBe('Sat Jan 10 2026 06:59'); // Friday's night
  expect(opens(evenings, '2026-01-10T07:00')).toBe('Mon Jan 12 2026 18:00');
  expect(opens([...evenings, { from: '12:00', to: '13:00' }], '2026-01-10T07:00')).toBe('Sat Jan 10 2026 12:00');
  expect(opens([{ from: '12:00', to: '13:00', days: [] }], '2026-01-10T07:00')).toBeUndefined();
});

test('says when several hours are open at the same time', () => {
  const both = (own: Hours, moment: string) => allOpenAtMs([own, evenings], new Date(moment));
  const at = (moment: string) => new Date(moment).getTime();
  const meals = [
    { from: '06:00', to: '08:00' },
    { from: '20:00', to: '22:00' },
  ];
  expect(both(meals, '2026-01-05T07:30')).toBe(at('2026-01-05T20:00'));
  expect(both(meals, '2026-01-05T20:15')).toBe(at('2026-01-05T20:15'));
  expect(both([], '2026-01-05T07:30')).toBe(at('2026-01-05T18:00'));
  expect(both([{ from: '12:00', to: '13:00' }], '2026-01-05T07:30')).toBeUndefined();
});

const two = (number: number): string => String(number).padStart(2, '0');
const clock = fc
  .record({ hour: fc.oneof(fc.constantFrom(0, 1, 2, 3, 23), fc.integer({ min: 0, max: 23 })), minute: fc.nat(59) })
  .map(({ hour, minute }) => `${two(hour)}:${two(minute)}`);
const days = fc.option(fc.uniqueArray(fc.nat(6), { minLength: 1 }), { nil: undefined });
const someHours = fc.array(fc.record({ from: clock, to: clock, days }), { minLength: 1, maxLength: 3 });

/** Expects that the hours are open at the moment that `opensAtMs` returns, and at no minute before it. */
const expectFirst = (hours: Hours, moment: Date): void => {
  const atMs = opensAtMs(hours, moment) ?? Number.NaN;
  const early: string[] = [];
  for (let ms = moment.getTime(); ms < atMs; ms += 60_000)
    if (isOpen(hours, new Date(ms))) early.push(`${new Date(ms)}`);
  expect(isOpen(hours, new Date(atMs))).toBe(true);
  expect(early).toEqual([]);
};

test('the hours are open when it says, and closed at every minute before', () => {
  fc.assert(
    fc.property(someHours, fc.nat(14 * 24 * 60), (hours, minutes) =>
      expectFirst(hours, new Date(2026, 0, 5, 0, minutes)),
    ),
    { numRuns: 30 },
  );
});

const useZone = (zone: string): void => {
  const before = process.env.TZ;
  beforeAll(() => {
    process.env.TZ = zone;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
};

describe.each([
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'],
  // The clock is changed at midnight: a day begins at 01:00, or its first or last hour occurs twice.
  ...['Asia/Beirut', 'America/Santiago', 'Africa/Cairo', 'America/Havana'],
])('in %s', (zone) => {
  useZone(zone);

  test('the hours open when it says and not before, also on days on which the clock is changed', () => {
    const all = Array.from({ length: 365 }, (_, day) => new Date(2026, 0, 1 + day));
    const changes = all.slice(0, -1).filter((day, at) => day.getTimezoneOffset() !== all[at + 1]?.getTimezoneOffset());
    expect(changes.length).toBeGreaterThanOrEqual(zone === 'UTC' ? 0 : 2);
    const day = fc.oneof(...[changes, all].filter(({ length }) => length > 0).map((some) => fc.constantFrom(...some)));
    const minutes = fc.integer({ min: -1500, max: 1500 });
    fc.assert(
      fc.property(someHours, day, minutes, (hours, near, apart) => {
        expectFirst(hours, new Date(near.getTime() + apart * 60_000));
      }),
    );
  });
});

describe('on the day on which the clock is put ahead', () => {
  useZone('Europe/Berlin');

  // 29 March 2026, a Sunday: 01:59 is followed by 03:00.
  test('hours open at once if the clock is past their beginning, and a week later if it is past their end', () => {
    expect(opens([{ from: '02:30', to: '05:00' }], '2026-03-29T01:30')).toBe('Sun Mar 29 2026 03:00');
    expect(opens([{ from: '02:10', to: '02:50', days: [0] }], '2026-03-22T03:00')).toBe('Sun Apr 05 2026 02:10');
  });
});

test.each([
  ['2026-11-23T06:59', false],
  ['2026-11-23T07:00', true],
  ['2026-11-27T17:59', true],
  ['2026-11-27T18:00', false],
  ['2026-11-28T12:00', false],
])('working hours are Monday to Friday from 7 to 18: %s', (moment, isOpen) => {
  expect(leavesRoomAt('working-hours', new Date(moment))).toBe(isOpen);
  expect(leavesRoomAt('always', new Date(moment))).toBe(true);
  expect(leavesRoomAt('never', new Date(moment))).toBe(false);
});

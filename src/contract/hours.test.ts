import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hours, isOpen, leavesRoomAt, opensAtMs } from './hours.ts';

/** Monday to Friday evenings, over night. In January 2026 the 5th is a Monday. */
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

test('the hours are open when it says, and closed at every minute before', () => {
  const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  const clock = time.map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  const days = fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }), { nil: undefined });
  const period = fc.record({ from: clock, to: clock, days });
  const minute = fc.integer({ min: 0, max: 14 * 24 * 60 });
  fc.assert(
    fc.property(fc.array(period, { minLength: 1, maxLength: 3 }), minute, (hours, minutes) => {
      const moment = new Date(2026, 0, 5, 0, minutes);
      const atMs = opensAtMs(hours, moment) ?? Number.NaN;
      expect(isOpen(hours, new Date(atMs))).toBe(true);
      for (let ms = moment.getTime(); ms < atMs; ms += 60_000) expect(isOpen(hours, new Date(ms))).toBe(false);
    }),
    { numRuns: 30 },
  );
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

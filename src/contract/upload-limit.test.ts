import { expect, test } from 'vitest';
import { leavesRoomAt } from './upload-limit.ts';

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

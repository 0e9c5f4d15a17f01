import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
  ['Sun Mar  1 12:00:30 2026 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
])('%j is a wait of %d ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

test.each([undefined, '', '-5', '1.5', 'soon', 'Sunday'])('%j is no wait', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined();
});

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

test.each([
  ['1000000000', 900_000],
  ['9'.repeat(400), 900_000],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 900_000],
  [['5', '30', 'soon'], 30_000],
  [['-1', '9'.repeat(400)], 900_000],
])('A7: %j is a wait of %d ms: fifteen minutes at most, the longest of several', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

test.each([[[]], [['soon', '-1']], ['1e9'], ['Infinity'], ['0x10'], ['1, 2'], ['1'.repeat(400).concat('s')]])(
  'A7: ignores %j',
  (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  },
);

test.each([undefined, '', '-5', '1.5', 'soon', 'Sunday'])('%j is no wait', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined();
});

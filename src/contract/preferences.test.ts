import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ViewValue } from './preferences.ts';

const isSmallJson = (value: unknown) => ViewValue.safeParse(value).success;

test('A1: takes the JSON that is written in at most 4,096 characters', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      expect(isSmallJson(value)).toBe(JSON.stringify(value).length <= 4096);
    }),
  );
  expect(isSmallJson('x'.repeat(4094))).toBe(true);
  expect(isSmallJson('x'.repeat(4095))).toBe(false);
  expect(isSmallJson('\n'.repeat(2047))).toBe(true);
  expect(isSmallJson('\n'.repeat(2048))).toBe(false);
});

const knot: unknown[] = [];
knot.push(knot);

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

/** A value that contains the same object in 2^`levels` places. */
const shared = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < levels; level += 1) value = [value, value];
  return value;
};

test.each([
  ['a cyclic value', knot],
  ['many levels', nested(4000)],
  ['an object in a million places', shared(30)],
  ['a huge list', new Array(2 ** 32 - 1)],
  ['a huge text', 'x'.repeat(2 ** 28)],
  ['undefined', undefined],
  ['a number that is none', Number.NaN],
  ['infinity', [Number.POSITIVE_INFINITY]],
  ['a big number', 1n],
  ['a date', new Date()],
  ['a map', { map: new Map() }],
  ['a function', { toJSON: () => 1 }],
  ['bytes', new Uint8Array(4)],
])('A1: refuses %s', (_what, value) => {
  expect(isSmallJson(value)).toBe(false);
});

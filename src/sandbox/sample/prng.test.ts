import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from './prng.ts';

const draw = (...name: readonly (string | number)[]): readonly number[] => {
  const random = createRandom(...name);
  return Array.from({ length: 20 }, () => random.uint32());
};

test('gives the same numbers for the same name, and others for another name', () => {
  expect(draw(1, 'protocol', 17)).toEqual(draw(1, 'protocol', 17));
  expect(draw(1, 'protocol', 17)).not.toEqual(draw(1, 'protocol', 18));
  expect(draw(1, 'protocol', 17)).not.toEqual(draw(2, 'protocol', 17));
});

test('integers stay within their bounds and reach both', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = createRandom(seed);
      const drawn = new Set(Array.from({ length: 300 }, () => random.integer(-1, 2)));
      expect([...drawn].sort()).toEqual([-1, 0, 1, 2]);
    }),
  );
});

test('a probability of 0 never happens, one of 1 always', () => {
  const random = createRandom('chance');
  expect(Array.from({ length: 50 }, () => random.chance(0))).not.toContain(true);
  expect(Array.from({ length: 50 }, () => random.chance(1))).not.toContain(false);
});

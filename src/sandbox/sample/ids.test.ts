import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleId, sampleIndex } from './ids.ts';

const index = fc.nat(2 ** 31 - 1);

test('an id is a version 4 uuid from which its index can be read', () => {
  fc.assert(
    fc.property(fc.nat(), index, (seed, at) => {
      const id = sampleId(seed, 'protocol', at);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(sampleIndex(seed, 'protocol', id, at + 1)).toBe(at);
      expect(sampleIndex(seed, 'protocol', id.toUpperCase(), at + 1)).toBe(at);
    }),
  );
});

test('finds no index for an id of another kind, another seed or beyond the limit', () => {
  fc.assert(
    fc.property(fc.nat(), index, (seed, at) => {
      const id = sampleId(seed, 'protocol', at);
      expect(sampleIndex(seed, 'project', id, 2 ** 31)).toBeUndefined();
      expect(sampleIndex(seed + 1, 'protocol', id, 2 ** 31)).toBeUndefined();
      expect(sampleIndex(seed, 'protocol', id, at)).toBeUndefined();
    }),
  );
});

test('finds no index for text that is not a uuid', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(sampleIndex(1, 'protocol', text, 2 ** 31)).toBeUndefined();
    }),
  );
});

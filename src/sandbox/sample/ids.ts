import { createRandom } from './prng.ts';

/**
 * The uuid (version 4 form) of a sample record. Its first 32 bits carry the record's index, masked by the other
 * 96, so that an id leads back to its record without any table: 200,000 protocols cost no start-up time.
 */
export const sampleId = (seed: number, kind: string, index: number): string => {
  const random = createRandom(seed, 'id', kind, index);
  const b = (random.uint32() & 0xffff0fff) | 0x00004000;
  const c = (random.uint32() & 0x3fffffff) | 0x80000000;
  const d = random.uint32();
  const digits = [index ^ b ^ c ^ d, b, c, d].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    '-',
  );
};

/** The index of the record with this id; undefined when no record of this kind below `limit` has it. */
export const sampleIndex = (seed: number, kind: string, id: string, limit: number): number | undefined => {
  const words = id.replaceAll('-', '').match(/^([0-9a-f]{8})([0-9a-f]{8})([0-9a-f]{8})([0-9a-f]{8})$/i);
  if (words === null) return undefined;
  const index = words.slice(1).reduce((folded, word) => folded ^ Number.parseInt(word, 16), 0) >>> 0;
  return index < limit && sampleId(seed, kind, index) === id.toLowerCase() ? index : undefined;
};

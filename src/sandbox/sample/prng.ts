/**
 * A small seeded pseudo-random generator (mulberry32), so that the same seed gives the same sample data and the
 * same faults on every machine. Not for secrets: those come from node:crypto.
 */
export type Random = {
  /** The next 32 bits, 0 to 4294967295. */
  readonly uint32: () => number;
  /** An integer from `min` to `max`, both included. */
  readonly integer: (min: number, max: number) => number;
  /** One entry of a list that is not empty. */
  readonly pick: <T>(list: readonly T[]) => T;
  /** Returns true with the given probability, 0 to 1. */
  readonly chance: (probability: number) => boolean;
};

/**
 * A generator for one named stream of numbers. Streams with different names are independent, so a record can be
 * generated alone, without those before it: `createRandom(seed, 'protocol', 17)`.
 */
export const createRandom = (...name: readonly (string | number)[]): Random => {
  let state = hash(name.join('/'));
  const uint32 = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = (): number => uint32() / 2 ** 32;
  return {
    uint32,
    integer: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    pick: <T>(list: readonly T[]) => list[Math.floor(fraction() * list.length)] as T,
    chance: (probability) => fraction() < probability,
  };
};

/** FNV-1a with a final avalanche: neighbouring names ("…/17", "…/18") must not give neighbouring states. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
};

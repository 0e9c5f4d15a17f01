/** Sets of positions from 0 to 4,095, as bitmaps of 512 bytes. */

/** How many files a block of the index has. */
export const BLOCK = 4096;
const BYTES = BLOCK / 8;

export type Bits = Uint8Array;

export const noBits = (): Bits => new Uint8Array(BYTES);

export const setBit = (bits: Bits, at: number): void => {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
};

export const hasBit = (bits: Bits, at: number): boolean => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;

/** Sets the positions from `first` up to, but without, `end`. */
export const setRange = (bits: Bits, first: number, end: number): void => {
  let at = first;
  for (; at < end && (at & 7) !== 0; at += 1) setBit(bits, at);
  const whole = at + ((end - at) & ~7);
  if (whole > at) bits.fill(0xff, at >> 3, whole >> 3);
  for (at = Math.max(at, whole); at < end; at += 1) setBit(bits, at);
};

/** Leaves the positions of `bits` that `other` has, too; answers whether there are any. */
export const intersect = (bits: Bits, other: Bits): boolean => {
  let any = 0;
  for (let at = 0; at < BYTES; at += 1) {
    const both = (bits[at] ?? 0) & (other[at] ?? 0);
    bits[at] = both;
    any |= both;
  }
  return any !== 0;
};

/** Takes the positions of `other` out of `bits`. */
export const subtract = (bits: Bits, other: Bits): void => {
  for (let at = 0; at < BYTES; at += 1) bits[at] = (bits[at] ?? 0) & ~(other[at] ?? 0);
};

/** Whether there is a position from `first` up to, but without, `end`. */
export const hasAny = (bits: Bits, first: number, end: number): boolean => {
  for (let at = first; at < end; at += 1) {
    if ((at & 7) === 0 && bits[at >> 3] === 0) at += 7;
    else if (hasBit(bits, at)) return true;
  }
  return false;
};

/** Positions as they are stored: two bytes each, or a bitmap where that is shorter. */
export const packed = (positions: readonly number[]): Uint8Array => {
  if (positions.length * 2 < BYTES) return Uint8Array.from(positions.flatMap((at) => [at & 0xff, at >> 8]));
  const bits = noBits();
  for (const at of positions) setBit(bits, at);
  return bits;
};

/** Adds stored positions to `bits`. */
export const addPacked = (bits: Bits, stored: Uint8Array): void => {
  if (stored.length < BYTES) {
    for (let at = 0; at < stored.length; at += 2) setBit(bits, (stored[at] ?? 0) | ((stored[at + 1] ?? 0) << 8));
  } else for (let at = 0; at < BYTES; at += 1) bits[at] = (bits[at] ?? 0) | (stored[at] ?? 0);
};

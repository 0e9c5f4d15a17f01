/** JSON from a page, which may pass anything: cyclic values, millions of levels, the same object a million times. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const MAX_LENGTH = 4096;
const MAX_DEPTH = 32;

/**
 * Whether `value` is JSON of at most 4,096 characters and 32 levels. Looks at no more of it than fits, so that a cyclic
 * value or a huge one is refused as fast as any other.
 */
export const isSmallJson = (value: unknown): value is Json => lengthLeft(value, MAX_LENGTH, MAX_DEPTH) >= 0;

/** What is left of `left` characters after `value`; negative as soon as it does not fit or is not JSON. */
const lengthLeft = (value: unknown, left: number, depth: number): number => {
  if (left < 0) return left;
  if (typeof value === 'string') return value.length > left ? -1 : left - JSON.stringify(value).length;
  if (value === null || typeof value === 'boolean') return left - String(value).length;
  if (typeof value === 'number') return Number.isFinite(value) ? left - String(value).length : -1;
  if (typeof value !== 'object' || depth === 0) return -1;
  return Array.isArray(value) ? listLeft(value, left, depth) : recordLeft(value, left, depth);
};

const listLeft = (list: readonly unknown[], left: number, depth: number): number => {
  if (list.length > left) return -1;
  // The brackets, and a comma after each but the last.
  let rest = left - 2 - Math.max(0, list.length - 1);
  for (const item of list) rest = lengthLeft(item, rest, depth - 1);
  return rest;
};

const recordLeft = (record: object, left: number, depth: number): number => {
  const prototype: unknown = Object.getPrototypeOf(record);
  if (prototype !== null && prototype !== Object.prototype) return -1;
  let rest = left - 2;
  for (const [name, value] of Object.entries(record)) {
    // The name with its colon, and a comma after each but the last.
    rest = lengthLeft(value, rest - JSON.stringify(name).length - 2, depth - 1);
    if (rest < 0) return rest;
  }
  return Object.keys(record).length === 0 ? rest : rest + 1;
};

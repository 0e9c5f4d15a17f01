/** Finds strings that differ by one or two mistakes, without comparing with all of them. */

/** Beyond this prefix mistakes are found by comparing, not by the index: it keeps the index small. */
const PREFIX = 7;

const FNV_START = 0x811c9dc5;
const hashed = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

/** Calls `each` with the hash of `text`'s prefix and of what is left of it without any `most` of its letters. */
const deletesOf = (text: string, most: number, each: (hash: number) => void): void => {
  const length = Math.min(text.length, PREFIX);
  const visit = (skipOne: number, skipOther: number): void => {
    let hash = FNV_START;
    for (let at = 0; at < length; at += 1)
      if (at !== skipOne && at !== skipOther) hash = hashed(hash, text.charCodeAt(at));
    each(hash >>> 0);
  };
  visit(-1, -1);
  for (let one = 0; most > 0 && one < length; one += 1) {
    visit(one, -1);
    for (let other = one + 1; most > 1 && other < length; other += 1) visit(one, other);
  }
};

/** How many mistakes a string of this length may have: a short one is similar to too many others. */
export const mistakesAllowed = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2);

export type NearStrings = {
  /** The positions of the strings that are at most as many mistakes away from `text` as its length allows, with the mistakes. */
  readonly find: (text: string) => readonly { readonly at: number; readonly mistakes: number }[];
};

/** Indexes `strings` by what is left of their beginnings when letters are taken away (after SymSpell). */
export const createNearStrings = (strings: readonly string[]): NearStrings => {
  let entries = 0;
  for (const text of strings)
    deletesOf(text, mistakesAllowed(text.length), () => {
      entries += 1;
    });
  const bits = Math.max(4, Math.ceil(Math.log2(entries + 1)));
  const bucketOf = (hash: number): number => (hash ^ (hash >>> 15)) & (2 ** bits - 1);
  const ends = new Uint32Array(2 ** bits + 1);
  const forEach = (each: (hash: number, at: number) => void): void => {
    for (const [at, text] of strings.entries()) deletesOf(text, mistakesAllowed(text.length), (hash) => each(hash, at));
  };
  forEach((hash) => {
    const bucket = bucketOf(hash);
    ends[bucket + 1] = (ends[bucket + 1] ?? 0) + 1;
  });
  for (let bucket = 1; bucket < ends.length; bucket += 1) ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  const next = ends.slice();
  const hashes = new Uint32Array(entries);
  const places = new Uint32Array(entries);
  forEach((hash, at) => {
    const bucket = bucketOf(hash);
    const place = next[bucket] ?? 0;
    next[bucket] = place + 1;
    hashes[place] = hash;
    places[place] = at;
  });
  return {
    find: (text) => {
      const allowed = mistakesAllowed(text.length);
      if (allowed === 0) return [];
      const seen = new Set<number>();
      const found: { at: number; mistakes: number }[] = [];
      deletesOf(text, allowed, (hash) => {
        const bucket = bucketOf(hash);
        for (let place = ends[bucket] ?? 0; place < (ends[bucket + 1] ?? 0); place += 1) {
          const at = places[place] ?? 0;
          if (hashes[place] !== hash || seen.has(at)) continue;
          seen.add(at);
          const mistakes = mistakesBetween(text, strings[at] ?? '', allowed);
          if (mistakes <= allowed) found.push({ at, mistakes });
        }
      });
      return found;
    },
  };
};

/**
 * How many letters have to be added, removed, replaced or swapped with their neighbour to make one of the other; any
 * number above `most` means more than that.
 */
export const mistakesBetween = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    let least = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      line.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [beforeLast, last] = [last, line];
  }
  return last[other.length] ?? 0;
};

/** Compares words: abbreviations and typing mistakes. */

/** Whether `short` may stand for `long`: its first letter and others of it, in order ("rd", "blvd", "ul", "stg"). */
export const isShortFor = (short: string, long: string): boolean => {
  if (short.length >= long.length || short[0] !== long[0] || long.length < 3) return false;
  if (short.length === 1) return long.length <= 8;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at += 1;
  return at === short.length;
};
/** Only the first letters are indexed, which keeps the index small; what follows is compared. */
const PREFIX = 7;

/** Calls `each` with the hash of `text`'s prefix, and of all strings that result from deleting up to `most` of its letters. */
const deletesOf = (text: string, most: number, each: (hash: number) => void): void => {
  const length = Math.min(text.length, PREFIX);
  const visit = (start: number, from: number, left: number): void => {
    let hash = start;
    for (let at = from; at < length; at += 1) {
      if (left > 0) visit(hash, at + 1, left - 1);
      hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    }
    each(hash >>> 0);
  };
  visit(0x811c9dc5, 0, most);
};

/** How many mistakes a string of this length may have: short ones resemble too many others. */
export const mistakesAllowed = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2);

type NearStrings = {
  /** The positions of the strings that are at most as many mistakes away from `text` as its length allows, with the mistakes. */
  readonly find: (text: string) => readonly { readonly at: number; readonly mistakes: number }[];
};

/** Indexes `strings` by deletions of letters (SymSpell). */
export const nearStrings = (strings: readonly string[]): NearStrings => {
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

/** The parts of two words between their common start and their common end. */
const differing = (one: string, other: string) => {
  let [start, end, otherEnd] = [0, one.length, other.length];
  while (start < end && start < otherEnd && one[start] === other[start]) start += 1;
  for (; end > start && otherEnd > start && one[end - 1] === other[otherEnd - 1]; otherEnd -= 1) end -= 1;
  return { start, end, otherEnd };
};

/**
 * How many letters have to be added, removed, replaced or swapped with their neighbour to make one of the other; any
 * number above `most` means more than that.
 */
export const mistakesBetween = (one: string, other: string, most: number): number => {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  const { start, end, otherEnd } = differing(one, other);
  const width = otherEnd - start;
  if (end === start || width === 0) return end - start + width;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width + 1 }, (_, column) => column);
  for (let row = 1; row <= end - start; row += 1) {
    const line = [row];
    let least = row;
    const [letter, before] = [one[start + row - 1], one[start + row - 2]];
    for (let column = 1; column <= width; column += 1) {
      const otherLetter = other[start + column - 1];
      const replaced = (last[column - 1] ?? 0) + (letter === otherLetter ? 0 : 1);
      let cost = Math.min((last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, replaced);
      if (row > 1 && column > 1 && letter === other[start + column - 2] && before === otherLetter)
        cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      line.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [beforeLast, last] = [last, line];
  }
  return last[width] ?? 0;
};

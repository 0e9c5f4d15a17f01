/** Paths with `*` (within a name), `**` (any folders) and `?` (one character). */

/** Whether `pattern` has a character that stands for others. */
export const isGlob = (pattern: string): boolean => /[*?]/.test(pattern);

/**
 * Whether `pattern` matches `text`, where `star` stands for any number of parts. After a mismatch only the last star is tried
 * again, with one part more, so the time grows with the product of both lengths at most: patterns come from files.
 */
const matches = (
  pattern: ArrayLike<string>,
  text: ArrayLike<string>,
  star: string,
  fits: (part: string, other: string) => boolean,
): boolean => {
  let lastStar = -1;
  let taken = 0;
  let at = 0;
  for (let from = 0; from < text.length; ) {
    const part = pattern[at];
    if (part === star) {
      lastStar = at;
      taken = from;
      at += 1;
    } else if (part !== undefined && fits(part, text[from] ?? '')) {
      at += 1;
      from += 1;
    } else if (lastStar >= 0) {
      at = lastStar + 1;
      taken += 1;
      from = taken;
    } else return false;
  }
  while (pattern[at] === star) at += 1;
  return at === pattern.length;
};

/** The characters of `text`. Only where some take two places is a list of them needed. */
const charactersOf = (text: string): ArrayLike<string> => (/[\ud800-\udfff]/.test(text) ? [...text] : text);

const isSame = (wanted: string, character: string): boolean => wanted === '?' || wanted === character;

const nameTest = (pattern: string): ((name: string) => boolean) => {
  if (!isGlob(pattern)) return (name) => name === pattern;
  const characters = charactersOf(pattern.replace(/\*+/g, '*'));
  return (name) => matches(characters, charactersOf(name), '*', isSame);
};

/** Tests whether a path, given as its names, matches `pattern`. Both are in the same case and normal form. */
export const globTest = (pattern: string): ((names: readonly string[]) => boolean) => {
  const names = pattern.split('/');
  // At the end it stands for at least one name.
  const parts = names.at(-1) === '**' ? [...names, '*'] : names;
  const tests = new Map(parts.map((part) => [part, nameTest(part)]));
  return (path) => matches(parts, path, '**', (part, name) => tests.get(part)?.(name) === true);
};

/** Finds ids and addresses in the words of a folder's name. */

/** The words of `text`, without case and accents: sequences of letters and digits. */
export const plainWords = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const hasDigit = (word: string): boolean => /\p{N}/u.test(word);

/** The index at which `words` contain `part` as consecutive words; -1 if they do not. */
const placeOf = (part: readonly string[], words: readonly string[], from = 0): number => {
  for (let at = from; at + part.length <= words.length; at += 1)
    if (part.every((word, offset) => words[at + offset] === word)) return at;
  return -1;
};

/** A shorter id could just as well be the number of a photo or a floor. */
const SHORTEST_ID = 6;

/** Whether `words` contain the whole `id`. */
export const idIn = (words: readonly string[], id: string): boolean => {
  const parts = plainWords(id);
  return parts.join('').length >= SHORTEST_ID && parts.some(hasDigit) && placeOf(parts, words) >= 0;
};

/** A shorter street name could just as well be another word. */
const SHORTEST_STREET = 4;

/** The street of `address` and its number, such as "129C"; undefined if the address does not have exactly one of each. */
const streetOf = (address: string): { readonly street: readonly string[]; readonly number: string } | undefined => {
  const words = plainWords(address);
  const [number, ...others] = words.filter(hasDigit);
  const street = words.filter((word) => !hasDigit(word));
  const isPlain = number !== undefined && others.length === 0 && street.join('').length >= SHORTEST_STREET;
  // With words on both sides of the number it is more than a street.
  return isPlain && (words[0] === number || words.at(-1) === number) ? { street, number } : undefined;
};

/** Whether `words` contain the street of `address` with its number before or after it. */
export const placeIn = (words: readonly string[], address: string): boolean => {
  const parts = streetOf(address);
  if (parts === undefined) return false;
  const { street, number } = parts;
  for (let at = placeOf(street, words); at >= 0; at = placeOf(street, words, at + 1))
    if (words[at - 1] === number || words[at + street.length] === number) return true;
  return false;
};

/**
 * The searches that find candidates among the known assignments without reading all of them: each number in the name with
 * one and two words before it, with one and two words after it, and everything that may be an id.
 */
export const searchesFor = (folder: string): { readonly ids: readonly string[]; readonly texts: readonly string[] } => {
  const words = plainWords(folder);
  const texts = words.flatMap((word, at) => {
    if (!hasDigit(word)) return [];
    const before = words.slice(0, at).findLastIndex(hasDigit) + 1;
    const after = words.slice(at + 1).findIndex(hasDigit);
    const left = words.slice(before, at);
    const right = words.slice(at + 1, after < 0 ? undefined : at + 1 + after);
    return [left.slice(-1), left.slice(-2), right.slice(0, 1), right.slice(0, 2)]
      .filter(({ length }) => length > 0)
      .map((beside) => `${beside.join(' ')} ${word}`);
  });
  const ids = folder.match(/[\p{L}\p{N}._-]+/gu)?.filter((part) => part.length >= SHORTEST_ID && hasDigit(part)) ?? [];
  return { ids: [...new Set(ids)].slice(0, MOST), texts: [...new Set(texts)].slice(0, MOST) };
};

/** Names have few numbers. */
const MOST = 24;

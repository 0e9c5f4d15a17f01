/**
 * The words by which files are found: without case and accents, and from where digits or capitals begin within a word.
 */

/** Letters that Unicode does not decompose. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Longer words are found by their beginnings. */
const LONGEST = 40;
/** Names such as UUIDs have many places where digits begin. */
const MOST_PARTS = 5;

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

const withoutAccents = (text: string): string =>
  isPlain(text)
    ? text
    : text
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(/[^\p{ASCII}]/gu, (letter) => LETTERS[letter] ?? letter);

const wordsIn = (text: string): readonly string[] => withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Cut before a letter of two code units that would be halved: half a letter is no text. */
const asStored = (word: string): string =>
  word
    .toLowerCase()
    .slice(0, LONGEST)
    .replace(/[\uD800-\uDBFF]$/, '');

/** Between letters and digits, and before a capital. */
const INSIDE = /(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})/u;

/** The words of a search, those first that probably match most rarely: the longest, and numbers last. */
export const typedWords = (text: string): readonly string[] =>
  [...new Set(wordsIn(text).map(asStored))].toSorted((a, b) => rarity(b) - rarity(a));

const rarity = (word: string): number => word.length - (/^\d/.test(word) ? LONGEST : 0);

/**
 * The words by which `text` is found: each word, its parts up to its end, and numbers without leading zeros. `IMG0123`
 * is `img0123`, `0123` and `123`.
 */
export const wordsOf = (text: string): ReadonlySet<string> => {
  const words = new Set<string>();
  for (const word of wordsIn(text)) {
    for (let parts = word.split(INSIDE).slice(0, MOST_PARTS), at = 0; parts.length > 0; parts = parts.slice(1)) {
      const rest = asStored(word.slice(at));
      words.add(rest);
      if (rest.startsWith('0')) words.add(rest.replace(/^0+(?=.)/, ''));
      at += parts[0]?.length ?? 0;
    }
  }
  return words;
};

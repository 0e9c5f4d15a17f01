import { z } from 'zod';
import { call, paging } from './call.ts';
import { AssignmentSummary, CachedProtocol, ProtocolSummary } from './resources.ts';

/** The minimum length of the beginning of an id; a shorter one would match by chance. */
const SHORTEST = 4;

/**
 * Returns the forms of `text` that an id can begin with: `text` without spaces, quotes and brackets, and with `-` for
 * any dash. If this form has 9 to 32 hexadecimal digits and nothing else, also returns it with dashes as in a GUID.
 * Returns no form if `text` is too short.
 */
export const idBeginnings = (text: string): readonly string[] => {
  const bare = text.replace(/[\s\p{C}{}()[\]<>"'`“”‘’«»]/gu, '').replace(/\p{Pd}/gu, '-');
  if (bare.length < SHORTEST) return [];
  const isBareGuid = /^[0-9a-f]{9,32}$/i.test(bare);
  return isBareGuid ? [bare, withDashes(bare)] : [bare];
};

/** Whether `id` begins with one of `beginnings` (`idBeginnings`), in capital or small letters. */
export const beginsWithOne = (id: string, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => id.toLowerCase().startsWith(beginning.toLowerCase()));

const withDashes = (digits: string): string =>
  [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
    .filter((group) => group !== '')
    .join('-');

// To highlight the words of a search, the window splits texts into words as the index does (`main/cache/search.ts`).

const WORDS = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** Returns the words of `text`, split like FTS5's tokenizer unicode61. */
export const wordsIn = (text: string): readonly string[] => text.match(WORDS) ?? [];

/** Returns `word` in lower case and without accents, as in the index. "ß" becomes "ss", because its capital is "SS". */
export const folded = (word: string): string =>
  word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');

export const plainWords = (text: string): readonly string[] => wordsIn(text).map(folded);

/** Folds a text for `hasBeginnings`, which looks for words in it. */
export const searchable = (text: string): string => ` ${plainWords(text).join(' ')}`;

/** Whether each of `words`, the `plainWords` of a search, begins a word of `text`, a result of `searchable`. */
export const hasBeginnings = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(` ${word}`));

export type SearchTerm = {
  /** A word, or a phrase of words: "FAC 24" for "FAC-24". */
  readonly word: string;
  /** Other spellings that match, each a phrase of words: "24 b" for "24b". */
  readonly spellings: readonly string[];
  /**
   * Present if the word may be a house number, such as "24" or "24b". Longer numbers are taken for postcodes or ids.
   */
  readonly number?: {
    /** The words next to the number. If one of them is in a record's address, the number has to be in it, too. */
    readonly beside: readonly string[];
    /**
     * Whether a comma, semicolon or line break follows the number. The number is then complete: "2," does not match
     * "24".
     */
    readonly ended: boolean;
  };
};

/** Letters, a dash and a digit, as in the facility id "FAC-24". */
const JOINED = /(\p{L}{2,})-(?=\d)/gu;
const JOINT = '\uE000';

const HOUSE = /^\d{1,3}\p{L}?$/u;
const LETTER = /^\p{L}$/u;

/** Splits `text` into terms. A record matches if it has all of them. */
export const searchTerms = (text: string): readonly SearchTerm[] => {
  const parts = text
    .replace(JOINED, `$1${JOINT}`)
    .split(/[,;\n]/u)
    .map(wordsIn);
  return parts.flatMap((words, part) =>
    words.map((word, at): SearchTerm => {
      const [before, after] = [words[at - 1], words[at + 1]];
      if (!HOUSE.test(word)) {
        const isHouseLetter = before !== undefined && /^\d+$/u.test(before) && LETTER.test(word);
        return { word: word.replaceAll(JOINT, ' '), spellings: isHouseLetter ? [`${before}${word}`] : [] };
      }
      const letter = word.replace(/^\d+/u, '');
      return {
        word,
        spellings: letter === '' ? [] : [`${word.slice(0, -letter.length)} ${letter}`],
        number: {
          // A number after another number is taken for the end of a postcode, such as "411 24".
          beside: /^\d/.test(before ?? '') ? [] : [before ?? '', after ?? ''].filter((one) => /^\P{N}+$/u.test(one)),
          ended: after === undefined && part < parts.length - 1,
        },
      };
    }),
  );
};

/**
 * Returns the beginning of `text` that may be a whole address: its words up to and including the house number, or up to
 * the first comma, semicolon or line break. The result is empty if there are no words.
 */
export const leadingAddress = (text: string): string => {
  const words = wordsIn(text.split(/[,;\n]/u).find((part) => wordsIn(part).length > 0) ?? '');
  const house = words.findIndex((word, at) => at > 0 && HOUSE.test(word));
  return words.slice(0, house < 0 ? words.length : house + 1).join(' ');
};

/**
 * Returns the ranges of `text` to highlight: the beginnings of words that match words of `searched`. A house number
 * that stands next to words in `searched` is highlighted only if `text` contains one of these words, or has no letters,
 * like a postcode.
 */
export const marksIn = (text: string, searched: string): readonly (readonly [from: number, to: number])[] => {
  const there = [...text.matchAll(WORDS)].map((match) => ({
    at: match.index,
    word: match[0],
    plain: folded(match[0]),
  }));
  const begins = (word: string): boolean => there.some(({ plain }) => plain.startsWith(folded(word)));
  const wanted = searchTerms(searched)
    .filter(({ number }) => !number?.beside.length || number.beside.some(begins) || !/\p{L}/u.test(text))
    .flatMap(({ word }) => wordsIn(word))
    .map(folded);
  return there.flatMap(({ at, word, plain }) => {
    const typed = Math.max(0, ...wanted.filter((one) => plain.startsWith(one)).map(({ length }) => length));
    return typed === 0 ? [] : [[at, at + (plain.length === word.length ? typed : word.length)] as const];
  });
};

export const LONGEST_SEARCH = 200;

/** A text to search for. What exceeds `LONGEST_SEARCH` is cut off. */
export const SearchText = z.string().overwrite((text) => text.slice(0, LONGEST_SEARCH));

export const Found = z.object({
  protocols: z.array(ProtocolSummary).readonly(),
  protocolTotal: z.int(),
  assignments: z.array(AssignmentSummary).readonly(),
  assignmentTotal: z.int(),
  cached: z.int(),
});
export type Found = z.infer<typeof Found>;

/** A window of the protocols or the assignments found, exact matches first. `total`: how many were found. */
const searchResults = <T extends z.ZodType>(item: T) => z.object({ Items: z.array(item).readonly(), total: z.int() });
export type SearchResults<T> = { readonly Items: readonly T[]; readonly total: number };

const SearchQuery = z.object({
  text: SearchText,
  ...paging,
});

export const searchCalls = {
  /**
   * Finds cached protocols and assignments. A record matches if each word of `text` begins one of the record's words,
   * in any order, or if `text` begins the record's id. Protocols that the service found for `text` match as well. If
   * few match, one typing error per word is allowed. `limit` applies to protocols and assignments separately.
   */
  find: call(z.object({ text: SearchText, limit: z.int().min(1).max(100).default(10) }), Found),
  /** A window of the protocols that match `text`, as in `find`. */
  protocols: call(SearchQuery, searchResults(CachedProtocol)),
  assignments: call(SearchQuery, searchResults(AssignmentSummary)),
};

/**
 * Translates what a person types into FTS5 queries. The index folds case and accents (unicode61, remove_diacritics), and
 * has columns Address, City, ZipCode and FacilityId of both protocols and assignments.
 */
import { leadingAddress, type SearchTerm, searchTerms, wordsIn } from '../../contract/search.ts';

type Reading = {
  /** Only in this column. */
  readonly column?: string | undefined;
  /** Whole words only, instead of their beginnings. */
  readonly whole?: boolean;
  /** Words that may be meant instead of one. */
  readonly corrections?: (word: string) => readonly string[];
};

/** The query for records in which each word of `text` begins a word, in `column` or anywhere; undefined without words. */
export const matchWords = (text: string, column?: string): string | undefined => queryOf(text, { column });

/**
 * The query for records that `matchWords` does not find, but would if words of `text` were replaced by their
 * `corrections`; undefined if no word has any.
 */
export const matchCorrected = (text: string, corrections: (word: string) => readonly string[]): string | undefined => {
  if (wordsIn(text).every((word) => corrections(word).length === 0)) return undefined;
  return `(${queryOf(text, { corrections })}) NOT (${matchWords(text)})`;
};

/** The queries for what comes first among the records found: those with all words of `text` in full, and those at the address that it begins with. */
export const matchExact = (text: string): { readonly full: string; readonly address: string } | undefined => {
  const full = queryOf(text, { whole: true });
  return full === undefined ? undefined : { full, address: `Address : ^ "${leadingAddress(text)}"` };
};

/** Both queries combined; undefined if neither has words. */
export const matchAll = (queries: readonly (string | undefined)[]): string | undefined => {
  const asking = queries.filter((query) => query !== undefined);
  return asking.length === 0 ? undefined : asking.join(' AND ');
};

/**
 * Whether every word of `text` begins a word of `fields`, compared exactly. If so, the index alone decides whether the
 * record matches: it may not, because a number that begins its facility is no house number. If not, the index may still
 * find it, because it ignores case and accents.
 */
export const beginsWords = (text: string, fields: readonly string[]): boolean => {
  const there = fields.flatMap((field) => wordsIn(field.toLowerCase()));
  return wordsIn(text.toLowerCase()).every((word) => there.some((one) => one.startsWith(word)));
};

const queryOf = (text: string, reading: Reading = {}): string | undefined => {
  const terms = searchTerms(text).map((term) => (term.number ? numberQuery : wordQuery)(term, reading));
  return terms.length === 0 ? undefined : terms.join(' AND ');
};

const anyOf = (queries: readonly string[]): string =>
  queries.length === 1 ? `${queries[0]}` : `(${queries.join(' OR ')})`;
const full = (phrase: string): string => `"${phrase}"`;
const begun = (phrase: string): string => `"${phrase}" *`;

const wordQuery = ({ word, spellings }: SearchTerm, { column, whole = false, corrections }: Reading): string => {
  const words = [word, ...(corrections?.(word) ?? [])].map(whole ? full : begun);
  return `${column === undefined ? '' : `${column} : `}${anyOf([...words, ...spellings.map(full)])}`;
};

const HOUSE_LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** In an address, a number that a comma ends is that of the house, with or without a letter. */
const houseQuery = ({ word, spellings, number }: SearchTerm, whole: boolean): string => {
  const others = spellings.map(full);
  if (whole) return anyOf([full(word), ...others]);
  if (!number?.ended) return anyOf([begun(word), ...others]);
  const lettered = /^\d+$/.test(word) ? HOUSE_LETTERS.map((letter) => full(`${word}${letter}`)) : [];
  return anyOf([full(word), ...others, ...lettered]);
};

/**
 * A number beside a word that is in the address is in the address, too: otherwise "Storgata 24" would find every house of
 * Storgata whose facility begins with 24.
 */
const numberQuery = (term: SearchTerm, { column, whole = false, corrections }: Reading): string => {
  const { word, spellings, number: { beside = [] } = {} } = term;
  const plain = whole ? full(word) : begun(word);
  const house = houseQuery(term, whole);
  if (column !== undefined) return `${column} : ${column === 'Address' ? house : plain}`;
  if (beside.length === 0) return plain;
  const words = anyOf(beside.flatMap((one) => [one, ...(corrections?.(one) ?? [])]).map(begun));
  return `(${anyOf([plain, ...spellings.map(full)])} NOT (Address : ${words} NOT Address : ${house}))`;
};

/** From what a person types to an FTS5 query. The index folds case and accents (unicode61, remove_diacritics). */

const words = (text: string): readonly string[] => text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];

/** The FTS5 query that each word of `text` begins a word of, in `column` or anywhere; undefined for no words. */
export const matchWords = (text: string, column?: string): string | undefined => {
  const terms = words(text).map((word) => `${column === undefined ? '' : `${column} : `}"${word}" *`);
  return terms.length === 0 ? undefined : terms.join(' AND ');
};

/** Both of the queries; undefined when neither asks for anything. */
export const matchAll = (queries: readonly (string | undefined)[]): string | undefined => {
  const asking = queries.filter((query) => query !== undefined);
  return asking.length === 0 ? undefined : asking.join(' AND ');
};

/**
 * Whether every word of `text` begins one of the `fields`' words as they are written. Where it does, the index finds
 * them, too; where it does not, the index may all the same, over case and accents.
 */
export const beginsWords = (text: string, fields: readonly string[]): boolean => {
  const there = fields.flatMap((field) => words(field.toLowerCase()));
  return words(text.toLowerCase()).every((word) => there.some((one) => one.startsWith(word)));
};

/** From what a person types to an FTS5 query. The index folds case and accents (unicode61, remove_diacritics). */

/** The words of `text` as the index tells them apart. */
export const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];

/** The FTS5 query that each word of `text` begins a word of, in `column` or anywhere; undefined for no words. */
export const matchWords = (text: string, column?: string): string | undefined => {
  const terms = wordsOf(text).map((word) => `${column === undefined ? '' : `${column} : `}"${word}" *`);
  return terms.length === 0 ? undefined : terms.join(' AND ');
};

/**
 * The FTS5 query for what `matchWords` does not find, but would with other beginnings, which `corrections` gives, in the
 * place of words of `text`; undefined where no word has any.
 */
export const matchCorrected = (text: string, corrections: (word: string) => readonly string[]): string | undefined => {
  const typed = wordsOf(text).map((word) => ({ word, others: corrections(word) }));
  if (typed.every(({ others }) => others.length === 0)) return undefined;
  const terms = typed.map(({ word, others }) => `(${[word, ...others].map((one) => `"${one}" *`).join(' OR ')})`);
  return `(${terms.join(' AND ')}) NOT (${matchWords(text)})`;
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
  const there = fields.flatMap((field) => wordsOf(field.toLowerCase()));
  return wordsOf(text.toLowerCase()).every((word) => there.some((one) => one.startsWith(word)));
};

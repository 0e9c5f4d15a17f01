/** Translates what a person types into an FTS5 query. The index folds case and accents (unicode61, remove_diacritics). */

/** The words of `text`, split like in the index. */
export const indexedWords = (text: string): readonly string[] => text.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];

/** The FTS5 query for records in which each word of `text` begins a word, in `column` or anywhere; undefined without words. */
export const matchWords = (text: string, column?: string): string | undefined => {
  const terms = indexedWords(text).map((word) => `${column === undefined ? '' : `${column} : `}"${word}" *`);
  return terms.length === 0 ? undefined : terms.join(' AND ');
};

/**
 * The FTS5 query for records that `matchWords` does not find, but would if words of `text` were replaced by their
 * `corrections`; undefined if no word has any.
 */
export const matchCorrected = (text: string, corrections: (word: string) => readonly string[]): string | undefined => {
  const typed = indexedWords(text).map((word) => ({ word, others: corrections(word) }));
  if (typed.every(({ others }) => others.length === 0)) return undefined;
  const terms = typed.map(({ word, others }) => `(${[word, ...others].map((one) => `"${one}" *`).join(' OR ')})`);
  return `(${terms.join(' AND ')}) NOT (${matchWords(text)})`;
};

/** Both queries combined; undefined if neither has words. */
export const matchAll = (queries: readonly (string | undefined)[]): string | undefined => {
  const asking = queries.filter((query) => query !== undefined);
  return asking.length === 0 ? undefined : asking.join(' AND ');
};

/**
 * Whether every word of `text` begins a word of `fields`, compared exactly. If so, the index finds them too; if not, the
 * index may still find them, because it ignores case and accents.
 */
export const beginsWords = (text: string, fields: readonly string[]): boolean => {
  const there = fields.flatMap((field) => indexedWords(field.toLowerCase()));
  return indexedWords(text.toLowerCase()).every((word) => there.some((one) => one.startsWith(word)));
};

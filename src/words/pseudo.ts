/**
 * A pseudo-language that shows what a translation would break: English with accents, in brackets, and about 40 %
 * longer. Each text, and its longest word, is at least as long as in every translation, so that a layout with room for
 * the pseudo-language has room for every language. On a screen, a text without brackets is not from the catalog, and
 * one without its closing bracket is cut off.
 */

const plain = 'abcdefghijklmnopqrstuvwxyz';
const accents = 'åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýž';

const accented = (letter: string): string => {
  const found = accents[plain.indexOf(letter.toLowerCase())] ?? letter;
  return letter === letter.toLowerCase() ? found : found.toUpperCase();
};

const letters = (count: number): string => ''.padEnd(count, 'éñî');

const wordsIn = (text: string): readonly string[] => text.replaceAll(/\{\{.*?\}\}/g, ' ').match(/\p{L}+/gu) ?? [];

/**
 * Returns `text` in the pseudo-language, no shorter than any of its `translations`. The placeholders of `text` stay.
 */
export const pseudo = (text: string, translations: readonly string[] = []): string => {
  const longestWord = wordsIn(text).toSorted((one, other) => other.length - one.length)[0];
  const longestOfAll = Math.max(0, ...translations.flatMap(wordsIn).map(({ length }) => length));
  const longer = text.replaceAll(/\{\{.*?\}\}|\p{L}+/gu, (word) => {
    if (word.startsWith('{{')) return word;
    const usual = word.length < 3 ? 0 : Math.ceil(word.length * 1.4);
    const wanted = word === longestWord ? Math.max(usual, longestOfAll) : usual;
    return [...word].map(accented).join('') + letters(wanted - word.length);
  });
  const missing = Math.max(0, ...translations.map(({ length }) => length)) - longer.length;
  return `[${longer}${''.padEnd(missing, ' éñîé').trimEnd()}]`;
};

/** Converts a catalog to the pseudo-language. Each text is no shorter than in any of the `translations`. */
export const toPseudo = <Words>(words: Words, translations: readonly unknown[] = []): Words =>
  (typeof words === 'string'
    ? pseudo(
        words,
        translations.filter((text) => typeof text === 'string'),
      )
    : Object.fromEntries(
        Object.entries(words as object).map(([key, value]) => [
          key,
          toPseudo(
            value,
            translations.map((texts) => Object(texts)[key]),
          ),
        ]),
      )) as Words;

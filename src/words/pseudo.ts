/**
 * A language that shows what a translation would break: English in accents, about 40 % longer, in brackets. A text without
 * brackets on a screen is not in the catalog; one whose closing bracket is missing is cut off.
 */

const plain = 'abcdefghijklmnopqrstuvwxyz';
const accents = 'åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýž';

const accented = (letter: string): string => {
  const found = accents[plain.indexOf(letter.toLowerCase())] ?? letter;
  return letter === letter.toLowerCase() ? found : found.toUpperCase();
};

/** A word with accents, and with letters more at its end. */
const longer = (word: string): string => {
  const more = word.length < 3 ? 0 : Math.ceil(word.length * 0.4);
  return [...word].map(accented).join('') + 'éñö'.repeat(more).slice(0, more);
};

/** `text` in the pseudo-language. Its placeholders stay. */
export const pseudo = (text: string): string =>
  `[${text.replaceAll(/\{\{.*?\}\}|\p{L}+/gu, (part) => (part.startsWith('{{') ? part : longer(part)))}]`;

/** A catalog with each of its texts in the pseudo-language. */
export const toPseudo = <Words>(words: Words): Words =>
  (typeof words === 'string'
    ? pseudo(words)
    : Object.fromEntries(Object.entries(words as object).map(([key, value]) => [key, toPseudo(value)]))) as Words;

/** How many columns of a terminal a text takes. */

/** One column for each UTF-16 unit: Latin letters, with the accents that are part of them. */
const SIMPLE = /^[\u0020-\u007e\u00a0-\u02ff]*$/;

/** East Asian characters and emoji; not the halfwidth forms. */
const WIDE =
  /^(?:(?![\uff61-\uffdc])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}\p{sc=Yi}]|[\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u;

/** As people see them: a letter with its accents, or an emoji with its parts. */
const characters = (text: string): readonly string[] =>
  Array.from(new Intl.Segmenter('en').segment(text), ({ segment }) => segment);

const widthOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/** The columns that `text` takes. It has no control characters. */
export const textWidth = (text: string): number =>
  SIMPLE.test(text) ? text.length : characters(text).reduce((width, character) => width + widthOf(character), 0);

/** `text`, cut between two characters to at most `width` columns with an ellipsis where it takes more. */
export const cutToWidth = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text;
  let taken = 1;
  let cut = '';
  for (const character of characters(text)) {
    taken += widthOf(character);
    if (taken > width) break;
    cut += character;
  }
  return `${cut}…`;
};

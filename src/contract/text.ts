/** Texts of other systems, made safe to show or to put into a spreadsheet. */

// Some texts look like other texts: they contain invisible characters, letters of several scripts in one word, or signs
// that can be taken for digits. Such characters are shown by their code points, as in `Storgatan 4⟨U+200B⟩27`.

/** Returns `text` with each misleading character replaced by its code point, such as `⟨U+200B⟩`. */
export const visibleText = (text: string): string => {
  if (PLAIN.test(text)) return text;
  const isLatin = LATIN.test(text);
  return text.replaceAll(WORD, (word) => withoutLookalikes(word, isLatin)).replaceAll(MISLEADING, codePointOf);
};

export const isMisleading = (text: string): boolean => visibleText(text) !== text;

const PLAIN = /^[ -~]*$/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const GREEK = /\p{Script=Greek}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const OTHER_LETTER = /[\p{L}--[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]]/gv;

const MISLEADING = new RegExp(
  [
    // Characters that are invisible, or change the direction of the following text.
    String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]`,
    // A space too narrow to separate two numbers, and a combining mark that does not belong on a digit.
    String.raw`(?<=\p{N})[\p{Zs}--[ \u00a0\u3000]](?=\p{N})`,
    String.raw`(?<=\p{N})\p{M}`,
    // Digits of another script. Next to a digit, also superscripts, fractions, Roman numerals and the like: "4²" is not
    // number 42.
    String.raw`[\p{Nd}--[0-9]]`,
    String.raw`(?<=[0-9])[\p{N}--\p{Nd}]|[\p{N}--\p{Nd}](?=[0-9])`,
  ].join('|'),
  'gv',
);

/**
 * Replaces letters that may be taken for Latin ones with their code points:
 * - in a word that also has Latin letters, all letters of other scripts
 * - in a text with Latin letters elsewhere, the letters of a word with only one letter or with digits ("12а" with a
 *   Cyrillic letter)
 * - in another word that mixes Greek and Cyrillic letters, the Greek letters
 *
 * All other words ("Ленина") stay as they are.
 */
const withoutLookalikes = (word: string, isLatin: boolean): string => {
  const others = word.match(OTHER_LETTER)?.length ?? 0;
  if (others === 0) return word;
  const isAlone = isLatin && (others === 1 || /\p{N}/u.test(word));
  if (LATIN.test(word) || isAlone) return word.replaceAll(OTHER_LETTER, codePointOf);
  return GREEK.test(word) && CYRILLIC.test(word) ? word.replaceAll(/\p{Script=Greek}/gu, codePointOf) : word;
};

const codePointOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** Returns a path as users see it: `Offer.zip//Photos/1.jpg` becomes `Offer.zip › Photos/1.jpg`. */
export const shownPath = (path: string): string => path.replace(/\/$/, '').replace('//', ' › ');

/**
 * What a spreadsheet program expects. `separator`: the character between cells of CSV, a semicolon if numbers have a
 * decimal comma.
 */
export type SheetFormat = { readonly separator: ',' | ';'; readonly decimal: '.' | ',' };

/** The format for scripts, and for users whose numbers have a decimal point. */
export const plainSheet: SheetFormat = { separator: ',', decimal: '.' };

export const sheetFormat = (number: (value: number) => string): SheetFormat =>
  number(0.5).includes(',') ? { separator: ';', decimal: ',' } : plainSheet;

/** Formats a number for a spreadsheet. The result is empty if the number is not finite. */
export const sheetNumber = (value: number, { decimal }: Pick<SheetFormat, 'decimal'>): string =>
  Number.isFinite(value) ? String(value).replace('.', decimal) : '';

/**
 * Puts a `'` before everything that a spreadsheet program may read as the beginning of a formula: at the start of the
 * text, and after line breaks, other control characters and semicolons. In some countries Excel splits a row at tabs
 * and semicolons, even inside a field. A text that begins with a line break also gets a `'`.
 */
export const harmlessCell = (text: string): string =>
  text
    .split(/(?<=[\p{Cc}\p{Zl}\p{Zp};])/u)
    .map((part, index) => (FORMULA.test(part) || (index === 0 && /^[\r\n]/.test(part)) ? `'${part}` : part))
    .join('');

/**
 * Returns the text of `cell` for the clipboard, with blanks in place of tabs and line breaks, which separate cells and
 * rows.
 */
export const pastedCell = (cell: string | number, format: Pick<SheetFormat, 'decimal'>): string =>
  typeof cell === 'number'
    ? sheetNumber(cell, format)
    : harmlessCell(cell.replaceAll(/[\t\r\n\v\f\u0085\u2028\u2029]+/gu, ' '));

/**
 * The beginning of a formula. Blanks and invisible characters may precede its sign, because spreadsheet programs skip
 * some of them. Quotes may precede the sign as well: if Excel splits a row inside a field, it reads a doubled `"` there
 * as an empty quoted text. The sign may be full-width or small.
 */
const FORMULA = /^["\p{Zs}\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]*[=+\-@\t＝＋－＠﹦﹢﹣﹫]/u;

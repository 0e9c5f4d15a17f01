/** Texts of other systems, made safe to show or to put into a spreadsheet. */

// Names that look like other names: with invisible characters, with letters of another script among those of a word, or with
// signs that can be taken for digits. What of a text misleads is shown by its code point, as in `Storgatan 4⟨U+200B⟩27`.

/** `text` with everything that misleads replaced by its code point, as `⟨U+200B⟩`. */
export const visibleText = (text: string): string => {
  if (PLAIN.test(text)) return text;
  const isLatin = LATIN.test(text);
  return text.replaceAll(WORD, (word) => withoutLookalikes(word, isLatin)).replaceAll(MISLEADING, codePointOf);
};

/** Whether `text` looks like another one. */
export const isMisleading = (text: string): boolean => visibleText(text) !== text;

const PLAIN = /^[ -~]*$/;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
const GREEK = /\p{Script=Greek}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const OTHER_LETTER = /[\p{L}--[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]]/gv;

const MISLEADING = new RegExp(
  [
    // Invisible, or changes the direction of the following text.
    String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]`,
    // A space too narrow to separate two numbers, and a combining mark that does not belong on a digit.
    String.raw`(?<=\p{N})[\p{Zs}--[ \u00a0\u3000]](?=\p{N})`,
    String.raw`(?<=\p{N})\p{M}`,
    // Digits of another script, and a superscript or a fraction next to a digit: "4²" is not number 42.
    String.raw`[\p{Nd}--[0-9]]`,
    String.raw`(?<=[0-9])[\p{N}--\p{Nd}]|[\p{N}--\p{Nd}](?=[0-9])`,
  ].join('|'),
  'gv',
);

/**
 * Shows letters that only look like Latin ones as code points: those in a word that mixes scripts and, among Latin words, a single
 * letter or one in a word with digits ("12а" with a Cyrillic letter). A word in one other script ("Ленина") stays as it is.
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

// Paths of files in archives: `Offer.zip//Photos/1.jpg` (see `insideOf`).

/** A path as users read it: `Offer.zip › Photos/1.jpg`. */
export const shownPath = (path: string): string => path.replace(/\/$/, '').replace('//', ' › ');

// Cells for spreadsheets: in CSV files, and on the clipboard.

/** How spreadsheets expect numbers: where the decimal separator is a comma, a semicolon separates the cells of CSV. */
export type SheetFormat = { readonly separator: ',' | ';'; readonly decimal: '.' | ',' };

/** For scripts, and for users who have chosen such numbers. */
export const plainSheet: SheetFormat = { separator: ',', decimal: '.' };

/** The format for users who write numbers as `number` does. */
export const sheetFormat = (number: (value: number) => string): SheetFormat =>
  number(0.5).includes(',') ? { separator: ';', decimal: ',' } : plainSheet;

/** A number formatted for a spreadsheet; empty if it is not finite. */
export const sheetNumber = (value: number, { decimal }: Pick<SheetFormat, 'decimal'>): string =>
  Number.isFinite(value) ? String(value).replace('.', decimal) : '';

/**
 * Puts a `'` before everything that a spreadsheet may read as the beginning of a formula: at the start of the text and
 * of each line, and after the separators that Excel uses in other countries, where it splits the row inside a field.
 */
export const harmlessCell = (text: string): string =>
  text
    .split(/(?<=[\p{Cc}\p{Zl}\p{Zp};])/u)
    .map((part, index) => (FORMULA.test(part) || (index === 0 && /^[\r\n]/.test(part)) ? `'${part}` : part))
    .join('');

/** A cell on the clipboard, where tabs and line breaks separate cells and rows. */
export const pastedCell = (cell: string | number, format: Pick<SheetFormat, 'decimal'>): string =>
  typeof cell === 'number'
    ? sheetNumber(cell, format)
    : harmlessCell(cell.replaceAll(/[\t\r\n\v\f\u0085\u2028\u2029]+/gu, ' '));

/**
 * Skips blanks and invisible characters, as spreadsheets skip some of them, and quotes: in a row that is split inside a
 * field, a doubled `"` is an empty quoted text. Includes full-width and small signs.
 */
const FORMULA = /^["\p{Zs}\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]*[=+\-@\t＝＋－＠﹦﹢﹣﹫]/u;

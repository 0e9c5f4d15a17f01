/** Cells for spreadsheets: in CSV files, and on the clipboard. */

/** How spreadsheets expect numbers: where the decimal separator is a comma, a semicolon separates the cells of CSV. */
export type SheetFormat = { readonly separator: ',' | ';'; readonly decimal: '.' | ',' };

/** For scripts, and where people have chosen such numbers. */
export const plainSheet: SheetFormat = { separator: ',', decimal: '.' };

/** The format for people who write numbers as `number` does. */
export const sheetFormat = (number: (value: number) => string): SheetFormat =>
  number(0.5).includes(',') ? { separator: ';', decimal: ',' } : plainSheet;

/** A number as a spreadsheet reads it; empty if it is not finite. */
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

/** The one writer of CSV: rows that a spreadsheet shows as they are, even if a text in them is hostile. */

/** Numbers stay numbers, negative ones too; every other value is written as a text in quotes. */
type CsvValue = string | number | boolean | null;

/** A file begins with it: Excel takes one without it for the system's own encoding. */
export const CSV_START = '\uFEFF';

/** One row with its end of line (RFC 4180). No text in it is taken for a formula. */
export const csvRow = (values: readonly CsvValue[]): string => `${values.map(cell).join(',')}\r\n`;

const cell = (value: CsvValue): string => {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '""';
  return `"${harmless(String(value ?? '')).replaceAll('"', '""')}"`;
};

/**
 * A `'` stands before everything that a spreadsheet may read as the beginning of a formula: at the start of the text
 * and of each of its lines, and behind the separators that Excel uses in other countries, since it then splits the
 * row in the middle of a field.
 */
const harmless = (text: string): string =>
  text
    .split(/(?<=[\p{Cc}\p{Zl}\p{Zp};])/u)
    .map((part, index) => (FORMULA.test(part) || (index === 0 && /^[\r\n]/.test(part)) ? `'${part}` : part))
    .join('');

/**
 * Blanks and characters without a shape are skipped, as spreadsheets skip some of them; full-width and small signs count.
 * So are quotes: in the middle of a split row a `"`, which is written twice, begins a field with nothing in quotes.
 */
const FORMULA = /^["\p{Zs}\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]*[=+\-@\t＝＋－＠﹦﹢﹣﹫]/u;

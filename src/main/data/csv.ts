/** The one writer of CSV: rows that a spreadsheet shows as they are, even if a text in them is hostile. */

/** Numbers, including negative ones, stay numbers; every other value is written as quoted text. */
type CsvValue = string | number | boolean | null;

/** The byte order mark at the start of a file; without it Excel assumes the system's encoding. */
export const CSV_START = '\uFEFF';

/** One row with its line ending (RFC 4180). No text in it is read as a formula, whichever separator a spreadsheet expects. */
export const csvRow = (values: readonly CsvValue[], separator: ',' | ';' = ','): string =>
  `${values.map(cell).join(separator)}\r\n`;

const cell = (value: CsvValue): string => {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '""';
  return `"${harmless(String(value ?? '')).replaceAll('"', '""')}"`;
};

/**
 * Puts a `'` before everything that a spreadsheet may read as the beginning of a formula: at the start of the text and
 * of each line, and after the separators that Excel uses in other countries, where it splits the row inside a field.
 */
const harmless = (text: string): string =>
  text
    .split(/(?<=[\p{Cc}\p{Zl}\p{Zp};])/u)
    .map((part, index) => (FORMULA.test(part) || (index === 0 && /^[\r\n]/.test(part)) ? `'${part}` : part))
    .join('');

/**
 * Skips blanks and invisible characters, as spreadsheets skip some of them, and quotes: in a row that is split inside a
 * field, a doubled `"` is an empty quoted text. Includes full-width and small signs.
 */
const FORMULA = /^["\p{Zs}\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]*[=+\-@\t＝＋－＠﹦﹢﹣﹫]/u;

/** The only writer of CSV: spreadsheets never take its cells for formulas, even if a text is hostile. */
import { harmlessCell, plainSheet, type SheetFormat, sheetNumber } from '../../contract/text.ts';
import { writePieces } from './files.ts';

/** Numbers, including negative ones, stay numbers; every other value is written as quoted text. */
type CsvValue = string | number | boolean | null;

/** The byte order mark at the start of a file; without it Excel assumes the system's encoding. */
export const CSV_START = '\uFEFF';

/**
 * One row with its line ending (RFC 4180). No text in it is read as a formula, whichever separator a spreadsheet
 * expects.
 */
export const csvRow = (values: readonly CsvValue[], format: SheetFormat = plainSheet): string =>
  `${values.map((value) => cell(value, format)).join(format.separator)}\r\n`;

const cell = (value: CsvValue, format: SheetFormat): string => {
  if (typeof value === 'number') return sheetNumber(value, format) || '""';
  return `"${harmlessCell(String(value ?? '')).replaceAll('"', '""')}"`;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** `time` as spreadsheets read it in every country: local, such as `2026-11-22`. */
export const localDay = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;

/** Such as `2026-11-22 08:15:00`. */
export const localTime = (time: Date): string =>
  `${localDay(time)} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;

// A table as a file that spreadsheets open.

type CsvTable = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean)[])[];
};

/**
 * Writes `table` to `path` atomically, in the format of the user's spreadsheet program. Spreadsheets read no cell as a
 * formula. Errors: `data/unwritable`.
 */
export const writeCsv = (path: string, { header, rows }: CsvTable, format: SheetFormat): Promise<void> =>
  writePieces(path, [CSV_START, ...[header, ...rows].map((row) => csvRow(row, format))]);

/** The one writer of CSV: rows that a spreadsheet shows as they are, even if a text in them is hostile. */
import { harmlessCell, plainSheet, type SheetFormat, sheetNumber } from '../../contract/text.ts';

/** Numbers, including negative ones, stay numbers; every other value is written as quoted text. */
type CsvValue = string | number | boolean | null;

/** The byte order mark at the start of a file; without it Excel assumes the system's encoding. */
export const CSV_START = '\uFEFF';

/** One row with its line ending (RFC 4180). No text in it is read as a formula, whichever separator a spreadsheet expects. */
export const csvRow = (values: readonly CsvValue[], format: SheetFormat = plainSheet): string =>
  `${values.map((value) => cell(value, format)).join(format.separator)}\r\n`;

const cell = (value: CsvValue, format: SheetFormat): string => {
  if (typeof value === 'number') return sheetNumber(value, format) || '""';
  return `"${harmlessCell(String(value ?? '')).replaceAll('"', '""')}"`;
};

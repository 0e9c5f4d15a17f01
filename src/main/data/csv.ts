import { harmlessCell, plainSheet, type SheetFormat, sheetNumber } from '../../contract/text.ts';

/** Finite numbers, including negative ones, are written as numbers, and every other value as quoted text. */
type CsvValue = string | number | null;

/** The byte order mark at the start of a file. Without the mark, Excel assumes the system's encoding. */
export const CSV_START = '\uFEFF';

/**
 * Formats a row with its line ending, quoted as in RFC 4180. Spreadsheets do not read any text in the row as a formula,
 * whatever separator they expect.
 */
export const csvRow = (values: readonly CsvValue[], format: SheetFormat = plainSheet): string =>
  `${values.map((value) => cell(value, format)).join(format.separator)}\r\n`;

const cell = (value: CsvValue, format: SheetFormat): string => {
  if (typeof value === 'number') return sheetNumber(value, format) || '""';
  return `"${harmlessCell(String(value ?? '')).replaceAll('"', '""')}"`;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** Formats the local date of `time` in a form that spreadsheets read in every country, such as `2026-11-22`. */
export const localDay = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;

/** Formats `time` as local time, such as `2026-11-22 08:15:00`. */
export const localTime = (time: Date): string =>
  `${localDay(time)} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;

/** A table as a file that spreadsheets open. */
import { writeFile } from 'node:fs/promises';
import type { SheetFormat } from '../../contract/text.ts';
import { CSV_START, csvRow } from './csv.ts';
import { replaceFile } from './replace-file.ts';

type CsvTable = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean)[])[];
};

/** Writes `table` to `path` atomically, in the format of the user's spreadsheet program. Spreadsheets read no cell as a formula. Errors: `data/unwritable`. */
export const writeCsv = (path: string, { header, rows }: CsvTable, format: SheetFormat): Promise<void> =>
  replaceFile(path, (temporary) =>
    writeFile(temporary, CSV_START + [header, ...rows].map((row) => csvRow(row, format)).join('')),
  );

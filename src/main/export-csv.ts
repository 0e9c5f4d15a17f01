/** A table as a file that spreadsheets open. */
import { writeFile } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { replaceFile } from './replace-file.ts';

export type CsvTable = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean)[])[];
};

/** Writes `table` to `path`, which is whole or not there. Spreadsheets take no cell for a formula. Errors: `data/unwritable`. */
export const writeCsv = (path: string, { header, rows }: CsvTable): Promise<void> =>
  replaceFile(path, (temporary) => {
    const cast = { boolean: (value: boolean) => String(value) };
    const options = { escape_formulas: true, bom: true, record_delimiter: 'windows', cast } as const;
    return writeFile(temporary, stringify([header, ...rows], options));
  });

/** A table as a file that spreadsheets open. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { stringify } from 'csv-stringify/sync';
import { DeskError } from '../contract/errors.ts';

export type CsvTable = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number | boolean)[])[];
};

/** Writes `table` to `path`, which is whole or not there. Spreadsheets take no cell for a formula. Errors: `data/unwritable`. */
export const writeCsv = async (path: string, { header, rows }: CsvTable): Promise<void> => {
  const unfinished = `${path}.part`;
  const cast = { boolean: (value: boolean) => String(value) };
  try {
    const text = stringify([header, ...rows], { escape_formulas: true, bom: true, record_delimiter: 'windows', cast });
    await writeFile(unfinished, text);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new DeskError('data/unwritable', 'the file cannot be written', { details: { path }, cause });
  }
};

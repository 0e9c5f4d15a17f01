/** A batch as a CSV file: what went where, with proof. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { DeskError } from '../../contract/errors.ts';
import type { Batch } from '../../contract/models.ts';
import type { Item } from './ledger/item-row.ts';

const COLUMNS = ['file', 'assignment', 'FileName', 'Key', 'size', 'sha256', 'state', 'error', 'attempts', 'finished'];

/**
 * Writes one line a file to `path`, which is whole or not there. Spreadsheets take no cell for a formula.
 * Errors: `data/unwritable`.
 */
export const writeReport = async (path: string, { AssignmentId }: Batch, items: Iterable<Item>): Promise<void> => {
  const unfinished = `${path}.part`;
  try {
    await pipeline(
      Readable.from(rows(AssignmentId, items)),
      stringify({ header: true, columns: COLUMNS, escape_formulas: true, bom: true, record_delimiter: 'windows' }),
      createWriteStream(unfinished),
    );
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new DeskError('data/unwritable', 'the report cannot be written', { details: { path }, cause });
  }
};

function* rows(assignment: string, items: Iterable<Item>): Generator<readonly unknown[]> {
  for (const { path, fileName, key, sizeBytes, sha256, state, error, attempts, settledMs } of items) {
    const finished = settledMs === undefined ? '' : new Date(settledMs).toISOString();
    yield [
      path,
      assignment,
      fileName,
      state === 'done' ? key : '',
      sizeBytes,
      sha256,
      state,
      error?.code,
      attempts,
      finished,
    ];
  }
}

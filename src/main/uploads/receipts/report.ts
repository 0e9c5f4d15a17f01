/** The receipt of a batch: where each file was sent, with proof, as CSV for people or JSON for programs. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Batch } from '../../../contract/batches.ts';
import { CSV_START, csvRow } from '../../data/csv.ts';
import { replaceFile } from '../../data/replace-file.ts';
import type { Item } from '../ledger/item-row.ts';

export type ReportFormat = 'csv' | 'json';

/** One file, and the columns of a CSV in their order. Times are ISO 8601 in UTC. */
type Receipt = {
  /** Below the batch's folder, with `/`. */
  readonly file: string;
  readonly assignment: string;
  readonly FileName: string;
  /** Only of files that are known to have arrived. */
  readonly Key: string | null;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string | null;
  readonly state: Item['state'];
  /** Why it failed. */
  readonly error: string | null;
  readonly attempts: number;
  readonly started: string | null;
  readonly finished: string | null;
};

const COLUMNS: readonly (keyof Receipt)[] = [
  'file',
  'assignment',
  'FileName',
  'Key',
  'size',
  'sha256',
  'state',
  'error',
  'attempts',
  'started',
  'finished',
];

/**
 * Writes the receipt to `path`, completely or not at all. Without `format`, it is JSON if the path ends in `.json`,
 * otherwise CSV. No cell is taken for a formula by spreadsheets. Errors: `data/unwritable`, those of `items`.
 */
export const writeReport = (
  path: string,
  batch: Batch,
  items: Iterable<Item>,
  format: ReportFormat = /\.json$/i.test(path) ? 'json' : 'csv',
): Promise<void> =>
  replaceFile(path, (temporary) => {
    const receipts = Readable.from(receiptsOf(batch, items));
    const file = createWriteStream(temporary);
    return pipeline(receipts, format === 'json' ? jsonOf(batch) : csvOf, file);
  });

const time = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

function* receiptsOf({ AssignmentId }: Batch, items: Iterable<Item>): Generator<Receipt> {
  for (const item of items) {
    yield {
      file: item.path,
      assignment: AssignmentId,
      FileName: item.fileName,
      Key: item.state === 'done' ? (item.key ?? null) : null,
      size: item.sizeBytes,
      sha256: item.sha256 ?? null,
      state: item.state,
      error: item.error?.code ?? null,
      attempts: item.attempts,
      started: time(item.startedAtMs),
      finished: time(item.settledAtMs),
    };
  }
}

async function* csvOf(receipts: AsyncIterable<Receipt>): AsyncGenerator<string> {
  yield CSV_START + csvRow(COLUMNS);
  for await (const receipt of receipts) yield csvRow(COLUMNS.map((column) => receipt[column]));
}

/** One document with one file per line. */
const jsonOf = (batch: Batch) =>
  async function* (receipts: AsyncIterable<Receipt>): AsyncGenerator<string> {
    const { batchId: id, state, AssignmentId: assignment, root, uploaded, skipped, failed, cancelled, bytes } = batch;
    const times = { created: time(batch.createdAtMs), finished: time(batch.finishedAtMs) };
    const head = JSON.stringify({
      batch: id,
      state,
      assignment,
      root,
      uploaded,
      skipped,
      failed,
      cancelled,
      bytes,
      ...times,
    });
    yield `${head.slice(0, -1)},"files":[`;
    let separator = '\n';
    for await (const receipt of receipts) {
      yield `${separator}${JSON.stringify(receipt)}`;
      separator = ',\n';
    }
    yield '\n]}\n';
  };

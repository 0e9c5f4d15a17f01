/** Writes the report of a batch or an upload for scripts, as CSV or JSON: the state, key and checksum of each file. */
import { pick } from 'es-toolkit/object/pick';
import { shownPath } from '../../../contract/text.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { CSV_START, csvRow } from '../../data/csv.ts';
import { writePieces } from '../../data/files.ts';
import { type Item, listedState } from '../ledger/items.ts';

export type ReportFormat = 'csv' | 'json';

const COLUMNS: readonly (keyof ReturnType<typeof reportedFile>)[] = [
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

type ReportedBatch = { readonly batch: Batch; readonly items: Iterable<Item> };
type Reported = ReportedBatch | { readonly upload: string; readonly batches: readonly ReportedBatch[] };

/**
 * Writes the report to `path`, completely or not at all. Spreadsheets do not read any cell of the CSV as a formula.
 * Errors: `data/unwritable`, those of `items`.
 */
export const writeReport = (path: string, reported: Reported, format: ReportFormat): Promise<void> =>
  writePieces(path, format === 'json' ? jsonOf(reported) : csvOf(reported));

const time = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

/** One file as the report lists it. Times are ISO 8601 in UTC. */
const reportedFile = ({ AssignmentId }: Batch, item: Item) => ({
  /** The file's path below the batch's folder, with `/` between names. */
  file: shownPath(item.path),
  assignment: AssignmentId,
  FileName: item.fileName,
  /** The object key; null unless the file is known to be stored. */
  Key: listedState(item) === 'done' ? (item.key ?? null) : null,
  size: item.sizeBytes,
  sha256: item.sha256 ?? null,
  state: listedState(item),
  error: item.error?.code ?? null,
  attempts: item.attempts,
  started: time(item.startedAtMs),
  finished: time(item.settledAtMs),
  /** When the file was removed from the assignment, if known; in JSON only. */
  ...(item.removed && { removed: time(item.removed.atMs) }),
});

function* csvOf(reported: Reported): Generator<string> {
  yield CSV_START + csvRow(COLUMNS);
  for (const { batch, items } of 'batches' in reported ? reported.batches : [reported]) {
    for (const item of items) {
      const file = reportedFile(batch, item);
      yield csvRow(COLUMNS.map((column) => file[column] ?? null));
    }
  }
}

/** Yields one document with one file per line. */
function* jsonOf(reported: Reported): Generator<string> {
  if (!('batches' in reported)) {
    yield* jsonOfBatch(reported);
    yield '\n';
    return;
  }
  yield `{"upload":${JSON.stringify(reported.upload)},"batches":[`;
  yield* joined(reported.batches, function* (batch) {
    yield '\n';
    yield* jsonOfBatch(batch);
  });
  yield '\n]}\n';
}

function* jsonOfBatch(reported: ReportedBatch): Generator<string> {
  const { batch } = reported;
  const head = JSON.stringify({
    batch: batch.batchId,
    state: batch.state,
    assignment: batch.AssignmentId,
    root: batch.root,
    ...pick(batch, [
      'uploaded',
      'removed',
      'resent',
      'skipped',
      'nameTaken',
      'failed',
      'notReplaced',
      'cancelled',
      'bytes',
    ]),
    created: time(batch.createdAtMs),
    finished: time(batch.finishedAtMs),
  });
  yield `${head.slice(0, -1)},"files":[`;
  yield* joined(reported.items, (item) => [`\n${JSON.stringify(reportedFile(batch, item))}`]);
  yield '\n]}';
}

/** Yields the pieces of all `values`, with a comma between the pieces of two values. */
export function* joined<T>(values: Iterable<T>, piecesOf: (value: T) => Iterable<string>): Generator<string> {
  let isFirst = true;
  for (const value of values) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* piecesOf(value);
  }
}

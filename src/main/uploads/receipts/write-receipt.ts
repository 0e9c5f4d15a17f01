import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { sheetFormat } from '../../../contract/text.ts';
import { CSV_START, csvRow } from '../../data/csv.ts';
import { replaceFile } from '../../data/files.ts';
import {
  type Cell,
  openReceipt,
  type Receipt,
  type ReceiptFile,
  type ReceiptJob,
  type ReceiptSource,
} from './receipt.ts';
import { receiptPage } from './receipt-page.ts';
import { receiptXlsx } from './workbook.ts';

const contents: Readonly<Record<ReceiptJob['format'], (receipt: Receipt) => Iterable<string | Uint8Array>>> = {
  page: receiptPage,
  xlsx: receiptXlsx,
  csv: receiptCsv,
  json: receiptJson,
};

/**
 * Writes a receipt to `path`, completely or not at all, piece by piece: memory does not grow with the files, and others
 * get their turns. Errors: `data/unwritable`, those of `sourceOf`.
 */
export const writeReceipt = async (
  path: string,
  job: ReceiptJob,
  sourceOf: (batchId: string) => ReceiptSource,
): Promise<void> => {
  const receipt = await openReceipt(job, sourceOf);
  await replaceFile(path, (temporary) =>
    pipeline(Readable.from(inTurns(contents[job.format](receipt))), createWriteStream(temporary)),
  );
};

const TURN_MS = 10;

/** `pieces` as they come, with a turn for everything else in this thread after each 10 ms. */
async function* inTurns<T extends string | Uint8Array>(pieces: Iterable<T>): AsyncGenerator<T> {
  let turnEndsAt = performance.now() + TURN_MS;
  for (const piece of pieces) {
    if (piece.length > 0) yield piece;
    if (performance.now() < turnEndsAt) continue;
    await setImmediate();
    turnEndsAt = performance.now() + TURN_MS;
  }
}

// A receipt as CSV, for the spreadsheet of the person who saves it.

/** The rows: the facts, a blank line, and all files. */
export function* receiptCsv({ speech: { t }, formats, job, title, facts, assignments }: Receipt): Generator<string> {
  const format = sheetFormat(formats.number);
  const row = (...cells: readonly (Cell | undefined)[]) => csvRow(cells.map(csvCell), format);
  yield CSV_START;
  yield row(title);
  for (const fact of facts) yield row(...fact);
  if (job.part) yield row(t('receipt.part', job.part));
  yield row();
  yield row(
    ...[t('table.title.address'), t('table.title.city'), t('receipt.customer'), t('receipt.assignment')],
    ...[t('table.title.folder'), t('table.title.file'), t('receipt.fileOnAssignment'), t('receipt.bytes')],
    ...[t('receipt.time'), t('table.title.state'), t('receipt.removed'), t('table.title.problem')],
    ...[t('receipt.key'), t('receipt.checksum')],
  );
  for (const { AssignmentId, summary, customer, folders } of assignments) {
    for (const { name, files } of folders) {
      for (const { path, fileName, sizeBytes, time, state, removed, problem, key, sha256 } of files()) {
        const target = [summary?.Address, summary?.City, customer, AssignmentId] as const;
        yield row(...target, name, path, fileName, sizeBytes, time, state, removed, problem, key, sha256);
      }
    }
  }
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `time` as spreadsheets read it in every country: local, such as `2026-11-22 08:15:00`. */
const localTime = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`;

const csvCell = (cell: Cell | undefined): string | number => (cell instanceof Date ? localTime(cell) : (cell ?? ''));

// A receipt as JSON: one document, with one file per line. Times are ISO 8601 in UTC.

/** The parts of the document, in order. */
export function* receiptJson({ job, senders, timeZone, counts, assignments }: Receipt): Generator<string> {
  const head = {
    service: job.service.baseUrl,
    sentBy: senders,
    created: new Date(job.madeAtMs).toISOString(),
    timeZone,
    ...counts,
    ...(job.part && { part: job.part }),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"assignments":[`;
  yield* joined(assignments, function* ({ AssignmentId, summary, customer, folders }) {
    const target = {
      AssignmentId,
      address: summary?.Address,
      city: summary?.City,
      customer,
      facility: summary?.FacilityId,
    };
    yield `${JSON.stringify(target).slice(0, -1)},"folders":[`;
    yield* joined(folders, function* ({ batch, files }) {
      yield `${JSON.stringify({ batch: batch.batchId, folder: batch.root }).slice(0, -1)},"files":[`;
      yield* joined(files(), function* (file) {
        yield `\n${JSON.stringify(jsonFile(file))}`;
      });
      yield ']}';
    });
    yield ']}';
  });
  yield ']}\n';
}

const jsonFile = ({ path, fileName, sizeBytes, time, state, removed, problem, key, sha256 }: ReceiptFile) => ({
  file: path,
  FileName: fileName,
  size: sizeBytes,
  time,
  state,
  removed,
  problem,
  Key: key,
  sha256,
});

/** What `piecesOf` says of each of `values`, with commas between them. */
function* joined<T>(values: Iterable<T>, piecesOf: (value: T) => Iterable<string>): Generator<string> {
  let isFirst = true;
  for (const value of values) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* piecesOf(value);
  }
}

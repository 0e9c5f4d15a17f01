import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { replaceFile } from '../../data/replace-file.ts';
import { openReceipt, type Receipt, type ReceiptJob, type ReceiptSource } from './receipt.ts';
import { receiptCsv } from './receipt-csv.ts';
import { receiptJson } from './receipt-json.ts';
import { receiptPage } from './receipt-page.ts';
import { receiptXlsx } from './receipt-xlsx.ts';

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

import { expect, test } from 'vitest';
import type { BatchRow, Ledger } from '../ledger/ledger.ts';
import { addBatch, openTestLedger } from '../ledger/testing/ledger.ts';
import { scanned } from '../source/testing/scanned.ts';
import { createBatchProgress, viewBatch } from './batch-supervisor.ts';

const error = { code: 'upload/refused', message: 'no', retry: 'never', details: {} } as const;
const files = Array.from({ length: 8 }, (_, index) => scanned(`f${index}`, 2 ** index));
const rowOf = ({ batches }: Ledger, batch: string): BatchRow => {
  const row = batches.get(batch);
  if (!row) throw new Error('no batch');
  return { ...row, state: 'running' };
};

test('the counts equal those of the ledger, however files end and are retried', async () => {
  const ledger = openTestLedger();
  const { items, commit } = ledger;
  const { batch, files: all } = await addBatch(ledger, files);
  const row = rowOf(ledger, batch);
  const progress = createBatchProgress(items, () => 0);
  const [done = 0, skipped = 0, failed = 0, uncertain = 0, cancelled = 0] = all.map(({ id }) => id);
  await commit(() => {
    items.done(done, 'hash', undefined, 5);
    items.skipped(skipped, 'hash', 5);
    items.failed(failed, { state: 'failed', error, unclear: false }, 5);
    items.failed(uncertain, { state: 'uncertain', error, unclear: true }, 5);
    items.cancelled(cancelled, 5);
  });
  const counts = { files: 8, uploaded: 1, skipped: 1, failed: 2, cancelled: 1, bytes: 255, bytesSent: 3 };
  expect(progress.view(row)).toMatchObject({ ...counts, bytesDropped: 28 });
  expect(viewBatch(row, items.tally(batch))).toEqual(progress.view(row));
  await commit(() => items.requeue(batch, failed));
  expect(progress.view(row)).toMatchObject({ ...counts, failed: 1, bytesDropped: 24 });
  await commit(() => items.add(batch, [scanned('more', 1000)]));
  expect(progress.view(row)).toMatchObject({ files: 9, bytes: 1255 });
});

test('a batch of one archive has its name, and one of another file, as in a watched folder, has not', async () => {
  const ledger = openTestLedger();
  const { batch } = await addBatch(ledger, files);
  const row = rowOf(ledger, batch);
  const onlyOf = (only?: readonly string[]) => viewBatch({ ...row, only }, ledger.items.tally(batch)).only;
  expect([onlyOf(['b.zip']), onlyOf(['mail.eml'])]).toEqual(['b.zip', 'mail.eml']);
  expect([onlyOf(['new.jpg']), onlyOf(['a.zip', 'b.zip']), onlyOf()]).toEqual([undefined, undefined, undefined]);
});

test('the speed is that of the last seconds, and zero while nothing runs', async () => {
  const ledger = openTestLedger();
  const { batch, files: items } = await addBatch(ledger, [scanned('large', 1_000_000)]);
  const row = rowOf(ledger, batch);
  let nowMs = 0;
  const progress = createBatchProgress(ledger.items, () => nowMs);
  const [item] = items;
  if (!item) throw new Error('no file');
  await ledger.commit(() => ledger.items.sending(item.id, 'key', 'url', 1));
  const transfer = progress.begin(item, () => false);
  const speedAfter = (ms: number, sentBytes: number) => {
    nowMs += ms;
    transfer.sent(sentBytes);
    return progress.view(row).bytesPerSecond;
  };
  expect(speedAfter(0, 0)).toBe(0);
  expect(speedAfter(1000, 50_000)).toBe(50_000);
  expect(speedAfter(1000, 200_000)).toBe(100_000);
  expect(speedAfter(60_000, 200_000)).toBe(0);
  expect(progress.view({ ...row, state: 'paused' }).bytesPerSecond).toBe(0);
});

test('sent bytes include skipped files and parts of files in transfer, none twice', async () => {
  const ledger = openTestLedger();
  const { items, commit } = ledger;
  const { batch, files: all } = await addBatch(ledger, [scanned('a', 100), scanned('b', 10), scanned('c', 1)]);
  const progress = createBatchProgress(items, () => 0);
  const view = () => progress.view(rowOf(ledger, batch));
  const [a, b, c] = all;
  if (!a || !b || !c) throw new Error('no files');
  await commit(() => {
    items.sending(a.id, 'key', 'url', 1);
    items.skipped(b.id, 'hash', 5);
    items.failed(c.id, { state: 'failed', error, unclear: false }, 5);
  });
  const transfer = progress.begin(a, () => false);
  transfer.sent(60);
  expect(view()).toMatchObject({ bytes: 111, bytesSent: 70, uploaded: 0, skipped: 1, failed: 1 });
  transfer.sent(100);
  await commit(() => items.done(a.id, 'hash', undefined, 5));
  // For a moment the file is both done and in transfer.
  expect(view()).toMatchObject({ bytesSent: 110, uploaded: 1 });
  transfer.left();
  expect(view()).toMatchObject({ bytesSent: 110, uploaded: 1 });
});

test('what had been sent before is progress, and no speed', async () => {
  const ledger = openTestLedger();
  const { batch, files: all } = await addBatch(ledger, files);
  let nowMs = 0;
  const progress = createBatchProgress(ledger.items, () => nowMs);
  const last = all[7];
  if (!last) throw new Error('the batch has no file');
  await ledger.commit(() => ledger.items.sending(last.id, 'key', 'url', 0));
  const transfer = progress.begin(last, () => false);
  expect(progress.view(rowOf(ledger, batch))).toMatchObject({ bytesSent: 0, bytesPerSecond: 0 });
  nowMs = 1000;
  expect([transfer.sent(100, true), transfer.sent(110)]).toEqual([0, 10]);
  expect(progress.view(rowOf(ledger, batch))).toMatchObject({ bytesSent: 110, bytesPerSecond: 10 });
});

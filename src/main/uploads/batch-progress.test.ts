import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBatchProgress, viewBatch } from './batch-progress.ts';
import type { BatchRow } from './ledger/batches.ts';
import { type Ledger, openLedger } from './ledger/ledger.ts';
import { addBatch, openTestLedger, scanned } from './ledger/test-ledger.ts';
import { requeueFiles } from './retry-batch.ts';

const error = { code: 'upload/refused', message: 'no', retry: 'never', details: {} } as const;
const files = Array.from({ length: 8 }, (_, index) => scanned(`f${index}`, 2 ** index));
const rowOf = ({ batches }: Ledger, batch: string): BatchRow => {
  const row = batches.get(batch);
  if (!row) throw new Error('no batch');
  return { ...row, state: 'running' };
};

/** Brings a file to an end in the ledger, as a transfer does. */
const settle = ({ items, commit }: Ledger, id: number, state: 'done' | 'skipped' | 'failed' | 'uncertain') =>
  commit(() => {
    if (state === 'done') items.done(id, 'hash', undefined, 5);
    else if (state === 'skipped') items.skipped(id, 'hash', 5);
    else items.failed(id, { state, error, unclear: false }, 5);
  });

describe('the counts kept while a batch runs', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('done', 'skipped', 'failed', 'uncertain') },
    { weight: 1, arbitrary: fc.constant('retry') },
  );

  test('are those of the ledger, whatever ends how and is offered again', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const ledger = openLedger(':memory:');
        const { batch } = await addBatch(ledger, files);
        const row = rowOf(ledger, batch);
        const progress = createBatchProgress(ledger.items.tally(batch), () => 0);
        for (const taken of steps) {
          if (taken === 'retry') {
            progress.requeued(await requeueFiles(ledger, row, ledger.items.failedIds(batch)));
            continue;
          }
          const [item] = ledger.items.toGo(batch, 1);
          if (!item) continue;
          progress.sent(item, item.sizeBytes);
          await settle(ledger, item.id, taken);
          progress.settled(item, taken);
          expect(progress.view(row)).toEqual(viewBatch(row, ledger.items.tally(batch)));
        }
        expect(progress.view(row)).toEqual(viewBatch(row, ledger.items.tally(batch)));
        ledger.close();
      }),
      { numRuns: 150 },
    ));

  test('stay true where a file is offered again before it is counted as failed', async () => {
    const ledger = openTestLedger();
    const { batch, files: items } = await addBatch(ledger, files);
    const row = rowOf(ledger, batch);
    const progress = createBatchProgress(ledger.items.tally(batch), () => 0);
    const [item] = items;
    if (!item) throw new Error('no file');
    await settle(ledger, item.id, 'failed');
    progress.requeued(await requeueFiles(ledger, row, ledger.items.failedIds(batch)));
    expect(progress.view(row).failed).toBe(0);
    progress.settled(item, 'failed');
    expect(progress.view(row)).toEqual(viewBatch(row, ledger.items.tally(batch)));
  });
});

test('the speed is that of the last seconds, and nothing while nothing runs', async () => {
  const ledger = openTestLedger();
  const { batch, files: items } = await addBatch(ledger, [scanned('large', 1_000_000)]);
  const row = rowOf(ledger, batch);
  let nowMs = 0;
  const progress = createBatchProgress(ledger.items.tally(batch), () => nowMs);
  const [item] = items;
  if (!item) throw new Error('no file');
  const speedAfter = (ms: number, sentBytes: number) => {
    nowMs += ms;
    progress.sent(item, sentBytes);
    return progress.view(row).bytesPerSecond;
  };
  expect(speedAfter(0, 0)).toBe(0);
  expect(speedAfter(1000, 50_000)).toBe(50_000);
  expect(speedAfter(1000, 200_000)).toBe(100_000);
  expect(speedAfter(60_000, 200_000)).toBe(0);
  expect(progress.view({ ...row, state: 'paused' }).bytesPerSecond).toBe(0);
});

test('what was sent counts what is there already, and parts of files on their way', async () => {
  const ledger = openTestLedger();
  const { batch, files: items } = await addBatch(ledger, [scanned('a', 100), scanned('b', 10), scanned('c', 1)]);
  const row = rowOf(ledger, batch);
  const progress = createBatchProgress(ledger.items.tally(batch), () => 0);
  const [a, b, c] = items;
  if (!a || !b || !c) throw new Error('no files');
  progress.sent(a, 60);
  progress.settled(b, 'skipped');
  progress.settled(c, 'failed');
  expect(progress.view(row)).toMatchObject({ bytes: 111, bytesSent: 70, uploaded: 0, skipped: 1, failed: 1 });
  progress.dropped(a);
  expect(progress.view(row)).toMatchObject({ bytesSent: 10 });
});

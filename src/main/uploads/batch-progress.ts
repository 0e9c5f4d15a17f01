/** What a person sees of a batch: counts kept in memory while it runs, begun from the ledger's. */
import { type DeskError, toErrorData } from '../../contract/errors.ts';
import type { Batch } from '../../contract/models.ts';
import { less, sum } from './count.ts';
import type { BatchRow } from './ledger/batches.ts';
import type { Item } from './ledger/item-row.ts';
import type { Tally } from './ledger/items.ts';
import type { Requeued } from './retry-batch.ts';
import type { ScannedFile } from './scan.ts';

/** Over how long the speed is averaged. */
const SPEED_WINDOW_MS = 5_000;

export type BatchProgress = {
  /** Files that the scan found and the ledger took up. */
  readonly added: (files: readonly ScannedFile[]) => void;
  /** Failed files that were queued again. */
  readonly requeued: (files: Requeued) => void;
  /** A file on its way: how many of its bytes went out so far. */
  readonly sent: (item: Item, bytes: number) => void;
  /** A file that waits for a network, and why; without a reason it goes on. */
  readonly waits: (item: Item, reason: DeskError | undefined) => void;
  /** A file that reached its end. */
  readonly settled: (item: Item, state: 'done' | 'skipped' | 'failed' | 'uncertain') => void;
  /** A file that is on its way no more, without an end. */
  readonly dropped: (item: Item) => void;
  readonly view: (batch: BatchRow) => Batch;
};

/** The view of a batch that does not run: the ledger's counts, no speed. */
export const viewBatch = (batch: BatchRow, tally: Tally): Batch => createBatchProgress(tally, Date.now).view(batch);

export const createBatchProgress = (tally: Tally, now: () => number): BatchProgress => {
  let all = sum(...Object.values(tally));
  let counts = {
    done: tally.done,
    skipped: tally.skipped,
    failed: sum(tally.failed, tally.uncertain),
    cancelled: tally.cancelled,
  };
  const onTheWay = new Map<number, number>();
  const waiting = new Map<number, DeskError>();
  let samples: { readonly atMs: number; readonly bytes: number }[] = [];

  const sentBytes = (): number => {
    let bytes = counts.done.bytes;
    for (const part of onTheWay.values()) bytes += part;
    return bytes;
  };

  /** Bytes per second over the window, 0 when nothing moved. */
  const speed = (): number => {
    const atMs = now();
    const bytes = sentBytes();
    samples = [...samples.filter((sample) => atMs - sample.atMs <= SPEED_WINDOW_MS), { atMs, bytes }];
    const first = samples[0];
    if (!first || atMs === first.atMs) return 0;
    return Math.max(0, ((bytes - first.bytes) / (atMs - first.atMs)) * 1000);
  };

  return {
    added: (files) => {
      all = sum(all, ...files.map(({ sizeBytes }) => ({ files: 1, bytes: sizeBytes })));
    },
    requeued: ({ before, after }) => {
      all = sum(less(all, before), after);
      counts = { ...counts, failed: less(counts.failed, before) };
    },
    sent: ({ id }, bytes) => {
      onTheWay.set(id, bytes);
    },
    waits: ({ id }, reason) => {
      if (reason) waiting.set(id, reason);
      else waiting.delete(id);
    },
    settled: ({ id, sizeBytes }, state) => {
      onTheWay.delete(id);
      const column = state === 'uncertain' ? 'failed' : state;
      counts = { ...counts, [column]: sum(counts[column], { files: 1, bytes: sizeBytes }) };
    },
    dropped: ({ id }) => {
      onTheWay.delete(id);
    },
    view: (batch) => ({
      batch: batch.id,
      AssignmentId: batch.assignmentId,
      root: batch.root,
      state: batch.state,
      ...reasonOf(batch, waiting.values().next().value),
      files: all.files,
      uploaded: counts.done.files,
      skipped: counts.skipped.files,
      // A file may be queued again before it is counted as failed.
      failed: Math.max(0, counts.failed.files),
      cancelled: counts.cancelled.files,
      bytes: all.bytes,
      bytesSent: sentBytes() + counts.skipped.bytes,
      bytesPerSecond: batch.state === 'running' ? speed() : 0,
      created: batch.createdMs,
      ...(batch.finishedMs !== undefined && { finished: batch.finishedMs }),
      leftOut: batch.leftOut,
    }),
  };
};

/** Why the batch is paused, or while it runs, what it waits for. */
const reasonOf = ({ state, reason }: BatchRow, waitsFor: DeskError | undefined): Pick<Batch, 'reason'> => {
  if (state === 'running' && waitsFor) return { reason: toErrorData(waitsFor) };
  return reason ? { reason } : {};
};

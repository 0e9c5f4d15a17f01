/** What a person sees of a batch: the ledger's counts, and what its run knows besides. */

import type { Batch } from '../../../contract/batches.ts';
import { type DeskError, toErrorData } from '../../../contract/errors.ts';
import type { BatchRow } from '../ledger/batches.ts';
import { type ItemLists, sum, type Tally } from '../ledger/item-lists.ts';
import type { Item } from '../ledger/item-row.ts';

/** Over how long the speed is averaged. */
const SPEED_WINDOW_MS = 5_000;

export type BatchProgress = {
  /** A file is on its way from now on. */
  readonly begun: (item: Item) => void;
  /** How many of its bytes went out so far. */
  readonly sent: (item: Item, bytes: number) => void;
  /** A file that waits for a host, and why; without a reason it goes on. */
  readonly waits: (item: Item, reason: DeskError | undefined) => void;
  /** A file that is on its way no more. */
  readonly left: (item: Item) => void;
  readonly view: (batch: BatchRow) => Batch;
};

/** The view of a batch that does not run. */
export const viewBatch = (batch: BatchRow, tally: Tally): Batch =>
  view(batch, tally, { bytesSent: 0, bytesPerSecond: 0, waitsFor: undefined });

/** The progress of one run of a batch. `now`: ms since 1970. */
export const createBatchProgress = (
  items: Pick<ItemLists, 'tally' | 'sendingIds'>,
  now: () => number,
): BatchProgress => {
  /** Bytes by file. */
  const onTheWay = new Map<number, number>();
  const waiting = new Map<number, DeskError>();
  let samples: { readonly atMs: number; readonly bytes: number }[] = [];

  /** Of files that the ledger does not count as sent yet: for a moment a file is done, and still on its way. */
  const bytesOnTheWay = (batch: string): number => {
    let bytes = 0;
    for (const id of items.sendingIds(batch)) bytes += onTheWay.get(id) ?? 0;
    return bytes;
  };

  /** Bytes per second over the window, 0 when nothing moved. */
  const speed = (bytes: number): number => {
    const atMs = now();
    samples = [...samples.filter((sample) => atMs - sample.atMs <= SPEED_WINDOW_MS), { atMs, bytes }];
    const first = samples[0];
    if (!first || atMs === first.atMs) return 0;
    return Math.max(0, ((bytes - first.bytes) / (atMs - first.atMs)) * 1000);
  };

  return {
    begun: ({ id }) => {
      onTheWay.set(id, 0);
    },
    sent: ({ id }, bytes) => {
      onTheWay.set(id, bytes);
    },
    waits: ({ id }, reason) => {
      if (reason) waiting.set(id, reason);
      else waiting.delete(id);
    },
    left: ({ id }) => {
      onTheWay.delete(id);
    },
    view: (batch) => {
      const tally = items.tally(batch.id);
      const bytesSent = bytesOnTheWay(batch.id);
      const bytesPerSecond = speed(tally.done.bytes + bytesSent);
      const waitsFor = waiting.size === onTheWay.size ? waiting.values().next().value : undefined;
      return view(batch, tally, { bytesSent, bytesPerSecond: waitsFor ? 0 : bytesPerSecond, waitsFor });
    },
  };
};

/** `bytesSent`: of files on their way. `waitsFor`: why none of them moves. */
type Moving = {
  readonly bytesSent: number;
  readonly bytesPerSecond: number;
  readonly waitsFor: DeskError | undefined;
};

const view = (batch: BatchRow, tally: Tally, { bytesSent, bytesPerSecond, waitsFor }: Moving): Batch => {
  const all = sum(...Object.values(tally));
  const isRunning = batch.state === 'running' || batch.state === 'scanning';
  return {
    batchId: batch.id,
    AssignmentId: batch.assignmentId,
    root: batch.root,
    state: batch.state,
    ...reasonOf(batch, isRunning ? waitsFor : undefined),
    files: all.files,
    uploaded: tally.done.files,
    skipped: tally.skipped.files,
    failed: tally.failed.files + tally.uncertain.files,
    cancelled: tally.cancelled.files,
    bytes: all.bytes,
    bytesSent: tally.done.bytes + tally.skipped.bytes + bytesSent,
    bytesPerSecond: isRunning ? bytesPerSecond : 0,
    createdAtMs: batch.createdMs,
    ...(batch.finishedMs !== undefined && { finishedAtMs: batch.finishedMs }),
    leftOut: batch.leftOut,
  };
};

/** Why the batch is paused, or while it runs, what it waits for. */
const reasonOf = ({ reason }: BatchRow, waitsFor: DeskError | undefined): Pick<Batch, 'reason'> => {
  if (waitsFor) return { reason: toErrorData(waitsFor) };
  return reason ? { reason } : {};
};

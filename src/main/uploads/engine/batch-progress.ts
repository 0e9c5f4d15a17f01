/** The batch that the user sees: the ledger's counts and the live progress of its run. */

import { type DeskError, toErrorData } from '../../../contract/errors.ts';
import { type Batch, isActive } from '../../../contract/uploads.ts';
import type { BatchRow } from '../ledger/batches.ts';
import { type Item, type Items, sum, type Tally } from '../ledger/items.ts';

/** The period over which the speed is averaged. */
const SPEED_WINDOW_MS = 5_000;

export type BatchProgress = ReturnType<typeof createBatchProgress>;

/** The view of a batch that does not run. */
export const viewBatch = (batch: BatchRow, tally: Tally): Batch =>
  view(batch, tally, { bytesSent: 0, bytesPerSecond: 0, waitsFor: undefined });

/** The progress of one run of a batch. `now`: ms that never jump. */
export const createBatchProgress = (items: Pick<Items, 'tally' | 'sendingIds'>, now: () => number) => {
  /** Bytes by file. */
  const inTransfer = new Map<number, number>();
  const parked = new Map<number, () => boolean>();
  const waiting = new Map<number, DeskError>();
  let samples: { readonly atMs: number; readonly bytes: number }[] = [];

  /** Counts only files that the ledger does not count as sent: for a moment a file is both done and in transfer. */
  const bytesInTransfer = (batch: string): number => {
    let bytes = 0;
    for (const id of items.sendingIds(batch)) bytes += inTransfer.get(id) ?? 0;
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
    /** The transfer of a file starts. `isParked`: whether it only waits for a slot or a retry. */
    begun: ({ id }: Item, isParked = () => false): void => {
      inTransfer.set(id, 0);
      parked.set(id, isParked);
    },
    /** How many of its bytes were sent so far. `isThere`: those added had been sent before, and are no speed. */
    sent: ({ id }: Item, bytes: number, isThere = false): void => {
      const added = bytes - (inTransfer.get(id) ?? 0);
      if (isThere) samples = samples.map((sample) => ({ ...sample, bytes: sample.bytes + added }));
      inTransfer.set(id, bytes);
    },
    /** A file waits for a host, and why; without a reason it continues. */
    waits: ({ id }: Item, reason: DeskError | undefined): void => {
      if (reason) waiting.set(id, reason);
      else waiting.delete(id);
    },
    /** The transfer of a file ended. */
    left: ({ id }: Item): void => {
      inTransfer.delete(id);
      parked.delete(id);
    },
    view: (batch: BatchRow): Batch => {
      const tally = items.tally(batch.id);
      const bytesSent = bytesInTransfer(batch.id);
      const bytesPerSecond = speed(tally.done.bytes + bytesSent);
      const isStill = parked.entries().every(([id, isParked]) => waiting.has(id) || isParked());
      const waitsFor = isStill ? waiting.values().next().value : undefined;
      return view(batch, tally, { bytesSent, bytesPerSecond: waitsFor ? 0 : bytesPerSecond, waitsFor });
    },
  };
};

/** `bytesSent`: of files in transfer. `waitsFor`: why none of them moves. */
type Moving = {
  readonly bytesSent: number;
  readonly bytesPerSecond: number;
  readonly waitsFor: DeskError | undefined;
};

const view = (
  batch: BatchRow,
  { removed, ...tally }: Tally,
  { bytesSent, bytesPerSecond, waitsFor }: Moving,
): Batch => {
  const all = sum(...Object.values(tally));
  const isRunning = isActive(batch);
  return {
    batchId: batch.id,
    uploadId: batch.uploadId,
    AssignmentId: batch.assignmentId,
    root: batch.root,
    state: batch.state,
    ...reasonOf(batch, isRunning ? waitsFor : undefined),
    ...(batch.schedule && { schedule: batch.schedule }),
    ...(batch.firstAtMs !== undefined && { isFirst: true as const }),
    ...(batch.receipt && { receipt: batch.receipt }),
    files: all.files,
    uploaded: tally.done.files,
    skipped: tally.skipped.files,
    failed: tally.failed.files + tally.uncertain.files,
    cancelled: tally.cancelled.files,
    ...(removed.files > 0 && { removed: removed.files }),
    bytes: all.bytes,
    bytesSent: tally.done.bytes + tally.skipped.bytes + bytesSent,
    bytesPerSecond: isRunning ? bytesPerSecond : 0,
    createdAtMs: batch.createdAtMs,
    ...(batch.finishedAtMs !== undefined && { finishedAtMs: batch.finishedAtMs }),
    leftOut: batch.leftOut,
  };
};

/** Why the batch is paused, or what it waits for while it runs. */
const reasonOf = ({ reason }: BatchRow, waitsFor: DeskError | undefined): Pick<Batch, 'reason'> => {
  if (waitsFor) return { reason: toErrorData(waitsFor) };
  return reason ? { reason } : {};
};

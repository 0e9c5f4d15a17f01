/** One run of a batch: begins its files, as many at once as there are slots, until none is left. */

import { DeskError } from '../../../contract/errors.ts';
import { orCancelled } from '../../async/cancel.ts';
import type { Condition } from '../../async/condition.ts';
import { createHeldSlot, type HeldSlot } from '../../async/held-slot.ts';
import { createSlots } from '../../async/slots.ts';
import type { BatchRow } from '../ledger/batches.ts';
import { type ItemLists, LARGE_BYTES } from '../ledger/item-lists.ts';
import type { Item } from '../ledger/item-row.ts';
import { realRootOf } from '../source/paths.ts';
import { type Settled, transferFile } from '../transfer/transfer.ts';
import type { TransferContext } from '../transfer/transfer-context.ts';
import type { BatchProgress } from './batch-progress.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';

export type BatchQueue = {
  /** A large file where one waits and may go now, else a small one, else a large one. */
  readonly next: (largeMayGo: boolean) => Item | undefined;
};

/** How many files are looked up in the ledger at once. */
const WINDOW = 64;

/** Whether the file counts as large (8 MiB or more). */
export const isLarge = ({ sizeBytes }: Item): boolean => sizeBytes >= LARGE_BYTES;

/**
 * Every file once: first those that a former run was interrupted in, then the queued ones, also those that are added
 * later, until `isPlanned`. Files behind it that are queued again are for another queue.
 */
export const createBatchQueue = (items: ItemLists, batch: string, isPlanned: () => boolean): BatchQueue => {
  const interrupted = items.interrupted(batch).values();

  /** Looks at the first one that waits, and takes it. */
  const line = (large: boolean) => {
    let window: readonly Item[] = [];
    let index = 0;
    let afterId = 0;
    let isOver = false;
    return (): Item | undefined => {
      if (index === window.length && !isOver) {
        const wasPlanned = isPlanned();
        window = items.queued(batch, { afterId, limit: WINDOW, large });
        index = 0;
        isOver = wasPlanned && window.length === 0;
      }
      const item = window[index];
      if (item) afterId = item.id;
      index += item ? 1 : 0;
      return item;
    };
  };
  const large = line(true);
  const small = line(false);

  return {
    next: (largeMayGo) => interrupted.next().value ?? (largeMayGo ? (large() ?? small()) : (small() ?? large())),
  };
};

export type BatchRun = {
  readonly context: TransferContext;
  readonly batch: BatchRow;
  readonly progress: BatchProgress;
  /** Told of each file that reached its end. */
  readonly onSettled: (item: Item, settled: Settled) => void;
  readonly onProgress: () => void;
  /** No file will be added any more. */
  readonly isPlanned: () => boolean;
  /** Notified when files were added, when the last one was, and at `pause` and `abort`. */
  readonly stateChanged: Condition;
  /** No new file is begun when it is aborted; those on their way come to their end, but none waits for a better time. */
  readonly pause: AbortSignal;
  /** Files on their way are broken off; the ledger knows how far they were. */
  readonly abort: AbortSignal;
};

/** Files that wait for a better time beside those that are sent: each is open, a small one in memory. */
const MAX_PARKED = 64;

/**
 * Resolves when every file has its end, or when `pause` was asked for and the last one on its way has. Large files
 * begin as soon as they are found, so that none is left for the end alone; but while there are small ones, they take
 * no more than half of the slots.
 * @throws the error that stopped the batch, such as a refused session or what too many files in a row failed with;
 *   `app/cancelled` after `abort`.
 */
export const runBatch = async (run: BatchRun): Promise<void> => {
  const { context, batch, pause, abort, stateChanged } = run;
  const { sending } = context.pools;
  const queue = createBatchQueue(context.ledger.items, batch.id, run.isPlanned);
  let onTheWay = 0;
  let largeOnTheWay = 0;
  const parked = createSlots(MAX_PARKED);
  const breaker = createCircuitBreaker();
  /** What stopped the run; of what files failed with one after another it is said only where others are left. */
  let stop: { readonly error: unknown; readonly isOfFiles: boolean } | undefined;
  const stopped = new AbortController();
  const interrupted = AbortSignal.any([pause, abort, stopped.signal]);
  const stopFor = (error: unknown, isOfFiles = false): void => {
    stop ??= { error, isOfFiles };
    // Nobody waits for a better time any more.
    stopped.abort();
  };

  const begin = (item: Item, release: () => void): void => {
    const large = isLarge(item) ? 1 : 0;
    const slot = createHeldSlot(sending, release, parked, abort);
    onTheWay += 1;
    largeOnTheWay += large;
    run.progress.begun(item);
    transfer(run, item, within, slot, interrupted)
      .then((settled) => {
        const reason = breaker(settled);
        if (reason) stopFor(reason, true);
      })
      .catch((error) => stopFor(error))
      .finally(() => {
        onTheWay -= 1;
        largeOnTheWay -= large;
        run.progress.left(item);
        slot.release();
        run.onProgress();
        stateChanged.notifyAll();
      });
  };

  const next = (): Item | undefined => {
    try {
      return interrupted.aborted ? undefined : queue.next(largeOnTheWay < Math.ceil(sending.limit() / 2));
    } catch (error) {
      stopFor(error);
      return undefined;
    }
  };

  const within = await orCancelled(realRootOf(batch), interrupted).catch(() => undefined);
  while (!interrupted.aborted) {
    const release = await sending.acquire(interrupted);
    if (!release) break;
    const item = next();
    if (item) {
      begin(item, release);
      continue;
    }
    release();
    if (run.isPlanned() && onTheWay === 0) break;
    if (!interrupted.aborted) await stateChanged.wait();
  }
  while (onTheWay > 0) await stateChanged.wait();
  const isLeft = () => !run.isPlanned() || context.ledger.items.pending(batch.id, 1).length > 0;
  if (stop && !(stop.isOfFiles && !isLeft())) throw stop.error;
  if (abort.aborted) throw new DeskError('app/cancelled', 'cancelled');
};

const transfer = async (
  { context, batch, progress, onSettled, onProgress, abort }: BatchRun,
  item: Item,
  within: string | undefined,
  slot: HeldSlot,
  waitSignal: AbortSignal,
): Promise<Settled> => {
  const { sending } = context.pools;
  let sentBytes = 0;
  const settled = await transferFile(context, {
    item,
    batch: batch.id,
    nameTemplate: batch.nameTemplate,
    root: batch.root,
    within,
    assignment: batch,
    onBytes: (bytes) => {
      sending.moved(Math.max(0, bytes - sentBytes));
      sentBytes = bytes;
      progress.sent(item, bytes);
      onProgress();
    },
    onWaiting: (reason) => {
      progress.waits(item, reason);
      onProgress();
    },
    slot,
    waitSignal,
    signal: abort,
  });
  onSettled(item, settled);
  return settled;
};

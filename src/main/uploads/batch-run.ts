/** One run of a batch: takes its files from the ledger, as many at once as there are slots, until none is left. */
import { DeskError } from '../../contract/errors.ts';
import type { BatchProgress } from './batch-progress.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { BatchRow } from './ledger/batches.ts';
import type { Item } from './ledger/item-row.ts';
import type { Slots } from './slots.ts';
import { type Settled, type TransferContext, transferFile } from './transfer.ts';

export type BatchRun = {
  readonly context: TransferContext;
  readonly batch: BatchRow;
  readonly slots: Slots;
  readonly progress: BatchProgress;
  /** Told of each file that reached its end. */
  readonly onSettled: (item: Item, settled: Settled) => void;
  readonly onProgress: () => void;
  /** No new file is begun when it is aborted; those on their way come to their end. */
  readonly pause: AbortSignal;
  /** Files on their way are broken off; the ledger knows how far they were. */
  readonly abort: AbortSignal;
};

/** How many files are looked up in the ledger at once. */
const WINDOW = 64;

/**
 * Resolves when every file has its end, or when `pause` was asked for and the last one on its way has.
 * @throws the error that stopped the batch, such as a refused session or what too many files in a row failed with;
 *   `app/cancelled` after `abort`.
 */
export const runBatch = async (run: BatchRun): Promise<void> => {
  const { context, batch, slots, pause, abort } = run;
  const onTheWay = new Map<number, Promise<void>>();
  const breaker = createCircuitBreaker();
  let stop: unknown;
  let broken: DeskError | undefined;

  const begin = (item: Item, release: () => void): Promise<void> =>
    transfer(run, item)
      .then((settled) => {
        broken ??= breaker(settled);
      })
      .catch((error) => {
        run.progress.dropped(item);
        stop ??= error;
      })
      .finally(() => {
        onTheWay.delete(item.id);
        release();
        run.onProgress();
      });

  const interrupted = AbortSignal.any([pause, abort]);
  const goesOn = () => stop === undefined && broken === undefined && !interrupted.aborted;

  while (goesOn()) {
    const items = context.ledger.items.toGo(batch.id, onTheWay.size + WINDOW).filter(({ id }) => !onTheWay.has(id));
    if (items.length === 0) {
      if (onTheWay.size === 0) return;
      await Promise.race(onTheWay.values());
    }
    for (const item of items) {
      const release = await slots.acquire(interrupted);
      if (!release) break;
      if (!goesOn()) release();
      else onTheWay.set(item.id, begin(item, release));
    }
  }
  await Promise.all(onTheWay.values());
  if (stop !== undefined) throw stop;
  if (broken && context.ledger.items.toGo(batch.id, 1).length > 0) throw broken;
  if (abort.aborted) throw new DeskError('app/cancelled', 'cancelled');
};

const transfer = async (
  { context, batch, progress, onSettled, onProgress, pause, abort }: BatchRun,
  item: Item,
): Promise<Settled> => {
  const settled = await transferFile(context, {
    item,
    root: batch.root,
    place: { connection: batch.connection, assignmentId: batch.assignmentId },
    onBytes: (bytes) => {
      progress.sent(item, bytes);
      onProgress();
    },
    onWaiting: (reason) => {
      progress.waits(item, reason);
      onProgress();
    },
    pause,
    signal: abort,
  });
  progress.settled(item, settled.state);
  onSettled(item, settled);
  return settled;
};

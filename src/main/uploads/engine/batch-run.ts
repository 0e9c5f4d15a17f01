/** One run of a batch: starts its files until none is left, each as soon as it may be signed ahead of its slot. */
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import { orCancelled } from '../../async/cancel.ts';
import type { Condition } from '../../async/lock.ts';
import type { Reservation } from '../../async/slots.ts';
import { createHeldSlot, createSlots } from '../../async/slots.ts';
import type { BatchRow } from '../ledger/batches.ts';
import type { Item } from '../ledger/item-row.ts';
import { createBatchQueue, LARGE_BYTES } from '../ledger/items.ts';
import { heldBytes } from '../source/local-file.ts';
import { realRootOf } from '../source/paths.ts';
import { confirmArrival, removeReplaced } from '../transfer/remove-replaced.ts';
import { type Settled, transferFile } from '../transfer/transfer.ts';
import type { Job, Pools, TransferContext } from '../transfer/transfer-context.ts';
import type { BatchProgress } from './batch-progress.ts';

/** Whether the file counts as large (8 MiB or more). */
const isLarge = ({ sizeBytes }: Item): boolean => sizeBytes >= LARGE_BYTES;

type BatchRun = {
  readonly context: TransferContext;
  readonly batch: BatchRow;
  readonly progress: BatchProgress;
  /** Called for each file that is settled. */
  readonly onSettled: (item: Item, settled: Settled) => void;
  readonly onProgress: () => void;
  /** An item whose arrival is to be confirmed. */
  readonly toConfirm: number | undefined;
  /** Whether no more files will be added. */
  readonly isPlanned: () => boolean;
  /** Notified when files were added, when the last one was, and at `pause` and `abort`. */
  readonly stateChanged: Condition;
  /** When it is aborted, no new file starts; transfers in progress finish, but none waits for a host or a retry. */
  readonly pause: AbortSignal;
  /** Aborts transfers in progress, too; the ledger holds their state. */
  readonly abort: AbortSignal;
};

/** Files that may wait for a host or a retry, besides those being sent. Each is open, or in memory if it is small. */
const MAX_PARKED = 64;

/** Lets one more file be opened and signed, in memory that is reserved for it. */
type Place = { readonly leave: () => void; readonly bytes: Reservation };

/** Enough memory for any file. */
const ANY_BYTES = heldBytes(Number.POSITIVE_INFINITY);

/**
 * Waits for a place and for enough memory for any file, before batches with a higher `order`. Holds no place while it waits for memory: parked files hold the
 * memory and need a place to continue. Undefined once `signal` is aborted.
 */
const takePlace = async ({ ahead, memory }: Pools, order: number, signal: AbortSignal): Promise<Place | undefined> => {
  const first = await ahead.acquire(signal, order);
  const free = first && memory.tryReserve(ANY_BYTES);
  if (first && free) return { leave: first, bytes: free };
  first?.();
  const bytes = await memory.reserve(ANY_BYTES, signal, order);
  const leave = bytes && (await ahead.acquire(signal, order));
  if (bytes && leave) return { leave, bytes };
  bytes?.reduceTo(0);
  return undefined;
};

/**
 * Resolves when every file is settled, or when `pause` is aborted and no transfer is in progress. Large files start as
 * soon as they are found, so that none is left alone at the end; while there are small ones, they use at most half of
 * the slots.
 * @throws the error that stopped the batch, such as a refused session or the error of too many files in a row;
 *   `app/cancelled` after `abort`.
 */
export const runBatch = async (run: BatchRun): Promise<void> => {
  const { context, batch, pause, abort, stateChanged } = run;
  const { sending, ahead } = context.pools;
  const { items, replacedFiles } = context.ledger;
  /** Items of an earlier run that have files to remove. */
  const pending = replacedFiles.pendingItems(batch.id, Number.MAX_SAFE_INTEGER);
  const finishing = [
    ...pending.map((id) => ({ id, work: replace })),
    ...(run.toConfirm === undefined ? [] : [{ id: run.toConfirm, work: confirm }]),
  ]
    .values()
    .flatMap(({ id, work }): readonly Task[] => {
      const item = items.get(id);
      return item ? [{ item, work }] : [];
    });
  const queue = createBatchQueue(items, batch.id, run.isPlanned);
  let inTransfer = 0;
  let largeInTransfer = 0;
  const parked = createSlots(MAX_PARKED);
  const breaker = createCircuitBreaker();
  /** Why the run stopped. `isOfFiles`: too many files failed in a row, which is reported only if other files remain. */
  let stop: { readonly error: unknown; readonly isOfFiles: boolean } | undefined;
  const stopped = new AbortController();
  const interrupted = AbortSignal.any([pause, abort, stopped.signal]);
  const stopFor = (error: unknown, isOfFiles = false): void => {
    stop ??= { error, isOfFiles };
    // No file waits for a host or a retry any longer.
    stopped.abort();
  };

  const held = { places: ahead, slots: sending, parked, waitSignal: interrupted, signal: abort };
  const begin = ({ item, work }: Task, { leave, bytes }: Place): void => {
    const large = isLarge(item) ? 1 : 0;
    const slot = createHeldSlot(held, leave);
    bytes.reduceTo(heldBytes(item.sizeBytes));
    inTransfer += 1;
    largeInTransfer += large;
    run.progress.begun(item, slot.isParked);
    work(run, jobOf(run, item, { within, slot, waitSignal: interrupted }))
      .then((settled) => {
        const reason = settled && breaker(settled);
        if (reason) stopFor(reason, true);
      })
      .catch((error) => stopFor(error))
      .finally(() => {
        inTransfer -= 1;
        largeInTransfer -= large;
        run.progress.left(item);
        slot.release();
        bytes.reduceTo(0);
        run.onProgress();
        stateChanged.notifyAll();
      });
  };

  const orderOf = (): number => {
    try {
      return context.ledger.batches.orderOf(batch.id);
    } catch {
      // A ledger that cannot be read stops the batch at its next file.
      return 0;
    }
  };
  const next = (): Task | undefined => {
    try {
      if (interrupted.aborted) return undefined;
      const task = finishing.next().value;
      if (task) return task;
      const item = queue.next(largeInTransfer < Math.ceil(sending.limit() / 2));
      return item && { item, work: transfer };
    } catch (error) {
      stopFor(error);
      return undefined;
    }
  };

  const within = await orCancelled(realRootOf(batch), interrupted).catch(() => undefined);
  while (!interrupted.aborted) {
    const place = await takePlace(context.pools, orderOf(), interrupted);
    if (!place) break;
    const task = next();
    if (task) {
      begin(task, place);
      continue;
    }
    place.leave();
    place.bytes.reduceTo(0);
    if (run.isPlanned() && inTransfer === 0) break;
    if (!interrupted.aborted) await stateChanged.wait();
  }
  while (inTransfer > 0) await stateChanged.wait();
  const isLeft = () => !run.isPlanned() || items.pending(batch.id, 1).length > 0;
  if (stop && !(stop.isOfFiles && !isLeft())) throw stop.error;
  if (abort.aborted) throw new DeskError('app/cancelled', 'cancelled');
};

/** Work for one item. Resolves to how its file was settled; undefined if this run did not settle it. */
type Task = { readonly item: Item; readonly work: (run: BatchRun, job: Job) => Promise<Settled | undefined> };

const transfer = async ({ context, onSettled }: BatchRun, job: Job): Promise<Settled> => {
  const settled = await transferFile(context, job);
  if (settled.state !== 'done' || !settled.replaces) onSettled(job.item, settled);
  return settled;
};

/** Removes the files that a finished item replaces. An item that is not done has check files only. */
const replace = async ({ context, onSettled }: BatchRun, job: Job): Promise<undefined> => {
  await removeReplaced(context, job, false);
  if (job.item.state === 'done') onSettled(job.item, { state: 'done' });
};

const confirm = async ({ context }: BatchRun, job: Job): Promise<undefined> => {
  await confirmArrival(context, job);
};

const jobOf = (
  { context, batch, progress, onProgress, abort }: BatchRun,
  item: Item,
  at: Pick<Job, 'within' | 'slot' | 'waitSignal'>,
): Job => {
  const { sending } = context.pools;
  let sentBytes = 0;
  return {
    ...at,
    item,
    uploadId: batch.uploadId,
    batch: batch.id,
    nameTemplate: batch.nameTemplate,
    onClash: batch.onClash,
    root: batch.root,
    assignment: batch,
    onBytes: (bytes, isThere = false) => {
      const moved = isThere ? 0 : Math.max(0, bytes - sentBytes);
      sending.moved(moved);
      context.line.moved(moved);
      sentBytes = bytes;
      progress.sent(item, bytes, isThere);
      onProgress();
    },
    onWaiting: (reason) => {
      progress.waits(item, reason);
      onProgress();
    },
    signal: abort,
  };
};

// Pauses a batch in which everything fails: the cause would fail the remaining files too, and the user would have to
// retry all of them.

/** This many files in a row with the same error indicate a systemic failure. */
export const FAILED_IN_A_ROW = 20;

/** Errors of a file itself, which do not predict the next one. */
const OWN_REASONS: ReadonlySet<ErrorCode> = new Set(['upload/file-changed', 'upload/file-locked', 'upload/too-large']);

/**
 * A circuit breaker for one run of a batch. Receives each settled file; once the last `limit` files in a row failed
 * with one error code, returns why the batch should pause.
 */
export const createCircuitBreaker = (limit = FAILED_IN_A_ROW): ((settled: Settled) => DeskError | undefined) => {
  let code: ErrorCode | undefined;
  let failed = 0;
  return (settled) => {
    const error = 'error' in settled ? settled.error : undefined;
    if (error && OWN_REASONS.has(error.code)) return undefined;
    failed = error === undefined ? 0 : error.code === code ? failed + 1 : 1;
    code = error?.code;
    return error && failed >= limit ? paused(error) : undefined;
  };
};

/** The part of the file's error that applies to all files; its path, for example, does not. */
const paused = ({ code, message, retry, details: { status, error } }: DeskError): DeskError =>
  new DeskError(code, message, {
    retry,
    details: { ...(status !== undefined && { status }), ...(error !== undefined && { error }) },
  });

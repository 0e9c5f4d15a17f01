/** Starts the runs of batches, reports their progress, and records how each batch ended. */
import { chunk } from 'es-toolkit/array/chunk';
import { pick } from 'es-toolkit/object/pick';
import { isOwnedBy, type Owner } from '../../../contract/connection.ts';
import { DeskError, type ErrorCode, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { type Batch, isActive, type UploadFile } from '../../../contract/uploads.ts';
import { type Condition, createCondition } from '../../async/lock.ts';
import { createHeldSlot, createSlots, type Reservation } from '../../async/slots.ts';
import { createThrottle, reporting } from '../../async/throttle.ts';
import { createBatchQueue, type Item, type Items, LARGE_BYTES, sum, type Tally } from '../ledger/items.ts';
import type { BatchRow, Ledger } from '../ledger/ledger.ts';
import { heldBytes } from '../source/local-file.ts';
import { isArchiveName, realRootOf } from '../source/paths.ts';
import { inPatience } from '../source/scan.ts';
import { createKeptRegistries, type Plan, planBatch } from '../transfer/names.ts';
import type { Pools } from '../transfer/pool.ts';
import { settleLost } from '../transfer/remove-file.ts';
import { confirmArrival, removeReplaced } from '../transfer/remove-replaced.ts';
import { type Settled, transferFile } from '../transfer/transfer.ts';
import type { Job, TransferContext, Wait } from '../transfer/transfer-context.ts';
import { type BatchEnd, endIfListed } from './batch-actions.ts';

export type SupervisorOptions = {
  readonly context: TransferContext;
  /** Returns the connection and its signed-in user. While signed out, there is no `subject`. */
  readonly owner: () => Owner;
  /** Called when a run has planned its batch. The batch then no longer needs its list of reviewed files. */
  readonly onPlanned: () => void;
  /** Receives the batches that have changed: `request` while they run, `notify` when a run has ended. */
  readonly reports: Pick<Reports, 'request' | 'notify'>;
  /**
   * Called while `reportsFiles` returns true: for each file that a run settles, or queues again because the file did
   * not arrive.
   */
  readonly onFile?: (batch: string, file: UploadFile) => void;
  readonly reportsFiles?: () => boolean;
  readonly onBug: (error: unknown) => void;
};

/**
 * The maximum number of batches of one upload that run at the same time: a thousand folders must not start a thousand
 * scans. Batches that the user chose to send first are counted separately, with the same maximum.
 */
export const BATCHES_AT_ONCE = 16;

export const createSupervisor = (given: SupervisorOptions) => {
  const registries = createKeptRegistries(given.context.steady);
  const options = { ...given, registries };
  const { owner } = options;
  const { ledger } = options.context;
  const { batches, items, replacedFiles } = ledger;
  const running = new Map<string, Run & Pick<Ordered, 'isFirst'>>();
  /** The batches that wait until another batch of their upload has ended, by id and in order. */
  const waiting = new Map<string, Waiting>();
  /**
   * Why batches stopped, by their ids, if the ledger could not record the reason, and so still lists the batches as in
   * progress.
   */
  const unwritten = new Map<string, ErrorData>();
  let closed = false;

  /** The batch as users see it, with live counts while it runs. */
  const view = (row: BatchRow): Batch => {
    const reason = isActive(row) ? unwritten.get(row.id) : undefined;
    const notReplaced = replacedFiles.countFailed(row.id);
    const resent = items.countResent(row.id);
    const nameTaken = items.countNameTaken(row.id);
    const shown =
      running.get(row.id)?.progress.view(row) ??
      viewBatch(reason ? { ...row, state: 'paused', reason } : row, items.tally(row.id));
    return {
      ...shown,
      ...(notReplaced > 0 && { notReplaced }),
      ...(resent > 0 && { resent }),
      ...(nameTaken > 0 && { nameTaken }),
      ...(!isOwnedBy(row, owner()) && { isOthers: true as const }),
    };
  };

  /** Adds whether the user chose the batch, or one of its files, to be sent first. */
  const inOrder = (row: BatchRow): Ordered => ({ row, isFirst: orderOf(batches, row.id) !== 0 });
  const hasRoom = ({ row, isFirst }: Ordered): boolean =>
    [...running.values()].filter((run) => run.uploadId === row.uploadId && run.isFirst === isFirst).length <
    BATCHES_AT_ONCE;

  const start = ({ row, isFirst }: Ordered): Run => {
    const run = startRun(options, row, (reason) => unwritten.set(row.id, reason), onEnded);
    running.set(row.id, { ...run, isFirst });
    return run;
  };
  const onEnded = ({ id, uploadId }: BatchRow): void => {
    running.delete(id);
    beginNext(uploadId);
    checkpointAtRest();
  };
  const beginNext = (uploadId: string): void => {
    if (closed) return;
    const mayBegin = (one: Waiting): boolean => one.row.uploadId === uploadId && hasRoom(one);
    const next = waiting.values().find((one) => one.isFirst && mayBegin(one)) ?? waiting.values().find(mayBegin);
    if (!next) return;
    waiting.delete(next.row.id);
    void start(next).ended.then(next.end);
  };

  /** Checkpoints the ledger if no batch runs. A checkpoint waits for the disk, so many small batches share one. */
  const checkpointAtRest = (): void => {
    if (running.size > 0) return;
    try {
      ledger.checkpoint();
    } catch {
      // If the ledger cannot be written, the next commit reports the error.
    }
  };

  const leave = (id: string): void => {
    waiting.get(id)?.end();
    waiting.delete(id);
  };
  /** Resolves when the batch neither runs nor waits for others of its upload. */
  const ended = async (id: string): Promise<void> => (running.get(id) ?? waiting.get(id))?.ended;

  /** The file as users see it. */
  const viewFile = (batch: string, item: Item): UploadFile => {
    const isInProgress = item.state === 'signing' || item.state === 'sending';
    const isWaiting = isInProgress && running.get(batch)?.progress.isWaiting(item.id);
    return { ...replacedFiles.view(item), ...(isWaiting && { isWaiting }) };
  };

  return {
    /** Starts the batch now, or once fewer batches of its upload run. Does nothing after `close`. */
    begin: (row: BatchRow): void => {
      unwritten.delete(row.id);
      if (closed) return;
      const ordered = inOrder(row);
      if (hasRoom(ordered)) return void start(ordered);
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.set(row.id, { ...ordered, ended: promise, end: resolve });
    },
    runs: (id: string): boolean => running.has(id) || waiting.has(id),
    view,
    viewFile,
    /** Makes a waiting batch wait only for those batches of its upload that were also chosen to be sent first. */
    sendFirst: (row: BatchRow): void => {
      const one = waiting.get(row.id);
      if (!one) return;
      waiting.set(row.id, { ...one, ...inOrder(row) });
      beginNext(row.uploadId);
    },
    /** Stops starting files of the batch. Transfers in progress finish, unless they wait for a host or a retry. */
    pause: (id: string): void => {
      leave(id);
      running.get(id)?.pause.abort();
    },
    /** Notes why the ledger could not record a stop: the batch shows this reason once it does not run any more. */
    unrecorded: (id: string, reason: ErrorData): void => void unwritten.set(id, reason),
    abort: async (id: string): Promise<void> => {
      leave(id);
      running.get(id)?.abort.abort();
      await ended(id);
    },
    ended,
    isClosed: (): boolean => closed,
    close: async (): Promise<void> => {
      closed = true;
      for (const id of waiting.keys()) leave(id);
      for (const { abort } of running.values()) abort.abort();
      await Promise.all([...running.values()].map((run) => run.ended));
    },
  };
};

type Ordered = { readonly row: BatchRow; readonly isFirst: boolean };
type Waiting = Ordered & { readonly ended: Promise<void>; readonly end: () => void };

type Run = ReturnType<typeof startRun>;

/** Starts one run of a batch. If the ledger cannot be written, `onUnwritten` receives why the batch stopped. */
const startRun = (
  options: SupervisorOptions & Pick<Plan, 'registries'>,
  row: BatchRow,
  onUnwritten: (reason: ErrorData) => void,
  onEnded: (row: BatchRow) => void,
) => {
  const { context, registries, reports, onPlanned, onFile, reportsFiles = () => true, onBug } = options;
  const { ledger, steady } = context;
  const { batches, items, replacedFiles, commit } = ledger;
  const { id, uploadId } = row;
  const progress = createBatchProgress(items, steady);
  const [pause, abort, broken] = [new AbortController(), new AbortController(), new AbortController()];
  const interrupted = AbortSignal.any([pause.signal, abort.signal]);
  const noMore = AbortSignal.any([interrupted, broken.signal]);
  const stateChanged = createCondition();
  noMore.addEventListener('abort', stateChanged.notifyAll);
  const changed = (): void => reports.request(id);
  const fileChanged = (item: number): void => {
    const found = onFile && reportsFiles() && items.get(item);
    if (found) onFile(id, replacedFiles.view(found));
  };

  let isPlanned = row.scanned;
  let additions = 0;
  /** Plans the batch, unless an earlier run has planned it. Files that are already queued are sent in the meantime. */
  const plan = async (): Promise<void> => {
    const onAdded = (settled: readonly number[] = []): void => {
      additions += 1;
      settled.forEach(fileChanged);
      stateChanged.notifyAll();
      changed();
    };
    const onWhole = (): void => {
      if (!noMore.aborted) batches.setState(id, 'running');
    };
    if (!isPlanned) {
      await planBatch({ ...context, batch: row, registries, signal: noMore, onAdded, onWhole });
      onPlanned();
    }
    isPlanned = true;
    onAdded();
  };

  const send = async (): Promise<void> => {
    let end: BatchEnd = { isEnded: false };
    do {
      await runBatch({
        context,
        batch: row,
        progress,
        onProgress: changed,
        onSettled: fileChanged,
        toConfirm: end.toConfirm,
        isPlanned: () => isPlanned,
        additions: () => additions,
        stateChanged,
        pause: noMore,
        abort: abort.signal,
      });
      // An interrupted run may have ended before it tried to confirm the item.
      const tried = noMore.aborted ? undefined : (end.toConfirm ?? end.tried);
      end = await commit(() => finishIfDone(tried));
    } while (!end.isEnded && !noMore.aborted);
  };

  /**
   * Ends the batch if it is planned and has neither open files nor files to remove. Before that, files that did not
   * arrive are queued again. May run twice, because a commit may be repeated.
   */
  const finishIfDone = (tried?: number): BatchEnd => {
    if (!isPlanned || replacedFiles.pendingItems(id, 1).length > 0) return { isEnded: false, tried };
    settleLost(context, id, 'send again').forEach(fileChanged);
    // Files that are sent again may be lost again, so no item counts as tried.
    if (items.pending(id, 1).length > 0) return { isEnded: false };
    return endIfListed(context, id, tried, fileChanged);
  };

  /** Plans and sends the batch at the same time. If one fails, the other stops; transfers in progress finish. */
  const work = async (): Promise<void> => {
    let failure: unknown;
    const breaking = async (half: Promise<void>): Promise<void> => {
      try {
        await half;
      } catch (error) {
        failure ??= error;
        broken.abort();
      }
    };
    await Promise.all([breaking(plan()), breaking(send())]);
    if (failure !== undefined) throw failure;
  };

  const ended = work()
    .catch(async (error) => {
      // The code that interrupted the run sets the batch's state.
      if (interrupted.aborted) return;
      if (!(error instanceof DeskError)) onBug(error);
      const reason = toErrorData(error);
      await commit(() => batches.setState(id, 'paused', reason)).catch(() => onUnwritten(reason));
    })
    .catch(() => {})
    .then(() => {
      onEnded(row);
      reports.notify(id);
    })
    .catch(onBug);
  return { uploadId, progress, pause, abort, ended };
};

// Reports of batches. Thousands of batches may change at the same time, so they are reported together.

const REPORT_MS = 150;
/** The maximum number of batches in one report, so that the receiver can do other work between reports. */
const REPORT_BATCHES = 500;

type Reports = ReturnType<typeof createReports>;

/**
 * Creates reports of changed batches. `view` returns a batch as users see it. A call of `onBatches` contains each batch
 * at most once.
 */
export const createReports = (
  view: (id: string) => Batch,
  onBatches: (batches: readonly Batch[]) => void,
  onBug: (error: unknown) => void,
) => {
  const changed = new Set<string>();
  const viewed = new Map<string, Batch>();
  const tell = (): void => {
    const all = [...viewed.values()];
    viewed.clear();
    for (const some of chunk(all, REPORT_BATCHES)) onBatches(some);
  };
  const request = (id: string): void => {
    changed.add(id);
    soon.request();
  };
  const notify = (id: string): Batch => {
    const batch = view(id);
    viewed.set(id, batch);
    // A stalled transfer causes no events, but its speed has to be reported until it is 0.
    if (batch.bytesPerSecond > 0) changed.add(id);
    soon.request();
    return batch;
  };
  const report = (): void => {
    const ids = [...changed];
    changed.clear();
    // A batch that cannot be read must not prevent reports of other batches.
    for (const id of ids) reporting(() => void notify(id), onBug)();
    tell();
  };
  const soon = createThrottle(report, REPORT_MS, onBug);
  return {
    /** Reports the batch within 150 ms, in the state that it then has. */
    request,
    /** Returns the batch as it is now. Reports this state within 150 ms, or when `tell` is called. */
    notify,
    /** Immediately reports the batches that `notify` has returned. */
    tell,
    /** Immediately reports everything that is still to be reported. */
    end: soon.end,
  };
};

// A run of a batch starts its files until none is left. Each file is opened and signed before it has a slot.

const orderOf = (batches: Ledger['batches'], id: string): number => {
  try {
    return batches.orderOf(id);
  } catch {
    // A ledger that cannot be read stops the batch at its next file.
    return 0;
  }
};

const isLarge = ({ sizeBytes }: Item): boolean => sizeBytes >= LARGE_BYTES;

type BatchRun = {
  readonly context: TransferContext;
  readonly batch: BatchRow;
  readonly progress: BatchProgress;
  readonly onSettled: (item: number) => void;
  readonly onProgress: () => void;
  /** The id of an item whose arrival is to be confirmed. */
  readonly toConfirm: number | undefined;
  /** Whether no more files will be added. */
  readonly isPlanned: () => boolean;
  /** How often files have been added. */
  readonly additions: () => number;
  /** Notified when files were added, planning is complete, work for an item has ended, or a signal is aborted. */
  readonly stateChanged: Condition;
  /** Once aborted, no file starts. Transfers in progress finish, without waiting for hosts or retries. */
  readonly pause: AbortSignal;
  /** Once aborted, transfers in progress are aborted, too; the ledger holds their state. */
  readonly abort: AbortSignal;
};

/**
 * The maximum number of files of a batch that give up their slot while they wait, for example for a retry. There is a
 * limit because each of them stays open, or in memory. Waits for another file are not limited.
 */
const MAX_PARKED = 64;

/** A place for one more file to be opened and signed, and the memory that is reserved for the file. */
type Place = { readonly leave: () => void; readonly bytes: Reservation };

/** The memory reserved for a file whose size is not known yet, in bytes. */
const ANY_BYTES = heldBytes(Number.POSITIVE_INFINITY);

/**
 * Waits for a place, and memory for a file of any size, ahead of batches with a higher `order`; undefined once `signal`
 * is aborted. No place is held during the wait for memory, because parked files hold memory and need a place to
 * continue.
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
 * Sends the files of a batch. Resolves when every file is settled or, after `pause`, when no transfer is in progress.
 * Large files go before small ones, so that no large file is left alone at the end. While there are small files, large
 * ones use at most half of the slots.
 * @throws the error that stopped the batch; `app/cancelled` after `abort`
 */
const runBatch = async (run: BatchRun): Promise<void> => {
  const { context, batch, pause, abort, stateChanged } = run;
  const { sending, ahead } = context.pools;
  const { items, replacedFiles } = context.ledger;
  /** The ids of the items that had files to remove when this call began. */
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
  const queue = createBatchQueue(items, batch.id, run.additions);
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
    // Ends all waits for hosts and retries.
    stopped.abort();
  };

  const held = { places: ahead, slots: sending, parked, waitSignal: interrupted, signal: abort };
  const begin = ({ item, work }: Task, { leave, bytes }: Place): void => {
    const large = isLarge(item) ? 1 : 0;
    const slot = createHeldSlot(held, leave);
    bytes.reduceTo(heldBytes(item.sizeBytes));
    inTransfer += 1;
    largeInTransfer += large;
    const record = run.progress.begin(item, slot.isParked);
    work(run, jobOf(run, item, record, { within, slot, waitSignal: interrupted }))
      .then((settled) => {
        const reason = settled && breaker(settled);
        if (reason) stopFor(reason, true);
      })
      .catch((error) => stopFor(error))
      .finally(() => {
        inTransfer -= 1;
        largeInTransfer -= large;
        record.left();
        slot.release();
        bytes.reduceTo(0);
        run.onProgress();
        stateChanged.notifyAll();
      });
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

  const within = await inPatience(batch.root, realRootOf(batch), interrupted).catch((error): undefined => {
    if (!interrupted.aborted) stopFor(error);
  });
  while (!interrupted.aborted) {
    const place = await takePlace(context.pools, orderOf(context.ledger.batches, batch.id), interrupted);
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

/** `work` resolves to how the file was settled; undefined if the file was not settled. */
type Task = { readonly item: Item; readonly work: (run: BatchRun, job: Job) => Promise<Settled | undefined> };

const transfer = async ({ context, onSettled }: BatchRun, job: Job): Promise<Settled> => {
  const settled = await transferFile(context, job);
  const replaces = 'replaces' in settled ? settled.replaces : undefined;
  if (replaces === 'proven') await removeReplaced(context, job, true);
  if (replaces !== 'unproven') onSettled(job.item.id);
  return settled;
};

/**
 * Removes the files that the item replaces. An item that is not done can only have a check file to remove, which an
 * earlier attempt uploaded (transfer/remove-replaced.ts).
 */
const replace = async ({ context, onSettled }: BatchRun, job: Job): Promise<undefined> => {
  await removeReplaced(context, job, false);
  if (job.item.state === 'done') onSettled(job.item.id);
};

const confirm = async ({ context }: BatchRun, job: Job): Promise<undefined> => {
  await confirmArrival(context, job);
};

const jobOf = (
  { context, batch, onProgress, abort }: BatchRun,
  item: Item,
  record: ReturnType<BatchProgress['begin']>,
  at: Pick<Job, 'within' | 'slot' | 'waitSignal'>,
): Job => {
  const { sending } = context.pools;
  return {
    ...at,
    item,
    batch,
    onBytes: (bytes, isThere = false) => {
      const moved = record.sent(bytes, isThere);
      sending.moved(moved);
      context.line.moved(moved);
      onProgress();
    },
    onWaiting: (wait) => {
      record.waits(wait);
      onProgress();
    },
    signal: abort,
  };
};

// The circuit breaker pauses a batch after many failures in a row with the same error: the remaining files would
// probably fail with that error, too. The user would then have to retry all of them.

/** If this many files in a row fail with the same error, the cause is probably not in the files. */
export const FAILED_IN_A_ROW = 20;

/** Errors that say nothing about the next file. */
const OWN_REASONS: ReadonlySet<ErrorCode> = new Set(['upload/file-changed', 'upload/file-locked', 'upload/too-large']);

/** Creates a function that returns why to pause once `limit` settled files in a row failed with the same code. */
export const createCircuitBreaker = (limit = FAILED_IN_A_ROW): ((settled: Settled) => DeskError | undefined) => {
  let code: ErrorCode | undefined;
  let failed = 0;
  return (settled) => {
    const error = 'error' in settled ? settled.error : undefined;
    if (error && OWN_REASONS.has(error.code)) return undefined;
    failed = error === undefined ? 0 : error.code === code ? failed + 1 : 1;
    code = error?.code;
    return error && failed >= limit ? paused(error, failed) : undefined;
  };
};

/** The error of a paused batch. It has only those details of the file's error that apply to all files. */
const paused = ({ code, message, retry, details }: DeskError, failedInARow: number): DeskError =>
  new DeskError(code, message, { retry, details: { ...pick(details, ['status', 'error']), failedInARow } });

// The view of a batch for users combines the ledger's counts with the live progress of the batch's run.

const SPEED_WINDOW_MS = 5_000;

type BatchProgress = ReturnType<typeof createBatchProgress>;

/** `isParked`: whether the file now only waits for a slot or a retry. */
type Transfer = { sentBytes: number; readonly isParked: () => boolean; waitsFor: Wait | undefined };

/** Creates a record of the progress of a batch's run. `now` returns the ms of a clock that never jumps. */
export const createBatchProgress = (items: Pick<Items, 'tally' | 'sendingIds'>, now: () => number) => {
  /** The transfers in progress, by the ids of their files. */
  const transfers = new Map<number, Transfer>();
  let samples: { readonly atMs: number; readonly bytes: number }[] = [];

  /**
   * The number of bytes that were sent of files that are not done. A file that was just recorded as done may still be
   * in transfer, and must not count twice.
   */
  const bytesInTransfer = (batch: string): number => {
    let bytes = 0;
    for (const id of items.sendingIds(batch)) bytes += transfers.get(id)?.sentBytes ?? 0;
    return bytes;
  };

  /** The speed in bytes per second over `SPEED_WINDOW_MS`; 0 if no bytes were sent. `bytes`: all bytes sent so far. */
  const speed = (bytes: number): number => {
    const atMs = now();
    samples = [...samples.filter((sample) => atMs - sample.atMs <= SPEED_WINDOW_MS), { atMs, bytes }];
    const first = samples[0];
    if (!first || atMs === first.atMs) return 0;
    return Math.max(0, ((bytes - first.bytes) / (atMs - first.atMs)) * 1000);
  };

  return {
    /** Records that a transfer has started, and returns the functions that record its progress. */
    begin: ({ id }: Item, isParked: Transfer['isParked']) => {
      const transfer: Transfer = { sentBytes: 0, isParked, waitsFor: undefined };
      transfers.set(id, transfer);
      return {
        /**
         * Records the bytes sent so far, and returns how many of them were sent since the last call. `isThere`: the
         * storage had the added bytes already, so they count neither as sent nor for the speed.
         */
        sent: (bytes: number, isThere = false): number => {
          const added = bytes - transfer.sentBytes;
          transfer.sentBytes = bytes;
          if (isThere) samples = samples.map((sample) => ({ ...sample, bytes: sample.bytes + added }));
          return isThere ? 0 : Math.max(0, added);
        },
        waits: (wait: Wait | undefined): void => {
          transfer.waitsFor = wait;
        },
        left: (): void => void transfers.delete(id),
      };
    },
    /** Whether the transfer of this file waits for a host or a retry. */
    isWaiting: (item: number): boolean => transfers.get(item)?.waitsFor !== undefined,
    view: (batch: BatchRow): Batch => {
      const tally = items.tally(batch.id);
      const bytesSent = bytesInTransfer(batch.id);
      const bytesPerSecond = speed(tally.done.bytes + bytesSent);
      const all = [...transfers.values()];
      const isStill = all.every((transfer) => transfer.waitsFor || transfer.isParked());
      const waits = isStill ? all.map((transfer) => transfer.waitsFor) : [];
      const waitsFor = waits.find((wait) => wait instanceof DeskError);
      return viewBatch(batch, tally, { bytesSent, bytesPerSecond: waitsFor ? 0 : bytesPerSecond, waitsFor });
    },
  };
};

/** The live progress. `bytesSent`: bytes sent of files in transfer. `waitsFor`: why no file progresses. */
type Live = Pick<Batch, 'bytesSent' | 'bytesPerSecond'> & { readonly waitsFor?: DeskError | undefined };

/** The view of a batch for users. `live`: absent while the batch does not run. */
export const viewBatch = (batch: BatchRow, { removed, ...tally }: Tally, live?: Live): Batch => {
  const { bytesSent, bytesPerSecond, waitsFor }: Live = live ?? { bytesSent: 0, bytesPerSecond: 0 };
  const all = sum(...Object.values(tally));
  const { bytes: bytesDropped } = sum(tally.failed, tally.uncertain, tally.cancelled);
  const isRunning = isActive(batch);
  // Why the batch is paused, or what it waits for while it runs.
  const reason = isRunning && waitsFor ? toErrorData(waitsFor) : batch.reason;
  // A batch of a single archive is named after the archive. A batch of any other single file is named after the folder,
  // because the file may be new in a watched folder.
  const [only, ...others] = batch.only ?? [];
  return {
    ...pick(batch, ['uploadId', 'root', 'state', 'schedule', 'receipt', 'createdAtMs', 'finishedAtMs', 'leftOut']),
    batchId: batch.id,
    AssignmentId: batch.assignmentId,
    ...(only !== undefined && others.length === 0 && isArchiveName(only) && { only }),
    ...(reason && { reason }),
    ...(batch.firstAtMs !== undefined && { isFirst: true as const }),
    files: all.files,
    uploaded: tally.done.files,
    skipped: tally.skipped.files,
    failed: tally.failed.files + tally.uncertain.files,
    cancelled: tally.cancelled.files,
    ...(removed.files > 0 && { removed: removed.files }),
    bytes: all.bytes,
    bytesSent: tally.done.bytes + tally.skipped.bytes + bytesSent,
    ...(bytesDropped > 0 && { bytesDropped }),
    bytesPerSecond: isRunning ? bytesPerSecond : 0,
  };
};

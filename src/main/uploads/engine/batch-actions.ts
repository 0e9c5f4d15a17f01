/** Ends and cancels batches, queues their failed files again, and compares their files with those on disk. */
import { chunk } from 'es-toolkit/array/chunk';
import { mapAsync } from 'es-toolkit/array/mapAsync';
import { DeskError, type ErrorCode, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import {
  isActive,
  isBeingCancelled,
  type Verdict,
  type VerifiedFile,
  type VerifiedPart,
} from '../../../contract/uploads.ts';
import { cancellation, throwIfCancelled } from '../../async/cancel.ts';
import { type RetryPolicy, retryWaitMs } from '../../async/retry.ts';
import { type Item, listedState } from '../ledger/items.ts';
import type { BatchRow, Ledger } from '../ledger/ledger.ts';
import { innerFacts } from '../source/file-identity.ts';
import { hashInTime, inTime } from '../source/local-file.ts';
import { lookInPlace, replacedFolder } from '../source/open-file.ts';
import { archiveOf, localPath, realRootOf, splitInner } from '../source/paths.ts';
import { createPatience, inPatience } from '../source/scan.ts';
import { isShared, mayStillArrive, settleLost, takeBack } from '../transfer/remove-file.ts';
import { confirmArrival, removeReplaced } from '../transfer/remove-replaced.ts';
import { stopsBatch } from '../transfer/transfer.ts';
import type { Job, TransferContext } from '../transfer/transfer-context.ts';

/**
 * The result of an attempt to end a batch. `toConfirm`: the item whose arrival has to be confirmed first. `tried`: the
 * item whose confirmation was tried.
 */
export type BatchEnd = {
  readonly isEnded: boolean;
  readonly toConfirm?: number;
  readonly tried?: number | undefined;
};

/**
 * Ends a batch whose files are all settled; to be called in a commit. If the service still has to list an item other
 * than `tried`, returns that item as `toConfirm` instead. Files that did not arrive fail (`onLost`). If skipped files
 * of equal content are queued again as a result, the batch does not end.
 */
export const endIfListed = (
  context: Pick<TransferContext, 'ledger' | 'unanswered' | 'now'>,
  batch: string,
  tried: number | undefined,
  onLost: (item: number) => void = () => {},
): BatchEnd => {
  const { items, batches } = context.ledger;
  const toConfirm = items.unlisted(batch);
  if (toConfirm !== undefined && toConfirm !== tried) return { isEnded: false, toConfirm };
  for (const item of settleLost(context, batch, 'fail')) onLost(item);
  const isEnded = items.pending(batch, 1).length === 0;
  if (isEnded) batches.setFinished(batch, context.now());
  return { isEnded };
};

/** The total time for settling the files of a cancelled batch. Files that are not settled by then become uncertain. */
const PATIENCE_MS = 30_000;
/** The maximum number of files settled in one commit, or read from the ledger in one query. */
const CHUNK_FILES = 1000;
const AT_ONCE = 8;
/**
 * How often a removal is retried if an attempt to upload the file got no response: the storage may store the file late.
 */
const LATE_REMOVAL: RetryPolicy = { attempts: 4, firstMs: 500, growth: 2, longestMs: 4_000, jitter: false };

/**
 * Settles every open file of a batch that is not running, and ends the batch. Files that the storage may hold are
 * removed. A file becomes `cancelled`, or `uncertain` if its removal failed or an attempt may still arrive.
 * @throws DeskError errors that stop the batch, or when `closing` is aborted; cancelling can continue later
 */
export const cancelBatch = async (context: TransferContext, batch: BatchRow, closing: AbortSignal): Promise<void> => {
  const { ledger, now } = context;
  const signal = AbortSignal.any([closing, AbortSignal.timeout(PATIENCE_MS)]);
  const { settle, replace, confirm } = createSettling(context, batch, signal);
  while ((await ledger.commit(() => ledger.items.cancelUntouched(batch.id, CHUNK_FILES, now()))) > 0);
  const replacing = (limit: number) => ledger.replacedFiles.pendingItems(batch.id, limit);
  /**
   * Ends the batch if it has no open files, and no files to remove. May run twice, because a commit may be repeated.
   */
  const closeIfSettled = (tried?: number): BatchEnd => {
    const isPending = ledger.items.pending(batch.id, 1).length > 0;
    if (isPending || replacing(1).length > 0) return { isEnded: false, tried };
    return endIfListed(context, batch.id, tried);
  };
  const close = (tried?: number) => ledger.commit(() => closeIfSettled(tried));
  for (let end = await close(); !end.isEnded; end = await close(end.toConfirm ?? end.tried)) {
    const { toConfirm } = end;
    const left = ledger.items.pending(batch.id, CHUNK_FILES).values();
    const done = replacing(CHUNK_FILES).values();
    const settleSome = async (): Promise<void> => {
      for (const item of left) await settle(item);
      for (const id of done) await replace(id);
    };
    const unlisted = toConfirm === undefined ? undefined : ledger.items.get(toConfirm);
    if (unlisted) await confirm(unlisted);
    const settled = await Promise.allSettled(Array.from({ length: AT_ONCE }, settleSome));
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }
};

/**
 * Creates the functions that settle the items of a cancelled batch until `signal` is aborted. They throw errors that
 * are not about the file.
 */
const createSettling = (context: TransferContext, batch: BatchRow, signal: AbortSignal) => {
  const { ledger, unanswered, sleep, now } = context;
  const { items, replacedFiles, commit } = ledger;

  /** A job for one item: it shows no progress and needs no slot. */
  const jobOf = (item: Item): Job => ({
    item,
    batch,
    within: undefined,
    onBytes: () => {},
    onWaiting: () => {},
    slot: { take: async () => {}, tryPark: () => undefined, park: () => async () => {}, release: () => {} },
    waitSignal: signal,
    signal,
  });
  /** Translates a failed removal into the error of its file. Throws errors that are not about the file. */
  const errorOfFile = (thrown: unknown): ErrorData => {
    // The error of an aborted call does not say why the call was aborted; the reason of the signal does.
    const error = signal.aborted ? cancellation(signal) : thrown;
    if (!(error instanceof DeskError) || stopsBatch(error)) throw error;
    return toErrorData(error);
  };
  /** Retries the removal of a file that may be stored late. Throws `upload/uncertain` if no removal found a file. */
  const removeLate = async (remove: () => Promise<boolean>, wasThere: boolean): Promise<void> => {
    for (let attempt = 1; attempt <= LATE_REMOVAL.attempts; attempt += 1) {
      await sleep(retryWaitMs(LATE_REMOVAL, attempt), signal);
      if (await remove()) return;
    }
    if (!wasThere) throw new DeskError('upload/uncertain', 'the storage may still store the file');
  };

  return {
    settle: async ({ id, key, unclear }: Item): Promise<void> => {
      const remove = async (): Promise<boolean> => key === undefined || takeBack(context, batch, { id, key }, signal);
      try {
        if (unclear && key !== undefined && isShared(context, batch, { id, key }))
          throw new DeskError('upload/uncertain', 'the file may have overwritten another one under the same Key');
        const isRemoved = await remove();
        if (mayStillArrive(context, id, isRemoved)) await removeLate(remove, isRemoved);
        unanswered.delete(id);
        await commit(() => items.cancelled(id, now()));
      } catch (thrown) {
        const failure = { state: 'uncertain', error: errorOfFile(thrown), unclear: true } as const;
        // The signed URL is not recorded: a removal without a response may take effect late, and would then remove the
        // file that a retry had sent under the same Key.
        await commit(() => items.failed(id, { ...failure, ...(key !== undefined && { key }) }, now()));
      }
    },
    /** Removes the files that the item replaces. A removal that fails or takes too long is recorded as failed. */
    replace: async (id: number): Promise<void> => {
      const item = items.get(id);
      if (!item) return;
      try {
        await removeReplaced(context, jobOf(item), false);
      } catch (thrown) {
        const error = errorOfFile(thrown);
        await commit(() => {
          for (const { key, state } of replacedFiles.of(id))
            if (state === 'pending') replacedFiles.failed(id, key, error);
        });
      }
    },
    /** Finds out whether the item's file arrived, and records that. Ignores errors of the file. */
    confirm: async (item: Item): Promise<void> => {
      try {
        await confirmArrival(context, jobOf(item));
      } catch (thrown) {
        errorOfFile(thrown);
      }
    },
  };
};

/** How many files were queued again. `reopened`: the batch had ended or was paused, so a run has to be started. */
type Requeued = { readonly files: number; readonly reopened: boolean };

const none: Requeued = { files: 0, reopened: false };
const both = (one: Requeued, other: Requeued): Requeued => ({
  files: one.files + other.files,
  reopened: one.reopened || other.reopened,
});

/** The maximum number of files that one commit queues again. */
const GROUP_FILES = 500;
/**
 * The maximum number of files that are looked up on disk at the same time. The timeout of each lookup
 * (`createPatience`) begins immediately. With more lookups, some could time out while they wait for a thread of Node's
 * pool.
 */
const LOOKS_AT_ONCE = 32;

/**
 * Queues failed and uncertain files, and failed removals, again; with `ids`, only the files with these ids. Each commit
 * also reopens the batch, in case the app crashes afterwards. Stops if the batch is then paused or cancelled.
 */
export const requeue = async (ledger: Ledger, batch: BatchRow, ids?: readonly number[]): Promise<Requeued> => {
  const { items, replacedFiles, commit } = ledger;
  const patience = createPatience();
  /**
   * Looks something up on the drive of the batch. Resolves to undefined if that fails: the ledger keeps the facts of
   * the file, and the next attempt reports the reason.
   */
  const look = <T>(begin: () => Promise<T>): Promise<T | undefined> =>
    patience(batch.root, begin).catch(() => undefined);
  const folderAt = (below: string) => ledger.batches.folderAt(batch.id, below);

  let requeued = none;
  const addRequeued = async (queue: () => number): Promise<void> => {
    requeued = both(requeued, await commit(() => reopen(ledger, batch, queue, requeued.files > 0)));
  };
  const requeueGroup = async (group: readonly number[]): Promise<void> => {
    const chosen = group.map(items.get).filter((item): item is Item => item !== undefined);
    const within = await look(() => realRootOf(batch));
    const lookAt = async (path: string) =>
      (await replacedFolder(batch.root, path, folderAt)) ? undefined : lookInPlace(localPath(batch.root, path), within);
    const findOne = async ({ id, path }: Item) => ({
      id,
      // If a folder above the file was replaced, the file now at the path is not the chosen one. A file in an archive
      // is not looked up. In both cases the ledger keeps the facts of the file, and the next attempt reports a change.
      onDisk: splitInner(path) ? undefined : await look(() => lookAt(path)),
    });
    const found = await mapAsync(chosen, findOne, { concurrency: LOOKS_AT_ONCE });
    await addRequeued(() => found.filter((file) => items.requeue(batch.id, file.id, file.onDisk)).length);
  };

  if (!ids) await addRequeued(() => replacedFiles.retry(batch.id));
  for (const group of chunk([...(ids ?? items.failedIds(batch.id))], GROUP_FILES)) await requeueGroup(group);
  return requeued;
};

/**
 * Reopens the batch if `queue` queues files. To be called in a commit. Ignores a batch that is being cancelled and, if
 * `wasActive`, one that has been paused or cancelled since.
 */
const reopen = ({ batches }: Ledger, batch: BatchRow, queue: () => number, wasActive: boolean): Requeued => {
  const { state, scanned, reason, uploadId } = batches.get(batch.id) ?? batch;
  if (isBeingCancelled({ reason }) || (wasActive && !isActive({ state }) && state !== 'finished')) return none;
  const files = queue();
  const reopened = files > 0 && !isActive({ state });
  if (reopened) {
    batches.setState(batch.id, scanned ? 'running' : 'scanning');
    batches.receiptAgain(uploadId);
  }
  return { files, reopened };
};

const PART_FILES = 64;
/**
 * The total size of the files in one part of a verification; the file that reaches this size is the last of its part.
 */
const PART_READ_BYTES = 256 * 1024 * 1024;

/**
 * Verifies a part of a batch's files, after the file with the id `after` (0: from the first). Resolves to the verdicts
 * and, unless this is the last part, the `after` of the next part as `next`.
 */
export const verifyPart = async (
  { ledger, open, timeouts: { idleMs } }: Pick<TransferContext, 'ledger' | 'open' | 'timeouts'>,
  batch: BatchRow,
  after: number,
  signal: AbortSignal,
): Promise<VerifiedPart> => {
  const found = ledger.items.after(batch.id, { afterId: after, limit: PART_FILES });
  const part = found.slice(0, countOfPart(found));
  const within = await inPatience(batch.root, realRootOf(batch), signal);

  const verify = async ({ path: below, state, removed, sizeBytes, sha256 }: Item): Promise<Verdict> => {
    throwIfCancelled(signal);
    if (removed) return 'removed';
    if ((state !== 'done' && state !== 'skipped') || sha256 === undefined) return 'not-uploaded';
    const path = localPath(batch.root, below);
    try {
      const onDisk = await inTime(lookInPlace(archiveOf(path), within), idleMs, signal);
      const there = splitInner(path) ? innerFacts(onDisk, sizeBytes) : onDisk;
      if (there.sizeBytes !== sizeBytes) return 'changed';
      // A file counts as unchanged if only its times have changed.
      const expected = { ...there, within };
      return (await hashInTime(open, path, expected, idleMs, signal)) === sha256 ? 'same' : 'changed';
    } catch (error) {
      throwIfCancelled(signal);
      if (!(error instanceof DeskError)) throw error;
      return VERDICTS[error.code] ?? 'unreadable';
    }
  };
  const verifyOne = async (item: Item): Promise<VerifiedFile> => {
    const { path, fileName: FileName, sizeBytes } = item;
    return { path, FileName, state: listedState(item), sizeBytes, verdict: await verify(item) };
  };

  const files = await mapAsync(part, verifyOne, { concurrency: READ_AT_ONCE });
  const last = part.at(-1);
  const isEnd = part.length === found.length && found.length < PART_FILES;
  return { files, ...(last && !isEnd && { next: last.id }) };
};

const countOfPart = (items: readonly Item[]): number => {
  let bytes = 0;
  for (const [index, { sizeBytes }] of items.entries()) {
    bytes += sizeBytes;
    if (bytes >= PART_READ_BYTES) return index + 1;
  }
  return items.length;
};

const READ_AT_ONCE = 4;

const VERDICTS: Partial<Record<ErrorCode, Verdict>> = {
  'upload/file-missing': 'missing',
  'upload/file-changed': 'changed',
  'upload/file-linked': 'changed',
};

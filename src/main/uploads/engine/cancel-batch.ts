/** Cancelling: files that never started are settled at once; those that may have arrived are removed from the assignment. */
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { cancellation } from '../../async/cancel.ts';
import { type RetryPolicy, retryWaitMs } from '../../async/retry.ts';
import type { BatchRow } from '../ledger/batches.ts';
import type { Item } from '../ledger/item-row.ts';
import { settleLost, takeBack } from '../transfer/remove-file.ts';
import { removeReplaced } from '../transfer/remove-replaced.ts';
import type { Job, TransferContext } from '../transfer/transfer-context.ts';
import { stopsBatch } from '../transfer/transfer-steps.ts';

/** How long cancelling may take in total. Files that could not be settled by then are uncertain. */
const PATIENCE_MS = 30_000;
/** Files settled in one commit, or read from the ledger at once. */
const CHUNK_FILES = 1000;
/** Files settled at the same time. */
const AT_ONCE = 8;
/** When a file whose last byte was sent without an answer is looked for again: a storage needs a moment to store it. */
const LATE_REMOVAL: RetryPolicy = { attempts: 4, firstMs: 500, growth: 2, longestMs: 4_000, jitter: false };

/**
 * Settles every open file of a batch that is not running, and closes the batch. A file whose transfer had started becomes
 * `cancelled` if its Key could be removed or cannot have arrived, otherwise `uncertain`. A file that has arrived still
 * replaces what it was meant to.
 * @throws DeskError errors that are not about a file: no session, ledger not writable, `closing` aborted. Open files then
 *   stay open, and cancelling can continue later.
 */
export const cancelBatch = async (context: TransferContext, batch: BatchRow, closing: AbortSignal): Promise<void> => {
  const { ledger, now } = context;
  const signal = AbortSignal.any([closing, AbortSignal.timeout(PATIENCE_MS)]);
  while ((await ledger.commit(() => ledger.items.cancelUntouched(batch.id, CHUNK_FILES, now()))) > 0);
  const replacing = (limit: number) => ledger.replacedFiles.pendingItems(batch.id, limit);
  /** Unless files were queued again at the last moment. */
  const closeIfSettled = (): boolean => {
    if (ledger.items.pending(batch.id, 1).length > 0 || replacing(1).length > 0) return false;
    settleLost(context, batch.id, 'fail');
    ledger.batches.setFinished(batch.id, 'cancelled', now());
    return true;
  };
  while (!(await ledger.commit(closeIfSettled))) {
    const left = ledger.items.pending(batch.id, CHUNK_FILES).values();
    const done = replacing(CHUNK_FILES).values();
    const settleSome = async (): Promise<void> => {
      for (const item of left) await settle(context, batch, item, signal);
      for (const id of done) await replace(context, batch, id, signal);
    };
    const settled = await Promise.allSettled(Array.from({ length: AT_ONCE }, settleSome));
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }
};

const settle = async (
  context: TransferContext,
  batch: BatchRow,
  { id, key, url }: Item,
  signal: AbortSignal,
): Promise<void> => {
  const { ledger, unanswered, now } = context;
  const remove = async (): Promise<boolean> => key === undefined || takeBack(context, batch, key, signal);
  try {
    if (!(await remove()) && unanswered.has(id)) await removeLate(context, remove, signal);
    unanswered.delete(id);
    await ledger.commit(() => ledger.items.cancelled(id, now()));
  } catch (thrown) {
    const failure = { state: 'uncertain', error: errorOfFile(thrown, signal), unclear: true } as const;
    const signature = { ...(key !== undefined && { key }), ...(url !== undefined && { url }) };
    await ledger.commit(() => ledger.items.failed(id, { ...failure, ...signature }, now()));
  }
};

/** Removes what the item replaces. What could not be removed in time stays. */
const replace = async (context: TransferContext, batch: BatchRow, id: number, signal: AbortSignal): Promise<void> => {
  const { items, replacedFiles, commit } = context.ledger;
  const item = items.get(id);
  if (!item) return;
  try {
    await removeReplaced(context, jobOf(batch, item, signal), false);
  } catch (thrown) {
    const error = errorOfFile(thrown, signal);
    await commit(() => {
      for (const { key, state } of replacedFiles.of(id)) if (state === 'pending') replacedFiles.failed(id, key, error);
    });
  }
};

/** Nobody sees how it proceeds, and it needs no slot. */
const jobOf = (batch: BatchRow, item: Item, signal: AbortSignal): Job => ({
  item,
  uploadId: batch.uploadId,
  batch: batch.id,
  nameTemplate: batch.nameTemplate,
  onClash: batch.onClash,
  root: batch.root,
  within: undefined,
  assignment: batch,
  onBytes: () => {},
  onWaiting: () => {},
  slot: { take: async () => {}, tryPark: () => undefined, park: () => async () => {}, release: () => {} },
  waitSignal: signal,
  signal,
});

/** What a failed removal means for its file. Throws errors that are not about the file. */
const errorOfFile = (thrown: unknown, signal: AbortSignal): ErrorData => {
  // The aborted call only knows that it was aborted; the signal knows why.
  const error = signal.aborted ? cancellation(signal) : thrown;
  if (!(error instanceof DeskError) || stopsBatch(error)) throw error;
  return toErrorData(error);
};

/** Removes a file that is stored after the first attempt to remove it. Errors: `upload/uncertain` if it does not appear. */
const removeLate = async (
  { sleep }: TransferContext,
  remove: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> => {
  for (let attempt = 1; attempt <= LATE_REMOVAL.attempts; attempt += 1) {
    await sleep(retryWaitMs(LATE_REMOVAL, attempt), signal);
    if (await remove()) return;
  }
  throw new DeskError('upload/uncertain', 'the storage may still store the file');
};

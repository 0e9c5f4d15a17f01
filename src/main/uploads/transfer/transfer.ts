/**
 * Transfers one file of the ledger: performs the steps of transfer-machine.ts with the service, the storage and the
 * disk, and records the end.
 */
import { DeskError, type ErrorCode, toErrorData } from '../../../contract/errors.ts';
import type { Item } from '../ledger/items.ts';
import { fileNameKey } from '../source/file-names.ts';
import { hashInTime, inTime, openInTime } from '../source/local-file.ts';
import { type Expected, lookInPlace, replacedFolder } from '../source/open-file.ts';
import { archiveOf, localPath, splitInner } from '../source/paths.ts';
import { assertFolder } from '../source/scan.ts';
import type { Proof } from '../storage/send-outcome.ts';
import { giveFreeName } from './names.ts';
import { takeBack } from './remove-file.ts';
import { removeReplaced } from './remove-replaced.ts';
import type { Job, TransferContext } from './transfer-context.ts';
import {
  afterSend,
  afterSettle,
  afterSign,
  begin,
  type End,
  type SignOutcome,
  type Transfer,
} from './transfer-machine.ts';
import { pause, refusedOrLater, send, settle, sign, stopsBatch, takeLock } from './transfer-steps.ts';

type Done = { readonly key: string; readonly proof: Proof };

/** What the file replaces is still to be removed. */
type DoneReplacing = { readonly isProven: boolean };

/** `replaces`: what the file replaces is still to be removed (`removeReplaced`), once other files have been sent. */
export type Settled =
  | { readonly state: 'done' | 'skipped'; readonly replaces?: true }
  | { readonly state: 'failed' | 'uncertain'; readonly error: DeskError };

/**
 * Sends one file, or finds out why that is impossible, and records the result in the ledger. Files that it replaces are
 * removed afterwards: immediately if the storage proved that it has the new one, otherwise together with those of the
 * whole batch.
 * @throws DeskError an error that is not about the file and stops its batch (no session, service unreachable for longer
 *   than the network's patience, the folder gone, ledger not writable), or `app/cancelled`. The item's row stays as it
 *   is, and a later run continues it.
 */
export const transferFile = async (context: TransferContext, job: Job): Promise<Settled> => {
  const outcome = await transferAs(context, job);
  if ('renamed' in outcome) return transferFile(context, { ...job, item: outcome.renamed });
  if (!('isProven' in outcome)) return outcome;
  if (!outcome.isProven) return { state: 'done', replaces: true };
  await removeReplaced(context, job, true);
  return { state: 'done' };
};

/** Sends the file under its current name, or renames it if another file has that name. */
const transferAs = async (
  context: TransferContext,
  job: Job,
): Promise<Settled | DoneReplacing | { readonly renamed: Item }> => {
  const { item, batch, signal } = job;
  const name = `${batch.connectionId} ${batch.assignmentId} ${fileNameKey(item.fileName)}`;
  const unlock = await takeLock(context, job, name, signal);
  let own = job;
  try {
    own = { ...job, item: await takeUnclearKey(context, job) };
    return (await meetNamesake(context, own)) ?? (await run(context, own));
  } catch (error) {
    if (!(error instanceof DeskError) || stopsBatch(error) || !error.code.startsWith('upload/')) throw error;
    const reason = LOST_WITH_FOLDER.has(error.code) ? await whyLost(context, job, error) : error;
    const { key, url, unclear } = own.item;
    return giveUp(context, own, { end: 'failed', error: reason, key, url, unclear });
  } finally {
    unlock();
  }
};

/** What a file fails with when its folder is gone or another one: a drive was unplugged, or a share disconnected. */
const LOST_WITH_FOLDER: ReadonlySet<ErrorCode> = new Set([
  'upload/file-missing',
  'upload/file-unreadable',
  'upload/file-changed',
]);

/**
 * `upload/folder-replaced` if a folder on the path to the file was replaced, otherwise `error`. Throws
 * `upload/folder-…` if the batch's own folder is gone or was replaced: then no other file of the batch can be read.
 */
const whyLost = async (
  { ledger, timeouts }: TransferContext,
  { batch: { id, root }, within, item, signal }: Job,
  error: DeskError,
): Promise<DeskError> => {
  const folderAt = (below: string) => ledger.batches.folderAt(id, below);
  const look = async (): Promise<string | undefined> => {
    await assertFolder({ root, realRoot: within, identity: folderAt('') });
    return replacedFolder(root, item.path, folderAt);
  };
  try {
    const path = await inTime(look(), timeouts.idleMs, signal);
    if (path === undefined) return error;
    return new DeskError('upload/folder-replaced', 'another folder took its place', {
      details: { path },
      cause: error,
    });
  } catch (thrown) {
    if (!(thrown instanceof DeskError) || thrown.code !== 'upload/stalled') throw thrown;
    return error;
  }
};

/**
 * A file whose Key is unclear fails once it is missing, and keeps the Key: removing that could delete the only copy. If it was only renamed
 * or moved, this item sends it, and its first step is to settle that Key, so that the assignment does not hold the file twice. Nothing is
 * lost, because the file is still there. Returns the item as it is then.
 */
const takeUnclearKey = async (context: TransferContext, { item, batch, within, signal }: Job): Promise<Item> => {
  const { ledger, unanswered, timeouts } = context;
  const former = item.key === undefined ? ledger.items.leftUnclear(item.id) : undefined;
  if (former?.identity === undefined || splitInner(former.path)?.inner !== splitInner(item.path)?.inner) return item;
  const found = await inTime(lookInPlace(archiveOf(localPath(batch.root, item.path)), within), timeouts.idleMs, signal);
  // One that got the number of a deleted file was created later than that.
  if ((found.identity?.bornMs ?? 0) > former.identity.changedMs) return item;
  if (!(await ledger.commit(() => ledger.items.takeKey(former, item.id)))) return item;
  const attempts = unanswered.get(former.id);
  if (attempts !== undefined) unanswered.set(item.id, attempts);
  unanswered.delete(former.id);
  return { ...item, key: former.key, unclear: true };
};

/**
 * Handles files with this name on the assignment. If one has the same content, this file is skipped; otherwise it
 * replaces them, is skipped as well, or is renamed, as the user chose.
 */
const meetNamesake = async (
  context: TransferContext,
  job: Job,
): Promise<Settled | { readonly renamed: Item } | undefined> => {
  const { ledger, open, timeouts } = context;
  const { item, batch, signal } = job;
  const namesakes = ledger.knownFiles.named(batch, item.fileName).filter(({ key }) => key !== item.key);
  if (namesakes.length === 0) return undefined;
  const twins = namesakes.filter(({ sizeBytes, sha256 }) => sizeBytes === item.sizeBytes && sha256 !== undefined);
  const sha256 =
    twins.length > 0
      ? await hashInTime(open, localPath(batch.root, item.path), expectedOf(job), timeouts.idleMs, signal)
      : undefined;
  const isThere = sha256 !== undefined && twins.some((twin) => twin.sha256 === sha256);
  const onClash = ledger.batches.onClashOf(batch, item.path);
  // Another file of this upload may have taken the name in the meantime; both must arrive.
  const isReplaceable = namesakes.every(({ uploadId }) => uploadId !== batch.uploadId);
  if (!isThere && onClash === 'replace' && isReplaceable) {
    const keys = namesakes.map(({ key }) => key);
    await ledger.commit(() => ledger.replacedFiles.plan(item.id, keys));
    return undefined;
  }
  if (item.unclear && item.key !== undefined) {
    // The file's own Key may already hold it under this name.
    try {
      await takeBack(context, batch, item.key, signal);
    } catch (thrown) {
      const { error } = refusedOrLater(thrown);
      return giveUp(context, job, { end: 'uncertain', error, key: item.key, url: item.url, unclear: true });
    }
  }
  if (!isThere && onClash !== 'skip') return { renamed: await giveFreeName(context, job) };
  await ledger.commit(() => {
    ledger.replacedFiles.plan(item.id, []);
    if (isThere) ledger.items.skipped(item.id, sha256, context.now());
    else ledger.items.nameTaken(item.id, context.now());
  });
  return { state: 'skipped' };
};

/** When the signature of an earlier run was made. */
const AGE_UNKNOWN = 0;

/** A file that waited longer for its slot is opened again, because it may have changed. */
const LONG_MS = 5_000;

const run = async (context: TransferContext, job: Job): Promise<Settled | DoneReplacing> => {
  const { item, batch, slot, signal } = job;
  const { open, timeouts, steady } = context;
  const opened = () => openInTime(open, localPath(batch.root, item.path), expectedOf(job), timeouts.idleMs, signal);
  let file = await opened();
  const openedAtMs = steady();
  let signedAtMs = AGE_UNKNOWN;
  let isBegun = false;
  const { items, replacedFiles } = context.ledger;
  const isReplacing = replacedFiles.of(item.id).length > 0;
  /** The oldest signature is used first, because its lifetime is unknown. */
  const takeSlot = async (): Promise<void> => {
    await slot.take(signedAtMs);
    isBegun = true;
    if (steady() - openedAtMs <= LONG_MS) return;
    const again = await opened();
    file.close().catch(() => {});
    file = again;
  };
  let mostBlocks = 0;
  /** Requests a signature, which may be of the blob that has the most blocks of the file. */
  const signed = async (now: Transfer & { step: 'sign' }): Promise<SignOutcome> => {
    const outcome = await sign(context, job, now);
    signedAtMs = steady();
    if (outcome.type !== 'signed') return outcome;
    const blocks = items.sentBlocks(item.id, outcome.url).size;
    const continues = blocks > mostBlocks;
    mostBlocks = Math.max(mostBlocks, blocks);
    return { ...outcome, continues };
  };
  try {
    let transfer = begin(item);
    while (transfer.step !== 'end') {
      const before = transfer;
      let isLater = false;
      if (transfer.step === 'sign') {
        transfer = afterSign(transfer, await signed(transfer));
      } else if (transfer.step === 'send') {
        if (!isBegun) await takeSlot();
        const outcome = await send(context, job, file, transfer, isReplacing);
        isLater = outcome.type === 'later';
        transfer = afterSend(transfer, outcome);
      } else transfer = afterSettle(transfer, await settle(context, job, transfer.key));
      if (transfer.step !== 'end' && (isLater || transfer.tries > before.tries))
        await pause(context, job, transfer.error, transfer.tries);
    }
    return transfer.end === 'done'
      ? await finish(context, job, transfer, isReplacing)
      : await giveUp(context, job, transfer);
  } catch (error) {
    await queueAgain(context, job);
    throw error;
  } finally {
    // Not awaited: a read from a drive that does not respond may never end.
    file.close().catch(() => {});
  }
};

/** Queues a file again that was signed ahead but not sent, because its batch pauses. */
const queueAgain = async ({ ledger }: TransferContext, { item, waitSignal, signal }: Job): Promise<void> => {
  // If the ledger cannot record it, the next run continues with the row as it is. A cancelled batch settles it.
  if (waitSignal.aborted && !signal.aborted)
    await ledger.commitLazily(() => ledger.items.unsigned(item.id)).catch(() => {});
};

const finish = async (
  { ledger, onRemoved, now }: TransferContext,
  { item, batch, slot }: Job,
  { key, proof }: Done,
  replaces: boolean,
): Promise<Settled | DoneReplacing> => {
  const { id: itemId, fileName, path, sizeBytes, modifiedMs } = item;
  const place = { root: batch.root, path };
  const { sha256, etag } = proof;
  const atMs = now();
  if (!replaces) slot.release();
  // A power cut may undo it; the file is then sent to the same Key once more. What it replaces must not be gone by
  // then.
  const commit = replaces ? ledger.commit : ledger.commitLazily;
  const gone = await commit(() => {
    ledger.items.done(item.id, sha256, etag, atMs, proof.isSound);
    if (replaces) ledger.replacedFiles.release(itemId, key);
    const file = { key, fileName, place, sizeBytes, modifiedMs, sha256, atMs, itemId };
    return ledger.knownFiles.uploaded(batch, file);
  });
  onRemoved?.(gone);
  return replaces ? { isProven: proof.isSound } : { state: 'done' };
};

const giveUp = async (
  { ledger, now }: TransferContext,
  { item }: Job,
  { error, end: state, key, url, unclear }: Omit<End, 'step'>,
): Promise<Settled> => {
  // While the host is away, failing files one by one would only use up the batch.
  if (error.details.phase === 'connect') throw error;
  await ledger.commit(() =>
    ledger.items.failed(item.id, { state, error: toErrorData(error), key, url, unclear }, now()),
  );
  return { state, error };
};

const expectedOf = ({ item, within }: Job): Expected => {
  const { sizeBytes, modifiedMs, identity } = item;
  return { sizeBytes, modifiedMs, identity, within };
};

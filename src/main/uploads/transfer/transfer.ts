/** Transfers one file: performs the steps of transfer-machine.ts, and records each send before its first byte. */
import { pick } from 'es-toolkit/object/pick';
import { DeskError, type ErrorCode, isBarredCode, isOutageCode, toErrorData } from '../../../contract/errors.ts';
import { cancellation } from '../../async/cancel.ts';
import { retryWaitMs } from '../../async/retry.ts';
import { lostOrigin } from '../../net/host-health.ts';
import { LONGEST_HOLD_MS } from '../../net/translate.ts';
import type { Item } from '../ledger/items.ts';
import type { Expected } from '../source/file-identity.ts';
import { fileNameKey } from '../source/file-names.ts';
import { hashInTime, inTime, type LocalFile, openInTime, wholeFile } from '../source/local-file.ts';
import { lookInPlace, replacedFolder } from '../source/open-file.ts';
import { archiveOf, localPath, splitInner } from '../source/paths.ts';
import { assertFolder } from '../source/scan.ts';
import { dialectOf, hasExpired } from '../storage/dialects.ts';
import type { Proof, SendOutcome } from '../storage/put-file.ts';
import { type BlockPlan, type BlockSizes, isInBlocks, putFile } from '../storage/put-file.ts';
import { signedUrl } from '../storage/signed-url.ts';
import { giveFreeName } from './names.ts';
import { isShared, mayStillArrive, removeOnce } from './remove-file.ts';
import type { Job, TransferContext } from './transfer-context.ts';
import {
  afterSend,
  afterSettle,
  afterSign,
  begin,
  type End,
  type Refusal,
  type SettleOutcome,
  type Signature,
  type SignOutcome,
  STEP_RETRY,
  type Transfer,
} from './transfer-machine.ts';

type Done = { readonly key: string; readonly proof: Proof };

/** How a file was settled. `replaces`: replaced files are still to be removed, immediately if `proven`. */
export type Settled =
  | { readonly state: 'done' | 'skipped'; readonly replaces?: 'proven' | 'unproven' }
  | { readonly state: 'failed' | 'uncertain'; readonly error: DeskError };

/**
 * Sends one file, skips it, or finds out why it cannot be sent, and records the result in the ledger.
 * @throws DeskError `app/cancelled`, or an error that stops the batch, such as a missing session, an unreachable
 *   service or a missing folder; a later run then continues the item
 */
export const transferFile = async (context: TransferContext, job: Job): Promise<Settled> => {
  const outcome = await transferAs(context, job);
  return 'renamed' in outcome ? transferFile(context, { ...job, item: outcome.renamed }) : outcome;
};

/**
 * Settles the file under its current name, or renames the item if that name is taken and the file is to get another
 * one.
 */
const transferAs = async (context: TransferContext, job: Job): Promise<Settled | { readonly renamed: Item }> => {
  const { item, batch } = job;
  const name = `${batch.connectionId} ${batch.assignmentId} ${fileNameKey(item.fileName)}`;
  using _name = await takeLock(context, job, name);
  let own = job;
  try {
    own = { ...job, item: await takeUnclearKey(context, job) };
    return (await meetNamesake(context, own)) ?? (await run(context, own));
  } catch (error) {
    if (!(error instanceof DeskError) || stopsBatch(error) || !error.code.startsWith('upload/')) throw error;
    const reason = LOST_WITH_FOLDER.has(error.code) ? await whyLost(context, job, error) : error;
    const { key, url, unclear } = own.item;
    return giveUp(context, own, { end: 'failed', error: reason, key, url, unclear });
  }
};

/** Errors of a file that may be due to a folder above it, for example because a drive was unplugged. */
const LOST_WITH_FOLDER: ReadonlySet<ErrorCode> = new Set([
  'upload/file-missing',
  'upload/file-unreadable',
  'upload/file-changed',
]);

/**
 * Resolves to `upload/folder-replaced` if a folder on the path to the file was replaced, otherwise to `error`. Throws
 * the error of `assertFolder` if the batch's own folder is gone or was replaced: then no file of the batch can be read.
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
 * Takes over the Key of another item of the same file, for example from before the file was renamed. That item failed,
 * although the storage may hold the file. The present item settles the Key before it sends the file, so that the
 * assignment does not get the file twice. Returns the item, unchanged if there is no such Key.
 */
const takeUnclearKey = async (context: TransferContext, { item, batch, within, signal }: Job): Promise<Item> => {
  const { ledger, unanswered, timeouts } = context;
  const former = item.key === undefined ? ledger.items.leftUnclear(item.id) : undefined;
  if (former?.identity === undefined || splitInner(former.path)?.inner !== splitInner(item.path)?.inner) return item;
  const found = await inTime(lookInPlace(archiveOf(localPath(batch.root, item.path)), within), timeouts.idleMs, signal);
  // A file created after the last change of the former item's file is another file: the file system reused the number
  // of a deleted file.
  if ((found.identity?.bornMs ?? 0) > former.identity.changedMs) return item;
  if (!(await ledger.commit(() => ledger.items.takeKey(former, item.id)))) return item;
  const attempts = unanswered.get(former.id);
  if (attempts !== undefined) unanswered.set(item.id, attempts);
  unanswered.delete(former.id);
  return { ...item, key: former.key, unclear: true };
};

/**
 * Handles files on the assignment that have this file's name. If one of them has the same content, this file is
 * skipped. Otherwise the user's choice decides, except that this file is renamed if it must not replace the others.
 * Resolves to undefined if the file is to be sent.
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
  // Another file of this upload may have taken the name in the meantime, and must not be replaced.
  const isReplaceable = namesakes.every(({ uploadId }) => uploadId !== batch.uploadId);
  if (!isThere && onClash === 'replace' && isReplaceable) {
    const keys = namesakes.map(({ key }) => key);
    await ledger.commit(() => ledger.replacedFiles.plan(item.id, keys));
    return undefined;
  }
  if (item.unclear && item.key !== undefined) {
    const failure = await settleEarlier(context, job, item.key);
    if (failure) return giveUp(context, job, { ...failure, url: item.url });
  }
  if (!isThere && onClash !== 'skip') return { renamed: await giveFreeName(context, job) };
  await ledger.commit(() => {
    ledger.replacedFiles.plan(item.id, []);
    if (isThere) ledger.items.skipped(item.id, sha256, context.now());
    else ledger.items.nameTaken(item.id, context.now());
  });
  return { state: 'skipped' };
};

/** Makes sure that no earlier attempt's file is stored under `key`. Resolves to the end of the transfer if that fails. */
const settleEarlier = async (context: TransferContext, job: Job, key: string): Promise<End | undefined> => {
  let transfer = begin({ key, url: undefined, unclear: true });
  while (transfer.step === 'settle') {
    transfer = afterSettle(transfer, await settleOwn(context, job, transfer));
    if (transfer.step === 'settle') await pause(context, job, transfer.error, transfer.tries);
  }
  return transfer.step === 'end' && transfer.end !== 'done' ? transfer : undefined;
};

/** The time of a signature from an earlier run, whose real time is unknown. Such a signature counts as the oldest. */
const AGE_UNKNOWN = 0;

/** If a file was opened longer than this before it gets its slot, it is opened again, because it may have changed. */
const LONG_MS = 5_000;

const run = async (context: TransferContext, job: Job): Promise<Settled> => {
  const { item, batch, slot, signal } = job;
  const { open, timeouts, steady } = context;
  const opened = () => openInTime(open, localPath(batch.root, item.path), expectedOf(job), timeouts.idleMs, signal);
  let file = await opened();
  const openedAtMs = steady();
  let signedAtMs = AGE_UNKNOWN;
  let isBegun = false;
  const { items, replacedFiles } = context.ledger;
  const isReplacing = replacedFiles.of(item.id).length > 0;
  /** Waits for a slot. The oldest signature comes first, because the lifetime of signatures may be unknown. */
  const takeSlot = async (): Promise<void> => {
    await slot.take(signedAtMs);
    isBegun = true;
    if (steady() - openedAtMs <= LONG_MS) return;
    const again = await opened();
    file.close().catch(() => {});
    file = again;
  };
  let mostBlocks = 0;
  /** Requests a signature. `continues`: the blob at the new URL has more blocks than any blob at an earlier URL. */
  const signed = async (now: Transfer & { step: 'sign' }): Promise<SignOutcome> => {
    const outcome = await sign(context, job, now);
    signedAtMs = steady();
    if (outcome.type !== 'signed') return outcome;
    // Only files of more than `aboveBytes` are sent in blocks.
    const blocks = item.sizeBytes > context.blockSizes.aboveBytes ? items.sentBlocks(item.id, outcome.url).size : 0;
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
      } else transfer = afterSettle(transfer, await settleOwn(context, job, transfer));
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

/** If the batch pauses, queues the file again if it was signed ahead but not sent. */
const queueAgain = async ({ ledger }: TransferContext, { item, waitSignal, signal }: Job): Promise<void> => {
  // If the ledger cannot record this, the next run continues with the row as it is. The file of an aborted transfer is
  // settled by the cancellation of the batch, or by the next run.
  if (waitSignal.aborted && !signal.aborted)
    await ledger.commitLazily(() => ledger.items.unsigned(item.id)).catch(() => {});
};

const finish = async (
  { ledger, onRemoved, now }: TransferContext,
  { item, batch, slot }: Job,
  { key, proof }: Done,
  replaces: boolean,
): Promise<Settled> => {
  const { sha256, etag } = proof;
  const atMs = now();
  if (!replaces) slot.release();
  // A power cut may undo a lazy commit; the file is then sent to the same Key once more. The replaced files are removed
  // after a commit that releases them, so a power cut must not undo that commit: it is fsynced.
  const commit = replaces ? ledger.commit : ledger.commitLazily;
  const gone = await commit(() => {
    ledger.items.done(item.id, sha256, etag, atMs, proof.isSound);
    if (replaces) ledger.replacedFiles.release(item.id, key);
    return ledger.knownFiles.overwritten(batch, item, key, atMs);
  });
  onRemoved?.(gone);
  return { state: 'done', ...(replaces && { replaces: proof.isSound ? 'proven' : 'unproven' }) };
};

const giveUp = async (
  { ledger, now }: TransferContext,
  { item }: Job,
  { error, end: state, key, url, unclear }: Omit<End, 'step'>,
): Promise<Settled> => {
  // While the host is unreachable, the batch stops: otherwise all of its files would fail one by one.
  if (error.details.phase === 'connect') throw error;
  await ledger.commit(() =>
    ledger.items.failed(item.id, { state, error: toErrorData(error), key, url, unclear }, now()),
  );
  return { state, error };
};

const expectedOf = ({ item, within }: Job): Expected => ({
  ...pick(item, ['sizeBytes', 'modifiedMs', 'identity']),
  within,
});

/** A request for a first signature is recorded if it takes longer than this, or fails; most responses arrive sooner. */
const SOON_MS = 250;

/**
 * Requests a signature. The request is recorded first if it replaces a dead URL, or if the item has a Key. Otherwise it
 * is recorded only if it takes a long time or fails, because an unused signature stores nothing.
 */
const sign = (
  context: TransferContext,
  job: Job,
  { resigned }: { readonly resigned: boolean },
): Promise<SignOutcome> => {
  const { items } = context.ledger;
  const { id, key, fileName } = job.item;
  const write = (startedMs: number): void => items.signing(id, startedMs);
  return requestSignature(context, job, fileName, { write, isFirst: !resigned && key === undefined });
};

/** Requests a signature for a check file. The request is not recorded, because it is not for the item's file. */
export const signCheck = (context: TransferContext, job: Job, fileName: string): Promise<SignOutcome> =>
  requestSignature(context, job, fileName, { write: () => {}, isFirst: true });

const requestSignature = (
  context: TransferContext,
  job: Job,
  FileName: string,
  record: { readonly write: (startedMs: number) => void; readonly isFirst: boolean },
): Promise<SignOutcome> =>
  reaching(context, job, THE_SERVICE, async () => {
    const { ledger, service, line, now } = context;
    const { batch, waitSignal, signal } = job;
    const { signing } = context.pools;
    const release = await signing.acquire(waitSignal);
    if (!release) throw cancellation(waitSignal);
    const startedMs = now();
    const write = (): void => record.write(startedMs);
    let late: NodeJS.Timeout | undefined;
    try {
      if (!record.isFirst) await ledger.commit(write);
      // If the ledger cannot be written, recording the send fails as well, and that error is reported.
      else late = setTimeout(() => ledger.commitLazily(write).catch(() => {}), SOON_MS);
      const request = { AssignmentId: batch.assignmentId, FileName };
      const begunMs = performance.now();
      const responded = line.request(batch.connectionId);
      const { Key, Url } = await service.signUpload(request, batch.subject, signal);
      signing.responded(performance.now() - begunMs);
      responded();
      // The service may reuse the Key of a file that a user has asked to remove. The removal would then remove the new
      // file.
      if (ledger.knownFiles.isBeingRemoved(batch, Key)) return { type: 'later', error: beingRemoved() };
      return { type: 'signed', key: Key, url: Url };
    } catch (error) {
      // Failed files need a start time, too, for reports.
      if (late !== undefined) ledger.commitLazily(write).catch(() => {});
      if (isOverload(error)) signing.overloaded();
      // A signature that could not be parsed is not used and stores nothing: another can be requested.
      if (error instanceof DeskError && error.code === 'service/malformed') return { type: 'later', error };
      return refusedOrLater(error);
    } finally {
      clearTimeout(late);
      release();
    }
  });

const beingRemoved = (): DeskError =>
  new DeskError('upload/being-removed', 'a file under the same Key is still to be removed', { retry: 'later' });

/** Sends the file, unless its URL is insecure, or has expired since an earlier run or during the wait for the host. */
const send = (
  context: TransferContext,
  job: Job,
  file: LocalFile,
  signature: Signature & { readonly isWhole?: boolean },
  isReplacing: boolean,
): Promise<SendOutcome> => {
  const { id, sizeBytes } = job.item;
  const { key, url, isWhole } = signature;
  const blockSizes = isWhole ? { ...context.blockSizes, aboveBytes: Number.POSITIVE_INFINITY } : context.blockSizes;
  const write = (inBlocks: boolean): void => context.ledger.items.sending(id, key, url, context.now(), { inBlocks });
  return sendContent(context, job, { file, sizeBytes, isReplacing, blockSizes, write }, signature);
};

/** Sends a check file, which is recorded as a file that the item has to remove. */
export const sendCheck = (
  context: TransferContext,
  job: Job,
  content: Buffer,
  signature: Signature,
): Promise<SendOutcome> => {
  const { id } = job.item;
  const write = (): void => void context.ledger.replacedFiles.addCheck(id, signature.key);
  const sending = { file: wholeFile(content), sizeBytes: content.length, isReplacing: false, write };
  return sendContent(context, job, { ...sending, blockSizes: context.blockSizes }, signature);
};

/** What is sent. `write` records the send in the ledger before the first byte is sent. */
type Sending = {
  readonly file: LocalFile;
  readonly sizeBytes: number;
  readonly isReplacing: boolean;
  readonly blockSizes: BlockSizes;
  readonly write: (inBlocks: boolean) => void;
};

/** The plan for the blocks of an item. Each further concurrent block takes a slot and memory, as another file would. */
const blockPlan = ({ ledger, pools }: TransferContext, blockSizes: BlockSizes, id: number, url: string): BlockPlan => ({
  ...blockSizes,
  sent: () => ledger.items.sentBlocks(id, url),
  // A power cut may undo the record; the block is then sent again.
  add: (block) => ledger.commitUnsynced(() => ledger.items.blockSent(id, url, block)),
  committing: () => ledger.commit(() => void ledger.items.committing(id)),
  clear: () => ledger.commitUnsynced(() => ledger.items.blocksLost(id)),
  tryLane: (bytes) => {
    const leave = pools.sending.tryAcquire();
    const memory = leave && pools.memory.tryReserve(bytes);
    if (leave && memory)
      return () => {
        leave();
        memory.reduceTo(0);
      };
    leave?.();
    return undefined;
  },
});

/**
 * A wait for a turn is reported only if it is at least this long. Shorter waits alternate with files being sent: if
 * each were reported, the upload would seem to stop and continue all the time.
 */
const REPORTED_TURN_MS = 5_000;

const sendContent = (
  context: TransferContext,
  job: Job,
  { file, sizeBytes, isReplacing, blockSizes, write }: Sending,
  { url: signed }: Signature,
): Promise<SendOutcome> => {
  const url = permitted(context, signed);
  if (url instanceof DeskError) return Promise.resolve({ type: 'refused', error: url });
  const dialect = dialectOf(url);
  return reaching(context, job, url.origin, async () => {
    const { ledger, storage: dispatcher, limit, gate, health, timeouts, now } = context;
    const { item, onBytes, onWaiting, waitSignal, signal } = job;
    const isFresh = !hasExpired(dialect, now());
    if (signed === item.url && !isFresh) return expired();
    const blocks = blockPlan(context, blockSizes, item.id, signed);
    await ledger.commit(() => write(isInBlocks(dialect, sizeBytes, blocks.aboveBytes)));
    const { host } = url;
    let isHeld = false;
    const onHeld = (reason: DeskError): void => {
      if (reason.details.paced && (reason.retryAfterMs ?? 0) < REPORTED_TURN_MS) return;
      isHeld = true;
      onWaiting(reason);
    };
    const calledMs = await gate
      .pass(host, { signal: waitSignal, onHeld })
      .finally(() => isHeld && onWaiting(undefined));
    // A URL that seemed expired before the wait is used nevertheless: if this computer's clock is wrong, a new URL may
    // also seem expired.
    if (isFresh && hasExpired(dialect, now())) return { ...expired(), free: true };
    await context.line.begins(url.origin, file.whole === undefined, waitSignal);
    const { responded: onResponse } = context.pools.sending;
    const requested = { dispatcher, url, dialect, file, sizeBytes, isReplacing, timeouts, waitSignal, signal, now };
    const put = { ...requested, limit, md5Origins: context.md5Origins, blocks, onBytes, onResponse };
    const outcome = await putFile(put).catch((error) => {
      remember(context, item.id, error);
      throw error;
    });
    if (outcome.type === 'stored') {
      context.unanswered.delete(item.id);
      gate.responded(host, calledMs);
      const takesBlocks = isInBlocks(dialect, blocks.aboveBytes + 1, blocks.aboveBytes);
      health.report({ side: 'storage', type: 'responded', host, takesBlocks });
      return outcome;
    }
    onBytes(0);
    refusedBy(context, host, outcome, calledMs);
    if (isOverload(outcome.error)) context.pools.sending.overloaded();
    if (outcome.type === 'unclear') remember(context, item.id, outcome.error);
    if (outcome.type === 'later' && outcome.error.retryAfterMs)
      hold(context, host, outcome.error.retryAfterMs, calledMs);
    return outcome;
  });
};

/**
 * Reports a response after which the file is not stored. The gate is told only about clear refusals: after another
 * response, such as that of a busy host, the gate must not let requests follow each other faster.
 */
const refusedBy = (
  { gate, health }: TransferContext,
  host: string,
  { type, error }: Exclude<SendOutcome, { readonly type: 'stored' }>,
  calledMs: number,
): void => {
  // A captive portal, which responds in place of the storage, also sends a status.
  if (error.details.status === undefined || lostOrigin(error) !== undefined) return;
  health.report({ side: 'storage', type: 'responded', host });
  if (type !== 'later' && type !== 'unclear') gate.responded(host, calledMs);
};

const hold = ({ gate, health, now }: TransferContext, host: string, ms: number, calledMs: number): void => {
  const reason = gate.hold(host, ms, calledMs);
  if (!reason || reason.details.paced) return;
  const atMs = now();
  const untilMs = atMs + (reason.retryAfterMs ?? ms);
  health.report({ side: 'storage', type: 'held', host, atMs, untilMs, reason: toErrorData(reason) });
};

/** The delay before a second removal of a Key: the storage may store an attempt's file after the first removal. */
const LATE_MS = 2_000;

/** Makes sure that the assignment does not hold the Key. */
export const clearKey = (context: TransferContext, job: Job, key: string): Promise<SettleOutcome> =>
  reaching(context, job, THE_SERVICE, async () => {
    const { unanswered, sleep } = context;
    const { item, batch, signal } = job;
    const remove = (): Promise<boolean> => removeOnce(context, batch, key, signal);
    try {
      if (mayStillArrive(context, item.id, await remove())) {
        await sleep(LATE_MS, signal);
        await remove();
      }
      unanswered.delete(item.id);
      return { type: 'settled' };
    } catch (error) {
      return refusedOrLater(error);
    }
  });

/**
 * Makes sure that the assignment does not hold the file of an earlier attempt. A Key that another file also has is not
 * removed: the next signature has the same Key, so the next attempt overwrites the earlier one. After a damaged attempt
 * the Key is removed nevertheless, because the other file has already been overwritten.
 */
const settleOwn = async (
  context: TransferContext,
  job: Job,
  { key, error }: Transfer & { step: 'settle' },
): Promise<SettleOutcome> =>
  error?.code !== 'upload/damaged' && isShared(context, job.batch, { id: job.item.id, key })
    ? { type: 'settled' }
    : clearKey(context, job, key);

// The waits: for a lock, for a host, and before another attempt.

/** The name of the service among the hosts of `reaching`. Only main knows the address of the service. */
const THE_SERVICE = 'service';

/**
 * Locks `key` until the returned function is called. Parks the job while it waits: the lock's holder may need the job's
 * slot.
 */
export const takeLock = async ({ lock }: TransferContext, { slot, waitSignal }: Job, key: string) => {
  const free = lock.tryTake(key);
  if (free) return free;
  const unpark = slot.park();
  const unlock = await lock.take(key, waitSignal);
  try {
    await unpark();
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
};

type StepOutcome = { readonly type: string; readonly error?: DeskError };

/**
 * Repeats `step` while its attempts do not count, because the host `to` is unreachable, interrupts every transfer, or
 * requested a pause of all callers. An unclear attempt that does not count may have stored the file, so its outcome is
 * returned, with `free`.
 */
const reaching = async <Outcome extends StepOutcome>(
  context: TransferContext,
  job: Job,
  to: string,
  step: () => Promise<Outcome>,
): Promise<Outcome> => {
  const { item, waitSignal, onWaiting } = job;
  for (;;) {
    const leave = await context.interruptions.turn(to, { id: item.id, waitSignal, onWaiting });
    let again = false;
    try {
      const outcome = await step();
      const isFree = await isWithoutBlame(context, job, to, outcome);
      if (!isFree) return outcome;
      again = true;
      if (outcome.type === 'unclear') return { ...outcome, free: true };
    } finally {
      leave(again);
    }
  }
};

/** Whether the attempt does not count. Waits if the host is unreachable or requested a pause. */
const isWithoutBlame = async (
  context: TransferContext,
  job: Job,
  to: string,
  { type, error }: StepOutcome,
): Promise<boolean> => {
  const { interruptions, health } = context;
  const { id } = job.item;
  const origin = error && lostOrigin(error);
  if (error === undefined || origin === undefined) {
    if (!isWithoutRequest(type, error)) interruptions.responded(to, id);
    if (error === undefined || type !== 'later' || !isPause(error)) return false;
    await pause(context, job, error, 0);
    return true;
  }
  if (type !== 'later' && type !== 'unclear') return false;
  const isPortal = error.code === 'network/captive-portal';
  if (error.details.phase === 'connect' && !isPortal) {
    await waitFor(context, job, origin, error);
    return true;
  }
  const failure = await health.failure(origin, job.waitSignal);
  // No probe can show that a captive portal is gone: it is recognised by the body of its response, and a response to a
  // probe has no body.
  if (!failure) return interruptions.lost(to, id, origin, isPortal ? error : undefined);
  // A lost connection explains little. The failure to open a new one explains more, for example that the proxy is gone.
  await waitFor(context, job, origin, failure);
  return true;
};

/** Whether the outcome is no evidence about the host: the file cannot be sent, or its URL had expired before a request. */
const isWithoutRequest = (type: string, error: DeskError | undefined): boolean =>
  type === 'unsendable' || (type === 'expired' && error?.details.status === undefined);

/** Waits as long as the host requested, or for the backoff after `tries` attempts. Frees the slot if possible. */
export const pause = async (
  { pause: sleep, now }: Pick<TransferContext, 'pause' | 'now'>,
  { slot, waitSignal, onWaiting }: Pick<Job, 'slot' | 'waitSignal' | 'onWaiting'>,
  error: DeskError | undefined,
  tries: number,
): Promise<void> => {
  const unpark = slot.tryPark();
  onWaiting(error?.retryAfterMs ? withEnd(error, now() + error.retryAfterMs) : 'retry');
  try {
    await sleep(error?.retryAfterMs ?? retryWaitMs(STEP_RETRY, tries), waitSignal);
    // The pause of the host is over, and the file waits only for its slot.
    onWaiting('retry');
    await unpark?.();
  } finally {
    onWaiting(undefined);
  }
};

/** The error with the end of the wait in its details: `until`, in ms since 1970. */
const withEnd = ({ code, message, retry, retryAfterMs, details, cause }: DeskError, until: number): DeskError =>
  new DeskError(code, message, { retry, retryAfterMs, details: { ...details, until }, cause });

/** Waits until the host at `origin` responds. Throws an error of phase `connect` once the patience is over. */
const waitFor = async (
  { health }: TransferContext,
  { waitSignal, onWaiting }: Job,
  origin: string,
  error: DeskError,
): Promise<void> => {
  const reason = unreachable(origin, error);
  onWaiting(reason);
  try {
    if (!(await health.waitFor(origin, reason, waitSignal))) throw reason;
  } finally {
    onWaiting(undefined);
  }
};

/**
 * The error of a host that cannot be reached. It names the host, the proxy if the proxy is to blame, and the code of
 * the system or of undici.
 */
const unreachable = (origin: string, { code, retryAfterMs, details, cause }: DeskError): DeskError =>
  new DeskError(isOutageCode(code) ? code : 'service/unreachable', 'the host cannot be reached', {
    retry: 'later',
    retryAfterMs,
    details: { ...pick(details, ['proxy', 'cause']), phase: 'connect', origin, host: new URL(origin).host },
    cause,
  });

/**
 * Whether the error means a pause of the whole host, and not a failure of the file: the host's gate holds requests
 * back, or the host requested a pause of the maximum length.
 */
const isPause = ({ code, details, retryAfterMs }: DeskError): boolean =>
  code === 'service/busy' && (details.held === true || retryAfterMs === LONGEST_HOLD_MS);

const remember = ({ unanswered }: TransferContext, id: number, error: unknown): void => {
  if (error instanceof DeskError && error.details.lastByte) unanswered.set(id, (unanswered.get(id) ?? 0) + 1);
};

const permitted = (context: TransferContext, signed: string): URL | DeskError => {
  try {
    return signedUrl(signed, context);
  } catch (error) {
    if (error instanceof DeskError) return error;
    throw error;
  }
};

const expired = () => ({
  type: 'expired' as const,
  error: new DeskError('upload/url-expired', 'the signed URL has expired'),
});

/** The outcome of a step that failed with an error of the service. Throws errors that stop the batch, and bugs. */
const refusedOrLater = (error: unknown): Refusal => {
  if (!(error instanceof DeskError) || stopsBatch(error)) throw error;
  return { type: error.retry === 'never' ? 'refused' : 'later', error };
};

const isOverload = (error: unknown): boolean => error instanceof DeskError && OVERLOAD.has(error.code);

const OVERLOAD: ReadonlySet<ErrorCode> = new Set([
  'service/busy',
  'service/timeout',
  'upload/stalled',
  'upload/unanswered',
]);

/** Whether an error stops the batch: a cancellation, or an error that every other file would have as well. */
export const stopsBatch = ({ code }: DeskError): boolean =>
  code === 'app/cancelled' ||
  code === 'upload/other-session' ||
  isBarredCode(code) ||
  /^(auth|keychain|vault|connection|data)\//.test(code);

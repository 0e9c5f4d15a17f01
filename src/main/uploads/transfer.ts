/**
 * Brings one file of the ledger to its end: does the steps of transfer-machine.ts against the service, the storage
 * and the disk, and writes the ledger before each step that the outside sees.
 */
import type { Dispatcher } from 'undici';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import type { UploadSignature } from '../../contract/resources.ts';
import type { Gate } from '../net/gate.ts';
import { backoffMs } from '../net/retry.ts';
import type { Sleep } from '../net/sleep.ts';
import { fileNameKey } from './file-names.ts';
import type { KeyedLock } from './keyed-lock.ts';
import type { Item } from './ledger/item-row.ts';
import type { Place } from './ledger/known-files.ts';
import type { Ledger } from './ledger/ledger.ts';
import { hashLocalFile, openLocalFile } from './local-file.ts';
import { localPath } from './local-path.ts';
import { putFile } from './put-file.ts';
import type { RateLimit } from './rate-limit.ts';
import { isNotFound, type RemovalService, removeFile, takeBack } from './remove-file.ts';
import {
  afterSend,
  afterSettle,
  afterSign,
  begin,
  type End,
  type Proof,
  type SendOutcome,
  type SettleOutcome,
  type SignOutcome,
  type Transfer,
} from './transfer-machine.ts';

/** The operations of the service that a transfer needs, each tried once: the transfer decides about again. */
export type UploadService = RemovalService & {
  readonly signUpload: (
    request: { readonly AssignmentId: string; readonly FileName: string },
    options: { readonly signal: AbortSignal },
  ) => Promise<UploadSignature>;
};

export type TransferContext = {
  readonly ledger: Ledger;
  readonly service: UploadService;
  readonly storage: Dispatcher;
  readonly gate: Gate;
  readonly limit: RateLimit;
  /** Shared by all transfers: two files for one name on one assignment must see each other's result. */
  readonly lock: KeyedLock;
  readonly sleep: Sleep;
  readonly now: () => number;
};

export type Job = {
  readonly item: Item;
  /** Absolute path of the batch's folder. */
  readonly root: string;
  readonly place: Place;
  readonly onBytes: (sentBytes: number) => void;
  readonly signal: AbortSignal;
};

type Done = { readonly key: string; readonly proof: Proof };

export type Settled =
  | { readonly state: 'done' | 'skipped' }
  | { readonly state: 'failed' | 'uncertain'; readonly error: DeskError };

/**
 * Sends one file, or finds out why not; the ledger tells the same as the answer.
 * @throws DeskError what is no fault of the file and stops its batch (no session, service unreachable, ledger not
 *   writable) or `app/cancelled`; the item then stays in the ledger as it stands, to be gone on with.
 */
export const transferFile = async (context: TransferContext, job: Job): Promise<Settled> => {
  const { item, place } = job;
  const unlock = await context.lock(
    `${place.connection} ${place.assignmentId} ${fileNameKey(item.fileName)}`,
    job.signal,
  );
  try {
    return (await skipTwin(context, job)) ?? (await run(context, job));
  } catch (error) {
    if (!(error instanceof DeskError) || !error.code.startsWith('upload/')) throw error;
    return giveUp(context, job, { step: 'end', end: 'failed', error, unclear: item.unclear, ...signatureOf(item) });
  } finally {
    unlock();
  }
};

/** Rule 7: the same content under the same name is already on the assignment. */
const skipTwin = async (context: TransferContext, job: Job): Promise<Settled | undefined> => {
  const { ledger } = context;
  const { item, place, signal } = job;
  const twins = ledger.knownFiles.twins(place, item.fileName, item.sizeBytes);
  if (twins.length === 0) return undefined;
  const sha256 = await hashLocalFile(localPath(job.root, item.path), item, signal);
  if (sha256 === undefined || !twins.includes(sha256)) return undefined;
  if (item.unclear && item.key !== undefined) {
    // This file's own Key may hold it a second time.
    try {
      await takeBack(context, place, item.key, signal);
    } catch (thrown) {
      const { error } = refusedOrLater(thrown);
      return giveUp(context, job, { step: 'end', end: 'uncertain', error, unclear: true, ...signatureOf(item) });
    }
  }
  await ledger.commit(() => ledger.items.skipped(item.id, sha256, context.now()));
  return { state: 'skipped' };
};

const run = async (context: TransferContext, job: Job): Promise<Settled> => {
  const { ledger } = context;
  const { item, onBytes, signal } = job;
  const file = await openLocalFile(localPath(job.root, item.path), item);

  const send = async (transfer: Transfer & { step: 'send' }): Promise<SendOutcome> => {
    await ledger.commit(() => ledger.items.sending(item.id, transfer.key, transfer.url));
    const { host } = new URL(transfer.url);
    await context.gate.pass(host, signal);
    const { storage: dispatcher, limit } = context;
    const { sizeBytes } = item;
    const outcome = await putFile({ dispatcher, url: transfer.url, file, sizeBytes, limit, onBytes, signal });
    if (outcome.type !== 'stored') onBytes(0);
    if (outcome.type === 'later' && outcome.error.retryAfterMs) context.gate.hold(host, outcome.error.retryAfterMs);
    return outcome;
  };

  try {
    let transfer = begin({ ...signatureOf(item), unclear: item.unclear });
    while (transfer.step !== 'end') {
      const before = transfer;
      if (transfer.step === 'sign') transfer = afterSign(transfer, await sign(context, job));
      else if (transfer.step === 'send') transfer = afterSend(transfer, await send(transfer));
      else transfer = afterSettle(transfer, await settle(context, job, transfer.key));
      if (transfer.step !== 'end' && transfer.tries > before.tries) await pause(context, job, transfer);
    }
    return transfer.end === 'done' ? await finish(context, job, transfer) : await giveUp(context, job, transfer);
  } finally {
    await file.close();
  }
};

const sign = async ({ ledger, service, now }: TransferContext, { item, place, signal }: Job): Promise<SignOutcome> => {
  await ledger.commit(() => ledger.items.signing(item.id, now()));
  try {
    const request = { AssignmentId: place.assignmentId, FileName: item.fileName };
    const { Key, Url } = await service.signUpload(request, { signal });
    return { type: 'signed', key: Key, url: Url };
  } catch (error) {
    // A signature that could not be read is not used, so it stores nothing: another can be asked for.
    if (error instanceof DeskError && error.code === 'service/malformed') return { type: 'later', error };
    return refusedOrLater(error);
  }
};

const settle = async (context: TransferContext, { place, signal }: Job, key: string): Promise<SettleOutcome> => {
  try {
    await removeFile(context, place, key, signal);
    return { type: 'settled' };
  } catch (error) {
    return isNotFound(error) ? { type: 'settled' } : refusedOrLater(error);
  }
};

const refusedOrLater = (error: unknown): { type: 'later' | 'refused'; error: DeskError } => {
  if (!(error instanceof DeskError) || stopsBatch(error)) throw error;
  return { type: error.retry === 'never' ? 'refused' : 'later', error };
};

/** Not the file's fault, and no file of the batch would fare better. */
const stopsBatch = ({ code }: DeskError): boolean =>
  code === 'app/cancelled' || /^(auth|keychain|vault|connection|data)\//.test(code);

const pause = async (
  { sleep }: TransferContext,
  { signal }: Job,
  { error, tries }: { error?: DeskError; tries: number },
) => {
  if (error?.retry !== 'now') await sleep(error?.retryAfterMs ?? backoffMs(tries, Math.random), signal);
};

const finish = async (
  { ledger, now }: TransferContext,
  { item, place }: Job,
  { key, proof }: Done,
): Promise<Settled> => {
  const { fileName, sizeBytes } = item;
  const { sha256, etag } = proof;
  const atMs = now();
  await ledger.commit(() => {
    ledger.items.done(item.id, sha256, etag, atMs);
    ledger.knownFiles.uploaded(place, { key, fileName, sizeBytes, sha256, atMs });
  });
  return { state: 'done' };
};

const giveUp = async ({ ledger, now }: TransferContext, { item }: Job, end: End): Promise<Settled> => {
  const { error, end: state, key, url, unclear } = end;
  // With nobody at the other end, giving up files one by one would only burn through the batch.
  if (error.details.phase === 'connect') throw error;
  const failure = {
    state,
    error: toErrorData(error),
    unclear,
    ...(key !== undefined && { key }),
    ...(url !== undefined && { url }),
  };
  await ledger.commit(() => ledger.items.failed(item.id, failure, now()));
  return { state, error };
};

const signatureOf = ({ key, url }: Item): { key?: string; url?: string } => ({
  ...(key !== undefined && { key }),
  ...(url !== undefined && { url }),
});

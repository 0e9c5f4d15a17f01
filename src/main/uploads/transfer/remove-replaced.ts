/**
 * Removes the files that an item replaces, once the item is done. If the storage did not prove that it has the new
 * file, the service has to list that file first. Only the response to a removal is such a list, so a check file is
 * uploaded to the assignment and removed.
 */
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { ReplacedFile } from '../ledger/items.ts';
import { clearKey, pause, sendCheck, signCheck, takeLock } from './transfer.ts';
import type { Job, TransferContext } from './transfer-context.ts';
import { afterLook, afterRemoval, beginRemoval, type LookOutcome } from './transfer-machine.ts';

/**
 * Removes the files that the job's item replaces, and its check files. A removal that fails is recorded, and the item
 * stays done. If the new file did not arrive, the replaced files stay. `isProven`: the storage proved that it has the
 * new file.
 * @throws DeskError errors that stop the batch, like those of `transferFile`; a later run continues the removals
 */
export const removeReplaced = async (context: TransferContext, job: Job, isProven: boolean): Promise<void> => {
  const { replacedFiles, commit } = context.ledger;
  const { id } = job.item;
  const next = (): ReplacedFile | undefined => replacedFiles.of(id).find(({ state }) => state === 'pending');
  for (let file = next(); file !== undefined; file = next()) {
    const { key, isCheck } = file;
    let removal = beginRemoval(isProven || isCheck);
    while (removal.step !== 'end') {
      removal =
        removal.step === 'look'
          ? afterLook(removal, await look(context, job))
          : afterRemoval(removal, await clearKey(context, job, key));
      if (removal.step !== 'end' && removal.error) await pause(context, job, removal.error, removal.tries);
    }
    const ended = removal;
    await commit(() => {
      if (ended.end === 'failed') replacedFiles.failed(id, key, toErrorData(ended.error));
      else replacedFiles[ended.end](id, key);
    });
  }
};

/** Finds out, if possible, whether the file of the job's item has arrived, and records the result in the ledger. */
export const confirmArrival = async (context: TransferContext, job: Job): Promise<void> => {
  let looking = beginRemoval(false);
  while (looking.step === 'look') {
    looking = afterLook(looking, await look(context, job));
    if (looking.step === 'look') await pause(context, job, looking.error, looking.tries);
  }
};

/**
 * Whether the service lists the job's file. The files of an assignment take turns, so that one list serves several of
 * them. A list may lag behind, so a file that it lacks is looked for once more when the file is older than `listLagMs`.
 */
const look = async (context: TransferContext, job: Job): Promise<LookOutcome> => {
  const { ledger, sleep, listLagMs, now } = context;
  const { item, batch, slot, waitSignal } = job;
  /** The outcome according to the lists read so far, which are in the ledger; undefined if it is still unknown. */
  const seen = (): LookOutcome | undefined => {
    const { state, removed, key = '' } = ledger.items.get(item.id) ?? {};
    if (state !== 'done' || removed) return { type: 'missing' };
    return ledger.knownFiles.isListed(batch, key) ? { type: 'there' } : undefined;
  };
  const key = `look ${batch.connectionId} ${batch.assignmentId}`;
  using _turn = await takeLock(context, job, key);
  const found = seen() ?? (await listFiles(context, job, seen));
  const ageMs = now() - (ledger.items.get(item.id)?.settledAtMs ?? 0);
  if (found.type !== 'later' || ageMs > listLagMs) return found;
  const unpark = slot.tryPark();
  await sleep(Math.min(listLagMs, listLagMs - ageMs + 1), waitSignal);
  await unpark?.();
  return seen() ?? (await listFiles(context, job, seen));
};

/** Tells users what the check file is, in case the app ends before it removes the file and never starts again. */
const CHECK_NAME = 'Inspection Desk check.txt';
const CHECK = Buffer.from('Inspection Desk checks with this file whether documents have arrived. It can be removed.\n');

/**
 * Gets a list of the assignment's files, which only the response to a removal contains. Removes the check file of an
 * earlier attempt or, without one, a new Key under which nothing is stored. If the response does not show whether the
 * new file arrived, sends a check file and removes it.
 */
const listFiles = async (
  context: TransferContext,
  job: Job,
  seen: () => LookOutcome | undefined,
): Promise<LookOutcome> => {
  const { replacedFiles, knownFiles, commit } = context.ledger;
  const { id } = job.item;
  let key = replacedFiles.of(id).find(({ isCheck, state }) => isCheck && state === 'pending')?.key;
  let error = new DeskError('upload/unproven', 'the service does not list the files', { retry: 'later' });
  if (key === undefined) {
    const signed = await signCheck(context, job, CHECK_NAME);
    if (signed.type !== 'signed') return signed;
    // If the service reuses the Key of a document, removing that Key would remove the document.
    if (knownFiles.addedAtMs(job.batch, signed.key) !== undefined) return { type: 'refused', error };
    // Some services return the list even if nothing is stored under the Key. This removal also shows whether the
    // service permits removals: if not, no check file is sent.
    const unused = await clearKey(context, job, signed.key);
    const found = seen();
    if (found) return found;
    if (unused.type !== 'settled') return unused;
    const sent = await sendCheck(context, { ...job, onBytes: () => {} }, CHECK, signed);
    if (sent.type !== 'stored') ({ error } = sent);
    ({ key } = signed);
  }
  const check = key;
  const removed = await clearKey(context, job, check);
  if (removed.type !== 'settled') return removed;
  await commit(() => replacedFiles.removed(id, check));
  return seen() ?? { type: 'later', error };
};

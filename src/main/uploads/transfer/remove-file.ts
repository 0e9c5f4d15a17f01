/** Removes a file from an assignment, and records the other files that the service's response lists. */

import { DeskError } from '../../../contract/errors.ts';
import type { AssignmentFiles } from '../../../contract/resources.ts';
import { withRetry } from '../../async/retry.ts';
import type { Target, TransferContext } from './transfer-context.ts';

type Removal = Pick<TransferContext, 'ledger' | 'service' | 'onRemoved' | 'now' | 'listLagMs'>;

/**
 * Removes `key` from the assignment. Resolves to the remaining files; undefined if the service does not list them.
 * Errors: those of `UploadService`, `data/…`. After `service/not-found`, the file is removed from the ledger, too.
 */
export const removeFile = async (
  { ledger, service, onRemoved, now, listLagMs }: Removal,
  assignment: Target,
  key: string,
  signal?: AbortSignal,
  isUrgent = false,
): Promise<AssignmentFiles | undefined> => {
  const { assignmentId, subject } = assignment;
  const askedMs = now();
  const removed = (): readonly number[] => ledger.knownFiles.removed(assignment, key, now());
  try {
    const request = { AssignmentId: assignmentId, Key: key, isUrgent };
    const response = await service.removeFile(request, subject, signal);
    const changed = await ledger.commit(() => [
      ...removed(),
      ...(response ? ledger.knownFiles.listed(assignment, response, askedMs, now(), listLagMs) : []),
    ]);
    onRemoved?.(changed);
    return response;
  } catch (error) {
    if (isNotFound(error)) onRemoved?.(await ledger.commit(removed));
    throw error;
  }
};

/** Removes `key`. Resolves to false if the service does not know the Key. Other errors: those of `removeFile`. */
export const removeOnce = async (
  context: Removal,
  assignment: Target,
  key: string,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    await removeFile(context, assignment, key, signal);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return false;
  }
};

/**
 * Removes the file that an attempt to upload the item `id` may have stored under `key`; retries if that fails. Resolves
 * to whether a file was removed: not if the service does not know the Key, nor if another file has it. Errors: those of
 * `removeOnce`.
 */
export const takeBack = async (
  context: Removal & Pick<TransferContext, 'sleep'>,
  assignment: Target,
  { id, key }: { readonly id: number; readonly key: string },
  signal: AbortSignal,
): Promise<boolean> => {
  if (isShared(context, assignment, { id, key })) return false;
  return withRetry(() => removeOnce(context, assignment, key, signal), { signal, sleep: context.sleep });
};

/**
 * Whether another file has the Key of the item `id`, because the service reuses Keys, for example for files of the same
 * name. A removal of the Key would remove the other file, which may not have been overwritten.
 */
export const isShared = (
  { ledger }: Pick<TransferContext, 'ledger'>,
  assignment: Target,
  { id, key }: { readonly id: number; readonly key: string },
): boolean =>
  ledger.replacedFiles.of(id).some((replaced) => replaced.key === key && !replaced.isCheck) ||
  ledger.knownFiles.isOfAnother(assignment, key, id);

/**
 * Queues the lost files of the batch again; a file that was lost too often fails. With `fail`, all lost files fail, and
 * so does every file that the last list lacked. Returns the ids of the failed items. To be called in a commit.
 */
export const settleLost = (
  { ledger, unanswered, now }: Pick<TransferContext, 'ledger' | 'unanswered' | 'now'>,
  batch: string,
  how: 'send again' | 'fail',
): readonly number[] =>
  ledger.knownFiles.takeLost(batch, how === 'fail').flatMap(({ item, isKeyTaken }) => {
    ledger.items.lost(item, { keepsKey: !isKeyTaken, again: how === 'send again' }, now());
    // The file may still arrive late, so it counts as an attempt without a response. The count is set, not increased,
    // because a commit may run twice.
    if (!isKeyTaken && !unanswered.has(item)) unanswered.set(item, 1);
    return ledger.items.get(item)?.state === 'failed' ? [item] : [];
  });

/** Whether the file of an attempt at the item may still arrive. `isRemoved`: the file of one attempt was removed. */
export const mayStillArrive = (
  { unanswered }: Pick<TransferContext, 'unanswered'>,
  id: number,
  isRemoved: boolean,
): boolean => (unanswered.get(id) ?? 0) > Number(isRemoved);

const isNotFound = (error: unknown): boolean => error instanceof DeskError && error.code === 'service/not-found';

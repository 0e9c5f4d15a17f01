/** Removes the files that an item replaces, once it is done: the last step of a replacement. */
import { toErrorData } from '../../../contract/errors.ts';
import type { Job, TransferContext } from './transfer-context.ts';
import { afterRemoval, beginRemoval } from './transfer-machine.ts';
import { pause, settle } from './transfer-steps.ts';

/**
 * Removes what the item of the job replaces, one file after another. A file that the service does not remove is recorded
 * with the reason; the item stays done.
 * @throws DeskError errors that stop the batch, as in `transferFile`; a later run continues.
 */
export const removeReplaced = async (context: TransferContext, job: Job): Promise<void> => {
  const { replacedFiles, commit } = context.ledger;
  const { id } = job.item;
  for (const { key, state } of replacedFiles.of(id)) {
    if (state !== 'pending') continue;
    let removal = beginRemoval(key);
    while (removal.step === 'remove') {
      removal = afterRemoval(removal, await settle(context, job, key));
      if (removal.step === 'remove') await pause(context, job, removal.error, removal.tries);
    }
    const { error } = removal;
    await commit(() =>
      error === undefined ? replacedFiles.removed(id, key) : replacedFiles.failed(id, key, toErrorData(error)),
    );
  }
};

/** Changes of a whole upload: of all its batches that allow them. */

import { DeskError } from '../../../contract/errors.ts';
import { type Batch, hasEnded, isActive, isBeingCancelled } from '../../../contract/uploads.ts';

type Change = (batch: string) => Promise<Batch>;

type BatchChanges = Readonly<Record<'pause' | 'resume' | 'cancel' | 'retryFailed' | 'addLater', Change>> & {
  readonly batchesOf: (uploadId: string) => readonly Batch[];
};

/** Each resolves when all batches have changed; errors are those of the change of a batch, of the first that failed. */
export type WholeUpload = Readonly<
  Record<'pauseAll' | 'resumeAll' | 'cancelAll' | 'retryAllFailed' | 'addAllLater', (uploadId: string) => Promise<void>>
>;

/** The changes of whole uploads, made of those of their batches. */
export const createWholeUpload = ({ batchesOf, ...change }: BatchChanges): WholeUpload => {
  const each = async (uploadId: string, is: (batch: Batch) => boolean, changeOne: Change): Promise<void> => {
    const changes = batchesOf(uploadId)
      .filter(is)
      .map(({ batchId }) => changeOne(batchId).catch(unlessChanged));
    for (const one of await Promise.allSettled(changes)) if (one.status === 'rejected') throw one.reason;
  };
  return {
    pauseAll: (id) => each(id, isActive, change.pause),
    resumeAll: (id) => each(id, (batch) => batch.state === 'paused' && !isBeingCancelled(batch), change.resume),
    cancelAll: (id) => each(id, (batch) => !hasEnded(batch), change.cancel),
    retryAllFailed: (id) =>
      each(id, (batch) => batch.failed + (batch.notReplaced ?? 0) > 0 && !isBeingCancelled(batch), change.retryFailed),
    addAllLater: (id) => each(id, ({ leftOut }) => (leftOut.later ?? 0) > 0, change.addLater),
  };
};

/** A batch may finish, or be changed by itself, before its turn comes. */
const unlessChanged = (error: unknown): void => {
  if (!(error instanceof DeskError) || error.code !== 'upload/batch-state') throw error;
};

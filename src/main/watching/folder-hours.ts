/** Batches of watched folders follow the hours of their folder, also when these change. */

import { DeskError } from '../../contract/errors.ts';
import { type Batch, hasEnded, isHeldBack } from '../../contract/uploads.ts';
import { isBelow } from './open-folder.ts';
import type { WatchedUploads } from './watched-parts.ts';
import type { FolderRow } from './watched-store.ts';

type FolderHoursOptions = {
  readonly uploads: Pick<WatchedUploads, 'present' | 'resume' | 'setSchedule'>;
  readonly folders: () => readonly FolderRow[];
};

/** Errors of all: none, where a batch changed meanwhile; the next look decides again. */
type FolderHours = {
  /** Gives batches the hours that their folder has now. */
  readonly align: () => Promise<void>;
  /** Resumes what waits for the hours of a folder; they do not hold it back until they have begun again. */
  readonly overrule: (folder: FolderRow) => Promise<void>;
  /** The folder is not watched any more: its batches are sent at any time. */
  readonly release: (folder: FolderRow) => Promise<void>;
};

export const createFolderHours = ({ uploads, folders }: FolderHoursOptions): FolderHours => {
  const batchesOf = ({ id, root }: FolderRow): readonly Batch[] =>
    uploads
      .present()
      .filter(
        (batch) =>
          batch.schedule?.watchedId === id && !hasEnded(batch) && (batch.root === root || isBelow(root, batch.root)),
      );
  const setHours = async (folder: FolderRow, hours: FolderRow['hours']): Promise<void> => {
    for (const { batchId, schedule } of batchesOf(folder)) {
      if (!schedule || JSON.stringify(schedule.hours) === JSON.stringify(hours)) continue;
      await uploads.setSchedule(batchId, { ...schedule, hours }).catch(unlessChanged);
    }
  };
  return {
    align: async () => {
      for (const folder of folders()) await setHours(folder, folder.hours);
    },
    overrule: async (folder) => {
      const held = batchesOf(folder).filter(isHeldBack);
      await Promise.all(held.map(({ batchId }) => uploads.resume(batchId).catch(unlessChanged)));
    },
    release: (folder) => setHours(folder, []),
  };
};

const unlessChanged = (error: unknown): void => {
  if (!(error instanceof DeskError)) throw error;
};

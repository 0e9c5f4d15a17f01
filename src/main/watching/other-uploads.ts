/** Uploads that were not started by a watched folder but take files of it, such as those of a draft. */
import { join } from 'node:path';
import type { Batch } from '../../contract/uploads.ts';
import { isBelow, type OpenFolder, overlaps } from './open-folder.ts';
import type { TakenVersion, WatchedUploads } from './watched-parts.ts';
import type { TakenFile } from './watched-store.ts';

type OtherUploadsOptions = {
  readonly uploads: Pick<WatchedUploads, 'present' | 'versions'>;
  readonly folders: () => readonly OpenFolder[];
  readonly take: (folder: OpenFolder, files: readonly TakenFile[]) => void;
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
};

export type OtherUploads = {
  /** These batches are the watched folders' own. */
  readonly own: (batches: readonly Batch[]) => void;
  /** Records the versions of files that a batch took, once all of them are known: a newer one is still to be sent. */
  readonly see: (batch: Batch) => Promise<void>;
  /** Whether an upload may be about to take the file at this absolute path: it is left to it. */
  readonly mayTake: () => (path: string) => boolean;
};

/** No upload has been seen. */
export const createOtherUploads = ({ uploads, folders, take, inTurn }: OtherUploadsOptions): OtherUploads => {
  const seen = new Set<string>();
  const taking = new Set<string>();

  const takeFiles = async ({ batchId, root, AssignmentId }: Batch): Promise<void> => {
    const touched = folders().filter(({ row }) => overlaps(row.root, root));
    if (touched.length === 0) return;
    const taken = new Map<string, TakenVersion>();
    for await (const version of uploads.versions(batchId)) taken.set(join(root, version.path), version);
    for (const folder of touched) {
      const files = folder.watch.complete().filter(({ path, facts }) => {
        const version = taken.get(join(folder.row.root, path));
        if (version?.sizeBytes !== facts.sizeBytes || version.modifiedMs !== facts.modifiedMs) return false;
        // Another version with the same size and time is sent, too.
        return version.identity === undefined || version.identity.changedMs === facts.changedMs;
      });
      if (files.length > 0) {
        take(
          folder,
          files.map((file) => ({ ...file, assignmentId: AssignmentId, batch: batchId })),
        );
      }
    }
  };

  return {
    own: (batches) => {
      for (const { batchId } of batches) seen.add(batchId);
    },
    see: async (batch) => {
      const { batchId, state } = batch;
      if (seen.has(batchId) || (state !== 'running' && state !== 'finished')) return;
      seen.add(batchId);
      taking.add(batchId);
      try {
        await inTurn(() => takeFiles(batch));
      } catch (error) {
        seen.delete(batchId);
        throw error;
      } finally {
        taking.delete(batchId);
      }
    },
    mayTake: () => {
      const roots = uploads
        .present()
        .filter(({ batchId, state }) => taking.has(batchId) || (state === 'scanning' && !seen.has(batchId)))
        .map(({ root }) => root);
      return (path) => roots.some((root) => isBelow(root, path));
    },
  };
};

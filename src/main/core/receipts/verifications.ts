/** Results of comparing uploads with the files on this computer, for receipts and for sending files again. */
import { join } from 'node:path';
import type { VerifiedPart } from '../../../contract/uploads.ts';
import type { Verified } from '../../uploads/receipts/write-receipt.ts';
import { archiveOf } from '../../uploads/source/paths.ts';

/**
 * A file that can be sent again. `path`: below the folder of the upload; `isNewVersion`: whether an earlier version of
 * it was uploaded under a name of its own.
 */
type FileToSend = { readonly path: string; readonly isNewVersion: boolean };

type Verification = Verified & { readonly toSend: readonly FileToSend[] };

/**
 * Returns sources for sending files again: one for each folder on the disk that contains some of the files, or the
 * archives that they are in. `root`: the folder of their batch.
 */
export const sourcesToSend = (root: string, toSend: readonly FileToSend[]) => {
  const slashAt = (path: string): number => archiveOf(path).lastIndexOf('/');
  const namesOf = (files: readonly FileToSend[]) => files.map(({ path }) => path.slice(slashAt(path) + 1));
  const folders = Map.groupBy(toSend, ({ path }) => path.slice(0, Math.max(0, slashAt(path))));
  return [...folders].map(([folder, files]) => ({
    root: join(root, folder),
    only: namesOf(files),
    replaces: namesOf(files.filter(({ isNewVersion }) => isNewVersion)),
  }));
};

/** Creates a store of the last complete comparison of each batch, in memory only. */
export const createVerifications = () => {
  const done = new Map<string, Verification>();
  /** The latest comparison of each batch, until it is complete. `next`: the value of `after` for its next part. */
  const begun = new Map<string, { files: number; same: number; toSend: FileToSend[]; next: number }>();
  return {
    /**
     * To be called with each part. A part with `after` 0 begins a new comparison. If the window and a command compare
     * the same batch at the same time, the part that comes first continues the comparison.
     */
    add: (batchId: string, after: number, part: VerifiedPart, atMs: number): void => {
      const sum = after === 0 ? { files: 0, same: 0, toSend: [], next: 0 } : begun.get(batchId);
      if (sum?.next !== after) return;
      for (const { verdict, path, state } of part.files) {
        // Files that were removed from the assignment are not compared.
        if (verdict !== 'removed') sum.files += 1;
        if (verdict === 'same') sum.same += 1;
        const isChanged = verdict === 'changed';
        // A skipped file shares its name with another file, which must stay.
        if (isChanged || verdict === 'not-uploaded')
          sum.toSend.push({ path, isNewVersion: isChanged && state === 'done' });
      }
      const { next: _, ...compared } = sum;
      begun.delete(batchId);
      if (part.next === undefined) done.set(batchId, { ...compared, atMs });
      else begun.set(batchId, { ...compared, next: part.next });
    },
    of: (batchId: string): Verification | undefined => done.get(batchId),
  };
};

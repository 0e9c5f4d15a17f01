/** Results of comparing uploads with the files on this computer, for receipts and for sending files again. */
import { join } from 'node:path';
import type { VerifiedPart } from '../../../contract/uploads.ts';
import type { Verified } from '../../uploads/receipts/write-receipt.ts';
import { archiveOf } from '../../uploads/source/paths.ts';
import type { Source } from '../../uploads/source/scan.ts';

type Verification = Verified & {
  /** The files that can be sent again, by their paths below the folder of the upload. */
  readonly toSend: readonly string[];
};

/**
 * Returns sources for sending files again: one for each folder on the disk that contains some of the files, or the
 * archives that they are in. `toSend`: the paths of the files below `root`, the folder of their batch.
 */
export const sourcesToSend = (root: string, toSend: readonly string[]): readonly Source[] => {
  const slashAt = (path: string): number => archiveOf(path).lastIndexOf('/');
  return [...Map.groupBy(toSend, (path) => path.slice(0, Math.max(0, slashAt(path))))].map(([folder, paths]) => ({
    root: join(root, folder),
    only: paths.map((path) => path.slice(slashAt(path) + 1)),
  }));
};

/** Creates a store of the last complete comparison of each batch, in memory only. */
export const createVerifications = () => {
  const done = new Map<string, Verification>();
  /** The latest comparison of each batch, until it is complete. `next`: the value of `after` for its next part. */
  const begun = new Map<string, { files: number; same: number; toSend: string[]; next: number }>();
  return {
    /**
     * To be called with each part. A part with `after` 0 begins a new comparison. If the window and a command compare
     * the same batch at the same time, the part that comes first continues the comparison.
     */
    add: (batchId: string, after: number, part: VerifiedPart, atMs: number): void => {
      const sum = after === 0 ? { files: 0, same: 0, toSend: [], next: 0 } : begun.get(batchId);
      if (sum?.next !== after) return;
      for (const { verdict, path } of part.files) {
        // Files that were removed from the assignment are not compared.
        if (verdict !== 'removed') sum.files += 1;
        if (verdict === 'same') sum.same += 1;
        if (verdict === 'changed' || verdict === 'not-uploaded') sum.toSend.push(path);
      }
      const { next: _, ...compared } = sum;
      begun.delete(batchId);
      if (part.next === undefined) done.set(batchId, { ...compared, atMs });
      else begun.set(batchId, { ...compared, next: part.next });
    },
    of: (batchId: string): Verification | undefined => done.get(batchId),
  };
};

/** Which complete files of a watched folder are sent together, and from where. Pure. */
import { type CompleteFile, type FoundFile, folderOf } from './pending-files.ts';

/** Files of one folder that go to the same assignment, as one batch. `folder`: below the watched one, with `/`. */
export type Portion = { readonly folder: string; readonly assignmentId: string; readonly files: readonly FoundFile[] };

/** Complete files by their folders. */
export const byFolder = <T extends FoundFile>(files: readonly T[]): ReadonlyMap<string, readonly T[]> =>
  Map.groupBy(files, ({ path }) => folderOf(path));

/**
 * Whether the files of a job are sent now: as soon as no other file of it is being written, or when one has waited for
 * `gatherMs`. Otherwise each file of a folder that is being copied would become an upload.
 */
export const isGathered = (
  files: readonly CompleteFile[],
  isUnsettled: boolean,
  { nowMs, gatherMs }: { readonly nowMs: number; readonly gatherMs: number },
): boolean => !isUnsettled || files.some(({ completeAtMs }) => nowMs - completeAtMs >= gatherMs);

/** The name of a file, the last part of its path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

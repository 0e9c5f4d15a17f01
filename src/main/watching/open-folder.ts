/** A watched folder while a user is signed in, and the assignments of its files. */
import { basename, join, sep } from 'node:path';
import type { DeskError } from '../../contract/errors.ts';
import type { FolderWatch } from './folder-watch.ts';
import { type CompleteFile, type FoundFile, folderOf, jobOf } from './pending-files.ts';
import type { FolderRow, WatchedStore } from './watched-store.ts';

export type OpenFolder = {
  row: FolderRow;
  readonly watch: FolderWatch;
  /** The assignments that its folders were matched with; undefined: the user has to choose. */
  readonly matched: Map<string, string | undefined>;
  /** Paths of files that the user sends outside the hours; later versions of these files wait for the hours. */
  now: Set<string>;
  problem: DeskError | undefined;
  sentAtMs: number | undefined;
};

/**
 * Files of a folder, by the folder's absolute path and their names; or a whole folder. `realRoot`: its path without
 * links.
 */
export type WatchedSource = {
  readonly root: string;
  readonly realRoot?: string | undefined;
  readonly only?: readonly string[];
};

/**
 * A folder to be matched with an assignment. `path`: from the name of the watched folder on, with `/`; `rootPath`: where
 * the watched folder lies; `fileNames`: the names of some of its files.
 */
export type JobFolder = {
  readonly path: string;
  readonly rootPath: string;
  readonly fileNames: readonly string[];
};

/** Returns the assignment of each folder; undefined where it is not certain. */
export type MatchFolders = (
  folders: readonly JobFolder[],
  signal: AbortSignal,
) => Promise<readonly (string | undefined)[]>;

/** The maximum number of file names used to match a folder. */
const MOST_NAMES = 20;

/** The prefix of the keys of files directly in the watched folder: each is matched separately, not with its folder. */
const LOOSE = './';

/** The key for matching a file: its folder, or the file itself. */
const keyOf = (path: string): string => folderOf(path) || `${LOOSE}${path}`;

/** The assignment of a file; undefined if it was not matched yet, or the user has to choose. */
export const targetOf = ({ row, matched }: OpenFolder, path: string): string | undefined =>
  row.assignmentId ?? matched.get(keyOf(path));

/** Whether the user has to choose the assignment of a file. */
export const waitsForMatch = (folder: OpenFolder, { path }: FoundFile): boolean =>
  folder.row.assignmentId === undefined && folder.matched.has(keyOf(path)) && targetOf(folder, path) === undefined;

/** Matches folders that were not matched yet; returns their files. */
export const matchFiles = async (
  { row, matched }: OpenFolder,
  files: readonly CompleteFile[],
  match: MatchFolders,
  signal: AbortSignal,
): Promise<readonly CompleteFile[]> => {
  if (row.assignmentId !== undefined) return [];
  const unknown = [...Map.groupBy(files, ({ path }) => keyOf(path))].filter(([key]) => !matched.has(key));
  if (unknown.length === 0) return [];
  const name = basename(row.root);
  const assignments = await match(
    unknown.map(([key, group]) => ({
      path: key.startsWith(LOOSE) ? name : `${name}/${key}`,
      rootPath: row.root,
      fileNames: group.slice(0, MOST_NAMES).map(({ path }) => nameOf(path)),
    })),
    signal,
  );
  for (const [index, [key]] of unknown.entries()) matched.set(key, assignments[index]);
  return unknown.flatMap(([, group]) => group);
};

/** Discards the record of folders without an assignment, so that they are matched again. */
export const forgetUnmatched = ({ matched }: OpenFolder): void => {
  for (const [key, assignmentId] of matched) if (assignmentId === undefined) matched.delete(key);
};

/**
 * A folder below the watched one. Its `realRoot` ensures that it is not read if a link took its place, or that of a
 * folder above it.
 */
const placeOf = ({ root, realRoot }: FolderRow, folder: string) => ({
  root: join(root, folder),
  ...(realRoot !== undefined && { realRoot: join(realRoot, folder) }),
});

/** The source of some files of a folder. `folder`: its path below the watched one. */
export const sourceOf = (row: FolderRow, folder: string, files: readonly FoundFile[]) => ({
  ...placeOf(row, folder),
  only: files.map(({ path }) => nameOf(path)),
});

/**
 * The sources whose assignments the user has to choose: whole job folders (`jobOf`), whose names are most specific, or
 * only some of the files if a job folder contains others.
 */
export const sourcesToMatch = (
  folder: OpenFolder,
  store: Pick<WatchedStore, 'hasTakenBelow'>,
): readonly WatchedSource[] => {
  const { row, watch } = folder;
  return [...Map.groupBy(watch.complete(), ({ path }) => jobOf(path))].flatMap(([job, files]) => {
    const unmatched = files.filter((file) => waitsForMatch(folder, file));
    if (unmatched.length === 0) return [];
    const isWhole = job !== '' && unmatched.length === files.length && !watch.isUnsettled(job);
    if (isWhole && !store.hasTakenBelow(row.id, job)) return [placeOf(row, job)];
    return [...byFolder(unmatched)].map(([below, group]) => sourceOf(row, below, group));
  });
};

/** Whether `path` is below `folder`; both absolute. */
export const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** Whether one of the folders is, or contains, the other. */
export const overlaps = (one: string, other: string): boolean =>
  one === other || isBelow(one, other) || isBelow(other, one);

// Which complete files of a watched folder are sent together, and from where. Pure.

/** Files of one folder that go to the same assignment, as one batch. `folder`: below the watched one, with `/`. */
export type Portion = { readonly folder: string; readonly assignmentId: string; readonly files: readonly FoundFile[] };

/** Complete files by their folders. */
export const byFolder = <T extends FoundFile>(files: readonly T[]): ReadonlyMap<string, readonly T[]> =>
  Map.groupBy(files, ({ path }) => folderOf(path));

/**
 * Whether the files of a job are sent now: as soon as no other file of the job is being written, or when one of them has
 * waited for `gatherMs`. Otherwise each file of a folder that is being copied would become a separate upload.
 */
export const isGathered = (
  files: readonly CompleteFile[],
  isUnsettled: boolean,
  { nowMs, gatherMs }: { readonly nowMs: number; readonly gatherMs: number },
): boolean => !isUnsettled || files.some(({ completeAtMs }) => nowMs - completeAtMs >= gatherMs);

/** The name of a file, the last part of its path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

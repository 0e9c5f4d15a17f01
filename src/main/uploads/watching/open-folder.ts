/** A watched folder while a user is signed in, and the assignments of its files. */
import { join } from 'node:path';
import type { DeskError } from '../../../contract/errors.ts';
import { isOpen } from '../../../contract/hours.ts';
import { archiveOf, baseName, folderName, isBelow } from '../source/paths.ts';
import type { ScannedFile, Source } from '../source/scan.ts';
import type { FolderWatch } from './folder-watch.ts';
import { assignmentFolderOf, type CompleteFile, folderOf } from './pending-files.ts';
import type { FolderRow, TakenFile, WatchedStore } from './watched-store.ts';

export type OpenFolder = {
  row: FolderRow;
  readonly watch: FolderWatch;
  /** The last pass over the folder, which may be in progress. The promise does not reject. */
  pass?: Promise<boolean>;
  /**
   * The assignment of each key (`keyOf`) that was matched; undefined: the user has to choose. Cleared from time to
   * time, because assignments may have been added, closed or removed.
   */
  readonly matched: Map<string, string | undefined>;
  /** Files that the user sends outside the hours. Another version of such a file waits for the hours. */
  now: WeakSet<CompleteFile>;
  problem?: DeskError | undefined;
  sentAtMs?: number;
};

/**
 * A folder to be matched with an assignment, or a single file directly in the watched folder. `path`: the folder's path
 * from the name of the watched folder on, with `/` between names; for a single file, only the name of the watched
 * folder. `rootPath`: the absolute path of the watched folder. `fileNames`: the names of some files of the folder.
 */
export type FolderToMatch = {
  readonly path: string;
  readonly rootPath: string;
  readonly fileNames: readonly string[];
};

/** Resolves to the assignments of the folders, in the order of `folders`; undefined where no match is certain. */
export type MatchFolders = (
  folders: readonly FolderToMatch[],
  signal: AbortSignal,
) => Promise<readonly (string | undefined)[]>;

/** The maximum number of file names used to match a folder. */
const MOST_NAMES = 20;

/** The prefix of the keys of files directly in the watched folder, which are matched one by one. */
const LOOSE = './';

/** The key that a file is matched by: its folder, or its own name if it is directly in the watched folder. */
const keyOf = (path: string): string => folderOf(path) || `${LOOSE}${path}`;

/** The assignment of a file; undefined if it was not matched yet, or the user has to choose. */
export const targetOf = ({ row, matched }: OpenFolder, path: string): string | undefined =>
  row.assignmentId ?? matched.get(keyOf(path));

/** Whether the user has to choose the assignment of a file. */
export const waitsForMatch = (folder: OpenFolder, { path }: ScannedFile): boolean =>
  folder.row.assignmentId === undefined && folder.matched.has(keyOf(path)) && targetOf(folder, path) === undefined;

/**
 * Matches the files whose keys were not matched yet, and resolves to these files. Rejects with the errors of `match`.
 */
export const matchFiles = async (
  { row, matched }: OpenFolder,
  files: readonly CompleteFile[],
  match: MatchFolders,
  signal: AbortSignal,
): Promise<readonly CompleteFile[]> => {
  if (row.assignmentId !== undefined) return [];
  const unknown = [...Map.groupBy(files, ({ path }) => keyOf(path))].filter(([key]) => !matched.has(key));
  if (unknown.length === 0) return [];
  const name = folderName(row.root);
  const assignments = await match(
    unknown.map(([key, group]) => ({
      path: key.startsWith(LOOSE) ? name : `${name}/${key}`,
      rootPath: row.root,
      fileNames: group.slice(0, MOST_NAMES).map(({ path }) => baseName(path)),
    })),
    signal,
  );
  for (const [index, [key]] of unknown.entries()) matched.set(key, assignments[index]);
  return unknown.flatMap(([, group]) => group);
};

/**
 * Forgets the assignments that were matched. `keepsHeld`: files that wait only for the end of a pause or for their
 * hours keep their assignments, because matching takes seconds if there are very many assignments.
 */
export const forgetMatches = (
  { row: { paused, hours }, matched }: OpenFolder,
  { keepsHeld, moment }: { readonly keepsHeld: boolean; readonly moment: Date },
): void => {
  const isHeld = keepsHeld && (paused || !isOpen(hours, moment));
  for (const [key, assignmentId] of matched) if (!isHeld || assignmentId === undefined) matched.delete(key);
};

/** The source for a folder below the watched folder. `realRoot` keeps uploads from reading through a link. */
const placeOf = ({ root, realRoot }: FolderRow, folder: string) => ({
  root: join(root, folder),
  ...(realRoot !== undefined && { realRoot: join(realRoot, folder) }),
});

/** The source for `files`, which are all directly in `folder`, a path below the watched folder. */
export const sourceOf = (row: FolderRow, folder: string, files: readonly ScannedFile[]) => ({
  ...placeOf(row, folder),
  only: files.map(({ path }) => baseName(path)),
});

/**
 * The sources whose assignments the user has to choose: a whole assignment folder (`assignmentFolderOf`) if all of its
 * files wait and none is unsettled or was taken, otherwise the waiting files of each folder.
 */
export const sourcesToMatch = (folder: OpenFolder, store: Pick<WatchedStore, 'hasTakenBelow'>): readonly Source[] => {
  const { row, watch } = folder;
  return [...Map.groupBy(watch.complete(), ({ path }) => assignmentFolderOf(path))].flatMap(([top, files]) => {
    const unmatched = files.filter((file) => waitsForMatch(folder, file));
    if (unmatched.length === 0) return [];
    const isWhole = top !== '' && unmatched.length === files.length && !watch.isUnsettled(top);
    if (isWhole && !store.hasTakenBelow(row.id, top)) return [placeOf(row, top)];
    const folders = Map.groupBy(unmatched, ({ path }) => folderOf(path));
    return [...folders].map(([below, group]) => sourceOf(row, below, group));
  });
};

/**
 * Whether files of the folder may go to the assignment. False for a folder with another assignment: its files still have
 * to be sent to that one.
 */
export const maySendTo = ({ assignmentId }: FolderRow, wanted: string): boolean => (assignmentId ?? wanted) === wanted;

/**
 * The rows of an upload that the user has reviewed. `leftOutFiles`: files that the user has left out, by their paths on
 * the disk (`placeIn`).
 */
export type ReviewedRows = readonly {
  readonly upload: { readonly assignmentId: string };
  readonly leftOutFiles: readonly string[];
}[];

/**
 * The complete files that a review has left out, as taken versions that are not to be sent. If a file in an archive was
 * left out, the archive is not to be sent either.
 */
export const leftOutOf = ({ row, watch }: OpenFolder, reviewed: ReviewedRows): readonly TakenFile[] => {
  const own = reviewed.filter(({ upload }) => maySendTo(row, upload.assignmentId));
  const paths = new Set(own.flatMap(({ leftOutFiles }) => leftOutFiles).map(archiveOf));
  if (paths.size === 0) return [];
  const files = watch.complete().filter(({ path }) => paths.has(join(row.root, path)));
  return files.map((file) => ({ ...file, assignmentId: undefined }));
};

export const overlaps = (one: string, other: string): boolean =>
  one === other || isBelow(one, other) || isBelow(other, one);

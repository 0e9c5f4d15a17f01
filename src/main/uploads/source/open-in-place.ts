/** Opening a file where the scan found it: without following links, and only if it is a regular file. */
import { type FileHandle, lstat, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type FileFacts,
  type FolderIdentity,
  factsOf,
  folderIdentityOf,
  isOneFile,
  isSameFolder,
} from './file-identity.ts';
import { changed, linked, openPatiently } from './open-patiently.ts';
import { isBelow, localPath, pathOfOpenFile, realPath } from './paths.ts';

/**
 * Opens the file at `path`, which has to be below the folder with the real path `within`, if that is known.
 * Errors: those of `openPatiently`. `whereIs`: for tests of systems that do not reveal the path of an open file.
 */
export const openInPlace = async (
  path: string,
  within: string | undefined,
  open = openPatiently,
  whereIs = pathOfOpenFile,
): Promise<FileHandle> => {
  const handle = await open(path);
  try {
    if (within !== undefined && !(await isInPlace(handle, path, within, whereIs))) throw linked();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
};

/** The facts of the file at `path`, opened in the same way as for sending. Errors: those of `openInPlace`, `upload/file-changed`. */
export const lookInPlace = async (path: string, within: string | undefined): Promise<FileFacts> => {
  const handle = await openInPlace(path, within);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw changed('it is not a file any more');
    return factsOf(stats);
  } finally {
    await handle.close();
  }
};

/**
 * The path of the first folder on the way to the file at `path` (below `root`, with `/`) that is not the one that was there
 * before; undefined if there is none. `folderAt`: as in `ScanListeners`.
 */
export const replacedFolder = async (
  root: string,
  path: string,
  folderAt: (below: string) => FolderIdentity | undefined,
): Promise<string | undefined> => {
  for (let end = 0; ; end = path.indexOf('/', end) + 1) {
    const below = path.slice(0, end);
    const before = folderAt(below);
    const folder = below === '' ? root : localPath(root, below.slice(0, -1));
    // The path of the root may lead over links.
    const found = await (below === '' ? stat : lstat)(folder, { bigint: true }).catch(() => undefined);
    if (before && found && !(found.isDirectory() && isSameFolder(before, folderIdentityOf(found)))) return folder;
    if (path.indexOf('/', end) === -1) return undefined;
  }
};

const isInPlace = async (
  handle: FileHandle,
  path: string,
  within: string,
  whereIs: typeof pathOfOpenFile,
): Promise<boolean> => {
  const opened = whereIs(handle.fd);
  if (opened !== undefined) return isBelow(within, opened);
  const real = await realPath(dirname(path)).catch(() => undefined);
  if (real === undefined) return false;
  const place = join(real, basename(path));
  if (!isBelow(within, place)) return false;
  const [found, own] = await Promise.all([lstat(place, { bigint: true }), handle.stat({ bigint: true })]);
  return isOneFile(found, own);
};

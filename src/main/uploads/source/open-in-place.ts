/** Opening a file where the scan found it: no link on the way, nothing but a file. */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type FileFacts, factsOf } from './file-identity.ts';
import { changed, linked, openPatiently } from './open-patiently.ts';
import { isBelow, pathOfOpenFile, plainPath, realPath } from './paths.ts';

/**
 * Opens the file at `path`, which lies below the folder with the real path `within`, where that is known.
 * Errors: `openPatiently`'s. `whereIs`: as the system can tell it, for tests of those that cannot.
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

/** The facts of the file at `path`, opened as one is that is sent. Errors: `openInPlace`'s, `upload/file-changed`. */
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

const isInPlace = async (
  handle: FileHandle,
  path: string,
  within: string,
  whereIs: typeof pathOfOpenFile,
): Promise<boolean> => {
  const opened = whereIs(handle.fd);
  if (opened !== undefined) return isBelow(within, opened);
  const real = await realPath(dirname(plainPath(path))).catch(() => undefined);
  if (real === undefined) return false;
  const place = join(real, basename(path));
  if (!isBelow(within, place)) return false;
  const [found, own] = await Promise.all([lstat(place, { bigint: true }), handle.stat({ bigint: true })]);
  return isOneFile(found, own);
};

/** Whether what lies at the place is the file that was opened: the place may have been a link at that moment. */
export const isOneFile = (found: BigIntStats, opened: BigIntStats): boolean =>
  !found.isSymbolicLink() && found.dev === opened.dev && found.ino === opened.ino;

/**
 * Checks the paths that the user chooses for files: none may replace a device, pipe or folder, or any of the app's own
 * data.
 */
import fs, { type BigIntStats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, DeskError } from '../../contract/errors.ts';

/** Whether `path` is `folder` or below it, compared by name only. */
export const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/**
 * Resolves to the real path at which a file may be written for the absolute `path`. Links are resolved, so that the
 * target of a link is replaced and not the link. The file and its folders need not exist. Errors, with `path` as a
 * detail: `output/not-a-file` if something other than a regular file is at that path, `output/data-directory` if that
 * path is inside the data directory `home`, `data/unwritable`.
 */
export const userFile = async (path: string, home: string): Promise<string> => {
  const details = { path };
  const notAFile = new DeskError('output/not-a-file', 'only a regular file can be replaced', { details });
  // Devices on Windows, such as `\\.\NUL` and `\\.\COM1`.
  if (path.startsWith('\\\\.\\')) throw notAFile;
  try {
    const real = await realPlace(path);
    const found = await statOf(real);
    if (found && !found.isFile()) throw notAFile;
    if (await isInside(await realPath(home), dirname(real)))
      throw new DeskError('output/data-directory', 'the data directory is for the app alone', { details });
    return real;
  } catch (cause) {
    if (cause instanceof DeskError) throw cause;
    throw new DeskError('data/unwritable', 'the file cannot be written', { details, cause });
  }
};

/**
 * Resolves links with Node's JavaScript implementation, because the native function fails on some virtual drives of
 * Windows.
 */
const realPath = promisify(fs.realpath);

const realPlace = async (path: string): Promise<string> => {
  try {
    return await realPath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    // If `path` is a link, its target does not exist, and the place where a write would create it cannot be checked.
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) throw error;
    return join(await realPlace(dirname(path)), basename(path));
  }
};

/**
 * Whether the real path `folder` is `home` or below it. Also compares device and inode numbers, since one folder can
 * have several names.
 */
const isInside = async (home: string, folder: string): Promise<boolean> => {
  if (isWithin(home, folder)) return true;
  const [one, other] = [await statOf(home), await statOf(folder)];
  if (one && other && one.ino !== 0n && one.ino === other.ino && one.dev === other.dev) return true;
  return dirname(folder) !== folder && isInside(home, dirname(folder));
};

const statOf = (path: string): Promise<BigIntStats | undefined> =>
  stat(path, { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });

/**
 * Checks the paths of files that the user chooses. A file must not replace a device, a pipe, a folder, or the app's own
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
 * Checks that a file may be written to the absolute `path`, and resolves to the real path. Links are resolved, so that
 * the write replaces the target of a link and not the link. The file and its folders need not exist. Errors, with
 * `path` as a detail: `output/not-a-file` if something other than a regular file is at the real path,
 * `output/data-directory` if the real path is inside the data directory `home`, `data/unwritable`.
 */
export const userFile = async (path: string, home: string): Promise<string> => {
  const details = { path };
  const notAFile = new DeskError('output/not-a-file', 'only a regular file can be replaced', { details });
  // Windows addresses devices by paths such as `\\.\NUL` and `\\.\COM1`.
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
 * Resolves links with Node's own implementation, because the system's function fails on some virtual drives of Windows.
 */
const realPath = promisify(fs.realpath);

const realPlace = async (path: string): Promise<string> => {
  try {
    return await realPath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    // A link whose target does not exist is refused, because it is not known where a write would create the target.
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) throw error;
    return join(await realPlace(dirname(path)), basename(path));
  }
};

/**
 * Whether the real path `folder` is `home` or below it. Device and inode numbers are compared as well, because one
 * folder can have several paths.
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

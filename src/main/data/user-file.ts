/**
 * Checks the paths that the user chooses for files: none may replace a device, pipe or folder, or any of the app's own data.
 */
import fs, { type BigIntStats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { codeOf, DeskError } from '../../contract/errors.ts';

/** Whether `path` is `folder` or lies below it, by their names. */
export const isWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
};

/**
 * The real path of the file that may be written at `path`, which is absolute: links are resolved, so that a link
 * is kept and its target is replaced. The last names of `path` may be missing. Errors: `output/not-a-file` where something
 * other than a regular file is there, `output/data-directory` inside `home`, `data/unwritable`; details `path`.
 */
export const userFile = async (path: string, home: string): Promise<string> => {
  const details = { path };
  const notAFile = new DeskError('output/not-a-file', 'only a regular file can be replaced', { details });
  // Windows: `\\.\NUL`, `\\.\COM1`.
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

/** Not the native function: on Windows it fails on some virtual drives. */
const realPath = promisify(fs.realpath);

const realPlace = async (path: string): Promise<string> => {
  try {
    return await realPath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
    // A link whose target is missing: the file that a write would create there cannot be checked.
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) throw error;
    return join(await realPlace(dirname(path)), basename(path));
  }
};

/**
 * Whether the real path `folder` is `home` or below it. Compared by identity too: a name can be written in several
 * ways.
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

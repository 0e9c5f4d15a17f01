/** Paths of files: where the files of a batch are, and where they really are, without links. */

import fs, { readlinkSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import nodePath, { type PlatformPath } from 'node:path';
import { promisify } from 'node:util';

/**
 * The path without links, junctions included. Errors: the system's.
 * Not Windows' own answer: that fails on some virtual drives, and gives a mapped drive the name of its server.
 */
export const realPath: (path: string) => Promise<string> =
  process.platform === 'win32' ? promisify(fs.realpath) : realpath;

/** A folder as the ledger knows it: its path, and where that led when it was chosen. */
export type KnownFolder = { readonly root: string; readonly realRoot?: string | undefined };

/** Where the folder was when it was chosen; of batches of an older version, where it is now. Undefined: nowhere. */
export const realRootOf = async ({ root, realRoot }: KnownFolder): Promise<string | undefined> =>
  realRoot ?? realPath(root).catch(() => undefined);

/** As `realPath`, at once. */
export const realPathSync: (path: string) => string = process.platform === 'win32' ? realpathSync : realpathSync.native;

/** The real path of an open file, where the system tells it (Linux). Asks no drive, so it cannot hang. */
export const pathOfOpenFile = (fd: number): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
};

/** A path of Windows without the prefix that takes it as it is (`\\\\?\\`), which `realPath` cannot resolve on a share. */
export const plainPath = (path: string): string =>
  path.replace(/^\\\\\?\\(UNC\\)?/, (_, unc: string | undefined) => (unc === undefined ? '' : '\\\\'));

/** Whether `path` lies below `folder`; both real. */
export const isBelow = (folder: string, path: string, system: PlatformPath = nodePath): boolean =>
  path.startsWith(folder.endsWith(system.sep) ? folder : `${folder}${system.sep}`);

/**
 * The file at `path`, which the ledger keeps with `/`, below the folder `root`. On Windows in the form that takes
 * more than 260 characters, and names that Windows itself would read as devices.
 */
export const localPath = (root: string, path: string, system: PlatformPath = nodePath): string =>
  system.toNamespacedPath(system.join(root, path));

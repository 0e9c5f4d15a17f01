/** Paths of files: as the ledger records them, as the system opens them, in archives, and without links. */

import fs, { constants, readlinkSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import nodePath, { type PlatformPath } from 'node:path';
import { promisify } from 'node:util';
import { shownPath } from '../../../contract/text.ts';
import type { FolderIdentity } from './file-identity.ts';

/** Removes the prefix `\\?\` from a Windows path, because with this prefix `realPath` fails on a share. */
export const plainPath = (path: string): string =>
  path.replace(/^\\\\\?\\(UNC\\)?/, (_, unc: string | undefined) => (unc === undefined ? '' : '\\\\'));

/**
 * Resolves to the path without links. The native function is not used on Windows, because it fails on virtual drives.
 */
export const realPath: (path: string) => Promise<string> =
  process.platform === 'win32' ? (path) => promisify(fs.realpath)(plainPath(path)) : (path) => realpath(path);

/**
 * Separates an archive's path from that of a file in it. Normalised paths contain `//` only at their start, if at all.
 */
const INSIDE = '//';

/**
 * The path of the file `inner` in the archive at `path`. With an empty `inner`, the path means everything in the
 * archive.
 */
export const insideOf = (path: string, inner: string): string => `${path}${INSIDE}${inner}`;

/** Splits a path at the first `//` after its start into an archive and the path in it; undefined if there is none. */
export const splitInner = (path: string): { readonly archive: string; readonly inner: string } | undefined => {
  const at = path.indexOf(INSIDE, 1);
  return at === -1 ? undefined : { archive: path.slice(0, at), inner: path.slice(at + INSIDE.length) };
};

export const isZip = (path: string): boolean => /\.zip$/i.test(path);

/** Whether a file with this name can be opened as a folder. */
export const isArchiveName = (name: string): boolean => isZip(name) || /\.(eml|msg)$/i.test(name);

/** The archive that contains the file at this path; the path itself if the file is on the disk. */
export const archiveOf = (path: string): string => splitInner(path)?.archive ?? path;

/** The last part of a path with `/` between names. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the name of a folder on the disk; for a drive, which has no name, its path. */
export const folderName = (path: string): string => nodePath.basename(path) || path;

/** A folder as the ledger records it: its path, and its real path and its identity when it was chosen. */
export type KnownFolder = {
  readonly root: string;
  readonly realRoot?: string | undefined;
  readonly identity?: FolderIdentity | undefined;
};

/**
 * Resolves to the real path that the folder had when it was chosen, if known, otherwise to its present real path;
 * undefined if that cannot be found.
 */
export const realRootOf = async ({ root, realRoot }: KnownFolder): Promise<string | undefined> =>
  realRoot ?? realPath(root).catch(() => undefined);

/** Returns the path without links, as `realPath` does, but synchronously. Errors: the system's. */
export const realPathSync: (path: string) => string =
  process.platform === 'win32' ? (path) => realpathSync(plainPath(path)) : realpathSync.native;

/** The real path of an open file, if the system reveals it (Linux). Does not access the drive, so it cannot hang. */
export const pathOfOpenFile = (fd: number): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
};

/** Whether `path` is below `folder`; both are real paths. */
export const isBelow = (folder: string, path: string, system: PlatformPath = nodePath): boolean =>
  path.startsWith(folder.endsWith(system.sep) ? folder : `${folder}${system.sep}`);

/**
 * What counts as the drive of a folder: on Windows, the letter or the share; elsewhere, the first two parts of the
 * path, such as `/Volumes/Jobs`, because the path does not name the drive.
 */
export const driveOf = (path: string, system: PlatformPath = nodePath): string => {
  const { root } = system.parse(path);
  if (system.sep === '\\') return root.toLowerCase();
  return root + path.slice(root.length).split('/').slice(0, 2).join('/');
};

/** Yields the folders that contain `path`, from the nearest one to the root of the drive. */
export function* foldersAround(path: string): Generator<string, void> {
  for (let [inside, folder] = [path, nodePath.dirname(path)]; folder !== inside; ) {
    yield folder;
    [inside, folder] = [folder, nodePath.dirname(folder)];
  }
}

/**
 * Returns a path with `change` applied to its part on the disk: that of the file, or of the archive that contains it.
 */
export const changeOnDisk = (path: string, change: (onDisk: string) => string): string => {
  const { archive, inner } = splitInner(path) ?? { archive: path };
  return inner === undefined ? change(archive) : insideOf(change(archive), inner);
};

/**
 * The path, as users know it, of the file at `path` (with `/` between names) below `root`. For files in archives, see
 * `insideOf`.
 */
export const placeIn = (root: string, path: string): string =>
  changeOnDisk(path, (below) => nodePath.join(root, below));

/**
 * The path by which the system opens the file at `path` (with `/` between names) below `root`. On Windows, its form
 * allows more than 260 characters, and names that Windows reserves for devices. For files in archives, see `insideOf`.
 */
export const localPath = (root: string, path: string, system: PlatformPath = nodePath): string =>
  changeOnDisk(path, (below) => system.toNamespacedPath(system.join(root, below)));

/** The folder of a file as users read it, from the chosen folder on: `Site A/photos`. `path`: below `root`. */
export const chosenFolderOf = ({ root, path }: { readonly root: string; readonly path: string }): string => {
  const chosen = root.split(/[/\\]/).findLast((part) => part !== '') ?? root;
  return shownPath([chosen, ...path.split('/').slice(0, -1)].join('/'));
};

/** Flags of `open`; Windows has none of the optional ones. */
type Flags = { readonly O_RDONLY: number } & Partial<Record<'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_NOCTTY', number>>;

/** The flags for reading a scanned path: no link is followed (except on Windows), and no pipe blocks `open`. */
export const readFlags = ({ O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 }: Flags = constants): number =>
  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

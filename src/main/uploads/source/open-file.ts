/** Opens, reads and locates files of a chosen folder where the scan found them. */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat, open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, DeskError } from '../../../contract/errors.ts';
import { withRetry } from '../../async/retry.ts';
import {
  differenceFrom,
  type FileFacts,
  type FolderIdentity,
  factsOf,
  folderIdentityOf,
  isOneFile,
  isSameFolder,
} from './file-identity.ts';
import {
  archiveOf,
  isBelow,
  type KnownFolder,
  localPath,
  pathOfOpenFile,
  readFlags,
  realPath,
  realRootOf,
} from './paths.ts';
import { assertFolder } from './scan.ts';

// Opening a file where the scan found it. No link is followed out of the chosen folder, if its real path is known.

/** Opens the file at `path`, which has to be below `within` if that is given. Errors: those of `openPatiently`. */
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
    await letGo(handle);
    throw error;
  }
};

/**
 * Closes a file that was read. Errors, for example of a network drive, are ignored, because the content has already
 * been read.
 */
export const letGo = (handle: FileHandle): Promise<void> => handle.close().catch(() => {});

/** Reads the stats of an open file. Errors: those of `unreadable`. */
export const statsOf = (handle: FileHandle): Promise<BigIntStats> =>
  handle.stat({ bigint: true }).catch((error: unknown) => {
    throw unreadable(error);
  });

const withFile = async <T>(
  path: string,
  within: string | undefined,
  look: (stats: BigIntStats, handle: FileHandle) => T | Promise<T>,
): Promise<T> => {
  const handle = await openInPlace(path, within);
  try {
    const stats = await statsOf(handle);
    if (!stats.isFile()) throw changed('it is not a file any more');
    return await look(stats, handle);
  } finally {
    await letGo(handle);
  }
};

/** Reads the facts of the file at `path`. Errors: those of `openInPlace`, `upload/file-changed`. */
export const lookInPlace = (path: string, within: string | undefined): Promise<FileFacts> =>
  withFile(path, within, factsOf);

/** Reads the file at `path`; undefined if it has more than `mostBytes`. Errors: those of `lookInPlace`. */
export const readInPlace = (path: string, within: string | undefined, mostBytes: number): Promise<Buffer | undefined> =>
  withFile(path, within, ({ size }, handle) =>
    size > mostBytes ? undefined : fill(Buffer.alloc(Number(size)), handle, 0),
  );

/** Reads the start of the file at `path`, of at most `mostBytes`. Errors: those of `lookInPlace`. */
export const readStartInPlace = (path: string, within: string | undefined, mostBytes: number): Promise<Buffer> =>
  withFile(path, within, ({ size }, handle) => fill(Buffer.alloc(Math.min(Number(size), mostBytes)), handle, 0));

/** A file of a folder, or the folder itself if `path` is absent. `path`: below the folder, with `/` between names. */
export type FilePlace = KnownFolder & { readonly path?: string | undefined };

/**
 * Returns the path of a chosen file or folder for other programs; for a file in an archive, returns the archive's path.
 * Errors: those of `assertFolder` for the folder itself; otherwise `upload/file-…`, such as `upload/file-linked` if a
 * link leads out of the folder.
 */
export const locateFile = async ({ path: below, ...folder }: FilePlace): Promise<string> => {
  const { root } = folder;
  if (below === undefined) {
    await assertFolder(folder);
    return root;
  }
  const path = archiveOf(below);
  try {
    const found = await lstat(localPath(root, path)).catch((error) => {
      throw unreadable(error);
    });
    const place = join(root, path);
    const within = await realRootOf(folder);
    const real = join(await realPath(dirname(place)), basename(place));
    if (found.isSymbolicLink() || within === undefined || !isBelow(within, real)) throw linked();
    if (!found.isFile()) throw changed('it is not a file any more');
    return place;
  } catch (cause) {
    const { code, message } = cause instanceof DeskError ? cause : unreadable(cause);
    throw new DeskError(code, message, { details: { path }, cause });
  }
};

/**
 * Returns the path of the first replaced folder from `root` down to the file at `path`, as users write it, if there is
 * one. Missing folders do not count.
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
    // The root itself may be a link: the folder to which it leads was chosen. Folders below it must not be links.
    const found = await (below === '' ? stat : lstat)(folder, { bigint: true }).catch(() => undefined);
    if (before && found && !(found.isDirectory() && isSameFolder(before, folderIdentityOf(found))))
      return join(root, below.slice(0, -1));
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
  const [found, own] = await Promise.all([
    lstat(place, { bigint: true }).catch((error) => {
      throw unreadable(error);
    }),
    statsOf(handle),
  ]);
  return isOneFile(found, own);
};

// Opening a file that another program may lock for a moment, as virus scanners and Office do on Windows.

/** Opens the file at `path` for reading, and retries for a moment while it is locked. Errors: `upload/file-…`. */
export const openPatiently = (path: string, openFile: typeof open = open): Promise<FileHandle> =>
  withRetry(() =>
    openFile(path, readFlags()).catch((error) => {
      throw unreadable(error);
    }),
  );

/** Translates an error of the system into the error of a file that cannot be opened or read. */
export const unreadable = (error: unknown): DeskError => {
  const cause = codeOf(error) ?? 'unknown';
  const details = { cause };
  if (cause === 'ENOENT' || cause === 'ENOTDIR') {
    return new DeskError('upload/file-missing', 'the file no longer exists', { cause: error });
  }
  if (cause === 'ELOOP') return linked(error);
  // The codes of Linux and macOS for a socket.
  if (cause === 'ENXIO' || cause === 'EOPNOTSUPP' || cause === 'ENOTSUP') {
    return changed('it is not a file any more', error);
  }
  // EAGAIN: a server on this machine (Samba, NFS) has leased the file to a client, and the system is revoking the
  // lease.
  if (cause === 'EBUSY' || cause === 'EAGAIN') {
    return new DeskError('upload/file-locked', 'another program has locked the file', {
      retry: 'later',
      details,
      cause: error,
    });
  }
  // Windows denies access with EPERM while it deletes a file, so a retry may help. Lasting refusals, such as those of
  // macOS for protected folders, have the same code.
  const retry = cause === 'EPERM' ? 'later' : 'never';
  return new DeskError('upload/file-unreadable', 'the file cannot be read', { retry, details, cause: error });
};

export const changed = (how: string, cause?: unknown): DeskError =>
  new DeskError('upload/file-changed', `the file changed since it was found: ${how}`, { details: { how }, cause });

/** The error for a link that has replaced the file or a folder above it: the link's target was never chosen. */
const linked = (cause?: unknown): DeskError =>
  new DeskError('upload/file-linked', 'a link took the place of the file or of a folder above it', { cause });

/** Fills `into` from the file, beginning at `position`. Errors: `upload/file-changed`, those of `unreadable`. */
export const fill = async (into: Buffer, handle: FileHandle, position: number): Promise<Buffer> => {
  for (let filled = 0; filled < into.length; ) {
    const { bytesRead } = await handle.read(into, filled, into.length - filled, position + filled).catch((error) => {
      throw codeOf(error) === 'EISDIR' ? changed('it is not a file any more') : unreadable(error);
    });
    if (bytesRead === 0) throw changed('it became shorter');
    filled += bytesRead;
  }
  return into;
};

/** Makes sure that the open file has the expected facts. Errors: `upload/file-changed`, and those of `unreadable`. */
export const assertUnchanged = async (handle: FileHandle, expected: FileFacts): Promise<void> => {
  const how = differenceFrom(expected, await statsOf(handle));
  if (how !== undefined) throw changed(how);
};

/** Opening a file that another program may lock for a moment, as virus scanners and Office do on Windows. */
import { type FileHandle, open } from 'node:fs/promises';
import { DeskError } from '../../../contract/errors.ts';
import { codeOf } from '../../async/error-code.ts';
import { withRetry } from '../../async/retry.ts';
import { readFlags } from './read-flags.ts';

/**
 * Opens the file at `path` for reading.
 * Errors: `upload/file-missing`, `upload/file-locked`, `upload/file-unreadable`, `upload/file-linked`,
 * `upload/file-changed` (a socket).
 */
export const openPatiently = (path: string, openFile: typeof open = open): Promise<FileHandle> =>
  withRetry(() =>
    openFile(path, readFlags()).catch((error) => {
      throw unreadable(error);
    }),
  );

/** Only a lock is temporary, and access that Windows denies while it deletes a file: only those may be retried. */
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
  // EAGAIN: a server on this machine (Samba, NFS) has leased the file to a client, and asks for it back.
  if (cause === 'EBUSY' || cause === 'EAGAIN') {
    return new DeskError('upload/file-locked', 'another program has locked the file', {
      retry: 'later',
      details,
      cause: error,
    });
  }
  // EPERM: Windows denies access, lastingly or while the file is being deleted; macOS, to a folder that it protects.
  const retry = cause === 'EPERM' ? 'later' : 'never';
  return new DeskError('upload/file-unreadable', 'the file cannot be read', { retry, details, cause: error });
};

/** The file differs from the scan; `how` says in which way. */
export const changed = (how: string, cause?: unknown): DeskError =>
  new DeskError('upload/file-changed', `the file changed since it was found: ${how}`, { details: { how }, cause });

/** A link took the place of the file or of a folder above it: its target was never chosen. */
export const linked = (cause?: unknown): DeskError =>
  new DeskError('upload/file-linked', 'a link took the place of the file or of a folder above it', { cause });

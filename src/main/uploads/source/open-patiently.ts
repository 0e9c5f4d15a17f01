/** Opening a file that another program may hold for a moment, as virus scanners and Office do on Windows. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { DeskError } from '../../../contract/errors.ts';
import { withRetry } from '../../async/retry.ts';

/** Flags that a system may not have: Windows has none of them. */
type Flags = { readonly O_RDONLY: number } & Partial<Record<'O_NOFOLLOW' | 'O_NONBLOCK' | 'O_NOCTTY', number>>;

/**
 * For reading what was a file when it was scanned, whatever took its place: a link is refused, and a pipe without a
 * writer or a device keeps nobody waiting in `open`.
 */
export const readFlags = ({ O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 }: Flags = constants): number =>
  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

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

/** A lock passes, so it may be tried again; nothing else of a file does. */
export const unreadable = (error: unknown): DeskError => {
  const cause = String((error as NodeJS.ErrnoException).code);
  const details = { cause };
  if (cause === 'ENOENT' || cause === 'ENOTDIR') {
    return new DeskError('upload/file-missing', 'the file is not there any more', { cause: error });
  }
  if (cause === 'ELOOP') return linked(error);
  // What Linux, and what macOS, says of a socket.
  if (cause === 'ENXIO' || cause === 'EOPNOTSUPP' || cause === 'ENOTSUP') {
    return changed('it is not a file any more', error);
  }
  // EAGAIN: of a file that a server of this machine (Samba, NFS) has lent to a client, who is asked to give it back.
  if (cause === 'EBUSY' || cause === 'EPERM' || cause === 'EAGAIN') {
    return new DeskError('upload/file-locked', 'another program holds the file', {
      retry: 'later',
      details,
      cause: error,
    });
  }
  return new DeskError('upload/file-unreadable', 'the file cannot be read', { details, cause: error });
};

/** The file is not what the scan saw; `how` says in which way. */
export const changed = (how: string, cause?: unknown): DeskError =>
  new DeskError('upload/file-changed', `the file changed since it was found: ${how}`, { details: { how }, cause });

/** A link stands where the file or a folder above it was: what it leads to was never chosen. */
export const linked = (cause?: unknown): DeskError =>
  new DeskError('upload/file-linked', 'a link took the place of the file or of a folder above it', { cause });

/** Opening a file that another program may hold for a moment, as virus scanners and Office do on Windows. */
import { type FileHandle, open } from 'node:fs/promises';
import { DeskError } from '../../../contract/errors.ts';
import { withRetry } from '../../net/retry.ts';

/** How often a locked file is tried; the waits between grow to about a second (net/retry.ts). */
const ATTEMPTS = 4;

/** Opens the file at `path` for reading. Errors: `upload/file-missing`, `upload/file-locked`, `upload/file-unreadable`. */
export const openPatiently = (path: string, openFile: typeof open = open): Promise<FileHandle> =>
  withRetry(
    () =>
      openFile(path, 'r').catch((error) => {
        throw unreadable(error);
      }),
    { attempts: ATTEMPTS },
  );

/** A lock passes, so it may be tried again; nothing else of a file does. */
export const unreadable = (error: unknown): DeskError => {
  const cause = String((error as NodeJS.ErrnoException).code);
  const details = { cause };
  if (cause === 'ENOENT' || cause === 'ENOTDIR') {
    return new DeskError('upload/file-missing', 'the file is not there any more', { cause: error });
  }
  if (cause === 'EBUSY' || cause === 'EPERM') {
    return new DeskError('upload/file-locked', 'another program holds the file', {
      retry: 'later',
      details,
      cause: error,
    });
  }
  return new DeskError('upload/file-unreadable', 'the file cannot be read', { details, cause: error });
};

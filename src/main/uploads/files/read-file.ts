/** Reading from an open file that must be what the scan saw. */
import type { FileHandle } from 'node:fs/promises';
import { DeskError } from '../../../contract/errors.ts';
import { unreadable } from './open-patiently.ts';

/** What the ledger says of the file. `modifiedMs`: ms since 1970. */
export type Expected = { readonly sizeBytes: number; readonly modifiedMs: number };

/**
 * Reads from `position` on until `into`, which it answers, is full.
 * Errors: `upload/file-changed`, `upload/file-unreadable`, `upload/file-locked`.
 */
export const fill = async (into: Buffer, handle: FileHandle, position: number): Promise<Buffer> => {
  for (let filled = 0; filled < into.length; ) {
    const { bytesRead } = await handle.read(into, filled, into.length - filled, position + filled).catch((error) => {
      throw error.code === 'EISDIR' ? changed('it is not a file any more') : unreadable(error);
    });
    if (bytesRead === 0) throw changed('it became shorter');
    filled += bytesRead;
  }
  return into;
};

/** Errors: `upload/file-changed`. */
export const assertUnchanged = async (handle: FileHandle, expected: Expected): Promise<void> => {
  const found = await handle.stat();
  if (!found.isFile()) throw changed('it is not a file any more');
  if (found.size !== expected.sizeBytes) throw changed('its size is another');
  if (found.mtimeMs !== expected.modifiedMs) throw changed('it was written to');
};

const changed = (how: string): DeskError =>
  new DeskError('upload/file-changed', `the file changed since it was found: ${how}`, { details: { how } });

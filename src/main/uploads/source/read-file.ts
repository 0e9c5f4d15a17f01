/** Reading from an open file that must not have changed since the scan. */
import type { FileHandle } from 'node:fs/promises';
import { codeOf } from '../../../contract/errors.ts';
import { differenceFrom, type FileFacts } from './file-identity.ts';
import { changed, unreadable } from './open-file.ts';

/** The ledger's facts of the file. `within`: the real path of the chosen folder above it. */
export type Expected = FileFacts & { readonly within?: string | undefined };

/**
 * Fills `into` from `position` on, and answers it.
 * Errors: `upload/file-changed`, `upload/file-unreadable`, `upload/file-locked`.
 */
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

/** Errors: `upload/file-changed`. */
export const assertUnchanged = async (handle: FileHandle, expected: FileFacts): Promise<void> => {
  const how = differenceFrom(expected, await handle.stat({ bigint: true }));
  if (how !== undefined) throw changed(how);
};

/**
 * Reading a file for an upload: it must be, before and after the read, what the scan saw. The last part is held back
 * until that is checked, so a file that changes while it is sent never arrives whole.
 */
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { DeskError } from '../../contract/errors.ts';

/** What the ledger says of the file. `modifiedMs`: ms since 1970. */
export type Expected = { readonly sizeBytes: number; readonly modifiedMs: number };

export type LocalFile = {
  /** The file's bytes in parts; throws `upload/file-changed` instead of giving the last one of a changed file. */
  readonly read: () => AsyncGenerator<Buffer, void>;
  /** sha256 in hex once the file was read to its end. */
  readonly sha256: () => string | undefined;
  readonly close: () => Promise<void>;
};

const PART_BYTES = 256 * 1024;

/**
 * Opens the file at `path`.
 * Errors: `upload/file-missing`, `upload/file-unreadable` (locked or forbidden), `upload/file-changed`.
 */
export const openLocalFile = async (path: string, expected: Expected): Promise<LocalFile> => {
  const handle = await open(path, 'r').catch((error) => {
    throw unreadable(error);
  });
  try {
    await assertUnchanged(handle, expected);
  } catch (error) {
    await handle.close();
    throw error;
  }
  let sha256: string | undefined;

  async function* read(): AsyncGenerator<Buffer, void> {
    const hash = createHash('sha256');
    let held: Buffer | undefined;
    for (let position = 0; position < expected.sizeBytes; ) {
      const part = await readPart(handle, position, Math.min(PART_BYTES, expected.sizeBytes - position));
      position += part.length;
      hash.update(part);
      if (held) yield held;
      held = part;
    }
    await assertUnchanged(handle, expected);
    sha256 = hash.digest('hex');
    if (held) yield held;
  }

  return {
    read,
    sha256: () => sha256,
    close: () => handle.close(),
  };
};

/** sha256 of the file at `path` in hex, read to its end. Errors as `openLocalFile`. */
export const hashLocalFile = async (
  path: string,
  expected: Expected,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  const file = await openLocalFile(path, expected);
  try {
    for await (const _ of file.read()) signal?.throwIfAborted();
    return file.sha256();
  } finally {
    await file.close();
  }
};

const readPart = async (handle: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position).catch((error) => {
    throw unreadable(error);
  });
  if (bytesRead === 0) throw changed('it became shorter');
  return buffer.subarray(0, bytesRead);
};

const assertUnchanged = async (handle: FileHandle, expected: Expected): Promise<void> => {
  const found = await handle.stat();
  if (!found.isFile()) throw changed('it is not a file any more');
  if (found.size !== expected.sizeBytes) throw changed('its size is another');
  if (found.mtimeMs !== expected.modifiedMs) throw changed('it was written to');
};

const changed = (how: string): DeskError =>
  new DeskError('upload/file-changed', `the file changed since it was found: ${how}`, { details: { how } });

const unreadable = (error: unknown): DeskError => {
  const code = String((error as NodeJS.ErrnoException).code);
  const missing = code === 'ENOENT' || code === 'ENOTDIR';
  return missing
    ? new DeskError('upload/file-missing', 'the file is not there any more', { cause: error })
    : new DeskError('upload/file-unreadable', 'the file cannot be read', { details: { cause: code }, cause: error });
};

/**
 * Reading a file for an upload: it must be what the scan saw. A small file is read whole, once, and checked after
 * that. The last part of a larger one is held back until it is checked, so that a file that changes while it is sent
 * never arrives whole.
 */
import { createHash, hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { DeskError } from '../../contract/errors.ts';
import { throwIfCancelled } from '../net/cancel.ts';
import { openPatiently, unreadable } from './open-patiently.ts';

/** What the ledger says of the file. `modifiedMs`: ms since 1970. */
export type Expected = { readonly sizeBytes: number; readonly modifiedMs: number };

/** Of a content, in hex; `md5` where it was asked for. */
export type Digests = { readonly sha256: string; readonly md5: string | undefined };

export type LocalFile = {
  /** The whole content of a small file. */
  readonly whole: Buffer | undefined;
  /** The file's bytes in parts; throws `upload/file-changed` instead of giving the last one of a changed file. */
  readonly read: (options?: { readonly md5: boolean }) => AsyncGenerator<Buffer, void>;
  /** Of what was read, once that was everything. */
  readonly digests: () => Digests | undefined;
  /** Waits for a read that is under way. */
  readonly close: () => Promise<void>;
};

/** The largest file that is read whole: one read costs as much as one part of a larger file. */
export const WHOLE_BYTES = 256 * 1024;
const PART_BYTES = 256 * 1024;

/**
 * Opens the file at `path`.
 * Errors: `upload/file-missing`, `upload/file-unreadable` (forbidden), `upload/file-locked` (for longer than a
 * moment), `upload/file-changed`.
 */
export const openLocalFile = async (path: string, expected: Expected, open = openPatiently): Promise<LocalFile> => {
  const handle = await open(path);
  if (expected.sizeBytes <= WHOLE_BYTES) {
    try {
      return wholeFile(await readWhole(handle, expected));
    } finally {
      await handle.close();
    }
  }
  try {
    await assertUnchanged(handle, expected);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return streamedFile(handle, expected);
};

/** sha256 of the file at `path` in hex, read to its end. Errors as `openLocalFile`. */
export const hashLocalFile = async (
  path: string,
  expected: Expected,
  signal?: AbortSignal,
): Promise<string | undefined> => {
  const file = await openLocalFile(path, expected);
  try {
    for await (const _ of file.read()) throwIfCancelled(signal);
    return file.digests()?.sha256;
  } finally {
    await file.close();
  }
};

const wholeFile = (whole: Buffer): LocalFile => {
  const sha256 = hash('sha256', whole);
  let md5: string | undefined;
  return {
    whole,
    read: async function* (options) {
      if (options?.md5) md5 ??= hash('md5', whole);
      if (whole.length > 0) yield whole;
    },
    digests: () => ({ sha256, md5 }),
    close: async () => {},
  };
};

const streamedFile = (handle: FileHandle, expected: Expected): LocalFile => {
  let digests: Digests | undefined;

  async function* read(options?: { readonly md5: boolean }): AsyncGenerator<Buffer, void> {
    const sha256 = createHash('sha256');
    const md5 = options?.md5 ? createHash('md5') : undefined;
    let next: Promise<Buffer> | undefined = readPart(handle, 0, expected);
    for (let position = 0; next; ) {
      const part: Buffer = await next;
      position += part.length;
      // Read while this part is hashed and sent.
      next = position < expected.sizeBytes ? readPart(handle, position, expected) : undefined;
      next?.catch(() => {});
      sha256.update(part);
      md5?.update(part);
      if (!next) {
        await assertUnchanged(handle, expected);
        digests = { sha256: sha256.digest('hex'), md5: md5?.digest('hex') };
      }
      yield part;
    }
  }

  return { whole: undefined, read, digests: () => digests, close: () => handle.close() };
};

const readWhole = async (handle: FileHandle, expected: Expected): Promise<Buffer> => {
  const whole = Buffer.allocUnsafeSlow(expected.sizeBytes);
  for (let position = 0; position < whole.length; ) {
    position += await readInto(handle, whole, position, whole.length - position, position);
  }
  await assertUnchanged(handle, expected);
  return whole;
};

const readPart = async (handle: FileHandle, position: number, { sizeBytes }: Expected): Promise<Buffer> => {
  const part = Buffer.allocUnsafeSlow(Math.min(PART_BYTES, sizeBytes - position));
  return part.subarray(0, await readInto(handle, part, 0, part.length, position));
};

const readInto = async (handle: FileHandle, into: Buffer, at: number, length: number, position: number) => {
  const { bytesRead } = await handle.read(into, at, length, position).catch((error) => {
    throw error.code === 'EISDIR' ? changed('it is not a file any more') : unreadable(error);
  });
  if (bytesRead === 0) throw changed('it became shorter');
  return bytesRead;
};

const assertUnchanged = async (handle: FileHandle, expected: Expected): Promise<void> => {
  const found = await handle.stat();
  if (!found.isFile()) throw changed('it is not a file any more');
  if (found.size !== expected.sizeBytes) throw changed('its size is another');
  if (found.mtimeMs !== expected.modifiedMs) throw changed('it was written to');
};

const changed = (how: string): DeskError =>
  new DeskError('upload/file-changed', `the file changed since it was found: ${how}`, { details: { how } });

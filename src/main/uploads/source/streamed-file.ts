/**
 * A file too large to be read whole: it is read in parts, one ahead of the one being sent, while a thread hashes them. Its
 * last part is held back until the file has been checked, so that a changed file never arrives whole.
 */
import type { FileHandle } from 'node:fs/promises';
import { type Digests, type Hasher, PART_BYTES } from './hasher.ts';
import type { LocalFile } from './local-file.ts';
import { assertUnchanged, type Expected, fill } from './read-file.ts';

/** What a streamed file has in memory at most: one part being read, one being sent, one being hashed. */
export const STREAMED_BYTES = 3 * PART_BYTES;

/** The file behind `handle`, which is closed with it. `expected` has at least one byte. */
export const streamedFile = (handle: FileHandle, expected: Expected, hasher: Hasher): LocalFile => {
  const { sizeBytes } = expected;
  /** The position of the last part. */
  const lastAt = (Math.ceil(sizeBytes / PART_BYTES) - 1) * PART_BYTES;
  let digests: Digests | undefined;

  const readAt = (position: number): Promise<Buffer> => {
    const part = position < lastAt ? hasher.takePart() : Buffer.allocUnsafeSlow(sizeBytes - lastAt);
    const reading = fill(part, handle, position);
    // If the file is abandoned, nothing awaits the read.
    reading.catch(() => {});
    return reading;
  };

  async function* read({ md5 } = { md5: false }): AsyncGenerator<Buffer, void> {
    const hashing = hasher.begin({ md5 });
    let isHashed = false;
    try {
      let next = readAt(0);
      let hashed = Promise.resolve();
      for (let position = 0; position < lastAt; position += PART_BYTES) {
        const part = await next;
        const hash = hashing.part(part);
        hash.catch(() => {});
        next = readAt(position + PART_BYTES);
        // At most three parts per file: one being read, one being sent, one being hashed.
        await hashed;
        yield part;
        // The next part is requested, so this one was sent. The part of an aborted send is not reused.
        hashed = hash.then(() => hasher.giveBack(part));
        hashed.catch(() => {});
      }
      const last = await next;
      await assertUnchanged(handle, expected);
      digests = await hashing.last(last);
      isHashed = true;
      yield last;
    } finally {
      if (!isHashed) hashing.drop();
    }
  }

  return { whole: undefined, read, digests: () => digests, close: () => handle.close() };
};

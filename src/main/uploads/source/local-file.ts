/** Opening a file for an upload: a small one is read whole, once, and checked after that; a larger one is streamed. */
import { hash } from 'node:crypto';
import type { Digests } from './hash-messages.ts';
import type { Hasher } from './hasher.ts';
import { openInPlace } from './open-in-place.ts';
import type { openPatiently } from './open-patiently.ts';
import { assertUnchanged, type Expected, fill } from './read-file.ts';
import { streamedFile } from './streamed-file.ts';

export type LocalFile = {
  /** The whole content of a small file. */
  readonly whole: Buffer | undefined;
  /**
   * The file's bytes in parts; throws `upload/file-changed` instead of giving the last one of a changed file. A part
   * may be written over as soon as the next one is asked for.
   */
  readonly read: (options?: { readonly md5: boolean }) => AsyncGenerator<Buffer, void>;
  /** Of what was read, once that was everything. */
  readonly digests: () => Digests | undefined;
  /** Waits for a read that is under way. */
  readonly close: () => Promise<void>;
};

/** Opens the file at a path, absolute, where it is as expected. Errors: `openLocalFile`'s. */
export type OpenFile = (path: string, expected: Expected) => Promise<LocalFile>;

/** The largest file that is read whole: hashing it takes less than asking another thread for it. */
export const WHOLE_BYTES = 256 * 1024;

/**
 * Opens the file at `path`. Nothing is read of what is not the expected file.
 * Errors: `upload/file-missing`, `upload/file-unreadable` (forbidden), `upload/file-locked` (for longer than a
 * moment), `upload/file-linked`, `upload/file-changed`.
 */
export const openLocalFile = async (
  path: string,
  expected: Expected,
  hasher: Hasher,
  open?: typeof openPatiently,
): Promise<LocalFile> => {
  const handle = await openInPlace(path, expected.within, open);
  const isSmall = expected.sizeBytes <= WHOLE_BYTES;
  let isKept = false;
  try {
    await assertUnchanged(handle, expected);
    if (isSmall) {
      const whole = await fill(Buffer.allocUnsafeSlow(expected.sizeBytes), handle, 0);
      await assertUnchanged(handle, expected);
      return wholeFile(whole);
    }
    isKept = true;
    return streamedFile(handle, expected, hasher);
  } finally {
    if (!isKept) await handle.close();
  }
};

/** A file whose content, with this sha256 in hex, has been read. */
export const wholeFile = (whole: Buffer, sha256 = hash('sha256', whole)): LocalFile => {
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

/**
 * Opening a file to upload it. A small one is read and hashed whole in a thread of its own, because asking Node's thread
 * pool for each of open, read, stat and close takes the engine's thread longer than all of it. A larger one is streamed.
 */

import { hash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { createCoalescer } from '../../async/coalescer.ts';
import type { Digests, Hasher } from './hasher.ts';
import { openInPlace } from './open-in-place.ts';
import type { openPatiently } from './open-patiently.ts';
import type { Content, ReadRequest } from './read-at-once.ts';
import { assertUnchanged, type Expected, fill } from './read-file.ts';
import { STREAMED_BYTES, streamedFile } from './streamed-file.ts';

export type LocalFile = {
  /** The whole content of a small file. */
  readonly whole: Buffer | undefined;
  /**
   * The file's bytes in parts; throws `upload/file-changed` instead of supplying the last part of a changed file. A part
   * may be overwritten as soon as the next one is requested.
   */
  readonly read: (options?: { readonly md5: boolean }) => AsyncGenerator<Buffer, void>;
  /** Available once the file was read to its end. */
  readonly digests: () => Digests | undefined;
  /** Waits for a read in progress. */
  readonly close: () => Promise<void>;
};

/** Opens the file at an absolute path, if it is as expected. Errors: those of `openLocalFile`. */
export type OpenFile = (path: string, expected: Expected) => Promise<LocalFile>;

/** The largest file that is read whole: hashing it takes less time than asking another thread for it. */
export const WHOLE_BYTES = 256 * 1024;

/** The bytes that an open file of this size has in memory at most. */
export const heldBytes = (sizeBytes: number): number => Math.min(sizeBytes, STREAMED_BYTES);

/**
 * Opens the file at `path`. Nothing is read from a file other than the expected one.
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

/** A file whose content has been read. `sha256` in hex. */
const wholeFile = (whole: Buffer, sha256 = hash('sha256', whole)): LocalFile => {
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

/**
 * A thread that has not answered this many requests gets no more. Half of the files that may be sent at once, so that a
 * drive that has stalled leaves slots for others.
 */
export const MAX_REQUESTS = 64;

type FileReader = {
  /** Opens files; see `openAnyway`. */
  readonly open: OpenFile;
  /** Whether the thread is waiting for a drive. */
  readonly isReading: () => boolean;
};

/**
 * Reads small files in the thread. `openAnyway` opens all others, and every file that the thread cannot read as expected:
 * it waits for locks and reports errors. It also takes over while the thread does not answer, as on a drive that has
 * stalled. `module`: source/read-worker.ts in this host. The thread starts with the first small file and does not keep the
 * process alive. `onBug` receives what it dies of.
 */
export const createFileReader = (module: URL, openAnyway: OpenFile, onBug: (error: unknown) => void): FileReader => {
  let thread: Worker | undefined;
  let isGone = false;
  /** The callers waiting for an answer, in order. */
  const waiting: ((content: Content | undefined) => void)[] = [];

  const started = (): Worker => {
    const reader = new Worker(module, { name: 'reading' });
    reader.unref();
    reader.on('message', (contents: readonly (Content | undefined)[]) => {
      for (const content of contents) waiting.shift()?.(content);
    });
    // The error that a worker's parent receives cannot be sent to another thread as it is.
    reader.on('error', ({ message, stack }) => onBug(Object.assign(new Error(message), { stack })));
    reader.on('exit', () => {
      isGone = true;
      for (const give of waiting.splice(0)) give(undefined);
    });
    return reader;
  };

  const { add: ask } = createCoalescer<ReadRequest>((files) => {
    thread ??= started();
    thread.postMessage(files);
  });

  const read = (request: ReadRequest): Promise<Content | undefined> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      ask(request);
    });

  const open: OpenFile = async (path, expected) => {
    const { sizeBytes, modifiedMs, identity, within } = expected;
    if (sizeBytes > WHOLE_BYTES || isGone || waiting.length >= MAX_REQUESTS) return openAnyway(path, expected);
    const content = await read({ path, expected: { sizeBytes, modifiedMs, identity, within } });
    return content ? wholeFile(Buffer.from(content.whole.buffer), content.sha256) : openAnyway(path, expected);
  };
  return { open, isReading: () => waiting.length > 0 };
};

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

/** More than this many are not asked of a thread that does not answer. */
const MOST_ASKED = 16;

export type FileReader = {
  /** Opens files as `openAnyway` does. */
  readonly open: OpenFile;
  /** Whether the thread waits for a drive now. */
  readonly isReading: () => boolean;
};

/**
 * A reader of small files; others it leaves to `openAnyway`. `module`: that of source/read-worker.ts as this host has it; the
 * thread starts with the first small file, and keeps no process alive. `onBug` gets what it dies of.
 */
export const createFileReader = (module: URL, openAnyway: OpenFile, onBug: (error: unknown) => void): FileReader => {
  let thread: Worker | undefined;
  let isGone = false;
  /** Who waits for an answer, in the order of asking. */
  const asked: ((content: Content | undefined) => void)[] = [];

  const started = (): Worker => {
    const reader = new Worker(module, { name: 'reading' });
    reader.unref();
    reader.on('message', (contents: readonly (Content | undefined)[]) => {
      for (const content of contents) asked.shift()?.(content);
    });
    // An error as a worker's parent gets it cannot be sent to a further thread as one.
    reader.on('error', ({ message, stack }) => onBug(Object.assign(new Error(message), { stack })));
    reader.on('exit', () => {
      isGone = true;
      for (const give of asked.splice(0)) give(undefined);
    });
    return reader;
  };

  const { add: ask } = createCoalescer<ReadRequest>((files) => {
    thread ??= started();
    thread.postMessage(files);
  });

  const read = (request: ReadRequest): Promise<Content | undefined> =>
    new Promise((resolve) => {
      asked.push(resolve);
      ask(request);
    });

  const open: OpenFile = async (path, expected) => {
    const { sizeBytes, modifiedMs, identity, within } = expected;
    if (sizeBytes > WHOLE_BYTES || isGone || asked.length >= MOST_ASKED) return openAnyway(path, expected);
    const content = await read({ path, expected: { sizeBytes, modifiedMs, identity, within } });
    return content ? wholeFile(Buffer.from(content.whole.buffer), content.sha256) : openAnyway(path, expected);
  };
  return { open, isReading: () => asked.length > 0 };
};

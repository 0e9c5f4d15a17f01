/** Opens and reads files to be uploaded: small ones as a whole in a worker of their own, larger ones as streams. */

import { hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';
import { orCancelled, partsInTime, withDeadline } from '../../async/cancel.ts';
import { createCoalescer } from '../../async/throttle.ts';
import { type Expected, isCloudOnlyAt } from './file-identity.ts';
import { type Digests, type Hasher, PART_BYTES } from './hasher.ts';
import { assertUnchanged, fill, letGo, lookInPlace, openInPlace, type openPatiently } from './open-file.ts';
import { archiveOf, splitInner } from './paths.ts';
import type { Content, ReadRequest } from './read-worker.ts';

/**
 * Settles like `work`. Rejects with `upload/stalled` after `idleMs`, or with the `cancellation` of `signal`; `work`
 * then continues.
 */
export const inTime = <T>(work: Promise<T>, idleMs: number, signal: AbortSignal): Promise<T> =>
  withDeadline(
    idleMs,
    signal,
    (within) => orCancelled(work, within),
    () => new DeskError('upload/stalled', 'the file cannot be read', { retry: 'later' }),
  );

export type LocalFile = {
  /** The content of a file that was read as a whole; undefined for a streamed file. */
  readonly whole: Buffer | undefined;
  /**
   * The file's bytes in parts. A streamed file throws `upload/file-changed` instead of supplying the last part if the
   * file has changed. A part may be overwritten as soon as the next one is requested.
   */
  readonly read: (options?: { readonly md5: boolean }) => AsyncGenerator<Buffer, void>;
  /**
   * The digests of the content. A whole file has them from the start, except the MD5, which it has after a read with
   * `md5`. A streamed file has them once it has been read to its end.
   */
  readonly digests: () => Digests | undefined;
  /** Closes the file, after a read in progress. */
  readonly close: () => Promise<void>;
};

/** Opens the file at an absolute path, if it is as expected. Errors: those of `openLocalFile`, `upload/archive-…`. */
export type OpenFile = (path: string, expected: Expected) => Promise<LocalFile>;

/** The maximum size of a file that is read as a whole, in bytes. A larger file is streamed, and hashed in a worker. */
export const WHOLE_BYTES = 256 * 1024;

/** The maximum memory of an open file of this size, in bytes. */
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
    if (!isKept) await letGo(handle);
  }
};

/** Creates a file from its content. `sha256`: the hash of the content, in hex. */
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

/** The maximum number of pending requests: half of the maximum of tuned slots (`BOUNDS` of transfer/pool.ts). */
const MAX_REQUESTS = 64;

/**
 * Creates a reader of files. Its worker, started with the first small file, reads small files. `openAnyway` opens
 * larger files, files in archives, and files that the worker cannot read as expected. `openAnyway` also opens small
 * files while too many requests are pending, and after the worker has ended. Only `openAnyway` waits for locks and
 * reports errors. `module`: the URL of source/read-worker.ts. `onBug` receives the error that ends the worker.
 */
export const createFileReader = (module: URL, openAnyway: OpenFile, onBug: (error: unknown) => void) => {
  let worker: Worker | undefined;
  let isGone = false;
  const pending: ((content: Content | undefined) => void)[] = [];

  const started = (): Worker => {
    const reader = new Worker(module, { name: 'reading' });
    reader.unref();
    reader.on('message', (contents: readonly (Content | undefined)[]) => {
      for (const content of contents) pending.shift()?.(content);
    });
    reader.on('error', onBug);
    reader.on('exit', () => {
      isGone = true;
      for (const resolve of pending.splice(0)) resolve(undefined);
    });
    return reader;
  };

  const { add: request } = createCoalescer<ReadRequest>((files) => {
    worker ??= started();
    worker.postMessage(files);
  });

  const read = (file: ReadRequest): Promise<Content | undefined> =>
    new Promise((resolve) => {
      pending.push(resolve);
      request(file);
    });

  const open: OpenFile = async (path, expected) => {
    const { sizeBytes, modifiedMs, identity, within } = expected;
    if (splitInner(path) || sizeBytes > WHOLE_BYTES || isGone || pending.length >= MAX_REQUESTS)
      return openAnyway(path, expected);
    const content = await read({ path, expected: { sizeBytes, modifiedMs, identity, within } });
    return content ? wholeFile(Buffer.from(content.whole.buffer), content.sha256) : openAnyway(path, expected);
  };
  return {
    open,
    isReading: (): boolean => pending.length > 0,
  };
};

/** Opens a file within `idleMs`, or rejects with `upload/stalled`. A file that is in the cloud is downloaded first. */
export const openInTime = async (
  open: OpenFile,
  path: string,
  expected: Expected,
  idleMs: number,
  signal: AbortSignal,
  isAway: (path: string) => Promise<boolean> = isCloudOnlyAt,
): Promise<LocalFile> => {
  if (await inTime(isAway(archiveOf(path)), idleMs, signal)) await recall(open, path, expected, signal);
  const opening = open(path, expected);
  try {
    return await inTime(opening, idleMs, signal);
  } catch (error) {
    // If the file is opened after the call has rejected, it is closed immediately.
    opening.then((file) => file.close()).catch(() => {});
    throw error;
  }
};

/** Reads the file to its end, so that the system downloads it. There is no time limit: only `signal` ends the read. */
const recall = async (open: OpenFile, path: string, expected: Expected, signal: AbortSignal): Promise<void> => {
  const reading = async (): Promise<void> => {
    const file = await open(path, expected);
    try {
      for await (const _ of file.read()) if (signal.aborted) return;
    } finally {
      await file.close();
    }
  };
  await orCancelled(reading(), signal);
};

/** Yields `parts`. Throws `upload/stalled` if a part takes longer than `idleMs`, and the `cancellation` of `signal`. */
export const readInTime = (parts: AsyncGenerator<Buffer, void>, idleMs: number, signal: AbortSignal) =>
  partsInTime(parts, (next) => inTime(next, idleMs, signal));

/** Resolves to the sha256 of the file at `path`, in hex. Errors: those of `openInTime`, `upload/hashing-stopped`. */
export const hashInTime = async (
  open: OpenFile,
  path: string,
  expected: Expected,
  idleMs: number,
  signal: AbortSignal,
  isAway?: (path: string) => Promise<boolean>,
): Promise<string | undefined> => {
  const file = await openInTime(open, path, expected, idleMs, signal, isAway);
  try {
    for await (const _ of readInTime(file.read(), idleMs, signal));
    return file.digests()?.sha256;
  } finally {
    // Not awaited: closing a file on a stalled drive may never end.
    file.close().catch(() => {});
  }
};

/** Resolves to the size and sha256 of the file at `path`. Errors: those of `hashInTime`. */
export const contentOf = async (
  open: OpenFile,
  path: string,
  idleMs: number,
  signal: AbortSignal,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> => {
  const found = await inTime(lookInPlace(path, undefined), idleMs, signal);
  const sha256 = await hashInTime(open, path, found, idleMs, signal);
  if (sha256 === undefined) throw new Error('a file that was read to its end has no hash');
  return { sizeBytes: found.sizeBytes, sha256 };
};

// A streamed file is read one part ahead of the part being sent, while a worker hashes the parts. The last part is held
// back until the file has been checked, so that a changed file never arrives completely.

/** The maximum memory of a streamed file: one part being read, one being sent, one being hashed. */
const STREAMED_BYTES = 3 * PART_BYTES;

/** Creates a streamed file of at least one byte. Closing it closes `handle`. */
const streamedFile = (handle: FileHandle, expected: Expected, hasher: Hasher): LocalFile => {
  const { sizeBytes } = expected;
  const lastAt = (Math.ceil(sizeBytes / PART_BYTES) - 1) * PART_BYTES;
  let digests: Digests | undefined;

  const readAt = (position: number): Promise<Buffer> => {
    const part = position < lastAt ? hasher.takePart() : Buffer.allocUnsafeSlow(sizeBytes - lastAt);
    const reading = fill(part, handle, position);
    // If the file is abandoned, nothing awaits the read, and its error is ignored.
    reading.catch(() => {});
    return reading;
  };

  async function* read({ md5 } = { md5: false }): AsyncGenerator<Buffer, void> {
    using hashing = hasher.begin({ md5 });
    let next = readAt(0);
    let hashed = Promise.resolve();
    for (let position = 0; position < lastAt; position += PART_BYTES) {
      const part = await next;
      const hash = hashing.part(part);
      hash.catch(() => {});
      next = readAt(position + PART_BYTES);
      // Limits the memory used to `STREAMED_BYTES`.
      await hashed;
      yield part;
      // The caller requests the next part after it has sent this one, whose buffer can then be reused.
      hashed = hash.then(() => hasher.giveBack(part));
      hashed.catch(() => {});
    }
    const last = await next;
    await assertUnchanged(handle, expected);
    digests = await hashing.last(last);
    yield last;
  }

  return { whole: undefined, read, digests: () => digests, close: () => letGo(handle) };
};

/** Opening and reading files on a drive that may have stalled. */
import { DeskError } from '../../../contract/errors.ts';
import { cancellation, orCancelled } from '../../async/cancel.ts';
import { onAbort } from '../../async/on-abort.ts';
import { isCloudOnlyAt } from './cloud-only.ts';
import type { FileFacts } from './file-identity.ts';
import type { LocalFile, OpenFile } from './local-file.ts';
import { type FilePlace, locateFile } from './locate-file.ts';
import { lookInPlace } from './open-in-place.ts';
import type { Expected } from './read-file.ts';
import { assertFolder } from './scan.ts';

/** `lookInPlace` with a limit: also `upload/stalled` after `idleMs`, and the cancellation of `signal`. */
export const lookInTime = (
  path: string,
  within: string | undefined,
  idleMs: number,
  signal: AbortSignal,
): Promise<FileFacts> => inTime(lookInPlace(path, within), idleMs, signal);

/** `locateFile` with a limit: also `upload/stalled` after `idleMs`, and the cancellation of `signal`. */
export const locateInTime = (place: FilePlace, idleMs: number, signal: AbortSignal): Promise<string> =>
  inTime(locateFile(place), idleMs, signal);

/** `assertFolder` with a limit: also `upload/stalled` after `idleMs`, and the cancellation of `signal`. */
export const assertFolderInTime = (
  root: string,
  realRoot: string | undefined,
  idleMs: number,
  signal: AbortSignal,
): Promise<void> => inTime(assertFolder(root, realRoot), idleMs, signal);

/**
 * `open` with a limit: also `upload/stalled` after `idleMs`, and the cancellation of `signal`. A file that is in the cloud
 * (`isAway`) is downloaded first, without a limit.
 */
export const openInTime = async (
  open: OpenFile,
  path: string,
  expected: Expected,
  idleMs: number,
  signal: AbortSignal,
  isAway: (path: string) => Promise<boolean> = isCloudOnlyAt,
): Promise<LocalFile> => {
  if (await isAway(path)) await recall(open, path, expected, signal);
  const opening = open(path, expected);
  try {
    return await inTime(opening, idleMs, signal);
  } catch (error) {
    // If it opens after all, it is closed.
    opening.then((file) => file.close()).catch(() => {});
    throw error;
  }
};

/** Reads the file to its end, so that the system downloads it. That takes as long as the line needs: only `signal` ends it. */
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

/** `parts` with a limit: also `upload/stalled` if the next one takes longer than `idleMs`, and the cancellation of `signal`. */
export async function* readInTime(
  parts: AsyncGenerator<Buffer, void>,
  idleMs: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  try {
    for (;;) {
      const next = await inTime(parts.next(), idleMs, signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a read from a stalled drive may never end.
    parts.return().catch(() => {});
  }
}

/** sha256 of the file at `path` in hex. Errors: those of `openInTime`, and `upload/hashing-stopped`. */
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
    // As above.
    file.close().catch(() => {});
  }
};

/** Size and sha256 of the file at `path`. Errors: those of `hashInTime`. */
export const contentOf = async (
  open: OpenFile,
  path: string,
  idleMs: number,
  signal: AbortSignal,
): Promise<{ readonly sizeBytes: number; readonly sha256: string }> => {
  const found = await lookInTime(path, undefined, idleMs, signal);
  const sha256 = await hashInTime(open, path, found, idleMs, signal);
  if (sha256 === undefined) throw new Error('a file that was read to its end has no hash');
  return { sizeBytes: found.sizeBytes, sha256 };
};

/** The answer of `work`. The work itself continues when it is no longer awaited. */
const inTime = async <T>(work: Promise<T>, idleMs: number, signal: AbortSignal): Promise<T> => {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const late = (): void => reject(new DeskError('upload/stalled', 'the file cannot be read', { retry: 'later' }));
  const timer = setTimeout(late, idleMs);
  const stop = onAbort(signal, () => reject(cancellation(signal)));
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
};

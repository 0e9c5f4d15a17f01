/**
 * The entry point of three workers (`workerData.serves`). It loads no schemas, so that it starts quickly for small
 * files.
 */
import { hash } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import module from 'node:module';
import { basename, dirname, join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { differenceFrom, type Expected, isOneFile } from './file-identity.ts';
import { isBelow, pathOfOpenFile, readFlags, realPathSync } from './paths.ts';

/** A file to read. `path`: absolute; `expected`: the facts that the file should have. */
export type ReadRequest = { readonly path: string; readonly expected: Expected };

/** The content of a file. `whole`: the bytes, which fill their whole buffer. `sha256`: the hash in hex. */
export type Content = { readonly whole: Uint8Array<ArrayBuffer>; readonly sha256: string };

/** Reads the file if it matches `expected` before and after reading; undefined for any mismatch or error. */
export const readAtOnce = ({ path, expected }: ReadRequest, whereIs = pathOfOpenFile): Content | undefined => {
  const { sizeBytes, within } = expected;
  let fd: number | undefined;
  try {
    fd = openSync(path, readFlags());
    if (!isExpected(fd, expected) || (within !== undefined && !isInPlace(fd, path, within, whereIs))) return undefined;
    const whole = Buffer.allocUnsafeSlow(sizeBytes);
    for (let position = 0; position < sizeBytes; ) {
      const bytes = readSync(fd, whole, position, sizeBytes - position, position);
      if (bytes === 0) return undefined;
      position += bytes;
    }
    return isExpected(fd, expected) ? { whole, sha256: hash('sha256', whole) } : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) letGo(fd);
  }
};

/**
 * Closes a file that was read. Errors, for example of a network drive, are ignored, because the content has already
 * been read.
 */
const letGo = (fd: number): void => {
  try {
    closeSync(fd);
  } catch {
    // The system frees the descriptor even if closing fails.
  }
};

const isExpected = (fd: number, expected: Expected): boolean =>
  differenceFrom(expected, fstatSync(fd, { bigint: true })) === undefined;

/** Checks synchronously whether the file is in its place, as `openInPlace` in open-file.ts does. */
const isInPlace = (fd: number, path: string, within: string, whereIs: typeof pathOfOpenFile): boolean => {
  const opened = whereIs(fd);
  if (opened !== undefined) return isBelow(within, opened);
  const place = join(realPathSync(dirname(path)), basename(path));
  const bigint = { bigint: true } as const;
  return isBelow(within, place) && isOneFile(lstatSync(place, bigint), fstatSync(fd, bigint));
};

/** Serves requests for small files. A message is a list of files; its response has their contents in the same order. */
export const serveFiles = (port: MessagePort): void => {
  port.on('message', (files: readonly ReadRequest[]) => {
    const contents = files.map((file) => readAtOnce(file));
    port.postMessage(
      contents,
      contents.flatMap((content) => (content ? [content.whole.buffer] : [])),
    );
  });
};

// Tests import this module outside of a worker.
if (parentPort) {
  if (workerData?.serves === 'archives') (await import('./archive-reader.ts')).serveArchives(parentPort);
  else if (workerData?.serves === 'hashes') (await import('./hasher.ts')).serveHashes(parentPort);
  else serveFiles(parentPort);
}
// The process exits without ending this worker, so its compile cache has to be flushed here.
if (parentPort) module.flushCompileCache?.();

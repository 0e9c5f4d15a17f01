/** One small file in one go: opening, reading and hashing it with nothing in between. */
import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A file as the ledger knows it. `path`: absolute. `modifiedMs`: ms since 1970. */
export type ReadRequest = { readonly path: string; readonly sizeBytes: number; readonly modifiedMs: number };

/** `sha256` in hex. */
export type Content = { readonly whole: Uint8Array; readonly sha256: string };

/** The file's content where it is what is expected, looked at after it was read; else undefined, whatever is wrong. */
export const readAtOnce = ({ path, sizeBytes, modifiedMs }: ReadRequest): Content | undefined => {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const whole = Buffer.allocUnsafeSlow(sizeBytes);
    for (let position = 0; position < sizeBytes; ) {
      const bytes = readSync(fd, whole, position, sizeBytes - position, position);
      if (bytes === 0) return undefined;
      position += bytes;
    }
    const found = fstatSync(fd);
    if (!found.isFile() || found.size !== sizeBytes || found.mtimeMs !== modifiedMs) return undefined;
    return { whole, sha256: hash('sha256', whole) };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
};

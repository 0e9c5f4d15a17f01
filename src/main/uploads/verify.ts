/** Holding what is on disk now against what the ledger says was uploaded. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Verdict, VerifiedFile, VerifiedPart } from '../../contract/models.ts';
import { throwIfCancelled } from '../net/cancel.ts';
import { localPath } from './files/local-path.ts';
import type { BatchRow } from './ledger/batches.ts';
import type { Item } from './ledger/item-row.ts';
import type { Items } from './ledger/items.ts';

const PART_FILES = 64;
/** A part ends after the file that reaches this. */
const PART_READ_BYTES = 256 * 1024 * 1024;

/**
 * Verifies the next files of a batch, from the one after `after` on (0: the first): a part at a time, so that whoever
 * asks can show how far it is. Errors: `app/cancelled`.
 */
export const verifyPart = async (
  items: Items,
  { id, root }: BatchRow,
  after: number,
  signal: AbortSignal,
): Promise<VerifiedPart> => {
  const found = items.after(id, { afterId: after, limit: PART_FILES });
  const part = found.slice(0, countOfPart(found));
  const files = await verifyFiles(root, part, signal);
  const last = part.at(-1);
  const isEnd = part.length === found.length && found.length < PART_FILES;
  return { files, ...(last && !isEnd && { next: last.id }) };
};

const countOfPart = (items: readonly Item[]): number => {
  let bytes = 0;
  for (const [index, { sizeBytes }] of items.entries()) {
    bytes += sizeBytes;
    if (bytes >= PART_READ_BYTES) return index + 1;
  }
  return items.length;
};

/** Files read at once: a disk is not faster with more. */
const AT_ONCE = 4;
const PART_BYTES = 1024 * 1024;

const verifyFiles = async (root: string, items: readonly Item[], signal: AbortSignal): Promise<VerifiedFile[]> => {
  const verified: VerifiedFile[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) {
      const { path, fileName: FileName, state, sizeBytes } = item;
      verified[index] = {
        path,
        FileName,
        state,
        sizeBytes,
        verdict: await verify(localPath(root, path), item, signal),
      };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return verified;
};

const verify = async (path: string, { state, sizeBytes, sha256 }: Item, signal: AbortSignal): Promise<Verdict> => {
  throwIfCancelled(signal);
  if ((state !== 'done' && state !== 'skipped') || sha256 === undefined) return 'not-uploaded';
  try {
    return (await hashOf(path, sizeBytes, signal)) === sha256 ? 'same' : 'changed';
  } catch (error) {
    throwIfCancelled(signal);
    return /^(ENOENT|ENOTDIR)$/.test(String((error as NodeJS.ErrnoException).code)) ? 'missing' : 'unreadable';
  }
};

/** sha256 in hex of the file at `path`; undefined where it is no file of this size. */
const hashOf = async (path: string, sizeBytes: number, signal: AbortSignal): Promise<string | undefined> => {
  const file = await open(path);
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size !== sizeBytes) return undefined;
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(Math.min(PART_BYTES, sizeBytes + 1));
    for (;;) {
      throwIfCancelled(signal);
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
};

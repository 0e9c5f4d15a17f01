/** Compares files on disk with the uploads that the ledger records. */
import { DeskError, type ErrorCode } from '../../../contract/errors.ts';
import type { Verdict, VerifiedFile, VerifiedPart } from '../../../contract/uploads.ts';
import { orCancelled, throwIfCancelled } from '../../async/cancel.ts';
import type { BatchRow } from '../ledger/batches.ts';
import { type Item, listedState } from '../ledger/item-row.ts';
import type { Items } from '../ledger/items.ts';
import { inTime } from '../source/in-time.ts';
import { hashInTime, type OpenFile } from '../source/local-file.ts';
import { lookInPlace } from '../source/open-file.ts';
import { localPath, realRootOf } from '../source/paths.ts';

/** `idleMs`: how long a drive may not respond before its files count as unreadable. */
type VerifyOptions = { readonly items: Items; readonly open: OpenFile; readonly idleMs: number };

const PART_FILES = 64;
/** A part ends with the file that reaches this size in total. */
const PART_READ_BYTES = 256 * 1024 * 1024;

/**
 * Verifies the next files of a batch, starting after the file `after` (0: from the first), in parts so that the caller can
 * show progress. Errors: `app/cancelled`.
 */
export const verifyPart = async (
  options: VerifyOptions,
  batch: BatchRow,
  after: number,
  signal: AbortSignal,
): Promise<VerifiedPart> => {
  const found = options.items.after(batch.id, { afterId: after, limit: PART_FILES });
  const part = found.slice(0, countOfPart(found));
  const files = await verifyFiles(options, batch, part, signal);
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

/** Files read at the same time: a disk is not faster with more. */
const AT_ONCE = 4;

const verifyFiles = async (
  options: VerifyOptions,
  batch: BatchRow,
  items: readonly Item[],
  signal: AbortSignal,
): Promise<readonly VerifiedFile[]> => {
  const within = await orCancelled(realRootOf(batch), signal);
  const verified: VerifiedFile[] = [];
  const left = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of left) {
      const { path, fileName: FileName, sizeBytes } = item;
      const verdict = await verify(options, localPath(batch.root, path), within, item, signal);
      verified[index] = { path, FileName, state: listedState(item), sizeBytes, verdict };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return verified;
};

const verify = async (
  { open, idleMs }: VerifyOptions,
  path: string,
  within: string | undefined,
  { state, removed, sizeBytes, sha256 }: Item,
  signal: AbortSignal,
): Promise<Verdict> => {
  throwIfCancelled(signal);
  if (removed) return 'removed';
  if ((state !== 'done' && state !== 'skipped') || sha256 === undefined) return 'not-uploaded';
  try {
    const found = await inTime(lookInPlace(path, within), idleMs, signal);
    if (found.sizeBytes !== sizeBytes) return 'changed';
    // A file whose times alone changed is the same.
    const expected = { ...found, within };
    return (await hashInTime(open, path, expected, idleMs, signal)) === sha256 ? 'same' : 'changed';
  } catch (error) {
    throwIfCancelled(signal);
    if (!(error instanceof DeskError)) throw error;
    return VERDICTS[error.code] ?? 'unreadable';
  }
};

const VERDICTS: Partial<Record<ErrorCode, Verdict>> = {
  'upload/file-missing': 'missing',
  'upload/file-changed': 'changed',
  'upload/file-linked': 'changed',
};

/** Offering files of a batch again that failed, as they are on disk now. */
import { stat } from 'node:fs/promises';
import { type Count, sum } from './count.ts';
import type { BatchRow } from './ledger/batches.ts';
import type { Item } from './ledger/item-row.ts';
import type { Ledger } from './ledger/ledger.ts';
import { localPath } from './local-path.ts';

/** The files that were queued again: as they were counted when they failed, and as they are on disk. */
export type Requeued = {
  readonly before: Count;
  readonly after: Count;
  /** The batch was not running when they were queued: no run that goes on takes them up. */
  readonly reopened: boolean;
};

const none: Requeued = { before: { files: 0, bytes: 0 }, after: { files: 0, bytes: 0 }, reopened: false };

/** Files that are looked at together and queued in one commit. */
const GROUP_FILES = 500;

/**
 * Queues those of `ids` again that are failed or uncertain files of `batch`, and opens the batch in the same commit: in
 * one that has ended nobody would look for queued files after a crash.
 */
export const requeueFiles = async (ledger: Ledger, batch: BatchRow, ids: readonly number[]): Promise<Requeued> => {
  let requeued = none;
  for (let start = 0; start < ids.length; start += GROUP_FILES) {
    const group = await requeueGroup(ledger, batch, ids.slice(start, start + GROUP_FILES));
    requeued = {
      before: sum(requeued.before, group.before),
      after: sum(requeued.after, group.after),
      reopened: requeued.reopened || group.reopened,
    };
  }
  return requeued;
};

const requeueGroup = async (ledger: Ledger, batch: BatchRow, ids: readonly number[]): Promise<Requeued> => {
  const { batches, items, commit } = ledger;
  const chosen = ids.map(items.get).filter((item): item is Item => item?.batch === batch.id);
  const found = await Promise.all(
    chosen.map(async ({ id, path, sizeBytes }) => ({
      id,
      sizeBytes,
      onDisk: await onDisk(localPath(batch.root, path)),
    })),
  );
  return commit(() => {
    const queued = found.filter((file) => items.requeue(file.id, file.onDisk));
    const { state, scanned } = batches.get(batch.id) ?? batch;
    const reopened = queued.length > 0 && state !== 'running';
    if (reopened) batches.setState(batch.id, scanned ? 'running' : 'scanning');
    const count = (sizes: readonly number[]): Count => ({
      files: sizes.length,
      bytes: sizes.reduce((total, size) => total + size, 0),
    });
    return {
      before: count(queued.map((file) => file.sizeBytes)),
      after: count(queued.map((file) => file.onDisk?.sizeBytes ?? file.sizeBytes)),
      reopened,
    };
  });
};

/** What the ledger keeps of the file at `path`; undefined where there is none. */
const onDisk = async (path: string) => {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() ? { sizeBytes: stats.size, modifiedMs: stats.mtimeMs } : undefined;
};

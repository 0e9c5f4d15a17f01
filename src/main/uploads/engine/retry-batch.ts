/** Offering files of a batch again that failed, as they are on disk now. */
import { isBeingCancelled } from '../../../contract/batches.ts';
import type { BatchRow } from '../ledger/batches.ts';
import type { Item } from '../ledger/item-row.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lookInPlace } from '../source/open-in-place.ts';
import { localPath, realRootOf } from '../source/paths.ts';

/** `reopened`: the batch had no run that goes on and takes them up. */
export type Requeued = { readonly files: number; readonly reopened: boolean };

const none: Requeued = { files: 0, reopened: false };
const both = (one: Requeued, other: Requeued): Requeued => ({
  files: one.files + other.files,
  reopened: one.reopened || other.reopened,
});

/** Where it is not a file now, the ledger keeps what it knows, and the next try says why. */
const nothing = (): undefined => undefined;

/** Files that are looked at together and queued in one commit. */
const GROUP_FILES = 500;

/**
 * Queues the failed and uncertain files of `batch` again, and opens the batch in the same commit: in one that has ended
 * nobody would look for queued files after a crash.
 */
export const requeueFailed = async (ledger: Ledger, batch: BatchRow): Promise<Requeued> => {
  let requeued = none;
  let afterId = 0;
  for (;;) {
    const ids = ledger.items.failedIds(batch.id, { afterId, limit: GROUP_FILES });
    const last = ids.at(-1);
    if (last === undefined) return requeued;
    requeued = both(requeued, await requeueGroup(ledger, batch, ids));
    afterId = last;
  }
};

/** As `requeueFailed`, those of `ids` that are failed or uncertain files of `batch`. */
export const requeueFiles = async (ledger: Ledger, batch: BatchRow, ids: readonly number[]): Promise<Requeued> => {
  let requeued = none;
  for (let start = 0; start < ids.length; start += GROUP_FILES) {
    requeued = both(requeued, await requeueGroup(ledger, batch, ids.slice(start, start + GROUP_FILES)));
  }
  return requeued;
};

const requeueGroup = async (ledger: Ledger, batch: BatchRow, ids: readonly number[]): Promise<Requeued> => {
  const { batches, items, commit } = ledger;
  const chosen = ids.map(items.get).filter((item): item is Item => item !== undefined);
  const within = await realRootOf(batch);
  const found = await Promise.all(
    chosen.map(async ({ id, path }) => ({
      id,
      onDisk: await lookInPlace(localPath(batch.root, path), within).catch(nothing),
    })),
  );
  return commit(() => {
    const { state, scanned, reason } = batches.get(batch.id) ?? batch;
    if (isBeingCancelled({ reason })) return none;
    const files = found.filter((file) => items.requeue(batch.id, file.id, file.onDisk)).length;
    const reopened = files > 0 && state !== 'running' && state !== 'scanning';
    if (reopened) batches.setState(batch.id, scanned ? 'running' : 'scanning');
    return { files, reopened };
  });
};

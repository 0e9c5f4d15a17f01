/** Retrying failed files of a batch, as they are on disk now. */
import { isActive, isBeingCancelled } from '../../../contract/uploads.ts';
import type { BatchRow } from '../ledger/batches.ts';
import type { Item } from '../ledger/item-row.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { lookInPlace, replacedFolder } from '../source/open-file.ts';
import { localPath, realRootOf } from '../source/paths.ts';

/** `reopened`: the batch had ended or was paused, so no run picks the files up. */
export type Requeued = { readonly files: number; readonly reopened: boolean };

const none: Requeued = { files: 0, reopened: false };
const both = (one: Requeued, other: Requeued): Requeued => ({
  files: one.files + other.files,
  reopened: one.reopened || other.reopened,
});

/** If the path is no longer a file, the ledger keeps its facts, and the next attempt reports why. */
const nothing = (): undefined => undefined;

/** Files that are opened together and queued in one commit. */
const GROUP_FILES = 500;

/**
 * Queues the failed and uncertain files of `batch` again, and what could not be removed though it was replaced, and reopens
 * the batch in the same commit: after a crash, nothing would look for queued files in a batch that has ended.
 */
export const requeueFailed = async (ledger: Ledger, batch: BatchRow): Promise<Requeued> => {
  let requeued = await ledger.commit(() => reopen(ledger, batch, () => ledger.replacedFiles.retry(batch.id)));
  let afterId = 0;
  for (;;) {
    const ids = ledger.items.failedIds(batch.id, { afterId, limit: GROUP_FILES });
    const last = ids.at(-1);
    if (last === undefined) return requeued;
    requeued = both(requeued, await requeueGroup(ledger, batch, ids));
    afterId = last;
  }
};

/** The same as `requeueFailed` for those of `ids` that are failed or uncertain files of `batch`. */
export const requeueFiles = async (ledger: Ledger, batch: BatchRow, ids: readonly number[]): Promise<Requeued> => {
  let requeued = none;
  for (let start = 0; start < ids.length; start += GROUP_FILES) {
    requeued = both(requeued, await requeueGroup(ledger, batch, ids.slice(start, start + GROUP_FILES)));
  }
  return requeued;
};

const requeueGroup = async (ledger: Ledger, batch: BatchRow, ids: readonly number[]): Promise<Requeued> => {
  const { items, commit } = ledger;
  const chosen = ids.map(items.get).filter((item): item is Item => item !== undefined);
  const within = await realRootOf(batch);
  const folderAt = (below: string) => ledger.batches.folderAt(batch.id, below);
  const found = await Promise.all(
    chosen.map(async ({ id, path }) => ({
      id,
      // Nothing of a folder that took the place of another one was chosen: the next attempt reports it.
      onDisk: (await replacedFolder(batch.root, path, folderAt))
        ? undefined
        : await lookInPlace(localPath(batch.root, path), within).catch(nothing),
    })),
  );
  return commit(() =>
    reopen(ledger, batch, () => found.filter((file) => items.requeue(batch.id, file.id, file.onDisk)).length),
  );
};

/** Runs `requeue`, which answers how many files it queued, and reopens the batch if there are any; in a commit. */
const reopen = ({ batches }: Ledger, batch: BatchRow, requeue: () => number): Requeued => {
  const { state, scanned, reason } = batches.get(batch.id) ?? batch;
  if (isBeingCancelled({ reason })) return none;
  const files = requeue();
  const reopened = files > 0 && !isActive({ state });
  if (reopened) batches.setState(batch.id, scanned ? 'running' : 'scanning');
  return { files, reopened };
};

/** Offering a batch's failed files again, as they are on disk now. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BatchRow } from './ledger/batches.ts';
import type { Ledger } from './ledger/ledger.ts';

/** Queues the failed and uncertain files of a batch again; answers how many. */
export const requeueFailed = async (ledger: Ledger, batch: BatchRow): Promise<number> => {
  const { items } = ledger.items.list(batch.id, {
    states: ['failed', 'uncertain'],
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  });
  for (const { id, path, sizeBytes, modifiedMs } of items) {
    const found = await stat(join(batch.root, path)).catch(() => undefined);
    if (!found?.isFile() || (found.size === sizeBytes && found.mtimeMs === modifiedMs)) continue;
    await ledger.commit(() => ledger.items.rescanned(id, found.size, found.mtimeMs));
  }
  return ledger.commit(() => ledger.items.retryFailed(batch.id));
};

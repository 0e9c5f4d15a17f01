/** Offering a batch's failed files again, as they are on disk now. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Count, sum } from './count.ts';
import type { BatchRow } from './ledger/batches.ts';
import type { Ledger } from './ledger/ledger.ts';

/** The files that were queued again: as they were counted when they failed, and as they are on disk. */
export type Requeued = { readonly before: Count; readonly after: Count };

/** Queues the failed and uncertain files of a batch again. */
export const requeueFailed = async ({ items, commit }: Ledger, batch: BatchRow): Promise<Requeued> => {
  const failed = items.list(batch.id, { states: ['failed', 'uncertain'], offset: 0, limit: Number.MAX_SAFE_INTEGER });
  const found = await Promise.all(
    failed.items.map(async ({ id, path }) => ({
      id,
      stats: await stat(join(batch.root, path)).catch(() => undefined),
    })),
  );
  const failures = (): Count => {
    const tally = items.tally(batch.id);
    return sum(tally.failed, tally.uncertain);
  };
  return commit(() => {
    const before = failures();
    for (const { id, stats } of found) if (stats?.isFile()) items.rescanned(id, stats.size, stats.mtimeMs);
    const after = failures();
    items.retryFailed(batch.id);
    return { before, after };
  });
};

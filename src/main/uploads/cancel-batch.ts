/** Cancelling: what never began is settled at once; what may have arrived is removed from the assignment. */
import { DeskError, toErrorData } from '../../contract/errors.ts';
import type { BatchRow } from './ledger/batches.ts';
import { takeBack } from './remove-file.ts';
import type { TransferContext } from './transfer.ts';

/** How long cancelling waits for the service in all. What it could not settle by then is uncertain. */
const PATIENCE_MS = 30_000;

/**
 * Settles every open file of a batch that does not run (any more) and closes it.
 * A file that was on its way ends `cancelled` where its Key could be removed, else `uncertain`.
 */
export const cancelBatch = async (context: TransferContext, batch: BatchRow): Promise<void> => {
  const { ledger, now } = context;
  const place = { connection: batch.connection, assignmentId: batch.assignmentId };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  await ledger.commit(() => ledger.items.cancelUntouched(batch.id, now()));
  for (const { id, key, url } of ledger.items.toGo(batch.id, Number.MAX_SAFE_INTEGER)) {
    try {
      if (key !== undefined) await takeBack(context, place, key, signal);
      await ledger.commit(() => ledger.items.cancelled(id, now()));
    } catch (error) {
      if (!(error instanceof DeskError) || error.code.startsWith('data/')) throw error;
      const failure = { state: 'uncertain', error: toErrorData(error), unclear: true } as const;
      const signature = { ...(key !== undefined && { key }), ...(url !== undefined && { url }) };
      await ledger.commit(() => ledger.items.failed(id, { ...failure, ...signature }, now()));
    }
  }
  await ledger.commit(() => ledger.batches.setFinished(batch.id, 'cancelled', now()));
};

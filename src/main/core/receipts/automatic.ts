/** Receipts that uploads end with: saved beside the folder once the last batch has ended, also by a later run of the app. */

import { DeskError } from '../../../contract/errors.ts';
import type { ReceiptFormat, SavedReceipts } from '../../../contract/uploads.ts';
import { type Batch, hasEnded } from '../../../contract/uploads.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import type { Receipts } from './receipts.ts';

export type AutomaticReceipts = {
  /** To be called with batches that changed, and at the start with all. */
  readonly see: (batches: readonly Batch[]) => void;
  /** Resolves with the receipt of an upload that has ended; undefined if it gets none. Errors: those of `saveBeside`. */
  readonly of: (uploadId: string) => Promise<SavedReceipts | undefined>;
};

type Engine = Pick<RemoteUploads, 'present' | 'receiptSaved'>;

type AutomaticReceiptsOptions = {
  readonly receipts: Pick<Receipts, 'saveBeside'>;
  readonly uploads: () => Engine | undefined;
  readonly onNotice: (error: DeskError) => void;
  readonly onBug: (error: unknown) => void;
};

/** No upload has been seen. */
export const createAutomaticReceipts = ({
  receipts,
  uploads,
  onNotice,
  onBug,
}: AutomaticReceiptsOptions): AutomaticReceipts => {
  const saved = new Map<string, Promise<SavedReceipts | undefined>>();

  const save = async (engine: Engine, batches: readonly Batch[], format: ReceiptFormat) => {
    const [{ uploadId } = { uploadId: '' }] = batches;
    const batchIds = batches.filter(({ state }) => state === 'finished').map(({ batchId }) => batchId);
    try {
      const receipt =
        batchIds.length === 0 ? undefined : await receipts.saveBeside({ batchIds, format, eachAssignment: false });
      await engine.receiptSaved(uploadId);
      return receipt;
    } catch (error) {
      // What this host cannot write is left to another one. What failed otherwise would fail again: a person can save it elsewhere.
      if (!(error instanceof DeskError) || error.code !== 'app/unsupported') await engine.receiptSaved(uploadId);
      throw error;
    }
  };
  const saveOnce = async (uploadId: string): Promise<SavedReceipts | undefined> => {
    const before = saved.get(uploadId);
    if (before) return before;
    const engine = uploads();
    const batches = engine?.present().filter((batch) => batch.uploadId === uploadId) ?? [];
    const format = batches.find(({ receipt }) => receipt !== undefined)?.receipt;
    if (!engine || format === undefined || !batches.every(hasEnded)) return undefined;
    const saving = save(engine, batches, format);
    saved.set(uploadId, saving);
    return saving;
  };

  return {
    see: (batches) => {
      const ended = batches.filter((batch) => batch.receipt !== undefined && hasEnded(batch));
      for (const uploadId of new Set(ended.map((batch) => batch.uploadId))) {
        saveOnce(uploadId).catch((error) => (error instanceof DeskError ? onNotice(error) : onBug(error)));
      }
    },
    of: saveOnce,
  };
};

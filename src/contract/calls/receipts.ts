/** Receipts of uploads, for people. */
import { z } from 'zod';
import { BatchId } from '../batches.ts';
import { ReceiptFormat, SavedReceipts } from '../receipts.ts';
import { call } from './call.ts';

const ofSaved = z.object({ savedId: z.guid() });

export const receiptsCalls = {
  /**
   * Saves one receipt of these batches, or one for each of their assignments, where the person chooses, or `beside` the
   * folder that was uploaded. Undefined if they chose nothing. Errors: `app/unsupported`, `data/unwritable`, `output/…`.
   */
  save: call(
    z.object({
      batchIds: z.array(BatchId).min(1).max(20_000).readonly(),
      format: ReceiptFormat,
      eachAssignment: z.boolean().default(false),
      beside: z.boolean().default(false),
    }),
    SavedReceipts.optional(),
  ),
  /** Opens a saved receipt, or the folder with several, in the program that the system has for it. Errors: `app/unsupported`. */
  open: call(ofSaved, z.void()),
  /** Shows it in its folder. Errors: `app/unsupported`. */
  show: call(ofSaved, z.void()),
};

/** Receipts: proof for people of what was uploaded where. */
import { z } from 'zod';

export const ReceiptFormat = z.enum(['pdf', 'xlsx', 'csv', 'json']);
export type ReceiptFormat = z.infer<typeof ReceiptFormat>;

/** The receipt that uploads end with, beside the folder that was uploaded. */
export const AutomaticReceipt = z.enum(['none', ...ReceiptFormat.options]);
export type AutomaticReceipt = z.infer<typeof AutomaticReceipt>;

/** Receipts that were saved: one file, or with several `files` the folder with all of them. */
export const SavedReceipts = z.object({ savedId: z.guid(), path: z.string(), files: z.int() });
export type SavedReceipts = z.infer<typeof SavedReceipts>;

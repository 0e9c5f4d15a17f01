/** Receipts: proof for people of what was uploaded where. */
import { z } from 'zod';

export const ReceiptFormat = z.enum(['pdf', 'xlsx', 'csv', 'json']);
export type ReceiptFormat = z.infer<typeof ReceiptFormat>;

/** Receipts that were saved: one file, or with several `files` the folder with all of them. */
export const SavedReceipts = z.object({ savedId: z.guid(), path: z.string(), files: z.int() });
export type SavedReceipts = z.infer<typeof SavedReceipts>;

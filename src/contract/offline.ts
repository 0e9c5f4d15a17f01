/** Making everything available offline. */
import { z } from 'zod';
import { ErrorData } from './errors.ts';

/**
 * The walk that makes everything available offline. `paused`: for `reason`, or by the person; it can be resumed.
 */
export const OfflineStatus = z.object({
  state: z.enum(['idle', 'running', 'paused']),
  /** Protocols in the list so far, and how many of them are available offline with assignments and inspection points. */
  listed: z.int(),
  available: z.int(),
  /** Protocols of the current or last walk whose assignments or inspection points the service did not return in a usable form. */
  skipped: z.int(),
  /** Protocols at the service; 0 until the first page has arrived. */
  total: z.int(),
  /** Estimated time left; absent if unknown. */
  leftMs: z.number().optional(),
  /** Size of the offline data on disk. */
  sizeBytes: z.number(),
  reason: ErrorData.optional(),
  /** When a walk was last completed. */
  completedAtMs: z.number().optional(),
});
export type OfflineStatus = z.infer<typeof OfflineStatus>;

/** Counts over the offline data. */
import { z } from 'zod';

const Count = z.object({ value: z.string(), count: z.int() });

/**
 * Counts over the cache, the most frequent first; months (`2026-03`, in local time) in their order, with the
 * bounds for `ProtocolTableQuery` in ms. `oldestFetchedAtMs`: when the oldest protocol was read; absent without protocols.
 */
export const Overview = z.object({
  protocols: z.int(),
  assignmentsByStatus: z.array(Count).readonly(),
  pointsBySeverity: z.array(Count).readonly(),
  protocolsByMonth: z.array(Count.extend({ fromMs: z.number(), beforeMs: z.number() })).readonly(),
  oldestFetchedAtMs: z.number().optional(),
});
export type Overview = z.infer<typeof Overview>;

/** Single records of the offline data. */
import { z } from 'zod';
import { AssignmentSummary, ProtocolSummary } from './resources.ts';

/** A cached protocol; `availableOffline`: its assignments and inspection points are here too. */
export const CachedProtocol = ProtocolSummary.extend({ availableOffline: z.boolean(), fetchedAtMs: z.number() });
export type CachedProtocol = z.infer<typeof CachedProtocol>;

/** What is known of an assignment. `planAfter`: as the service last answered; the interface has no way to read it. */
export const KnownAssignment = z.object({
  assignment: AssignmentSummary,
  fetchedAtMs: z.number(),
  /** The protocol whose list has it; absent for one that only the lists of projects have. */
  InspectionProtocolId: z.string().optional(),
  planAfter: z.object({ PlanAfter: z.number(), answeredAtMs: z.number() }).optional(),
});
export type KnownAssignment = z.infer<typeof KnownAssignment>;

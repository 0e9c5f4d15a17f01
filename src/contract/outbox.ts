/** Pending changes. */
import { z } from 'zod';
import { ErrorData } from './errors.ts';

/** A change that the service has not accepted yet: pending, or rejected with `error`. */
const entry = { id: z.int(), AssignmentId: z.string(), createdAtMs: z.number(), error: ErrorData.optional() };
export const OutboxEntry = z.discriminatedUnion('kind', [
  /** Without `PlanAfter` the value is cleared. */
  z.object({ ...entry, kind: z.literal('plan-after'), PlanAfter: z.number().optional() }),
  z.object({ ...entry, kind: z.literal('remove-file'), Key: z.string() }),
]);
export type OutboxEntry = z.infer<typeof OutboxEntry>;

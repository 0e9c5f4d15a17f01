/** Changes that wait for the service. */
import { z } from 'zod';
import { ErrorData } from './errors.ts';

/** A change made here that the service has not taken over: it waits, or was refused for `error`. */
const entry = { id: z.int(), AssignmentId: z.string(), createdAtMs: z.number(), error: ErrorData.optional() };
export const OutboxEntry = z.discriminatedUnion('kind', [
  /** Without `PlanAfter` the value is to be cleared. */
  z.object({ ...entry, kind: z.literal('plan-after'), PlanAfter: z.number().optional() }),
  z.object({ ...entry, kind: z.literal('remove-file'), Key: z.string() }),
]);
export type OutboxEntry = z.infer<typeof OutboxEntry>;

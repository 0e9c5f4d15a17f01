/** Pending changes. */
import { z } from 'zod';
import { ErrorData } from './errors.ts';

/** A change that the service has not accepted yet: pending, or rejected with `error`. */
const entry = { id: z.int(), AssignmentId: z.string(), createdAtMs: z.number(), error: ErrorData.optional() };
export const OutboxEntry = z.discriminatedUnion('kind', [
  /** Without `PlanAfter` the value is cleared. */
  z.object({ ...entry, kind: z.literal('plan-after'), PlanAfter: z.number().optional() }),
  z.object({ ...entry, kind: z.literal('remove-file'), Key: z.string() }),
  /**
   * Several files as one change: `waiting` of `files` are still to be removed, `refused` cannot be. Once none waits, it
   * stays as a receipt until a person revokes it.
   */
  z.object({
    ...entry,
    kind: z.literal('remove-files'),
    files: z.int(),
    bytes: z.number(),
    removed: z.int(),
    refused: z.int(),
    waiting: z.int(),
  }),
]);
export type OutboxEntry = z.infer<typeof OutboxEntry>;
export type Removal = Extract<OutboxEntry, { kind: 'remove-files' }>;

/** Whether the service has still to be asked for it. */
export const isPending = (entry: OutboxEntry): boolean =>
  entry.error === undefined && (entry.kind !== 'remove-files' || entry.waiting > 0);

/** Whether the service has rejected it, or part of it. */
export const isRejected = (entry: OutboxEntry): boolean =>
  entry.error !== undefined || (entry.kind === 'remove-files' && entry.waiting === 0 && entry.refused > 0);

/** A file that can be removed from its assignment, with what tells it from others of its name. */
export const RemovableFile = z.object({
  Key: z.string().min(1),
  FileName: z.string(),
  folder: z.string().optional(),
  sizeBytes: z.number().optional(),
  addedAtMs: z.number().optional(),
});
export type RemovableFile = z.infer<typeof RemovableFile>;

/** What became of a file of a removal; `kept`: the rest of the removal was discarded before its turn. */
export const RemovedFile = RemovableFile.extend({
  state: z.enum(['waiting', 'removed', 'refused', 'kept']),
  error: ErrorData.optional(),
  settledAtMs: z.number().optional(),
});
export type RemovedFile = z.infer<typeof RemovedFile>;

import { z } from 'zod';
import { call, nothing } from './call.ts';
import { ErrorData } from './errors.ts';

/**
 * The status of the walk that makes everything available offline. `paused`: the walk is incomplete and can be resumed.
 * `reason`: the error that stopped the walk; `cache/full` if the offline data has reached its maximum size.
 */
export const OfflineStatus = z.object({
  state: z.enum(['idle', 'running', 'paused']),
  /** How many protocols the current walk has listed; 0 while `idle`. */
  listed: z.int(),
  /** How many listed protocols are completely in the offline data, from this walk or an earlier one. */
  available: z.int(),
  /** How many protocols are not completely in the offline data, because a walk could not read them. */
  skipped: z.int(),
  /** How many protocols the service has; 0 while `idle`, and until the first page has arrived. */
  total: z.int(),
  leftMs: z.number().optional(),
  sizeBytes: z.number(),
  reason: ErrorData.optional(),
  completedAtMs: z.number().optional(),
});
export type OfflineStatus = z.infer<typeof OfflineStatus>;

/**
 * The progress of reading the lists that folders are matched with: first the list of protocols, then the assignments of
 * each protocol. `read`: how many protocols of this stage are up to date, including those read earlier; `total`: how
 * many there are; `leftMs`: the estimated time until the end of the stage, absent if unknown.
 */
export const ListProgress = z.object({
  stage: z.enum(['protocols', 'assignments']),
  read: z.int(),
  total: z.int(),
  leftMs: z.number().optional(),
});
export type ListProgress = z.infer<typeof ListProgress>;

/**
 * The fields of each change. `error`: why it was rejected; absent while pending, and for the removal of several files.
 */
const entry = { id: z.int(), AssignmentId: z.string(), createdAtMs: z.number(), error: ErrorData.optional() };
export const OutboxEntry = z.discriminatedUnion('kind', [
  /** A new plan-after date. Without `PlanAfter` the date is cleared. */
  z.object({ ...entry, kind: z.literal('plan-after'), PlanAfter: z.number().optional() }),
  /**
   * The removal of one or more files as one change. The counts are numbers of files. `files`: all files; `removed`:
   * files that were removed; `refused`: files that could not be removed; `waiting`: files that are still to be removed.
   * An entry without waiting files is a receipt, which stays until the user discards it. The removal of a single file
   * leaves no receipt: its entry disappears with the file.
   */
  z.object({
    ...entry,
    kind: z.literal('remove-files'),
    /** The FileName of the only file; absent if there are several. */
    name: z.string().optional(),
    files: z.int(),
    bytes: z.number(),
    removed: z.int(),
    refused: z.int(),
    waiting: z.int(),
  }),
]);
export type OutboxEntry = z.infer<typeof OutboxEntry>;
export type Removal = Extract<OutboxEntry, { kind: 'remove-files' }>;

/** Whether a request for this change is still to be sent. */
export const isPending = (entry: OutboxEntry): boolean =>
  entry.kind === 'remove-files' ? entry.waiting > 0 : entry.error === undefined;

/** Whether the service rejected the change. A removal counts as rejected if it is over and some files were refused. */
export const isRejected = (entry: OutboxEntry): boolean =>
  entry.kind === 'remove-files' ? entry.waiting === 0 && entry.refused > 0 : entry.error !== undefined;

/** A file that can be removed. The optional fields distinguish it from other files with the same name. */
export const RemovableFile = z.object({
  Key: z.string().min(1),
  FileName: z.string(),
  folder: z.string().optional(),
  sizeBytes: z.number().optional(),
  addedAtMs: z.number().optional(),
});
export type RemovableFile = z.infer<typeof RemovableFile>;

/** A file of a removal, with its outcome. `kept`: the removal was discarded before this file was removed. */
export const RemovedFile = RemovableFile.extend({
  state: z.enum(['waiting', 'removed', 'refused', 'kept']),
  error: ErrorData.optional(),
  settledAtMs: z.number().optional(),
});
export type RemovedFile = z.infer<typeof RemovedFile>;

export const offlineCalls = {
  /**
   * Starts or resumes making everything available offline. Resolves immediately; `offline` events report the progress.
   */
  start: call(nothing, z.void()),
  pause: call(nothing, z.void()),
};

export const cacheCalls = {
  size: call(nothing, z.object({ sizeBytes: z.number() })),
  clear: call(nothing, z.void()),
};

const ofChange = z.object({ id: z.int() });

export const outboxCalls = {
  /**
   * Discards a pending or rejected change, or the receipt of a removal. If some files of a removal were removed or
   * refused, or are being removed, the other files stay on the assignment, and the entry becomes a receipt. A
   * plan-after change cannot be discarded while it is being sent. Does nothing if the change no longer exists.
   */
  revoke: call(ofChange, z.void()),
  /** Makes a rejected change pending again, and starts sending the pending changes. */
  retry: call(ofChange, z.void()),
  /**
   * Sends the pending changes now. Resolves once each is sent or rejected, or once the remaining changes have to wait.
   */
  send: call(nothing, z.void()),
};

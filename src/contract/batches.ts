/** Uploads as the ledger records them: a batch for each folder that is uploaded to an assignment. */
import { z } from 'zod';
import { ErrorData } from './errors.ts';
import { Schedule } from './hours.ts';
import { ReceiptFormat } from './receipts.ts';
import { AssignmentId } from './resources.ts';

export const BatchId = z.guid();

/** An upload: all batches that were started together. That of a single batch may be the batch's own id. */
export const UploadId = z.guid();

/**
 * `scanning`: reading the folder, and sending what was found so far; `running`: sending. Either, with a `reason`, while
 * it waits for a network. `paused`: by the person, or by `reason`; `finished`: every file is settled, some perhaps
 * failed; `cancelled`.
 */
export const BatchState = z.enum(['scanning', 'running', 'paused', 'finished', 'cancelled']);
export type BatchState = z.infer<typeof BatchState>;

/** Files of the folder that were left out, counted by reason. */
export const LeftOut = z.object({
  hidden: z.int(),
  system: z.int(),
  links: z.int(),
  /** Pipes, sockets and devices. Not counted by older versions. */
  special: z.int().default(0),
  unreadable: z.int(),
  /** Added after the review. */
  later: z.int().optional(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/**
 * When a batch may be sent. `watchedId`: the watched folder whose hours these are. `overruled`: a person sends it now; the
 * schedule holds it back once it has been due in between.
 */
export const BatchSchedule = Schedule.extend({ watchedId: z.int().optional(), overruled: z.boolean().default(false) });
export type BatchSchedule = z.infer<typeof BatchSchedule>;

/**
 * One upload of one folder to one assignment. Counts are files; `bytes…` are bytes; times are ms since 1970.
 * `uploaded + skipped + failed + cancelled` are settled, `failed` with those that are uncertain. `bytesSent` is what
 * is done of `bytes`: files uploaded or skipped, and what went out so far of those on their way.
 */
export const Batch = z.object({
  batchId: BatchId,
  uploadId: UploadId,
  AssignmentId,
  /** The name of the assignment (`assignmentName`), as far as it has been read here. */
  title: z.string().optional(),
  root: z.string(),
  state: BatchState,
  reason: ErrorData.optional(),
  /** Absent: it is sent at any time. */
  schedule: BatchSchedule.optional(),
  /** The receipt that is still to be saved once the upload has ended. */
  receipt: ReceiptFormat.optional(),
  files: z.int(),
  uploaded: z.int(),
  skipped: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  /** Those of `uploaded` that are no longer on the assignment; absent: none. */
  removed: z.int().optional(),
  /** Files that were replaced, but could not be removed from the assignment; absent: none. */
  notReplaced: z.int().optional(),
  /** Those of `uploaded` that were sent again because they had not arrived the first time; absent: none. */
  resent: z.int().optional(),
  bytes: z.number(),
  bytesSent: z.number(),
  bytesPerSecond: z.number(),
  createdAtMs: z.number(),
  finishedAtMs: z.number().optional(),
  leftOut: LeftOut,
});
export type Batch = z.infer<typeof Batch>;

/** Whether the batch is in progress: reading its folder or sending. */
export const isActive = ({ state }: { readonly state: BatchState }): boolean =>
  state === 'scanning' || state === 'running';

/** Whether the batch is over: nothing more happens unless a person retries. */
export const hasEnded = ({ state }: { readonly state: BatchState }): boolean =>
  state === 'finished' || state === 'cancelled';

/** Whether the batch waits for the time that its schedule says. */
export const isHeldBack = ({ reason }: { readonly reason?: ErrorData | undefined }): boolean =>
  reason?.code === 'upload/scheduled';

/** Whether the batch was cancelled while some of its files are not settled yet. It can only become `cancelled`. */
export const isBeingCancelled = ({ reason }: { readonly reason?: ErrorData | undefined }): boolean =>
  reason?.code === 'upload/cancelling';

/** How many files are settled: uploaded, skipped, failed or cancelled. */
export const settledFiles = ({ uploaded, skipped, failed, cancelled }: FileCounts): number =>
  uploaded + skipped + failed + cancelled;

type FileCounts = Pick<Batch, 'uploaded' | 'skipped' | 'failed' | 'cancelled'>;

/** What a file costs besides its bytes: a signature and the storage's answer take about as long as this much data. */
const FILE_COST_BYTES = 256 * 1024;

/**
 * How much of the work of these batches is done, from 0 to 1: their bytes, and a fixed part for each file that is settled. Bytes
 * alone would be all sent while many small files still wait for an answer. It is 1 only when every file is settled.
 */
export const workDone = (batches: readonly (FileCounts & Pick<Batch, 'files' | 'bytes' | 'bytesSent'>)[]): number => {
  let done = 0;
  let all = 0;
  for (const batch of batches) {
    const settled = Math.min(batch.files, settledFiles(batch));
    // A settled file may have failed without being sent.
    done += settled === batch.files ? batch.bytes : Math.min(batch.bytes, batch.bytesSent);
    done += settled * FILE_COST_BYTES;
    all += batch.bytes + batch.files * FILE_COST_BYTES;
  }
  return all === 0 ? 0 : done / all;
};

/** Uploads that were started; drafts start them. */
import { z } from 'zod';
import { Batch, BatchId, UploadId } from '../batches.ts';
import { ErrorCode } from '../errors.ts';
import { ErrorGroup, ListedState, UploadFile, VerifiedPart } from '../upload-files.ts';
import { call, nothing } from './call.ts';

const ofUpload = z.object({ uploadId: UploadId });
const ofBatch = z.object({ batchId: BatchId });

export const uploadsCalls = {
  files: call(
    ofBatch.extend({
      states: z.array(ListedState).max(ListedState.options.length).readonly().optional(),
      error: ErrorCode.optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(1000).default(200),
    }),
    z.object({ files: z.array(UploadFile).readonly(), total: z.int() }),
  ),
  pause: call(ofBatch, Batch),
  resume: call(ofBatch, Batch),
  cancel: call(ofBatch, Batch),
  retryFailed: call(ofBatch, Batch),
  /** All batches of an upload that can be paused; likewise below. Their changes arrive as events. */
  pauseAll: call(ofUpload, z.void()),
  resumeAll: call(ofUpload, z.void()),
  cancelAll: call(ofUpload, z.void()),
  retryAllFailed: call(ofUpload, z.void()),
  /** Uploads files that were left out because they were added to the folder after the review (`leftOut.later`). */
  addLater: call(ofBatch, Batch),
  addAllLater: call(ofUpload, z.void()),
  /** Only these files; files that did not fail stay as they are. */
  retryFiles: call(ofBatch.extend({ ids: z.array(z.int()).max(100_000).readonly() }), Batch),
  /** Failed files counted by reason, the most frequent first. */
  errorGroups: call(ofBatch, z.array(ErrorGroup).readonly()),
  /** Compares the next files of a batch on disk with the ledger, after file `after` (0: from the first). One at a time: the next
   * one cancels it (`app/cancelled`).
   */
  verify: call(ofBatch.extend({ after: z.int().min(0).default(0) }), VerifiedPart),
  cancelVerify: call(nothing, z.void()),
  /** Shows the batch's folder. Errors: `app/unsupported`. */
  reveal: call(ofBatch, z.void()),
};

/** The API of uploads for the rest of the app, and the inputs of a start. */

import type { ErrorData } from '../../../contract/errors.ts';
import type { RemovableFile } from '../../../contract/offline.ts';
import type { AssignmentFiles } from '../../../contract/resources.ts';
import type {
  Batch,
  BatchSchedule,
  ErrorGroup,
  KnownFile,
  NameTemplate,
  OnClash,
  UploadFile,
  VerifiedPart,
} from '../../../contract/uploads.ts';
import type { ClashChoices, NewBatch } from '../ledger/batches.ts';
import type { Item } from '../ledger/item-row.ts';
import type { ItemFilter } from '../ledger/items.ts';
import type { ReceiptJob } from '../receipts/receipt.ts';
import type { ReportFormat } from '../receipts/report.ts';
import type { FilePlace } from '../source/open-file.ts';
import type { ReviewedSource } from '../source/reviewed-list.ts';
import type { ScannedFile } from '../source/scan.ts';
import type { ClashWindow, Comparison, PlannedSource, UploadPreview } from './plan-batch.ts';

/**
 * What to upload. Without `nameTemplate` files keep their names. `onClash`: what happens to files whose FileName is
 * taken (absent: they are renamed), unless a file has its own choice.
 */
export type Upload = ReviewedSource & {
  /** The files of the source as they were found, if they are few; instead of `reviewed`. */
  readonly found?: readonly ScannedFile[] | undefined;
  readonly assignmentId: string;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
  readonly clashChoices?: ClashChoices | undefined;
};

/** A file as a batch takes it from the disk. */
export type FileVersion = Pick<Item, 'id' | 'path' | 'state' | 'sizeBytes' | 'modifiedMs' | 'identity'> & {
  /** The hash of its content on the assignment, once it is there. */
  readonly sha256?: string | undefined;
};

/** Folders that are uploaded together. `uploadId`: the upload to add them to; absent: a new one. */
type UploadsTogether = UploadRules & {
  readonly uploads: readonly Upload[];
  readonly uploadId?: string | undefined;
};

/**
 * `schedule`: when batches may be sent; absent: at any time. `isHeldBack`: the schedule does not allow it now, so
 * batches begin paused. `receipt`: the receipt that is saved once the upload has ended.
 */
export type UploadRules = Pick<NewBatch, 'schedule' | 'isHeldBack' | 'receipt'> & {
  /** Whether files added or changed after the review are uploaded, too, in their state when the upload starts. */
  readonly takesLater?: boolean | undefined;
};

/** Sources to be uploaded to one assignment, in this order, each as a separate batch. */
export type PlannedUpload = Pick<Upload, 'assignmentId' | 'nameTemplate'> & {
  readonly sources: readonly PlannedSource[];
};

/** Applies a change to every batch of an upload that allows it. Rejects with the first error of a batch. */
export type WholeUpload = Readonly<
  Record<
    'pauseAll' | 'resumeAll' | 'cancelAll' | 'retryAllFailed' | 'addAllLater' | 'sendAllFirst',
    (uploadId: string) => Promise<void>
  >
>;

/**
 * The API of uploads for the rest of the app. It is also called from other threads, so arguments and results are
 * cloneable, except for a signal as the last argument. Errors of all calls that take a batch: `upload/batch-unknown`;
 * of all that change one also `upload/other-session` if it belongs to another connection or user, and
 * `upload/batch-state` if its state does not allow the call.
 */
export type Uploads = WholeUpload & {
  /**
   * What `start` would send of the sources, one after another; with `index` of that one alone. Errors:
   * `upload/folder-…`, the reason of `signal`.
   */
  readonly preview: (
    upload: PlannedUpload & { readonly index?: number | undefined },
    signal: AbortSignal,
  ) => Promise<UploadPreview>;
  /** Compares sources with their assignment; see `compareFolders`. Errors: those of `preview`. */
  readonly compare: (
    upload: PlannedUpload,
    window: ClashWindow | undefined,
    signal: AbortSignal,
  ) => Promise<Comparison>;
  /** Facts from earlier uploads of the connection. `refusedBytes`: the size of the smallest file that was too large. */
  readonly history: () => { readonly assignments: readonly string[]; readonly refusedBytes?: number | undefined };
  /**
   * Errors: `upload/folder-missing`, `upload/folder-replaced` (since it was reviewed), `upload/folder-unreadable`,
   * `auth/required`, `data/…`.
   */
  readonly start: (upload: Upload & UploadRules & Pick<UploadsTogether, 'uploadId'>) => Promise<Batch>;
  /**
   * Starts one upload with a batch for each folder: all of them, or none if one cannot be started. A few run
   * concurrently, in this order. Errors: those of `start`.
   */
  readonly startTogether: (together: UploadsTogether) => Promise<readonly Batch[]>;
  /** To be called when no upload will be started from the list of reviewed files with this id. */
  readonly reviewEnded: (list: string) => void;
  /** Uploads the files that were left out because they were added after the review. Errors: those of `resume`. */
  readonly addLater: (batch: string) => Promise<Batch>;
  readonly list: (connectionId: string) => readonly Batch[];
  readonly get: (batch: string) => Batch;
  readonly files: (
    batch: string,
    filter: ItemFilter,
  ) => { readonly files: readonly UploadFile[]; readonly total: number };
  /** The versions of files that a batch takes, in order: some of those after file `afterId` (0: from the first). */
  readonly versions: (batch: string, afterId: number) => readonly FileVersion[];
  /**
   * Where a file of a batch was found, or (without `fileId`) the batch's folder. Errors: `input/invalid` if it has no
   * such file.
   */
  readonly placeOf: (batch: string, fileId: number | undefined) => FilePlace;
  /** The file's present path; see `locateFile`. Also rejects with `upload/stalled`. */
  readonly locate: (place: FilePlace) => Promise<string>;
  /** Why files of a batch failed, the most frequent reason first. */
  readonly errorGroups: (batch: string) => readonly ErrorGroup[];
  /** Writes a receipt of batches, for human readers; see `writeReceipt`. Errors: `data/unwritable`. */
  readonly receipt: (job: ReceiptJob, path: string) => Promise<void>;
  /**
   * Writes the report of a batch, or of the batches of an upload, for scripts; see `writeReport`. Errors:
   * `data/unwritable`.
   */
  readonly report: (
    of: string | { readonly upload: string; readonly batches: readonly string[] },
    path: string,
    format?: ReportFormat,
  ) => Promise<void>;
  /** Compares files on disk with the ledger; see `verifyPart`. Errors: `app/cancelled`. */
  readonly verify: (batch: string, after: number, signal: AbortSignal) => Promise<VerifiedPart>;
  /** Size and sha256 of a file on this computer. Errors: `upload/file-…`, `upload/stalled`, `app/cancelled`. */
  readonly contentOf: (
    path: string,
    signal: AbortSignal,
  ) => Promise<{ readonly sizeBytes: number; readonly sha256: string }>;
  /**
   * The uploaded files of a batch that are still known to be on its assignment: some of those after file `afterId` (0:
   * from the first). `lastId`: how far it looked; absent: to the end.
   */
  readonly removable: (
    batch: string,
    afterId: number,
  ) => {
    readonly files: readonly (RemovableFile & { readonly path: string; readonly sizeBytes: number })[];
    readonly lastId?: number | undefined;
  };
  /** Whether the assignment may hold unsettled files of the batch: cancelling it then needs a session. */
  readonly mayHaveArrived: (batch: string) => boolean;
  /** `reason`: why the app holds the batch back, also instead of an earlier reason; absent if the user pauses it. */
  readonly pause: (batch: string, reason?: ErrorData) => Promise<Batch>;
  /**
   * Resumes the batch for the user, whatever its schedule says, or because it is due (`isDue`). Also throws
   * `auth/required`.
   */
  readonly resume: (batch: string, isDue?: boolean) => Promise<Batch>;
  /** The receipt of an upload is saved, or there will be none. */
  readonly receiptSaved: (uploadId: string) => Promise<void>;
  /** Changes when a batch may be sent; the caller holds it back, or resumes it. */
  readonly setSchedule: (batch: string, schedule: BatchSchedule) => Promise<Batch>;
  /**
   * Resolves when every file is settled. If it is interrupted (by a missing session, which is thrown, or because the
   * app closes), `resumeInterrupted` or another `cancel` continues it.
   */
  readonly cancel: (batch: string) => Promise<Batch>;
  /** Queues failed and unknown files again and runs the batch. Errors: those of `resume`. */
  readonly retryFailed: (batch: string) => Promise<Batch>;
  /** Queues these files again and runs the batch; files that are neither failed nor unknown stay as they are. */
  readonly retryFiles: (batch: string, ids: readonly number[]) => Promise<Batch>;
  /**
   * Sends the batch, or these of its files, before all others that have not begun, also after a restart. What was chosen
   * last goes first. Errors: `upload/batch-state`, `upload/other-session`.
   */
  readonly sendFirst: (batch: string, ids?: readonly number[]) => Promise<Batch>;
  /** The files that this app knows to be on an assignment of the connection. */
  readonly knownFiles: (assignmentId: string) => readonly KnownFile[];
  /**
   * Removes a file from an assignment (API operation 6). Returns the remaining files if the service lists them. Errors:
   * the service's.
   */
  readonly removeFile: (
    file: { readonly AssignmentId: string; readonly Key: string },
    signal?: AbortSignal,
  ) => Promise<AssignmentFiles | undefined>;
  /**
   * Continues batches that were running or being cancelled when the app closed, or that paused because there was no
   * session: all of them, or these. Resolves when they have started.
   */
  readonly resumeInterrupted: (batches?: readonly string[]) => Promise<void>;
  /** Resolves when the batch is neither running nor being cancelled. */
  readonly ended: (batch: string) => Promise<Batch>;
  /** Aborts all work in progress; the next start continues it. */
  readonly close: () => Promise<void>;
};

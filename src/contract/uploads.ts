import { z } from 'zod';
import { call, MOST_AT_ONCE, nothing, paging } from './call.ts';
import { ErrorCode, ErrorData } from './errors.ts';
import { dueAtMs, Schedule, WantedSchedule } from './hours.ts';
import { AssignmentFile, AssignmentId } from './resources.ts';

export const ReceiptFormat = z.enum(['pdf', 'xlsx', 'csv', 'json']);
export type ReceiptFormat = z.infer<typeof ReceiptFormat>;

export const AutomaticReceipt = z.enum(['none', ...ReceiptFormat.options]);
export type AutomaticReceipt = z.infer<typeof AutomaticReceipt>;

/** What a line of a report sums up: the uploads to one assignment, for one performer, or by one person. */
export const ReportBy = z.enum(['assignment', 'performer', 'person']);
export type ReportBy = z.infer<typeof ReportBy>;

/** Saved receipts. `path`: the path of the file or, if there are several `files`, of the folder that contains them. */
export const SavedReceipts = z.object({ savedId: z.guid(), path: z.string(), files: z.int() });
export type SavedReceipts = z.infer<typeof SavedReceipts>;

export const BatchId = z.guid();

export const UploadId = z.guid();

/**
 * The state of a batch. `scanning`: the folder is being read, and the files found so far are being sent; `running`:
 * files are being sent. In both states `reason`, if present, says what the batch waits for, such as a network.
 * `paused`: by the user, or for `reason`; `finished`: every file is settled, though some may have failed; `cancelled`:
 * by the user.
 */
export const BatchState = z.enum(['scanning', 'running', 'paused', 'finished', 'cancelled']);
export type BatchState = z.infer<typeof BatchState>;

/** What was left out of the folder, counted by reason. A subfolder counts as one, whatever it contains. */
export const LeftOut = z.object({
  hidden: z.int(),
  system: z.int(),
  links: z.int(),
  /** Pipes, sockets and devices. */
  special: z.int(),
  unreadable: z.int(),
  /** Files left out in the review, by the user or by default. */
  inReview: z.int().optional(),
  /** Files that were added to the folder after the review. */
  later: z.int().optional(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/**
 * The schedule of a batch. `watchedId`: the watched folder whose hours apply. `overruled`: the schedule is ignored
 * until the next time that it allows sending. From then on it applies again.
 */
export const BatchSchedule = Schedule.extend({ watchedId: z.int().optional(), overruled: z.boolean().default(false) });
export type BatchSchedule = z.infer<typeof BatchSchedule>;

/**
 * One upload of one folder to one assignment. Counts are numbers of files; times are ms since 1970. The settled files
 * are `uploaded + skipped + failed + cancelled`; `failed` includes uncertain files. `bytesSent` is the part of `bytes`
 * that needs no more sending: the sizes of uploaded and skipped files, and the bytes already sent of files in transfer.
 */
export const Batch = z.object({
  batchId: BatchId,
  uploadId: UploadId,
  AssignmentId,
  /** The name of the assignment (`assignmentName`); absent if it is not in the offline data. */
  title: z.string().optional(),
  root: z.string(),
  /** If a zip or mail file was chosen alone: its name in the folder `root`. */
  only: z.string().optional(),
  state: BatchState,
  reason: ErrorData.optional(),
  schedule: BatchSchedule.optional(),
  /** The receipt that is to be saved when the upload has ended; absent once it is saved. */
  receipt: ReceiptFormat.optional(),
  files: z.int(),
  uploaded: z.int(),
  skipped: z.int(),
  /** Files counted in `skipped` that were not uploaded because another file has their name; absent if none. */
  nameTaken: z.int().optional(),
  failed: z.int(),
  cancelled: z.int(),
  /** Files counted in `uploaded` that are no longer on the assignment; absent if there are none. */
  removed: z.int().optional(),
  /**
   * How many files could not be removed: earlier files that the batch replaces, and check files. The app uploads a
   * check file only to remove it, because the response to a removal lists the files of the assignment. Absent if none.
   */
  notReplaced: z.int().optional(),
  /** Present if the batch belongs to another user. The user who is signed in cannot change such a batch. */
  isOthers: z.literal(true).optional(),
  isFirst: z.literal(true).optional(),
  /** Files counted in `uploaded` that had to be sent again, because they did not arrive at first; absent if none. */
  resent: z.int().optional(),
  bytes: z.number(),
  bytesSent: z.number(),
  /** The sizes of failed and cancelled files; absent if there are none. */
  bytesDropped: z.number().optional(),
  bytesPerSecond: z.number(),
  createdAtMs: z.number(),
  finishedAtMs: z.number().optional(),
  leftOut: LeftOut,
});
export type Batch = z.infer<typeof Batch>;

/** Whether the batch is in progress: reading its folder or sending. */
export const isActive = ({ state }: { readonly state: BatchState }): boolean =>
  state === 'scanning' || state === 'running';

/**
 * Whether the batch is over: no more files are sent unless the user retries files, or adds those that came later
 * (`leftOut.later`).
 */
export const hasEnded = ({ state }: { readonly state: BatchState }): boolean =>
  state === 'finished' || state === 'cancelled';

/**
 * Whether the batch waits for its schedule, mains power or an unmetered connection. It continues automatically when the
 * wait ends.
 */
export const isHeldBack = (batch: { readonly reason?: ErrorData | undefined }): boolean =>
  batch.reason?.code === 'upload/scheduled' || isSparing(batch);

/** Whether the batch waits in order to spare the battery or a metered connection. */
export const isSparing = ({ reason }: { readonly reason?: ErrorData | undefined }): boolean =>
  reason?.code === 'upload/on-battery' || reason?.code === 'upload/on-metered';

/**
 * Whether the batch waits for a schedule of its own, which the user can change, and not for that of a watched folder.
 */
export const canReschedule = (batch: Pick<Batch, 'reason' | 'schedule'>): boolean =>
  isHeldBack(batch) && !isSparing(batch) && batch.schedule !== undefined && batch.schedule.watchedId === undefined;

/** Returns when a batch that waits for its schedule is sent, in ms since 1970; undefined for other batches. */
export const startsAtMs = (batch: Pick<Batch, 'reason' | 'schedule'>, moment: Date): number | undefined =>
  isHeldBack(batch) && !isSparing(batch) && batch.schedule ? dueAtMs(batch.schedule, moment) : undefined;

/** Whether the batch was cancelled, but some of its files are not settled yet. */
export const isBeingCancelled = ({ reason }: { readonly reason?: ErrorData | undefined }): boolean =>
  reason?.code === 'upload/cancelling';

/** Whether the batch paused because several files in a row failed for the same reason (`reason`). */
export const isStoppedByFiles = ({ reason }: { readonly reason?: ErrorData | undefined }): boolean =>
  reason?.details.failedInARow !== undefined;

export const settledFiles = ({ uploaded, skipped, failed, cancelled }: FileCounts): number =>
  uploaded + skipped + failed + cancelled;

type FileCounts = Pick<Batch, 'uploaded' | 'skipped' | 'failed' | 'cancelled'>;

/**
 * Returns the name of what a batch uploads: the last part of its folder's path, or the name of its only zip or mail
 * file. Paths of all operating systems are accepted.
 */
export const batchName = ({ root, only }: Pick<Batch, 'root' | 'only'>): string => partsOf(only ?? root).at(-1) ?? root;

/** Returns the name of the deepest common folder of `roots`; undefined if it is a drive or the root. */
export const commonFolderName = (roots: readonly string[]): string | undefined => {
  const [first = [], ...others] = roots.map(partsOf);
  const differs = first.findIndex((part, at) => others.some((parts) => parts[at] !== part));
  const name = (differs === -1 ? first : first.slice(0, differs)).at(-1);
  return name === undefined || /^[A-Za-z]:$/.test(name) ? undefined : name;
};

const partsOf = (path: string): readonly string[] => path.split(/[\\/]/).filter((part) => part !== '');

const COUNTS = [
  ...([
    'files',
    'uploaded',
    'skipped',
    'nameTaken',
    'failed',
    'cancelled',
    'removed',
    'notReplaced',
    'resent',
  ] as const),
  ...(['bytes', 'bytesSent', 'bytesDropped', 'bytesPerSecond'] as const),
];

/** Adds up the counts of several batches. An absent count is 0. */
export const sumOfBatches = (batches: readonly Batch[]) => {
  const sum = (of: (batch: Batch) => number | undefined): number =>
    batches.reduce((total, batch) => total + (of(batch) ?? 0), 0);
  const leftOut = Object.keys(LeftOut.shape).map((kind) => [
    kind,
    sum((batch) => batch.leftOut[kind as keyof LeftOut]),
  ]);
  return {
    ...(Object.fromEntries(COUNTS.map((count) => [count, sum((batch) => batch[count])])) as Record<
      (typeof COUNTS)[number],
      number
    >),
    leftOut: Object.fromEntries(leftOut) as LeftOut,
  };
};

/** Returns how many bytes are still to be sent. */
export const bytesLeft = ({
  bytes,
  bytesSent,
  bytesDropped = 0,
}: Pick<Batch, 'bytes' | 'bytesSent' | 'bytesDropped'>): number => Math.max(0, bytes - bytesSent - bytesDropped);

/**
 * The fixed cost of a file in bytes. Requesting its signed URL and waiting for the storage's response takes about as
 * long as sending this many bytes.
 */
const FILE_COST_BYTES = 256 * 1024;

/**
 * Returns the completed share of these batches, from 0 to 1. The work of a file is its bytes and a fixed cost, which is
 * done once the file is settled. By bytes alone, the share would be 1 while many small files still wait for a response.
 */
export const workDone = (
  batches: readonly (FileCounts & Pick<Batch, 'files' | 'bytes' | 'bytesSent' | 'bytesDropped'>)[],
): number => {
  let done = 0;
  let all = 0;
  for (const batch of batches) {
    const settled = Math.min(batch.files, settledFiles(batch));
    done += batch.bytes - bytesLeft(batch) + settled * FILE_COST_BYTES;
    all += batch.bytes + batch.files * FILE_COST_BYTES;
  }
  return all === 0 ? 0 : done / all;
};

/**
 * The state of a file. It goes from `queued` through `signing` and `sending` to `done`, or ends as `skipped` (the same
 * file is already on the assignment, or another file has its name), `failed`, `uncertain` (it is not known whether it
 * arrived) or `cancelled`. The ledger stores these values and `--json` prints them, so they never change. Users read
 * "preparing" for `signing`, "uploading" for `sending`, "uploaded" for `done` and "not confirmed" for `uncertain`
 * (docs/glossary.md).
 */
export const FileState = z.enum([
  'queued',
  'signing',
  'sending',
  'done',
  'skipped',
  'failed',
  'uncertain',
  'cancelled',
]);
export type FileState = z.infer<typeof FileState>;

/** The state of a file in a list. `removed`: it is no longer on its assignment; the ledger stores it as `done`. */
export const ListedState = z.enum([...FileState.options, 'removed']);
export type ListedState = z.infer<typeof ListedState>;

/** One file of a batch. `path` is relative to the batch's root, with `/` between names. */
export const UploadFile = z.object({
  id: z.int(),
  path: z.string(),
  FileName: z.string(),
  sizeBytes: z.number(),
  state: ListedState,
  /** Present while a file in progress does nothing but wait for its next attempt. */
  isWaiting: z.literal(true).optional(),
  attempts: z.int(),
  error: ErrorData.optional(),
  sha256: z.string().optional(),
  finishedAtMs: z.number().optional(),
  /** Present for a removed file if the time is known. */
  removedAtMs: z.number().optional(),
  /**
   * Present for a file that replaces earlier files. `pending`: the earlier files are not removed yet, or the file
   * itself is not uploaded yet; `failed`: an earlier file could not be removed, and `error` says why.
   */
  replaced: z.object({ state: z.enum(['pending', 'removed', 'failed']), error: ErrorData.optional() }).optional(),
});
export type UploadFile = z.infer<typeof UploadFile>;

export const ErrorGroup = z.object({ code: ErrorCode, files: z.int() });
export type ErrorGroup = z.infer<typeof ErrorGroup>;

/**
 * A file on disk compared with the ledger. `same`: as uploaded; `changed`: other content, or a link in its place;
 * `missing`: not on disk; `unreadable`: it could not be read; `not-uploaded`: the ledger has no proof that it arrived;
 * `removed`: it is no longer on its assignment, and was not compared.
 */
export const Verdict = z.enum(['same', 'changed', 'missing', 'unreadable', 'not-uploaded', 'removed']);
export type Verdict = z.infer<typeof Verdict>;

/** A file with its verdict. `sizeBytes`: its size when it was uploaded or, for other files, added to the upload. */
export const VerifiedFile = UploadFile.pick({ path: true, FileName: true, state: true, sizeBytes: true }).extend({
  verdict: Verdict,
});
export type VerifiedFile = Readonly<z.infer<typeof VerifiedFile>>;

/** A part of the files of a batch. `next`: the value of `after` for the next part; absent in the last part. */
export const VerifiedPart = z.object({ files: z.array(VerifiedFile).readonly(), next: z.int().optional() });
export type VerifiedPart = Readonly<z.infer<typeof VerifiedPart>>;

/**
 * A file that the app knows to be on an assignment. The API has no operation that lists the files of an assignment, so
 * the app knows only the files uploaded here, and those that the service listed in the response to a removal.
 */
export const KnownFile = AssignmentFile.extend({
  source: z.enum(['uploaded-here', 'seen-at-removal']),
  addedAtMs: z.number(),
  /** The folder of a file uploaded here, as `Chosen folder/subfolder`. */
  folder: z.string().optional(),
  sizeBytes: z.number().optional(),
  isLeaving: z.literal(true).optional(),
});
export type KnownFile = z.infer<typeof KnownFile>;

export const nameSeparator = ' - ';

const placeholder = /\{(?:name|folder|path)\}/g;
/** Characters that Windows or a storage may refuse in a FileName. */
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}<>:"/\\|?*{}]/u;

const isTemplate = (text: string): boolean =>
  [...text.matchAll(/\{(?:name|path)\}/g)].length === 1 && !forbidden.test(text.replaceAll(placeholder, ''));

/**
 * A template for FileNames. `{name}`: the file's own name; `{folder}`: the name of the file's folder; `{path}`: all
 * folders below the chosen one, and the file's name. The template must contain either `{name}` or `{path}`, exactly
 * once. The extension is added automatically. With `{folder}`, a file directly in the chosen folder keeps its own name.
 */
export const NameTemplate = z.string().max(100).refine(isTemplate, 'the name template is not valid');
export type NameTemplate = z.infer<typeof NameTemplate>;

export const ownNameTemplate = '{name}';

/**
 * Why a FileName is not the file's own name. `template`: the name template changes it; `taken`: another file has the
 * name, or one that differs in case only; `characters`, `reserved`, `length`: Windows or a storage may refuse the name;
 * `composed`: the FileName has the letters of the name in another encoding (NFC).
 */
export const RenameReason = z.enum(['template', 'taken', 'characters', 'reserved', 'length', 'composed']);
export type RenameReason = z.infer<typeof RenameReason>;

/** A file whose FileName differs from its own name. `path`: relative to the uploaded folder, with `/` between names. */
export const Rename = z.object({ path: z.string(), FileName: z.string(), reason: RenameReason });
export type Rename = z.infer<typeof Rename>;

/** Whether the batch has files that the user can still choose to send first. */
export const canSendFirst = (batch: Batch): boolean =>
  !hasEnded(batch) && !isBeingCancelled(batch) && batch.files > batch.uploaded + batch.skipped + batch.failed;

/**
 * What happens to a file whose FileName is taken by other content, in the same upload or on the assignment. `replace`:
 * the file is uploaded under that name, and once it has arrived the earlier file is removed. A file that was not on the
 * assignment before the upload is not replaced: the file that clashes with it is renamed instead.
 */
export const OnClash = z.enum(['rename', 'skip', 'replace']);
export type OnClash = z.infer<typeof OnClash>;

export const BatchIds = z.array(BatchId).min(1).max(20_000).readonly();

const ofBatch = z.object({ batchId: BatchId });

export const uploadSteps = ['pause', 'resume', 'cancel', 'retryFailed', 'addLater', 'sendFirst'] as const;
export type UploadStep = (typeof uploadSteps)[number];

/**
 * Changes a batch, or those batches of an upload whose state permits the change. The changed batches arrive as events.
 * Errors: `upload/batch-unknown` and, if the state of a single batch does not permit the change, `upload/batch-state`;
 * `upload/other-session` if the batch belongs to another user, `auth/required`, `auth/expired`, `data/…`.
 */
const step = call(z.union([ofBatch, z.object({ uploadId: UploadId })]), z.void());

export const uploadsCalls = {
  files: call(
    ofBatch.extend({
      states: z.array(ListedState).max(ListedState.options.length).readonly().optional(),
      error: ErrorCode.optional(),
      ...paging,
    }),
    z.object({ files: z.array(UploadFile).readonly(), total: z.int() }),
  ),
  pause: step,
  resume: step,
  /** Resolves once all files of the cancelled batches are settled. */
  cancel: step,
  retryFailed: step,
  /** Uploads the files that were added to the folder after the review (`leftOut.later`). */
  addLater: step,
  /** Sends the files of the batch or upload before all other queued files. The choice is kept across restarts. */
  sendFirst: step,
  /** Sets another schedule for a batch, or for the batches of an upload, if they wait for one (`canReschedule`). */
  reschedule: call(
    z.object({ of: z.union([ofBatch, z.object({ uploadId: UploadId })]), schedule: WantedSchedule }),
    z.void(),
  ),
  /** Retries only the files with these `ids`; files that are neither failed nor uncertain stay as they are. */
  retryFiles: call(ofBatch.extend({ ids: z.array(z.int()).max(MOST_AT_ONCE).readonly() }), z.void()),
  errorGroups: call(ofBatch, z.array(ErrorGroup).readonly()),
  /**
   * Compares the next part of the batch's files with the ledger, beginning after the file `after` (0: with the first).
   * Errors: `app/cancelled`.
   */
  verify: call(ofBatch.extend({ after: z.int().min(0).default(0) }), VerifiedPart),
  /**
   * Shows the batch's folder in the system's file manager. Errors: `app/unsupported`, and `upload/…` if the folder is
   * no longer there, was replaced, or is on a drive that does not respond.
   */
  reveal: call(ofBatch, z.void()),
};

const ofSaved = z.object({ savedId: z.guid() });

/** A time in ms since 1970 within the range of `Date`. */
const timeMs = z.int().min(-8.64e15).max(8.64e15);

/** A report about the uploads of a period. `by`: what each line sums up; `listsFiles`: whether every file is listed. */
export const ReportOrder = z
  .object({
    by: ReportBy,
    fromMs: timeMs,
    beforeMs: timeMs,
    format: ReceiptFormat,
    listsFiles: z.boolean().default(false),
  })
  .refine(({ fromMs, beforeMs }) => fromMs < beforeMs, 'the period is empty');
export type ReportOrder = Readonly<z.infer<typeof ReportOrder>>;

export const receiptsCalls = {
  /**
   * Saves one receipt of these batches, or one per assignment, at a path that the user chooses or, with `beside`, next
   * to the uploaded folders, but never in a watched folder. A PDF that would list too many files is divided into
   * several. Resolves to undefined if the user cancels the dialog. Errors: `upload/batch-unknown`, `app/unsupported`,
   * `data/unwritable`, `output/…`.
   */
  save: call(
    z.object({
      batchIds: BatchIds,
      format: ReceiptFormat,
      eachAssignment: z.boolean().default(false),
      listsFiles: z.boolean().default(false),
      beside: z.boolean().default(false),
    }),
    SavedReceipts.optional(),
  ),
  report: call(ReportOrder, SavedReceipts.optional()),
  /**
   * Opens a file picker, and copies the chosen picture as the logo. Errors: `app/unsupported`, `settings/logo`,
   * `settings/managed`, `data/unwritable`.
   */
  pickLogo: call(nothing, z.void()),
  forgetLogo: call(nothing, z.void()),
  /** Returns the logo as a `data:` URL; undefined if there is none. Errors: `settings/logo`. */
  logo: call(nothing, z.string().optional()),
  /**
   * Opens saved receipts in the system's program for them. Errors: `app/unsupported`, `input/invalid`,
   * `upload/file-missing`, `upload/file-linked`, `upload/drive-unresponsive`.
   */
  open: call(ofSaved, z.void()),
  /** Shows saved receipts in the system's file manager. Errors: those of `open`. */
  show: call(ofSaved, z.void()),
};

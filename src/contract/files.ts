/** The files of all uploads: searching for them, and the actions on one file. */
import { z } from 'zod';
import { call, FolderId, nothing, Path, paging } from './call.ts';
import { OutboxEntry, RemovedFile } from './offline.ts';
import { AssignmentId } from './resources.ts';
import { SearchText } from './search.ts';
import { BatchId, ListedState, UploadId } from './uploads.ts';
import { WatchedId } from './watched-folders.ts';

// The search for files that were uploaded from this computer or reported by the service.

/** `reported`: the service named it when a file was removed. */
export const FoundState = z.enum([...ListedState.options, 'reported']);
export type FoundState = z.infer<typeof FoundState>;

/** The beginning of a sha256 in hex. Shorter ones would find files by chance. */
export const HashBeginning = z.string().regex(/^[0-9a-f]{6,64}$/i);

/**
 * `text`: beginnings of words, in any order, of the file's path and FileName, the name of the chosen folder and the name and
 * id of the assignment. `fromMs` and `beforeMs`: when the file was added (`FoundFile`). `withoutSkipped`: leaves out files that were
 * skipped, unless `states` asks for them. Reported files have no hash, no state and no upload.
 */
export const FileQuery = z.object({
  text: SearchText.default(''),
  sha256: HashBeginning.optional(),
  fromMs: z.number().optional(),
  beforeMs: z.number().optional(),
  states: z.array(ListedState).max(ListedState.options.length).readonly().optional(),
  withoutSkipped: z.boolean().optional(),
  AssignmentId: AssignmentId.optional(),
  uploadId: UploadId.optional(),
  ...paging,
});
export type FileQuery = z.infer<typeof FileQuery>;

export const FoundFile = z.object({
  /** Below the chosen folder, with `/`; of a reported file its FileName. */
  path: z.string(),
  /** The chosen folder and those below it, as `Site A/photos`; absent for reported files. */
  folder: z.string().optional(),
  FileName: z.string(),
  sizeBytes: z.number().optional(),
  state: FoundState,
  AssignmentId,
  /** The name of the assignment (`assignmentName`); absent if it is not in the offline data. */
  title: z.string().optional(),
  batchId: z.guid().optional(),
  /** Its `id` in that batch (`UploadFile`). */
  fileId: z.int().optional(),
  /** When it was uploaded, reported, or otherwise settled; until then, when its upload was started. */
  addedAtMs: z.number(),
  sha256: z.string().optional(),
});
export type FoundFile = z.infer<typeof FoundFile>;

/**
 * A window, newest uploads first. `isMore`: there are more than `total`, which is not counted to the end. `indexing`: files
 * of earlier uploads are still being added to the index: `files` of `total` can be found so far.
 */
export const FoundFiles = z.object({
  files: z.array(FoundFile).readonly(),
  total: z.int(),
  isMore: z.boolean(),
  indexing: z.object({ files: z.int(), total: z.int() }).optional(),
});
export type FoundFiles = z.infer<typeof FoundFiles>;

/**
 * Whether the files of a folder, or many files together, were sent: by content, to any assignment. `unread`: files that could not
 * be compared. `removed`: those of `sent` that are on no assignment any more. `fromMs` and `toMs`: when the first and the last was
 * sent. `neverSent`: the first of the files that were not. `assignments`: where the files were sent, those with most files first.
 */
export const SentFolder = z.object({
  files: z.int(),
  sent: z.int(),
  removed: z.int(),
  unread: z.int(),
  fromMs: z.number().optional(),
  toMs: z.number().optional(),
  neverSent: z.array(z.string()).readonly(),
  assignments: z.array(z.object({ AssignmentId, title: z.string().optional(), files: z.int() })).readonly(),
});
export type SentFolder = z.infer<typeof SentFolder>;

/**
 * Whether a file or folder of this computer was sent. `same`: files with its content; `alike`: other files with its name. Only
 * a file has a size and a hash; `folder`: of a folder, or of many files.
 */
export const SentBefore = z.object({
  name: z.string(),
  sizeBytes: z.number().optional(),
  sha256: z.string().optional(),
  folder: SentFolder.optional(),
  same: z.array(FoundFile).readonly(),
  alike: z.array(FoundFile).readonly(),
});
export type SentBefore = z.infer<typeof SentBefore>;

// The menu of a file or folder on this computer.

/** The subject of the menu: a file of a batch, or (without `fileId`) its folder; a file of a draft's row, or (without `path`) its folder; a
 * watched folder. */
export const FileMenuTarget = z.union([
  z.object({ batchId: BatchId, fileId: z.int().optional() }),
  z.object({ rowId: z.int(), path: Path.optional() }),
  z.object({ watchedId: WatchedId }),
]);
export type FileMenuTarget = Readonly<z.infer<typeof FileMenuTarget>>;

/** The position of the menu, in CSS pixels from the top left corner of the page. */
export const MenuPoint = z.object({ x: z.number(), y: z.number() });
export type MenuPoint = Readonly<z.infer<typeof MenuPoint>>;

/** `sendFirst`: the file, or all of the folder, before everything else that waits. */
export type FileAction = 'open' | 'showInFolder' | 'sendFirst';

/** An object key: storages allow 1,024 bytes, and signed URLs not much more. */
const Key = z.string().min(1).max(8_192);

export const filesCalls = {
  /**
   * Files that were uploaded from this computer, in any state, and those that the service reported. With `complete` it waits
   * until all of them can be found. Errors: `data/…`.
   */
  find: call(FileQuery.extend({ complete: z.boolean().default(false) }), FoundFiles),
  /**
   * Compares dropped files, and those in dropped folders, with what was uploaded. A further call cancels the one in progress
   * (`app/cancelled`). Errors: `upload/file-…`, `upload/stalled`, those of `find`.
   */
  sentBefore: call(
    z.object({ folderIds: z.array(FolderId).min(1).max(20).readonly() }),
    z.array(SentBefore).readonly(),
  ),
  cancelSentBefore: call(nothing, z.void()),
  /**
   * The uploaded files of a batch that are still on its assignment, by folder: `''` has all of them, any other one those in it
   * and below. `names`: the first few.
   */
  removable: call(
    z.object({ batchId: BatchId }),
    z
      .array(z.object({ folder: z.string(), files: z.int(), bytes: z.number(), names: z.array(z.string()).readonly() }))
      .readonly(),
  ),
  /**
   * Removes several files from an assignment, now or as soon as the service can be reached. Resolves immediately; the
   * outbox reports the progress. Errors: `input/invalid` if there are none, `data/…`.
   */
  remove: call(
    z.union([
      z.object({ AssignmentId, Keys: z.array(Key).min(1).max(100_000).readonly() }),
      z.object({ batchId: BatchId, folder: Path.default('') }),
    ]),
    OutboxEntry,
  ),
  /**
   * Opens the menu of a file or folder, and does what the user chooses there. Errors: `app/unsupported` on hosts without such
   * menus, `upload/batch-unknown`, `upload/file-…`, `upload/folder-…`, `upload/stalled`, `draft/missing`, `watch/unknown`.
   */
  menu: call(z.object({ of: FileMenuTarget, at: MenuPoint }), z.void()),
  /** Some files of a removal, those first that could not be removed. */
  removal: call(
    z.object({ ...paging, id: z.int(), limit: paging.limit.default(1000) }),
    z.object({ files: z.array(RemovedFile).readonly(), total: z.int() }),
  ),
};

/** The files of all uploads: searching for them, and the actions on one file. */
import { z } from 'zod';
import { call, FolderId, Path, paging } from './call.ts';
import { ErrorCode } from './errors.ts';
import { RemovedFile } from './offline.ts';
import { AssignmentId, Key } from './resources.ts';
import { SearchText } from './search.ts';
import { BatchId, BatchIds, ListedState, UploadId } from './uploads.ts';
import { WatchedId } from './watched-folders.ts';

/** The state of a found file. `reported`: not uploaded here, but listed by the service. */
export const FoundState = z.enum([...ListedState.options, 'reported']);
export type FoundState = z.infer<typeof FoundState>;

/** The first digits of a sha256 in hex, at least six: fewer would match files by chance. */
export const HashBeginning = z.string().regex(/^[0-9a-f]{6,64}$/i);

/**
 * Selects files that meet all given conditions. `text`: beginnings of words, in any order, of the file's path and
 * FileName, the name of the chosen folder and the name of the assignment; eight or more hex digits may also begin the
 * file's sha256. If `text` begins a GUID and contains a dash, the query selects the files of assignments whose id
 * begins with `text`. `fromMs` and `beforeMs` bound `addedAtMs` of `FoundFile`. `withoutSkipped`: leaves out files that
 * were skipped, unless `states` contains `skipped`. A query with the beginning of a GUID, `sha256`, `states` or
 * `uploadId` finds no reported files.
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
  /** The path below the chosen folder, with `/` between names; for a reported file, its FileName. */
  path: z.string(),
  /** The folder of the file, from the chosen folder on, such as `Site A/photos`; absent for reported files. */
  folder: z.string().optional(),
  FileName: z.string(),
  sizeBytes: z.number().optional(),
  state: FoundState,
  AssignmentId,
  /** The name of the assignment (`assignmentName`); absent if it is not in the offline data. */
  title: z.string().optional(),
  batchId: BatchId.optional(),
  fileId: z.int().optional(),
  /** When the file was settled or reported; for a file that is not settled, when its upload was started. */
  addedAtMs: z.number(),
  sha256: z.string().optional(),
  error: ErrorCode.optional(),
});
export type FoundFile = z.infer<typeof FoundFile>;

/**
 * A window of the files found: those of uploads, the newest first, then reported ones. `isMore`: there are more files
 * than `total`, because counting stops at a maximum. `indexing`: present while files are still being added to the
 * index, with the number of files in the index so far (`files`) and of all files (`total`).
 */
export const FoundFiles = z.object({
  files: z.array(FoundFile).readonly(),
  total: z.int(),
  isMore: z.boolean(),
  indexing: z.object({ files: z.int(), total: z.int() }).optional(),
});
export type FoundFiles = z.infer<typeof FoundFiles>;

/**
 * How the files of a folder, or many single files together, compare with the files sent to any assignment. `sent`: how
 * many have the content of a sent file; `removed`: how many of these are on no assignment any more; `unread`: how many
 * could not be compared. `fromMs` and `toMs`: when the first and the last file was sent. `neverSent`: the paths of at
 * most 1,000 files that were not sent. `assignments`: the 20 assignments to which most files were sent.
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
 * What earlier uploads contained of a dropped file or folder. A folder, or many single files together, has `folder`; a
 * single file has `sizeBytes` and `sha256`. `same`: files of uploads, in any state, with the same content; `alike`:
 * known files with the same name, but other or unknown content. Each list has at most 20 files.
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

/**
 * The file or folder that a menu is opened for: a file of a batch, or (without `fileId`) the batch's folder; a file of
 * a draft's row, or (without `path`) the row's folder; or a watched folder.
 */
export const FileMenuTarget = z.union([
  z.object({ batchId: BatchId, fileId: z.int().optional() }),
  z.object({ rowId: z.int(), path: Path.optional() }),
  z.object({ watchedId: WatchedId }),
]);
export type FileMenuTarget = Readonly<z.infer<typeof FileMenuTarget>>;

/** The position of the menu, in CSS pixels from the top left corner of the page. */
export const MenuPoint = z.object({ x: z.number(), y: z.number() });
export type MenuPoint = Readonly<z.infer<typeof MenuPoint>>;

/** An action of the menu. `sendFirst`: sends the file, or all files of the batch, before all other waiting files. */
export type FileAction = 'open' | 'showInFolder' | 'sendFirst';

export const filesCalls = {
  /**
   * Finds files of the uploads of this computer, in any state, and files that the service reported. `complete`: waits
   * until all files are in the index. Errors: `data/…`.
   */
  find: call(FileQuery.extend({ complete: z.boolean().default(false) }), FoundFiles),
  /**
   * Compares dropped files, and the files in dropped folders, with the files that were uploaded. Errors: `upload/…`,
   * `data/…`, `app/cancelled`.
   */
  sentBefore: call(
    z.object({ folderIds: z.array(FolderId).min(1).max(20).readonly() }),
    z.array(SentBefore).readonly(),
  ),
  /**
   * For at most 1,000 folders, counts the files that the batches uploaded, without those that were removed since.
   * Folders with the same path in several batches are counted together. The count of a folder includes all files below
   * it; the folder `''` has the count of all files. `names`: the first few FileNames, each with its folder, such as
   * `Site A/a.jpg`.
   */
  removable: call(
    z.object({ batchIds: BatchIds }),
    z
      .array(z.object({ folder: z.string(), files: z.int(), bytes: z.number(), names: z.array(z.string()).readonly() }))
      .readonly(),
  ),
  /**
   * Removes files from an assignment (operation 6 of the service's API), now or as soon as the service can be reached.
   * Resolves immediately; the outbox reports the progress. `folder`: only the files in this folder of the batches, and
   * in the folders below it. Errors: `input/invalid` if none of these files of the batches is still on its assignment,
   * `upload/batch-unknown`, `auth/required`, `data/…`.
   */
  remove: call(
    z.union([
      z.object({ AssignmentId, Keys: z.array(Key.min(1)).min(1).max(100_000).readonly() }),
      z.object({ batchIds: BatchIds, folder: Path.default('') }),
    ]),
    z.void(),
  ),
  /**
   * Opens the menu of a file or folder, and performs the action that the user chooses. Errors: `app/unsupported` on
   * hosts without such menus, or if the system has no program for the file; `input/invalid` for an unknown file,
   * `upload/…`, `draft/missing`, `watch/unknown`.
   */
  menu: call(z.object({ of: FileMenuTarget, at: MenuPoint }), z.void()),
  /** A window of the files of a removal. Files that could not be removed come first. */
  removal: call(
    z.object({ ...paging, id: z.int(), limit: paging.limit.default(1000) }),
    z.object({ files: z.array(RemovedFile).readonly(), total: z.int() }),
  ),
};

import { z } from 'zod';
import { call, FolderId, nothing } from './call.ts';
import { ErrorData } from './errors.ts';
import { Hours } from './hours.ts';
import { AssignmentId } from './resources.ts';
import { BatchId, OnClash } from './uploads.ts';

/** A folder that the user picked or dropped, or some files of a folder. The renderer refers to it by the id. */
export const Folder = z.object({ folderId: z.string(), name: z.string() });
export type Folder = z.infer<typeof Folder>;

export const WatchedId = z.int();

/**
 * The rules of a watched folder. Without `AssignmentId`, the folders and single files in it are matched with
 * assignments by their names.
 */
export const WatchedRules = z.object({
  AssignmentId: AssignmentId.optional(),
  onClash: OnClash,
  hours: Hours,
  /** Whether the user has paused the folder. A paused folder is still watched, but its files are not sent. */
  paused: z.boolean(),
});
export type WatchedRules = z.infer<typeof WatchedRules>;

/**
 * A watched folder. `scanning`: the folder is being read for the first time since the sign-in or the start of the app;
 * `signed-out`: it is not watched until the next sign-in; `missing`, `unreadable`: it is not watched until it can be
 * read again, and `reason` says what is wrong. With `watching`, `reason` says why changes are noticed late, or why
 * files could not be sent.
 */
export const WatchedFolder = WatchedRules.extend({
  watchedId: WatchedId,
  name: z.string(),
  path: z.string(),
  /** Absent if the assignment is not in the offline data. */
  title: z.string().optional(),
  state: z.enum(['scanning', 'watching', 'signed-out', 'missing', 'unreadable']),
  reason: ErrorData.optional(),
  /** How many files are still being written, or are in use by another program. */
  settling: z.int(),
  /** How many files are complete but not part of an upload yet, for example because of the hours or a pause. */
  waiting: z.int(),
  /** How many files wait for the user to choose their assignment, and in how many assignment folders they are. */
  toMatch: z.object({ files: z.int(), folders: z.int() }),
  /** When the hours open again; absent while they are open, or if they never open. */
  opensAtMs: z.number().optional(),
  /** When the last upload of this folder's files began; absent if there was none since the sign-in or the start. */
  sentAtMs: z.number().optional(),
});
export type WatchedFolder = z.infer<typeof WatchedFolder>;

export const foldersCalls = {
  /** Opens the system's folder picker; undefined if the user cancels, or if the host has no picker. */
  pick: call(nothing, Folder.optional()),
  /**
   * Returns, for a new draft, the files that are changed or not uploaded according to the last complete comparison of
   * each batch. Each `Folder` of the result contains these files of one folder. They go to the assignment of their
   * batch, and changed files replace their earlier versions, unless the user decides otherwise.
   */
  changed: call(z.object({ batchIds: z.array(BatchId).min(1).readonly() }), z.array(Folder).readonly()),
};

const ofFolder = z.object({ watchedId: WatchedId });

export const watchedFoldersCalls = {
  /**
   * Watches a folder. Files already in it are sent only with `existing`. Errors: `upload/…` if the folder cannot be
   * read, `watch/overlaps` (it is inside a watched folder, or contains one), `auth/required`, `data/…`.
   */
  add: call(
    z.object({ folderId: FolderId, rules: WatchedRules.omit({ paused: true }), existing: z.boolean() }),
    z.void(),
  ),
  change: call(ofFolder.extend({ rules: WatchedRules }), z.void()),
  /** Stops watching the folder. Files that are already part of an upload are still sent. */
  remove: call(ofFolder, z.void()),
  /**
   * Unless the folder is paused, immediately sends the files that wait for the hours, and resumes the folder's batches
   * that are held back (`isHeldBack`). Batches in progress continue after the end of the hours. Files that are
   * completed later wait again.
   */
  uploadNow: call(ofFolder, z.void()),
  toMatch: call(ofFolder, z.array(Folder).readonly()),
};

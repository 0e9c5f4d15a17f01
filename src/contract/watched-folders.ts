/** Folders that the user picked or dropped, and watched folders. */
import { z } from 'zod';
import { call, FolderId, nothing } from './call.ts';
import { ErrorData } from './errors.ts';
import { Hours } from './hours.ts';
import { AssignmentId } from './resources.ts';
import { BatchId, OnClash } from './uploads.ts';

/** A folder that the user picked or dropped, or files of one. The renderer knows only its `folderId`, never a path. */
export const Folder = z.object({ folderId: z.string(), name: z.string() });
export type Folder = z.infer<typeof Folder>;

// Watched folders: files that are put into them are uploaded automatically.

export const WatchedId = z.int();

/** What happens with the files of a watched folder. Without `AssignmentId` each job folder below it is matched. */
export const WatchedRules = z.object({
  AssignmentId: AssignmentId.optional(),
  onClash: OnClash,
  /** Files are sent within these hours only. */
  hours: Hours,
  /** Paused by the user: the folder is watched, and nothing is sent. */
  paused: z.boolean(),
});
export type WatchedRules = z.infer<typeof WatchedRules>;

/**
 * A watched folder. `scanning`: it is being read for the first time; `signed-out`: it is watched again after the sign-in;
 * `missing`, `unreadable`: with `reason`, it is watched again once it is back. While it is `watching`, `reason` says why
 * changes are noticed late, or why files could not be sent.
 */
export const WatchedFolder = WatchedRules.extend({
  watchedId: WatchedId,
  name: z.string(),
  path: z.string(),
  /** The name of the assignment; absent if it is not in the offline data. */
  title: z.string().optional(),
  state: z.enum(['scanning', 'watching', 'signed-out', 'missing', 'unreadable']),
  reason: ErrorData.optional(),
  /** Files that are being written, or in use by another program. */
  settling: z.int(),
  /** Files that are complete and wait: for the hours, or because the folder is paused. */
  waiting: z.int(),
  /** Files that wait for the user to choose their assignment, and the folders that they lie in. */
  toMatch: z.object({ files: z.int(), folders: z.int() }),
  /** When the hours open again; absent while they are open. */
  opensAtMs: z.number().optional(),
  /** When files were last handed to an upload, since the app started. */
  sentAtMs: z.number().optional(),
});
export type WatchedFolder = z.infer<typeof WatchedFolder>;

export const foldersCalls = {
  /** The native folder picker; undefined if it was cancelled. */
  pick: call(nothing, Folder.optional()),
  /** The files that the last comparison of a batch found changed, or never uploaded, for a draft: one for each folder they lie in. */
  changed: call(z.object({ batchId: BatchId }), z.array(Folder).readonly()),
};

const ofFolder = z.object({ watchedId: WatchedId });

export const watchedFoldersCalls = {
  /**
   * Watches a folder. Files already in it are sent only with `existing`. Errors: `upload/folder-…`, `watch/overlaps`
   * (it is inside a watched folder, or contains one), `auth/required`, `data/…`.
   */
  add: call(
    z.object({ folderId: FolderId, rules: WatchedRules.omit({ paused: true }), existing: z.boolean() }),
    WatchedFolder,
  ),
  change: call(ofFolder.extend({ rules: WatchedRules }), WatchedFolder),
  /** Files that were handed to an upload are still sent. */
  remove: call(ofFolder, z.void()),
  /** Sends what waits for the hours; files that come later wait again. */
  uploadNow: call(ofFolder, z.void()),
  /** The folders with files that wait for an assignment, for a draft. */
  toMatch: call(ofFolder, z.array(Folder).readonly()),
};

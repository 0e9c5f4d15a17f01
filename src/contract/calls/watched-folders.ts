/** Watched folders. Their state is in the snapshot, and arrives as events `watched-folders`. */
import { z } from 'zod';
import { Folder } from '../folders.ts';
import { WatchedFolder, WatchedId, WatchedRules } from '../watched-folders.ts';
import { call, FolderId } from './call.ts';

const ofFolder = z.object({ watchedId: WatchedId });

export const watchedFoldersCalls = {
  /**
   * Watches a folder. Files that already lie in it are sent only with `existing`. Errors: `upload/folder-…`,
   * `watch/overlaps` (it is inside a watched folder, or contains one), `auth/required`, `data/…`.
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

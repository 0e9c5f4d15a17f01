/** Files of all uploads. */
import { z } from 'zod';
import { BatchId } from '../batches.ts';
import { FileMenuTarget, MenuPoint } from '../file-menu.ts';
import { FileQuery, FoundFiles, SentBefore } from '../found-files.ts';
import { OutboxEntry, RemovedFile } from '../outbox.ts';
import { AssignmentId } from '../resources.ts';
import { call, FolderId, nothing, Path } from './call.ts';

/** An object key: storages allow 1,024 bytes, and signed URLs not much more. */
const Key = z.string().min(1).max(8_192);

export const filesCalls = {
  /**
   * Files that were uploaded from this computer, in any state, and those that the service reported. With `complete` it waits
   * until all of them can be found. Errors: `data/…`.
   */
  find: call(FileQuery.extend({ complete: z.boolean().default(false) }), FoundFiles),
  /**
   * Reads files that were dropped, and finds what was sent of them before. One at a time: the next one cancels it
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
   * Removes several files from an assignment, a few at once, now or as soon as the service can be reached. Answers at once;
   * the outbox reports the progress. Errors: `input/invalid` if there are none, `data/…`.
   */
  remove: call(
    z.union([
      z.object({ AssignmentId, Keys: z.array(Key).min(1).max(100_000).readonly() }),
      z.object({ batchId: BatchId, folder: Path.default('') }),
    ]),
    OutboxEntry,
  ),
  /**
   * Opens the menu of a file or folder, and does what the person chooses there. Errors: `app/unsupported` on hosts without such
   * menus, `upload/batch-unknown`, `upload/file-…`, `upload/folder-…`, `upload/stalled`, `draft/missing`, `watch/unknown`.
   */
  menu: call(z.object({ of: FileMenuTarget, at: MenuPoint }), z.void()),
  /** Some files of a removal, those first that could not be removed. */
  removal: call(
    z.object({ id: z.int(), offset: z.int().min(0).default(0), limit: z.int().min(1).max(1000).default(1000) }),
    z.object({ files: z.array(RemovedFile).readonly(), total: z.int() }),
  ),
};

/** Watched folders: files that are put into them are uploaded automatically. */
import { z } from 'zod';
import { ErrorData } from './errors.ts';
import { Hours } from './hours.ts';
import { OnClash } from './names.ts';
import { AssignmentId } from './resources.ts';

export const WatchedId = z.int();

/** What happens with the files of a watched folder. Without `AssignmentId` each job folder below it is matched. */
export const WatchedRules = z.object({
  AssignmentId: AssignmentId.optional(),
  onClash: OnClash,
  /** Files are sent within these hours only. */
  hours: Hours,
  /** Paused by the person: the folder is watched, and nothing is sent. */
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
  /** The name of the assignment, as far as it has been read here. */
  title: z.string().optional(),
  state: z.enum(['scanning', 'watching', 'signed-out', 'missing', 'unreadable']),
  reason: ErrorData.optional(),
  /** Files that are being written, or in use by another program. */
  settling: z.int(),
  /** Files that are complete and wait: for the hours, or because the folder is paused. */
  waiting: z.int(),
  /** Files that wait for a person to choose their assignment, and the folders that they lie in. */
  toMatch: z.object({ files: z.int(), folders: z.int() }),
  /** When the hours open again; absent while they are open. */
  opensAtMs: z.number().optional(),
  /** When files were last handed to an upload, since the app started. */
  sentAtMs: z.number().optional(),
});
export type WatchedFolder = z.infer<typeof WatchedFolder>;

/**
 * Events from main to the renderer. Each has the next revision of main's state; a renderer that misses one asks for a
 * snapshot.
 */
import { z } from 'zod';
import { Batch, UploadId } from './batches.ts';
import { Connection, SessionStatus } from './connection.ts';
import { Draft } from './drafts.ts';
import { Folder } from './folders.ts';
import { OfflineStatus } from './offline.ts';
import { OutboxEntry } from './outbox.ts';
import { Preferences } from './preferences.ts';
import { WantedPassword } from './proxy-password.ts';
import { Reachability } from './reachability.ts';
import { Notice } from './snapshot.ts';
import { UpdateStatus } from './updates.ts';
import { WatchedFolder } from './watched-folders.ts';

export const DeskEvent = z.discriminatedUnion('type', [
  z.object({ revision: z.int(), type: z.literal('connection'), connection: Connection.optional() }),
  z.object({ revision: z.int(), type: z.literal('session'), session: SessionStatus }),
  /** Batches that have changed, each once. */
  z.object({ revision: z.int(), type: z.literal('batches'), batches: z.array(Batch).readonly() }),
  z.object({ revision: z.int(), type: z.literal('notice'), notice: Notice }),
  z.object({ revision: z.int(), type: z.literal('reachability'), reachability: Reachability }),
  z.object({ revision: z.int(), type: z.literal('offline'), offline: OfflineStatus }),
  z.object({ revision: z.int(), type: z.literal('outbox'), outbox: z.array(OutboxEntry).readonly() }),
  /** Absent: there is no draft any more. */
  z.object({ revision: z.int(), type: z.literal('draft'), draft: Draft.optional() }),
  /** Absent: no proxy requires a password any more. */
  z.object({ revision: z.int(), type: z.literal('proxy-password'), wantedPassword: WantedPassword.optional() }),
  z.object({ revision: z.int(), type: z.literal('preferences'), preferences: Preferences }),
  z.object({
    revision: z.int(),
    type: z.literal('watched-folders'),
    watchedFolders: z.array(WatchedFolder).readonly(),
  }),
  z.object({ revision: z.int(), type: z.literal('update'), update: UpdateStatus }),
  /** Folders that were passed to the app from outside its window, for a new upload. */
  z.object({ revision: z.int(), type: z.literal('folders-given'), folders: z.array(Folder).readonly() }),
  /** Someone chose the licences outside the window. */
  z.object({ revision: z.int(), type: z.literal('show-licences') }),
  /** A click on a notification asked to show the upload `uploadId`, or the list of uploads if it is absent. */
  z.object({ revision: z.int(), type: z.literal('show-upload'), uploadId: UploadId.optional() }),
]);
export type DeskEvent = z.infer<typeof DeskEvent>;

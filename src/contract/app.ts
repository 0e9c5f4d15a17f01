/** The app as a whole: the state that a window starts with, the events that change it, and updates. */
import { z } from 'zod';
import { call, nothing } from './call.ts';
import { Connection, Reachability, SessionStatus, WantedPassword } from './connection.ts';
import { Draft } from './drafts.ts';
import { ErrorData } from './errors.ts';
import { ListProgress, OfflineStatus, OutboxEntry } from './offline.ts';
import { Language, ManagedPath, Preferences, SignOutErases, Views } from './preferences.ts';
import { Batch, UploadId } from './uploads.ts';
import { Folder, WatchedFolder } from './watched-folders.ts';

// Newer versions of the app, as the window shows them.

/**
 * Why the app does not update itself. `build`: it runs from the sources, or was not made for updates; `installer`: the
 * computer's software distribution does it; `setting`: it is turned off; `address`: the address of updates is not configured.
 */
export const UpdatesOff = z.enum(['build', 'installer', 'setting', 'address']);
export type UpdatesOff = z.infer<typeof UpdatesOff>;

/** A version that can be installed. `notes`: its release notes, as text. */
export const NewVersion = z.object({ version: z.string(), notes: z.string().optional() });
export type NewVersion = z.infer<typeof NewVersion>;

export const UpdateStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off'), reason: UpdatesOff }),
  /** The installed version is the newest. `checkedAtMs`: time of the check, ms since 1970; absent before the first one. */
  z.object({ state: z.literal('current'), checkedAtMs: z.number().optional() }),
  z.object({ state: z.literal('checking') }),
  z.object({ state: z.literal('downloading'), found: NewVersion, percent: z.int().min(0).max(100) }),
  /** Downloaded and checked: it is installed when the app ends. */
  z.object({ state: z.literal('ready'), found: NewVersion }),
  z.object({ state: z.literal('failed'), error: ErrorData, failedAtMs: z.number() }),
]);
export type UpdateStatus = z.infer<typeof UpdateStatus>;

// Everything the renderer shows of main's state.

/** A message that no action of the user has caused, such as a damaged settings file that was moved aside. */
export const Notice = ErrorData;
export type Notice = z.infer<typeof Notice>;

/** Everything the renderer shows of main's state, at `revision`. */
export const Snapshot = z.object({
  revision: z.int(),
  version: z.string(),
  /** The system's locale for dates and numbers; absent if the page knows it itself. */
  locale: z.string().optional(),
  /** The app's language that fits the system best; absent if the page knows it itself. */
  systemLanguage: Language.optional(),
  /** Whether the settings of the desktop have an effect where the app runs, and files have menus there. */
  hasDesktop: z.boolean(),
  connection: Connection.optional(),
  session: SessionStatus,
  batches: z.array(Batch).readonly(),
  notices: z.array(Notice).readonly(),
  reachability: Reachability,
  offline: OfflineStatus,
  /** The lists that are read in the background; absent while none are. */
  reading: ListProgress.optional(),
  outbox: z.array(OutboxEntry).readonly(),
  watchedFolders: z.array(WatchedFolder).readonly(),
  preferences: Preferences,
  /** Settings of the organisation, which users cannot change. */
  managed: z.array(ManagedPath).readonly(),
  /** Settings without a place in the window. `connection`: the part that the organisation has set. */
  office: z.object({
    sampleData: z.boolean(),
    signOutErases: SignOutErases,
    connection: Connection.omit({ sample: true }).partial(),
  }),
  views: Views,
  /** The proxy that requires a password, until it is entered or dismissed. */
  wantedPassword: WantedPassword.optional(),
  update: UpdateStatus,
  /** The upload that is being prepared. */
  draft: Draft.optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

// Events from main to the renderer. Each carries the next revision of main's state; a renderer that misses one requests
// a snapshot.

/** What the window does for menus of the system, which are outside its page. */
export const PageAction = z.enum([
  'newUpload',
  'search',
  'settings',
  'find',
  'refresh',
  'userGuide',
  'shortcuts',
  'licences',
]);
export type PageAction = z.infer<typeof PageAction>;

export const DeskEvent = z.discriminatedUnion('type', [
  z.object({ revision: z.int(), type: z.literal('connection'), connection: Connection.optional() }),
  z.object({ revision: z.int(), type: z.literal('session'), session: SessionStatus }),
  /** Batches that have changed, each once. */
  z.object({ revision: z.int(), type: z.literal('batches'), batches: z.array(Batch).readonly() }),
  z.object({ revision: z.int(), type: z.literal('notice'), notice: Notice }),
  z.object({ revision: z.int(), type: z.literal('reachability'), reachability: Reachability }),
  z.object({ revision: z.int(), type: z.literal('offline'), offline: OfflineStatus }),
  /** Absent: no lists are read in the background any more. */
  z.object({ revision: z.int(), type: z.literal('reading'), reading: ListProgress.optional() }),
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
  /** A user chose `action` outside the page. */
  z.object({ revision: z.int(), type: z.literal('act'), action: PageAction }),
  /** A click on a notification asked to show the upload `uploadId`, or the list of uploads if it is absent. */
  z.object({ revision: z.int(), type: z.literal('show-upload'), uploadId: UploadId.optional() }),
]);
export type DeskEvent = z.infer<typeof DeskEvent>;

export const appCalls = {
  /** All of main's state: at the start, and whenever an event was missed. */
  snapshot: call(nothing, Snapshot),
  dismissNotices: call(nothing, z.void()),
  /** Ends rate-limit pauses, and probes the hosts that cannot be reached. */
  tryNow: call(nothing, z.void()),
  /** Shows the folder of the log file. Errors: `app/unsupported`. */
  openLogs: call(nothing, z.void()),
};

export const updatesCalls = {
  /** Checks for a newer version. The result is in the state. Errors: `app/unsupported` where updates are off. */
  check: call(nothing, z.void()),
  /** Quits the app, installs the downloaded version and starts it again. Errors: `update/busy`, `update/missing`. */
  install: call(nothing, z.void()),
};

/** The state that a window starts with, the events that change it, and updates of the app. */
import { z } from 'zod';
import { call, nothing } from './call.ts';
import { Addresses, Connection, Reachability, SessionStatus, WantedPassword } from './connection.ts';
import { Draft } from './drafts.ts';
import { ErrorData } from './errors.ts';
import { ListProgress, OfflineStatus, OutboxEntry } from './offline.ts';
import { Language, ManagedPath, Preferences, SignOutErases, Views } from './preferences.ts';
import { Batch, UploadId } from './uploads.ts';
import { Folder, WatchedFolder } from './watched-folders.ts';

/**
 * Why the app does not update itself. `build`: it runs from the sources, or is a build without updates; `installer`:
 * the computer's software distribution updates it; `setting`: updates are turned off; `address`: no address for updates
 * is configured.
 */
export const UpdatesOff = z.enum(['build', 'installer', 'setting', 'address']);
export type UpdatesOff = z.infer<typeof UpdatesOff>;

export const NewVersion = z.object({ version: z.string(), notes: z.string().optional() });
export type NewVersion = z.infer<typeof NewVersion>;

export const UpdateStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('off'), reason: UpdatesOff }),
  /**
   * No newer version is known. `checkedAtMs`: when the app last checked; absent if it has not checked since the start,
   * or since the settings of updates last changed.
   */
  z.object({ state: z.literal('current'), checkedAtMs: z.number().optional() }),
  z.object({ state: z.literal('checking') }),
  z.object({ state: z.literal('downloading'), found: NewVersion, percent: z.int().min(0).max(100) }),
  /** The new version is downloaded and verified. It is installed when the app ends. */
  z.object({ state: z.literal('ready'), found: NewVersion }),
  z.object({ state: z.literal('failed'), error: ErrorData, failedAtMs: z.number() }),
]);
export type UpdateStatus = z.infer<typeof UpdateStatus>;

/** A message that is not the response to a call, such as that a damaged settings file was moved aside. */
export const Notice = ErrorData;
export type Notice = z.infer<typeof Notice>;

export const Snapshot = z.object({
  revision: z.int(),
  version: z.string(),
  /** If absent, the page reads the locale from the browser. */
  locale: z.string().optional(),
  /** The app's language that fits the system best. If absent, the page reads it from the browser. */
  systemLanguage: Language.optional(),
  /** Whether the app runs on a desktop, where the desktop settings take effect and files have menus. */
  hasDesktop: z.boolean(),
  connection: Connection.optional(),
  session: SessionStatus,
  batches: z.array(Batch).readonly(),
  notices: z.array(Notice).readonly(),
  reachability: Reachability,
  offline: OfflineStatus,
  reading: ListProgress.optional(),
  outbox: z.array(OutboxEntry).readonly(),
  watchedFolders: z.array(WatchedFolder).readonly(),
  preferences: Preferences,
  managed: z.array(ManagedPath).readonly(),
  /** Settings that the window cannot change. `connection`: the fields that the organisation has set. */
  office: z.object({
    sampleData: z.boolean(),
    signOutErases: SignOutErases,
    connection: Addresses.partial(),
  }),
  views: Views,
  /** The proxy whose password is requested; absent once the user has entered the password or dismissed the request. */
  wantedPassword: WantedPassword.optional(),
  update: UpdateStatus,
  draft: Draft.optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** An action of the page that is started from outside the page, such as from a menu of the system. */
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

/**
 * Creates the schema of an event. `revision`: that of main's state after the event, one higher than before the event.
 * The renderer notices a missed event by a gap in the revisions, and then requests a snapshot.
 */
const event = <Type extends string, Content extends z.core.$ZodShape>(type: Type, content: Content) =>
  z.object({ revision: z.int(), type: z.literal(type), ...content });

/** The schema of an event that sets the field `key` of the snapshot, or removes it if `value` is absent. */
const part = <Key extends keyof typeof Snapshot.shape>(key: Key) => event(key, { value: Snapshot.shape[key] });

export const DeskEvent = z.discriminatedUnion('type', [
  part('connection'),
  part('session'),
  part('reachability'),
  part('offline'),
  part('reading'),
  part('outbox'),
  part('watchedFolders'),
  part('preferences'),
  part('wantedPassword'),
  part('update'),
  part('draft'),
  event('batches', { batches: z.array(Batch).readonly() }),
  event('notice', { notice: Notice }),
  /** Folders that were passed to the app from outside its window, for a new upload. */
  event('folders-given', { folders: z.array(Folder).readonly() }),
  event('act', { action: PageAction }),
  /** The user clicked a notification about the upload `uploadId` or, if that is absent, about several uploads. */
  event('show-upload', { uploadId: UploadId.optional() }),
]);
export type DeskEvent = z.infer<typeof DeskEvent>;

export const appCalls = {
  /** Returns the whole state. The renderer requests it at the start and whenever it has missed an event. */
  snapshot: call(nothing, Snapshot),
  dismissNotices: call(nothing, z.void()),
  /**
   * Ends rate-limit pauses, and probes unreachable hosts. A dismissed request for a proxy password may appear again.
   */
  tryNow: call(nothing, z.void()),
  /** Shows the log file in the system's file manager. Errors: `app/unsupported`. */
  openLogs: call(nothing, z.void()),
};

export const updatesCalls = {
  /**
   * Looks for a newer version and downloads it, unless one is already being downloaded or ready. `update` events report
   * the progress and the result. Errors: `app/unsupported` if updates are off.
   */
  check: call(nothing, z.void()),
  /** Quits the app, installs the downloaded version and starts it again. Errors: `update/busy`, `update/missing`. */
  install: call(nothing, z.void()),
};

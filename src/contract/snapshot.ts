/** Everything the renderer shows of main's state. */
import { z } from 'zod';
import { Batch } from './batches.ts';
import { Connection, SessionStatus } from './connection.ts';
import { Draft } from './drafts.ts';
import { ErrorData } from './errors.ts';
import { ManagedPath, SignOutErases } from './office-settings.ts';
import { OfflineStatus } from './offline.ts';
import { OutboxEntry } from './outbox.ts';
import { Language, Preferences, Views } from './preferences.ts';
import { WantedPassword } from './proxy-password.ts';
import { Reachability } from './reachability.ts';
import { UpdateStatus } from './updates.ts';
import { WatchedFolder } from './watched-folders.ts';

/** Something to tell the person that none of their actions caused, such as a damaged settings file that was moved aside. */
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
  outbox: z.array(OutboxEntry).readonly(),
  watchedFolders: z.array(WatchedFolder).readonly(),
  preferences: Preferences,
  /** What the organisation has set, and nobody can change here. */
  managed: z.array(ManagedPath).readonly(),
  /** Settings that nobody changes in the window. `connection`: what of it the organisation has set. */
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

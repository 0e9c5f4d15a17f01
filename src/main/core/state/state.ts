/** The state that the renderer shows, as a snapshot and as events: each change is the next revision. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { DeskEvent, Notice, Snapshot, UpdateStatus } from '../../../contract/app.ts';
import type { Connection, SessionStatus, WantedPassword } from '../../../contract/connection.ts';
import { NOTHING_ASKED, type Reachability } from '../../../contract/connection.ts';
import type { Draft } from '../../../contract/drafts.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { OfflineStatus, OutboxEntry } from '../../../contract/offline.ts';
import type { Language, ManagedPath, Preferences, Views } from '../../../contract/preferences.ts';
import { Batch } from '../../../contract/uploads.ts';
import type { Folder } from '../../../contract/watched-folders.ts';
import { WatchedFolder } from '../../../contract/watched-folders.ts';

/** What the state shows of the present connection. */
type ShownConnection = {
  readonly connection: Connection;
  readonly session: { readonly status: () => SessionStatus };
  readonly batches: () => readonly Batch[];
  readonly reachability: () => Reachability;
  readonly offlineWalk: { readonly status: () => OfflineStatus };
  readonly outbox: { readonly list: () => readonly OutboxEntry[] };
  readonly watchedFolders: { readonly list: () => readonly WatchedFolder[] };
};

/** The parts of the state that other services hold. */
type StateSources = {
  readonly version: string;
  readonly locale?: string | undefined;
  readonly systemLanguage?: Language | undefined;
  readonly hasDesktop: boolean;
  readonly present: () => ShownConnection | undefined;
  readonly preferences: () => Preferences;
  /** What the organisation has set. */
  readonly managed: readonly ManagedPath[];
  readonly office: () => Snapshot['office'];
  readonly views: () => Views;
  readonly update: () => UpdateStatus;
  /** Called before each notice is shown, to log it. */
  readonly onNotice: (error: DeskError) => void;
};

const NOTHING_OFFLINE: OfflineStatus = { state: 'idle', listed: 0, available: 0, skipped: 0, total: 0, sizeBytes: 0 };

export type State = {
  /** Stored values that cannot be read are left out, and one notice reports each kind. */
  readonly snapshot: () => Snapshot;
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  readonly connectionChanged: () => void;
  readonly sessionChanged: () => void;
  readonly batchesChanged: (batches: readonly Batch[]) => void;
  readonly reachabilityChanged: (reachability: Reachability) => void;
  readonly offlineChanged: (offline: OfflineStatus) => void;
  readonly outboxChanged: (outbox: readonly OutboxEntry[]) => void;
  readonly watchedFoldersChanged: (watchedFolders: readonly WatchedFolder[]) => void;
  readonly preferencesChanged: () => void;
  /** Undefined: it was entered, or dismissed. */
  readonly proxyPasswordWanted: (wanted: WantedPassword | undefined) => void;
  readonly updateChanged: (update: UpdateStatus) => void;
  /** Undefined: there is no draft any more. */
  readonly draftChanged: (draft: Draft | undefined) => void;
  /** Someone opened an upload from outside the window; without `batch`, the list of uploads. */
  readonly showUpload: (uploadId: string | undefined) => void;
  /** Someone chose the licences outside the window. */
  readonly showLicences: () => void;
  /** Folders were passed to the app from outside the window. */
  readonly foldersGiven: (folders: readonly Folder[]) => void;
  readonly notice: (error: DeskError) => void;
  readonly dismissNotices: () => void;
};

/** The state at revision 0, without notices. */
export const createState = (sources: StateSources): State => {
  const { version } = sources;
  const listeners = new Set<(event: DeskEvent) => void>();
  let revision = 0;
  let notices: readonly Notice[] = [];
  let draft: Draft | undefined;
  let wantedPassword: WantedPassword | undefined;

  const emit = (make: (revision: number) => DeskEvent): void => {
    revision += 1;
    const event = make(revision);
    for (const listener of listeners) listener(event);
  };
  const connection = (): { connection?: Connection } => {
    const present = sources.present();
    return present ? { connection: present.connection } : {};
  };
  const session = (): SessionStatus => sources.present()?.session.status() ?? { state: 'signed-out' };

  const notice = (error: DeskError): void => {
    sources.onNotice(error);
    const data = toErrorData(error);
    notices = [...notices, data];
    emit((at) => ({ revision: at, type: 'notice', notice: data }));
  };

  const leftOut = new Set<string>();
  const leaveOut = (part: string, cause: unknown): void => {
    if (leftOut.has(part)) return;
    leftOut.add(part);
    notice(new DeskError('data/left-out', 'stored data cannot be read', { details: { part }, cause }));
  };
  /** The items of `read` that `schema` accepts; none if `read` throws. */
  const readable = <T>(part: string, schema: z.ZodType<T>, read: () => readonly unknown[]): T[] => {
    try {
      return read().flatMap((piece) => {
        const parsed = schema.safeParse(piece);
        if (!parsed.success) leaveOut(part, parsed.error);
        return parsed.success ? [parsed.data] : [];
      });
    } catch (error) {
      leaveOut(part, error);
      return [];
    }
  };

  return {
    snapshot: () => {
      const present = sources.present();
      const stored = {
        batches: readable('uploads', Batch, () => present?.batches() ?? []),
        offline:
          readable('offline progress', OfflineStatus, () => [present?.offlineWalk.status() ?? NOTHING_OFFLINE])[0] ??
          NOTHING_OFFLINE,
        outbox: readable('pending changes', OutboxEntry, () => present?.outbox.list() ?? []),
        watchedFolders: readable('watched folders', WatchedFolder, () => present?.watchedFolders.list() ?? []),
      };
      return {
        // Read last, because reading the stored values may have added a notice.
        revision,
        version,
        ...(sources.locale === undefined ? {} : { locale: sources.locale }),
        ...(sources.systemLanguage && { systemLanguage: sources.systemLanguage }),
        hasDesktop: sources.hasDesktop,
        ...connection(),
        session: session(),
        notices,
        reachability: present?.reachability() ?? NOTHING_ASKED,
        ...stored,
        preferences: sources.preferences(),
        managed: sources.managed,
        office: sources.office(),
        views: sources.views(),
        update: sources.update(),
        ...(draft && { draft }),
        ...(wantedPassword && { wantedPassword }),
      };
    },
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connectionChanged: () => emit((revision) => ({ revision, type: 'connection', ...connection() })),
    sessionChanged: () => emit((revision) => ({ revision, type: 'session', session: session() })),
    batchesChanged: (batches) => emit((revision) => ({ revision, type: 'batches', batches })),
    reachabilityChanged: (reachability) => emit((revision) => ({ revision, type: 'reachability', reachability })),
    offlineChanged: (offline) => emit((revision) => ({ revision, type: 'offline', offline })),
    outboxChanged: (outbox) => emit((revision) => ({ revision, type: 'outbox', outbox })),
    watchedFoldersChanged: (watchedFolders) =>
      emit((revision) => ({ revision, type: 'watched-folders', watchedFolders })),
    preferencesChanged: () =>
      emit((revision) => ({ revision, type: 'preferences', preferences: sources.preferences() })),
    proxyPasswordWanted: (wanted) => {
      if (isDeepStrictEqual(wanted, wantedPassword)) return;
      wantedPassword = wanted;
      emit((revision) => ({ revision, type: 'proxy-password', ...(wanted && { wantedPassword: wanted }) }));
    },
    updateChanged: (update) => emit((revision) => ({ revision, type: 'update', update })),
    draftChanged: (changed) => {
      draft = changed;
      emit((revision) => ({ revision, type: 'draft', ...(changed && { draft: changed }) }));
    },
    showUpload: (uploadId) =>
      emit((revision) => ({ revision, type: 'show-upload', ...(uploadId !== undefined && { uploadId }) })),
    showLicences: () => emit((revision) => ({ revision, type: 'show-licences' })),
    foldersGiven: (folders) => emit((revision) => ({ revision, type: 'folders-given', folders })),
    notice,
    dismissNotices: () => {
      notices = [];
    },
  };
};

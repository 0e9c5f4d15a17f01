/** The state that the renderer shows, as a snapshot and as events: each change is the next revision. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { DeskEvent, Notice, Snapshot, UpdateStatus } from '../../../contract/app.ts';
import { NOTHING_ASKED } from '../../../contract/connection.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { OfflineStatus, OutboxEntry } from '../../../contract/offline.ts';
import { Batch } from '../../../contract/uploads.ts';
import { WatchedFolder } from '../../../contract/watched-folders.ts';
import { readOffice, readPreferences } from '../../settings/preferences.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Host } from '../host.ts';

type ShownConnection = {
  readonly connection: Snapshot['connection'];
  readonly session: { readonly status: () => Snapshot['session'] };
  readonly batches: () => readonly Batch[];
  readonly reachability: () => Snapshot['reachability'];
  readonly offlineWalk: { readonly status: () => OfflineStatus };
  readonly readAhead: { readonly progress: () => Snapshot['reading'] };
  readonly outbox: { readonly list: () => readonly OutboxEntry[] };
  readonly watchedFolders: { readonly list: () => readonly WatchedFolder[] };
};

type StateSources = {
  readonly host: Pick<Host, 'version' | 'locale' | 'systemLanguage' | 'chooseFileAction'>;
  readonly settings: SettingsStore;
  readonly present: () => ShownConnection | undefined;
  readonly update: () => UpdateStatus;
  /** Called with each notice to log it, even if the notice is not shown. */
  readonly onNotice: (error: DeskError) => void;
};

type Change = DeskEvent extends infer Event ? (Event extends DeskEvent ? Omit<Event, 'revision'> : never) : never;

const NOTHING_OFFLINE: OfflineStatus = { state: 'idle', listed: 0, available: 0, skipped: 0, total: 0, sizeBytes: 0 };

/** The maximum number of notices. Further ones are only logged until the user dismisses those shown. */
const MOST_NOTICES = 20;

export type State = ReturnType<typeof createState>;

export const createState = ({ host, settings, present, update, onNotice }: StateSources) => {
  const listeners = new Set<(event: DeskEvent) => void>();
  let revision = 0;
  let notices: readonly Notice[] = [];
  let draft: Snapshot['draft'];
  let wantedPassword: Snapshot['wantedPassword'];

  const emit = (change: Change): void => {
    if (change.type === 'wantedPassword') {
      if (isDeepStrictEqual(change.value, wantedPassword)) return;
      wantedPassword = change.value;
    }
    if (change.type === 'draft') draft = change.value;
    if (change.type === 'notice') notices = [...notices, change.notice];
    revision += 1;
    const event: DeskEvent = { revision, ...change };
    for (const listener of listeners) listener(event);
  };
  const notice = (error: DeskError): void => {
    onNotice(error);
    const added = toErrorData(error);
    if (notices.length >= MOST_NOTICES || notices.some((shown) => isDeepStrictEqual(shown, added))) return;
    emit({ type: 'notice', notice: added });
  };

  const leftOut = new Set<string>();
  const leaveOut = (part: string, cause: unknown): void => {
    if (leftOut.has(part)) return;
    leftOut.add(part);
    notice(new DeskError('data/left-out', 'stored data cannot be read', { details: { part }, cause }));
  };
  /** Returns the items that `schema` accepts. A notice reports the first error of each `part`. */
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
  const readStored = (shown: ShownConnection | undefined) => ({
    batches: readable('uploads', Batch, () => shown?.batches() ?? []),
    offline:
      readable('offlineProgress', OfflineStatus, () => (shown ? [shown.offlineWalk.status()] : []))[0] ??
      NOTHING_OFFLINE,
    outbox: readable('pendingChanges', OutboxEntry, () => shown?.outbox.list() ?? []),
    watchedFolders: readable('watchedFolders', WatchedFolder, () => shown?.watchedFolders.list() ?? []),
  });

  return {
    /** Returns the present state. Stored values that cannot be read are missing from it. */
    snapshot: (): Snapshot => {
      const shown = present();
      // Stored values are read before `notices`, because reading them may add a notice.
      const stored = readStored(shown);
      const { version, locale, systemLanguage, chooseFileAction } = host;
      return {
        revision,
        version,
        hasDesktop: chooseFileAction !== undefined,
        notices,
        ...(locale !== undefined && { locale }),
        ...(systemLanguage && { systemLanguage }),
        ...(shown && { connection: shown.connection }),
        session: shown?.session.status() ?? { state: 'signed-out' },
        reachability: shown?.reachability() ?? NOTHING_ASKED,
        ...stored,
        reading: shown?.readAhead.progress(),
        preferences: readPreferences(settings),
        managed: settings.managed,
        office: readOffice(settings),
        views: settings.get().views,
        update: update(),
        ...(draft && { draft }),
        ...(wantedPassword && { wantedPassword }),
      };
    },
    onEvent: (listener: (event: DeskEvent) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit,
    preferencesChanged: (): void => emit({ type: 'preferences', value: readPreferences(settings) }),
    /** Logs an error, and shows it as a notice unless the same notice or `MOST_NOTICES` notices are already shown. */
    notice,
    dismissNotices: (): void => {
      notices = [];
    },
  };
};

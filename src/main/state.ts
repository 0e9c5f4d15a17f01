/** What the renderer shows of main, and the events that keep it so: each change is the next revision. */
import { type DeskError, toErrorData } from '../contract/errors.ts';
import type { DeskEvent } from '../contract/events.ts';
import type { Batch, Connection, Notice, SessionStatus, Snapshot } from '../contract/models.ts';
import type { OfflineStatus, OutboxEntry } from '../contract/offline.ts';
import type { Preferences, Views } from '../contract/preferences.ts';
import type { Reachability } from '../contract/reachability.ts';

/** The parts of the state that live elsewhere. */
export type StateSources = {
  readonly version: string;
  readonly locale?: string | undefined;
  readonly connection: () => Connection | undefined;
  readonly session: () => SessionStatus;
  readonly batches: () => readonly Batch[];
  readonly reachability: () => Reachability;
  readonly offline: () => OfflineStatus;
  readonly outbox: () => readonly OutboxEntry[];
  readonly preferences: () => Preferences;
  readonly views: () => Views;
};

export type State = {
  readonly snapshot: () => Snapshot;
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  readonly connectionChanged: () => void;
  readonly sessionChanged: () => void;
  readonly batchChanged: (batch: Batch) => void;
  readonly reachabilityChanged: (reachability: Reachability) => void;
  readonly offlineChanged: (offline: OfflineStatus) => void;
  readonly outboxChanged: (outbox: readonly OutboxEntry[]) => void;
  readonly preferencesChanged: () => void;
  readonly notice: (error: DeskError) => void;
  readonly dismissNotices: () => void;
};

/** The state at revision 0, without notices. */
export const createState = (sources: StateSources): State => {
  const { version, connection, session, batches } = sources;
  const listeners = new Set<(event: DeskEvent) => void>();
  let revision = 0;
  let notices: readonly Notice[] = [];

  const emit = (make: (revision: number) => DeskEvent): void => {
    revision += 1;
    const event = make(revision);
    for (const listener of listeners) listener(event);
  };
  const present = (): { connection?: Connection } => {
    const now = connection();
    return now ? { connection: now } : {};
  };

  return {
    snapshot: () => ({
      revision,
      version,
      ...(sources.locale === undefined ? {} : { locale: sources.locale }),
      ...present(),
      session: session(),
      batches: [...batches()],
      notices: [...notices],
      reachability: sources.reachability(),
      offline: sources.offline(),
      outbox: [...sources.outbox()],
      preferences: sources.preferences(),
      views: sources.views(),
    }),
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connectionChanged: () => emit((revision) => ({ revision, type: 'connection', ...present() })),
    sessionChanged: () => emit((revision) => ({ revision, type: 'session', session: session() })),
    batchChanged: (batch) => emit((revision) => ({ revision, type: 'batch', batch })),
    reachabilityChanged: (reachability) => emit((revision) => ({ revision, type: 'reachability', reachability })),
    offlineChanged: (offline) => emit((revision) => ({ revision, type: 'offline', offline })),
    outboxChanged: (outbox) => emit((revision) => ({ revision, type: 'outbox', outbox: [...outbox] })),
    preferencesChanged: () =>
      emit((revision) => ({ revision, type: 'preferences', preferences: sources.preferences() })),
    notice: (error) => {
      const notice = toErrorData(error);
      notices = [...notices, notice];
      emit((revision) => ({ revision, type: 'notice', notice }));
    },
    dismissNotices: () => {
      notices = [];
    },
  };
};

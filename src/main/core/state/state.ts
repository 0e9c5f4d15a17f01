/** What the renderer shows of main, and the events that keep it so: each change is the next revision. */
import type { z } from 'zod';
import { Batch } from '../../../contract/batches.ts';
import type { Connection, SessionStatus } from '../../../contract/connection.ts';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { DeskEvent } from '../../../contract/events.ts';
import { OfflineStatus } from '../../../contract/offline.ts';
import { OutboxEntry } from '../../../contract/outbox.ts';
import type { Language, Preferences, Views } from '../../../contract/preferences.ts';
import type { Reachability } from '../../../contract/reachability.ts';
import type { Notice, Snapshot } from '../../../contract/snapshot.ts';

/** The parts of the state that live elsewhere. */
type StateSources = {
  readonly version: string;
  readonly locale?: string | undefined;
  readonly systemLanguage?: Language | undefined;
  readonly connection: () => Connection | undefined;
  readonly session: () => SessionStatus;
  readonly batches: () => readonly Batch[];
  readonly reachability: () => Reachability;
  readonly offline: () => OfflineStatus;
  readonly outbox: () => readonly OutboxEntry[];
  readonly preferences: () => Preferences;
  readonly views: () => Views;
  /** Called once for each part that a snapshot leaves out: to be logged, and made a notice. */
  readonly onLeftOut: (error: DeskError) => void;
};

export const NOTHING_OFFLINE: OfflineStatus = { state: 'idle', listed: 0, kept: 0, skipped: 0, total: 0, sizeBytes: 0 };

export type State = {
  /** Never fails for one stored value: what cannot be read is left out, and a notice says so once. */
  readonly snapshot: () => Snapshot;
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  readonly connectionChanged: () => void;
  readonly sessionChanged: () => void;
  readonly batchChanged: (batch: Batch) => void;
  readonly reachabilityChanged: (reachability: Reachability) => void;
  readonly offlineChanged: (offline: OfflineStatus) => void;
  readonly outboxChanged: (outbox: readonly OutboxEntry[]) => void;
  readonly preferencesChanged: () => void;
  /** The person asked for an upload outside of the window; without `batch` for the list of uploads. */
  readonly uploadAsked: (batch: string | undefined) => void;
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

  const notice = (error: DeskError): void => {
    const data = toErrorData(error);
    notices = [...notices, data];
    emit((at) => ({ revision: at, type: 'notice', notice: data }));
  };

  const leftOut = new Set<string>();
  const leaveOut = (part: string, cause: unknown): void => {
    if (leftOut.has(part)) return;
    leftOut.add(part);
    sources.onLeftOut(new DeskError('data/left-out', 'stored data cannot be read', { details: { part }, cause }));
  };
  /** What `read` gives of `schema`, piece by piece; nothing where it fails as a whole. */
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
      const stored = {
        batches: readable('uploads', Batch, batches),
        offline: readable('offline progress', OfflineStatus, () => [sources.offline()])[0] ?? NOTHING_OFFLINE,
        outbox: readable('pending changes', OutboxEntry, sources.outbox),
      };
      return {
        // After what is stored was read, for that may have become a notice.
        revision,
        version,
        ...(sources.locale === undefined ? {} : { locale: sources.locale }),
        ...(sources.systemLanguage && { systemLanguage: sources.systemLanguage }),
        ...present(),
        session: session(),
        notices,
        reachability: sources.reachability(),
        ...stored,
        preferences: sources.preferences(),
        views: sources.views(),
      };
    },
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connectionChanged: () => emit((revision) => ({ revision, type: 'connection', ...present() })),
    sessionChanged: () => emit((revision) => ({ revision, type: 'session', session: session() })),
    batchChanged: (batch) => emit((revision) => ({ revision, type: 'batch', batch })),
    reachabilityChanged: (reachability) => emit((revision) => ({ revision, type: 'reachability', reachability })),
    offlineChanged: (offline) => emit((revision) => ({ revision, type: 'offline', offline })),
    outboxChanged: (outbox) => emit((revision) => ({ revision, type: 'outbox', outbox })),
    preferencesChanged: () =>
      emit((revision) => ({ revision, type: 'preferences', preferences: sources.preferences() })),
    uploadAsked: (batchId) =>
      emit((revision) => ({ revision, type: 'show-upload', ...(batchId !== undefined && { batchId }) })),
    notice,
    dismissNotices: () => {
      notices = [];
    },
  };
};

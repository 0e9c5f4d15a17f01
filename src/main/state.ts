/** What the renderer shows of main, and the events that keep it so: each change is the next revision. */
import { type DeskError, toErrorData } from '../contract/errors.ts';
import type { DeskEvent } from '../contract/events.ts';
import type { Batch, Connection, Notice, SessionStatus, Snapshot } from '../contract/models.ts';

/** The parts of the state that live elsewhere. */
export type StateSources = {
  readonly version: string;
  readonly connection: () => Connection | undefined;
  readonly session: () => SessionStatus;
  readonly batches: () => readonly Batch[];
};

export type State = {
  readonly snapshot: () => Snapshot;
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  readonly connectionChanged: () => void;
  readonly sessionChanged: () => void;
  readonly batchChanged: (batch: Batch) => void;
  readonly notice: (error: DeskError) => void;
  readonly dismissNotices: () => void;
};

export const createState = ({ version, connection, session, batches }: StateSources): State => {
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
      ...present(),
      session: session(),
      batches: [...batches()],
      notices: [...notices],
    }),
    onEvent: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connectionChanged: () => emit((revision) => ({ revision, type: 'connection', ...present() })),
    sessionChanged: () => emit((revision) => ({ revision, type: 'session', session: session() })),
    batchChanged: (batch) => emit((revision) => ({ revision, type: 'batch', batch })),
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

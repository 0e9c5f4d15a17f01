/**
 * The typed client of main, and the app's store: main's state, the history of places, and state that more than one page
 * needs.
 */
import { z } from 'zod';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { DeskEvent, type PageAction, type Snapshot } from '../../contract/app.ts';
import { type Bridge, type DeskClient, functionOf, mapCalls } from '../../contract/calls.ts';
import { DeskError, type Envelope, type ErrorData, fromErrorData, toErrorData } from '../../contract/errors.ts';
import type { AssignmentSummary } from '../../contract/resources.ts';
import type { Batch } from '../../contract/uploads.ts';
import { Folder } from '../../contract/watched-folders.ts';
import {
  beginAt,
  type History,
  opened,
  type Place,
  readLastPlace,
  serviceKey,
  startHistory,
  steppedBack,
  steppedForward,
} from './places.ts';

export type RendererDesk = DeskClient & {
  /** Calls `listener` with every event until the returned function is called. */
  readonly onEvent: (listener: (event: DeskEvent) => void) => () => void;
  /** Registers with main files that were dropped or chosen. Rejects with a `DeskError`. */
  readonly adoptDropped: (files: readonly File[]) => Promise<readonly Folder[]>;
};

const unwrap = <T>(envelope: Envelope<T>): T => {
  if (envelope.ok) return envelope.value;
  throw fromErrorData(envelope.error);
};

type DeskClientOptions = {
  /**
   * Called with the name of a call after the call was successful. The call resolves only after the returned promise.
   */
  readonly onResponse?: (name: string) => Promise<void>;
};

/**
 * Creates the typed client of main that calls it through `bridge`. Results come from main and are trusted to have their
 * type. Calls reject with a `DeskError`.
 */
export const createDeskClient = (bridge: Bridge, { onResponse }: DeskClientOptions = {}): RendererDesk => {
  const client = mapCalls((name) => async (...args: readonly unknown[]) => {
    const call = functionOf<Promise<Envelope<unknown>>>(bridge.calls, name);
    if (call === undefined) throw new Error(`the bridge has no call ${name}`);
    const last = args.at(-1);
    const signal = last instanceof AbortSignal ? last : undefined;
    if (signal?.aborted) throw new DeskError('app/cancelled', 'the call was cancelled before it was made');
    const id = signal && crypto.randomUUID();
    signal?.addEventListener('abort', () => id && bridge.cancel(id));
    const [input] = signal ? args.slice(0, -1) : args;
    const value = unwrap(await call(input, id));
    await onResponse?.(name);
    return value;
  }) as DeskClient;
  return {
    ...client,
    onEvent: (listener) =>
      bridge.onEvent((event) => {
        // An event that does not parse is dropped. The resulting gap in the revisions makes the store request a
        // snapshot.
        const parsed = DeskEvent.safeParse(event);
        if (parsed.success) listener(parsed.data);
      }),
    adoptDropped: async (files) => z.array(Folder).parse(unwrap(await bridge.adoptDropped(files))),
  };
};

export type Projection = {
  readonly snapshot: Snapshot | undefined;
  /** Whether events are missing. A new snapshot is then needed. */
  readonly behind: boolean;
  /** The events that have arrived while `behind`, oldest first. */
  readonly waiting: readonly DeskEvent[];
};

export const nothingKnown: Projection = { snapshot: undefined, behind: true, waiting: [] };

const withBatches = (batches: readonly Batch[], changed: readonly Batch[]): Batch[] => {
  const byId = new Map(batches.map((batch) => [batch.batchId, batch]));
  for (const batch of changed) byId.set(batch.batchId, batch);
  return [...byId.values()];
};

const apply = (snapshot: Snapshot, event: DeskEvent): Snapshot => {
  const { revision } = event;
  switch (event.type) {
    case 'batches':
      return { ...snapshot, revision, batches: withBatches(snapshot.batches, event.batches) };
    case 'notice':
      return { ...snapshot, revision, notices: [...snapshot.notices, event.notice] };
    case 'folders-given':
    case 'act':
    case 'show-upload':
      // `followDesk` handles these events.
      return { ...snapshot, revision };
    default:
      return { ...snapshot, revision, [event.type]: event.value };
  }
};

/** Whether other batches may come into view after `event`. Uploads belong to a connection and a user. */
const changesBatches = (event: DeskEvent): boolean =>
  event.type === 'connection' || (event.type === 'session' && event.value.state === 'signed-in');

/** Returns the projection after `event`. An event that the snapshot already includes changes nothing. */
export const withEvent = (projection: Projection, event: DeskEvent): Projection => {
  const { snapshot } = projection;
  if (snapshot === undefined || projection.behind) return { ...projection, waiting: [...projection.waiting, event] };
  if (event.revision <= snapshot.revision) return projection;
  if (event.revision > snapshot.revision + 1) return { snapshot, behind: true, waiting: [event] };
  return { snapshot: apply(snapshot, event), behind: changesBatches(event), waiting: [] };
};

/**
 * Returns the projection after `snapshot` and the events that arrived before it. It is still `behind` if one of these
 * events is missing.
 */
export const withSnapshot = (projection: Projection, snapshot: Snapshot): Projection =>
  projection.waiting.reduce<Projection>(withEvent, { snapshot, behind: false, waiting: [] });

/** Folders that were chosen, dropped or passed to the app. */
export type Given = {
  readonly folders: readonly Folder[];
  /**
   * The assignment that all of the folders are uploaded to. If undefined, each folder is matched with an assignment.
   */
  readonly AssignmentId?: string | undefined;
  /** Whether the folders were chosen on the page of the new upload. They are then added to its draft. */
  readonly here?: boolean;
};

export type AppState = {
  readonly projection: Projection;
  /** The error of the last attempt to read main's state; undefined if it succeeded. */
  readonly failure: ErrorData | undefined;
  readonly history: History;
  /** The assignments whose pages were opened, by id. They provide the names where only the id is known. */
  readonly assignments: Readonly<Record<string, AssignmentSummary>>;
  /** Whether the user browses offline data without a session instead of signing in. */
  readonly browsesOffline: boolean;
  readonly browseOffline: (browses: boolean) => void;
  /** Whether the user has requested the sign-in. Reset when another place is opened. */
  readonly signInRequested: boolean;
  readonly requestSignIn: () => void;
  /** The errors of the user's actions that were not shown yet. */
  readonly reports: readonly ErrorData[];
  readonly report: (error: unknown) => void;
  /** Removes and returns the reports, which the caller has to show. */
  readonly takeReports: () => readonly ErrorData[];
  /** Folders for a new upload that the page of the new upload has not taken yet. */
  readonly given: Given | undefined;
  /** Opens the page of a new upload, which takes `given`. */
  readonly give: (given: Given) => void;
  readonly takeGiven: () => Given | undefined;
  /** The action that the user chose in a menu of the system, until the shell performs it. */
  readonly asked: PageAction | undefined;
  readonly takeAsked: () => PageAction | undefined;
  readonly open: (place: Place) => void;
  /**
   * Opens an upload that was just started. If the page of the new upload no longer has a draft, it is removed from the
   * history.
   */
  readonly showStarted: (upload: string) => Promise<void>;
  readonly back: () => void;
  readonly forward: () => void;
  /** Requests snapshots from main until no event is missing, or until a request fails, which sets `failure`. */
  readonly synchronise: () => Promise<void>;
  /** Dismisses all notices in main, and hides those that were shown. Rejects with a `DeskError`. */
  readonly dismissNotices: () => Promise<void>;
};

export type AppStore = StoreApi<AppState>;

const seen = (assignments: AppState['assignments'], place: Place): AppState['assignments'] =>
  place.name === 'assignment' && place.summary !== undefined
    ? { ...assignments, [place.AssignmentId]: place.summary }
    : assignments;

const firstHistory = ({ views, connection }: Snapshot): History => {
  const place = connection && readLastPlace(views.place, connection);
  return place === undefined ? startHistory : beginAt(place);
};

/** Creates the app's store, whose functions call `desk`. It has no state of main until `followDesk` is called. */
export const createAppStore = (desk: RendererDesk): AppStore =>
  createStore<AppState>()((set, get) => {
    const synchronise = async (): Promise<void> => {
      try {
        do {
          const snapshot = await desk.app.snapshot();
          set(({ projection, history }) => ({
            projection: withSnapshot(projection, snapshot),
            failure: undefined,
            history: projection.snapshot === undefined ? firstHistory(snapshot) : history,
          }));
        } while (get().projection.behind);
      } catch (error) {
        set({ failure: toErrorData(error) });
      }
    };
    let synchronising: Promise<void> | undefined;
    return {
      projection: nothingKnown,
      failure: undefined,
      history: startHistory,
      assignments: {},
      browsesOffline: false,
      browseOffline: (browsesOffline) => set({ browsesOffline, signInRequested: false }),
      signInRequested: false,
      requestSignIn: () => set({ signInRequested: true }),
      reports: [],
      report: (error) => set(({ reports }) => ({ reports: [...reports, toErrorData(error)] })),
      takeReports: () => {
        const { reports } = get();
        set({ reports: [] });
        return reports;
      },
      given: undefined,
      give: (given) => {
        set({ given });
        get().open({ name: 'new-upload' });
      },
      takeGiven: () => {
        const { given } = get();
        set({ given: undefined });
        return given;
      },
      asked: undefined,
      takeAsked: () => {
        const { asked } = get();
        set({ asked: undefined });
        return asked;
      },
      open: (place) =>
        set((state) => ({ history: opened(state.history, place), assignments: seen(state.assignments, place) })),
      showStarted: async (upload) => {
        // Waits for main's state, because `drafts.start` may resolve before the events about its changes arrive.
        await get().synchronise();
        set(({ history, projection }) => {
          const isEmpty = history.place.name === 'new-upload' && projection.snapshot?.draft === undefined;
          return { history: opened(isEmpty ? steppedBack(history) : history, { name: 'upload', upload }) };
        });
      },
      back: () => set((state) => ({ history: steppedBack(state.history) })),
      forward: () => set((state) => ({ history: steppedForward(state.history) })),
      synchronise: () => {
        synchronising ??= synchronise().finally(() => {
          synchronising = undefined;
        });
        return synchronising;
      },
      dismissNotices: async () => {
        const shown = get().projection.snapshot?.notices ?? [];
        await desk.app.dismissNotices();
        set(({ projection }) => {
          const { snapshot } = projection;
          if (snapshot === undefined) return {};
          const notices = snapshot.notices.filter((notice) => !shown.includes(notice));
          return { projection: { ...projection, snapshot: { ...snapshot, notices } } };
        });
      },
    };
  });

const connectionKey = ({ projection: { snapshot } }: AppState): string | undefined =>
  snapshot?.connection && serviceKey(snapshot.connection);

/**
 * Keeps `store` up to date with main, and resets the history when the connection changes, until the returned function
 * is called.
 */
export const followDesk = (store: AppStore, desk: RendererDesk): (() => void) => {
  const stopEvents = desk.onEvent((event) => {
    store.setState(({ projection }) => ({ projection: withEvent(projection, event) }));
    if (event.type === 'session' && event.value.state === 'signed-in') {
      store.setState({ browsesOffline: false, signInRequested: false });
    }
    const { projection, synchronise, open, give } = store.getState();
    if (projection.behind) void synchronise();
    if (event.type === 'folders-given') void synchronise().then(() => give({ folders: event.folders }));
    // Without a connection, there is no shell to perform the action, and the action must not be performed later either.
    if (event.type === 'act')
      void synchronise().then(() =>
        store.setState((state) => ({ asked: state.projection.snapshot?.connection && event.action })),
      );
    // Opens the upload only after the first snapshot, which opens the last place in a new window.
    if (event.type === 'show-upload')
      void synchronise().then(() =>
        open(event.uploadId === undefined ? { name: 'uploads' } : { name: 'upload', upload: event.uploadId }),
      );
  });
  const stopWatching = store.subscribe((state, before) => {
    if (state.signInRequested && state.history.place !== before.history.place)
      store.setState({ signInRequested: false });
    const was = connectionKey(before);
    if (was !== undefined && was !== connectionKey(state)) {
      store.setState({ history: startHistory, assignments: {}, browsesOffline: false });
    }
  });
  void store.getState().synchronise();
  return () => {
    stopEvents();
    stopWatching();
  };
};

/**
 * The state of the window: the places, the typed client of main, the app's store with main's state, what survives
 * restarts, and the hooks by which components read all of it.
 */

import { debounce, isEqual, omit, sortBy, uniqBy } from 'es-toolkit';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { DeskEvent, type PageAction, type Snapshot } from '../../contract/app.ts';
import { AssignmentFilter } from '../../contract/assignments.ts';
import { type Bridge, type DeskClient, functionOf, mapCalls } from '../../contract/calls.ts';
import type { Connection } from '../../contract/connection.ts';
import { DeskError, type Envelope, type ErrorData, fromErrorData, toErrorData } from '../../contract/errors.ts';
import { ViewValue } from '../../contract/preferences.ts';
import { AssignmentSummary, ProtocolSummary } from '../../contract/resources.ts';
import type { Batch } from '../../contract/uploads.ts';
import { Folder } from '../../contract/watched-folders.ts';
import { DialogReport } from '../ui/dialogs.tsx';

// The places of the app. A place contains what its page needs to show the heading immediately.

const Section = z.enum([
  'overview',
  'protocols',
  'assignments',
  'orderable-events',
  'new-upload',
  'uploads',
  'files',
  'settings',
  'help',
]);
export type Section = z.infer<typeof Section>;

/** A place, as a schema, because the last place is read back at the next start. */
export const Place = z
  .discriminatedUnion('name', [
    z.object({ name: Section.exclude(['files', 'protocols', 'assignments']) }),
    z.object({ name: z.literal('licences') }),
    z.object({ name: z.literal('doctor') }),
    z.object({ name: z.literal('watched-folders') }),
    z.object({ name: z.literal('search'), text: z.string() }),
    z.object({ name: z.literal('protocols'), text: z.string().optional() }),
    /**
     * All files, those of one assignment (`assignment`), or those of one upload (`failedOf`). For an upload, only the
     * failed ones are shown at first. `text`: the text in the search field when the page opens.
     */
    z.object({
      name: z.literal('files'),
      text: z.string().optional(),
      assignment: z.object({ AssignmentId: z.string(), title: z.string() }).optional(),
      failedOf: z.object({ uploadId: z.string(), title: z.string() }).optional(),
    }),
    /** The assignments that match `filter`; without it, the open ones. The user can change the filter on the page. */
    z.object({ name: z.literal('assignments'), filter: AssignmentFilter.partial().optional() }),
    z.object({ name: z.literal('protocol'), protocol: ProtocolSummary }),
    z.object({
      name: z.literal('assignment'),
      AssignmentId: z.string(),
      /**
       * The summary is absent if only the id is known, for example from an old upload. No operation of the API reads a
       * single assignment.
       */
      summary: AssignmentSummary.optional(),
      /** The FileName of the file that is brought into view when the page opens. */
      file: z.string().optional(),
    }),
    z.object({ name: z.literal('batch'), batch: z.string() }),
    /** An upload. If it has only one batch, the page of that batch is shown. */
    z.object({ name: z.literal('upload'), upload: z.string() }),
  ])
  .readonly();
export type Place = z.infer<typeof Place>;

export type PlaceProps<Name extends Place['name']> = Omit<Place & { readonly name: Name }, 'name'>;

export const assignmentPlace = (summary: AssignmentSummary): Place => ({
  name: 'assignment',
  AssignmentId: summary.AssignmentId,
  summary,
});

/** Returns a text that identifies a place. It contains the ids of records, but not their other fields. */
export const placeKey = (place: Place): string => {
  switch (place.name) {
    case 'protocol':
      return `protocol ${place.protocol.InspectionProtocolId}`;
    case 'assignment':
      return `assignment ${place.AssignmentId}`;
    case 'files':
      return JSON.stringify({
        ...place,
        assignment: place.assignment?.AssignmentId,
        failedOf: place.failedOf?.uploadId,
      });
    default:
      return JSON.stringify(place);
  }
};

/** Returns the section of the navigation that `place` belongs to; undefined for the search. */
export const sectionOf = (place: Place): Section | undefined => {
  switch (place.name) {
    case 'protocol':
      return 'protocols';
    case 'assignment':
      return 'assignments';
    case 'batch':
    case 'upload':
    case 'watched-folders':
      return 'uploads';
    case 'licences':
      return 'settings';
    case 'doctor':
      return 'help';
    case 'search':
      return undefined;
    default:
      return place.name;
  }
};

const ownSections: readonly (Section | undefined)[] = ['uploads', 'files', 'settings', 'help'];

/** Whether `place` shows data of the service. Uploads, files, settings and help show only data of this computer. */
export const needsSession = (place: Place): boolean => !ownSections.includes(sectionOf(place));

// The history of places, with back and forward as in a browser. It is only kept in memory.

type History = {
  /** The earlier places, oldest first. "Back" leads to the last one. */
  readonly back: readonly Place[];
  readonly place: Place;
  /** The places that the user went back from, nearest first. "Forward" leads to the first one. */
  readonly forward: readonly Place[];
};

const longest = 50;

const startHistory: History = { back: [], place: { name: 'protocols' }, forward: [] };

/**
 * Returns a history that begins at `place`. "Back" leads from there to the section of `place`, unless `place` has no
 * section or is the section itself.
 */
const beginAt = (place: Place): History => {
  const section = sectionOf(place);
  const isList = section === undefined || placeKey({ name: section }) === placeKey(place);
  return { back: isList ? [] : [{ name: section }], place, forward: [] };
};

/** Returns `history` after `place` was opened. Opening the current place adds no step. */
const opened = (history: History, place: Place): History =>
  placeKey(place) === placeKey(history.place)
    ? { ...history, place }
    : { back: [...history.back, history.place].slice(-longest), place, forward: [] };

const steppedBack = (history: History): History => {
  const place = history.back.at(-1);
  if (place === undefined) return history;
  return { back: history.back.slice(0, -1), place, forward: [history.place, ...history.forward] };
};

const steppedForward = (history: History): History => {
  const [place, ...forward] = history.forward;
  if (place === undefined) return history;
  return { back: [...history.back, history.place], place, forward };
};

/**
 * Returns the places whose pages stay mounted, so that going back shows a list as it was left: the current place, the
 * nearest places that "Back" leads to and, if these are fewer than `count` together, the nearest ones that "Forward"
 * leads to. The order of the result does not depend on the current place.
 */
export const keptPlaces = (history: History, count: number): readonly Place[] => {
  const nearest = [history.place, ...history.back.toReversed(), ...history.forward];
  return sortBy(uniqBy(nearest, placeKey).slice(0, count), [placeKey]);
};

/** A place and the service that it belongs to. An id of one service is meaningless at another. */
const LastPlace = z.object({ service: z.string(), place: Place });

const serviceKey = ({ baseUrl, authUrl, clientId }: Connection): string => `${baseUrl} ${authUrl} ${clientId}`;

/** Parses the place in `remembered`; undefined if it belongs to another service or does not parse. */
const readLastPlace = (remembered: unknown, connection: Connection): Place | undefined => {
  const last = LastPlace.safeParse(remembered).data;
  return last?.service === serviceKey(connection) ? last.place : undefined;
};

/**
 * Returns `place` in the form in which it is stored. If it is too large for main, returns its section or, for a search,
 * the overview.
 */
const toLastPlace = (place: Place, connection: Connection): ViewValue => {
  const service = serviceKey(connection);
  // Removes undefined fields, which `ViewValue` does not accept.
  const whole: unknown = JSON.parse(JSON.stringify({ service, place }));
  return ViewValue.safeParse(whole).data ?? { service, place: { name: sectionOf(place) ?? 'overview' } };
};

// The client of main, and the store.

type RendererDesk = DeskClient & {
  /** Calls `listener` with every event as long as the window lives. */
  readonly onEvent: (listener: (event: DeskEvent) => void) => void;
  /** Registers dropped or chosen files with main. Rejects with a `DeskError`. */
  readonly adoptDropped: (files: readonly File[]) => Promise<readonly Folder[]>;
};

const unwrap = <T,>(envelope: Envelope<T>): T => {
  if (envelope.ok) return envelope.value;
  throw fromErrorData(envelope.error);
};

/**
 * Creates the typed client that calls main through `bridge`. Results come from main and are trusted to have their type.
 * A call that fails in main rejects with a `DeskError`. `onResponse` is called with the name of a call that was
 * successful; the call resolves once the promise that `onResponse` returns is resolved.
 */
export const createDeskClient = (bridge: Bridge, onResponse?: (name: string) => Promise<void>): RendererDesk => {
  const client = mapCalls((name) => async (...args: readonly unknown[]) => {
    const call = functionOf<Promise<Envelope<unknown>>>(bridge.calls, name);
    if (call === undefined) throw new Error(`the bridge has no call ${name}`);
    const last = args.at(-1);
    const signal = last instanceof AbortSignal ? last : undefined;
    if (signal?.aborted) throw new DeskError('app/cancelled', 'the call was cancelled before it was made');
    const id = signal && crypto.randomUUID();
    const cancel = (): void => void (id && bridge.cancel(id));
    signal?.addEventListener('abort', cancel);
    try {
      const [input] = signal ? args.slice(0, -1) : args;
      const value = unwrap(await call(input, id));
      await onResponse?.(name);
      return value;
    } finally {
      // Removes the listener, because one signal may be given to many calls, one after another.
      signal?.removeEventListener('abort', cancel);
    }
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

type Projection = {
  readonly snapshot: Snapshot | undefined;
  /** Whether the snapshot lacks events or may lack batches, so that a new one is needed. */
  readonly behind: boolean;
  /** The events that have arrived while `behind`, oldest first. */
  readonly waiting: readonly DeskEvent[];
};

const nothingKnown: Projection = { snapshot: undefined, behind: true, waiting: [] };

/** Returns `batches` with the changed ones in their places, and new ones at the end. */
const withBatches = (batches: readonly Batch[], changed: readonly Batch[]): Batch[] => [
  ...new Map([...batches, ...changed].map((batch) => [batch.batchId, batch])).values(),
];

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

/** Whether the user sees different batches after `event`, because batches belong to a connection and a user. */
const changesBatches = (event: DeskEvent): boolean =>
  event.type === 'connection' || (event.type === 'session' && event.value.state === 'signed-in');

/** Returns the projection after `event`. An event that the snapshot already includes changes nothing. */
const withEvent = (projection: Projection, event: DeskEvent): Projection => {
  const { snapshot } = projection;
  if (snapshot === undefined || projection.behind) return { ...projection, waiting: [...projection.waiting, event] };
  if (event.revision <= snapshot.revision) return projection;
  if (event.revision > snapshot.revision + 1) return { snapshot, behind: true, waiting: [event] };
  return { snapshot: apply(snapshot, event), behind: changesBatches(event), waiting: [] };
};

/**
 * Returns `batches`, but with the objects of `before` for unchanged batches, so that nothing that depends on an
 * unchanged batch is refreshed. There may be thousands of batches, and a snapshot is requested whenever an upload is
 * started.
 */
const unlessChanged = (batches: readonly Batch[], before: readonly Batch[]): readonly Batch[] => {
  const known = new Map(before.map((batch) => [batch.batchId, batch]));
  return batches.map((batch) => {
    const was = known.get(batch.batchId);
    return was !== undefined && isEqual(was, batch) ? was : batch;
  });
};

/**
 * Returns the projection after `snapshot` and the events that arrived before it. It is still `behind` if one of these
 * events is missing, or changes which batches the user sees.
 */
const withSnapshot = ({ snapshot: before, waiting }: Projection, snapshot: Snapshot): Projection => {
  const batches = unlessChanged(snapshot.batches, before?.batches ?? []);
  return waiting.reduce<Projection>(withEvent, { snapshot: { ...snapshot, batches }, behind: false, waiting: [] });
};

/** Folders that were chosen, dropped or passed to the app. */
export type Given = {
  readonly folders: readonly Folder[];
  /**
   * The assignment that all of the folders are uploaded to. If undefined, each folder is matched with an assignment.
   */
  readonly AssignmentId?: string | undefined;
  /** Whether the folders were chosen on the page of the new upload. They are then added to its draft. */
  readonly here?: boolean;
  /** Whether another page was open. It opens again if the user does not want to upload the folders after all. */
  readonly isFromOther?: boolean;
};

/**
 * Adds the folders of `before`, which no component has taken yet, to `given` if both are for the same upload. A file
 * manager can pass folders one by one, starting the app again for each.
 */
export const joinGiven = (before: Given | undefined, given: Given): Given =>
  before !== undefined && before.AssignmentId === given.AssignmentId && before.here === given.here
    ? { ...before, ...given, folders: [...before.folders, ...given.folders] }
    : given;

/** Errors, folders and an action that wait until a component takes them. */
type Inbox = {
  /** The errors of the user's actions that were not shown yet. */
  readonly reports: readonly ErrorData[];
  /** Folders that the page of the new upload adds. */
  readonly given: Given | undefined;
  /** An action that the user chose outside of the page, such as in a menu of the system. The shell performs it. */
  readonly asked: PageAction | undefined;
};

const emptyInbox: Inbox = { reports: [], given: undefined, asked: undefined };

export type AppState = Inbox & {
  readonly projection: Projection;
  /** The error of the last attempt to read main's state; undefined if it succeeded. */
  readonly failure: ErrorData | undefined;
  readonly history: History;
  /** Whether the user browses offline data without a session instead of signing in. */
  readonly browsesOffline: boolean;
  readonly browseOffline: (browses: boolean) => void;
  /**
   * Whether the user has requested the sign-in. Reset by a sign-in, by `browseOffline`, and when another place is
   * shown.
   */
  readonly signInRequested: boolean;
  readonly requestSignIn: () => void;
  readonly report: (error: unknown) => void;
  /** Opens the page of a new upload, and leaves `given` in the inbox for that page. */
  readonly give: (given: Given) => void;
  /** Empties one part of the inbox, and returns what was in it. The caller has to show, add or perform it. */
  readonly take: <Name extends keyof Inbox>(name: Name) => Inbox[Name];
  readonly open: (place: Place) => void;
  /**
   * Opens an upload that was just started, if the page of the new upload is still open. If that page no longer has a
   * draft, it is removed from the history. If the upload of some folders could not be started, it says so, and stays
   * open.
   */
  readonly showStarted: (upload: string) => Promise<void>;
  readonly back: () => void;
  readonly forward: () => void;
  /**
   * Requests snapshots from main until the projection is no longer `behind`, or until a request fails, which sets
   * `failure`.
   */
  readonly synchronise: () => Promise<void>;
  /** Dismisses all notices in main, and hides those that were shown. Rejects with a `DeskError`. */
  readonly dismissNotices: () => Promise<void>;
};

export type AppStore = StoreApi<AppState>;

const firstHistory = ({ views, connection }: Snapshot): History => {
  const place = connection && readLastPlace(views.place, connection);
  return place === undefined ? startHistory : beginAt(place);
};

/** Creates the app's store, whose functions call `desk`. It has no state of main before the first snapshot. */
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
      browsesOffline: false,
      browseOffline: (browsesOffline) => set({ browsesOffline, signInRequested: false }),
      signInRequested: false,
      requestSignIn: () => set({ signInRequested: true }),
      ...emptyInbox,
      report: (error) => set(({ reports }) => ({ reports: [...reports, toErrorData(error)] })),
      give: (given) => {
        const from = get().history.place.name === 'new-upload' ? {} : { isFromOther: true };
        set((state) => ({ given: joinGiven(state.given, { ...given, ...from }) }));
        get().open({ name: 'new-upload' });
      },
      take: (name) => {
        const { [name]: taken } = get();
        set({ [name]: emptyInbox[name] });
        return taken;
      },
      open: (place) => set((state) => ({ history: opened(state.history, place) })),
      showStarted: async (upload) => {
        // Waits for main's state, because `drafts.start` may resolve before the events about its changes arrive.
        await get().synchronise();
        set(({ history, projection }) => {
          const draft = projection.snapshot?.draft;
          // A start can take seconds, and the user may be on another page by then.
          if (draft?.reason !== undefined || history.place.name !== 'new-upload') return {};
          return { history: opened(draft === undefined ? steppedBack(history) : history, { name: 'upload', upload }) };
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

/** Keeps `store` up to date with main, and resets the history when the connection changes. */
export const followDesk = (store: AppStore, desk: RendererDesk): void => {
  desk.onEvent((event) => {
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
    // The first snapshot of a new window opens the last place, so the upload is opened after it.
    if (event.type === 'show-upload')
      void synchronise().then(() =>
        open(event.uploadId === undefined ? { name: 'uploads' } : { name: 'upload', upload: event.uploadId }),
      );
  });
  store.subscribe((state, before) => {
    if (state.signInRequested && state.history.place !== before.history.place)
      store.setState({ signInRequested: false });
    const was = connectionKey(before);
    if (was !== undefined && was !== connectionKey(state)) {
      // Folders that were given for an assignment of the other service cannot be uploaded to this one.
      const given = state.given?.AssignmentId === undefined ? state.given : undefined;
      store.setState({ history: startHistory, browsesOffline: false, given });
    }
  });
  void store.getState().synchronise();
};

// The window's state that survives restarts, by key, such as the last place, or the order and the columns of a table.

/** The stored values by key; null for a value that is to be removed. */
type Views = Readonly<Record<string, ViewValue>>;

type ViewsStore = StoreApi<Views>;

/**
 * How long values have to stay unchanged before they are written. The user changes a column's width in many small
 * steps.
 */
const settledMs = 400;

/**
 * Creates the store of the views, which main keeps in its settings. It is filled from the first snapshot of `store`.
 * Changes are written key by key, after a pause or when the window is left. A value that could not be written is
 * written with the next change. Errors of writing are not reported, because the views are only a convenience. The open
 * place, and whether the session has expired, are stored automatically.
 */
export const createViewsStore = (desk: RendererDesk, store: AppStore): ViewsStore => {
  const views = createStore<Views>()(() => ({}));
  let written: Views = {};
  const write = debounce((): void => {
    const latest = views.getState();
    const changed = Object.entries(latest).filter(([key, value]) => !isEqual(value, written[key]));
    written = latest;
    for (const [key, value] of changed)
      desk.view.remember({ key, value }).catch(() => {
        written = omit(written, [key]);
      });
  }, settledMs);
  views.subscribe(write);
  addEventListener('pagehide', write.flush);
  store.subscribe((state, before) => {
    const { snapshot } = state.projection;
    if (snapshot === undefined) return;
    if (before.projection.snapshot === undefined) {
      written = snapshot.views;
      views.setState(written, true);
    }
    const { place } = state.history;
    if (snapshot.connection && place !== before.history.place)
      views.setState({ place: toLastPlace(place, snapshot.connection) });
    rememberEnd(views, snapshot, before.projection.snapshot);
  });
  return views;
};

/** The key in `Views` for the `serviceKey` of the service whose last session has expired. */
const expiredKey = 'session.ended';

const rememberEnd = (views: ViewsStore, { session, connection }: Snapshot, before: Snapshot | undefined): void => {
  if (session === before?.session || connection === undefined) return;
  const hasExpired = views.getState()[expiredKey] === serviceKey(connection);
  const ends = session.state === 'signed-out' && session.reason?.code === 'auth/expired';
  if (ends && !hasExpired) views.setState({ [expiredKey]: serviceKey(connection) });
  if (session.state === 'signed-in' && hasExpired) views.setState({ [expiredKey]: null });
};

type App = { readonly desk: RendererDesk; readonly store: AppStore; readonly views: ViewsStore };

const AppContext = createContext<App | undefined>(undefined);

const useAppContext = (): App => {
  const app = use(AppContext);
  if (app === undefined) throw new Error('outside of AppProvider');
  return app;
};

export const AppProvider = ({ desk, store, views, children }: App & { readonly children: ReactNode }) => (
  <AppContext value={{ desk, store, views }}>{children}</AppContext>
);

export const useDesk = (): RendererDesk => useAppContext().desk;

export const useApp = <T,>(select: (state: AppState) => T): T => useStore(useAppContext().store, select);

/** Selects from main's state. Throws before the first snapshot; the app renders pages only after it. */
export const useSnapshot = <T,>(select: (snapshot: Snapshot) => T): T =>
  useApp(({ projection }) => {
    if (projection.snapshot === undefined) throw new Error('no snapshot yet');
    return select(projection.snapshot);
  });

/**
 * Calls `onLeave` when another place is opened, before the page of that place is rendered. `onLeave` should be stable,
 * for example by `useCallback`.
 */
export const useLeave = (onLeave: () => void): void => {
  const { store } = useAppContext();
  useEffect(
    () => store.subscribe(({ history }, before) => history.place !== before.history.place && onLeave()),
    [store, onLeave],
  );
};

/**
 * Whether the last session at the current service has expired, possibly before the app was restarted. If so, the user
 * can browse the offline data until the next session.
 */
export const useHasExpired = (): boolean => {
  const ended = useStore(useAppContext().views, (views) => views[expiredKey]);
  const service = useSnapshot(({ connection }) => connection && serviceKey(connection));
  return service !== undefined && ended === service;
};

/**
 * Returns a value of the window's state that survives restarts, such as the order of a table, and a function that sets
 * it. The value is undefined if none is stored, or none that `schema` accepts. Setting undefined removes it.
 */
export const useRemembered = <T extends ViewValue>(
  key: string,
  schema: z.ZodType<T>,
): readonly [value: T | undefined, remember: (value: T | undefined) => void] => {
  const { views } = useAppContext();
  const kept = useStore(views, (all) => all[key]);
  const value = useMemo(() => schema.safeParse(kept ?? undefined).data, [kept, schema]);
  return [value, useCallback((next) => views.setState({ [key]: next ?? null }), [views, key])];
};

export type Action<A extends readonly unknown[]> = {
  readonly run: (...args: A) => void;
  readonly busy: boolean;
};

/**
 * Returns `run`, which runs an action of the user, and `busy`, whether a run is in progress. An error is passed to
 * `onError` or, without it, reported.
 */
export const useAction = <A extends readonly unknown[]>(
  act: (...args: A) => Promise<unknown>,
  onError?: (error: unknown) => void,
): Action<A> => {
  const report = useReport();
  const reportInDialog = use(DialogReport);
  const [runs, setRuns] = useState(0);
  const run = (...args: A): void => {
    reportInDialog?.();
    setRuns((before) => before + 1);
    act(...args)
      .catch(onError ?? report)
      .finally(() => setRuns((before) => before - 1));
  };
  return { run, busy: runs > 0 };
};

/**
 * Returns a function that shows the error of an action: within a dialog in the dialog, otherwise in a toast, which
 * stays until it is dismissed.
 */
export const useReport = (): ((error: unknown) => void) => {
  const report = useApp((state) => state.report);
  const reportInDialog = use(DialogReport);
  return useCallback(
    (error) => {
      if (!reportInDialog?.(toErrorData(error))) report(error);
    },
    [reportInDialog, report],
  );
};

/**
 * Whether the sign-in page is shown in place of the page of `place`. It is shown while no user is signed in, either on
 * the user's request or because the page needs a session. A user who browses offline data sees it only on request.
 */
export const useAsksToSignIn = (place: Place): boolean => {
  const signedIn = useSnapshot(({ session }) => session.state === 'signed-in');
  const asks = useApp(
    ({ signInRequested, browsesOffline, history }) =>
      (signInRequested && history.place === place) || (!browsesOffline && needsSession(place)),
  );
  return !signedIn && asks;
};

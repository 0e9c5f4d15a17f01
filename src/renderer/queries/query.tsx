/**
 * The queries through which pages read from main, one for each call of the contract. This module has the cache of the
 * results, the hooks, and the rules by which results become stale. It also puts the window together.
 */

import {
  hashKey,
  keepPreviousData,
  type Query,
  QueryClient,
  QueryClientProvider,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query';
import { debounce, isEqual, memoize, throttle } from 'es-toolkit';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import type { Snapshot } from '../../contract/app.ts';
import type { WorkDays } from '../../contract/assignments.ts';
import { type Bridge, type DeskClient, functionOf, mapCalls } from '../../contract/calls.ts';
import { troubleOf } from '../../contract/connection.ts';
import { type ErrorData, fromErrorData, isOutageCode, toErrorData } from '../../contract/errors.ts';
import type { AssignmentList, KnownAssignment, Reading } from '../../contract/resources.ts';
import type { Batch } from '../../contract/uploads.ts';
import {
  AppProvider,
  type AppState,
  type AppStore,
  createAppStore,
  createDeskClient,
  createViewsStore,
  followDesk,
  useReport,
} from '../state/store.tsx';
import type { RowSource } from '../ui/data-table/use-selection.ts';
import { useLatest, useNow } from '../ui/hooks.ts';
import { workDaysAround } from '../words/dates.ts';
import { useMemoInWords } from '../words/formats.ts';

// The calls of the contract as queries. The key of a query is the call's name and input, so equal calls share one
// result.

type CallName = { [G in keyof DeskClient]: `${G}.${string & keyof DeskClient[G]}` }[keyof DeskClient];

type CallQuery<T> = {
  readonly queryKey: readonly [name: CallName, input?: unknown];
  readonly queryFn: () => Promise<T>;
};

/**
 * The function that makes a query of a call. If the page is closed during the call, main is not told to stop: the
 * result is stored for the next page that needs it.
 */
type AsQuery<Call> = Call extends (...input: [...infer I, signal?: AbortSignal]) => Promise<infer T>
  ? (...input: I) => CallQuery<T>
  : never;

/** The functions that make queries of the contract's calls, such as `calls.assignments.get({ AssignmentId })`. */
type CallQueries = {
  readonly [G in keyof DeskClient]: { readonly [M in keyof DeskClient[G]]: AsQuery<DeskClient[G][M]> };
};

const createCallQueries = (desk: DeskClient): CallQueries =>
  mapCalls((name) => (input?: unknown) => ({
    queryKey: input === undefined ? [name] : [name, input],
    queryFn: () => functionOf(desk, name)?.(input),
  })) as unknown as CallQueries;

const CallsContext = createContext<CallQueries | undefined>(undefined);

/**
 * Creates the window without its pages: the client of main, the stores that follow main, and the cache of main's
 * responses. `Provider` gives them to the pages. React Query's own retries and pauses are off, because main retries
 * requests, and returns offline data without a network. By default, a query is refetched when its page comes into view.
 */
export const openWindow = (bridge: Bridge) => {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        // The previous result stays on screen until the new query has one.
        placeholderData: keepPreviousData,
      },
    },
  });
  const desk = createDeskClient(bridge, (name) => refreshAfterCall(client, name));
  const store = createAppStore(desk);
  const views = createViewsStore(desk, store);
  followDesk(store, desk);
  followState(client, store);
  followService(client);
  const calls = createCallQueries(desk);
  const Provider = ({ children }: { readonly children: ReactNode }) => (
    <AppProvider desk={desk} store={store} views={views}>
      <QueryClientProvider client={client}>
        <CallsContext value={calls}>{children}</CallsContext>
      </QueryClientProvider>
    </AppProvider>
  );
  return { client, desk, store, Provider };
};

export const useCalls = (): CallQueries => {
  const calls = use(CallsContext);
  if (calls === undefined) throw new Error('outside of the window');
  return calls;
};

/** The `meta` of queries that request data from the service. */
export const fromService = { asks: 'service' } as const;

export type Result<T> = {
  /** The last result of the current query or, until it has one, of the previous query. */
  readonly value: T | undefined;
  readonly error: ErrorData | undefined;
  readonly busy: boolean;
  readonly reload: () => void;
};

/**
 * Runs a query whose data comes from main itself or from a file of the app, not from the service. After an error, there
 * is no `value`. `isCurrent`: whether the query itself has a result or an error.
 */
export const useCallQuery = <T,>(query: UseQueryOptions<T>): Result<T> & { readonly isCurrent: boolean } => {
  const { data, error, isFetching: busy, isPending, isPlaceholderData, refetch } = useQuery<T>(query);
  const reload = useCallback(() => void refetch(), [refetch]);
  const isCurrent = !isPending && !isPlaceholderData;
  return error === null
    ? { value: data, error: undefined, busy, isCurrent, reload }
    : { value: undefined, error: toErrorData(error), busy, isCurrent, reload };
};

/**
 * Makes the query that reads from the service or, if the service is unreachable, from the offline data; with `offline`,
 * only from the offline data.
 */
type ReadQuery<T> = (calls: CallQueries, how: { readonly offline?: true }) => CallQuery<Reading<T>>;

/**
 * Reads from the service. The offline data is read at the same time and shown until the service has responded. If the
 * request fails, the result of a previous query is no longer shown.
 */
export const useReadingQuery = <T,>(read: ReadQuery<T>): Result<Reading<T>> => {
  const calls = useCalls();
  const service = useQuery<Reading<T>>({ ...read(calls, {}), meta: fromService });
  const { refetch } = service;
  const isUnanswered = service.data === undefined || service.isPlaceholderData;
  const offline = useQuery<Reading<T>>({
    ...read(calls, { offline: true }),
    enabled: isUnanswered,
    placeholderData: () => undefined,
  });
  return {
    value: isUnanswered ? (offline.data ?? service.data) : service.data,
    error: service.error === null ? undefined : toErrorData(service.error),
    busy: service.isFetching,
    reload: useCallback(() => void refetch(), [refetch]),
  };
};

// Queries of assignments that several pages make.

/** Reads the assignments for projects: those of one county, or all of them if `County` is empty. */
export const useProjects = (County = ''): Result<Reading<AssignmentList>> =>
  useReadingQuery(({ assignments }, how) => assignments.projects({ ...how, ...(County !== '' && { County }) }));

/** Queries what is known of an assignment. Disabled without an id. */
export const useAssignment = (AssignmentId: string | undefined): Result<KnownAssignment> =>
  useCallQuery({
    ...useCalls().assignments.get({ AssignmentId: AssignmentId ?? '' }),
    enabled: AssignmentId !== undefined,
  });

const minuteMs = 60_000;

/**
 * Returns the starts of today, of this week and of the two weeks after it. Returns the same object until the day, the
 * time zone, the words or the formats change.
 */
export const useWorkDays = (): WorkDays => {
  const todayMs = new Date(useNow(minuteMs)).setHours(0, 0, 0, 0);
  return useMemoInWords(() => workDaysAround(todayMs), [todayMs]);
};

// Queries of lists of any length. Only the rows in view, and some around them, are read.

/**
 * A response with a part of a list. `total`: the number of rows of the list; `listed`: the number of rows that can be
 * read, if it is smaller.
 */
type Listed = { readonly total: number; readonly listed?: number };

type RowOf<List> = List extends readonly (infer Row)[] ? Row : never;

type WindowState<Result, Row> = Required<RowSource<Row>> & {
  /**
   * The result for the query's current input or, until it arrives, for the previous input; undefined before the first
   * result.
   */
  readonly result: Result | undefined;
};

/** How long a window of rows stays in memory after it was scrolled out of view. A list can have a million rows. */
const forgottenMs = 60_000;

type View = {
  readonly question: string;
  readonly rows: number;
  readonly wanted: Window;
  /** The window that is being read. Windows that are only scrolled past meanwhile are not read. */
  readonly asked: Window;
};

/**
 * Reads the rows in view, and some around them, of a list of any length, for a table. `query` reads one window of the
 * list; `name` is the field of its responses that contains the rows. The question is the input of `query` except the
 * window. The rows, their count and `question` stay those of the previous question until the current question has a
 * result. The query is repeated as long as `repeatMs` returns a pause for its last result.
 */
export const useWindowQuery = <Name extends string, Result extends Listed & Readonly<Record<Name, readonly unknown[]>>>(
  name: Name,
  query: (calls: CallQueries, window: Window) => CallQuery<Result>,
  repeatMs?: (result: Result) => number | false,
): WindowState<Result, RowOf<Result[Name]>> => {
  const calls = useCalls();
  const rowsOf = useCallback((result: Result) => result[name] as unknown as readonly RowOf<Result[Name]>[], [name]);
  const question = hashKey(query(calls, { offset: 0, limit: 0 }).queryKey);
  const [view, setView] = useState<View>(() => startOf(question, 0));
  const { asked, wanted } = view.question === question ? view : startOf(question, view.rows);
  const { queryKey, queryFn } = query(calls, asked);
  const {
    data: own,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: async () => ({ question, offset: asked.offset, result: await queryFn() }),
    gcTime: forgottenMs,
    refetchInterval: ({ state }) => state.data !== undefined && (repeatMs?.(state.data.result) ?? false),
  });
  // The list stays on screen when one window of it cannot be read.
  const [before, setBefore] = useState(own);
  // Without a result and without an error, all results have been forgotten (`followState`).
  if (own !== before && (own !== undefined || error === null)) setBefore(own);
  const data = own ?? (before?.question === question ? before : undefined);
  const isPartMissing = error !== null && own === undefined && data !== undefined;
  const report = useReport();
  useEffect(() => {
    if (isPartMissing) report(error);
  }, [isPartMissing, error, report]);
  // `onRange` stays the same function when the question changes, so that the table is not rendered again before the new
  // rows arrive.
  const onRange = useLatest((first: number, last: number) =>
    setView((before) => {
      const start = before.question === question ? before : startOf(question, before.rows);
      const next = { ...start, rows: last - first, wanted: windowAround(first, last) };
      return isEqual(before, next) ? before : next;
    }),
  );
  useEffect(() => {
    if (!isFetching && !isEqual(asked, wanted)) setView((before) => ({ ...before, asked: before.wanted }));
  }, [isFetching, asked, wanted]);
  const rowAt = useCallback((index: number) => data && rowsOf(data.result)[index - data.offset], [data, rowsOf]);
  const read = useLatest(async (offset: number, limit: number) => ({
    rows: rowsOf(await query(calls, { offset, limit }).queryFn()),
  }));
  return useMemo(
    () => ({
      result: data?.result,
      count: data && (data.result.listed ?? data.result.total),
      question: data?.question,
      rowAt,
      onRange,
      read,
      error: error === null ? undefined : toErrorData(error),
      reload: () => void refetch(),
    }),
    [data, rowAt, onRange, read, error, refetch],
  );
};

const startOf = (question: string, rows: number): View => {
  const window = windowAround(0, rows);
  return { question, rows, wanted: window, asked: window };
};

/**
 * A part of a long list that contains the rows in view. It begins and ends at multiples of `stepRows`, so that
 * scrolling by a few rows reads nothing.
 */
type Window = { readonly offset: number; readonly limit: number };

/**
 * The size of a window is a multiple of this number of rows: enough for most views, and few enough for a quick
 * response.
 */
const stepRows = 50;

/** The number of rows before and after the view that are read in advance. */
const nearRows = 20;

const windowAround = (first: number, last: number): Window => {
  const from = Math.floor(Math.max(0, first - nearRows) / stepRows);
  const to = Math.floor((Math.max(first, last) + nearRows) / stepRows);
  return { offset: from * stepRows, limit: (to - from + 1) * stepRows };
};

// The rules by which queries become stale: after a call, after a change of main's state, and once the service can be
// reached again.

/**
 * The minimum time between two refreshes of an upload, which changes many times a second, faster than a user can read.
 */
const uploadPauseMs = 500;

const draftCalls = [
  'drafts.rows',
  'drafts.candidates',
  'drafts.alike',
  'drafts.files',
  'drafts.clashes',
  'drafts.names',
] as const;

/**
 * The minimum time between two refreshes of file searches, and of the work list. Each file search first indexes the
 * latest changes of the ledger.
 */
const filesPauseMs = 2_000;

/** The queries of the work list, which any assignment, upload or plan-after date can change. */
const workCalls = ['assignments.table', 'assignments.workList', 'assignments.values'] as const;

/** The other queries of the offline data, which main also changes while no page reads from the service. */
const offlineCalls = [
  'assignments.get',
  'protocols.get',
  'protocols.table',
  'search.find',
  'search.protocols',
  'cache.size',
] as const;

/** The queries that become stale after a successful call; `'all'` for every query. */
const staleAfterCall: Readonly<Partial<Record<CallName, readonly CallName[] | 'all'>>> = {
  'assignments.planAfter': ['assignments.get', 'assignments.table', 'assignments.workList'],
  'files.remove': ['assignments.knownFiles'],
  // The first list that is read for a county adds the county to `assignments.counties`.
  'assignments.projects': ['assignments.counties', 'assignments.get', ...workCalls],
  // A protocol is available offline once both of its lists have been read.
  'protocols.assignments': ['assignments.get', 'protocols.get', 'protocols.table', ...workCalls],
  'protocols.inspectionPoints': ['protocols.get', 'protocols.table'],
  'cache.clear': 'all',
  'rules.set': ['rules.list'],
  'rules.remove': ['rules.list'],
  'rules.clear': ['rules.list'],
  'drafts.start': ['rules.list'],
  ...Object.fromEntries(
    (
      [
        'assign',
        'accept',
        'leaveOut',
        'include',
        'setFiles',
        'undo',
        'setLevel',
        'setTarget',
        'setNames',
        'setClash',
      ] as const
    ).map((method) => [`drafts.${method}`, draftCalls]),
  ),
};

const refreshAfterCall = async (client: QueryClient, name: string): Promise<void> => {
  const stale = Object.entries(staleAfterCall).find(([call]) => call === name)?.[1] ?? [];
  if (stale === 'all') await client.invalidateQueries();
  else await Promise.all(stale.map((call) => client.invalidateQueries({ queryKey: [call] })));
};

const isInTrouble = ({ projection: { snapshot } }: AppState): boolean =>
  snapshot !== undefined && troubleOf(snapshot.reachability.service) !== undefined;

const isSignedIn = ({ session }: Snapshot): boolean => session.state === 'signed-in';

/**
 * Invalidates queries that become stale when main's state changes. Queries out of view are refetched when their page
 * comes into view.
 */
const followState = (client: QueryClient, store: AppStore): void => {
  const refresh = (...keys: readonly QueryKey[]): void => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  const refreshFiles = throttle(() => refresh(['files.find']), filesPauseMs);
  const refreshWork = throttle(() => refresh(...workCalls.map((name) => [name])), filesPauseMs);
  const refreshOffline = throttle(() => refresh(...offlineCalls.map((name) => [name])), filesPauseMs);
  const refreshBatch = memoize((batchId: string) =>
    throttle(() => refresh(['uploads.files', { batchId }], ['uploads.errorGroups', { batchId }]), uploadPauseMs),
  );
  // The list of known files is read as a whole, so it is refreshed only once no file has arrived for a moment.
  const refreshKnownFiles = memoize((AssignmentId: string) =>
    debounce(() => refresh(['assignments.knownFiles', { AssignmentId }]), uploadPauseMs),
  );
  const refreshBatches = (batches: readonly Batch[], before: readonly Batch[]): void => {
    if (batches === before) return;
    const known = new Map(before.map((batch) => [batch.batchId, batch]));
    for (const batch of batches) {
      const { batchId, AssignmentId, uploaded } = batch;
      const was = known.get(batchId);
      if (was === batch) continue;
      refreshBatch(batchId)();
      refreshFiles();
      if (uploaded !== (was?.uploaded ?? 0)) refreshKnownFiles(AssignmentId)();
    }
  };
  store.subscribe((state, before) => {
    const now = state.projection.snapshot;
    const then = before.projection.snapshot;
    if (now === undefined || then === undefined || now === then) return;
    if (!isEqual(now.connection, then.connection) || isSignedIn(now) !== isSignedIn(then)) {
      // The service has changed, or a session has begun or ended, so results that were read before must not be shown.
      client.removeQueries({ type: 'inactive' });
      void client.resetQueries();
      return;
    }
    refreshBatches(now.batches, then.batches);
    const isRead = now.offline.available !== then.offline.available || now.reading !== then.reading;
    const isTrimmed = now.offline.sizeBytes < then.offline.sizeBytes;
    const isStored = isRead || isTrimmed || now.offline.completedAtMs !== then.offline.completedAtMs;
    if (now.batches !== then.batches || now.outbox !== then.outbox || isStored) refreshWork();
    if (isStored) refreshOffline();
    if (now.draft?.revision !== then.draft?.revision) refresh(...draftCalls.map((name) => [name]));
    if (now.outbox !== then.outbox) refresh(['assignments.get'], ['assignments.knownFiles']);
    if (isInTrouble(before) && !isInTrouble(state)) void client.refetchQueries({ type: 'active', predicate: isHeldUp });
  });
};

// Finds the queries of the service that show old data, or no data, because the service is unreachable.

const Sourced = z.object({ source: z.enum(['service', 'cache']) });

/** The data of a query of the service: one reading, or the pages of a list. Both are parsed into pages. */
const ServiceData = z.union([z.object({ pages: z.array(Sourced) }), Sourced.transform((page) => ({ pages: [page] }))]);

const isFromCache = (data: unknown): boolean =>
  ServiceData.safeParse(data).data?.pages.some(({ source }) => source === 'cache') ?? false;

/** Whether `query` has offline data, or no data, because the service is unreachable. */
const isAway = ({ meta, state: { error, data } }: Query): boolean => {
  if (meta !== fromService) return false;
  return error === null ? isFromCache(data) : isOutageCode(toErrorData(error).code);
};

/** Whether `query` lacks the service's response because the service is unreachable or requested a pause. */
const isHeldUp = (query: Query): boolean => {
  const { meta, state } = query;
  const isRefused = state.error !== null && toErrorData(state.error).code === 'service/busy';
  return isAway(query) || (meta === fromService && isRefused);
};

const pauseMs = 30_000;

/**
 * Repeats `query` without showing that it is in progress. The result is discarded if the state of `query` has changed
 * meanwhile.
 */
const refetchQuietly = async (client: QueryClient, query: Query): Promise<void> => {
  const { state, queryKey, queryHash } = query;
  const isCurrent = (): boolean => query.state === state;
  try {
    const apart = { queryKey: [...queryKey, 'quietly'], queryHash: `${queryHash} quietly`, gcTime: 0 };
    const data = await client.fetchQuery({ ...query.options, ...apart });
    if (isCurrent()) client.setQueryData(queryKey, data);
  } catch (error) {
    if (isCurrent()) query.setState({ status: 'error', error: fromErrorData(toErrorData(error)) });
  }
};

/**
 * Repeats the queries in view that have no response of the service because it is unreachable: periodically, and when
 * the computer reports a network.
 */
const followService = (client: QueryClient): void => {
  const again = (): void => {
    for (const query of client.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle', predicate: isAway }))
      void refetchQuietly(client, query);
  };
  setInterval(again, pauseMs);
  addEventListener('online', again);
};

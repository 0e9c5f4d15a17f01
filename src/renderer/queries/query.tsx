/**
 * Pages read from main through queries, one for each call of the contract. This module has the cache of the results,
 * the hooks, and the rules by which results become stale.
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
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { z } from 'zod';
import type { Snapshot } from '../../contract/app.ts';
import { type DeskClient, functionOf, mapCalls } from '../../contract/calls.ts';
import { troubleOf } from '../../contract/connection.ts';
import { type ErrorData, fromErrorData, isOutageCode, toErrorData } from '../../contract/errors.ts';
import type { Reading } from '../../contract/resources.ts';
import type { Batch } from '../../contract/uploads.ts';
import type { AppState, AppStore } from '../state/store.ts';
import type { RowSource } from '../ui/data-table/use-selection.ts';
import { useLatest } from '../ui/hooks.ts';

// Every call as a query. Its key is the call's name and input, so equal calls share one result.

type CallName = { [G in keyof DeskClient]: `${G}.${string & keyof DeskClient[G]}` }[keyof DeskClient];

type CallQuery<T> = {
  readonly queryKey: readonly [name: CallName, input?: unknown];
  readonly queryFn: () => Promise<T>;
};

/** Such a query cannot be cancelled: its result is kept, even if nothing shows it any more. */
type AsQuery<Call> = Call extends (...input: [...infer I, signal?: AbortSignal]) => Promise<infer T>
  ? (...input: I) => CallQuery<T>
  : never;

/** The shape of the contract's calls, with a query in the place of each: `calls.assignments.get({ AssignmentId })`. */
type CallQueries = {
  readonly [G in keyof DeskClient]: { readonly [M in keyof DeskClient[G]]: AsQuery<DeskClient[G][M]> };
};

/** The queries over `desk`. */
const createCallQueries = (desk: DeskClient): CallQueries =>
  mapCalls((name) => (input?: unknown) => ({
    queryKey: input === undefined ? [name] : [name, input],
    queryFn: () => functionOf(desk, name)?.(input),
  })) as unknown as CallQueries;

/**
 * Creates the cache of main's responses, and the functions that keep it current. Main retries requests, and returns
 * offline data when there is no network, so React Query's own retries and pauses are off. By default, a query is
 * refetched when its page comes into view.
 */
export const createQueries = () => {
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
  return {
    client,
    /** Refetches the queries in view whose result the call `name` has changed. */
    refreshAfterCall: (name: string): Promise<void> => refreshAfterCall(client, name),
    /**
     * Keeps the queries current with main's state, and repeats requests to the service while it is unreachable, until
     * the returned function is called.
     */
    follow: (store: AppStore): (() => void) => {
      const stops = [followState(client, store), followService(client)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
};

const CallsContext = createContext<CallQueries | undefined>(undefined);

type QueriesProviderProps = {
  readonly client: QueryClient;
  readonly desk: DeskClient;
  readonly children: ReactNode;
};

/** Provides what the hooks of this folder need. */
export const QueriesProvider = ({ client, desk, children }: QueriesProviderProps) => {
  const calls = useMemo(() => createCallQueries(desk), [desk]);
  return (
    <QueryClientProvider client={client}>
      <CallsContext value={calls}>{children}</CallsContext>
    </QueryClientProvider>
  );
};

/** The queries of main's calls. */
export const useCalls = (): CallQueries => {
  const calls = use(CallsContext);
  if (calls === undefined) throw new Error('outside of QueriesProvider');
  return calls;
};

/** The `meta` of queries that request data from the service. */
export const fromService = { asks: 'service' } as const;

export type Result<T> = {
  /** The last result: that of the previous query until the present one has its own; undefined after an error. */
  readonly value: T | undefined;
  readonly error: ErrorData | undefined;
  readonly busy: boolean;
  readonly reload: () => void;
};

/** A query of data on this computer: main's own, or a file of the app. */
export const useCallQuery = <T,>(query: UseQueryOptions<T>): Result<T> => {
  const { data, error, isFetching: busy, refetch } = useQuery<T>(query);
  const reload = useCallback(() => void refetch(), [refetch]);
  return error === null
    ? { value: data, error: undefined, busy, reload }
    : { value: undefined, error: toErrorData(error), busy, reload };
};

export type ReadingState<T> = {
  /** Offline data at first, then the service's response. */
  readonly reading: Reading<T> | undefined;
  readonly error: ErrorData | undefined;
  /** Whether a request to the service is pending. */
  readonly busy: boolean;
  readonly reload: () => void;
};

/** Reads from the service or, if that is unreachable, from the offline data. `offline`: reads only the offline data. */
type ReadQuery<T> = (calls: CallQueries, how: { readonly offline?: true }) => CallQuery<Reading<T>>;

/**
 * A read of the service. The offline data is read at the same time, and shown until the service has responded. If the
 * request to the service fails, the result of a previous query is no longer shown.
 */
export const useReadingQuery = <T,>(read: ReadQuery<T>): ReadingState<T> => {
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
    reading: isUnanswered ? (offline.data ?? service.data) : service.data,
    error: service.error === null ? undefined : toErrorData(service.error),
    busy: service.isFetching,
    reload: useCallback(() => void refetch(), [refetch]),
  };
};

// Lists of any length, of which only the rows around the view are read.

/**
 * A response with a part of a list. `total`: how many rows there are; `listed`: how many of them can be read, if not
 * all.
 */
type Listed = { readonly total: number; readonly listed?: number };

type RowOf<List> = List extends readonly (infer Row)[] ? Row : never;

export type WindowState<Result, Row> = Required<Omit<RowSource<Row>, 'read'>> & {
  /** The last result: that of the previous question until the present one has its own; undefined before the first. */
  readonly result: Result | undefined;
  readonly read: (offset: number, limit: number) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>;
};

/** How long windows that were scrolled out of view stay in memory: a list can have a million rows. */
const forgottenMs = 60_000;

type View = {
  readonly question: string;
  /** The distance from the first row in view to the last. */
  readonly rows: number;
  readonly wanted: Window;
  /** The window that is being read. Windows that are scrolled past meanwhile are not read. */
  readonly asked: Window;
};

/**
 * The rows around the view of a list of any length, for a table. `query` reads one window of the list; `name` is the
 * field of its responses that has the rows. Everything in its input except the window is the question. The rows, their
 * count and their `question` stay those of the previous question until the present one has its own.
 */
export const useWindowQuery = <Name extends string, Result extends Listed & Readonly<Record<Name, readonly unknown[]>>>(
  name: Name,
  query: (calls: CallQueries, window: Window) => CallQuery<Result>,
): WindowState<Result, RowOf<Result[Name]>> => {
  const calls = useCalls();
  const rowsOf = useCallback((result: Result) => result[name] as unknown as readonly RowOf<Result[Name]>[], [name]);
  const question = hashKey(query(calls, { offset: 0, limit: 0 }).queryKey);
  const [view, setView] = useState<View>(() => startOf(question, 0));
  const { asked, wanted } = view.question === question ? view : startOf(question, view.rows);
  const { queryKey, queryFn } = query(calls, asked);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async () => ({ question, offset: asked.offset, result: await queryFn() }),
    gcTime: forgottenMs,
  });
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
  const latest = useRef(query);
  latest.current = query;
  const read = useCallback(
    async (offset: number, limit: number) => {
      const result = await latest.current(calls, { offset, limit }).queryFn();
      return { rows: rowsOf(result), total: result.listed ?? result.total };
    },
    [calls, rowsOf],
  );
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

/** A part of a long list: whole steps of rows around those in view, so that scrolling by a few rows reads nothing. */
type Window = { readonly offset: number; readonly limit: number };

/** How many rows a step has: enough for most views, and few enough for a response to arrive soon. */
const stepRows = 50;

/** Rows this near to those in view are read before they come into view. */
const nearRows = 20;

/** The window that holds the rows from `first` to `last` and those near them. */
export const windowAround = (first: number, last: number): Window => {
  const from = Math.floor(Math.max(0, first - nearRows) / stepRows);
  const to = Math.floor((Math.max(first, last) + nearRows) / stepRows);
  return { offset: from * stepRows, limit: (to - from + 1) * stepRows };
};

// Queries become stale by a call, by a change of main's state, or once the service can be reached again.

/**
 * The minimum time between two refreshes of an upload: an upload changes many times a second, faster than a user can
 * read.
 */
const uploadPauseMs = 500;

/** The queries about the rows of a draft. */
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

/** The queries that a successful call makes stale; `'all'` for every query. */
const staleAfterCall: Readonly<Partial<Record<CallName, readonly CallName[] | 'all'>>> = {
  'assignments.planAfter': ['assignments.get', 'assignments.table', 'assignments.workList'],
  'files.remove': ['assignments.knownFiles'],
  // The first list that is read for a county adds it to `assignments.counties`.
  'assignments.projects': ['assignments.counties', ...workCalls],
  'protocols.assignments': workCalls,
  'cache.clear': 'all',
  'rules.set': ['rules.list'],
  'rules.remove': ['rules.list'],
  'rules.clear': ['rules.list'],
  'drafts.start': ['rules.list'],
  ...Object.fromEntries(
    (
      ['assign', 'leaveOut', 'include', 'setFiles', 'undo', 'setLevel', 'setTarget', 'setNames', 'setClash'] as const
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

const changedBatches = (batches: readonly Batch[], before: readonly Batch[]): readonly Batch[] => {
  const known = new Set(before);
  return batches.filter((batch) => !known.has(batch));
};

/**
 * Invalidates queries that main's state has made stale. Those out of view are refetched when their page comes into
 * view.
 */
const followState = (client: QueryClient, store: AppStore): (() => void) => {
  const refresh = (...keys: readonly QueryKey[]): void => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey });
  };
  const refreshFiles = throttle(() => refresh(['files.find']), filesPauseMs);
  const refreshWork = throttle(() => refresh(...workCalls.map((name) => [name])), filesPauseMs);
  const refreshBatch = memoize((batchId: string) =>
    throttle(() => refresh(['uploads.files', { batchId }], ['uploads.errorGroups', { batchId }]), uploadPauseMs),
  );
  // The list of known files is read as a whole, so it is refreshed only after no file has arrived for a moment.
  const refreshKnownFiles = memoize((AssignmentId: string) =>
    debounce(() => refresh(['assignments.knownFiles', { AssignmentId }]), uploadPauseMs),
  );
  const refreshBatches = (batches: readonly Batch[], before: readonly Batch[]): void => {
    for (const { batchId, AssignmentId, uploaded } of changedBatches(batches, before)) {
      refreshBatch(batchId)();
      refreshFiles();
      const known = before.find((batch) => batch.batchId === batchId);
      if (uploaded !== (known?.uploaded ?? 0)) refreshKnownFiles(AssignmentId)();
    }
  };
  return store.subscribe((state, before) => {
    const now = state.projection.snapshot;
    const then = before.projection.snapshot;
    if (now === undefined || then === undefined || now === then) return;
    if (!isEqual(now.connection, then.connection) || isSignedIn(now) !== isSignedIn(then)) {
      // The service has changed, or a session has begun or ended: nothing that was read before is shown again.
      client.removeQueries({ type: 'inactive' });
      void client.resetQueries();
      return;
    }
    refreshBatches(now.batches, then.batches);
    const isRead = now.offline.available !== then.offline.available || now.reading !== then.reading;
    if (now.batches !== then.batches || now.outbox !== then.outbox || isRead) refreshWork();
    if (now.draft?.revision !== then.draft?.revision) refresh(...draftCalls.map((name) => [name]));
    if (now.outbox !== then.outbox) refresh(['assignments.get'], ['assignments.knownFiles']);
    const isTrimmed = now.offline.sizeBytes < then.offline.sizeBytes;
    if (isTrimmed || now.offline.completedAtMs !== then.offline.completedAtMs) {
      refresh(['cache.size']);
      refreshWork();
    }
    if (isInTrouble(before) && !isInTrouble(state)) void client.refetchQueries({ type: 'active', predicate: isHeldUp });
  });
};

// Which queries of the service show old data, or none, because the service is unreachable.

const Sourced = z.object({ source: z.enum(['service', 'cache']) });

/** The data of a query of the service: one reading, or the pages of a list. */
const ServiceData = z.union([z.object({ pages: z.array(Sourced) }), Sourced.transform((page) => ({ pages: [page] }))]);

const isFromCache = (data: unknown): boolean =>
  ServiceData.safeParse(data).data?.pages.some(({ source }) => source === 'cache') ?? false;

/** Whether `query` has only offline data, or none, because the service is unreachable. */
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
 * Repeats `query` without showing that it is in progress. The result is dropped if the query itself ran in the
 * meantime.
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
 * Repeats the queries in view that lack the service's response because the service is unreachable: periodically, and
 * when the computer reports a network.
 */
const followService = (client: QueryClient): (() => void) => {
  const again = (): void => {
    for (const query of client.getQueryCache().findAll({ type: 'active', fetchStatus: 'idle', predicate: isAway }))
      void refetchQuietly(client, query);
  };
  const timer = setInterval(again, pauseMs);
  addEventListener('online', again);
  return () => {
    clearInterval(timer);
    removeEventListener('online', again);
  };
};

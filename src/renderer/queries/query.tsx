/** Pages read from main by queries: each call of the contract is one. */

import {
  keepPreviousData,
  type Query,
  QueryClient,
  QueryClientProvider,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useMemo } from 'react';
import { z } from 'zod';
import { type DeskClient, functionOf, mapCalls } from '../../contract/calls.ts';
import { type ErrorData, isOutageCode, toErrorData } from '../../contract/errors.ts';
import type { Reading } from '../../contract/resources.ts';

// Every call as a query. Its key is the call's name and input, so equal calls share one result.

export type CallName = { [G in keyof DeskClient]: `${G}.${string & keyof DeskClient[G]}` }[keyof DeskClient];

export type CallQuery<T> = {
  readonly queryKey: readonly [name: CallName, input?: unknown];
  readonly queryFn: () => Promise<T>;
};

type AsQuery<Call> = Call extends (...input: infer I) => Promise<infer T> ? (...input: I) => CallQuery<T> : never;

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
 * The cache of main's responses. Main retries, and reads offline data without a network, so a query is neither retried
 * nor paused here. It is refetched whenever its page comes into view.
 */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
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

const CallsContext = createContext<CallQueries | undefined>(undefined);

type QueriesProviderProps = {
  readonly client: QueryClient;
  readonly desk: DeskClient;
  readonly children: ReactNode;
};

/** Everything below it can use the hooks of this folder. */
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

// Queries of the service: which of them show old data, or none, because it is unreachable.

/** The `meta` of a query of the service. */
export const fromService = { asks: 'service' } as const;

const Sourced = z.object({ source: z.enum(['service', 'cache']) });

/** What such a query holds: one reading, or the pages of a list. */
const ServiceData = z.union([z.object({ pages: z.array(Sourced) }), Sourced.transform((page) => ({ pages: [page] }))]);

const isFromCache = (data: unknown): boolean =>
  ServiceData.safeParse(data).data?.pages.some(({ source }) => source === 'cache') ?? false;

/** Whether `query` has offline data, or nothing, in place of the service's response. */
export const isAway = ({ meta, state: { error, data } }: Query): boolean => {
  if (meta !== fromService) return false;
  return error === null ? isFromCache(data) : isOutageCode(toErrorData(error).code);
};

/** Whether `query` lacks the service's response because the service is unreachable or requested a pause. */
export const isHeldUp = (query: Query): boolean => {
  const { meta, state } = query;
  const isRefused = state.error !== null && toErrorData(state.error).code === 'service/busy';
  return isAway(query) || (meta === fromService && isRefused);
};

export type Answer<T> = {
  /** The last result; the previous query's until the present one has its own. */
  readonly value: T | undefined;
  readonly error: ErrorData | undefined;
  readonly reload: () => void;
};

/** A query of this computer: of main's own data, or a file of the app. */
export const useAnswerQuery = <T,>(query: UseQueryOptions<T>): Answer<T> => {
  const { data, error, refetch } = useQuery<T>(query);
  const reload = useCallback(() => void refetch(), [refetch]);
  return error === null
    ? { value: data, error: undefined, reload }
    : { value: undefined, error: toErrorData(error), reload };
};

export type ReadingState<T> = {
  /** Offline data at first, then the service's response. */
  readonly reading: Reading<T> | undefined;
  readonly error: ErrorData | undefined;
  /** Whether a request to the service is pending. */
  readonly busy: boolean;
  readonly reload: () => void;
};

/**
 * `offline`: from the offline data only; without it from the service, or from the offline data where it is unreachable.
 */
type ReadQuery<T> = (how: { readonly offline?: true }) => CallQuery<Reading<T>>;

/**
 * A read of the service. The offline data is read at the same time, and shown until the service has responded. If it
 * fails, only a result of this very query is shown with the error.
 */
export const useReadingQuery = <T,>(read: ReadQuery<T>): ReadingState<T> => {
  const service = useQuery<Reading<T>>({ ...read({}), meta: fromService });
  const { refetch } = service;
  const isUnanswered = service.data === undefined || service.isPlaceholderData;
  const offline = useQuery<Reading<T>>({
    ...read({ offline: true }),
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

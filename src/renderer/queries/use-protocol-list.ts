import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { debounce } from 'es-toolkit';
import { useCallback, useEffect, useId, useMemo, useState } from 'react';
import { type ErrorData, toErrorData } from '../../contract/errors.ts';
import { useLatest } from '../ui/data-table/use-latest.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import {
  type Ask,
  type ListRead,
  type Search,
  searchAfter,
  toListRead,
  toPageRead,
  type View,
} from './protocol-pages.ts';
import { useCalls } from './provider.tsx';
import { fromService } from './service-query.ts';

/** The service is not asked for every letter, nor for every row that is scrolled past. */
const typingPauseMs = 300;
const scrollPauseMs = 150;

/** How long the list of a page that is out of view is remembered. */
const rememberedMs = 30 * 60_000;

type ProtocolList = {
  /** What the service said of the list; undefined until its first answer. */
  readonly list: ListRead | undefined;
  /** Whether the offline data has all protocols of the list, or all matches for the text, as far as can be told. */
  readonly isComplete: boolean;
  readonly busy: boolean;
  readonly error: ErrorData | undefined;
  /** To be called when other rows come into view: the pages that they lack are read. */
  readonly look: () => void;
  /** Whether page after page is read, whatever is in view, until the offline data has them all. */
  readonly readsAll: boolean;
  readonly setReadsAll: (readsAll: boolean) => void;
  /** Reads the list again from its start. */
  readonly reload: () => void;
};

/**
 * Reads the service's list of the protocols that match `text` into the offline data, page by page, as far as the table
 * lacks them. `viewNow` says what the table shows; undefined before it was read. A page counts as read once the table has
 * read its rows.
 */
export const useProtocolList = (text: string, viewNow: () => View | undefined, enabled = true): ProtocolList => {
  const { list } = useCalls().protocols;
  const client = useQueryClient();
  const Query = useDebounced(text, typingPauseMs);
  const isAsked = Query === text;
  const [allOf, setAllOf] = useState<string>();
  const readsAll = allOf === text;
  const turn = useId();
  const searchNow = (reads: Parameters<typeof searchAfter>[1]): Search => {
    const view = viewNow();
    return view === undefined ? { isComplete: false } : searchAfter(Query, reads, view, readsAll);
  };
  const { data, error, isFetching, refetch, fetchNextPage } = useInfiniteQuery({
    // Each page of the window reads a list of its own: what it lacks depends on its table.
    queryKey: ['protocols.list', { Query }, turn],
    queryFn: async ({ pageParam, signal }) => {
      const { Query: asked, Page } = pageParam;
      const reading = await list({
        ...(asked !== '' && { Query: asked }),
        ...(Page !== undefined && { Page }),
        turn,
      }).queryFn();
      if (!signal.aborted) await refreshTables(client);
      return toPageRead(asked, reading);
    },
    initialPageParam: { Query } as Ask,
    enabled: enabled && (Query !== '' || text === ''),
    // Asked on a refetch, too: after the first page only those are read again that the table shows.
    getNextPageParam: (_, pages) => searchNow(pages).ask,
    placeholderData: () => undefined,
    structuralSharing: false,
    // A page that comes back into view shows the list as it was left.
    refetchOnMount: ({ state }) => state.isInvalidated,
    retryOnMount: false,
    gcTime: rememberedMs,
    meta: fromService,
  });
  const pages = isAsked ? (data?.pages ?? []) : [];
  const read = useMemo(
    () => (isAsked ? toListRead((data?.pages ?? []).filter((page) => page.Query === Query)) : undefined),
    [isAsked, data, Query],
  );

  /** Reads the next page that the table lacks; answers whether there is one. After a failure it is up to the person. */
  const readOn = useLatest((): boolean => {
    const lacks = error === null && !isFetching && searchNow(pages).ask !== undefined;
    if (lacks) void fetchNextPage();
    return lacks;
  });
  const look = useMemo(() => debounce(readOn, scrollPauseMs), [readOn]);
  useEffect(() => {
    if (!readsAll) look();
    else if (!isFetching && !readOn()) setAllOf(undefined);
    return look.cancel;
  });

  const { ask, isComplete } = searchNow(pages);
  // Between two parts of a search the service is about to be asked.
  const isSearching = Query !== '' && ask !== undefined && ask.Query !== Query && error === null;
  return {
    list: read,
    isComplete: isAsked && isComplete,
    busy: enabled && (isFetching || !isAsked || isSearching),
    error: error === null || isFetching || !isAsked ? undefined : toErrorData(error),
    look,
    readsAll,
    setReadsAll: useLatest((all) => {
      if (all && error !== null && !isFetching) void fetchNextPage();
      setAllOf(all ? text : undefined);
    }),
    reload: useCallback(() => void refetch(), [refetch]),
  };
};

/**
 * Reads again what the tables and searches in view show. A read that began before the page came lacks its rows, so it is
 * dropped.
 */
const refreshTables = async (client: QueryClient): Promise<void> => {
  await Promise.all(
    ['protocols.table', 'search.find', 'search.protocols'].map(async (call) => {
      await client.cancelQueries({ queryKey: [call] });
      await client.invalidateQueries({ queryKey: [call] });
    }),
  );
};

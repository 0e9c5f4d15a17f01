import { type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { debounce, minBy, pick, sum, uniq } from 'es-toolkit';
import { useCallback, useEffect, useId, useMemo, useState } from 'react';
import { toErrorData } from '../../contract/errors.ts';
import type { ProtocolTableQuery } from '../../contract/protocols.ts';
import { MAX_PAGES, type ProtocolPage, type Reading } from '../../contract/resources.ts';
import { LONGEST_SEARCH, leadingAddress, wordsIn } from '../../contract/search.ts';
import { useDesk } from '../state/store.tsx';
import { useDebounced, useLatest } from '../ui/hooks.ts';
import { dayBounds } from '../words/dates.ts';
import { fromService, useWindowQuery } from './query.tsx';

export const filterColumns = ['Address', 'City', 'ZipCode', 'FacilityId'] as const;

/**
 * The filters of the table of protocols. `fromDay`, `toDay`: the days of the inspection, as in the value of a date
 * input, such as "2026-03-05"; empty for no bound.
 */
export type ProtocolFilter = Readonly<Record<(typeof filterColumns)[number], string>> & {
  readonly fromDay: string;
  readonly toDay: string;
  readonly availableOffline: boolean;
};

export const noProtocolFilter: ProtocolFilter = {
  Address: '',
  City: '',
  ZipCode: '',
  FacilityId: '',
  fromDay: '',
  toDay: '',
  availableOffline: false,
};

export const countFilters = (filter: ProtocolFilter): number =>
  filterColumns.filter((column) => filter[column].trim() !== '').length +
  Number(filter.fromDay !== '' || filter.toDay !== '') +
  Number(filter.availableOffline);

const narrowing = (text: string, filter: ProtocolFilter): Partial<ProtocolTableQuery> => ({
  text,
  filters: pick(filter, filterColumns),
  ...dayBounds(filter),
  availableOffline: filter.availableOffline,
});

type Order = Pick<ProtocolTableQuery, 'sort' | 'descending'>;

/** Queries the protocols in the offline data that match `text` and `filter`, in the order `order`. */
export const useProtocolTable = (text: string, filter: ProtocolFilter, order: Order | undefined) =>
  useWindowQuery('Items', ({ protocols }, window) =>
    protocols.table({ ...narrowing(text, filter), ...order, ...window }),
  );

/**
 * The pauses before a request. Without them, each typed letter and each row that is scrolled past would cause a
 * request.
 */
const typingPauseMs = 300;
const scrollPauseMs = 150;

/** How long a list stays in memory after its page has gone out of view. */
const rememberedMs = 30 * 60_000;

/**
 * Reads the service's list of the protocols that match `typed` into the offline data, page by page, and only the pages
 * that the table lacks. `viewNow` returns what the table shows, or undefined until its first rows have been read. A
 * page counts as read once the tables in view have been refreshed with it.
 */
export const useProtocolList = (typed: string, viewNow: () => View | undefined, enabled = true) => {
  const { list } = useDesk().protocols;
  // The table matches what the service found for its text, which is cut off, too.
  const text = typed.slice(0, LONGEST_SEARCH);
  const client = useQueryClient();
  const Query = useDebounced(text, typingPauseMs);
  const isAsked = Query === text;
  const [allOf, setAllOf] = useState<string>();
  const readsAll = allOf === text;
  const caller = useId();
  const searchNow = (reads: Parameters<typeof searchAfter>[1]): Search => {
    const view = viewNow();
    return view === undefined ? { isComplete: false } : searchAfter(Query, reads, view, readsAll);
  };
  const { data, error, isFetching, refetch, fetchNextPage } = useInfiniteQuery({
    // Each caller reads its own list, because the table that the caller shows decides which pages are lacking.
    queryKey: ['protocols.list', { Query }, caller],
    queryFn: async ({ pageParam, signal }) => {
      const { Query: asked, Page } = pageParam;
      const reading = await list(
        { ...(asked !== '' && { Query: asked }), ...(Page !== undefined && { Page }) },
        signal,
      );
      if (!signal.aborted) await refreshTables(client);
      return toPageRead(asked, reading);
    },
    initialPageParam: { Query } as Ask,
    enabled: enabled && (Query !== '' || text === ''),
    // React Query also calls this on a refetch. The refetch therefore reads only the first page and the pages that the
    // table shows.
    getNextPageParam: (_, pages) => searchNow(pages).ask,
    placeholderData: () => undefined,
    structuralSharing: false,
    // If the user returns to a page of the app, its list is as the user left it, unless the list was invalidated
    // meanwhile.
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

  /**
   * Begins to read the next page that the table lacks, and returns whether there is one. After a failure, reading
   * continues only when the user asks for it.
   */
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
  // Between the requests for two parts of a search, nothing is being fetched for a short time. The search counts as
  // busy nevertheless.
  const isSearching = Query !== '' && ask !== undefined && ask.Query !== Query && error === null;
  return {
    /** What was read of the service's list; undefined until its first response. */
    list: read,
    /**
     * Whether the offline data has all protocols of the list, or all matches for the text, as far as the app can tell.
     */
    isComplete: isAsked && isComplete,
    busy: enabled && (isFetching || !isAsked || isSearching),
    error: error === null || isFetching || !isAsked ? undefined : toErrorData(error),
    /**
     * To be called when other rows come into view. Once scrolling pauses, it begins to read the next page that the
     * table lacks.
     */
    look,
    /** Whether all pages are being read, not only those in view, until the offline data is complete. */
    readsAll,
    setReadsAll: useLatest((all: boolean) => {
      if (all && error !== null && !isFetching) void fetchNextPage();
      setAllOf(all ? text : undefined);
    }),
    reload: useCallback(() => void refetch(), [refetch]),
  };
};

/**
 * Refreshes the tables and searches in view after a page of the service has arrived. Reads that are in progress are
 * cancelled, because they may have begun before the page was stored.
 */
const refreshTables = async (client: QueryClient): Promise<void> => {
  await Promise.all(
    ['protocols.table', 'search.find', 'search.protocols'].map(async (call) => {
      await client.cancelQueries({ queryKey: [call] });
      await client.invalidateQueries({ queryKey: [call] });
    }),
  );
};

// Records which pages of the service's list of protocols were read, and determines the next page that the table lacks.
// The rows themselves are stored in the offline data, which the table shows. The API does not say which number the
// first page has, so the first request names no page, and the first page has the number `CurrentPage` of its response.

type PageRead = Omit<Reading<unknown>, 'value'> & {
  /** The text for which the service was searched; empty for all protocols. */
  readonly Query: string;
  readonly page: number;
  /** The number of records of the page, readable or not. */
  readonly rows: number;
  /** The number of records in the list, according to the service. */
  readonly total: number;
};

const toPageRead = (Query: string, { value, ...reading }: Reading<ProtocolPage>): PageRead => ({
  ...reading,
  Query,
  page: value.CurrentPage,
  rows: value.Items.length + reading.unreadable,
  total: value.TotalCount,
});

type ListRead = Omit<Reading<unknown>, 'value'> & {
  readonly firstPage: number;
  readonly pages: ReadonlySet<number>;
  /** The number of records of the first page, and therefore of every full page. */
  readonly pageRows: number;
  readonly total: number;
  /** The number of the first page that does not exist. */
  readonly endPage: number;
};

/** Summarises the pages `reads`, in the order of their arrival, as one list; undefined if there are none. */
const toListRead = (reads: readonly PageRead[]): ListRead | undefined => {
  const [first] = reads;
  if (first === undefined) return undefined;
  const firstPage = first.page;
  const pageRows = Math.max(1, first.rows);
  const pages = new Set<number>();
  let endPage = Number.POSITIVE_INFINITY;
  for (const { page, rows, total } of reads) {
    // Each page is requested once. A service that sends a page a second time anyway has no further pages.
    const counted = firstPage + (pages.has(page) ? 0 : Math.min(MAX_PAGES, Math.ceil(total / pageRows)));
    // An empty page ends the list, whatever total the service reports.
    endPage = Math.min(endPage, counted, rows === 0 ? page : counted);
    pages.add(page);
  }
  return {
    firstPage,
    pages,
    pageRows,
    total: reads.at(-1)?.total ?? 0,
    endPage,
    unreadable: sum(reads.map(({ unreadable }) => unreadable)),
    source: reads.some(({ source }) => source === 'cache') ? 'cache' : 'service',
    fetchedAtMs: Math.min(...reads.map(({ fetchedAtMs }) => fetchedAtMs)),
  };
};

/**
 * What the table shows. `list`: all protocols in the service's order; `search`: those that match a text; `sorted`: all
 * protocols in another order; `filtered`: those that match filters, which the service does not support.
 */
export type Shows = 'list' | 'search' | 'sorted' | 'filtered';

export type View = {
  readonly shows: Shows;
  readonly first: number;
  readonly last: number;
  readonly rows: number;
  readonly cached: number;
};

/**
 * The next page is requested when the view is this many rows from the end of the rows that were read, so that the user
 * rarely has to wait for the page.
 */
const ahead = 20;

/**
 * Returns the page to request, if any. In the service's order, it is the first unread page in view or close to it; in
 * other orders, the next page, once the end of the table is near. With filters, more is read only when the user asks
 * for it.
 */
const pageToAsk = (list: ListRead, view: View): number | undefined => {
  const { shows, first, last, rows } = view;
  if (shows === 'list') return firstUnread(list, pageAt(list, first), pageAt(list, last + ahead));
  return shows === 'filtered' || last < rows - ahead ? undefined : nextPage(list, view);
};

/**
 * Returns the page to read next so that the offline data gets the whole list; undefined once it probably has the whole
 * list, or if the list was read from the offline data itself.
 */
export const nextPage = (
  list: ListRead,
  { shows, rows, cached }: Pick<View, 'shows' | 'rows' | 'cached'>,
): number | undefined => {
  const here = shows === 'search' ? rows : cached;
  if (here + list.unreadable >= list.total) return undefined;
  const likely = shows === 'search' ? undefined : firstUnread(list, pageAt(list, cached), list.endPage);
  return likely ?? firstUnread(list, list.firstPage, list.endPage);
};

const pageAt = ({ firstPage, pageRows }: ListRead, row: number): number => firstPage + Math.floor(row / pageRows);

/**
 * Returns the first page from `from` to `to` that was not read; undefined if there is none, or if the list was read
 * from the offline data.
 */
const firstUnread = ({ pages, endPage, source }: ListRead, from: number, to: number): number | undefined => {
  if (source === 'cache') return undefined;
  for (let page = from; page <= to && page < endPage; page += 1) if (!pages.has(page)) return page;
  return undefined;
};

/** A page to request from the service; the first one without `Page`. */
type Ask = { readonly Query: string; readonly Page?: number };

type Search = {
  readonly ask?: Ask | undefined;
  /** Whether the offline data has all matches of the service, as far as the app can tell. */
  readonly isComplete: boolean;
};

/**
 * If the matches of a part of a text have more pages than this, only the first page is read, unless the user asks for
 * all pages.
 */
const mostPartPages = 10;
const mostParts = 4;
/** The minimum length of a word that is searched for on its own. Shorter words are in too many addresses. */
const shortestPart = 3;

/**
 * Returns texts to search for in place of `text`, one after another: first the words that may be its address, then each
 * word that is long enough, the longest first and numbers last. The API does not say how a service treats several
 * words: a service may look for the exact text in one field.
 */
const partsOf = (text: string): readonly string[] => {
  const words = uniq(wordsIn(text));
  if (words.length < 2) return [];
  const address = leadingAddress(text);
  const long = words
    .filter((word) => word.length >= shortestPart)
    .toSorted((a, b) => Number(/^\d/.test(a)) - Number(/^\d/.test(b)) || b.length - a.length);
  return uniq([...(address.includes(' ') ? [address] : []), ...long])
    .filter((part) => part !== text)
    .slice(0, mostParts);
};

/**
 * Returns the state of the search for `text` after `reads`. The app searches word by word. A service that finds
 * nothing, or less than the app finds in the offline data, may search in another way. The app then reads the protocols
 * that match a part of the text, and searches them for the whole text.
 */
export const searchAfter = (text: string, reads: readonly PageRead[], view: View, readsAll: boolean): Search => {
  const listOf = (Query: string) => toListRead(reads.filter((read) => read.Query === Query));
  const whole = listOf(text);
  if (whole === undefined || reads.some(({ source }) => source === 'cache')) return { isComplete: false };
  const parts = view.shows === 'list' || view.shows === 'sorted' ? [] : partsOf(text);
  if (parts.length > 0 && (whole.total === 0 || whole.total < view.rows)) return searchByParts(parts, listOf, readsAll);
  const Page = (readsAll ? nextPage : pageToAsk)(whole, view);
  return {
    isComplete: nextPage(whole, view) === undefined,
    ...(Page !== undefined && { ask: { Query: text, Page } }),
  };
};

const searchByParts = (
  parts: readonly string[],
  listOf: (part: string) => ListRead | undefined,
  readsAll: boolean,
): Search => {
  const long: { readonly part: string; readonly list: ListRead }[] = [];
  for (const part of parts) {
    const list = listOf(part);
    if (list === undefined) return { ask: { Query: part }, isComplete: false };
    // If the service finds no record for one word, no record has all words.
    if (list.total === 0 && !part.includes(' ')) return { isComplete: true };
    if (list.total === 0) continue;
    if (list.endPage - list.firstPage <= mostPartPages || firstUnread(list, list.firstPage, list.endPage) === undefined)
      return restOf(part, list);
    long.push({ part, list });
  }
  const shortest = minBy(long, ({ list }) => list.total);
  if (shortest === undefined) return { isComplete: true };
  return readsAll ? restOf(shortest.part, shortest.list) : { isComplete: false };
};

const restOf = (Query: string, list: ListRead): Search => {
  const Page = firstUnread(list, list.firstPage, list.endPage);
  return Page === undefined ? { isComplete: true } : { ask: { Query, Page }, isComplete: false };
};

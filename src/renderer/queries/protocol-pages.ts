/**
 * Which pages of the service's list of protocols were read, and which one the table lacks. The rows themselves go into the
 * offline data, which the table shows. The service does not say where it counts pages from: the first request names no
 * page, and the `CurrentPage` of its answer is the first.
 */

import { sum } from 'es-toolkit';
import type { Reading } from '../../contract/reading.ts';
import type { ProtocolPage } from '../../contract/resources.ts';
import { MAX_PAGES } from '../../contract/resources.ts';

/** What is remembered of a page that was read. */
type PageRead = Omit<Reading<unknown>, 'value'> & {
  readonly page: number;
  /** How many records it has, readable or not. */
  readonly rows: number;
  /** How many records the service says the list has. */
  readonly total: number;
};

export const toPageRead = ({ value, ...reading }: Reading<ProtocolPage>): PageRead => ({
  ...reading,
  page: value.CurrentPage,
  rows: value.Items.length + reading.unreadable,
  total: value.TotalCount,
});

/** What is known of one list: of all protocols, or of those that match a text. */
export type ListRead = Omit<Reading<unknown>, 'value'> & {
  readonly firstPage: number;
  /** The pages that were read. */
  readonly pages: ReadonlySet<number>;
  /** How many records a page has. */
  readonly pageRows: number;
  /** How many records the list has. */
  readonly total: number;
  /** The first page that does not exist. */
  readonly endPage: number;
};

/** What is known of a list from `reads`, in the order they arrived; undefined if there are none. */
export const toListRead = (reads: readonly PageRead[]): ListRead | undefined => {
  const [first] = reads;
  if (first === undefined) return undefined;
  const firstPage = first.page;
  const pageRows = Math.max(1, first.rows);
  const pages = new Set<number>();
  let endPage = Number.POSITIVE_INFINITY;
  for (const { page, rows, total } of reads) {
    // Only pages that were not read are asked for: when one comes again, the service has no others.
    const counted = firstPage + (pages.has(page) ? 0 : Math.min(MAX_PAGES, Math.ceil(total / pageRows)));
    // After an empty page there is nothing, whatever the service counts.
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
 * What the table shows: all protocols in the service's order, those that match a text, all in another order, or those
 * that filters leave, which the service cannot select.
 */
export type Shows = 'list' | 'search' | 'sorted' | 'filtered';

export type View = {
  readonly shows: Shows;
  /** The rows in view. */
  readonly first: number;
  readonly last: number;
  /** How many rows the table has. */
  readonly rows: number;
  /** How many protocols the offline data has. */
  readonly cached: number;
};

/** How many rows before the end of the table the next page is asked for. */
const ahead = 20;

/**
 * The page to ask for, if any. In the service's order that is one in view that was not read yet, or the next; in other
 * orders the next one, close to the end of the table. What filters leave grows only when a person asks for more.
 */
export const pageToAsk = (list: ListRead, view: View): number | undefined => {
  const { shows, first, last, rows } = view;
  if (shows === 'list') return firstUnread(list, pageAt(list, first), pageAt(list, last + ahead));
  return shows === 'filtered' || last < rows - ahead ? undefined : nextPage(list, view);
};

/** The first page whose protocols are not in the offline data yet, as far as can be told. */
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

/** Without the service there is nothing more to read. */
const firstUnread = ({ pages, endPage, source }: ListRead, from: number, to: number): number | undefined => {
  if (source === 'cache') return undefined;
  for (let page = from; page <= to && page < endPage; page += 1) if (!pages.has(page)) return page;
  return undefined;
};

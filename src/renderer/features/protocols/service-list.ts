/**
 * Which pages of the service's list of protocols were read, as pure steps. The rows themselves are kept in the cache,
 * which the table shows. The service does not say where it counts pages from: the first request names none, and the
 * `CurrentPage` of its answer is the first.
 */
import type { ErrorData } from '../../../contract/errors.ts';
import type { Reading } from '../../../contract/reading.ts';
import type { ProtocolPage } from '../../../contract/resources.ts';

/** What the service told of one list: of all protocols, or of those that match a text. */
export type Told = Omit<Reading<unknown>, 'value'> & {
  readonly firstPage: number;
  /** The pages that were read. */
  readonly pages: ReadonlySet<number>;
  /** How many records a page has. */
  readonly pageRows: number;
  /** How many records the list has. */
  readonly total: number;
  /** The first page that is not there. */
  readonly endPage: number;
};

export type ServiceList = {
  /** The number of the newest request; answers to older ones are dropped. */
  readonly request: number;
  readonly busy: boolean;
  readonly error: ErrorData | undefined;
  /** Undefined until the first answer. */
  readonly told: Told | undefined;
};

export type Step =
  /**
   * `list`: another list, of which nothing is known; `again`: this one from its start; `quietly`: likewise, which nobody
   * sees until it is answered; `page`: one more of it.
   */
  | { readonly type: 'asked'; readonly request: number; readonly for: 'list' | 'again' | 'quietly' | 'page' }
  | { readonly type: 'answered'; readonly request: number; readonly reading: Reading<ProtocolPage> }
  | { readonly type: 'failed'; readonly request: number; readonly error: ErrorData };

type State = ServiceList & { readonly startsAnew: boolean };

export const nothingTold: State = { request: 0, busy: true, error: undefined, told: undefined, startsAnew: true };

export const afterStep = (list: State, step: Step): State => {
  const { request } = step;
  if (step.type === 'asked') {
    if (step.for === 'quietly') return { ...list, request, startsAnew: true };
    const told = step.for === 'list' ? undefined : list.told;
    return { request, busy: true, error: undefined, told, startsAnew: step.for !== 'page' };
  }
  if (request !== list.request) return list;
  if (step.type === 'failed') return { ...list, busy: false, error: step.error };
  return {
    ...list,
    busy: false,
    error: undefined,
    told: withPage(list.startsAnew ? undefined : list.told, step.reading),
  };
};

/** More than any list has: whatever the service counts, it is not read on for ever. */
const mostPages = 10_000;

const withPage = (before: Told | undefined, { value, unreadable, source, fetchedAt }: Reading<ProtocolPage>): Told => {
  const { CurrentPage, TotalCount } = value;
  const rows = value.Items.length + unreadable;
  const firstPage = before?.firstPage ?? CurrentPage;
  const pageRows = before?.pageRows ?? Math.max(1, rows);
  // Only pages that were not read are asked for: one that comes again is what this service has in place of the others.
  const repeats = before?.pages.has(CurrentPage) ?? false;
  const counted = firstPage + (repeats ? 0 : Math.min(mostPages, Math.ceil(TotalCount / pageRows)));
  return {
    firstPage,
    pages: new Set([...(before?.pages ?? []), CurrentPage]),
    pageRows,
    total: TotalCount,
    // Whatever the service counts, after an empty page there is nothing.
    endPage: Math.min(before?.endPage ?? counted, counted, rows === 0 ? CurrentPage : counted),
    unreadable: (before?.unreadable ?? 0) + unreadable,
    source: before?.source === 'cache' ? 'cache' : source,
    fetchedAt: Math.min(before?.fetchedAt ?? fetchedAt, fetchedAt),
  };
};

/**
 * What the table shows: all protocols in the service's order, those that match a text, all in another order, or those
 * that filters leave, of which the service knows nothing.
 */
export type Shows = 'list' | 'search' | 'sorted' | 'filtered';

export type View = {
  readonly shows: Shows;
  /** The rows in view. */
  readonly first: number;
  readonly last: number;
  /** How many rows the table has. */
  readonly rows: number;
  /** How many protocols are kept in all. */
  readonly kept: number;
};

/** How many rows before the end of the table more is asked for. */
const ahead = 20;

/**
 * The page to ask for, if any. In the service's order it is one in view that was not read anew, or the next; in others
 * the next one, towards the end of the table. What filters leave grows only when a person asks for more.
 */
export const pageToAsk = (told: Told, view: View): number | undefined => {
  const { shows, first, last, rows } = view;
  if (shows === 'list') return firstUnread(told, pageAt(told, first), pageAt(told, last + ahead));
  return shows === 'filtered' || last < rows - ahead ? undefined : nextPage(told, view);
};

/** The first page whose protocols are not here yet, as far as that can be told. */
export const nextPage = (
  told: Told,
  { shows, rows, kept }: Pick<View, 'shows' | 'rows' | 'kept'>,
): number | undefined => {
  const here = shows === 'search' ? rows : kept;
  if (here + told.unreadable >= told.total) return undefined;
  const likely = shows === 'search' ? undefined : firstUnread(told, pageAt(told, kept), told.endPage);
  return likely ?? firstUnread(told, told.firstPage, told.endPage);
};

const pageAt = ({ firstPage, pageRows }: Told, row: number): number => firstPage + Math.floor(row / pageRows);

/** Without the service there is nothing more to read. */
const firstUnread = ({ pages, endPage, source }: Told, from: number, to: number): number | undefined => {
  if (source === 'cache') return undefined;
  for (let page = from; page <= to && page < endPage; page += 1) if (!pages.has(page)) return page;
  return undefined;
};

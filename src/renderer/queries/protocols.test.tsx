// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { ProtocolPage, Reading } from '../../contract/resources.ts';
import type { SomeHandlers } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import {
  countFilters,
  noProtocolFilter,
  searchAfter,
  useProtocolList,
  useProtocolTable,
  type View,
} from './protocols.ts';

const protocol = {
  Address: '',
  City: '',
  ZipCode: '',
  FacilityId: '',
  InspectionProtocolId: 'p',
  InspectionDate: 1,
  Points: 0,
};

type ListInput = {
  readonly Page?: number | undefined;
  readonly Query?: string | undefined;
};
type TableInput = { readonly text?: string; readonly offset?: number };

/** Creates a service with `total` protocols in pages of 50, and the offline data that these pages fill. */
const createService = (total: number) => {
  const asked: ListInput[] = [];
  const cached = new Set<number>();
  const held: (() => void)[] = [];
  const state = { isHeld: false, error: undefined as DeskError | undefined, source: 'service' as 'service' | 'cache' };
  const list = async ({ Page = 1, ...input }: ListInput): Promise<Reading<ProtocolPage>> => {
    asked.push({ Page, ...input });
    const { error } = state;
    if (state.isHeld) await new Promise<void>((resolve) => held.push(resolve));
    if (error !== undefined) throw error;
    const rows = Math.max(0, Math.min(50, total - (Page - 1) * 50));
    for (let row = 0; row < rows; row += 1) cached.add((Page - 1) * 50 + row);
    const Items = Array.from({ length: rows }, () => protocol);
    return {
      value: { Items, Count: rows, TotalCount: total, CurrentPage: Page },
      unreadable: 0,
      source: state.source,
      fetchedAtMs: 1,
    };
  };
  const table = ({ offset = 0 }: TableInput) => ({
    Items: Array.from({ length: Math.max(0, cached.size - offset) }, () => ({
      ...protocol,
      availableOffline: false,
      fetchedAtMs: 1,
    })),
    total: cached.size,
    cached: cached.size,
    unreadable: 0,
  });
  const handlers: SomeHandlers = { protocols: { list, table } };
  return {
    handlers,
    asked,
    state,
    pages: () => asked.map(({ Page }) => Page),
    answer: () => held.splice(0).forEach((answer) => void answer()),
  };
};

type Props = { readonly text?: string; readonly view?: Partial<View> };

/** Reads the list for a table, as the page of protocols does. */
const useListInTable = ({ text = '', view = {} }: Props) => {
  const { count, result } = useProtocolTable(text, noProtocolFilter, undefined);
  const counted = result && { rows: count ?? 0, cached: result.cached };
  const list = useProtocolList(text, () => counted && { shows: 'list', first: 0, last: 20, ...counted, ...view });
  return { ...list, rows: count };
};

it('reads the first page, and no more than the table shows', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, {});
  expect(result.current).toMatchObject({ list: undefined, busy: true });
  await waitFor(() => expect(result.current).toMatchObject({ list: { total: 500 }, busy: false }));
  expect(result.current.rows).toBe(50);
  act(() => result.current.look());
  expect(service.pages()).toEqual([1]);
});

it('counts a page as read only once the table has its rows', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render((props: Props) => {
    const seen = useListInTable(props);
    // Whenever a page is recorded as read, the table already has the rows of that page.
    if (seen.list !== undefined) expect(seen.rows).toBe(seen.list.pages.size * 50);
    return seen;
  }, {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current.list?.pages.size).toBe(10));
});

it('reads the page that comes into view', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  const { result, rerender } = render((props: Props) => useListInTable(props), {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  rerender({ view: { first: 420, last: 440 } });
  await waitFor(() => expect(result.current.list?.pages).toEqual(new Set([1, 9, 10])));
  expect(service.pages()).toEqual([1, 9, 10]);
});

it('reads all pages when asked to, and ends', async () => {
  const service = createService(240);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  act(() => result.current.setReadsAll(true));
  expect(result.current.readsAll).toBe(true);
  await waitFor(() => expect(result.current).toMatchObject({ readsAll: false, rows: 240 }));
  expect(service.pages()).toEqual([1, 2, 3, 4, 5]);
});

it('asks for a text after the typing has paused, and drops the answer to the text before', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  service.state.isHeld = true;
  const { result, rerender } = render((props: Props) => useListInTable(props), {});
  await waitFor(() => expect(service.asked).toHaveLength(1));
  for (const text of ['l', 'le', 'leeds']) rerender({ text });
  expect(result.current).toMatchObject({ list: undefined, busy: true });
  await act(async () => service.answer());
  expect(result.current).toMatchObject({ list: undefined, busy: true });
  await waitFor(() => expect(service.asked).toHaveLength(2));
  await act(async () => service.answer());
  await waitFor(() => expect(result.current.busy).toBe(false));
  expect(service.asked).toEqual([{ Page: 1 }, { Page: 1, Query: 'leeds' }]);
});

it('leaves what it knew after a failure, and waits for the person', async () => {
  const service = createService(500);
  const { render } = await createTestWindow(service.handlers);
  const { result, rerender } = render((props: Props) => useListInTable(props), {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  service.state.error = new DeskError('service/failed', 'no');
  rerender({ view: { first: 420, last: 440 } });
  await waitFor(() => expect(result.current.error?.code).toBe('service/failed'));
  expect(result.current).toMatchObject({ busy: false, list: { total: 500 } });
  act(() => result.current.look());
  service.state.error = undefined;
  act(() => result.current.reload());
  await waitFor(() => expect(service.pages()).toEqual([1, 9, 1, 9, 10]));
  await waitFor(() => expect(result.current).toMatchObject({ busy: false, error: undefined }));
});

it('reads all pages when asked to again after a failure', async () => {
  const service = createService(240);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  service.state.error = new DeskError('service/busy', 'busy');
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current).toMatchObject({ error: { code: 'service/busy' }, readsAll: false }));
  service.state.error = undefined;
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current).toMatchObject({ readsAll: false, rows: 240 }));
});

it('knows after a reload only the pages that the table shows', async () => {
  const service = createService(240);
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, {});
  await waitFor(() => expect(result.current.busy).toBe(false));
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current.readsAll).toBe(false));
  act(() => result.current.reload());
  expect(result.current.list?.pages.size).toBe(5);
  await waitFor(() => expect(result.current.list?.pages).toEqual(new Set([1])));
});

it('asks for nothing more while the service cannot be reached', async () => {
  const service = createService(500);
  service.state.source = 'cache';
  const { render } = await createTestWindow(service.handlers);
  const { result } = render(useListInTable, { view: { first: 0, last: 49 } });
  await waitFor(() => expect(result.current).toMatchObject({ busy: false, list: { source: 'cache' } }));
  act(() => result.current.setReadsAll(true));
  await waitFor(() => expect(result.current.readsAll).toBe(false));
  expect(service.pages()).toEqual([1]);
});

type PageRead = Parameters<typeof searchAfter>[1][number];
type Ask = NonNullable<ReturnType<typeof searchAfter>['ask']>;

const page = (number: number, rows: number, total: number, more: Partial<PageRead> = {}): PageRead => ({
  Query: '',
  page: number,
  rows,
  total,
  unreadable: 0,
  source: 'service',
  fetchedAtMs: 1000,
  ...more,
});

const view = (changes: Partial<View>): View => ({
  shows: 'list',
  first: 0,
  last: 0,
  rows: 50,
  cached: 50,
  ...changes,
});

/** Returns the page to request after `pages` of the list of all protocols. */
const nextAfter = (pages: readonly PageRead[], changes: Partial<View>, readsAll = false) =>
  searchAfter('', pages, view(changes), readsAll).ask?.Page;

it('counts what could not be read and what the service said last, and is as old as its oldest page', async () => {
  const { handlers } = createService(0);
  const table = () => ({ Items: [], total: 48, cached: 48, unreadable: 0 });
  const list = ({ Page = 0 }: ListInput): Reading<ProtocolPage> => ({
    value: {
      Items: Array.from({ length: 48 + Page }, () => protocol),
      Count: 50,
      TotalCount: 120 + 10 * Page,
      CurrentPage: Page,
    },
    unreadable: 2 - Page,
    source: Page === 0 ? 'service' : 'cache',
    fetchedAtMs: 1000 - Page,
  });
  const { render } = await createTestWindow({ ...handlers, protocols: { list, table } });
  const { result } = render(useListInTable, { view: { last: 49 } });
  await waitFor(() =>
    expect(result.current.list).toMatchObject({
      pages: new Set([0, 1]),
      pageRows: 50,
      total: 130,
      unreadable: 3,
      source: 'cache',
      fetchedAtMs: 999,
    }),
  );
});

describe('in the order of the service', () => {
  it.each([0, 1])('reads pages in view again, and the next one ahead of the scrolling, counted from %i', (base) => {
    const list = [page(base, 50, 1000)];
    expect(nextAfter(list, { last: 20 })).toBeUndefined();
    expect(nextAfter(list, { first: 15, last: 35 })).toBe(base + 1);
    expect(nextAfter(list, { first: 420, last: 440, rows: 1000, cached: 1000 })).toBe(base + 8);
  });

  it('nothing is asked for beyond the end, whatever the service counts', () => {
    expect(nextAfter([page(1, 3, 3)], { last: 2 })).toBeUndefined();
    expect(nextAfter([page(1, 50, 1000), page(2, 0, 1000)], { last: 49 })).toBeUndefined();
  });
});

describe('in other orders', () => {
  it('what is not here yet is read towards the end of the table', () => {
    const list = [page(1, 50, 1000)];
    const sorted = { shows: 'sorted', rows: 200, cached: 200 } as const;
    expect(nextAfter(list, { ...sorted, last: 100 })).toBeUndefined();
    // 200 protocols are in the offline data from earlier days, so the fifth page is the first that may have new ones.
    expect(nextAfter(list, { ...sorted, last: 190 })).toBe(5);
    expect(nextAfter(list, { ...sorted, rows: 1000, cached: 1000, last: 999 })).toBeUndefined();
  });

  it('a search is read page by page until all its matches are here', () => {
    const search = { shows: 'search', last: 59 } as const;
    const list = [page(1, 50, 120)];
    expect(nextAfter(list, { ...search, rows: 60, cached: 5000 })).toBe(2);
    expect(nextAfter(list, { ...search, rows: 120, cached: 5000, last: 119 })).toBeUndefined();
  });

  it('what filters leave grows only when a person asks for it', () => {
    const list = [page(1, 50, 120)];
    const filtered = { shows: 'filtered', rows: 3, last: 2 } as const;
    expect(nextAfter(list, filtered)).toBeUndefined();
    expect(nextAfter(list, { ...filtered, cached: 50 }, true)).toBe(2);
    expect(nextAfter(list, { ...filtered, cached: 120 }, true)).toBeUndefined();
  });

  it('records that could not be read are not waited for', () => {
    expect(nextAfter([page(1, 50, 50, { unreadable: 3 })], { rows: 47, cached: 47 }, true)).toBeUndefined();
  });
});

describe('a list without an end', () => {
  it('A10: is not read on where a page comes again in the place of another', () => {
    expect(nextAfter([page(1, 50, 1e9), page(1, 50, 1e9)], {}, true)).toBeUndefined();
  });

  it('A10: is read up to a bound, whatever the service counts', () => {
    const endless = [page(1, 50, 1e15)];
    expect(nextAfter(endless, { first: 9_999 * 50, last: 9_999 * 50 })).toBe(10_000);
    expect(nextAfter(endless, { first: 10_000 * 50, last: 10_000 * 50 })).toBeUndefined();
  });
});

describe('a text of several words', () => {
  /**
   * Requests pages until nothing is left to request. `totals`: the number of matches that the service has for each
   * text.
   */
  const readWith = (
    text: string,
    totals: Readonly<Record<string, number>>,
    { rows = 0, readsAll = false, last = 20 } = {},
  ) => {
    const asked: string[] = [];
    const reads: PageRead[] = [];
    let next: Ask | undefined = { Query: text };
    let isComplete = false;
    while (next !== undefined && asked.length < 500) {
      const { Query, Page = 1 }: Ask = next;
      const total = totals[Query] ?? 0;
      asked.push(Page === 1 ? Query : `${Query} ${Page}`);
      reads.push(page(Page, Math.max(0, Math.min(50, total - (Page - 1) * 50)), total, { Query }));
      const found = Math.max(rows, totals[text] ?? 0);
      const seen = view({
        shows: 'search',
        rows: Math.min(found, Math.max(rows, reads.length * 50)),
        last,
        cached: 120,
      });
      ({ ask: next, isComplete } = searchAfter(text, reads, seen, readsAll));
    }
    return { asked, isComplete };
  };

  it('is complete with one answer where the service finds as much as the offline data has', () => {
    expect(readWith('storgata bergen', { 'storgata bergen': 29 }, { rows: 11 })).toEqual({
      asked: ['storgata bergen'],
      isComplete: true,
    });
    expect(readWith('storgata', { storgata: 153 }, { rows: 11, last: 5 })).toEqual({
      asked: ['storgata'],
      isComplete: false,
    });
  });

  it('is looked for by the word with the fewest matches where the service looks for the exact text', () => {
    const { asked, isComplete } = readWith('storgata bergen', { storgata: 153, bergen: 214 }, { rows: 11 });
    expect(asked).toEqual(['storgata bergen', 'storgata', 'storgata 2', 'storgata 3', 'storgata 4']);
    expect(isComplete).toBe(true);
    const long = readWith('storgata bergen', { storgata: 10_000, bergen: 214 }, { rows: 11 });
    expect(long.asked).toEqual([
      'storgata bergen',
      'storgata',
      'bergen',
      'bergen 2',
      'bergen 3',
      'bergen 4',
      'bergen 5',
    ]);
    expect(long.isComplete).toBe(true);
  });

  it('is looked for by its address first', () => {
    const { asked, isComplete } = readWith('Storgata 24, Bergen', { 'Storgata 24': 7, Storgata: 10_000 });
    expect(asked).toEqual(['Storgata 24, Bergen', 'Storgata 24']);
    expect(isComplete).toBe(true);
  });

  it('ends where the service finds a word nowhere', () => {
    expect(readWith('mill yrok', { mill: 900 })).toEqual({ asked: ['mill yrok', 'mill', 'yrok'], isComplete: true });
  });

  it('is not complete where every word has too many matches, until a person asks for all', () => {
    const totals = { storgata: 10_000, bergen: 9_000 };
    const some = readWith('storgata bergen', totals, { rows: 11 });
    expect(some).toEqual({ asked: ['storgata bergen', 'storgata', 'bergen'], isComplete: false });
    const all = readWith('storgata bergen', totals, { rows: 11, readsAll: true });
    expect(all.asked).toHaveLength(2 + 180);
    expect(all.isComplete).toBe(true);
  });

  it('asks for nothing more without the service', () => {
    const reads = [page(1, 11, 11, { Query: 'storgata bergen', source: 'cache' })];
    expect(searchAfter('storgata bergen', reads, view({ shows: 'search', rows: 11 }), true)).toEqual({
      isComplete: false,
    });
  });
});

it('counts active filters: blank text is none, two days are one range', () => {
  expect(countFilters({ ...noProtocolFilter, City: ' ' })).toBe(0);
  const days = { fromDay: '2026-03-28', toDay: '2026-03-29' };
  expect(countFilters({ ...noProtocolFilter, ...days, City: 'York', availableOffline: true })).toBe(3);
});

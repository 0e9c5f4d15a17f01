// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { ProtocolPage, Reading } from '../../contract/resources.ts';
import type { SomeHandlers } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import {
  type Ask,
  countFilters,
  type ListRead,
  nextPage,
  noProtocolFilter,
  pageToAsk,
  searchAfter,
  toListRead,
  toPageRead,
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
    // The number of rows of the table whenever a page is recorded as read.
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

const item = {
  Address: '',
  City: '',
  ZipCode: '',
  FacilityId: '',
  InspectionProtocolId: '',
  InspectionDate: 1,
  Points: 0,
};

const page = (
  CurrentPage: number,
  rows: number,
  TotalCount: number,
  more: Partial<Reading<ProtocolPage>> = {},
): Reading<ProtocolPage> => ({
  value: { Items: Array.from({ length: rows }, () => item), Count: rows, TotalCount, CurrentPage },
  unreadable: 0,
  source: 'service',
  fetchedAtMs: 1000,
  ...more,
});

/** Summarises these pages of one list. */
const listOf = (...readings: readonly Reading<ProtocolPage>[]): ListRead =>
  toListRead(readings.map((reading) => toPageRead('', reading))) ?? expect.fail('no page was read');

const view = (changes: Partial<View>): View => ({
  shows: 'list',
  first: 0,
  last: 0,
  rows: 50,
  cached: 50,
  ...changes,
});

describe('a list', () => {
  it('is unknown before its first page', () => {
    expect(toListRead([])).toBeUndefined();
  });

  it('counts what could not be read, and is as old as its oldest page', () => {
    const list = listOf(
      page(0, 48, 120, { unreadable: 2 }),
      page(1, 49, 120, { unreadable: 1, source: 'cache', fetchedAtMs: 5 }),
    );
    expect(list).toMatchObject({ pageRows: 50, unreadable: 3, source: 'cache', fetchedAtMs: 5 });
  });

  it('has as many records as the service said last', () => {
    expect(listOf(page(1, 50, 120), page(2, 50, 130))).toMatchObject({ total: 130, pages: new Set([1, 2]) });
  });
});

describe('in the order of the service', () => {
  it.each([0, 1])('reads pages in view again, and the next one ahead of the scrolling, counted from %i', (base) => {
    const list = listOf(page(base, 50, 1000));
    expect(pageToAsk(list, view({ last: 20 }))).toBeUndefined();
    expect(pageToAsk(list, view({ first: 15, last: 35 }))).toBe(base + 1);
    expect(pageToAsk(list, view({ first: 420, last: 440, rows: 1000, cached: 1000 }))).toBe(base + 8);
  });

  it('nothing is asked for beyond the end, whatever the service counts', () => {
    expect(pageToAsk(listOf(page(1, 3, 3)), view({ last: 2 }))).toBeUndefined();
    expect(pageToAsk(listOf(page(1, 50, 1000), page(2, 0, 1000)), view({ last: 49 }))).toBeUndefined();
  });

  it('nothing is asked for while the service cannot be reached', () => {
    expect(pageToAsk(listOf(page(1, 50, 1000, { source: 'cache' })), view({ last: 49 }))).toBeUndefined();
  });
});

describe('in other orders', () => {
  it('what is not here yet is read towards the end of the table', () => {
    const list = listOf(page(1, 50, 1000));
    const sorted = { shows: 'sorted', rows: 200, cached: 200 } as const;
    expect(pageToAsk(list, view({ ...sorted, last: 100 }))).toBeUndefined();
    // 200 protocols are in the offline data from earlier days, so the fifth page is the first that may have new ones.
    expect(pageToAsk(list, view({ ...sorted, last: 190 }))).toBe(5);
    expect(pageToAsk(list, view({ ...sorted, rows: 1000, cached: 1000, last: 999 }))).toBeUndefined();
  });

  it('a search is read page by page until all its matches are here', () => {
    const search = { shows: 'search', last: 59 } as const;
    const list = listOf(page(1, 50, 120));
    expect(pageToAsk(list, view({ ...search, rows: 60, cached: 5000 }))).toBe(2);
    expect(pageToAsk(list, view({ ...search, rows: 120, cached: 5000, last: 119 }))).toBeUndefined();
  });

  it('what filters leave grows only when a person asks for it', () => {
    const list = listOf(page(1, 50, 120));
    expect(pageToAsk(list, view({ shows: 'filtered', rows: 3, last: 2 }))).toBeUndefined();
    expect(nextPage(list, view({ shows: 'filtered', rows: 3, cached: 50 }))).toBe(2);
    expect(nextPage(list, view({ shows: 'filtered', rows: 3, cached: 120 }))).toBeUndefined();
  });

  it('records that could not be read are not waited for', () => {
    expect(nextPage(listOf(page(1, 47, 50, { unreadable: 3 })), view({ rows: 47, cached: 47 }))).toBeUndefined();
  });
});

describe('a list without an end', () => {
  it('A10: is not read on where a page comes again in the place of another', () => {
    expect(nextPage(listOf(page(1, 50, 1e9), page(1, 50, 1e9)), view({}))).toBeUndefined();
  });

  it('A10: is read up to a bound, whatever the service counts', () => {
    expect(listOf(page(1, 50, 1e15)).endPage).toBe(10_001);
  });
});

describe('a text of several words', () => {
  /** Reads until there is nothing left to request from a service that finds `totals` for a text. */
  const readWith = (
    text: string,
    totals: Readonly<Record<string, number>>,
    { rows = 0, readsAll = false, last = 20 } = {},
  ) => {
    const asked: string[] = [];
    const reads: ReturnType<typeof toPageRead>[] = [];
    let next: Ask | undefined = { Query: text };
    let isComplete = false;
    while (next !== undefined && asked.length < 500) {
      const { Query, Page = 1 }: Ask = next;
      const total = totals[Query] ?? 0;
      asked.push(Page === 1 ? Query : `${Query} ${Page}`);
      reads.push(toPageRead(Query, page(Page, Math.max(0, Math.min(50, total - (Page - 1) * 50)), total)));
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
    const reads = [toPageRead('storgata bergen', page(1, 11, 11, { source: 'cache' }))];
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

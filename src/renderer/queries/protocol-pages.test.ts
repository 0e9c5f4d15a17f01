import { describe, expect, it } from 'vitest';
import type { ProtocolPage, Reading } from '../../contract/resources.ts';
import {
  type Ask,
  type ListRead,
  nextPage,
  pageToAsk,
  searchAfter,
  toListRead,
  toPageRead,
  type View,
} from './protocol-pages.ts';

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

/** What these pages of one list tell. */
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
    // 200 are here of earlier days: the fifth page is the first that may bring something.
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

describe('B28: a text of several words', () => {
  /** Reads as long as there is something to ask of a service that finds `totals` for a text. */
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

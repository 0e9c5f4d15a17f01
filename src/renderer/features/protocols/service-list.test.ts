import { describe, expect, it } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { Reading } from '../../../contract/reading.ts';
import type { ProtocolPage } from '../../../contract/resources.ts';
import { afterStep, nextPage, nothingTold, pageToAsk, type Step, type Told, type View } from './service-list.ts';

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
  fetchedAt: 1000,
  ...more,
});

const asked = (request: number, target: 'list' | 'again' | 'quietly' | 'page'): Step => ({
  type: 'asked',
  request,
  for: target,
});
const answered = (request: number, reading: Reading<ProtocolPage>): Step => ({ type: 'answered', request, reading });
const error = toErrorData(new DeskError('service/failed', 'x'));
const after = (...steps: readonly Step[]) => steps.reduce(afterStep, nothingTold);

/** What is told after these pages of one list were read. */
const toldBy = (...pages: readonly Reading<ProtocolPage>[]): Told => {
  const steps = pages.flatMap((reading, index) => [
    asked(index + 1, index === 0 ? 'list' : 'page'),
    answered(index + 1, reading),
  ]);
  const { told } = after(...steps);
  if (told === undefined) throw new Error('nothing told');
  return told;
};

const view = (changes: Partial<View>): View => ({ shows: 'list', first: 0, last: 0, rows: 50, kept: 50, ...changes });

describe('the answers', () => {
  it('of an older question are dropped, whichever comes first', () => {
    const list = after(asked(1, 'list'), asked(2, 'list'), answered(2, page(0, 1, 1)), answered(1, page(0, 2, 2)));
    expect(list).toMatchObject({ busy: false, told: { total: 1 } });
    const failed: Step = { type: 'failed', request: 1, error };
    expect(after(asked(1, 'list'), asked(2, 'list'), failed)).toMatchObject({ busy: true, error: undefined });
  });

  it('of a quiet question change what is shown only when they come', () => {
    const cached = [asked(1, 'list'), answered(1, page(1, 50, 50, { source: 'cache' }))];
    const failed: Step = { type: 'failed', request: 2, error };
    const waiting = after(...cached, asked(2, 'quietly'));
    expect(waiting).toMatchObject({ busy: false, told: { source: 'cache' } });
    expect(after(...cached, asked(2, 'quietly'), failed)).toMatchObject({
      busy: false,
      told: { source: 'cache' },
      error,
    });
    const asking = after(...cached, asked(2, 'quietly'), failed, asked(3, 'quietly'));
    expect(asking.error).toEqual(error);
    expect(afterStep(asking, answered(3, page(1, 50, 90)))).toMatchObject({
      busy: false,
      error: undefined,
      told: { source: 'service', total: 90, pages: new Set([1]) },
    });
  });

  it('of one more page are added, those of the list read again begin anew, and another list knows nothing', () => {
    const steps = [asked(1, 'list'), answered(1, page(1, 50, 120)), asked(2, 'page'), answered(2, page(2, 50, 120))];
    const list = after(...steps);
    expect(list.told?.pages).toEqual(new Set([1, 2]));
    expect(after(...steps, asked(3, 'again')).told).toEqual(list.told);
    expect(after(...steps, asked(3, 'again'), answered(3, page(1, 50, 130))).told).toMatchObject({
      pages: new Set([1]),
      total: 130,
    });
    expect(after(...steps, asked(3, 'list')).told).toBeUndefined();
  });

  it('that fail leave what was told before', () => {
    const steps = [asked(1, 'list'), answered(1, page(1, 50, 120)), asked(2, 'page')];
    expect(after(...steps, { type: 'failed', request: 2, error })).toMatchObject({ busy: false, error, told: {} });
  });

  it('count what could not be read, and are as old as the oldest', () => {
    const told = toldBy(
      page(0, 48, 120, { unreadable: 2 }),
      page(1, 49, 120, { unreadable: 1, source: 'cache', fetchedAt: 5 }),
    );
    expect(told).toMatchObject({ pageRows: 50, unreadable: 3, source: 'cache', fetchedAt: 5 });
  });
});

describe('in the order of the service', () => {
  it.each([0, 1])('pages in view are read anew, and the next ahead of the scrolling, counted from %i', (base) => {
    const told = toldBy(page(base, 50, 1000));
    expect(pageToAsk(told, view({ last: 20 }))).toBeUndefined();
    expect(pageToAsk(told, view({ first: 15, last: 35 }))).toBe(base + 1);
    expect(pageToAsk(told, view({ first: 420, last: 440, rows: 1000, kept: 1000 }))).toBe(base + 8);
  });

  it('nothing is asked for beyond the end, whatever the service counts', () => {
    expect(pageToAsk(toldBy(page(1, 3, 3)), view({ last: 2 }))).toBeUndefined();
    expect(pageToAsk(toldBy(page(1, 50, 1000), page(2, 0, 1000)), view({ last: 49 }))).toBeUndefined();
  });

  it('nothing is asked for while the service cannot be reached', () => {
    expect(pageToAsk(toldBy(page(1, 50, 1000, { source: 'cache' })), view({ last: 49 }))).toBeUndefined();
  });
});

describe('in other orders', () => {
  it('what is not here yet is read towards the end of the table', () => {
    const told = toldBy(page(1, 50, 1000));
    const sorted = { shows: 'sorted', rows: 200, kept: 200 } as const;
    expect(pageToAsk(told, view({ ...sorted, last: 100 }))).toBeUndefined();
    // 200 are here of earlier days: the fifth page is the first that may bring something.
    expect(pageToAsk(told, view({ ...sorted, last: 190 }))).toBe(5);
    expect(pageToAsk(told, view({ ...sorted, rows: 1000, kept: 1000, last: 999 }))).toBeUndefined();
  });

  it('a search is read page by page until all its matches are here', () => {
    const search = { shows: 'search', last: 59 } as const;
    const told = toldBy(page(1, 50, 120));
    expect(pageToAsk(told, view({ ...search, rows: 60, kept: 5000 }))).toBe(2);
    expect(pageToAsk(told, view({ ...search, rows: 120, kept: 5000, last: 119 }))).toBeUndefined();
  });

  it('what filters leave grows only when a person asks for it', () => {
    const told = toldBy(page(1, 50, 120));
    expect(pageToAsk(told, view({ shows: 'filtered', rows: 3, last: 2 }))).toBeUndefined();
    expect(nextPage(told, view({ shows: 'filtered', rows: 3, kept: 50 }))).toBe(2);
    expect(nextPage(told, view({ shows: 'filtered', rows: 3, kept: 120 }))).toBeUndefined();
  });

  it('records that could not be read are not waited for', () => {
    expect(nextPage(toldBy(page(1, 47, 50, { unreadable: 3 })), view({ rows: 47, kept: 47 }))).toBeUndefined();
  });
});

describe('a list without an end', () => {
  it('A10: is not read on where a page comes again in the place of another', () => {
    expect(nextPage(toldBy(page(1, 50, 1e9), page(1, 50, 1e9)), view({}))).toBeUndefined();
  });

  it('A10: is read up to a bound, whatever the service counts', () => {
    expect(toldBy(page(1, 50, 1e15)).endPage).toBe(10_001);
  });
});

import { describe, expect, it } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import type { Reading } from '../../../contract/models.ts';
import type { ProtocolPage } from '../../../contract/resources.ts';
import { afterStep, emptyList, type ProtocolList, type Step } from './protocol-list.ts';

const page = (
  CurrentPage: number,
  ids: readonly string[],
  TotalCount: number,
  more: Partial<Reading<ProtocolPage>> = {},
): Reading<ProtocolPage> => ({
  value: {
    Items: ids.map((InspectionProtocolId) => ({
      Address: `Street ${InspectionProtocolId}`,
      City: 'C',
      ZipCode: 'Z',
      FacilityId: 'F',
      InspectionProtocolId,
      InspectionDate: 1,
      Points: 0,
    })),
    Count: ids.length,
    TotalCount,
    CurrentPage,
  },
  unreadable: 0,
  source: 'service',
  fetchedAt: 1000,
  ...more,
});

const asked = (request: number, target: 'list' | 'page'): Step => ({ type: 'asked', request, for: target });
const answered = (request: number, reading: Reading<ProtocolPage>): Step => ({ type: 'answered', request, reading });
const failed = (request: number): Step => ({
  type: 'failed',
  request,
  error: toErrorData(new DeskError('service/failed', 'x')),
});
const after = (...steps: readonly Step[]): ProtocolList => steps.reduce(afterStep, emptyList);
const ids = ({ loaded }: ProtocolList) => loaded?.rows.map((row) => row.InspectionProtocolId);

describe('the protocol list', () => {
  it.each([0, 1])('counts pages from where the service does: %i', (base) => {
    const list = after(asked(1, 'list'), answered(1, page(base, ['a', 'b'], 3)));
    expect(list.loaded?.nextPage).toBe(base + 1);
    const whole = [asked(2, 'page'), answered(2, page(base + 1, ['c'], 3))].reduce(afterStep, list);
    expect(ids(whole)).toEqual(['a', 'b', 'c']);
    expect(whole.loaded?.nextPage).toBeUndefined();
  });

  it('drops the answer of an older question, whichever comes first', () => {
    const list = after(
      asked(1, 'list'),
      asked(2, 'list'),
      answered(2, page(0, ['new'], 1)),
      answered(1, page(0, ['old'], 1)),
    );
    expect(ids(list)).toEqual(['new']);
    expect(ids(after(asked(1, 'list'), asked(2, 'list'), failed(1), answered(2, page(0, ['new'], 1))))).toEqual([
      'new',
    ]);
  });

  it('drops a page of the list before when another list is asked for', () => {
    const list = after(
      asked(1, 'list'),
      answered(1, page(0, ['a'], 9)),
      asked(2, 'page'),
      asked(3, 'list'),
      answered(2, page(1, ['b'], 9)),
      answered(3, page(0, ['x'], 1)),
    );
    expect(ids(list)).toEqual(['x']);
  });

  it('keeps the rows when a further page fails, and can go on', () => {
    const list = after(asked(1, 'list'), answered(1, page(0, ['a'], 2)), asked(2, 'page'), failed(2));
    expect(ids(list)).toEqual(['a']);
    expect(list.error?.code).toBe('service/failed');
    expect(list.loaded?.nextPage).toBe(1);
    expect(ids([asked(3, 'page'), answered(3, page(1, ['b'], 2))].reduce(afterStep, list))).toEqual(['a', 'b']);
  });

  it('does not show the rows of another question beside a failure', () => {
    expect(after(asked(1, 'list'), answered(1, page(0, ['a'], 1)), asked(2, 'list'), failed(2)).loaded).toBeUndefined();
  });

  it('shows a protocol once that moved to a later page', () => {
    const list = after(
      asked(1, 'list'),
      answered(1, page(0, ['a', 'b'], 4)),
      asked(2, 'page'),
      answered(2, page(1, ['b', 'c'], 4)),
    );
    expect(ids(list)).toEqual(['a', 'b', 'c']);
  });

  it('ends at an empty page, whatever the total says', () => {
    const list = after(asked(1, 'list'), answered(1, page(0, ['a'], 5)), asked(2, 'page'), answered(2, page(1, [], 5)));
    expect(list.loaded?.nextPage).toBeUndefined();
  });

  it('counts unreadable items as seen, and is as old as its oldest page', () => {
    const list = after(
      asked(1, 'list'),
      answered(1, page(0, ['a'], 3, { unreadable: 1, source: 'cache', fetchedAt: 500 })),
      asked(2, 'page'),
      answered(2, page(1, ['c'], 3)),
    );
    expect(list.loaded).toMatchObject({ unreadable: 1, source: 'cache', fetchedAt: 500, nextPage: undefined });
  });
});

it('shows what is kept until the service has answered, and not after', () => {
  const kept = {
    value: { Items: [], Count: 0, TotalCount: 9, CurrentPage: 0 },
    unreadable: 0,
    source: 'cache',
    fetchedAt: 1,
  } as const;
  const asked = afterStep(emptyList, { type: 'asked', request: 1, for: 'list' });
  const reading = { ...kept, value: { ...kept.value, Items: [] } };
  const shown = afterStep(asked, { type: 'kept', request: 1, reading });
  expect(shown).toMatchObject({ busy: 'list', loaded: { source: 'cache', nextPage: undefined } });
  const answered = afterStep(shown, { type: 'answered', request: 1, reading: { ...reading, source: 'service' } });
  expect(answered).toMatchObject({ busy: undefined, loaded: { source: 'service', since: 1 } });
  expect(afterStep(answered, { type: 'kept', request: 1, reading })).toBe(answered);
});

// @vitest-environment happy-dom

import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { InTestUi } from '../testing/test-ui.ts';
import { listed, useSelection } from './use-selection.ts';

/** A table of the ids 10, 20, 30 … in which nothing is selected yet. */
const selecting = (ids: readonly number[]) => {
  const { result } = renderHook(
    () => useSelection<number>({ rows: listed(ids), idOf: (row) => row, rowLabel: String, allLabel: 'all' }),
    { wrapper: InTestUi },
  );
  return {
    ids: () => [...result.current.ids],
    toggle: (index: number) => act(() => result.current.toggle(ids[index] ?? 0, index)),
    extend: (to: number) => act(async () => result.current.extend(0, to)),
  };
};

test('a row is selected, and no longer when it is chosen again', () => {
  const { ids, toggle } = selecting([10, 20, 30]);
  toggle(2);
  expect(ids()).toEqual([30]);
  toggle(2);
  expect(ids()).toEqual([]);
});

test('a range becomes longer and shorter without losing what was selected before', async () => {
  const { ids, toggle, extend } = selecting([10, 20, 30, 40, 50]);
  toggle(4);
  toggle(1);
  await extend(3);
  expect(ids()).toEqual([50, 20, 30, 40]);
  await extend(2);
  expect(ids()).toEqual([50, 20, 30]);
});

test('a range that grows reads only the rows that are added', async () => {
  const reads: string[] = [];
  const all = listed(Array.from({ length: 5_000 }, (_, index) => index));
  const { result } = renderHook(
    () =>
      useSelection<number>({
        rows: {
          ...all,
          read: (offset, limit) => {
            reads.push(`${offset}+${limit}`);
            return all.read(offset, limit);
          },
        },
        idOf: (row) => row,
        rowLabel: String,
        allLabel: 'all',
        replaces: true,
      }),
    { wrapper: InTestUi },
  );
  const extend = (to: number) => act(async () => result.current.extend(0, to));
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  act(() => result.current.only(2_000, 2_000));
  await extend(3_500);
  expect(reads.splice(0)).toEqual(['2000+1000', '3000+501']);
  await extend(3_501);
  await extend(3_499);
  expect(reads.splice(0)).toEqual(['3501+1']);
  expect([...result.current.ids]).toEqual(range(2_000, 3_499));
  await extend(1_998);
  expect(reads.splice(0)).toEqual(['1998+2']);
  expect([...result.current.ids]).toEqual(range(1_998, 2_000));
});

test('deselecting rows leaves those that were selected meanwhile, and a choice that is still being read', async () => {
  const answer = Promise.withResolvers<{ readonly rows: readonly number[] }>();
  const { result } = renderHook(
    () =>
      useSelection<number>({
        rows: { ...listed<number>([]), count: 2, read: () => answer.promise },
        idOf: (row) => row,
        rowLabel: String,
        allLabel: 'all',
      }),
    { wrapper: InTestUi },
  );
  act(() => result.current.toggle(1, 0));
  const retried = result.current.ids;
  act(() => result.current.toggle(2, 1));
  act(() => result.current.deselect(retried));
  expect([...result.current.ids]).toEqual([2]);

  act(() => result.current.all());
  act(() => result.current.deselect(new Set([2])));
  await act(async () => answer.resolve({ rows: [3, 4] }));
  expect([...result.current.ids]).toEqual([3, 4]);
});

test('it stays the same object until it changes', () => {
  const { result, rerender } = renderHook(
    () =>
      useSelection<number>({
        rows: listed<number>([]),
        idOf: (row) => row,
        rowLabel: String,
        allLabel: 'all',
      }),
    { wrapper: InTestUi },
  );
  const before = result.current;
  rerender();
  expect(result.current).toBe(before);
  act(() => before.toggle(1, 0));
  expect(result.current).not.toBe(before);
});

test('a range begins at the row that was chosen last, also after the rows were sorted or another was added', async () => {
  let ids: readonly number[] = [10, 20, 30, 40, 50];
  const { result, rerender } = renderHook(
    () => useSelection<number>({ rows: listed(ids), idOf: (row) => row, rowLabel: String, allLabel: 'all' }),
    { wrapper: InTestUi },
  );
  act(() => result.current.toggle(50, 4));
  ids = [60, 50, 40, 30, 20, 10];
  rerender();
  await act(async () => result.current.extend(0, 2));
  expect([...result.current.ids]).toEqual([50, 40]);
});

test.each([
  { asked: 'the same rows', question: 1, selected: 503 },
  { asked: 'other rows', question: 2, selected: 3 },
])('a range begins at a row that is no longer loaded only among $asked', async ({ question, selected }) => {
  const rowsOf = (first: number, asked: number) => ({
    count: 1_000,
    rowAt: (index: number) => (index >= first && index < first + 10 ? index : undefined),
    read: async (offset: number, limit: number) => ({ rows: Array.from({ length: limit }, (_, at) => offset + at) }),
    question: asked,
  });
  let rows = rowsOf(0, 1);
  const { result, rerender } = renderHook(
    () => useSelection<number>({ rows, idOf: (row) => row, rowLabel: String, allLabel: 'all' }),
    { wrapper: InTestUi },
  );
  act(() => result.current.toggle(3, 3));
  rows = rowsOf(500, question);
  rerender();
  await act(async () => result.current.extend(504, 505));
  expect(result.current.ids.size).toBe(selected);
});

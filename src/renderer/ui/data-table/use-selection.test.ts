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

test('deselecting rows leaves those that were selected meanwhile, and a choice that is still being read', async () => {
  const answer = Promise.withResolvers<{ readonly rows: readonly number[] }>();
  const { result } = renderHook(
    () =>
      useSelection<number>({
        rows: { count: 2, read: () => answer.promise },
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
        rows: { count: 1, read: async () => ({ rows: [] }) },
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

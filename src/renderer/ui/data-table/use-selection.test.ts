// @vitest-environment happy-dom

import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { InTestUi } from '../testing/test-ui.ts';
import { extended, nothingSelected, toggled, useSelection } from './use-selection.ts';

test('a row is selected, and no longer when it is chosen again', () => {
  const one = toggled(nothingSelected, 3, 30);
  expect([...one.ids]).toEqual([30]);
  expect(one.anchor).toBe(3);
  expect([...toggled(one, 3, 30).ids]).toEqual([]);
});

test('a range becomes longer and shorter without losing what was selected before', () => {
  const before = toggled(toggled(nothingSelected, 9, 90), 2, 20);
  const long = extended(before, [20, 30, 40]);
  expect([...long.ids]).toEqual([90, 20, 30, 40]);
  const short = extended(long, [20, 30]);
  expect([...short.ids]).toEqual([90, 20, 30]);
  expect(short.anchor).toBe(2);
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
  act(() => result.current.toggle(0, 1));
  const retried = result.current.ids;
  act(() => result.current.toggle(1, 2));
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
  act(() => before.toggle(0, 1));
  expect(result.current).not.toBe(before);
});

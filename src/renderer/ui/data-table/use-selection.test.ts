// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useSelection } from './use-selection.ts';

test('deselecting rows leaves those that were selected meanwhile, and a choice that is still being read', async () => {
  const answer = Promise.withResolvers<{ readonly rows: readonly number[] }>();
  const { result } = renderHook(() =>
    useSelection<number>({
      read: () => answer.promise,
      idOf: (row) => row,
      total: 2,
      onError: () => {},
      rowLabel: String,
      allLabel: 'all',
    }),
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
  const { result, rerender } = renderHook(() =>
    useSelection<number>({
      read: async () => ({ rows: [] }),
      idOf: (row) => row,
      total: 1,
      onError: () => {},
      rowLabel: String,
      allLabel: 'all',
    }),
  );
  const before = result.current;
  rerender();
  expect(result.current).toBe(before);
  act(() => before.toggle(0, 1));
  expect(result.current).not.toBe(before);
});

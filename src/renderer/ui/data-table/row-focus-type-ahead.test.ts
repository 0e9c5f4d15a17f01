// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import type { KeyboardEvent } from 'react';
import { expect, it } from 'vitest';
import { useTypeAhead } from './row-focus.ts';
import { listed } from './use-selection.ts';

const names = ['Alby 1', 'Bro 1', 'Bro 2', 'Alby 2', 'Örby 1'];

/**
 * Types `text` on the row `from`. Returns the row that the focus has moved to. `loaded`: the number of rows in view.
 */
const typing = async (text: string, from: number, loaded = names.length) => {
  let active = from;
  const rows = { ...listed(names), rowAt: (index: number) => (index < loaded ? names[index] : undefined) };
  const move = (index: number): void => {
    active = index;
  };
  const { result } = renderHook(() => useTypeAhead({ rows, nameOf: (name) => name, move }));
  for (const key of text) {
    const event = { key, target: document.body, timeStamp: 1, preventDefault: () => {} } as unknown as KeyboardEvent;
    result.current(event, active);
    // Waits, because rows that are not in view are read asynchronously.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return active;
};

it('finds the next row whose name begins with what was typed, and goes on at the first after the last', async () => {
  expect(await typing('b', 0)).toBe(1);
  expect(await typing('b', 1)).toBe(2);
  expect(await typing('b', 2)).toBe(1);
  expect(await typing('ö', 0)).toBe(4);
  expect(await typing('x', 0)).toBe(0);
});

it('stays on the row while more of its name is typed', async () => {
  expect(await typing('bro', 0)).toBe(1);
  expect(await typing('bro 2', 0)).toBe(2);
});

it('reads rows that are not in view', async () => {
  expect(await typing('ör', 0, 1)).toBe(4);
  expect(await typing('alby 2', 4, 1)).toBe(3);
});

it('takes the same letter again for the next name with it', async () => {
  expect(await typing('bb', 0)).toBe(2);
  expect(await typing('bbb', 0)).toBe(1);
});

it('does not move to the row of a letter if the next one was typed meanwhile', async () => {
  const moved: number[] = [];
  const { result } = renderHook(() =>
    useTypeAhead({ rows: listed(names), nameOf: (name) => name, move: (index) => void moved.push(index) }),
  );
  for (const [at, key] of ['b', 'ö'].entries())
    result.current(
      { key, target: document.body, timeStamp: 1000 * at, preventDefault: () => {} } as unknown as KeyboardEvent,
      0,
    );
  await expect.poll(() => moved).toEqual([4]);
});

it('leaves the focus where the user has moved it while rows were being read', async () => {
  const reading = Promise.withResolvers<void>();
  const moved: number[] = [];
  const rows = {
    ...listed(names),
    rowAt: () => undefined,
    read: async () => {
      await reading.promise;
      return { rows: names };
    },
  };
  const { result } = renderHook(() =>
    useTypeAhead({ rows, nameOf: (name: string) => name, move: (index) => void moved.push(index) }),
  );
  const target = document.body;
  result.current({ key: 'ö', target, timeStamp: 1, preventDefault: () => {} } as unknown as KeyboardEvent, 0);
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  reading.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  field.remove();
  expect(moved).toEqual([]);
});

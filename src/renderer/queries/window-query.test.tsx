// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useWindowQuery } from './query.tsx';

const useFoundAssignments = (text: string) =>
  useWindowQuery('Items', ({ search }, window) => search.assignments({ text, ...window }));

/**
 * Creates a search that finds 1,000 assignments for any text. Each assignment has the text as its address, and its
 * position as its id.
 */
const setUp = async () => {
  const asked: { readonly offset: number; readonly limit: number }[] = [];
  const state = { isBroken: false };
  const { render, store } = await createTestWindow({
    search: {
      assignments: ({ text, offset, limit }) => {
        asked.push({ offset, limit });
        if (state.isBroken) throw new DeskError('data/corrupt', 'no');
        const Items = Array.from({ length: limit }, (_, index) => ({
          FacilityId: '',
          AssignmentStatus: '',
          FirstName: '',
          LastName: '',
          City: '',
          Performer: '',
          StartTime: 0,
          Address: text,
          AssignmentId: String(offset + index),
        }));
        return { Items, total: 1000 };
      },
    },
  });
  const { result, rerender } = render((text: string) => useFoundAssignments(text), 'harbour');
  await waitFor(() => expect(result.current.count).toBe(1000));
  return { asked, state, result, rerender, store };
};

it('reads the rows around those in view', async () => {
  const { asked, result } = await setUp();
  expect(result.current.rowAt(49)?.AssignmentId).toBe('49');
  expect(result.current.rowAt(50)).toBeUndefined();
  act(() => result.current.onRange(420, 440));
  await waitFor(() => expect(result.current.rowAt(440)?.AssignmentId).toBe('440'));
  act(() => result.current.onRange(421, 441));
  expect(asked).toEqual([
    { offset: 0, limit: 50 },
    { offset: 400, limit: 100 },
  ]);
  const { rows } = await result.current.read(900, 2);
  expect(rows.map(({ AssignmentId }) => AssignmentId)).toEqual(['900', '901']);
});

it('keeps the rows of one question until those of the next are there, which begins at its first row', async () => {
  const { result, rerender } = await setUp();
  act(() => result.current.onRange(420, 440));
  await waitFor(() => expect(result.current.rowAt(440)).toBeDefined());
  const question = result.current.question;
  rerender('mill');
  expect(result.current.question).toBe(question);
  expect(result.current.rowAt(440)?.Address).toBe('harbour');
  await waitFor(() => expect(result.current.rowAt(0)?.Address).toBe('mill'));
  expect(result.current.question).not.toBe(question);
});

it('reads again on reload, and names the error that came', async () => {
  const { asked, state, result } = await setUp();
  state.isBroken = true;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current.error?.code).toBe('data/corrupt'));
  state.isBroken = false;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current.error).toBeUndefined());
  expect(asked).toHaveLength(3);
});

it('keeps a list on screen, and reports why, when one window of it cannot be read', async () => {
  const { state, result, store } = await setUp();
  state.isBroken = true;
  act(() => result.current.onRange(420, 440));
  await waitFor(() => expect(store.getState().reports.map(({ code }) => code)).toEqual(['data/corrupt']));
  expect(result.current.count).toBe(1000);
  expect(result.current.rowAt(0)).toBeDefined();
  expect(result.current.rowAt(440)).toBeUndefined();
  state.isBroken = false;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current.rowAt(440)?.AssignmentId).toBe('440'));
});

it.each([
  [0, 29, { offset: 0, limit: 50 }],
  [0, 30, { offset: 0, limit: 100 }],
  [70, 120, { offset: 50, limit: 100 }],
  [69, 90, { offset: 0, limit: 150 }],
])('reads the rows from %i to %i and those near them, in whole steps', async (first, last, read) => {
  const { asked, result } = await setUp();
  act(() => result.current.onRange(first, last));
  await waitFor(() => expect(asked.at(-1)).toEqual(read));
});

it('reads nothing while a few rows are scrolled', async () => {
  const { asked, result } = await setUp();
  act(() => result.current.onRange(75, 100));
  await waitFor(() => expect(result.current.rowAt(100)).toBeDefined());
  act(() => result.current.onRange(85, 110));
  act(() => result.current.onRange(420, 440));
  await waitFor(() => expect(result.current.rowAt(440)).toBeDefined());
  expect(asked.map(({ offset }) => offset)).toEqual([0, 50, 400]);
});

// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useFound } from './search.ts';

const setUp = async () => {
  const asked: string[] = [];
  const state = { isBroken: false };
  const { render } = await createTestWindow({
    search: {
      find: ({ text }) => {
        asked.push(text);
        if (state.isBroken) throw new DeskError('data/corrupt', 'no');
        return { protocols: [], protocolTotal: text.length, assignments: [], assignmentTotal: 0, cached: 0 };
      },
    },
  });
  const { result, rerender } = render((text: string) => useFound(text, 1), 'mill');
  await waitFor(() => expect(result.current.value?.protocolTotal).toBe(4));
  return { asked, state, result, rerender };
};

it('keeps the answer to one question until the next is answered', async () => {
  const { result, rerender } = await setUp();
  rerender('mills');
  expect(result.current.value?.protocolTotal).toBe(4);
  await waitFor(() => expect(result.current.value?.protocolTotal).toBe(5));
});

it('has an error or a value, and asks again on reload', async () => {
  const { asked, state, result } = await setUp();
  state.isBroken = true;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current).toMatchObject({ value: undefined, error: { code: 'data/corrupt' } }));
  state.isBroken = false;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current).toMatchObject({ value: {}, error: undefined }));
  expect(asked).toEqual(['mill', 'mill', 'mill']);
});

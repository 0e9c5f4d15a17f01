// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { FoundFiles } from '../../contract/files.ts';
import type { Found } from '../../contract/search.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useFound, useFoundEverywhere, useFoundFor } from './search.ts';

const foundOf = (protocolTotal: number): Found => ({
  protocols: [],
  protocolTotal,
  assignments: [],
  assignmentTotal: 0,
  cached: 0,
});

it('keeps what was found for the text before, with that text, until the next is answered', async () => {
  const open: (() => void)[] = [];
  const { render } = await createTestWindow({
    search: {
      find: async ({ text }) => {
        if (text === 'mill street') await new Promise<void>((resolve) => open.push(resolve));
        return foundOf(text.length);
      },
    },
  });
  const { result, rerender } = render((text: string) => useFoundFor(text, 6), 'mill');
  expect(result.current).toBeUndefined();
  await waitFor(() => expect(result.current).toEqual({ text: 'mill', found: foundOf(4) }));
  rerender('mill street');
  await waitFor(() => expect(open).toHaveLength(1));
  expect(result.current?.text).toBe('mill');
  act(() => open[0]?.());
  await waitFor(() => expect(result.current).toEqual({ text: 'mill street', found: foundOf(11) }));
});

it('asks nothing for an empty text, and finds nothing if the search fails', async () => {
  const { render, called } = await createTestWindow({
    search: {
      find: () => {
        throw new DeskError('data/unwritable', 'no');
      },
    },
  });
  const { result, rerender } = render((text: string) => useFoundFor(text, 6), '');
  expect(result.current).toBeUndefined();
  expect(called).not.toContain('search.find');
  rerender('mill');
  await waitFor(() => expect(result.current).toEqual({ text: 'mill', found: foundOf(0) }));
});

it('searches for no more of a text than main takes', async () => {
  const { render } = await createTestWindow({ search: { find: ({ text }) => foundOf(text.length) } });
  const { result } = render(() => ({ first: useFoundFor('x'.repeat(300), 6), all: useFound('mill', 1) }), undefined);
  await waitFor(() => expect(result.current.first?.found.protocolTotal).toBe(200));
  expect(result.current.all.value?.protocolTotal).toBe(4);
});

it('shows what is there before the files of uploads have been searched', async () => {
  const searching = new Map<string, PromiseWithResolvers<FoundFiles>>();
  const { render } = await createTestWindow({
    search: { find: ({ text }) => foundOf(text.length) },
    files: {
      find: ({ text = '' }) => {
        const search = Promise.withResolvers<FoundFiles>();
        searching.set(text, search);
        return search.promise;
      },
    },
  });
  const { result, rerender } = render((text: string) => useFoundEverywhere(text, 6), 'mill');
  await waitFor(() => expect(result.current).toEqual({ text: 'mill', found: foundOf(4), files: undefined }));
  rerender('bridge');
  await waitFor(() => expect(result.current).toEqual({ text: 'bridge', found: foundOf(6), files: undefined }));
  const answer = (text: string, total: number) =>
    act(async () => searching.get(text)?.resolve({ files: [], total, isMore: false }));
  // Those of another text are not shown with what was found for this one.
  await answer('mill', 1);
  await answer('bridge', 2);
  await waitFor(() => expect(result.current?.files?.total).toBe(2));
  expect(result.current).toMatchObject({ text: 'bridge', found: foundOf(6) });
});

it('finds no files if their search fails', async () => {
  const { render } = await createTestWindow({ search: { find: () => foundOf(1) } });
  const { result } = render(() => useFoundEverywhere('mill', 6), undefined);
  await waitFor(() =>
    expect(result.current).toEqual({ text: 'mill', found: foundOf(1), files: { files: [], total: 0 } }),
  );
});

// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useAction } from './store.tsx';

it('is busy while it runs, and reports its failure unless the caller takes it', async () => {
  const { render, store } = await createTestWindow({});
  const taken: unknown[] = [];
  const fail = () => Promise.reject(new DeskError('service/failed', 'no'));
  const { result } = render(
    () => ({ reported: useAction(fail), taken: useAction(fail, (error) => taken.push(error)) }),
    undefined,
  );
  act(() => {
    result.current.reported.run();
    result.current.taken.run();
  });
  expect(result.current).toMatchObject({ reported: { busy: true }, taken: { busy: true } });
  await waitFor(() => expect(result.current).toMatchObject({ reported: { busy: false }, taken: { busy: false } }));
  expect(store.getState().reports.map(({ code }) => code)).toEqual(['service/failed']);
  expect(taken).toHaveLength(1);
});

it('is busy until the last of its runs has ended', async () => {
  const { render } = await createTestWindow({});
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const { result } = render(() => useAction((run: 0 | 1) => ends[run].promise), undefined);
  act(() => {
    result.current.run(0);
    result.current.run(1);
  });
  await act(async () => ends[0].resolve());
  expect(result.current.busy).toBe(true);
  await act(async () => ends[1].resolve());
  expect(result.current.busy).toBe(false);
});

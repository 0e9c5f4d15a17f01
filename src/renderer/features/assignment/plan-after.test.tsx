// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { useChange } from './plan-after.tsx';

it('keeps a rejected change until one succeeds', async () => {
  const { render, store } = await createTestWindow({});
  const { result } = render(
    () =>
      useChange(async (change: string) => {
        if (change === 'bad') throw new DeskError('service/refused', 'no');
      }),
    undefined,
  );
  act(() => result.current.run('bad'));
  expect(result.current.busy).toBe(true);
  await waitFor(() => expect(result.current.busy).toBe(false));
  expect(result.current.rejected).toMatchObject({ change: 'bad', error: { code: 'service/refused' } });
  // It is shown beside its value, not in a toast.
  expect(store.getState().reports).toEqual([]);
  act(() => result.current.run('good'));
  await waitFor(() => expect(result.current.rejected).toBeUndefined());
});

it('forgets a rejected change that is dismissed', async () => {
  const { render } = await createTestWindow({});
  const { result } = render(() => useChange(async () => Promise.reject(new Error('no'))), undefined);
  act(() => result.current.run(undefined));
  await waitFor(() => expect(result.current.rejected).toBeDefined());
  act(() => result.current.dismiss());
  expect(result.current.rejected).toBeUndefined();
});

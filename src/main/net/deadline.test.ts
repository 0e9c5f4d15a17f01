import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { withDeadline } from './deadline.ts';

const never = (signal: AbortSignal) => orCancelled(new Promise<never>(() => {}), signal);

test('A6: work that takes too long ends with service/timeout', async () => {
  await expect(withDeadline(1, undefined, never)).rejects.toMatchObject({
    code: 'service/timeout',
    retry: 'later',
    details: { afterMs: 1 },
  });
});

test('A6: the signal of the caller ends the work with its own reason', async () => {
  const signal = AbortSignal.abort(new DeskError('auth/cancelled', 'enough'));
  await expect(withDeadline(60_000, signal, never)).rejects.toMatchObject({ code: 'auth/cancelled' });
});

test('A6: work that ends in time is not interrupted', async () => {
  expect(await withDeadline(60_000, undefined, async () => 'done')).toBe('done');
});

test('the caller ends work in progress, and nothing of it stays attached to its signal', async () => {
  const caller = new AbortController();
  const ended = withDeadline(60_000, caller.signal, never);
  caller.abort(new DeskError('auth/cancelled', 'enough'));
  await expect(ended).rejects.toMatchObject({ code: 'auth/cancelled' });
  const other = new AbortController();
  expect(await withDeadline(60_000, other.signal, async (signal) => signal.aborted)).toBe(false);
  for (const { signal } of [caller, other]) expect(getEventListeners(signal, 'abort')).toEqual([]);
});

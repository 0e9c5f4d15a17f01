import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { cancellation, orCancelled, throwIfCancelled } from './cancel.ts';

test('a DeskError given as the reason is the cancellation', () => {
  const reason = new DeskError('auth/timeout', 'too long');
  expect(cancellation(AbortSignal.abort(reason))).toBe(reason);
  expect(cancellation(AbortSignal.abort('anything'))).toMatchObject({ code: 'app/cancelled' });
});

test('only an aborted signal throws', () => {
  throwIfCancelled(undefined);
  throwIfCancelled(new AbortController().signal);
  expect(() => throwIfCancelled(AbortSignal.abort())).toThrow(expect.objectContaining({ code: 'app/cancelled' }));
});

test('the work or the cancellation, whichever comes first', async () => {
  const never = new Promise<never>(() => {});
  const controller = new AbortController();
  expect(await orCancelled(Promise.resolve(1), controller.signal)).toBe(1);
  const waiting = orCancelled(never, controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'app/cancelled' });
  await expect(orCancelled(never, controller.signal)).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('work that fails after the cancellation causes no unhandled rejection', async () => {
  const failing = Promise.reject(new Error('late'));
  await expect(orCancelled(failing, AbortSignal.abort())).rejects.toMatchObject({ code: 'app/cancelled' });
});

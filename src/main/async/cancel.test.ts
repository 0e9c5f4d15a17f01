import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import { cancellation, onAbort, orCancelled, throwIfCancelled, withDeadline } from './cancel.ts';

const start = () => {
  const abort = new AbortController();
  const called: number[] = [];
  const listen = (who: number) => onAbort(abort.signal, () => called.push(who));
  return { abort, called, listen, ofSignal: () => getEventListeners(abort.signal, 'abort').length };
};

test('calls every listener once, in order, when the signal is aborted, except those that were removed', () => {
  const { abort, called, listen, ofSignal } = start();
  listen(1);
  const remove = listen(2);
  listen(3);
  expect(ofSignal()).toBe(1);
  remove();
  remove();
  abort.abort();
  expect(called).toEqual([1, 3]);
});

test('calls a listener at once if the signal is already aborted, even during the abort', () => {
  const { abort, called, listen } = start();
  onAbort(abort.signal, () => listen(2));
  listen(3);
  abort.abort();
  listen(4)();
  expect(called).toEqual([2, 3, 4]);
});

test('a listener that is removed during the abort is not called', () => {
  const { abort, called, listen } = start();
  onAbort(abort.signal, () => remove());
  const remove = listen(1);
  listen(2);
  abort.abort();
  expect(called).toEqual([2]);
});

test('a signal without listeners has none of its own, and may get new ones', () => {
  const { abort, called, listen, ofSignal } = start();
  const removals = [listen(1), listen(2)];
  for (const remove of removals) remove();
  expect(ofSignal()).toBe(0);
  const late = listen(3);
  for (const remove of removals) remove();
  expect(ofSignal()).toBe(1);
  listen(4);
  late();
  abort.abort();
  expect(called).toEqual([4]);
});

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

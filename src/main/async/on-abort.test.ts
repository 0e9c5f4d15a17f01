import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from './on-abort.ts';

const start = () => {
  const abort = new AbortController();
  const called: number[] = [];
  const listen = (who: number) => onAbort(abort.signal, () => called.push(who));
  return { abort, called, listen, systemListeners: () => getEventListeners(abort.signal, 'abort').length };
};

test('calls every listener once, in order, when the signal is aborted, but none that has left', () => {
  const { abort, called, listen, systemListeners } = start();
  listen(1);
  const leave = listen(2);
  listen(3);
  expect(systemListeners()).toBe(1);
  leave();
  leave();
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

test('a listener that leaves during the abort is not called any more', () => {
  const { abort, called, listen } = start();
  onAbort(abort.signal, () => leave());
  const leave = listen(1);
  listen(2);
  abort.abort();
  expect(called).toEqual([2]);
});

test('a signal is left alone once all its listeners have left, and may get new ones', () => {
  const { abort, called, listen, systemListeners } = start();
  const leaves = [listen(1), listen(2)];
  for (const leave of leaves) leave();
  expect(systemListeners()).toBe(0);
  const late = listen(3);
  for (const leave of leaves) leave();
  expect(systemListeners()).toBe(1);
  listen(4);
  late();
  abort.abort();
  expect(called).toEqual([4]);
});

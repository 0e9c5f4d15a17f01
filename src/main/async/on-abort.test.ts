import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from './on-abort.ts';

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

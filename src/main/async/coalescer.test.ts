import { expect, onTestFinished, test, vi } from 'vitest';
import { createCoalescer } from './coalescer.ts';

const start = () => {
  const flushed: (readonly number[])[] = [];
  return { ...createCoalescer<number>((all) => flushed.push(all)), flushed };
};
const turn = () => new Promise(setImmediate);

test('flushes everything added in one turn together, in order, and once', async () => {
  const { add, addLazily, flushed } = start();
  addLazily(1);
  add(2);
  addLazily(3);
  add(4);
  expect(flushed).toEqual([]);
  await turn();
  expect(flushed).toEqual([[1, 2, 3, 4]]);
  add(5);
  await turn();
  expect(flushed).toEqual([[1, 2, 3, 4], [5]]);
});

test('flushes what is added lazily with the next addition, or shortly after', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { add, addLazily, flushed } = start();
  addLazily(1);
  await turn();
  expect(flushed).toEqual([]);
  add(2);
  await turn();
  expect(flushed).toEqual([[1, 2]]);
  addLazily(3);
  vi.advanceTimersByTime(10);
  expect(flushed).toEqual([[1, 2], [3]]);
});

test('flushes what was added lazily at the end of the turn in which that is requested', async () => {
  const { addLazily, hurry, flushed } = start();
  hurry();
  await turn();
  expect(flushed).toEqual([]);
  addLazily(1);
  hurry();
  addLazily(2);
  await turn();
  expect(flushed).toEqual([[1, 2]]);
});

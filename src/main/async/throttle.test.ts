import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCoalescer, createThrottle, keepLastResult } from './throttle.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

test('acts once for many requests, after the interval', () => {
  const action = vi.fn();
  const throttle = createThrottle(action, 100, () => expect.unreachable());
  for (let request = 0; request < 10; request += 1) throttle.request();
  expect(action).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(action).toHaveBeenCalledTimes(1);
  throttle.request();
  vi.advanceTimersByTime(99);
  expect(action).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(action).toHaveBeenCalledTimes(2);
});

test('acts one last time at the end, and never after it', () => {
  const action = vi.fn();
  const throttle = createThrottle(action, 100, () => expect.unreachable());
  throttle.request();
  throttle.end();
  expect(action).toHaveBeenCalledTimes(1);
  throttle.request();
  vi.advanceTimersByTime(1000);
  expect(action).toHaveBeenCalledTimes(1);
});

test('reports what the action throws in its time, and goes on', () => {
  const errors: unknown[] = [];
  const broken = new Error('closed');
  let isBroken = true;
  let acted = 0;
  const action = (): void => {
    if (isBroken) throw broken;
    acted += 1;
  };
  const throttle = createThrottle(action, 100, (error) => errors.push(error));
  throttle.request();
  vi.advanceTimersByTime(100);
  expect(errors).toEqual([broken]);
  isBroken = false;
  throttle.request();
  vi.advanceTimersByTime(100);
  expect(acted).toBe(1);
});

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

test('asks once for the same question, and again after another one or a failure', async () => {
  const answer = keepLastResult<string>();
  const asked: string[] = [];
  const ask = (question: string, fails = false) =>
    answer(question, async () => {
      asked.push(question);
      if (fails) throw new Error('no');
      return question;
    });
  expect(await Promise.all([ask('one'), ask('one')])).toEqual(['one', 'one']);
  expect(await ask('other')).toBe('other');
  await expect(ask('bad', true)).rejects.toThrow('no');
  expect(await ask('bad')).toBe('bad');
  expect(asked).toEqual(['one', 'other', 'bad', 'bad']);
});

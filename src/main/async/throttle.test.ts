import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from './throttle.ts';

beforeEach(() => vi.useFakeTimers());
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

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createThrottle } from './throttle.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('acts once for many requests, after the interval', () => {
  const action = vi.fn();
  const throttle = createThrottle(action, 100);
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
  const throttle = createThrottle(action, 100);
  throttle.request();
  throttle.end();
  expect(action).toHaveBeenCalledTimes(1);
  throttle.request();
  vi.advanceTimersByTime(1000);
  expect(action).toHaveBeenCalledTimes(1);
});

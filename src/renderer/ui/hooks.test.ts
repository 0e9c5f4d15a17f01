// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useDebounced } from './hooks.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('follows a value once it has stayed the same', () => {
  const { result, rerender } = renderHook((text: string) => useDebounced(text, 300), { initialProps: 'm' });
  expect(result.current).toBe('m');
  for (const text of ['mi', 'mil', 'mill']) {
    rerender(text);
    act(() => vi.advanceTimersByTime(200));
  }
  expect(result.current).toBe('m');
  act(() => vi.advanceTimersByTime(100));
  expect(result.current).toBe('mill');
});

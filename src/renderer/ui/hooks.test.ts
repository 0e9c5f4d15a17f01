// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useDebounced, useDropZone, useWithin } from './hooks.ts';

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

it('takes the place of a value that is missing for long, until it is there', () => {
  const { result, rerender } = renderHook((value?: boolean) => useWithin(value, 5_000, true));
  act(() => vi.advanceTimersByTime(4_999));
  expect(result.current).toBeUndefined();
  act(() => vi.advanceTimersByTime(1));
  expect(result.current).toBe(true);
  rerender(false);
  expect(result.current).toBe(false);
  rerender(undefined);
  expect(result.current).toBeUndefined();
});

it('knows when dragged files leave, even if a row under the pointer was removed meanwhile', () => {
  document.body.innerHTML = '<div id="root"><p>1</p><p>2</p></div>';
  const [first, second] = document.querySelectorAll('p');
  if (!first || !second) expect.fail('no rows');
  const zone = { current: first };
  const { result } = renderHook(() => useDropZone(zone, () => {}));
  const drag = (type: string, target: Element): void => {
    const event = Object.assign(new Event(type, { bubbles: true }), { dataTransfer: { types: ['Files'] } });
    act(() => void target.dispatchEvent(event));
  };
  drag('dragenter', first);
  // The pointer enters an element before it leaves the previous one.
  drag('dragenter', second);
  drag('dragleave', first);
  expect(result.current).toBe(true);
  // A removed element reports no leave.
  second.remove();
  drag('dragenter', first);
  drag('dragleave', first);
  expect(result.current).toBe(false);
});

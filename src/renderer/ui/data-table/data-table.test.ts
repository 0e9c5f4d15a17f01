import { expect, test } from 'vitest';
import { longScroll, offsetFor, rowsInView } from './data-table.tsx';

test('rows that fit into an element are scrolled as far as the element', () => {
  const { heightPx, toRows, toElement } = longScroll(1_000_000, 800);
  expect([heightPx, toRows(1234), toElement(1234)]).toEqual([1_000_000, 1234, 1234]);
});

test('the ends of more rows are the ends of the element', () => {
  const rowsPx = 52_000_000;
  const { heightPx, toRows, toElement } = longScroll(rowsPx, 800);
  expect(heightPx).toBeLessThan(rowsPx);
  expect(toRows(0)).toBe(0);
  expect(toRows(heightPx - 800)).toBeCloseTo(rowsPx - 800);
  expect(toElement(toRows(7_000_000))).toBeCloseTo(7_000_000);
});

test('a row is scrolled into view by the nearest way, and not at all if it is there', () => {
  expect(offsetFor(100, 150, 300, 200)).toBe(100);
  expect(offsetFor(350, 400, 300, 200)).toBe(300);
  expect(offsetFor(600, 650, 300, 200)).toBe(450);
});

test('the start of a row is never scrolled out of view, even if the height of the view is not known yet', () => {
  expect(offsetFor(0, 52, 0, -36)).toBe(0);
  expect(offsetFor(520, 572, 0, -36)).toBe(520);
});

test('the rows around those in view are rendered, and one more wherever it is', () => {
  expect(rowsInView(1_000, 100, 101, 0)).toEqual([0, ...Array.from({ length: 18 }, (_, index) => 92 + index)]);
  expect(rowsInView(1_000, 998, 999, 5).slice(-2)).toEqual([998, 999]);
  expect(rowsInView(1_000, 0, 1, 999).at(-1)).toBe(999);
});

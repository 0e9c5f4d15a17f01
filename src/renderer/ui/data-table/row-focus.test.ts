import { expect, it } from 'vitest';
import { rowAfterKey } from './row-focus.ts';

it('moves by rows, by pages and to the ends', () => {
  expect(rowAfterKey('ArrowDown', 3, 100)).toBe(4);
  expect(rowAfterKey('ArrowUp', 3, 100)).toBe(2);
  expect(rowAfterKey('PageDown', 3, 100)).toBe(13);
  expect(rowAfterKey('Home', 3, 100)).toBe(0);
  expect(rowAfterKey('End', 3, 100)).toBe(99);
});

it('stays within the table', () => {
  expect(rowAfterKey('ArrowUp', 0, 5)).toBe(0);
  expect(rowAfterKey('PageDown', 3, 5)).toBe(4);
});

it('ignores other keys and an empty table', () => {
  expect(rowAfterKey('Enter', 0, 5)).toBeUndefined();
  expect(rowAfterKey('ArrowDown', 0, 0)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { readPage } from './contractor.ts';

test.each([
  [undefined, undefined, 1],
  ['1', undefined, 1],
  ['12', undefined, 12],
  [undefined, '0', 1],
  [undefined, '4', 5],
  ['3', '9', 3],
  ['3', 'x', 3],
  ['0', undefined, undefined],
  ['-1', undefined, undefined],
  ['1.5', undefined, undefined],
  ['1e3', undefined, undefined],
  ['', undefined, undefined],
  ['two', undefined, undefined],
  [undefined, 'two', undefined],
])('Page %j with cursor %j is page %j', (page, cursor, expected) => {
  expect(readPage(page, cursor)).toBe(expected);
});

import { expect, it } from 'vitest';
import { sortRows } from './projects-page.tsx';

const self = (value: string | number) => value;

it('sorts numbers within texts by size and ignores case', () => {
  expect(sortRows(['Road 10', 'road 9', 'Avenue 1'], self, false)).toEqual(['Avenue 1', 'road 9', 'Road 10']);
  expect(sortRows([2, 10, 1], self, true)).toEqual([10, 2, 1]);
});

it('puts rows without a value last in either order', () => {
  expect(sortRows(['b', '', 'a'], self, false)).toEqual(['a', 'b', '']);
  expect(sortRows(['b', '', 'a'], self, true)).toEqual(['b', 'a', '']);
});

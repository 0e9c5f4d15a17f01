import { expect, it } from 'vitest';
import { nextSort } from './sort.ts';

it('reverses the order when the same heading is pressed again', () => {
  expect(nextSort(undefined, 'City')).toEqual({ by: 'City', descending: false });
  expect(nextSort({ by: 'City', descending: false }, 'City')).toEqual({ by: 'City', descending: true });
  expect(nextSort({ by: 'City', descending: true }, 'City')).toEqual({ by: 'City', descending: false });
  expect(nextSort({ by: 'City', descending: true }, 'Points')).toEqual({ by: 'Points', descending: false });
});

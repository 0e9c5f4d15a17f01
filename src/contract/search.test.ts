import { expect, test } from 'vitest';
import { LONGEST_SEARCH, marksIn, SearchText } from './search.ts';

const marked = (text: string, searched: string): readonly string[] =>
  marksIn(text, searched).map(([from, to]) => text.slice(from, to));

test('marks the words for which a record was found, and no digits that were not meant', () => {
  expect(marked('Storgata 24', 'storgata 24, bergen')).toEqual(['Storgata', '24']);
  expect(marked('Bergen', 'storgata 24, bergen')).toEqual(['Bergen']);
  expect(marked('FAC-241187', 'storgata 24, bergen')).toEqual([]);
  expect(marked('FAC-241187', 'fac-24')).toEqual(['FAC', '24']);
  expect(marked('5003', 'berg 50')).toEqual(['50']);
  expect(marked('Ängsvägen 3', 'angs')).toEqual(['Ängs']);
  expect(marked('Hauptstraße 5', 'HAUPTSTRASSE')).toEqual(['Hauptstraße']);
  expect(marked('Mill Lane', '')).toEqual([]);
});

test('a text that is too long to search for is cut off', () => {
  expect(SearchText.parse('x'.repeat(LONGEST_SEARCH + 1))).toBe('x'.repeat(LONGEST_SEARCH));
});

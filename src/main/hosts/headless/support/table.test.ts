import { expect, test } from 'vitest';
import { cutToWidth, formatTable, textWidth } from './table.ts';

test.each([
  ['Harbour Street 7', 16],
  ['Åkerö', 5],
  ['A\u030akero\u0308', 5],
  ['東京都港区', 10],
  ['ﾄｳｷｮｳ', 5],
  ['서울 3', 6],
  ['（株）', 6],
  ['🏠', 2],
  ['👩🏽‍🔧 👍', 5],
  ['❤️', 2],
  ['', 0],
])('%s takes %i columns', (text, width) => expect(textWidth(text)).toBe(width));

test('cuts a text between two characters, to at most the given columns', () => {
  expect(cutToWidth('abcdef', 6)).toBe('abcdef');
  expect(cutToWidth('abcdefg', 6)).toBe('abcde…');
  expect(cutToWidth('東京都港区', 6)).toBe('東京…');
  expect(cutToWidth('👩🏽‍🔧👩🏽‍🔧', 3)).toBe('👩🏽‍🔧…');
});

test('columns of East Asian text line up with those of Latin text', () => {
  const columns = [
    { title: 'City', cell: ({ city }: { readonly city: string }) => city },
    { title: 'Points', cell: () => 3 },
  ];
  expect(formatTable([{ city: '東京' }, { city: 'Oslo' }], columns)).toEqual([
    'City  Points',
    '東京       3',
    'Oslo       3',
  ]);
});

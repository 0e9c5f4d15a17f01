import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMisleading, pastedCell, visibleText } from './text.ts';

test.each([
  ['Storgatan 4\u200b27, Lund', 'Storgatan 4⟨U+200B⟩27, Lund'],
  ['Stor\u00adgatan 4', 'Stor⟨U+00AD⟩gatan 4'],
  ['4\u202e72\u2066', '4⟨U+202E⟩72⟨U+2066⟩'],
  ['Storg\u0430tan 4', 'Storg⟨U+0430⟩tan 4'],
  ['Storgatan 12\u0430', 'Storgatan 12⟨U+0430⟩'],
  ['Storgatan/12 \u0430', 'Storgatan/12 ⟨U+0430⟩'],
  ['Storgatan 1\u041e5', 'Storgatan 1⟨U+041E⟩5'],
  ['Storgatan 4²', 'Storgatan 4⟨U+00B2⟩'],
  ['Storgatan 4\u200a27', 'Storgatan 4⟨U+200A⟩27'],
  ['Storgatan 4\u033827', 'Storgatan 4⟨U+0338⟩27'],
  ['Storgatan ٤', 'Storgatan ⟨U+0664⟩'],
  ['👨\u200d👩 Lund', '👨⟨U+200D⟩👩 Lund'],
  ['a\u{e0041}b', 'a⟨U+E0041⟩b'],
])('%j is seen as %j', (text, seen) => {
  expect(visibleText(text)).toBe(seen);
});

test.each([
  'Ленина 12а',
  'Λεωφόρος 12',
  'Storgatan Москва 4',
  'Ängsvägen 33 e\u0301',
  '120 m²',
  'Bad 🏠',
  '東京タワー',
])('%j is what it looks like', (text) => {
  expect(isMisleading(text)).toBe(false);
});

test('B29: no cell that is copied is a formula, or breaks out of its cell', () => {
  const point = { decimal: '.' } as const;
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a\n=1+1', '\u200b=1', 'a\u2028b']) {
    const cell = pastedCell(text, point);
    expect(cell).not.toMatch(/[\t\r\n\u2028]/);
    expect(cell.trim()).not.toMatch(/^[=+\-@]/);
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\t\r\n]/.test(pastedCell(text, point))));
  expect(pastedCell('Storgata 3-4', point)).toBe('Storgata 3-4');
  expect(pastedCell(-1.5, { decimal: ',' })).toBe('-1,5');
});

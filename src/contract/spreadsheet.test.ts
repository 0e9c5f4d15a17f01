import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pastedCell } from './spreadsheet.ts';

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

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sheetFormat } from '../../contract/text.ts';
import { csvRow } from './csv.ts';

/**
 * Reads a row with code that it does not share with the writer. A quote begins a quoted text only at the start of a
 * field, and is doubled inside the text (RFC 4180). If `separator` is not that of the writer, line breaks can end up
 * outside of quotes; each of them then ends a field.
 */
const read = (row: string, separator = ','): readonly string[] => {
  const fields: string[] = [];
  let [at, field, quoted] = [0, '', false];
  for (; at < row.length - '\r\n'.length; at += 1) {
    const next = row[at];
    if (quoted && next === '"' && row[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (next === '"' && (quoted || field === '')) {
      quoted = !quoted;
    } else if ([separator, '\n', '\r'].includes(next ?? '') && !quoted) {
      fields.push(field);
      field = '';
    } else {
      field += next;
    }
  }
  return [...fields, field];
};

const hidden = ['', ' ', '\u00a0', '\u200b', '\u200e', '\u202e', '\u2060', '\u3164', '\ufeff', '\u00ad', '\u3000'];
const triggers = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t'];
const starts = ['', '\n', '\r', '\r\n', 'z\n', 'z\r', 'z\u2028', 'z\u0085', 'z;', 'z\t', 'z"\n'];
/**
 * Whether `character` is invisible. Unlike the writer's expression, this one lists some characters by their code
 * points.
 */
const isInvisible = (character: string) => /[\s\p{Cf}\p{Cc}\p{Mn}\u115f\u1160\u3164\uffa0]/u.test(character);
const firstVisible = (line: string) => [...line].find((character) => !isInvisible(character));
const formulas = new Set(triggers.filter((trigger) => trigger !== '\t'));

const isHarmless = (text: string): boolean =>
  text.split(/[\r\n\u0085\u2028\u2029]/).every((line) => !formulas.has(firstVisible(line) ?? '') && line[0] !== '\t') &&
  !/^[\t\r\n]/.test(text);

test('A2: no line of a cell begins with what starts a formula, whatever stands before it', () => {
  for (const start of starts) {
    for (const before of hidden) {
      for (const trigger of triggers) {
        const text = `${start}${before}${trigger}cmd|' /C calc'!A0`;
        const [cell = ''] = read(csvRow([text]));
        expect(isHarmless(cell), JSON.stringify(text)).toBe(true);
        expect(cell.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
      }
    }
  }
});

const piece = fc.oneof(
  fc.constantFrom(...starts, ...hidden, ...triggers, '"', ',', ';', "'", '\v', '\u0000', '\ud800'),
  fc.string({ unit: 'binary' }),
);
const text = fc.array(piece).map((pieces) => pieces.join(''));

test('A2: any texts come back as they are but for the marks, and none is a formula', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), (texts) => {
      const cells = read(csvRow(texts));
      expect(cells.map((cell) => cell.replaceAll("'", ''))).toEqual(texts.map((one) => one.replaceAll("'", '')));
      expect(cells.filter((cell) => !isHarmless(cell))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test.each([';', '\t'])(
  'A2: any texts split at %j, as Excel does in other countries, have no formula either',
  (separator) => {
    const row = (texts: readonly string[]) => read(csvRow(['street', ...texts]), separator);
    expect(row(['a;"=1+1;b', 'c\n"=1+1;d']).filter((cell) => !isHarmless(cell))).toEqual([]);
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => row(texts).every(isHarmless)),
      { numRuns: 2_000 },
    );
  },
);

test.each([';', '\t'])(
  'A2: a row split at %j, as Excel does in other countries, has no formula either',
  (separator) => {
    const row = csvRow(['street', 'a;=1+1;', 'b\t@SUM(A1)\t', 'c; \u200b+1', 'd"; =1']);
    expect(read(row, separator).filter((cell) => !isHarmless(cell))).toEqual([]);
  },
);

test('A2: numbers are numbers, negative ones too; texts of digits are not', () => {
  expect(csvRow([-5, 1.5, 1e21, 0, '-5', '5', null, Number.NaN])).toBe('-5,1.5,1e+21,0,"\'-5","5","",""\r\n');
});

test('numbers with a decimal comma are separated by semicolons, and no text becomes a formula', () => {
  const format = sheetFormat(new Intl.NumberFormat('de-DE').format);
  expect(csvRow(['Müll; Str. 1', 1.5, -0.25, 'a,b', '1,5', '=1+1'], format)).toBe(
    '"Müll; Str. 1";1,5;-0,25;"a,b";"1,5";"\'=1+1"\r\n',
  );
  for (const locale of ['en-GB', 'de-CH', 'ja-JP']) {
    expect(csvRow(['a', 1.5], sheetFormat(new Intl.NumberFormat(locale).format)), locale).toBe('"a",1.5\r\n');
  }
  for (const locale of ['sv-SE', 'nb-NO', 'de-AT']) {
    expect(csvRow(['a', 1.5], sheetFormat(new Intl.NumberFormat(locale).format)), locale).toBe('"a";1,5\r\n');
  }
});

test('A2: what only looks dangerous stays as it is', () => {
  const texts = [
    'Station Road 4-6',
    'a@b.example',
    'x=1',
    'Tom & Jerry, "Inc."',
    '',
    'line\nline\n\nline',
    '2026-03-01',
  ];
  expect(read(csvRow(texts))).toEqual(texts);
});

test('A2: a long text of blanks takes no long time', () => {
  expect(csvRow([`${' '.repeat(2_000_000)}=`, '\t;'.repeat(200_000)]).length).toBeGreaterThan(2_400_000);
});

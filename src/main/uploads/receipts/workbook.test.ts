import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { workbook } from './workbook.ts';

const partsOf = (pieces: Iterable<Uint8Array>): ReadonlyMap<string, string> =>
  new Map(Object.entries(unzipSync(Buffer.concat([...pieces]))).map(([path, content]) => [path, strFromU8(content)]));

test('what has more rows than a sheet can have continues on another one, under the same header', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((text) => [text]);
  const parts = partsOf(workbook([{ name: 'Files', widths: [9], header: ['File'], rows }], 3));
  const texts = (no: number) =>
    [...(parts.get(`xl/worksheets/sheet${no}.xml`) ?? '').matchAll(/<t [^>]*>(.*?)<\/t>/g)].map(([, text]) => text);
  expect([1, 2, 3].map(texts)).toEqual([
    ['File', 'a', 'b'],
    ['File', 'c', 'd'],
    ['File', 'e'],
  ]);
  expect(parts.get('xl/workbook.xml')).toContain('name="Files 3"');
});

test('a text is cut to what a cell can hold', () => {
  const sheet = partsOf(workbook([{ name: 'Files', widths: [9], rows: [['x'.repeat(40_000)]] }])).get(
    'xl/worksheets/sheet1.xml',
  );
  expect(/x{100,}/.exec(sheet ?? '')?.[0]).toHaveLength(32_767);
});

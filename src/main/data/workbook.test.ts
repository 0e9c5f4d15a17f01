import { buffer } from 'node:stream/consumers';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { workbook } from './workbook.ts';

const partsOf = async (pieces: AsyncIterable<Uint8Array>): Promise<ReadonlyMap<string, string>> => {
  const files = unzipSync(await buffer(pieces));
  return new Map(Object.entries(files).map(([path, content]) => [path, strFromU8(content)]));
};

test('what has more rows than a sheet can have continues on another one, under the same header', async () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((text) => [text]);
  const parts = await partsOf(workbook([{ name: 'Files', widths: [9], header: ['File'], rows }], 3));
  const texts = (no: number) =>
    [...(parts.get(`xl/worksheets/sheet${no}.xml`) ?? '').matchAll(/<t [^>]*>(.*?)<\/t>/g)].map(([, text]) => text);
  expect([1, 2, 3].map(texts)).toEqual([
    ['File', 'a', 'b'],
    ['File', 'c', 'd'],
    ['File', 'e'],
  ]);
  expect(parts.get('xl/workbook.xml')).toContain('name="Files 3"');
});

test('a text is cut to what a cell can hold', async () => {
  const parts = await partsOf(workbook([{ name: 'Files', widths: [9], rows: [['x'.repeat(40_000)]] }]));
  const sheet = parts.get('xl/worksheets/sheet1.xml');
  expect(/x{100,}/.exec(sheet ?? '')?.[0]).toHaveLength(32_767);
});

test('a table may have more columns than there are letters, and a name that Excel does not accept', async () => {
  const row = Array.from({ length: 28 }, (_, at) => at + 0.5);
  const parts = await partsOf(
    workbook([{ name: 'Assignments: [all] / of the whole country', widths: [9], rows: [row] }]),
  );
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  expect([...sheet.matchAll(/<c r="(\w+)"/g)].map(([, at]) => at).slice(24)).toEqual(['Y1', 'Z1', 'AA1', 'AB1']);
  expect(parts.get('xl/workbook.xml')).toContain('name="Assignments   all    of the"');
});

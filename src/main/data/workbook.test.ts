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

test('a picture is drawn above the rows, no larger than a letterhead, and on the first sheet of several', async () => {
  const picture = { type: 'image/jpeg', bytes: new Uint8Array([0xff, 0xd8, 1, 2]), width: 2400, height: 280 } as const;
  const pieces = workbook([{ name: 'Receipt', widths: [9], picture, rows: [['a'], ['b']] }], 2);
  const files = unzipSync(await buffer(pieces));
  const part = (path: string): string => (files[path] ? strFromU8(files[path]) : '');
  expect(files['xl/media/image1.jpeg']).toEqual(picture.bytes);
  // The width is 60 mm; a millimetre has 36,000 English metric units. The row is somewhat higher than the
  // picture; its height is in points.
  expect(part('xl/drawings/drawing1.xml')).toContain('<xdr:ext cx="2160000" cy="252000"/>');
  const sheet = part('xl/worksheets/sheet1.xml');
  expect(/<row r="1" ht="([\d.]+)" customHeight="1"\/><row r="2">/.exec(sheet)?.[1]).toBe(String(252_000 / 12_700 + 6));
  expect(sheet).not.toContain('<row r="3">');
  expect(sheet).toMatch(/<drawing r:id="rId1"\/><\/worksheet>$/);
  expect(part('xl/worksheets/_rels/sheet1.xml.rels')).toContain('Id="rId1"');
  expect(part('xl/worksheets/_rels/sheet1.xml.rels')).toContain('Target="../drawings/drawing1.xml"');
  expect(part('xl/drawings/_rels/drawing1.xml.rels')).toContain('Target="../media/image1.jpeg"');
  const types = part('[Content_Types].xml');
  expect(types).toContain('<Default Extension="jpeg" ContentType="image/jpeg"/>');
  expect(types).toContain('PartName="/xl/drawings/drawing1.xml"');
  expect(part('xl/worksheets/sheet2.xml')).not.toContain('drawing');
});

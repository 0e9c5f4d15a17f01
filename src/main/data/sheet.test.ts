import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { SheetType } from '../../contract/sheets.ts';
import { plainSheet, type SheetFormat } from '../../contract/text.ts';
import { type SheetRows, writeSheet } from './sheet.ts';

const noon = new Date(2026, 10, 22, 12, 30, 5).getTime();

const rows: SheetRows = [
  ['0152', 1234, { ms: noon, day: true }, { ms: noon, day: false }],
  ['=cmd|calc!A0', 0.5, '<a & b>', ''],
];

const write = async (
  type: SheetType,
  source: AsyncIterable<SheetRows>,
  format: SheetFormat = plainSheet,
): Promise<{ readonly path: string; readonly done: Promise<void> }> => {
  const path = join(mkdtempSync(join(tmpdir(), 'sheet-')), `table.${type}`);
  const header = ['Postcode', 'Points', 'Day', 'Time'];
  return { path, done: writeSheet(path, { name: 'Streets', type, header }, source, format) };
};

async function* inTwo(): AsyncGenerator<SheetRows> {
  yield rows.slice(0, 1);
  yield rows.slice(1);
}

test('CSV has the separator and the decimal sign of the chosen format, days and times that every country reads, and no formula', async () => {
  const { path, done } = await write('csv', inTwo(), { separator: ';', decimal: ',' });
  await done;
  expect(readFileSync(path, 'utf8')).toBe(
    '\uFEFF"Postcode";"Points";"Day";"Time"\r\n"0152";1234;"2026-11-22";"2026-11-22 12:30:05"\r\n"\'=cmd|calc!A0";0,5;"<a & b>";""\r\n',
  );
});

test('Excel gets texts as texts, numbers as numbers, and days and times as dates', async () => {
  const { path, done } = await write('xlsx', inTwo());
  await done;
  const parts = unzipSync(readFileSync(path));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  const cellsOf = (no: number) => sheet.match(new RegExp(`<row r="${no}">(.*?)</row>`))?.[1];
  const text = (at: string, value: string) =>
    `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
  expect(cellsOf(2)).toBe(
    `${text('A2', '0152')}<c r="B2" s="3"><v>1234</v></c><c r="C2" s="4"><v>46348</v></c><c r="D2" s="2"><v>46348.520891203705</v></c>`,
  );
  expect(cellsOf(3)).toBe(
    `${text('A3', '=cmd|calc!A0')}<c r="B3" s="0"><v>0.5</v></c>${text('C3', '&lt;a &amp; b&gt;')}`,
  );
});

test('nothing is left of a table whose rows stop coming', async () => {
  async function* broken(): AsyncGenerator<SheetRows> {
    yield rows;
    throw new Error('the window is gone');
  }
  const { path, done } = await write('xlsx', broken());
  await expect(done).rejects.toMatchObject({ code: 'data/unwritable' });
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch } from '../../contract/models.ts';
import type { Item } from './ledger/item-row.ts';
import { addBatch, openTestLedger, scanned } from './ledger/test-ledger.ts';
import { writeReport } from './report.ts';

const batch = { AssignmentId: 'assignment' } as Batch;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const itemsOf = async (...paths: readonly string[]): Promise<readonly Item[]> =>
  (
    await addBatch(
      openTestLedger(),
      paths.map((path) => scanned(path)),
    )
  ).files;
const report = async (items: Iterable<Item>) => {
  const path = join(folder, 'report.csv');
  await writeReport(path, batch, items);
  return readFileSync(path, 'utf8').trimEnd().split('\r\n').slice(1);
};

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '=HYPERLINK("http://x","y")'])(
  'no spreadsheet takes %j for a formula',
  async (name) => {
    const [row = ''] = await report(await itemsOf(name));
    expect(row).toMatch(/^"?'/);
  },
);

test('a file without proof has no Key in it', async () => {
  const [item] = await itemsOf('a.txt');
  if (!item) throw new Error('no item');
  const rows = await report([
    { ...item, state: 'uncertain', key: 'secret key', url: 'https://signed' },
    { ...item, state: 'done', key: 'key', sha256: 'hash', attempts: 1, settledMs: 0 },
  ]);
  expect(rows).toEqual([
    'a.txt,assignment,a.txt,,10,,uncertain,,0,',
    'a.txt,assignment,a.txt,key,10,hash,done,,1,1970-01-01T00:00:00.000Z',
  ]);
});

test('a report that fails in the middle leaves neither a part nor the file', async () => {
  const [item] = await itemsOf('a.txt');
  function* failing(): Generator<Item> {
    if (item) yield item;
    throw new Error('unreadable');
  }
  await expect(writeReport(join(folder, 'report.csv'), batch, failing())).rejects.toMatchObject({
    code: 'data/unwritable',
  });
  expect(readdirSync(folder)).toEqual([]);
});

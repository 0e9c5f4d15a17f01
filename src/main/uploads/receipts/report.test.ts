import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch } from '../../../contract/uploads.ts';
import type { Item } from '../ledger/items.ts';
import { addBatch, openTestLedger } from '../ledger/testing/ledger.ts';
import { scanned } from '../source/testing/scanned.ts';
import { writeReport } from './report.ts';

const batch: Batch = {
  batchId: '00000000-0000-4000-8000-000000000000',
  uploadId: '00000000-0000-4000-8000-000000000000',
  AssignmentId: 'assignment',
  root: '/folder',
  state: 'finished',
  files: 2,
  uploaded: 1,
  skipped: 0,
  failed: 1,
  cancelled: 0,
  bytes: 20,
  bytesSent: 10,
  bytesPerSecond: 0,
  createdAtMs: 0,
  finishedAtMs: 3000,
  leftOut: { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 },
};

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
  await writeReport(path, { batch, items }, 'csv');
  return readFileSync(path, 'utf8').trimEnd().split('\r\n').slice(1);
};

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '=HYPERLINK("http://x","y")', '\n=1+1', ' \u200b=1+1', '＝1+1'])(
  'A2: no spreadsheet takes the file name %j for a formula',
  async (name) => {
    const [row = ''] = await report(await itemsOf(name));
    expect(row).toMatch(/^"'/);
  },
);

test('A2: the second line of a file name is not a formula either', async () => {
  const [row = ''] = await report(await itemsOf('z\n=1+1', 'z\r@SUM(A1)'));
  expect(row).toContain('"z\n\'=1+1"');
});

const withAndWithoutProof = async (): Promise<readonly Item[]> => {
  const [item] = await itemsOf('a "b".txt');
  if (!item) throw new Error('no item');
  return [
    { ...item, state: 'uncertain', key: 'secret key', url: 'https://signed' },
    { ...item, state: 'done', key: 'key', sha256: 'hash', attempts: 1, startedAtMs: 0, settledAtMs: 1000 },
  ];
};

test('a file without proof has no Key in it', async () => {
  expect(await report(await withAndWithoutProof())).toEqual([
    '"a ""b"".txt","assignment","a _b_.txt","",10,"","uncertain","",0,"",""',
    '"a ""b"".txt","assignment","a _b_.txt","key",10,"hash","done","",1,"1970-01-01T00:00:00.000Z","1970-01-01T00:00:01.000Z"',
  ]);
});

test('as JSON it is one document with the batch and all files, one file per line', async () => {
  const path = join(folder, 'report.json');
  await writeReport(path, { batch, items: await withAndWithoutProof() }, 'json');
  const text = readFileSync(path, 'utf8');
  expect(text.split('\n')).toHaveLength(5);
  const file = { file: 'a "b".txt', assignment: 'assignment', FileName: 'a _b_.txt', size: 10, error: null };
  expect(JSON.parse(text)).toEqual({
    batch: batch.batchId,
    state: 'finished',
    assignment: 'assignment',
    root: '/folder',
    uploaded: 1,
    skipped: 0,
    failed: 1,
    cancelled: 0,
    bytes: 20,
    created: '1970-01-01T00:00:00.000Z',
    finished: '1970-01-01T00:00:03.000Z',
    files: [
      { ...file, Key: null, sha256: null, state: 'uncertain', attempts: 0, started: null, finished: null },
      {
        ...file,
        Key: 'key',
        sha256: 'hash',
        state: 'done',
        attempts: 1,
        started: '1970-01-01T00:00:00.000Z',
        finished: '1970-01-01T00:00:01.000Z',
      },
    ],
  });
  await writeReport(path, { batch, items: [] }, 'json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ files: [] });
});

test('as JSON it says what is not as the uploaded files alone make it look', async () => {
  const path = join(folder, 'report.json');
  const counts = { uploaded: 2, removed: 1, resent: 1, notReplaced: 1 };
  await writeReport(path, { batch: { ...batch, ...counts }, items: [] }, 'json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject(counts);
});

test('a report that fails in the middle leaves no file', async () => {
  const [item] = await itemsOf('a.txt');
  function* failing(): Generator<Item> {
    if (item) yield item;
    throw new Error('unreadable');
  }
  for (const format of ['csv', 'json'] as const) {
    await expect(writeReport(join(folder, 'report'), { batch, items: failing() }, format)).rejects.toMatchObject({
      code: 'data/unwritable',
    });
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('the report of an upload has the files of all its batches', async () => {
  const batches = [
    { batch, items: await itemsOf('a.txt') },
    { batch: { ...batch, AssignmentId: 'other' }, items: await itemsOf('b.txt') },
  ];
  const path = join(folder, 'report.json');
  await writeReport(path, { upload: 'upload', batches }, 'json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    upload: 'upload',
    batches: [
      { assignment: 'assignment', files: [{ file: 'a.txt' }] },
      { assignment: 'other', files: [{ file: 'b.txt' }] },
    ],
  });
  await writeReport(path, { upload: 'upload', batches }, 'csv');
  expect(readFileSync(path, 'utf8').trimEnd().split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^"a.txt","assignment",/),
    expect.stringMatching(/^"b.txt","other",/),
  ]);
});

import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ledger, openLedger } from './ledger.ts';
import { ledgerMigrations } from './migrations.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inspection-desk-ledger-'));
  path = join(folder, 'ledger.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

const hash = () => createHash('sha256').update(readFileSync(path)).digest('hex');
const batch = { id: 'b', connection: 'c', subject: undefined, assignmentId: 'a', root: '/r', createdMs: 1 };
const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `d${index}/x.txt`, sizeBytes: index, modifiedMs: 0.5 }));

/** A ledger with a batch of `count` files, closed so that all is in the one file. */
const write = async (count: number): Promise<void> => {
  const ledger = openLedger(path);
  await ledger.commit(() => ledger.batches.insert(batch));
  await ledger.commit(() => ledger.items.add('b', files(count)));
  ledger.close();
};

const expectReadOnly = async (ledger: Ledger, code: string): Promise<void> => {
  expect(ledger.damage).toMatchObject({ code });
  await expect(ledger.commit(() => ledger.batches.insert({ ...batch, id: 'other' }))).rejects.toMatchObject({ code });
  ledger.close();
};

test('migration 1 makes an empty ledger', async () => {
  const ledger = openLedger(path);
  expect(ledger.damage).toBeUndefined();
  expect(ledger.batches.list('c')).toEqual([]);
  ledger.close();
  const db = new DatabaseSync(path);
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: ledgerMigrations.length });
  db.close();
});

test('what was written is there after it was closed', async () => {
  await write(3);
  const ledger = openLedger(path);
  expect(ledger.batches.get('b')).toMatchObject({ assignmentId: 'a', state: 'scanning', scanned: false });
  const { items, total } = ledger.items.list('b', { offset: 1, limit: 5 });
  expect(total).toBe(3);
  expect(items.map(({ fileName, modifiedMs }) => [fileName, modifiedMs])).toEqual([
    ['d1 - x.txt', 0.5],
    ['d2 - x.txt', 0.5],
  ]);
  ledger.close();
});

test('a ledger of a newer app is left as it is', async () => {
  await write(1);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 99');
  db.close();
  const before = hash();
  await expectReadOnly(openLedger(path), 'data/newer');
  expect(hash()).toBe(before);
});

describe('a damaged ledger is never changed', () => {
  test('garbage', async () => {
    writeFileSync(path, randomBytes(50_000));
    const before = hash();
    await expectReadOnly(openLedger(path), 'data/corrupt');
    expect(hash()).toBe(before);
  });

  test('pages overwritten in the middle: what can be read is there', async () => {
    await write(5000);
    const bytes = readFileSync(path);
    bytes.fill(0xff, Math.floor(bytes.length * 0.6), Math.floor(bytes.length * 0.7));
    writeFileSync(path, bytes);
    const before = hash();
    const ledger = openLedger(path);
    expect(ledger.batches.list('c')).toMatchObject([{ id: 'b' }]);
    await expectReadOnly(ledger, 'data/corrupt');
    expect(hash()).toBe(before);
  });
});

test('a write that fails does not fail those it shares a commit with', async () => {
  const ledger = openLedger(path);
  const outcomes = await Promise.allSettled([
    ledger.commit(() => ledger.batches.insert(batch)),
    ledger.commit(() => ledger.batches.insert(batch)),
    ledger.commit(() => ledger.batches.insert({ ...batch, id: 'other' })),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(ledger.batches.list('c').map(({ id }) => id)).toEqual(['b', 'other']);
  ledger.close();
});

test('a removal’s answer replaces what is known, but for files uploaded since it was asked for', async () => {
  const ledger = openLedger(path);
  const place = { connection: 'c', assignmentId: 'a' };
  const uploaded = (key: string, atMs: number) =>
    ledger.knownFiles.uploaded(place, { key, fileName: `${key}.txt`, sizeBytes: 1, sha256: key, atMs });
  const answer = {
    AssignmentId: 'a',
    FacilityId: 'f',
    Files: [{ Key: 'kept', FileName: 'kept.txt', UploadedBy: 'X' }],
  };
  await ledger.commit(() => {
    uploaded('kept', 10);
    uploaded('gone', 11);
    uploaded('later', 21);
    ledger.knownFiles.answered(place, answer, 20, 30);
  });
  expect(ledger.knownFiles.list(place)).toEqual([
    { Key: 'kept', FileName: 'kept.txt', UploadedBy: 'X', source: 'uploaded-here', at: 10 },
    { Key: 'later', FileName: 'later.txt', UploadedBy: '', source: 'uploaded-here', at: 21 },
  ]);
  expect(ledger.knownFiles.twins(place, 'kept.txt', 1)).toEqual(['kept']);
  expect(ledger.knownFiles.twins(place, 'gone.txt', 1)).toEqual([]);
  ledger.close();
});

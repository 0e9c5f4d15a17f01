import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDatabase } from '../../data/sqlite.ts';
import { newLedgerPath } from './testing/ledger.ts';
import { createWalSync } from './wal-sync.ts';

const open = () => {
  const path = newLedgerPath();
  const db = openDatabase({ path, migrations: ['CREATE TABLE t (x)'], durability: 'normal' });
  return { path, db };
};

test('calls during an fsync share the next one and resolve only after it', async () => {
  const { path, db } = open();
  const disk = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let times = 0;
  const { sync, close } = createWalSync(path, () => disk[times++]?.promise ?? Promise.reject());
  const done: string[] = [];
  const ask = (who: string) => sync().then(() => done.push(who));
  const first = ask('first');
  await new Promise(setImmediate);
  const others = Promise.all([ask('second'), ask('third')]);
  await new Promise(setImmediate);
  expect([times, done]).toEqual([1, []]);
  disk[0]?.resolve();
  await first;
  await new Promise(setImmediate);
  expect([times, done]).toEqual([2, ['first']]);
  disk[1]?.resolve();
  await others;
  expect(done).toEqual(['first', 'second', 'third']);
  close();
  db.close();
});

test('after a failed fsync later ones are no longer trusted', async () => {
  const { path, db } = open();
  let fails = true;
  const wal = createWalSync(path, () => (fails ? Promise.reject(new Error('EIO')) : Promise.resolve()));
  const unsynced = { code: 'data/unsynced', details: { file: path } };
  wal.assertSound();
  const [first, shared] = [wal.sync(), wal.sync()];
  await expect(first).rejects.toMatchObject(unsynced);
  await expect(shared).rejects.toMatchObject(unsynced);
  fails = false;
  await expect(wal.sync()).rejects.toMatchObject(unsynced);
  expect(wal.assertSound).toThrow(expect.objectContaining(unsynced));
  wal.close();
  db.close();
});

test('the real log is fsynced, and closing the database removes it', async () => {
  const { path, db } = open();
  const { sync, close } = createWalSync(path);
  db.exec('INSERT INTO t VALUES (1)');
  await sync();
  close();
  db.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
});

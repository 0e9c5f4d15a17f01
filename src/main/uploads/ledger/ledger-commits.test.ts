import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../data/sqlite.ts';
import { type Commit, createGroupCommit, createWalSync } from './ledger.ts';
import { newLedgerPath } from './testing/ledger.ts';

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

let db: DatabaseSync;
let commit: Commit;
let commitUnsynced: Commit;
let commitLazily: Commit;
/** The fsync in progress; undefined: each fsync ends immediately. */
let disk: Promise<void> | undefined;
/** The error of an earlier fsync, if there was one. */
let failure: Error | undefined;
beforeEach(() => {
  db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE t (x INTEGER PRIMARY KEY)');
  disk = undefined;
  failure = undefined;
  const wal = {
    sync: () => disk ?? Promise.resolve(),
    assertSound: () => {
      if (failure) throw failure;
    },
  };
  ({ commit, commitUnsynced, commitLazily } = createGroupCommit(db, 'test.sqlite', wal));
});

const insert = (x: number) => () => {
  db.prepare('INSERT INTO t VALUES (?)').run(x);
  return x;
};
const all = () =>
  db
    .prepare('SELECT x FROM t ORDER BY x')
    .all()
    .map(({ x }) => x);

test('writes requested together share a transaction, in order, each with its own answer', async () => {
  let transactions = 0;
  const seen: number[] = [];
  const watched = (x: number) => () => {
    if (db.prepare('SELECT count(*) AS n FROM t').get()?.n === 0) transactions += 1;
    seen.push(x);
    return insert(x)();
  };
  expect(await Promise.all([1, 2, 3].map((x) => commit(watched(x))))).toEqual([1, 2, 3]);
  expect(seen).toEqual([1, 2, 3]);
  expect(transactions).toBe(1);
});

test('a write that fails does so alone, and is rolled back', async () => {
  const fails = () => {
    insert(100)();
    throw new Error('mine');
  };
  const results = await Promise.allSettled([commit(insert(1)), commit(fails), commit(insert(2))]);
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { message: 'mine' } },
    { status: 'fulfilled', value: 2 },
  ]);
  expect(all()).toEqual([1, 2]);
});

test('an error of the database is translated, and names the file', async () => {
  await commit(insert(1));
  await expect(commit(insert(1))).rejects.toMatchObject({ code: 'data/unwritable', details: { file: 'test.sqlite' } });
});

test('a write requested within a commit goes into the next one', async () => {
  let inner: Promise<number> | undefined;
  await commit(() => {
    inner = commit(insert(2));
    return insert(1)();
  });
  expect(await inner).toBe(2);
  expect(all()).toEqual([1, 2]);
});

test('a commit waits for the fsync, an unsynced one does not, and commits of one turn share an fsync', async () => {
  const done: string[] = [];
  const told = (who: string, work: Promise<unknown>) => work.then(() => done.push(who));
  const { promise, resolve } = Promise.withResolvers<void>();
  disk = promise;
  const all = Promise.all([told('commit', commit(insert(1))), told('unsynced', commitUnsynced(insert(2)))]);
  await new Promise(setImmediate);
  expect(done).toEqual(['unsynced']);
  resolve();
  await all;
  expect(done).toEqual(['unsynced', 'commit']);
});

test('commits requested during an fsync share the transaction before the next one, in order', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const fsync = Promise.withResolvers<void>();
  disk = fsync.promise;
  const first = commit(insert(1));
  await new Promise(setImmediate);
  const seen: unknown[] = [];
  const watched = (x: number) => () => {
    seen.push(all());
    return insert(x)();
  };
  const second = commit(watched(2));
  await new Promise(setImmediate);
  const third = commit(watched(3));
  await new Promise(setImmediate);
  expect(all()).toEqual([1]);
  fsync.resolve();
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 3]);
  expect(seen).toEqual([[1], [1, 2]]);
});

test('an unsynced commit does not wait for an fsync, and takes earlier ones along', async () => {
  const fsync = Promise.withResolvers<void>();
  disk = fsync.promise;
  const first = commit(insert(1));
  await new Promise(setImmediate);
  const second = commit(insert(2));
  await commitUnsynced(insert(3));
  expect(all()).toEqual([1, 2, 3]);
  fsync.resolve();
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});

test('when the fsync fails, the commit fails and nothing more is written', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  disk = promise;
  const committed = commit(insert(1));
  committed.catch(() => {});
  await commitUnsynced(insert(3));
  failure = new Error('EIO');
  reject(failure);
  await expect(committed).rejects.toThrow('EIO');
  disk = undefined;
  const later = await Promise.allSettled([commit(insert(2)), commitUnsynced(insert(4)), commitLazily(insert(5))]);
  expect(later.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(all()).toEqual([1, 3]);
});

test('a lazy commit shares the transaction of the next write, in order', async () => {
  const begun: unknown[] = [];
  const watched = (x: number) => () => {
    begun.push(all());
    return insert(x)();
  };
  const lazy = commitLazily(watched(1));
  await new Promise(setImmediate);
  expect(all()).toEqual([]);
  await Promise.all([lazy, commit(watched(2))]);
  expect(begun).toEqual([[], [1]]);
});

test('without another write it is written shortly after', async () => {
  expect(await commitLazily(insert(1))).toBe(1);
  expect(all()).toEqual([1]);
});

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Migrations, openDatabase, openReadOnly, transaction, translated } from './sqlite.ts';

const TRIGGER = 'CREATE TRIGGER spy AFTER INSERT ON t BEGIN DELETE FROM t; END';

const migrations: Migrations = ['CREATE TABLE t (x TEXT) STRICT', 'ALTER TABLE t ADD COLUMN y TEXT'];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-test-'));
  path = join(folder, 'db.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (known: Migrations = migrations) => openDatabase({ path, migrations: known, durability: 'full' });
/** The hashes of the files in the folder, by name, without the shared memory (-shm), which even reading may create. */
const everything = () =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.endsWith('-shm'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  );

/** Creates a database with many rows, as a killed process leaves it: the last row is only in the write-ahead log. */
const makeAbandoned = () => {
  const other = join(folder, 'other.sqlite');
  const db = openDatabase({ path: other, migrations, durability: 'full' });
  const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
  transaction(db, () => {
    for (let row = 0; row < 500; row += 1) insert.run('x'.repeat(200), 'y');
  });
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  insert.run('last', 'y');
  copyFileSync(other, path);
  copyFileSync(`${other}-wal`, `${path}-wal`);
  db.close();
  rmSync(other);
};

const overwriteMiddle = () => {
  const content = readFileSync(path);
  content.fill(0x5a, 40_000, 60_000);
  writeFileSync(path, content);
};

/** Creates a new database whose process was killed before the file had a write-ahead log. */
const makeInterrupted = () => {
  const other = join(folder, 'other.sqlite');
  const db = new DatabaseSync(other);
  // With so little memory, SQLite writes pages before the end of the transaction.
  db.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE unfinished (x TEXT)');
  const insert = db.prepare('INSERT INTO unfinished VALUES (?)');
  for (let row = 0; row < 100; row += 1) insert.run('x'.repeat(1_000));
  for (const part of ['', '-journal']) copyFileSync(`${other}${part}`, `${path}${part}`);
  db.close();
  rmSync(other);
};

describe('opening', () => {
  test('rolls back what a killed process had begun before there was a write-ahead log', () => {
    makeInterrupted();
    const db = open();
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 't' }]);
    db.close();
    expect(existsSync(`${path}-journal`)).toBe(false);
  });

  test('creates a database of the newest schema, and opens it again', () => {
    const db = open();
    db.exec("INSERT INTO t VALUES ('a', 'b')");
    db.close();
    const again = open();
    expect({ ...again.prepare('SELECT * FROM t').get() }).toEqual({ x: 'a', y: 'b' });
    again.close();
  });

  test('migrates an older schema and keeps its rows', () => {
    const old = open(migrations.slice(0, 1));
    old.exec("INSERT INTO t VALUES ('kept')");
    old.close();
    const db = open();
    expect({ ...db.prepare('SELECT * FROM t').get() }).toEqual({ x: 'kept', y: null });
    db.close();
  });

  test('a failed migration leaves the database at the previous one', () => {
    open(migrations.slice(0, 1)).close();
    const failing = [...migrations.slice(0, 1), 'CREATE TABLE u (x TEXT); CREATE TABLE t (x TEXT)'];
    expect(() => open(failing)).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
    const db = open(migrations.slice(0, 1));
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name = 'u'").get()).toBeUndefined();
    db.close();
  });

  test('reads what a killed process left in the log', () => {
    makeAbandoned();
    const db = open();
    expect(db.prepare("SELECT count(*) AS n FROM t WHERE x = 'last'").get()?.n).toBe(1);
    db.close();
  });

  test('reports a folder in its place, or a missing parent folder', () => {
    path = folder;
    expect(() => open()).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
    path = join(folder, 'missing', 'db.sqlite');
    expect(() => open()).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
  });
});

describe('names what is wrong with a file and does not change it', () => {
  const refuses = (code: string) => {
    const before = everything();
    expect(() => open()).toThrow(expect.objectContaining({ code, details: expect.objectContaining({ file: path }) }));
    expect(everything()).toMatchObject(before);
  };

  test('a newer schema', () => {
    open([...migrations, 'CREATE TABLE newer (x TEXT)']).close();
    refuses('data/newer');
  });

  test('a file that is not a database', () => {
    writeFileSync(path, 'This is a letter, and a long one. '.repeat(100));
    refuses('data/corrupt');
  });

  test('a header that was overwritten', () => {
    makeAbandoned();
    const content = readFileSync(path);
    content.fill(0, 0, 100);
    writeFileSync(path, content);
    refuses('data/corrupt');
  });

  test('A3: foreign tables, columns or triggers with the number of a version', () => {
    for (const foreign of ['DROP TABLE t', 'ALTER TABLE t DROP COLUMN y', 'CREATE TABLE more (x)', TRIGGER]) {
      rmSync(path, { force: true });
      open().close();
      const db = new DatabaseSync(path);
      db.exec(foreign);
      db.close();
      refuses('data/corrupt');
    }
  });

  test('A3: tables in a database without a version', () => {
    const db = new DatabaseSync(path);
    db.exec('CREATE TABLE t (x TEXT)');
    db.close();
    refuses('data/corrupt');
  });

  test('A3: an unknown version number', () => {
    for (const version of [-1, 2 ** 31 - 1]) {
      rmSync(path, { force: true });
      open().close();
      const db = new DatabaseSync(path);
      db.exec(`PRAGMA user_version = ${version}`);
      db.close();
      refuses(version < 0 ? 'data/corrupt' : 'data/newer');
    }
  });

  test('pages that were overwritten, with a log that was left behind', () => {
    makeAbandoned();
    overwriteMiddle();
    refuses('data/corrupt');
  });
});

test('reads what it can from a damaged database opened read-only, and does not change it', () => {
  makeAbandoned();
  overwriteMiddle();
  const before = everything();
  const db = openReadOnly({ path, migrations });
  expect(db.prepare('SELECT x FROM t LIMIT 1').get()?.x).toBe('x'.repeat(200));
  expect(() => db.exec("INSERT INTO t VALUES ('a', 'b')")).toThrow(/readonly/);
  db.close();
  expect(everything()).toMatchObject(before);
});

test('adds nothing to the log of an earlier process, which may be there in part only', () => {
  makeAbandoned();
  const db = open();
  expect(statSync(`${path}-wal`).size).toBe(0);
  copyFileSync(path, join(folder, 'alone.sqlite'));
  const alone = new DatabaseSync(join(folder, 'alone.sqlite'), { readOnly: true });
  expect(alone.prepare("SELECT count(*) AS n FROM t WHERE x = 'last'").get()?.n).toBe(1);
  for (const one of [alone, db]) one.close();
});

test('a read that fails once is no damage', () => {
  makeAbandoned();
  // The error that SQLite reports for a read that failed with EIO.
  const malformed = Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
  const reading = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementationOnce(() => {
    throw malformed;
  });
  const db = open();
  reading.mockRestore();
  expect(db.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(501);
  db.close();
});

test('A3: reports a number beyond JavaScript’s range, or invalid JSON, as damage', () => {
  const db = open();
  db.exec("INSERT INTO t VALUES ('a', 'b')");
  const damaged = expect.objectContaining({ code: 'data/corrupt', details: { file: path } });
  const works: readonly (() => unknown)[] = [
    () => db.prepare('SELECT 1 << 62 AS n').get(),
    () => JSON.parse(String(db.prepare('SELECT x FROM t').get()?.x)),
    () => z.number().parse(db.prepare('SELECT x FROM t').get()?.x),
  ];
  for (const work of works) expect(() => translated(path, work)).toThrow(damaged);
  db.close();
});

test('rolls back a transaction that throws', () => {
  const db = open();
  expect(() =>
    transaction(db, () => {
      db.exec("INSERT INTO t VALUES ('a', 'b')");
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(db.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(0);
  db.close();
});

test('cancels work that outlives the database', () => {
  const db = open();
  db.close();
  expect(() => translated(path, () => db.exec('SELECT 1'))).toThrow(expect.objectContaining({ code: 'app/cancelled' }));
});

test('treats an empty file as a new database', () => {
  writeFileSync(path, '');
  open().close();
  expect(existsSync(path)).toBe(true);
  const db = new DatabaseSync(path);
  expect(db.prepare('PRAGMA user_version').get()?.user_version).toBe(2);
  db.close();
});

/** Opens SQLite databases in WAL mode, migrates them, and translates errors of SQLite into `DeskError`s. */

import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { attempt } from 'es-toolkit/util/attempt';
import { z } from 'zod';
import { codeOf, DeskError } from '../../contract/errors.ts';
import { makePrivate, orUnwritable } from './files.ts';

/** Schema changes in order: the first raises `user_version` from 0 to 1. A released migration must never be edited. */
export type Migrations = readonly string[];

type OpenOptions = {
  readonly path: string;
  readonly migrations: Migrations;
  /** `full`: every commit survives a power cut. `normal`: a power cut may lose the last commits, without damage. */
  readonly durability: 'full' | 'normal';
  /**
   * Lets `PRAGMA incremental_vacuum` return free pages to the file system. Has an effect only when the file is created.
   */
  readonly shrinks?: boolean;
};

/**
 * Opens the database at `path`, and creates it or migrates it to the newest schema if necessary. An existing file is
 * checked first. A file that is refused stays unchanged, except that `rollBack` undoes an unfinished transaction.
 * Errors: `data/corrupt`, `data/newer` (written by a newer app), `data/unwritable`.
 */
export const openDatabase = (options: OpenOptions): DatabaseSync => {
  try {
    return openOnce(options);
  } catch (error) {
    // A file that seems damaged is opened a second time, because SQLite also reports damage if a single read failed
    // (EIO).
    if (!(error instanceof DeskError && error.code === 'data/corrupt')) throw error;
    return openOnce(options);
  }
};

const openOnce = ({ path, migrations, durability, shrinks = false }: OpenOptions): DatabaseSync =>
  translated(path, () => {
    if (existsSync(path)) {
      rollBack(path);
      assertUsable(path, migrations);
    }
    // A new file is private from the start: SQLite uses its mode for the write-ahead log and the shared memory as well.
    else if (path !== ':memory:')
      orUnwritable('the database file cannot be created', { file: path }, () => makePrivate(path));
    const db = new DatabaseSync(path);
    return orClosed(db, () => {
      const version = readVersion(db, path, migrations);
      // SQLite ignores this pragma once anything has been written to the file.
      if (shrinks && version === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON`);
      db.exec('PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 16777216');
      emptyLog(db);
      for (const [index, migration] of migrations.entries()) {
        if (index >= version) transaction(db, () => db.exec(`${migration}; PRAGMA user_version = ${index + 1}`));
      }
      return db;
    });
  });

/**
 * Opens the database at `path` read-only, without migrating it. Its pages are not checked, so that the undamaged part
 * of a damaged file can be read. Errors: `data/corrupt`, `data/newer`, `data/unwritable`.
 */
export const openReadOnly = ({ path, migrations }: Pick<OpenOptions, 'path' | 'migrations'>): DatabaseSync =>
  translated(path, () => {
    const db = new DatabaseSync(path, { readOnly: true });
    orClosed(db, () => readVersion(db, path, migrations));
    return db;
  });

/** Returns the result of `work`. If it throws, closes `opened`: Windows does not remove a file that is open. */
export const orClosed = <T>(opened: { readonly close: () => void }, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    opened.close();
    throw error;
  }
};

/**
 * Closes `db`, the database at `path`, without a checkpoint. SQLite makes a checkpoint when the last connection is
 * closed, unless that connection is read-only. So a read-only connection is opened, and closed last.
 */
export const closeUnchanged = (db: DatabaseSync, path: string): void => {
  // If the file can no longer be read, `reader` is undefined. A checkpoint then probably fails, too.
  const [, reader] = attempt(() => new DatabaseSync(path, { readOnly: true }));
  if (reader) attempt(() => pragma(reader, 'user_version'));
  db.close();
  reader?.close();
};

/**
 * Opens a store whose data exists nowhere else. If the file is damaged or was written by a newer app, it stays
 * unchanged. The store is then created in memory, with the error as `damage`, so that it can refuse writes. Errors:
 * `data/unwritable`.
 */
export const openPrecious = <Store>(path: string, create: (path: string, damage?: DeskError) => Store): Store => {
  try {
    return create(path);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'data/unwritable') throw error;
    return create(':memory:', error);
  }
};

export const transaction = <T>(db: DatabaseSync, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite rolls back some transactions itself, for example when the disk is full.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

/**
 * Runs `work`. Translates errors of SQLite, and errors about unreadable values, into `DeskError`s that quote no stored
 * value: `data/corrupt`, `data/unwritable`, or `app/cancelled` if the database is closed. Rethrows other errors.
 */
export const translated = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw translate(error, path);
  }
};

/** Wraps each function of `part` in `translated`, because any read can meet a damaged page. */
export const translating = <T extends Readonly<Record<string, (...args: never[]) => unknown>>>(
  path: string,
  part: T,
): T =>
  Object.fromEntries(
    Object.entries(part).map(([name, work]) => [name, (...args: never[]) => translated(path, () => work(...args))]),
  ) as T;

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Returns SQLite's result code, possibly an extended one; undefined if `error` is not from SQLite. */
export const resultCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;

const isDamage = (code: number | undefined): boolean =>
  code !== undefined && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff);

/**
 * Whether `error` reports an invalid stored value: an integer beyond JavaScript's range, invalid JSON, or a mismatch
 * with a schema.
 */
const isUnreadable = (error: unknown): boolean =>
  error instanceof z.ZodError || error instanceof SyntaxError || codeOf(error) === 'ERR_OUT_OF_RANGE';

const translate = (error: unknown, path: string): unknown => {
  if (codeOf(error) === 'ERR_INVALID_STATE') {
    return new DeskError('app/cancelled', 'the database is closed', { cause: error });
  }
  if (isUnreadable(error)) {
    // The cause is left out, because errors of parsers quote the value.
    return new DeskError('data/corrupt', 'a value in the database cannot be read', { details: { file: path } });
  }
  const code = resultCodeOf(error);
  if (code === undefined) return error;
  const details = { file: path, sqlite: code };
  if (isDamage(code)) {
    return new DeskError('data/corrupt', 'the database file is damaged', { details, cause: error });
  }
  return new DeskError('data/unwritable', 'the database file cannot be used', { details, cause: error });
};

/**
 * Undoes the transaction of a process that was killed before it had put a new file into WAL mode. Such a transaction
 * leaves a rollback journal, and SQLite cannot open a file that has one as read-only.
 */
const rollBack = (path: string): void => {
  if (!existsSync(`${path}-journal`) || existsSync(`${path}-wal`)) return;
  using db = new DatabaseSync(path);
  pragma(db, 'user_version');
};

/**
 * Copies the commits of an earlier process from the write-ahead log to the database, so that new commits do not follow
 * them in the log. After a failed fsync, parts of the log may never reach the disk, and a power cut would lose all
 * commits after such a gap.
 */
const emptyLog = (db: DatabaseSync): void => {
  // If the checkpoint fails, the commits are still in the log. If the disk fails, a later write reports it.
  attempt(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
};

/**
 * Throws if the file is damaged or has an unknown schema. Opens it read-only, because closing a writable connection
 * makes a checkpoint, which changes even a damaged file.
 */
const assertUsable = (path: string, migrations: Migrations): void => {
  using db = openReadOnly({ path, migrations });
  assertSound(db, path);
  assertSchema(db, path, migrations);
};

/**
 * The maximum size of a database that is checked page by page at each start; checking a larger one would delay the
 * start. Damage in a larger database is reported once a damaged page is read.
 */
const QUICK_CHECK_BYTES = 64 * 1024 * 1024;

const pragma = (db: DatabaseSync, name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];

const readVersion = (db: DatabaseSync, path: string, migrations: Migrations): number => {
  const version = Number(pragma(db, 'user_version'));
  if (version < 0) {
    throw new DeskError('data/corrupt', 'the version of the database is unknown', { details: { file: path } });
  }
  if (version > migrations.length) {
    throw new DeskError('data/newer', 'the database was written by a newer version of the app', {
      details: { file: path, version, known: migrations.length },
    });
  }
  return version;
};

const SCHEMA = `SELECT json_group_array(thing) AS schema FROM (
  SELECT concat_ws(' ', t.type, t.name, c.name, c.type, c."notnull", c.pk) AS thing
    FROM pragma_table_list AS t LEFT JOIN pragma_table_info(t.name) AS c
    WHERE t.schema = 'main' AND t.type <> 'shadow' AND t.name NOT GLOB 'sqlite_*'
  UNION ALL SELECT concat_ws(' ', type, name, tbl_name) FROM sqlite_schema
    WHERE type IN ('index', 'trigger', 'view') AND name NOT GLOB 'sqlite_*'
  ORDER BY 1)`;

/**
 * Throws if the schema differs from the one that the migrations create, so that the app never writes to a database of
 * another program.
 */
const assertSchema = (db: DatabaseSync, path: string, migrations: Migrations): void => {
  const version = readVersion(db, path, migrations);
  using wanted = new DatabaseSync(':memory:');
  for (const migration of migrations.slice(0, version)) wanted.exec(migration);
  const [found, expected] = [db, wanted].map((one) => one.prepare(SCHEMA).get()?.schema);
  if (found === expected) return;
  throw new DeskError('data/corrupt', 'the database does not have the tables of the app', { details: { file: path } });
};

const assertSound = (db: DatabaseSync, path: string): void => {
  const sizeBytes = Number(pragma(db, 'page_count')) * Number(pragma(db, 'page_size'));
  if (sizeBytes <= QUICK_CHECK_BYTES && pragma(db, 'quick_check(1)') !== 'ok') {
    throw new DeskError('data/corrupt', 'the database file is damaged', { details: { file: path } });
  }
};

/**
 * Prepares statements that write. Each returned function runs its statement, and returns the number of changed rows.
 */
export const createWrite =
  (db: DatabaseSync) =>
  <Parameters extends readonly SQLInputValue[]>(sql: string): ((...parameters: Parameters) => number) => {
    const statement = db.prepare(sql);
    return (...parameters) => Number(statement.run(...parameters).changes);
  };

/**
 * Prepares queries. `Row` has a property for each column, by its name in the query. Rows are not validated: the tables
 * are STRICT, so SQLite checks the type of each value that it stores.
 */
export const createRead =
  (db: DatabaseSync) =>
  <Row extends object>(sql: string) => {
    const statement = db.prepare(sql);
    return {
      all: (...parameters: readonly SQLInputValue[]) =>
        statement.all(...parameters) as readonly object[] as readonly Row[],
      get: (...parameters: readonly SQLInputValue[]) =>
        statement.get(...parameters) as object | undefined as Row | undefined,
      iterate: (...parameters: readonly SQLInputValue[]) =>
        statement.iterate(...parameters) as IterableIterator<object> as IterableIterator<Row>,
    };
  };

// Schemas of stored values. They also accept rows read with `setReadBigInts`: an integer beyond JavaScript's range then
// makes only its own row invalid. Without `setReadBigInts`, `node:sqlite` throws for the whole query.

const integer = z.union([z.int(), z.bigint().transform(Number).pipe(z.int())]);

/** An integer from 0, such as a count, a size in bytes or the id of a row. */
export const storedCount = integer.pipe(z.int().min(0));

export const storedFlag = storedCount.transform((value) => value === 1);

/** Milliseconds since 1970, within the range of `Date`. */
export const storedTime = integer.pipe(z.int().min(0).max(8.64e15));

/** JSON text. The schema returns the parsed value. */
export const storedJson = <T extends z.ZodType>(schema: T) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue('not JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);

/** An optional value: null and a missing value become undefined. */
export const absent = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

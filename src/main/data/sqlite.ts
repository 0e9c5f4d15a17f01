/** Opening SQLite databases: WAL, numbered migrations, and named errors for what can be wrong with a file. */
import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { codeOf, DeskError } from '../../contract/errors.ts';
import { makePrivate } from './files.ts';

/** Schema changes in order; migration n (from 1) brings `user_version` n-1 to n. Never edited once released. */
export type Migrations = readonly string[];

type OpenOptions = {
  readonly path: string;
  readonly migrations: Migrations;
  /** `full`: survives a power cut after every commit. `normal`: only consistent, the last commits may be lost. */
  readonly durability: 'full' | 'normal';
  /** Free pages can be returned with `PRAGMA incremental_vacuum`. */
  readonly shrinks?: boolean;
};

/**
 * The database at `path`, made or migrated to the newest schema.
 * Errors: `data/corrupt`, `data/newer` (written by a newer app), `data/unwritable`. The file is then unchanged, except for what
 * `rollBack` undoes.
 */
export const openDatabase = (options: OpenOptions): DatabaseSync => {
  try {
    return openOnce(options);
  } catch (error) {
    // SQLite reports a read that the drive has failed once (EIO) as damage, too.
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
    // SQLite creates its log and shared memory with the mode of the database.
    else if (path !== ':memory:') makeDatabaseFile(path);
    const db = new DatabaseSync(path);
    try {
      const version = readVersion(db, path, migrations);
      // Before anything is written to a new file.
      if (shrinks && version === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON`);
      db.exec('PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 16777216');
      emptyLog(db);
      for (const [index, migration] of migrations.entries()) {
        if (index >= version) transaction(db, () => db.exec(`${migration}; PRAGMA user_version = ${index + 1}`));
      }
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });

/** Opens the database at `path` unchanged, to read what a damaged file still has. Errors as `openDatabase`. */
export const openReadOnly = ({ path, migrations }: Pick<OpenOptions, 'path' | 'migrations'>): DatabaseSync =>
  translated(path, () => {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      readVersion(db, path, migrations);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });

/** Closes the database at `path` without the checkpoint that its last connection otherwise makes: one that only reads makes none. */
export const closeUnchanged = (db: DatabaseSync, path: string): void => {
  let reader: DatabaseSync | undefined;
  try {
    reader = new DatabaseSync(path, { readOnly: true });
    pragma(reader, 'user_version');
  } catch {
    // A file that cannot be opened gets no checkpoint either.
  }
  db.close();
  reader?.close();
};

/**
 * Opens a store whose data exists nowhere else. A file that is damaged, or written by a newer app, is left unchanged: the store is
 * then in memory, and refuses to write because of `damage`. Errors: `data/unwritable`.
 */
export const openPrecious = <Store>(path: string, create: (path: string, damage?: DeskError) => Store): Store => {
  try {
    return create(path);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'data/unwritable') throw error;
    return create(':memory:', error);
  }
};

/** Runs `work` in one transaction; an error rolls it back and is rethrown. */
export const transaction = <T>(db: DatabaseSync, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite may already have rolled back, as after a full disk.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

/**
 * Runs `work`, and translates SQLite's errors and unreadable values into `DeskError`s that name the file but not its contents:
 * `data/corrupt`, `data/unwritable`, or `app/cancelled` if the database is closed.
 */
export const translated = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw translate(error, path);
  }
};

/** `part` with `translated` around each function, since any read may meet a damaged page. */
export const translating = <T extends Readonly<Record<string, (...args: never[]) => unknown>>>(
  path: string,
  part: T,
): T =>
  Object.fromEntries(
    Object.entries(part).map(([name, work]) => [name, (...args: never[]) => translated(path, () => work(...args))]),
  ) as T;

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** SQLite's result code, possibly an extended one; undefined if `error` is not an error of SQLite. */
export const resultCodeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;

/** Whether a result code means that the file is damaged. */
const isDamage = (code: number | undefined): boolean =>
  code !== undefined && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff);

/** An invalid value: an integer beyond JavaScript's range, invalid JSON, or JSON of another shape. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof z.ZodError || error instanceof SyntaxError || codeOf(error) === 'ERR_OUT_OF_RANGE';

const translate = (error: unknown, path: string): unknown => {
  if (codeOf(error) === 'ERR_INVALID_STATE') {
    return new DeskError('app/cancelled', 'the database is closed', { cause: error });
  }
  if (isUnreadable(error)) {
    // Without a cause: parse errors quote their input.
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

const makeDatabaseFile = (path: string): void => {
  try {
    makePrivate(path);
  } catch (cause) {
    throw new DeskError('data/unwritable', 'the database file cannot be created', { details: { file: path }, cause });
  }
};

/**
 * Undoes the transaction of a process that ended before the new file was in WAL mode. Only such a file has a rollback journal, and a file
 * with a rollback journal cannot be opened read-only.
 */
const rollBack = (path: string): void => {
  if (!existsSync(`${path}-journal`) || existsSync(`${path}-wal`)) return;
  const db = new DatabaseSync(path);
  try {
    pragma(db, 'user_version');
  } finally {
    db.close();
  }
};

/**
 * Copies to the database what a process that was ended has left in the log. After a failed fsync, the system may show data that is not
 * on the disk and that no later fsync writes, and a gap in the log loses every commit after the gap.
 */
const emptyLog = (db: DatabaseSync): void => {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // Nothing is lost yet, and what cannot be written is reported when it is needed.
  }
};

/** Opened read-only: closing a damaged database would otherwise change it by a checkpoint. */
const assertUsable = (path: string, migrations: Migrations): void => {
  const db = openReadOnly({ path, migrations });
  try {
    assertSound(db, path);
    assertSchema(db, path, migrations);
  } finally {
    db.close();
  }
};

/** Larger databases are not checked page by page at each start; damage then shows when a page is read. */
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

/** Every table with its columns, and every index, trigger and view, as JSON, without FTS5's internal tables. */
const SCHEMA = `SELECT json_group_array(thing) AS schema FROM (
  SELECT concat_ws(' ', t.type, t.name, c.name, c.type, c."notnull", c.pk) AS thing
    FROM pragma_table_list AS t LEFT JOIN pragma_table_info(t.name) AS c
    WHERE t.schema = 'main' AND t.type <> 'shadow' AND t.name NOT GLOB 'sqlite_*'
  UNION ALL SELECT concat_ws(' ', type, name, tbl_name) FROM sqlite_schema
    WHERE type IN ('index', 'trigger', 'view') AND name NOT GLOB 'sqlite_*'
  ORDER BY 1)`;

/** The schema that the migrations create, compared before anything is written to a foreign database. */
const assertSchema = (db: DatabaseSync, path: string, migrations: Migrations): void => {
  const version = readVersion(db, path, migrations);
  const wanted = new DatabaseSync(':memory:');
  try {
    for (const migration of migrations.slice(0, version)) wanted.exec(migration);
    const [found, expected] = [db, wanted].map((one) => one.prepare(SCHEMA).get()?.schema);
    if (found === expected) return;
  } finally {
    wanted.close();
  }
  throw new DeskError('data/corrupt', 'the database does not have the tables of the app', { details: { file: path } });
};

const assertSound = (db: DatabaseSync, path: string): void => {
  const sizeBytes = Number(pragma(db, 'page_count')) * Number(pragma(db, 'page_size'));
  if (sizeBytes <= QUICK_CHECK_BYTES && pragma(db, 'quick_check(1)') !== 'ok') {
    throw new DeskError('data/corrupt', 'the database file is damaged', { details: { file: path } });
  }
};

/** Prepares a statement that writes, as a function of its parameters in order; it returns how many rows it changed. */
export const createWrite =
  (db: DatabaseSync) =>
  <Parameters extends readonly SQLInputValue[]>(sql: string): ((...parameters: Parameters) => number) => {
    const statement = db.prepare(sql);
    return (...parameters) => Number(statement.run(...parameters).changes);
  };

/**
 * Prepares a statement that reads rows with the properties of `Row`, as the statement names its columns. The tables are
 * STRICT, so each column has the type of its table.
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

// Schemas of database values, for rows read with `setReadBigInts`, so that an integer beyond JavaScript's range affects
// its own row only.

const integer = z.union([z.int(), z.bigint().transform(Number).pipe(z.int())]);

/** A count, or the number of a row. */
export const storedCount = integer.pipe(z.int().min(0));

/** A boolean, stored as 1 or 0. */
export const storedFlag = storedCount.transform((value) => value === 1);

/** Milliseconds since 1970, within what a clock can show. */
export const storedTime = integer.pipe(z.int().min(0).max(8.64e15));

/** JSON of `schema` in a column of text. */
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

/** A column that may be null. */
export const absent = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

/** Opening SQLite databases: WAL, numbered migrations, and named errors for what can be wrong with a file. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DeskError } from '../contract/errors.ts';

/** Schema changes in order; migration n (from 1) brings `user_version` n-1 to n. Never edited once released. */
export type Migrations = readonly string[];

export type OpenOptions = {
  readonly path: string;
  readonly migrations: Migrations;
  /** `full`: survives a power cut after every commit. `normal`: only consistent, the last commits may be lost. */
  readonly durability: 'full' | 'normal';
};

/**
 * The database at `path`, made or migrated to the newest schema.
 * Errors: `data/corrupt`, `data/newer` (written by a newer app), `data/unwritable`. The file is never changed then.
 */
export const openDatabase = ({ path, migrations, durability }: OpenOptions): DatabaseSync =>
  translated(path, () => {
    if (existsSync(path)) assertUsable(path, migrations);
    const db = new DatabaseSync(path);
    try {
      const version = readVersion(db, path, migrations);
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = ON`);
      db.exec('PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 16777216');
      for (const [index, migration] of migrations.entries()) {
        if (index >= version) transaction(db, () => db.exec(`${migration}; PRAGMA user_version = ${index + 1}`));
      }
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });

/** The database at `path` as it is, for reading what a damaged file still gives. Errors as `openDatabase`. */
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

/** Runs `work` in one transaction; an error rolls it back and is thrown on. */
export const transaction = <T>(db: DatabaseSync, work: () => T): T => {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have rolled back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
};

/** Runs `work`; SQLite's own errors come out as `DeskError`s that name the file, not its contents. */
export const translated = <T>(path: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw translate(error, path);
  }
};

/** `part`, each of whose functions runs as `translated` does it: a damaged page may be met at any read. */
export const translating = <T extends Readonly<Record<string, (...args: never[]) => unknown>>>(
  path: string,
  part: T,
): T =>
  Object.fromEntries(
    Object.entries(part).map(([name, work]) => [name, (...args: never[]) => translated(path, () => work(...args))]),
  ) as T;

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

const translate = (error: unknown, path: string): unknown => {
  if ((error as { code?: unknown }).code === 'ERR_INVALID_STATE') {
    return new DeskError('app/cancelled', 'the database is closed', { cause: error });
  }
  const code = (error as { errcode?: unknown }).errcode;
  if (typeof code !== 'number') return error;
  const primary = code & 0xff;
  const details = { file: path, sqlite: code };
  if (primary === SQLITE_CORRUPT || primary === SQLITE_NOTADB) {
    return new DeskError('data/corrupt', 'the database file is damaged', { details, cause: error });
  }
  return new DeskError('data/unwritable', 'the database file cannot be used', { details, cause: error });
};

/** Without the right to write: a damaged database would be changed by closing it, when its log is written back. */
const assertUsable = (path: string, migrations: Migrations): void => {
  const db = openReadOnly({ path, migrations });
  try {
    assertSound(db, path);
  } finally {
    db.close();
  }
};

/** Sizes above this are not checked page by page at each start; damage then shows when a page is read. */
const QUICK_CHECK_BYTES = 64 * 1024 * 1024;

const pragma = (db: DatabaseSync, name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];

const readVersion = (db: DatabaseSync, path: string, migrations: Migrations): number => {
  const version = Number(pragma(db, 'user_version'));
  if (version > migrations.length) {
    throw new DeskError('data/newer', 'the database was written by a newer version of the app', {
      details: { file: path, version, known: migrations.length },
    });
  }
  return version;
};

const assertSound = (db: DatabaseSync, path: string): void => {
  const sizeBytes = Number(pragma(db, 'page_count')) * Number(pragma(db, 'page_size'));
  if (sizeBytes <= QUICK_CHECK_BYTES && pragma(db, 'quick_check(1)') !== 'ok') {
    throw new DeskError('data/corrupt', 'the database file is damaged', { details: { file: path } });
  }
};

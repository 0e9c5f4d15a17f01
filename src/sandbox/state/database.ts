import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const SCHEMA_VERSION = 1;

const SCHEMA = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE codes (
  hash TEXT PRIMARY KEY,
  client_id TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  code_challenge TEXT,
  expires_at_ms INTEGER NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0,
  session_id TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (id TEXT PRIMARY KEY, client_id TEXT NOT NULL, sub TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at_ms INTEGER NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_of_session ON tokens (session_id);

CREATE TABLE uploads (
  key TEXT PRIMARY KEY,
  assignment_id TEXT NOT NULL,
  file_name TEXT NOT NULL,
  size_bytes INTEGER,
  sha256 TEXT,
  stored_at_ms INTEGER,
  puts INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX uploads_of_assignment ON uploads (assignment_id);

CREATE TABLE removed_sample_files (key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE plan_after (assignment_id TEXT PRIMARY KEY, value REAL NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * Opens the sandbox's database at `location`: `:memory:`, or the path of a file (in WAL mode). Creates the tables of a
 * new database. Throws if the file has another schema.
 */
export const openDatabase = (location: string): DatabaseSync => {
  // Only the owner can read the file. SQLite gives the write-ahead log the same mode.
  if (location !== ':memory:') closeSync(openSync(location, 'a', 0o600));
  const database = new DatabaseSync(location);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  if (found === 0) inTransaction(database, () => database.exec(SCHEMA));
  else if (found !== SCHEMA_VERSION) {
    database.close();
    throw new Error(`the state folder has schema version ${found}, this sandbox reads ${SCHEMA_VERSION}`);
  }
  return database;
};

export const inTransaction = <T>(database: DatabaseSync, work: () => T): T => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
};

/**
 * Reads the values that never change in a state folder. In a new database, first stores them: the `wanted` values or
 * the defaults (seed 1, 240 protocols), and new secrets. `secret` signs access tokens; `storageSecret` signs URLs.
 * Throws if the `wanted` values differ from the stored ones, since the stored records would then belong to other sample
 * data.
 */
export const loadIdentity = (
  database: DatabaseSync,
  wanted: { readonly seed?: number | undefined; readonly protocols?: number | undefined },
) => {
  const newSecret = (): string => randomBytes(32).toString('base64url');
  const insert = database.prepare('INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)');
  const find = database.prepare('SELECT value FROM meta WHERE name = ?');
  const settle = (name: string, fresh: string): string => {
    insert.run(name, fresh);
    return String(find.get(name)?.value);
  };
  const settleNumber = (name: 'seed' | 'protocols', fallback: number): number => {
    const stored = Number(settle(name, String(wanted[name] ?? fallback)));
    if (stored === (wanted[name] ?? stored)) return stored;
    throw new Error(`the state folder was made with ${name} ${stored}, not ${wanted[name]}`);
  };
  return {
    secret: settle('secret', newSecret()),
    storageSecret: settle('storage-secret', newSecret()),
    seed: settleNumber('seed', 1),
    protocols: settleNumber('protocols', 240),
  };
};

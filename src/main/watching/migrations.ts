/** The schema of watched.sqlite. Add to the end; never edit what has been released. */
import type { Migrations } from '../data/sqlite.ts';

export const watchedMigrations: Migrations = [
  `
  CREATE TABLE folder (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    connection TEXT NOT NULL,
    subject    TEXT,            -- who added it, where the access token told
    root       TEXT NOT NULL,
    real_root  TEXT,            -- its path without links at that time
    assignment TEXT,            -- null: each file goes where the names of its folders say
    on_clash   TEXT NOT NULL,
    hours      TEXT NOT NULL,   -- JSON
    paused     INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    added_ms   INTEGER NOT NULL
  ) STRICT;

  -- Versions of files that were sent, or that lay in the folder and are not to be sent.
  CREATE TABLE file (
    folder      INTEGER NOT NULL REFERENCES folder (id) ON DELETE CASCADE,
    path        TEXT NOT NULL,  -- below the root, with '/'
    size        INTEGER NOT NULL,
    modified_ms REAL NOT NULL,
    changed_ms  REAL NOT NULL,
    identity    TEXT NOT NULL,
    assignment  TEXT,           -- null: not to be sent
    PRIMARY KEY (folder, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_by_identity ON file (folder, identity);

  -- Batches that are sent within the hours of their folder only.
  CREATE TABLE timed (
    batch     TEXT PRIMARY KEY,
    folder    INTEGER NOT NULL REFERENCES folder (id) ON DELETE CASCADE,
    paused    INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),   -- because the hours are over
    overruled INTEGER NOT NULL DEFAULT 0 CHECK (overruled IN (0, 1)) -- a person resumed it before they open again
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The ledger has the hours of each batch.
  DROP TABLE timed;
  `,
  `
  -- When a file was created; null: not known. batch: the upload of this version, whose hash is in the ledger.
  ALTER TABLE file ADD COLUMN born_ms REAL;
  ALTER TABLE file ADD COLUMN batch TEXT;
  `,
];

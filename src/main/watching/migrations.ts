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
    born_ms     REAL,           -- when it was created; null: not known
    assignment  TEXT,           -- null: not to be sent
    batch       TEXT,           -- the upload of this version, whose hash is in the ledger
    PRIMARY KEY (folder, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX file_by_identity ON file (folder, identity);
  `,
];

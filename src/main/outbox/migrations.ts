/** The schema of outbox.sqlite. Add to the end; never edit what has been released. */
import type { Migrations } from '../data/sqlite.ts';

export const outboxMigrations: Migrations = [
  `
  -- Pending and rejected changes, in the order in which they were made. Removals of several files are one entry for people,
  -- with a random text as file_key.
  CREATE TABLE entry (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    connection TEXT NOT NULL,
    subject    TEXT,           -- who made it, where the access token told
    assignment TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('plan-after', 'remove-file', 'remove-files')),
    PlanAfter  REAL,           -- null: to be cleared
    file_key   TEXT NOT NULL,  -- of a removal; else empty
    error      TEXT,           -- why the service refused it, as JSON
    at_ms      INTEGER NOT NULL,
    UNIQUE (connection, assignment, kind, file_key)
  ) STRICT;

  -- The files of a removal of several, and what became of each.
  CREATE TABLE removal_file (
    entry      INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
    file_key   TEXT NOT NULL,
    FileName   TEXT NOT NULL,
    folder     TEXT,
    size_bytes INTEGER,
    added_ms   INTEGER,
    state      TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'removed', 'refused', 'kept')),
    error      TEXT,
    settled_ms INTEGER,
    PRIMARY KEY (entry, file_key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX removal_file_by_state ON removal_file (entry, state, file_key);
  `,
];

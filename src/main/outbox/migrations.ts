/** The schema of outbox.sqlite. Add to the end; never edit what has been released. */
import type { Migrations } from '../data/sqlite.ts';

export const outboxMigrations: Migrations = [
  `
  -- Pending and rejected changes, in the order in which they were made.
  CREATE TABLE entry (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    connection TEXT NOT NULL,
    subject    TEXT,           -- who made it, where the access token told
    assignment TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('plan-after', 'remove-file')),
    PlanAfter  REAL,           -- null: to be cleared
    file_key   TEXT NOT NULL,  -- of a removal; else empty
    error      TEXT,           -- why the service refused it, as JSON
    at_ms      INTEGER NOT NULL,
    UNIQUE (connection, assignment, kind, file_key)
  ) STRICT;
  `,
];

/** The schema of ledger.sqlite. Add to the end; never edit what has been released. */
import type { Migrations } from '../../sqlite.ts';

export const ledgerMigrations: Migrations = [
  `
  -- One upload of one folder to one assignment, owned by a connection and, where known, a user.
  CREATE TABLE batch (
    id            TEXT PRIMARY KEY,
    connection    TEXT NOT NULL,
    subject       TEXT,
    assignment_id TEXT NOT NULL,
    root          TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('scanning', 'running', 'paused', 'finished', 'cancelled')),
    scanned       INTEGER NOT NULL DEFAULT 0,
    reason        TEXT,
    left_out      TEXT NOT NULL DEFAULT '{"hidden":0,"system":0,"links":0,"unreadable":0}',
    created_ms    INTEGER NOT NULL,
    finished_ms   INTEGER
  ) STRICT;
  CREATE INDEX batch_by_connection ON batch (connection, created_ms);

  -- One file of a batch. key and url: the signature that the file was, or may have been, sent with.
  CREATE TABLE item (
    id          INTEGER PRIMARY KEY,
    batch       TEXT NOT NULL REFERENCES batch (id),
    path        TEXT NOT NULL,
    file_name   TEXT NOT NULL,
    name_key    TEXT NOT NULL,
    size_bytes  INTEGER NOT NULL,
    modified_ms REAL NOT NULL,
    state       TEXT NOT NULL DEFAULT 'queued' CHECK (state IN
      ('queued', 'signing', 'sending', 'done', 'skipped', 'failed', 'uncertain', 'cancelled')),
    key         TEXT,
    url         TEXT,
    unclear     INTEGER NOT NULL DEFAULT 0,
    attempts    INTEGER NOT NULL DEFAULT 0,
    sha256      TEXT,
    etag        TEXT,
    error       TEXT,
    settled_ms  INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX item_by_path ON item (batch, path);
  CREATE UNIQUE INDEX item_by_name ON item (batch, name_key);
  CREATE INDEX item_by_state ON item (batch, state, id, size_bytes);

  -- What this app knows to be on an assignment: uploaded here, or seen in the answer to a removal.
  CREATE TABLE known_file (
    connection    TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    key           TEXT NOT NULL,
    file_name     TEXT NOT NULL,
    uploaded_by   TEXT NOT NULL,
    source        TEXT NOT NULL CHECK (source IN ('uploaded-here', 'seen-at-removal')),
    size_bytes    INTEGER,
    sha256        TEXT,
    at_ms         INTEGER NOT NULL,
    PRIMARY KEY (connection, assignment_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX known_file_by_name ON known_file (connection, assignment_id, file_name);
  `,
  `
  -- Files by why they failed. An expression, so that a damaged ledger of the version before can still be read.
  CREATE INDEX item_by_error ON item (batch, error ->> 'code') WHERE error IS NOT NULL;
  `,
  `
  -- How folders become part of a FileName (src/contract/names.ts).
  ALTER TABLE batch ADD COLUMN name_template TEXT NOT NULL DEFAULT '{name}';
  -- When the file's first attempt began.
  ALTER TABLE item ADD COLUMN started_ms INTEGER;
  `,
];

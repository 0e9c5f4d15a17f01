/** The schema of ledger.sqlite. Add migrations at the end; never edit a released one. */
import type { Migrations } from '../../data/sqlite.ts';

export const ledgerMigrations: Migrations = [
  `
  -- The upload of one folder to one assignment. It belongs to a connection and, if known, to a user. The ids of a batch's files
  -- begin at number * 2^32 and have no gaps, because items are never deleted. The nth file of a batch is therefore found
  -- directly, and no index has to store the id of the batch.
  CREATE TABLE batch (
    number        INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    upload_id     TEXT NOT NULL,    -- the same for all batches that were started together
    connection    TEXT NOT NULL,
    subject       TEXT,
    assignment_id TEXT NOT NULL,
    root          TEXT NOT NULL,
    real_root     TEXT,             -- root with its links resolved when the upload began; no file outside it is sent
    only_names    TEXT,             -- JSON array of the chosen files; null: the whole folder
    except_paths  TEXT,             -- JSON array of the paths, below root, that are not uploaded; null: none
    reviewed      TEXT,             -- JSON: the reviewed files (source/scan.ts), until all are queued
    leaves_later  INTEGER NOT NULL DEFAULT 0 CHECK (leaves_later IN (0, 1)), -- 1: files that were not reviewed are left out
    name_template TEXT NOT NULL,    -- how a FileName is made from folders and a name (src/contract/uploads.ts)
    on_clash      TEXT NOT NULL CHECK (on_clash IN ('rename', 'skip', 'replace')),
    schedule      TEXT,             -- JSON: when the batch may be sent; null: at any time
    receipt       TEXT,             -- format of the receipt to save when the upload has ended; null: none, or already saved
    saved_receipt TEXT,             -- format of the last receipt that was saved then; null: none, or another one is to be saved
    state         TEXT NOT NULL CHECK (state IN ('scanning', 'running', 'paused', 'finished', 'cancelled')),
    scanned       INTEGER NOT NULL DEFAULT 0,
    reason        TEXT,
    left_out      TEXT NOT NULL DEFAULT '{"hidden":0,"system":0,"links":0,"special":0,"unreadable":0}',
    created_ms    INTEGER NOT NULL,
    finished_ms   INTEGER,
    first_ms      INTEGER           -- when the user chose to send it first; null: not chosen
  ) STRICT;
  CREATE INDEX batch_by_connection ON batch (connection, created_ms);
  CREATE INDEX batch_by_assignment ON batch (connection, assignment_id);
  CREATE INDEX batch_by_upload ON batch (upload_id);

  -- The identities of a batch's folders when they were first scanned. No file is sent from another folder at the same path.
  CREATE TABLE batch_folder (
    batch   INTEGER NOT NULL REFERENCES batch (number),
    below   TEXT NOT NULL,      -- path below root, with '/' at the end; empty: root
    id      TEXT NOT NULL,
    born_ms REAL NOT NULL,
    PRIMARY KEY (batch, below)
  ) STRICT, WITHOUT ROWID;

  -- The user's choices for single files, which override on_clash of the batch.
  CREATE TABLE clash_choice (
    batch    INTEGER NOT NULL REFERENCES batch (number),
    path     TEXT NOT NULL,
    on_clash TEXT NOT NULL CHECK (on_clash IN ('rename', 'skip', 'replace')),
    PRIMARY KEY (batch, path)
  ) STRICT, WITHOUT ROWID;

  -- Folders that the review left out of an upload as a whole.
  CREATE TABLE left_out_folder (
    upload_id TEXT NOT NULL,
    path      TEXT NOT NULL,    -- from the chosen folder on, with '/'; of a file that was left out alone: its path
    files     INTEGER NOT NULL,
    PRIMARY KEY (upload_id, path)
  ) STRICT, WITHOUT ROWID;

  -- One file of a batch. An uploaded file gets a row in known_file only when the service lists it. Until then, its item records
  -- that it is on the assignment: name_crc is the checksum of its FileName as names are compared, key_crc that of its Key.
  -- null: it is not on the assignment, or known_file has it.
  CREATE TABLE item (
    id          INTEGER PRIMARY KEY,
    batch       INTEGER NOT NULL REFERENCES batch (number),
    path        TEXT NOT NULL,
    file_name   TEXT NOT NULL,  -- empty: the last part of the path
    size_bytes  INTEGER NOT NULL,
    modified_ms REAL NOT NULL,
    file_id     TEXT,           -- with changed_ms: the identity of the scanned file (source/file-identity.ts)
    changed_ms  REAL,
    state       TEXT NOT NULL DEFAULT 'queued' CHECK (state IN
      ('queued', 'signing', 'sending', 'done', 'skipped', 'failed', 'uncertain', 'cancelled')),
    key         TEXT,           -- the Key under which the file was, or may have been, sent
    unclear     INTEGER NOT NULL DEFAULT 0, -- 1: an attempt may have arrived; 2 (only while sending): only blocks were sent
    attempts    INTEGER NOT NULL DEFAULT 0,
    digest      BLOB,           -- sha256
    etag        TEXT,
    error       TEXT,
    started_ms  INTEGER,        -- when the first attempt began
    settled_ms  INTEGER,
    lost        INTEGER NOT NULL DEFAULT 0, -- how often it was done but had not arrived
    unproven    INTEGER NOT NULL DEFAULT 0, -- 1, 2: done, but the service has not listed it yet. 1: the storage proved nothing;
                                            -- 2: a list lacks it, but that list may lag behind
    name_crc    INTEGER,
    key_crc     INTEGER
  ) STRICT;
  CREATE INDEX item_by_state ON item (batch, state, id);
  CREATE INDEX item_large_queued ON item (batch, id) WHERE state = 'queued' AND size_bytes >= 8388608;
  CREATE INDEX item_by_error ON item (batch, error ->> 'code', id, state) WHERE error IS NOT NULL;
  CREATE INDEX item_lost ON item (batch, state) WHERE lost > 0;
  CREATE INDEX item_unproven ON item (batch) WHERE unproven > 0;
  CREATE INDEX item_there_by_name ON item (name_crc) WHERE name_crc IS NOT NULL;
  CREATE INDEX item_there_by_key ON item (key_crc) WHERE key_crc IS NOT NULL;
  -- Items that may have arrived: another item of the same file can take over their Key.
  CREATE INDEX item_left_unclear ON item (file_id) WHERE unclear = 1 AND state IN ('failed', 'uncertain');

  -- Signed URLs that may still be needed. They are not stored in item: adding a URL to the short row of a queued item would
  -- split pages, which would stay half empty after the URL is removed.
  CREATE TABLE signed_url (item INTEGER PRIMARY KEY, url TEXT NOT NULL) STRICT;

  -- Blocks that the storage has confirmed, with the address of their blob. They become a file only when they are committed.
  CREATE TABLE sent_block (
    item INTEGER NOT NULL,
    id   TEXT NOT NULL,
    blob TEXT NOT NULL,
    PRIMARY KEY (item, id)
  ) STRICT, WITHOUT ROWID;

  -- Files that the user chose to send first, with the time of the choice.
  CREATE TABLE first_file (item INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT;
  -- A settled file needs none of these any more.
  CREATE TRIGGER item_settled AFTER UPDATE OF state ON item WHEN new.state IN ('done', 'skipped', 'cancelled') BEGIN
    DELETE FROM signed_url WHERE item = new.id;
    DELETE FROM sent_block WHERE item = new.id;
    DELETE FROM first_file WHERE item = new.id;
  END;

  -- The number of files and bytes of a batch in each state. Triggers maintain it, because counting a million files would take a
  -- second. Files that are no longer on their assignment are also counted under 'removed'.
  CREATE TABLE tally (
    batch INTEGER NOT NULL REFERENCES batch (number),
    state TEXT NOT NULL,
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (batch, state)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER item_added AFTER INSERT ON item BEGIN
    INSERT INTO tally VALUES (new.batch, new.state, 1, new.size_bytes)
      ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + new.size_bytes;
  END;
  CREATE TRIGGER item_changed AFTER UPDATE OF state, size_bytes ON item BEGIN
    UPDATE tally SET files = files - 1, bytes = bytes - old.size_bytes WHERE batch = old.batch AND state = old.state;
    INSERT INTO tally VALUES (new.batch, new.state, 1, new.size_bytes)
      ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + new.size_bytes;
  END;

  -- Files that are on an assignment according to the service.
  CREATE TABLE known_file (
    connection    TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    key           TEXT NOT NULL,
    file_name     TEXT NOT NULL,
    name_key      TEXT NOT NULL,  -- file_name as names are compared (source/file-names.ts)
    uploaded_by   TEXT NOT NULL,
    source        TEXT NOT NULL CHECK (source IN ('uploaded-here', 'seen-at-removal')),
    item          INTEGER,        -- the item that uploaded it; null: unknown, or not uploaded here
    root          TEXT,           -- root to sha256: the local file, if it was uploaded here
    path          TEXT,
    size_bytes    INTEGER,
    modified_ms   REAL,
    sha256        TEXT,
    at_ms         INTEGER NOT NULL,
    PRIMARY KEY (connection, assignment_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX known_file_by_name ON known_file (connection, assignment_id, name_key);
  -- Files that are known only from the service. The file search lists them.
  CREATE INDEX known_file_reported ON known_file (connection, at_ms) WHERE source = 'seen-at-removal';

  -- How often the files changed that are known only from the service. Triggers count it, because the file search asks at each
  -- query whether its copy of these files is still right.
  CREATE TABLE reported_version (
    connection TEXT PRIMARY KEY,
    changes    INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER reported_added AFTER INSERT ON known_file WHEN new.source = 'seen-at-removal' BEGIN
    INSERT INTO reported_version VALUES (new.connection, 1) ON CONFLICT DO UPDATE SET changes = changes + 1;
  END;
  CREATE TRIGGER reported_changed AFTER UPDATE ON known_file
    WHEN 'seen-at-removal' IN (old.source, new.source)
      AND (old.source, old.file_name, old.at_ms) IS NOT (new.source, new.file_name, new.at_ms) BEGIN
    INSERT INTO reported_version VALUES (new.connection, 1) ON CONFLICT DO UPDATE SET changes = changes + 1;
  END;
  CREATE TRIGGER reported_removed AFTER DELETE ON known_file WHEN old.source = 'seen-at-removal' BEGIN
    INSERT INTO reported_version VALUES (old.connection, 1) ON CONFLICT DO UPDATE SET changes = changes + 1;
  END;

  -- Files on an assignment that an item replaces. planned: the item is not done yet; pending: to be removed now; failed: it
  -- could not be removed. The ids of a batch's items are consecutive, so the index finds the files of a batch.
  CREATE TABLE replaced_file (
    item     INTEGER NOT NULL REFERENCES item (id),
    key      TEXT NOT NULL,
    state    TEXT NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'pending', 'removed', 'failed')),
    error    TEXT,
    is_check INTEGER NOT NULL DEFAULT 0, -- 1: a check file, removed to get a list (transfer/remove-replaced.ts)
    PRIMARY KEY (item, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX replaced_file_by_state ON replaced_file (state, item);
  -- Files to be removed, by Key: their content does not count as being on the assignment.
  CREATE INDEX replaced_file_to_remove ON replaced_file (key) WHERE state IN ('pending', 'failed');

  -- Uploaded files that are no longer on their assignment. Their items stay done.
  CREATE TABLE removed_file (
    item    INTEGER PRIMARY KEY REFERENCES item (id),
    key     TEXT NOT NULL,
    at_ms   INTEGER,                    -- null: unknown
    is_lost INTEGER NOT NULL DEFAULT 0  -- 1: it did not arrive, or another file overwrote it; its batch sends it again
  ) STRICT;
  CREATE INDEX removed_file_by_key ON removed_file (key);
  CREATE TRIGGER file_removed AFTER INSERT ON removed_file BEGIN
    INSERT INTO tally SELECT batch, 'removed', 1, size_bytes FROM item WHERE id = new.item
      ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER file_restored AFTER DELETE ON removed_file BEGIN
    UPDATE tally SET files = files - 1, bytes = bytes - (SELECT size_bytes FROM item WHERE id = old.item)
      WHERE batch = old.item / 4294967296 AND state = 'removed';
  END;
  `,
];

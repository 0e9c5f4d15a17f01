/** The schema of ledger.sqlite. Add migrations at the end; never edit a released one. */
import type { Migrations } from '../../data/sqlite.ts';

export const ledgerMigrations: Migrations = [
  `
  -- One upload of one folder to one assignment, owned by a connection and, where known, a user. Batches have numbers, and
  -- their files numbers of a range of their own: number * 2^32 and on, without gaps, since no file is ever removed. So a
  -- batch's nth file is found at once, and no index has to spell out the batch's id.
  CREATE TABLE batch (
    number        INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    upload_id     TEXT NOT NULL,    -- batches that were started together are one upload
    connection    TEXT NOT NULL,
    subject       TEXT,
    assignment_id TEXT NOT NULL,
    root          TEXT NOT NULL,
    real_root     TEXT,             -- root without links when the upload began: nothing outside it is sent
    only_names    TEXT,             -- JSON array of the files that were chosen; null: the whole folder
    except_paths  TEXT,             -- JSON array of files in it that are not uploaded, by their paths below it; null: none
    reviewed      TEXT,             -- what was reviewed (source/reviewed-list.ts), as JSON, until all of it is queued
    leaves_later  INTEGER NOT NULL DEFAULT 0 CHECK (leaves_later IN (0, 1)), -- files found beside it are left out
    name_template TEXT NOT NULL,    -- how folders become part of a FileName (src/contract/uploads.ts)
    on_clash      TEXT NOT NULL CHECK (on_clash IN ('rename', 'skip', 'replace')),
    schedule      TEXT,             -- when the batch may be sent, as JSON; null: at any time
    receipt       TEXT,             -- saved beside the folder once the upload has ended; null: none, or it is saved
    state         TEXT NOT NULL CHECK (state IN ('scanning', 'running', 'paused', 'finished', 'cancelled')),
    scanned       INTEGER NOT NULL DEFAULT 0,
    reason        TEXT,
    left_out      TEXT NOT NULL DEFAULT '{"hidden":0,"system":0,"links":0,"special":0,"unreadable":0}',
    created_ms    INTEGER NOT NULL,
    finished_ms   INTEGER,
    first_ms      INTEGER           -- when it was chosen to be sent first; null: in order
  ) STRICT;
  CREATE INDEX batch_by_connection ON batch (connection, created_ms);
  CREATE INDEX batch_by_assignment ON batch (connection, assignment_id);
  CREATE INDEX batch_by_upload ON batch (upload_id);

  -- The folders that files of a batch were found in, when they were first found: nothing is sent from others in their place.
  CREATE TABLE batch_folder (
    batch   INTEGER NOT NULL REFERENCES batch (number),
    below   TEXT NOT NULL,      -- below the batch's folder, with '/' at the end; empty for that itself
    id      TEXT NOT NULL,
    born_ms REAL NOT NULL,
    PRIMARY KEY (batch, below)
  ) STRICT, WITHOUT ROWID;

  -- Files of a batch for which a person chose otherwise.
  CREATE TABLE clash_choice (
    batch    INTEGER NOT NULL REFERENCES batch (number),
    path     TEXT NOT NULL,
    on_clash TEXT NOT NULL CHECK (on_clash IN ('rename', 'skip', 'replace')),
    PRIMARY KEY (batch, path)
  ) STRICT, WITHOUT ROWID;

  -- One file of a batch. A file that was uploaded here is in known_file only once the service has named it, too: until then
  -- its item says that it is there, by name_crc and key_crc, checksums of its FileName as it is compared, and of its Key;
  -- null: it is not there, or known_file has it.
  CREATE TABLE item (
    id          INTEGER PRIMARY KEY,
    batch       INTEGER NOT NULL REFERENCES batch (number),
    path        TEXT NOT NULL,
    file_name   TEXT NOT NULL,  -- empty: the last part of the path
    size_bytes  INTEGER NOT NULL,
    modified_ms REAL NOT NULL,
    file_id     TEXT,           -- with changed_ms: tells the file that was scanned from one that took its place
    changed_ms  REAL,           -- (source/file-identity.ts)
    state       TEXT NOT NULL DEFAULT 'queued' CHECK (state IN
      ('queued', 'signing', 'sending', 'done', 'skipped', 'failed', 'uncertain', 'cancelled')),
    key         TEXT,           -- of the signature that the file was, or may have been, sent with
    unclear     INTEGER NOT NULL DEFAULT 0, -- 1: an attempt may have arrived; 2, while sending: only blocks were sent
    attempts    INTEGER NOT NULL DEFAULT 0,
    digest      BLOB,           -- sha256
    etag        TEXT,
    error       TEXT,
    started_ms  INTEGER,        -- when its first attempt began
    settled_ms  INTEGER,
    lost        INTEGER NOT NULL DEFAULT 0, -- how often it was done and had not arrived
    unproven    INTEGER NOT NULL DEFAULT 0, -- done, but the service has not listed it yet. 1: the storage did not prove it either;
                                            -- 2: a list lacks it, which may only lag behind
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

  -- Signed URLs while they may be needed. In the row of its item, which is short while it is queued, a URL would make pages
  -- split that are half empty once it is gone.
  CREATE TABLE signed_url (item INTEGER PRIMARY KEY, url TEXT NOT NULL) STRICT;

  -- Blocks of a file that its storage has confirmed, by the address of the blob: nothing of them is a file before they are
  -- committed.
  CREATE TABLE sent_block (
    item INTEGER NOT NULL,
    id   TEXT NOT NULL,
    blob TEXT NOT NULL,
    PRIMARY KEY (item, id)
  ) STRICT, WITHOUT ROWID;

  -- Files that are sent before all others, and when that was chosen.
  CREATE TABLE first_file (item INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT;
  CREATE TRIGGER item_settled AFTER UPDATE OF state ON item WHEN new.state IN ('done', 'skipped', 'cancelled') BEGIN
    DELETE FROM sent_block WHERE item = new.id;
    DELETE FROM first_file WHERE item = new.id;
  END;

  -- What a batch has in each state, kept by the triggers below: counting a million files would take a second. Files that are
  -- no longer on their assignment are counted as one more state, 'removed'.
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

  -- What this app knows to be on an assignment because the service has named it.
  CREATE TABLE known_file (
    connection    TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    key           TEXT NOT NULL,
    file_name     TEXT NOT NULL,
    name_key      TEXT NOT NULL,  -- file_name as it is compared (source/file-names.ts)
    uploaded_by   TEXT NOT NULL,
    source        TEXT NOT NULL CHECK (source IN ('uploaded-here', 'seen-at-removal')),
    item          INTEGER,        -- that it was uploaded as, which leads to its batch and upload
    root          TEXT,           -- where a file that was uploaded here came from, and how it was then
    path          TEXT,
    size_bytes    INTEGER,
    modified_ms   REAL,
    sha256        TEXT,
    at_ms         INTEGER NOT NULL,
    PRIMARY KEY (connection, assignment_id, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX known_file_by_name ON known_file (connection, assignment_id, name_key);
  -- Files that only the service named, which the search for files lists.
  CREATE INDEX known_file_reported ON known_file (connection, at_ms) WHERE source = 'seen-at-removal';

  -- Files on an assignment that an item replaces. planned: until the item is done; pending: to be removed now; failed: the
  -- service refuses to remove it. The item's id begins with the number of its batch, so the index finds those of a batch.
  CREATE TABLE replaced_file (
    item     INTEGER NOT NULL REFERENCES item (id),
    key      TEXT NOT NULL,
    state    TEXT NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'pending', 'removed', 'failed')),
    error    TEXT,
    is_check INTEGER NOT NULL DEFAULT 0, -- on the assignment only so that its removal lists the others (transfer/remove-replaced.ts)
    PRIMARY KEY (item, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX replaced_file_by_state ON replaced_file (state, item);
  -- Those to be removed, by their Key: their content does not count as there.
  CREATE INDEX replaced_file_to_remove ON replaced_file (key) WHERE state IN ('pending', 'failed');

  -- Uploaded files that are no longer on their assignment. Their items stay done.
  CREATE TABLE removed_file (
    item    INTEGER PRIMARY KEY REFERENCES item (id),
    key     TEXT NOT NULL,
    at_ms   INTEGER,                    -- null: nobody knows
    is_lost INTEGER NOT NULL DEFAULT 0  -- 1: the service never listed it, so it never arrived; its batch sends it again
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
  `
  -- Items whose Key another item of the same file takes over.
  CREATE INDEX item_left_unclear ON item (file_id) WHERE unclear = 1 AND state IN ('failed', 'uncertain');
  `,
];

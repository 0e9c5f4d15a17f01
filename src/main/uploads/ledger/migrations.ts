/** The schema of ledger.sqlite. Append only: never edit a released migration. */
import type { Migrations } from '../../data/sqlite.ts';

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
  -- How folders become part of a FileName (src/contract/uploads.ts).
  ALTER TABLE batch ADD COLUMN name_template TEXT NOT NULL DEFAULT '{name}';
  -- When the file's first attempt began.
  ALTER TABLE item ADD COLUMN started_ms INTEGER;
  `,
  `
  -- Batches have numbers, and their files numbers of a range of their own: number * 2^32 and on, without gaps, for no
  -- file is ever taken out. So a batch's nth file is found at once, and no index has to spell the batch's id out.
  CREATE TABLE numbered_batch (
    number        INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    connection    TEXT NOT NULL,
    subject       TEXT,
    assignment_id TEXT NOT NULL,
    root          TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('scanning', 'running', 'paused', 'finished', 'cancelled')),
    scanned       INTEGER NOT NULL DEFAULT 0,
    reason        TEXT,
    left_out      TEXT NOT NULL DEFAULT '{"hidden":0,"system":0,"links":0,"unreadable":0}',
    created_ms    INTEGER NOT NULL,
    finished_ms   INTEGER,
    name_template TEXT NOT NULL DEFAULT '{name}'
  ) STRICT;
  INSERT INTO numbered_batch SELECT rowid, * FROM batch;

  CREATE TABLE numbered_item (
    id          INTEGER PRIMARY KEY,
    batch       INTEGER NOT NULL REFERENCES numbered_batch (number),
    path        TEXT NOT NULL,
    file_name   TEXT NOT NULL,
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
    settled_ms  INTEGER,
    started_ms  INTEGER
  ) STRICT;
  INSERT INTO numbered_item
    SELECT number * 4294967296 + row_number() OVER (PARTITION BY number ORDER BY item.id) - 1, number, path, file_name,
      size_bytes, modified_ms, item.state, key, url, unclear, attempts, sha256, etag, error, settled_ms,
      started_ms
    FROM item JOIN numbered_batch ON numbered_batch.id = item.batch;

  DROP TABLE item;
  DROP TABLE batch;
  ALTER TABLE numbered_batch RENAME TO batch;
  ALTER TABLE numbered_item RENAME TO item;
  CREATE INDEX batch_by_connection ON batch (connection, created_ms);
  CREATE INDEX item_by_state ON item (batch, state, id);
  CREATE INDEX item_large_queued ON item (batch, id) WHERE state = 'queued' AND size_bytes >= 8388608;
  CREATE INDEX item_by_error ON item (batch, error ->> 'code', id, state) WHERE error IS NOT NULL;

  -- What a batch has in each state, kept by the triggers below: counting a million files would take a second.
  CREATE TABLE tally (
    batch INTEGER NOT NULL REFERENCES batch (number),
    state TEXT NOT NULL,
    files INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (batch, state)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tally SELECT batch, state, count(*), sum(size_bytes) FROM item GROUP BY batch, state;
  CREATE TRIGGER item_added AFTER INSERT ON item BEGIN
    INSERT INTO tally VALUES (new.batch, new.state, 1, new.size_bytes)
      ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + new.size_bytes;
  END;
  CREATE TRIGGER item_changed AFTER UPDATE OF state, size_bytes ON item BEGIN
    UPDATE tally SET files = files - 1, bytes = bytes - old.size_bytes WHERE batch = old.batch AND state = old.state;
    INSERT INTO tally VALUES (new.batch, new.state, 1, new.size_bytes)
      ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + new.size_bytes;
  END;
  `,
  `
  -- Files of the folder that were chosen, as a JSON array of their names; all of it where there is none.
  ALTER TABLE batch ADD COLUMN only_names TEXT;
  `,
  `
  -- What tells the file that was scanned from one that took its place (source/file-identity.ts).
  ALTER TABLE item ADD COLUMN file_id TEXT;
  ALTER TABLE item ADD COLUMN changed_ms REAL;
  -- The folder's path without links, as it was when the upload began: nothing outside it is sent.
  ALTER TABLE batch ADD COLUMN real_root TEXT;
  `,
  `
  -- Where a file that was uploaded here came from, and how it was then.
  ALTER TABLE known_file ADD COLUMN root TEXT;
  ALTER TABLE known_file ADD COLUMN path TEXT;
  ALTER TABLE known_file ADD COLUMN modified_ms REAL;
  UPDATE known_file SET root = uploaded.root, path = uploaded.path, modified_ms = uploaded.modified_ms
    FROM (SELECT connection, assignment_id, key, root, path, modified_ms
      FROM item JOIN batch ON batch.number = item.batch WHERE item.state = 'done') AS uploaded
    WHERE known_file.connection = uploaded.connection AND known_file.assignment_id = uploaded.assignment_id
      AND known_file.key = uploaded.key;
  `,
  `
  -- Names as they are compared (source/file-names.ts). SQLite cannot fold them: known-files.ts fills in what is missing.
  ALTER TABLE known_file ADD COLUMN name_key TEXT;
  DROP INDEX known_file_by_name;
  CREATE INDEX known_file_by_name ON known_file (connection, assignment_id, name_key);
  CREATE INDEX known_file_without_name_key ON known_file (key) WHERE name_key IS NULL;
  `,
  `
  -- Batches that were started together are one upload. on_clash: what happens to files whose FileName is taken.
  ALTER TABLE batch ADD COLUMN upload_id TEXT NOT NULL DEFAULT '';
  ALTER TABLE batch ADD COLUMN on_clash TEXT NOT NULL DEFAULT 'rename' CHECK (on_clash IN ('rename', 'skip', 'replace'));
  UPDATE batch SET upload_id = id;
  CREATE INDEX batch_by_upload ON batch (upload_id);

  -- Files of a batch for which a person chose otherwise.
  CREATE TABLE clash_choice (
    batch    INTEGER NOT NULL REFERENCES batch (number),
    path     TEXT NOT NULL,
    on_clash TEXT NOT NULL CHECK (on_clash IN ('rename', 'skip', 'replace')),
    PRIMARY KEY (batch, path)
  ) STRICT, WITHOUT ROWID;

  -- Files on an assignment that an item replaces. planned: until the item is done; pending: to be removed now; failed: the
  -- service refuses to remove it. The item's id begins with the number of its batch, so the index finds those of a batch.
  CREATE TABLE replaced_file (
    item  INTEGER NOT NULL REFERENCES item (id),
    key   TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'pending', 'removed', 'failed')),
    error TEXT,
    PRIMARY KEY (item, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX replaced_file_by_state ON replaced_file (state, item);

  -- The item that a file was uploaded as, which leads to its batch and upload.
  ALTER TABLE known_file ADD COLUMN item INTEGER;
  UPDATE known_file SET item = uploaded.id
    FROM (SELECT connection, assignment_id, key, item.id FROM item JOIN batch ON batch.number = item.batch
      WHERE item.state = 'done') AS uploaded
    WHERE known_file.connection = uploaded.connection AND known_file.assignment_id = uploaded.assignment_id
      AND known_file.key = uploaded.key;
  `,
  `
  -- The batches for an assignment, which each new one has to know: an upload may have ten thousand of them.
  CREATE INDEX batch_by_assignment ON batch (connection, assignment_id);
  `,
  `
  -- Files that only the service named, which the search for files lists.
  CREATE INDEX known_file_reported ON known_file (connection, at_ms) WHERE source = 'seen-at-removal';
  `,
  `
  -- Files that are to be removed because another one replaced them, by their Key: their content does not count as there.
  CREATE INDEX replaced_file_to_remove ON replaced_file (key) WHERE state IN ('pending', 'failed');
  `,
  `
  -- When the batch may be sent, as JSON; null: at any time.
  ALTER TABLE batch ADD COLUMN schedule TEXT;
  `,
  `
  -- The receipt that is saved beside the folder once the upload has ended; null: none, or it is saved.
  ALTER TABLE batch ADD COLUMN receipt TEXT;
  `,
  `
  -- From now on a file that was uploaded here is in known_file only once the service has named it, too: until then its item
  -- says that it is there. name_crc, key_crc: checksums of its FileName as it is compared, and of its Key, while it is;
  -- null: it is not, or known_file has it. digest: the sha256 in bytes; older items have it in hex. A file_name that
  -- is the last part of the path is empty. Older rows stay as they are.
  ALTER TABLE item ADD COLUMN digest BLOB;
  ALTER TABLE item ADD COLUMN name_crc INTEGER;
  ALTER TABLE item ADD COLUMN key_crc INTEGER;
  CREATE INDEX item_there_by_name ON item (name_crc) WHERE name_crc IS NOT NULL;
  CREATE INDEX item_there_by_key ON item (key_crc) WHERE key_crc IS NOT NULL;
  `,
  `
  -- Signed Urls while they may be needed. In the row of its item, which is short while it is queued, a Url would make pages
  -- split that are half empty once it is gone. Items of older versions may still have theirs in item.url.
  CREATE TABLE signed_url (item INTEGER PRIMARY KEY, url TEXT NOT NULL) STRICT;
  `,
  `
  -- Uploaded files that are no longer on their assignment, and since when; null: nobody knows. Their items stay done. The
  -- tally counts them as one more state.
  CREATE TABLE removed_file (item INTEGER PRIMARY KEY REFERENCES item (id), key TEXT NOT NULL, at_ms INTEGER) STRICT;
  CREATE INDEX removed_file_by_key ON removed_file (key);
  CREATE TRIGGER file_removed AFTER INSERT ON removed_file BEGIN
    INSERT INTO tally SELECT batch, 'removed', 1, size_bytes FROM item WHERE id = new.item
      ON CONFLICT DO UPDATE SET files = files + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER file_restored AFTER DELETE ON removed_file BEGIN
    UPDATE tally SET files = files - 1, bytes = bytes - (SELECT size_bytes FROM item WHERE id = old.item)
      WHERE batch = old.item / 4294967296 AND state = 'removed';
  END;
  INSERT INTO removed_file SELECT item.id, item.key, NULL FROM item JOIN batch ON number = item.batch
    WHERE item.state = 'done' AND item.key IS NOT NULL AND item.key_crc IS NULL
      AND NOT EXISTS (SELECT 1 FROM known_file WHERE known_file.connection = batch.connection
        AND known_file.assignment_id = batch.assignment_id AND known_file.key = item.key)
      -- Another item may have been uploaded under the same Key. One value, because SQLite compares rows of several columns that
      -- may be null with every row of the list.
      AND json_array(connection, assignment_id, item.key) NOT IN (SELECT json_array(connection, assignment_id, there.key)
        FROM item AS there JOIN batch ON number = there.batch WHERE there.key_crc IS NOT NULL);
  `,
  `
  -- A file whose Key the service gave to a later one is not on its assignment any more, either: that one took its place.
  INSERT INTO removed_file SELECT item.id, item.key, NULL FROM item JOIN batch ON number = item.batch
    WHERE item.state = 'done' AND item.key IS NOT NULL AND item.key_crc IS NULL
      AND NOT EXISTS (SELECT 1 FROM known_file WHERE known_file.connection = batch.connection
        AND known_file.assignment_id = batch.assignment_id AND known_file.key = item.key
        AND (known_file.item IS NULL OR known_file.item = item.id))
    ON CONFLICT DO NOTHING;
  `,
  `
  -- What was reviewed (source/reviewed-list.ts), as JSON, until all of it is queued. leaves_later: files that the scan finds
  -- beside it are left out.
  ALTER TABLE batch ADD COLUMN reviewed TEXT;
  ALTER TABLE batch ADD COLUMN leaves_later INTEGER NOT NULL DEFAULT 0 CHECK (leaves_later IN (0, 1));

  -- The folders that files of a batch were found in, when they were first found: nothing is sent from others in their place.
  CREATE TABLE batch_folder (
    batch   INTEGER NOT NULL REFERENCES batch (number),
    below   TEXT NOT NULL,      -- below the batch's folder, with '/' at the end; empty for that itself
    id      TEXT NOT NULL,
    born_ms REAL NOT NULL,
    PRIMARY KEY (batch, below)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- A check file (transfer/remove-replaced.ts): on the assignment only so that its removal lists the others.
  ALTER TABLE replaced_file ADD COLUMN is_check INTEGER NOT NULL DEFAULT 0;
  -- 1: the service never listed the file, so it never arrived. Only while its batch has not ended, which then sends it again.
  ALTER TABLE removed_file ADD COLUMN is_lost INTEGER NOT NULL DEFAULT 0;
  -- How often the file was lost so.
  ALTER TABLE item ADD COLUMN lost INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX item_lost ON item (batch, state) WHERE lost > 0;
  -- 1: it is done, but the storage did not prove it, and the service has not listed it yet.
  ALTER TABLE item ADD COLUMN unproven INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX item_unproven ON item (batch) WHERE unproven = 1;
  `,
];

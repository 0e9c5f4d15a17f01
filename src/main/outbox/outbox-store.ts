/**
 * outbox.sqlite, the only record of pending and rejected changes and of the receipts of removals. A file that is
 * damaged, or was written by a newer app, stays unchanged. The outbox is then in memory until the app ends, and has
 * `damage`.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { isSameUser, type Owner } from '../../contract/connection.ts';
import { DeskError, ErrorData, toErrorData } from '../../contract/errors.ts';
import { type OutboxEntry, type RemovableFile, type Removal, RemovedFile } from '../../contract/offline.ts';
import {
  absent,
  type Migrations,
  openDatabase,
  openPrecious,
  storedCount,
  storedJson,
  storedTime,
  transaction,
  translated,
} from '../data/sqlite.ts';

/** A change without `PlanAfter` clears the value. */
export type PlanAfterChange = { readonly AssignmentId: string; readonly PlanAfter?: number | undefined };

type AssignmentFile = { readonly assignmentId: string; readonly key: string };

/** A request to set or clear a value that got no response. `atMs`: when the request ended, according to `steadyNow`. */
type Unanswered = Pick<PlanAfterChange, 'PlanAfter'> & { readonly atMs: number };

/** The store of the outbox. A function that cannot write throws `data/corrupt` or `data/unwritable`. */
export type OutboxStore = ReturnType<typeof createStore>;

/** Opens the outbox at `path`. Errors: `data/unwritable`. */
export const openOutboxStore = (path: string): OutboxStore => openPrecious(path, createStore);

const createStore = (path: string, damage?: DeskError) => {
  const db = openDatabase({ path, migrations: outboxMigrations, durability: 'full' });
  const entries =
    'SELECT id, subject, assignment AS AssignmentId, kind, PlanAfter, error, at_ms AS createdAtMs FROM entry';
  const list = db.prepare(`${entries} WHERE connection = ? ORDER BY id`);
  const insert = db.prepare(
    `INSERT OR REPLACE INTO entry (connection, subject, assignment, kind, PlanAfter, file_key, at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const lastId = db.prepare('SELECT last_insert_rowid() AS id');
  const supersede = db.prepare(`DELETE FROM entry WHERE connection = ? AND assignment = ? AND kind = 'plan-after'`);
  const remove = db.prepare('DELETE FROM entry WHERE id = ?');
  const toRemove = db.prepare(
    `SELECT assignment AS assignmentId, removal_file.file_key AS key FROM entry JOIN removal_file ON entry = entry.id
     WHERE connection = ? AND state = 'waiting'`,
  );
  const setError = db.prepare('UPDATE entry SET error = ? WHERE id = ?');
  // Integers are read as bigints. Otherwise an integer beyond JavaScript's range in one row would make the whole query
  // throw.
  list.setReadBigInts(true);
  const all = db.prepare(entries);
  all.setReadBigInts(true);
  const isUnreadable = translated(path, () => all.all()).some((row) => !Row.safeParse(row).success);
  const leftOut = isUnreadable
    ? new DeskError('data/left-out', 'a change in the outbox cannot be read', {
        details: { part: 'pendingChanges', file: path },
      })
    : undefined;
  const write = <T>(work: () => T): T => translated(path, work);
  const removals = createRemovals(db, path, write);

  return {
    /**
     * The changes that the user may have made, oldest first. A change or a user without a subject may be anyone's.
     * Changes that cannot be read are left out. Errors: `data/corrupt`, `data/unwritable`.
     */
    list: (owner: Owner): readonly OutboxEntry[] =>
      translated(path, () => list.all(owner.connectionId))
        .filter((row) => isSameUser({ subject: textOf(row.subject) }, owner))
        .flatMap((row) => {
          const entry = Row.safeParse(row).data;
          if (entry?.kind !== 'remove-files') return entry ?? [];
          return { ...entry, ...removals.counts(entry.id) };
        }),
    /**
     * Appends a change of a value, and removes an earlier change of the same value, even one of another user. Also
     * throws `damage`.
     */
    put: ({ connectionId, subject }: Owner, { AssignmentId, PlanAfter }: PlanAfterChange, atMs: number): void =>
      write(() => {
        if (damage) throw damage;
        insert.run(connectionId, subject ?? null, AssignmentId, 'plan-after', PlanAfter ?? null, '', atMs);
      }),
    /**
     * Appends a removal of files, and returns the id of its entry. `replaces`: if it has one file, it replaces an
     * earlier removal of that file alone, even one of another user.
     */
    putRemoval: (
      { connectionId, subject }: Owner,
      assignmentId: string,
      files: readonly RemovableFile[],
      atMs: number,
      replaces = true,
    ): number =>
      write(() =>
        transaction(db, () => {
          const [only, ...others] = files;
          const key = replaces && only && others.length === 0 ? only.Key : randomUUID();
          insert.run(connectionId, subject ?? null, assignmentId, 'remove-files', null, key, atMs);
          const id = Number(lastId.get()?.id);
          removals.add(id, files);
          return id;
        }),
      ),
    removals,
    /** Removes a stored change of the plan-after value, even one of another user. Returns whether there was one. */
    supersede: ({ connectionId }: Owner, AssignmentId: string): boolean =>
      write(() => supersede.run(connectionId, AssignmentId).changes > 0),
    remove: (id: number): void => write(() => void remove.run(id)),
    refused: (id: number, error: DeskError): void =>
      write(() => void setError.run(JSON.stringify(toErrorData(error)), id)),
    retry: (id: number): void => write(() => void setError.run(null, id)),
    /**
     * The files that users of the connection have asked to remove, and that are still to be removed. Errors:
     * `data/corrupt`, `data/unwritable`.
     */
    beingRemoved: (connectionId: string): readonly AssignmentFile[] =>
      translated(path, () => toRemove.all(connectionId)).map(({ assignmentId, key }) => ({
        assignmentId: String(assignmentId),
        key: String(key),
      })),
    /**
     * For each value, the last request that got no response, by connection and assignment. Kept only until the app
     * ends.
     */
    unanswered: new Map<string, Unanswered>(),
    /**
     * The error that makes the file unusable; undefined if the file is usable. With `damage`, the store is in memory,
     * and no change must stay pending in it.
     */
    damage,
    /**
     * `data/left-out` if some changes could not be read at the start. These changes stay in the file, and are not sent.
     */
    leftOut,
    close: (): void => db.close(),
  };
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const entry = {
  id: storedCount,
  AssignmentId: z.string(),
  createdAtMs: storedTime,
  error: absent(storedJson(ErrorData)),
};
const Row = z.discriminatedUnion('kind', [
  z.object({ ...entry, kind: z.literal('plan-after'), PlanAfter: absent(z.number()) }),
  z.object({ ...entry, kind: z.literal('remove-files') }),
]);

// The schema of outbox.sqlite. Add migrations to the end, and never edit a released one.

const outboxMigrations: Migrations = [
  `
  -- Pending and rejected changes, and the receipts of removals, in the order in which they were made.
  CREATE TABLE entry (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    connection TEXT NOT NULL,
    subject    TEXT,           -- who made it, where the access token told
    assignment TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('plan-after', 'remove-files')),
    PlanAfter  REAL,           -- null: to be cleared
    file_key   TEXT NOT NULL,  -- of a removal of one file; a random text for several, empty for a value
    error      TEXT,           -- why the service refused it, as JSON
    at_ms      INTEGER NOT NULL,
    UNIQUE (connection, assignment, kind, file_key)
  ) STRICT;

  -- The files of a removal, and what became of each.
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

// The files of removals, with their states. After a restart, the removal continues with the files that still wait. The
// receipt lists all files.

/** The counts of a removal. If the removal has one file, `name` and `error` are those of the file. */
type Counts = Pick<Removal, 'name' | 'error' | 'files' | 'bytes' | 'removed' | 'refused' | 'waiting'>;

const FileRow = z.object({
  Key: z.string(),
  FileName: z.string(),
  folder: absent(z.string()),
  sizeBytes: absent(storedCount),
  addedAtMs: absent(storedTime),
  state: RemovedFile.shape.state,
  error: absent(storedJson(ErrorData)),
  settledAtMs: absent(storedTime),
});

const createRemovals = (db: DatabaseSync, path: string, write: (work: () => void) => void) => {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO removal_file (entry, file_key, FileName, folder, size_bytes, added_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const counts = db.prepare(
    'SELECT state, count(*) AS files, sum(size_bytes) AS bytes FROM removal_file WHERE entry = ? GROUP BY state',
  );
  counts.setReadBigInts(true);
  const waiting = db.prepare(`SELECT file_key FROM removal_file WHERE entry = ? AND state = 'waiting' LIMIT ?`);
  const settle = db.prepare(
    `UPDATE removal_file SET state = ?, error = ?, settled_ms = ? WHERE entry = ? AND file_key = ?`,
  );
  const change = db.prepare('UPDATE removal_file SET state = ?, error = NULL WHERE entry = ? AND state = ?');
  const stateOf = db.prepare('SELECT state FROM removal_file WHERE entry = ? AND file_key = ?');
  const files = db.prepare(
    `SELECT file_key AS Key, FileName, folder, size_bytes AS sizeBytes, added_ms AS addedAtMs, state, error,
       settled_ms AS settledAtMs
     FROM removal_file WHERE entry = ? ORDER BY state <> 'refused', folder, FileName, file_key LIMIT ? OFFSET ?`,
  );
  files.setReadBigInts(true);
  /**
   * The counts of removals, by the ids of their entries. They are cached, because counting reads all files of a
   * removal. A change of a file updates or drops them.
   */
  const counted = new Map<number, Counts>();

  const page = (
    id: number,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): readonly RemovedFile[] =>
    translated(path, () => files.all(id, limit, offset)).flatMap((row) => FileRow.safeParse(row).data ?? []);

  const countAll = (id: number): Counts => {
    const rows = translated(path, () => counts.all(id));
    const sum = (name: 'files' | 'bytes', state?: RemovedFile['state']): number =>
      rows.reduce((total, row) => total + (state === undefined || row.state === state ? Number(row[name]) : 0), 0);
    const only = sum('files') === 1 ? page(id, { offset: 0, limit: 1 })[0] : undefined;
    return {
      ...(only && { name: only.FileName }),
      ...(only?.error && { error: only.error }),
      files: sum('files'),
      bytes: sum('bytes'),
      removed: sum('files', 'removed'),
      refused: sum('files', 'refused'),
      waiting: sum('files', 'waiting'),
    };
  };
  const settleFile = (
    id: number,
    Key: string,
    state: 'removed' | 'refused',
    error: string | null,
    atMs: number,
  ): void =>
    write(() => {
      const before = stateOf.get(id, Key)?.state;
      settle.run(state, error, atMs, id, Key);
      const known = counted.get(id);
      if (!known || before === undefined) return;
      if (known.files === 1) {
        counted.delete(id);
        return;
      }
      const without = before === 'waiting' || before === 'refused' ? { ...known, [before]: known[before] - 1 } : known;
      counted.set(id, { ...without, [state]: without[state] + 1 });
    });
  const changeAll = (id: number, to: RemovedFile['state'], from: RemovedFile['state']): void =>
    write(() => {
      change.run(to, id, from);
      counted.delete(id);
    });

  return {
    add: (id: number, added: readonly RemovableFile[]): void => {
      for (const { Key, FileName, folder, sizeBytes, addedAtMs } of added)
        insert.run(id, Key, FileName, folder ?? null, sizeBytes ?? null, addedAtMs ?? null);
    },
    counts: (id: number): Counts => {
      const known = counted.get(id) ?? countAll(id);
      counted.set(id, known);
      return known;
    },
    /** Returns the keys of at most `limit` files that are still to be removed; of all such files without `limit`. */
    waiting: (id: number, limit = -1): readonly string[] =>
      translated(path, () => waiting.all(id, limit)).map(({ file_key }) => String(file_key)),
    removed: (id: number, Key: string, atMs: number): void => settleFile(id, Key, 'removed', null, atMs),
    refused: (id: number, Key: string, error: DeskError, atMs: number): void =>
      settleFile(id, Key, 'refused', JSON.stringify(toErrorData(error)), atMs),
    retry: (id: number): void => changeAll(id, 'waiting', 'refused'),
    /** Cancels the removal of the files that still wait: they stay on the assignment. */
    keepRest: (id: number): void => changeAll(id, 'kept', 'waiting'),
    /** Returns a page of the files, with rejected files first. Files whose row cannot be read are left out. */
    files: page,
  };
};

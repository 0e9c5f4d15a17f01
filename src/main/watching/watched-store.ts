/**
 * watched.sqlite: the watched folders, and which versions of their files were taken. If it is damaged, nothing is
 * watched; the file stays as it is.
 */
import { z } from 'zod';
import { isOwnedBy, type Owner } from '../../contract/connection.ts';
import { DeskError } from '../../contract/errors.ts';
import { Hours } from '../../contract/hours.ts';
import { OnClash } from '../../contract/uploads.ts';
import {
  absent,
  type Migrations,
  openDatabase,
  storedCount,
  storedJson,
  storedTime,
  transaction,
  translated,
  translating,
} from '../data/sqlite.ts';
import { type FoundFile, isSameFile, isSameVersion } from './pending-files.ts';

/**
 * A folder and the rules for its files. Without `assignmentId` each file goes to the assignment that its folders' names
 * match.
 */
export type FolderRow = Owner & {
  readonly id: number;
  readonly root: string;
  readonly realRoot: string | undefined;
  readonly assignmentId: string | undefined;
  readonly onClash: OnClash;
  readonly hours: Hours;
  readonly paused: boolean;
  readonly addedMs: number;
};

/** A version of a file. Without `assignmentId` it is not to be sent. `batch`: the one that sends it. */
export type TakenFile = FoundFile & {
  readonly assignmentId: string | undefined;
  readonly batch?: string | undefined;
};

/** Errors of all writing calls: `data/corrupt`, `data/unwritable`. */
export type WatchedStore = {
  /** The folders of a connection and user, without those that cannot be read. */
  readonly folders: (owner: Owner) => readonly FolderRow[];
  /** Adds a folder that is not listed before `list`, and forgotten if the app dies before. */
  readonly add: (folder: Omit<FolderRow, 'id' | 'paused'>) => number;
  readonly list: (id: number, owner: Owner) => void;
  readonly change: (id: number, folder: Pick<FolderRow, 'assignmentId' | 'onClash' | 'hours' | 'paused'>) => void;
  /** Also forgets its files. */
  readonly remove: (id: number) => void;
  readonly take: (folder: number, files: readonly TakenFile[]) => void;
  /**
   * Whether this version was taken. Of a file that was sent, its content decides, unless nothing about it has changed.
   */
  readonly isTaken: (folder: number, file: FoundFile) => boolean;
  /** The version at this path that was taken, if it was sent and had the same size. */
  readonly sentAt: (folder: number, file: FoundFile) => TakenFile | undefined;
  /** Whether a file below this folder (a path with `/`) was taken, in any version. */
  readonly hasTakenBelow: (folder: number, path: string) => boolean;
  /** The versions under other paths that were taken, of which the file may be one that has been moved or renamed since. */
  readonly movedFrom: (folder: number, file: FoundFile) => readonly TakenFile[];
  /** Why nothing is watched, if so. */
  readonly damage: DeskError | undefined;
  readonly close: () => void;
};

/** Opens the store at `path`. Errors: `data/unwritable`. */
export const openWatchedStore = (path: string): WatchedStore => {
  try {
    return createStore(path, undefined);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'data/unwritable') throw error;
    return createStore(':memory:', error);
  }
};

/** The connection of a folder that is being added. */
const UNLISTED = '';

const createStore = (path: string, damage: DeskError | undefined): WatchedStore => {
  const db = openDatabase({ path, migrations: watchedMigrations, durability: 'full' });
  const folders = db.prepare('SELECT * FROM folder WHERE connection = ? ORDER BY id');
  const fileAt = db.prepare('SELECT * FROM file WHERE folder = ? AND path = ?');
  const fileBy = db.prepare('SELECT * FROM file WHERE folder = ? AND identity = ? AND path <> ?');
  const fileBelow = db.prepare("SELECT 1 FROM file WHERE folder = ? AND path > ? || '/' AND path < ? || '0' LIMIT 1");
  folders.setReadBigInts(true);
  const insert = db.prepare(
    `INSERT INTO folder (connection, subject, root, real_root, assignment, on_clash, hours, added_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const show = db.prepare('UPDATE folder SET connection = ? WHERE id = ?');
  const update = db.prepare('UPDATE folder SET assignment = ?, on_clash = ?, hours = ?, paused = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM folder WHERE id = ?');
  const putFile = db.prepare(
    `INSERT OR REPLACE INTO file (folder, path, size, modified_ms, changed_ms, identity, assignment, born_ms, batch)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  translated(path, () => db.prepare('DELETE FROM folder WHERE connection = ?').run(UNLISTED));
  const assertWritable = (): void => {
    if (damage) throw damage;
  };

  return {
    ...translating(path, {
      folders: (owner: Owner) =>
        folders
          .all(owner.connectionId)
          .flatMap((row) => Folder.safeParse(row).data ?? [])
          .filter((row) => isOwnedBy(row, owner)),
      add: ({ subject, root, realRoot, assignmentId, onClash, hours, addedMs }) => {
        assertWritable();
        const { lastInsertRowid } = insert.run(
          UNLISTED,
          subject ?? null,
          root,
          realRoot ?? null,
          assignmentId ?? null,
          onClash,
          JSON.stringify(hours),
          Math.round(addedMs),
        );
        return Number(lastInsertRowid);
      },
      list: (id, { connectionId }) => void show.run(connectionId, id),
      change: (id, { assignmentId, onClash, hours, paused }) =>
        void update.run(assignmentId ?? null, onClash, JSON.stringify(hours), Number(paused), id),
      remove: (id) => void remove.run(id),
      take: (folder, files) =>
        transaction(db, () => {
          for (const { path: at, facts, assignmentId, batch } of files) {
            const { sizeBytes, modifiedMs, changedMs, id, bornMs } = facts;
            const to = assignmentId ?? null;
            putFile.run(folder, at, sizeBytes, modifiedMs, changedMs, id, to, bornMs ?? null, batch ?? null);
          }
        }),
      isTaken: (folder, file) => {
        const row = File.safeParse(fileAt.get(folder, file.path)).data;
        if (row === undefined) return false;
        return (
          isSameVersion(row.facts, file.facts) || (row.assignmentId === undefined && isSameFile(row.facts, file.facts))
        );
      },
      sentAt: (folder, { path: at, facts }) => {
        const row = File.safeParse(fileAt.get(folder, at)).data;
        return row?.assignmentId !== undefined && row.facts.sizeBytes === facts.sizeBytes ? row : undefined;
      },
      // '0' follows '/'.
      hasTakenBelow: (folder, below) => fileBelow.get(folder, below, below) !== undefined,
      movedFrom: (folder, { path: at, facts }) =>
        fileBy
          .all(folder, facts.id, at)
          .flatMap((row) => File.safeParse(row).data ?? [])
          .filter((row) => isSameFile(row.facts, facts)),
    } satisfies Omit<WatchedStore, 'damage' | 'close'>),
    damage,
    close: () => translated(path, () => db.close()),
  };
};

const flag = storedCount.transform((value) => value === 1);

const Folder = z
  .object({
    id: storedCount,
    connection: z.string(),
    subject: absent(z.string()),
    root: z.string(),
    real_root: absent(z.string()),
    assignment: absent(z.string()),
    on_clash: OnClash,
    hours: storedJson(Hours),
    paused: flag,
    added_ms: storedTime,
  })
  .transform(
    ({ connection, real_root, assignment, on_clash, added_ms, id, subject, root, hours, paused }): FolderRow => ({
      id,
      connectionId: connection,
      subject,
      root,
      realRoot: real_root,
      assignmentId: assignment,
      onClash: on_clash,
      hours,
      paused,
      addedMs: added_ms,
    }),
  );

const File = z
  .object({
    path: z.string(),
    size: storedCount,
    modified_ms: z.number(),
    changed_ms: z.number(),
    identity: z.string(),
    assignment: absent(z.string()),
    born_ms: absent(z.number()),
    batch: absent(z.string()),
  })
  .transform(({ path, size, modified_ms, changed_ms, identity, assignment, born_ms, batch }): TakenFile => {
    const times = { modifiedMs: modified_ms, changedMs: changed_ms, bornMs: born_ms };
    return { path, facts: { sizeBytes: size, ...times, id: identity }, assignmentId: assignment, batch };
  });

// The schema of watched.sqlite. Add to the end; never edit what has been released.

const watchedMigrations: Migrations = [
  `
  CREATE TABLE folder (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    connection TEXT NOT NULL,
    subject    TEXT,            -- who added it, if the access token says
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

/** watched.sqlite: the watched folders, and the taken versions of their files. A damaged file is left unchanged. */
import { z } from 'zod';
import { isOwnedBy, type Owner } from '../../../contract/connection.ts';
import type { DeskError } from '../../../contract/errors.ts';
import { Hours } from '../../../contract/hours.ts';
import { OnClash } from '../../../contract/uploads.ts';
import {
  absent,
  type Migrations,
  openDatabase,
  openPrecious,
  storedCount,
  storedFlag,
  storedJson,
  storedTime,
  transaction,
  translated,
  translating,
} from '../../data/sqlite.ts';
import { isOtherVersion } from '../source/file-identity.ts';
import type { ScannedFile } from '../source/scan.ts';
import { isSameFile } from './pending-files.ts';

/** A watched folder and its rules. Without `assignmentId`, folders and loose files are matched with assignments. */
export type FolderRow = Owner & Readonly<Omit<z.infer<typeof Folder>, 'subject'>>;

/**
 * A taken version of a file. It was handed to the batch `batch` or, if `assignmentId` is undefined, is not to be sent.
 */
export type TakenFile = ScannedFile & {
  readonly assignmentId: string | undefined;
  readonly batch?: string | undefined;
};

/** The store of watched folders. Its calls throw `data/…`, and `app/cancelled` once the store is closed. */
export type WatchedStore = ReturnType<typeof createStore>;

/** Opens the store at `path`. Errors: `data/unwritable`. */
export const openWatchedStore = (path: string): WatchedStore => openPrecious(path, createStore);

/** The stored connection of a folder that was added but is not listed yet. */
const UNLISTED = '';

const createStore = (path: string, damage?: DeskError) => {
  const db = openDatabase({ path, migrations: watchedMigrations, durability: 'full' });
  const folders = db.prepare(
    `SELECT id, connection AS connectionId, subject, root, real_root AS realRoot, assignment AS assignmentId,
       on_clash AS onClash, hours, paused, added_ms AS addedMs
     FROM folder WHERE connection = ? ORDER BY id`,
  );
  const files = `SELECT path, size AS sizeBytes, modified_ms AS modifiedMs, changed_ms AS changedMs, identity AS id,
      born_ms AS bornMs, assignment AS assignmentId, batch FROM file`;
  const fileAt = db.prepare(`${files} WHERE folder = ? AND path = ?`);
  const fileBy = db.prepare(`${files} WHERE folder = ? AND identity = ? AND path <> ?`);
  // '0' is the character after '/', so this range contains the paths below the folder.
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

  const foldersOf = (connectionId: string): readonly FolderRow[] =>
    folders.all(connectionId).flatMap((row) => Folder.safeParse(row).data ?? []);

  return {
    ...translating(path, {
      /** The listed folders of a connection and user. Rows with invalid values are left out. */
      folders: (owner: Owner): readonly FolderRow[] =>
        foldersOf(owner.connectionId).filter((row) => isOwnedBy(row, owner)),
      /** The folders that were added but are not listed yet, of all connections and users. */
      unlisted: (): readonly FolderRow[] => foldersOf(UNLISTED),
      /**
       * Adds a folder and returns its id. Until `list` is called, the folder is unlisted, and is deleted at a restart.
       */
      add: (folder: Omit<FolderRow, 'id' | 'paused'>): number => {
        const { subject = null, root, realRoot = null, assignmentId = null, onClash, hours, addedMs } = folder;
        assertWritable();
        const rules = [assignmentId, onClash, JSON.stringify(hours)];
        return Number(insert.run(UNLISTED, subject, root, realRoot, ...rules, Math.round(addedMs)).lastInsertRowid);
      },
      list: (id: number, { connectionId }: Owner) => void show.run(connectionId, id),
      change: (id: number, folder: Pick<FolderRow, 'assignmentId' | 'onClash' | 'hours' | 'paused'>): void => {
        const { assignmentId, onClash, hours, paused } = folder;
        update.run(assignmentId ?? null, onClash, JSON.stringify(hours), Number(paused), id);
      },
      remove: (id: number) => void remove.run(id),
      take: (folder: number, files: readonly TakenFile[]): void =>
        transaction(db, () => {
          for (const { path: at, sizeBytes, modifiedMs, identity, assignmentId, batch } of files) {
            const { id = '', changedMs = 0, bornMs = null } = identity ?? {};
            const to = assignmentId ?? null;
            putFile.run(folder, at, sizeBytes, modifiedMs, changedMs, id, to, bornMs, batch ?? null);
          }
        }),
      /** Whether this version was taken. A sent file with a changed ctime has to be compared by content (`sentAt`). */
      isTaken: (folder: number, file: ScannedFile): boolean => {
        const row = File.safeParse(fileAt.get(folder, file.path)).data;
        if (row === undefined) return false;
        return !isOtherVersion(row, file) || (row.assignmentId === undefined && isSameFile(row, file));
      },
      /** The version at this path that was taken, if it was sent and had the same size. */
      sentAt: (folder: number, file: ScannedFile): TakenFile | undefined => {
        const row = File.safeParse(fileAt.get(folder, file.path)).data;
        return row?.assignmentId !== undefined && row.sizeBytes === file.sizeBytes ? row : undefined;
      },
      /** Whether a file below this folder (a path with `/` between names) was taken, in any version. */
      hasTakenBelow: (folder: number, below: string): boolean => fileBelow.get(folder, below, below) !== undefined,
      /** The taken versions under other paths that may be this file before it was moved or renamed. */
      movedFrom: (folder: number, file: ScannedFile): readonly TakenFile[] =>
        fileBy
          .all(folder, file.identity?.id ?? '', file.path)
          .flatMap((row) => File.safeParse(row).data ?? [])
          .filter((row) => isSameFile(row, file)),
    }),
    /** Why nothing is watched, if the database is damaged or was written by a newer app; otherwise undefined. */
    damage,
    close: (): void => translated(path, () => db.close()),
  };
};

const Folder = z.object({
  id: storedCount,
  connectionId: z.string(),
  subject: absent(z.string()),
  root: z.string(),
  realRoot: absent(z.string()),
  assignmentId: absent(z.string()),
  onClash: OnClash,
  hours: storedJson(Hours),
  paused: storedFlag,
  addedMs: storedTime,
});

const File = z
  .object({
    path: z.string(),
    sizeBytes: storedCount,
    modifiedMs: z.number(),
    changedMs: z.number(),
    id: z.string(),
    bornMs: absent(z.number()),
    assignmentId: absent(z.string()),
    batch: absent(z.string()),
  })
  .transform(({ id, changedMs, bornMs, ...file }): TakenFile => ({ ...file, identity: { id, changedMs, bornMs } }));

// The schema of watched.sqlite. Add migrations at the end; never edit a released one.

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

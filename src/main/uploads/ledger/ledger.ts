/** Opens ledger.sqlite, the record of all uploads. The app never deletes the file, because it cannot be rebuilt. */

import { closeSync, fdatasync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { mapValues } from 'es-toolkit/object/mapValues';
import { pick } from 'es-toolkit/object/pick';
import { z } from 'zod';
import type { Owner } from '../../../contract/connection.ts';
import { DeskError, ErrorData, toErrorData } from '../../../contract/errors.ts';
import { BatchSchedule, BatchState, LeftOut, OnClash, ReceiptFormat } from '../../../contract/uploads.ts';
import { createCoalescer } from '../../async/throttle.ts';
import { orUnwritable } from '../../data/files.ts';
import {
  absent,
  closeUnchanged,
  createRead,
  createWrite,
  openDatabase,
  openReadOnly,
  orClosed,
  storedFlag,
  storedJson,
  storedTime,
  transaction,
  translated,
  translating,
} from '../../data/sqlite.ts';
import type { FolderIdentity } from '../source/file-identity.ts';
import { type FoundFolder, NOTHING_LEFT_OUT, ReviewedPart } from '../source/scan.ts';
import { createItems, createReplacedFiles, RANGE } from './items.ts';
import { type AssignmentRef, createKnownFiles } from './known-files.ts';
import { ledgerMigrations } from './migrations.ts';

const createHistory = (db: DatabaseSync) => {
  // The recursion reads one index entry for each assignment, instead of one for each of its files.
  const assignments = db.prepare(
    `WITH RECURSIVE known (id) AS (
       SELECT min(assignment_id) FROM known_file WHERE connection = ?1
       UNION ALL
       SELECT (SELECT min(assignment_id) FROM known_file WHERE connection = ?1 AND assignment_id > id)
       FROM known WHERE id IS NOT NULL)
     SELECT id FROM known WHERE id IS NOT NULL UNION SELECT assignment_id FROM batch WHERE connection = ?1`,
  );
  const smallest = db.prepare(
    `SELECT batch, size_bytes AS bytes, settled_ms AS atMs FROM item
     WHERE batch IN (SELECT number FROM batch WHERE connection = ?) AND error ->> 'code' = 'upload/too-large'
       AND size_bytes > ? ORDER BY size_bytes, settled_ms DESC LIMIT 1`,
  );
  // Reads only the batch of the refused file and newer ones, because sizes have no index.
  const largest = db.prepare(
    `SELECT max(size_bytes) AS bytes FROM item
     WHERE batch IN (SELECT number FROM batch WHERE connection = ? AND number >= ?) AND state = 'done' AND settled_ms > ?`,
  );
  return {
    /** The ids of the assignments that have batches or known files in the ledger. */
    assignments: (connectionId: string): readonly string[] => assignments.all(connectionId).map(({ id }) => String(id)),
    /**
     * The size in bytes of the smallest file that the storage refused as too large; undefined if there is none. A
     * refusal does not count if a file at least as large was uploaded later.
     */
    smallestRefused: (connectionId: string): number | undefined => {
      for (let accepted = -1; ; ) {
        const { batch, bytes, atMs } = smallest.get(connectionId, accepted) ?? {};
        if (batch === undefined || bytes == null) return undefined;
        const since = Number(largest.get(connectionId, batch, atMs ?? 0)?.bytes ?? -1);
        if (since < Number(bytes)) return Number(bytes);
        accepted = since;
      }
    },
  };
};

/**
 * The open ledger. Writes go through one of its three commits, which reject with `damage` if the ledger is read-only.
 */
export type Ledger = ReturnType<typeof ledgerOn>;

/**
 * Opens the ledger at `path`. A damaged or newer ledger is opened read-only, with the reason as `damage`. If that fails
 * too, an empty ledger in memory takes its place. Errors: `data/unwritable`.
 */
export const openLedger = (path: string, datasync?: DataSync): Ledger => {
  try {
    const db = openDatabase({ path, migrations: ledgerMigrations, durability: 'normal' });
    const wal = createWalSync(path, datasync);
    const ledger = ledgerOn(db, path, createGroupCommit(db, path, wal), undefined);
    if (!ledger.batches.areReadable()) {
      wal.close();
      ledger.close();
      throw new DeskError('data/corrupt', 'an upload in the ledger cannot be read', { details: { file: path } });
    }
    return {
      ...ledger,
      checkpoint: () => {
        wal.assertSound();
        ledger.checkpoint();
      },
      close: () => {
        wal.close();
        if (wal.isSound()) ledger.close();
        else closeUnchanged(db, path);
      },
    };
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'data/unwritable') throw error;
    return openDamaged(path, error);
  }
};

/** Opens the ledger read-only, even while another process uses it. `damage` is `data/unwritable`. Errors: `data/…`. */
export const readLedger = (path: string): Ledger => {
  const refused = new DeskError('data/unwritable', 'the ledger is open for reading only', { details: { path } });
  return translated(path, () => {
    const db = openReadOnly({ path, migrations: ledgerMigrations });
    return orClosed(db, () => ledgerOn(db, path, readOnlyFor(refused), refused));
  });
};

const readOnlyFor = (reason: DeskError): GroupCommit => {
  const refuse = () => Promise.reject(reason);
  return { commit: refuse, commitUnsynced: refuse, commitLazily: refuse };
};

const openDamaged = (path: string, damage: DeskError): Ledger => {
  const readOnly = readOnlyFor(damage);
  try {
    return ledgerOn(openReadOnly({ path, migrations: ledgerMigrations }), path, readOnly, damage);
  } catch {
    const empty = openDatabase({ path: ':memory:', migrations: ledgerMigrations, durability: 'normal' });
    return ledgerOn(empty, path, readOnly, damage);
  }
};

const createCallCount = () => {
  let calls = 0;
  return {
    calls: () => calls,
    /** Returns `part` with the same functions, but counts the calls of the functions that `names` lists. */
    of: <T extends Readonly<Record<string, (...args: never[]) => unknown>>>(
      part: T,
      ...names: readonly (keyof T)[]
    ) => {
      const counted = mapValues(pick(part, [...names]), (call) => (...args: never[]) => {
        calls += 1;
        return call(...args);
      });
      return { ...part, ...counted } as T;
    },
  };
};

/** The functions of `items` that rename an item, free its name, or take its name again. */
const RENAMING = ['renamed', 'failed', 'lost', 'cancelled', 'cancelUntouched', 'requeue'] as const;

const ledgerOn = (db: DatabaseSync, path: string, writes: GroupCommit, damage: DeskError | undefined) => {
  const changing = createCallCount();
  return translated(path, () => ({
    batches: translating(path, createBatches(db)),
    items: translating(path, changing.of(createItems(db), ...RENAMING)),
    knownFiles: translating(path, changing.of(createKnownFiles(db), 'listed', 'removed', 'setBeingRemoved')),
    /**
     * A count that grows whenever a name on an assignment may have become free or been taken, other than by planning a
     * batch or transferring its files.
     */
    nameChanges: changing.calls,
    history: translating(path, createHistory(db)),
    replacedFiles: translating(path, createReplacedFiles(db)),
    /** The folder for lists of reviewed files, from which batches read their files (source/scan.ts). */
    lists: join(dirname(path), 'reviewed'),
    ...writes,
    damage,
    /** Checkpoints the write-ahead log, which would otherwise keep deleted signed URLs. */
    checkpoint: (): void => {
      if (!damage) translated(path, () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    },
    close: (): void => db.close(),
  }));
};

// Group commit: many small writes share one transaction, because an fsynced commit costs about the same for one row as
// for fifty.

/** Resolves when everything that was written to the file is on disk. */
type DataSync = (fd: number) => Promise<void>;

/** Creates the calls that fsync the write-ahead log of the database at `path`. For `:memory:`, `sync` does nothing. */
export const createWalSync = (path: string, datasync: DataSync = promisify(fdatasync)) => {
  let fd: number | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  let failure: DeskError | undefined;

  /** Throws `data/unsynced` if the log may have lost writes. */
  const assertSound = (): void => {
    if (failure) throw failure;
  };

  const open = (): number =>
    orUnwritable('the database file cannot be used', { file: path }, () => openSync(`${path}-wal`, 'r+'));
  const run = async (): Promise<void> => {
    assertSound();
    fd ??= open();
    try {
      await datasync(fd);
    } catch (cause) {
      failure = new DeskError('data/unsynced', 'the write-ahead log could not be flushed', {
        details: { file: path },
        cause,
      });
      throw failure;
    }
  };

  /** Starts an fsync once the running one has ended. All calls made before the new fsync starts share it. */
  const sync = (): Promise<void> => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined;
        running = run();
        return running;
      });
    return next;
  };

  return {
    /** Resolves when everything written to the log so far is on disk. Errors: `data/unsynced`, `data/unwritable`. */
    sync: path === ':memory:' ? async () => {} : sync,
    assertSound,
    isSound: (): boolean => failure === undefined,
    close: (): void => {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
};

/**
 * Runs `write` in a transaction, and resolves to its result after the commit. If another write in the transaction
 * fails, the transaction is rolled back, and `write` runs a second time.
 */
export type Commit = <T>(write: () => T) => Promise<T>;

type GroupCommit = {
  /** Once the promise resolves, this write and all earlier ones are fsynced. */
  readonly commit: Commit;
  /**
   * Once the promise resolves, the write survives a crash. Once a later `commit` resolves, it also survives a power
   * cut.
   */
  readonly commitUnsynced: Commit;
  /** Does the same as `commitUnsynced`, but may wait a few milliseconds, so that other writes share the transaction. */
  readonly commitLazily: Commit;
};

type Waiting = {
  readonly durable: boolean;
  readonly write: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Creates the commits for `db` in WAL mode. Writes requested at about the same time share a transaction; if one of them
 * throws, each runs again on its own. After a failed fsync by `wal`, every commit rejects with `data/unsynced`.
 */
export const createGroupCommit = (
  db: DatabaseSync,
  path: string,
  wal: Pick<ReturnType<typeof createWalSync>, 'sync' | 'assertSound'>,
): GroupCommit => {
  const write = (group: readonly Waiting[]): readonly unknown[] => {
    wal.assertSound();
    return translated(path, () => transaction(db, () => group.map((one) => one.write())));
  };

  let syncs = 0;
  const sync = async (): Promise<void> => {
    syncs += 1;
    try {
      await wal.sync();
    } finally {
      syncs -= 1;
      hurry();
    }
  };

  const settle = (group: readonly Waiting[]): void => {
    try {
      const results = write(group);
      const synced = group.some(({ durable }) => durable) ? sync() : undefined;
      for (const [index, { durable, resolve, reject }] of group.entries()) {
        const result = results[index] as never;
        if (durable) synced?.then(() => resolve(result), reject);
        else resolve(result);
      }
    } catch (error) {
      if (group.length > 1) for (const one of group) settle([one]);
      else group[0]?.reject(error);
    }
  };

  const { add, addLazily, hurry } = createCoalescer(settle);
  // An fsync in progress does not cover later commits, so they are collected for the next one.
  const addDurably = (one: Waiting): void => (syncs > 0 ? addLazily(one) : add(one));
  const commitBy =
    (queue: (one: Waiting) => void, durable: boolean): Commit =>
    (write) =>
      new Promise((resolve, reject) => queue({ durable, write, resolve, reject }));

  return {
    commit: commitBy(addDurably, true),
    commitUnsynced: commitBy(add, false),
    commitLazily: commitBy(addLazily, false),
  };
};

// The ledger's batches: one row for each folder that a user uploads to an assignment.

const Row = z.object({
  id: z.string(),
  /** The upload that the batch belongs to, shared by all batches started together. */
  uploadId: z.string(),
  connectionId: z.string(),
  subject: absent(z.string()),
  assignmentId: z.string(),
  root: z.string(),
  /** The real path of `root` when the upload was started; absent if it could not be determined. */
  realRoot: absent(z.string()),
  /**
   * The chosen files: their names in `root`, or the paths of files in archives (`Source`); absent: the whole folder.
   */
  only: absent(storedJson(z.array(z.string()).readonly())),
  /** The paths, below `root`, of files and folders that are not uploaded. */
  except: absent(storedJson(z.array(z.string()).readonly())),
  /** The reviewed files, until all of them are queued; absent: a scan finds the files. */
  reviewed: absent(storedJson(ReviewedPart)),
  /** Whether files that were not part of the review are left out. */
  leavesLater: storedFlag,
  nameTemplate: z.string(),
  /** What happens to files whose FileName is taken. The user may choose otherwise for single files (`onClashOf`). */
  onClash: OnClash,
  state: BatchState,
  /** When the batch may be sent; absent: at any time. */
  schedule: absent(storedJson(BatchSchedule)),
  /** The format of the receipt that is still to be saved once the upload has ended. */
  receipt: absent(ReceiptFormat),
  scanned: storedFlag,
  reason: absent(storedJson(ErrorData)),
  leftOut: storedJson(LeftOut),
  createdAtMs: storedTime,
  finishedAtMs: absent(storedTime),
  /** When the batch was chosen to be sent before others; absent: it was never chosen. */
  firstAtMs: absent(storedTime),
});

/** A batch, which is uploaded only to its owner's service, in its owner's session. */
export type BatchRow = Readonly<z.infer<typeof Row>>;

const COLUMNS = `id, upload_id AS uploadId, connection AS connectionId, subject, assignment_id AS assignmentId, root,
  real_root AS realRoot, only_names AS "only", except_paths AS "except", reviewed, leaves_later AS leavesLater,
  name_template AS nameTemplate, on_clash AS onClash, state, schedule, receipt, scanned, reason, left_out AS leftOut,
  created_ms AS createdAtMs, finished_ms AS finishedAtMs, first_ms AS firstAtMs`;

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/**
 * A folder that the review left out as a whole, or a single file. `path`: from the chosen folder on, with `/` between
 * names.
 */
export type LeftOutFolder = { readonly path: string; readonly files: number };

/** The user's choices for single files whose FileName is taken, by path. */
export type ClashChoices = Readonly<Record<string, OnClash>>;

/**
 * A batch to be started. Without `uploadId`, the batch becomes an upload of its own. `isHeldBack`: its schedule holds
 * it back now. `isPaused`: it waits until it is resumed.
 */
export type NewBatch = Owner &
  Pick<BatchRow, 'id' | 'assignmentId' | 'root' | 'nameTemplate' | 'createdAtMs'> &
  Partial<Omit<BatchRow, 'state' | 'scanned' | 'reason' | 'leftOut' | 'finishedAtMs' | 'firstAtMs'>> & {
    readonly identity?: FolderIdentity | undefined;
    readonly isHeldBack?: boolean | undefined;
    readonly isPaused?: boolean | undefined;
    readonly leftOut?: LeftOut | undefined;
    readonly clashChoices?: ClashChoices | undefined;
  };

const readable = (row: unknown): readonly BatchRow[] => {
  const { data } = Row.safeParse(row);
  return data ? [data] : [];
};

/** The highest plausible number of a batch. The ids of its files (from number * `RANGE` on) are still safe integers. */
const MOST_BATCHES = 2 ** 20;

export const HELD_BACK = toErrorData(
  new DeskError('upload/scheduled', 'the batch waits for its scheduled time', { retry: 'later' }),
);
const CANCELLING = toErrorData(new DeskError('upload/cancelling', 'the batch is being cancelled', { retry: 'later' }));

const createBatches = (db: DatabaseSync) => {
  const write = createWrite(db);
  const read = createRead(db);
  const select = (which = '') => {
    const statement = db.prepare(`SELECT ${COLUMNS} FROM batch ${which}`);
    statement.setReadBigInts(true);
    return statement;
  };
  const insert = db.prepare(
    `INSERT INTO batch (id, upload_id, connection, subject, assignment_id, root, real_root, only_names, except_paths,
       reviewed, leaves_later, name_template, on_clash, schedule, receipt, state, reason, left_out, created_ms)
     VALUES (:id, :uploadId, :connectionId, :subject, :assignmentId, :root, :realRoot, :only, :except,
       :reviewed, :leavesLater, :nameTemplate, :onClash, :schedule, :receipt, :state, :reason, :leftOut, :createdAtMs)`,
  );
  const choose = db.prepare('INSERT INTO clash_choice SELECT number, ?, ? FROM batch WHERE id = ?');
  const choice = db.prepare(
    'SELECT on_clash FROM clash_choice WHERE batch = (SELECT number FROM batch WHERE id = ?) AND path = ?',
  );
  const inOrder = 'ORDER BY created_ms, rowid';
  const get = select('WHERE id = ?');
  const list = select(`WHERE connection = ? ${inOrder}`);
  const all = select();
  const unfinished = select(`WHERE connection = ? AND state NOT IN ('finished', 'cancelled') ${inOrder}`);
  const owners = read<{ id: string; subject: string | null }>(
    `SELECT id, subject FROM batch WHERE connection = ? ${inOrder}`,
  );
  const ofAssignment = select(`WHERE connection = ? AND assignment_id = ? ${inOrder}`);
  const ofUpload = select(`WHERE upload_id = ? ${inOrder}`);
  const numbered = select('WHERE number IN (SELECT value FROM json_each(?))');
  const impossible = db.prepare(
    `SELECT 1 FROM batch WHERE number NOT BETWEEN 1 AND ${MOST_BATCHES} UNION ALL
     SELECT 1 FROM tally WHERE files NOT BETWEEN 0 AND ${RANGE} OR bytes NOT BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} LIMIT 1`,
  );
  const leaveOut = db.prepare(
    `INSERT INTO left_out_folder VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET files = files + ?3`,
  );
  const leftOutFolders = read<LeftOutFolder>(
    `SELECT path, sum(files) AS files FROM left_out_folder WHERE upload_id IN (SELECT value FROM json_each(?))
     GROUP BY path ORDER BY path`,
  );
  const setState = db.prepare(
    `UPDATE batch SET state = ?, reason = ?, finished_ms = NULL
     WHERE id = ? AND (reason IS NULL OR reason ->> 'code' != '${CANCELLING.code}')`,
  );
  const setCancelling = db.prepare(
    `UPDATE batch SET state = 'paused', reason = ? WHERE id = ? AND state IN ('scanning', 'running', 'paused')`,
  );
  const setSchedule = db.prepare('UPDATE batch SET schedule = ? WHERE id = ?');
  const setScanned = db.prepare('UPDATE batch SET scanned = 1, left_out = ? WHERE id = ?');
  const addFolder = db.prepare('INSERT OR IGNORE INTO batch_folder SELECT number, ?, ?, ? FROM batch WHERE id = ?');
  const folderAt = db.prepare(
    'SELECT id, born_ms FROM batch_folder WHERE batch = (SELECT number FROM batch WHERE id = ?) AND below = ?',
  );
  const reviewedLists = db.prepare(
    `SELECT DISTINCT reviewed ->> 'list' AS list FROM batch WHERE reviewed IS NOT NULL AND state != 'cancelled'`,
  );
  const sendFirst = db.prepare('UPDATE batch SET first_ms = ? WHERE id = ?');
  const sendFilesFirst = db.prepare(
    `INSERT OR REPLACE INTO first_file SELECT item.id, ? FROM item JOIN batch ON batch.number = item.batch
     WHERE batch.id = ? AND item.id IN (SELECT value FROM json_each(?)) AND item.state != 'done'`,
  );
  // The query runs before each file is sent. CROSS JOIN makes SQLite begin with the files that were chosen, instead of
  // reading the whole batch.
  const firstAt = db.prepare(
    `SELECT max(coalesce(first_ms, 0), coalesce((SELECT max(at_ms) FROM first_file CROSS JOIN item ON item.id = first_file.item
       WHERE first_file.item >= number * ${RANGE} AND first_file.item < (number + 1) * ${RANGE} AND item.state = 'queued'), 0))
     AS at FROM batch WHERE id = ?`,
  );

  return {
    insert: ({ identity, isHeldBack, isPaused, clashChoices = {}, ...batch }: NewBatch): void => {
      insert.run({
        ...batch,
        uploadId: batch.uploadId ?? batch.id,
        subject: batch.subject ?? null,
        realRoot: batch.realRoot ?? null,
        only: jsonOrNull(batch.only),
        except: jsonOrNull(batch.except),
        reviewed: jsonOrNull(batch.reviewed),
        leavesLater: batch.leavesLater ? 1 : 0,
        onClash: batch.onClash ?? 'rename',
        schedule: jsonOrNull(batch.schedule),
        receipt: batch.receipt ?? null,
        state: isHeldBack || isPaused ? 'paused' : 'scanning',
        reason: isHeldBack ? JSON.stringify(HELD_BACK) : null,
        leftOut: JSON.stringify(batch.leftOut ?? NOTHING_LEFT_OUT),
      });
      if (identity) addFolder.run('', identity.id, identity.bornMs, batch.id);
      for (const [path, onClash] of Object.entries(clashChoices)) choose.run(path, onClash, batch.id);
    },
    leaveOut: (uploadId: string, folders: readonly LeftOutFolder[]): void => {
      for (const { path, files } of folders) leaveOut.run(uploadId, path, files);
    },
    /** The folders, and single files, that the reviews of these uploads left out, sorted by path. */
    leftOutFolders: (uploadIds: readonly string[]) => leftOutFolders.all(JSON.stringify(uploadIds)),
    get: (id: string): BatchRow | undefined => {
      const row = get.get(id);
      return row && Row.parse(row);
    },
    onClashOf: ({ id, onClash }: Pick<BatchRow, 'id' | 'onClash'>, path: string): OnClash =>
      OnClash.optional().parse(choice.get(id, path)?.on_clash) ?? onClash,
    /** The batches of a connection, oldest first, without those that cannot be read. */
    list: (connectionId: string) => list.all(connectionId).flatMap(readable),
    /** The batches of `list` that have not ended. There are few, however many batches the ledger has. */
    unfinished: (connectionId: string) => unfinished.all(connectionId).flatMap(readable),
    /** The ids of all batches of a connection with their owners, oldest first. */
    owners: (connectionId: string): readonly (Owner & Pick<BatchRow, 'id'>)[] =>
      owners.all(connectionId).map(({ id, subject }) => ({ id, connectionId, subject: subject ?? undefined })),
    ofAssignment: ({ connectionId, assignmentId }: AssignmentRef) =>
      ofAssignment.all(connectionId, assignmentId).flatMap(readable),
    /** The batches with these numbers; the ids of a batch's items begin at its number times `RANGE`. */
    numbered: (numbers: readonly number[]) => numbered.all(JSON.stringify(numbers)).flatMap(readable),
    ofUpload: (uploadId: string) => ofUpload.all(uploadId).flatMap(readable),
    /** Whether every batch can be read, and the numbers of batches and the counts of their files are plausible. */
    areReadable: (): boolean => impossible.get() === undefined && all.all().every((row) => Row.safeParse(row).success),
    /** Sets the state and its reason, and clears `finishedAtMs`. Has no effect on a batch that is being cancelled. */
    setState: (id: string, state: BatchState, reason?: ErrorData): void =>
      void setState.run(state, jsonOrNull(reason), id),
    /** Marks the batch as being cancelled until `setFinished` is called. Has no effect if the batch has ended. */
    setCancelling: (id: string): void => void setCancelling.run(JSON.stringify(CANCELLING), id),
    setSchedule: (id: string, schedule: BatchSchedule): void => void setSchedule.run(JSON.stringify(schedule), id),
    /**
     * Records that no receipt is to be saved for the upload any more, unless one of its batches is reopened. Has no
     * effect if a batch was reopened while the receipt was being saved.
     */
    receiptSaved: write<[uploadId: string]>(
      `UPDATE batch SET saved_receipt = coalesce(receipt, saved_receipt), receipt = NULL WHERE upload_id = ?1
       AND NOT EXISTS (SELECT 1 FROM batch WHERE upload_id = ?1 AND state NOT IN ('finished', 'cancelled'))`,
    ),
    /** Records that a receipt is to be saved again, because a batch of the upload was reopened. */
    receiptAgain: write<[uploadId: string]>(
      'UPDATE batch SET receipt = saved_receipt, saved_receipt = NULL WHERE upload_id = ? AND saved_receipt IS NOT NULL',
    ),
    setReviewed: write<[id: string]>('UPDATE batch SET reviewed = NULL WHERE id = ?'),
    setScanned: (id: string, leftOut: LeftOut): void => void setScanned.run(JSON.stringify(leftOut), id),
    /** Includes files added after the review, and requests a new scan. Returns 0 if nothing changed, otherwise 1. */
    takeLater: write<[id: string]>('UPDATE batch SET leaves_later = 0, scanned = 0 WHERE id = ? AND leaves_later = 1'),
    /** Records folders of the batch. If a folder with the same path was recorded before, that record stays. */
    addFolders: (id: string, folders: readonly Pick<FoundFolder, 'below' | 'identity'>[]): void => {
      for (const { below, identity } of folders) addFolder.run(below, identity.id, identity.bornMs, id);
    },
    /** The identity of the folder first found at `below` (see `FoundFolder`); undefined if there was none. */
    folderAt: (id: string, below: string): FolderIdentity | undefined => {
      const row = folderAt.get(id, below);
      return row && { id: String(row.id), bornMs: Number(row.born_ms) };
    },
    /** The ids of the lists of reviewed files that batches still need. */
    reviewedLists: (): ReadonlySet<string> => new Set(reviewedLists.all().map(({ list }) => String(list))),
    /**
     * Ends the batch: a batch that is being cancelled becomes `cancelled`, any other `finished`. A batch
     * that was cancelled before all its files were found or queued counts as scanned: a retry adds no files to it.
     */
    setFinished: write<[id: string, atMs: number]>(
      `UPDATE batch SET state = iif(reason ->> 'code' = '${CANCELLING.code}', 'cancelled', 'finished'), reason = NULL,
         reviewed = NULL, scanned = 1, finished_ms = ?2 WHERE id = ?1`,
    ),
    /** Records that the batch, or only its files with the ids `files`, is sent first. The latest choice goes first. */
    sendFirst: (id: string, atMs: number, files?: readonly number[]): void => {
      if (files) sendFilesFirst.run(atMs, id, JSON.stringify(files));
      else sendFirst.run(atMs, id);
    },
    /**
     * The order of sending, lowest first: minus the time when the batch or one of its queued files was last chosen to
     * be sent first; 0 if none was chosen.
     */
    orderOf: (id: string): number => -Number(firstAt.get(id)?.at ?? 0),
  };
};

/** Opens ledger.sqlite, the record of all uploads. The file is never deleted, because it cannot be rebuilt. */

import { closeSync, fdatasync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { DeskError } from '../../../contract/errors.ts';
import { createCoalescer } from '../../async/throttle.ts';
import { closeUnchanged, openDatabase, openReadOnly, transaction, translated, translating } from '../../data/sqlite.ts';
import { createBatches } from './batches.ts';
import { createItems } from './items.ts';
import { createKnownFiles } from './known-files.ts';
import { ledgerMigrations } from './migrations.ts';
import { createReplacedFiles } from './replaced-files.ts';

/** Creates the queries about all uploads of a connection, in the migrated database `db`. */
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
    /** The ids of the assignments for which the ledger has batches or known files. */
    assignments: (connectionId: string): readonly string[] => assignments.all(connectionId).map(({ id }) => String(id)),
    /**
     * The size, in bytes, of the smallest file that was too large for the storage; undefined if there is none. A
     * refusal no longer counts once a file of at least that size was uploaded later.
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
 * The open ledger. Writes have to be made in one of its three kinds of commit, which reject with `damage` if the ledger
 * is read-only, and with `data/unsynced` after an fsync has failed.
 */
export type Ledger = ReturnType<typeof ledgerOn>;

/**
 * Opens the ledger at `path`. A ledger that is damaged or was written by a newer app is opened read-only, with the
 * reason as `damage`. If that fails too, an empty ledger in memory takes its place. `datasync`: for tests. Errors:
 * `data/unwritable`.
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
    try {
      return ledgerOn(db, path, readOnlyFor(refused), refused);
    } catch (error) {
      db.close();
      throw error;
    }
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

const ledgerOn = (db: DatabaseSync, path: string, writes: GroupCommit, damage: DeskError | undefined) =>
  translated(path, () => ({
    batches: translating(path, createBatches(db)),
    items: translating(path, createItems(db)),
    knownFiles: translating(path, createKnownFiles(db)),
    history: translating(path, createHistory(db)),
    replacedFiles: translating(path, createReplacedFiles(db)),
    /** The folder for lists of reviewed files (source/reviewed-list.ts), from which batches take their files. */
    lists: join(dirname(path), 'reviewed'),
    ...writes,
    /** Why the ledger is read-only; undefined if it can be written. */
    damage,
    /** Checkpoints the write-ahead log, in which deleted signed URLs would otherwise remain. */
    checkpoint: (): void => {
      if (!damage) translated(path, () => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
    },
    close: (): void => db.close(),
  }));

// Group commit: many small writes share one transaction, because an fsynced commit costs the same for one row as for
// fifty.

/** Resolves when everything that was written to the file is on disk. */
type DataSync = (fd: number) => Promise<void>;

/** Creates the function that fsyncs the write-ahead log of the database at `path`. For `:memory:`, it does nothing. */
export const createWalSync = (path: string, datasync: DataSync = promisify(fdatasync)) => {
  let fd: number | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  let failure: DeskError | undefined;

  /** Throws `data/unsynced` if the log may have lost writes. */
  const assertSound = (): void => {
    if (failure) throw failure;
  };

  const opened = (): number => {
    try {
      return openSync(`${path}-wal`, 'r+');
    } catch (cause) {
      throw new DeskError('data/unwritable', 'the database file cannot be used', { details: { file: path }, cause });
    }
  };

  const run = async (): Promise<void> => {
    assertSound();
    fd ??= opened();
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

  /** Calls that come before the next fsync starts share that fsync; later calls need the one after it. */
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
 * Runs `write` in a transaction, which other writes may share, and resolves to its result after the commit. `write` may
 * run twice: if a write throws, the shared transaction is rolled back, and each of its writes runs again.
 */
export type Commit = <T>(write: () => T) => Promise<T>;

type GroupCommit = {
  /** Once the promise resolves, this write and all earlier ones are fsynced. */
  readonly commit: Commit;
  /** Once the promise resolves, the write survives a crash. It survives a power cut after the next `commit`. */
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
 * Creates the commits for `db`, which is in WAL mode and leaves fsyncs to `wal`. Writes requested at about the same
 * time share a transaction; if one of them throws, each runs again in a transaction of its own. After a failed fsync,
 * every commit rejects with `data/unsynced`.
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

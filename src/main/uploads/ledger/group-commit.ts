/** Combines many small writes into one transaction: an fsynced commit costs the same for one row as for fifty. */
import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { DeskError } from '../../../contract/errors.ts';
import { createCoalescer } from '../../async/throttle.ts';
import { transaction, translated } from '../../data/sqlite.ts';

/** Resolves when the whole file is on disk. */
export type DataSync = (fd: number) => Promise<void>;

type WalSync = {
  /** Resolves when everything written to the log so far is on disk. Errors: `data/unsynced`, `data/unwritable`. */
  readonly sync: () => Promise<void>;
  /** @throws DeskError `data/unsynced` if the log may have lost writes. */
  readonly assertSound: () => void;
  readonly isSound: () => boolean;
  readonly close: () => void;
};

/** For the database at `path`, which is in WAL mode; one in memory needs no fsync. */
export const createWalSync = (path: string, datasync: DataSync = promisify(fdatasync)): WalSync => {
  let fd: number | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  let failure: DeskError | undefined;

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

  /** Calls that come before it starts share it; later ones need the next. */
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
    sync: path === ':memory:' ? async () => {} : sync,
    assertSound,
    isSound: () => failure === undefined,
    close: () => {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
};

/** Runs `write` in the next commit; resolves to its result once that commit is done. */
export type Commit = <T>(write: () => T) => Promise<T>;

export type GroupCommit = {
  /** When it resolves, this and all earlier writes are fsynced. */
  readonly commit: Commit;
  /**
   * When it resolves, the write survives the end of the app, but not a power cut: for recoverable writes. The next
   * `commit` fsyncs it.
   */
  readonly commitUnsynced: Commit;
  /** Like `commitUnsynced`, but waits for the next write, or commits shortly after if there is none. */
  readonly commitLazily: Commit;
};

type Waiting = {
  readonly durable: boolean;
  readonly write: () => unknown;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commits for `db`, which is in WAL mode and does not fsync itself. Writes requested in one turn of the event loop, or
 * while an earlier one is fsynced, share a transaction; if one of them throws, each runs in a transaction of its own,
 * so that none fails because of another. `wal` fsyncs what was committed; once that has failed, nothing more is
 * written.
 */
export const createGroupCommit = (
  db: DatabaseSync,
  path: string,
  wal: Pick<WalSync, 'sync' | 'assertSound'>,
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
      const answers = write(group);
      const synced = group.some(({ durable }) => durable) ? sync() : undefined;
      for (const [index, { durable, resolve, reject }] of group.entries()) {
        const answer = answers[index] as never;
        if (durable) synced?.then(() => resolve(answer), reject);
        else resolve(answer);
      }
    } catch (error) {
      if (group.length > 1) for (const one of group) settle([one]);
      else group[0]?.reject(error);
    }
  };

  const { add, addLazily, hurry } = createCoalescer(settle);
  // An fsync in progress does not cover later commits, so these wait for the next one in any case.
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

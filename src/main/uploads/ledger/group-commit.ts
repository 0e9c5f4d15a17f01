/** Combines many small writes into one transaction: an fsynced commit costs the same for one row as for fifty. */
import type { DatabaseSync } from 'node:sqlite';
import { createCoalescer } from '../../async/throttle.ts';
import { transaction, translated } from '../../data/sqlite.ts';
import type { WalSync } from './wal-sync.ts';

/** Runs `write` in the next commit; resolves with its answer once that commit is done. */
export type Commit = <T>(write: () => T) => Promise<T>;

export type GroupCommit = {
  /** When it resolves, this and all earlier writes are fsynced. */
  readonly commit: Commit;
  /**
   * When it resolves, the write survives the end of the app, but not a power cut: for recoverable writes. The next
   * `commit` fsyncs it.
   */
  readonly commitUnsynced: Commit;
  /** The same, written with the next write, or shortly after if there is none. */
  readonly commitLazily: Commit;
};

type Waiting = {
  readonly durable: boolean;
  readonly write: () => unknown;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commits for `db`, which is in WAL mode and does not fsync itself. Writes requested in one turn of the event loop, or while
 * an earlier one is fsynced, share a transaction; if one of them throws, each runs in a transaction of its own, so that none
 * fails because of another. `wal` fsyncs what was committed; once that has failed, nothing more is written.
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
  // An fsync in progress does not cover what is committed meanwhile: that waits for the next one in any case.
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

/** Many small writes, one transaction: a commit that reaches the disk costs the same for one row and for fifty. */
import type { DatabaseSync } from 'node:sqlite';
import { createCoalescer } from '../../async/coalescer.ts';
import { transaction, translated } from '../../data/sqlite.ts';
import type { WalSync } from './wal-sync.ts';

/** Runs `write` in the next commit; resolves with its answer once that commit is done. */
export type Commit = <T>(write: () => T) => Promise<T>;

export type GroupCommit = {
  /** What it resolves is on disk, with all that was written before. */
  readonly commit: Commit;
  /**
   * What it resolves outlives the app, but not a power cut: for what can be found out again. It is on disk with the
   * next `commit`.
   */
  readonly commitUnsynced: Commit;
  /** The same, written with the next of the others, or a moment later without one. */
  readonly commitLazily: Commit;
};

type Waiting = {
  readonly durable: boolean;
  readonly write: () => unknown;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commits for `db`, which is in WAL mode and does not wait for the disk itself. Writes asked for in one turn of the
 * event loop share a transaction; if one of them throws, each is tried in a transaction of its own, so that none fails
 * for another's fault. `wal` brings what was committed to the disk; where it failed to, nothing more is written.
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

  const settle = (group: readonly Waiting[]): void => {
    try {
      const answers = write(group);
      for (const [index, { durable, resolve, reject }] of group.entries()) {
        const answer = answers[index] as never;
        if (durable) wal.sync().then(() => resolve(answer), reject);
        else resolve(answer);
      }
    } catch (error) {
      if (group.length > 1) for (const one of group) settle([one]);
      else group[0]?.reject(error);
    }
  };

  const { add, addLazily } = createCoalescer(settle);
  const commitBy =
    (queue: (one: Waiting) => void, durable: boolean): Commit =>
    (write) =>
      new Promise((resolve, reject) => queue({ durable, write, resolve, reject }));

  return {
    commit: commitBy(add, true),
    commitUnsynced: commitBy(add, false),
    commitLazily: commitBy(addLazily, false),
  };
};

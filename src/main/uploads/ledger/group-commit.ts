/** Many small writes, one transaction: a commit that reaches the disk costs the same for one row and for fifty. */
import type { DatabaseSync } from 'node:sqlite';
import { transaction, translated } from '../../sqlite.ts';

/** Runs `write` in the next commit; resolves with its answer once that commit is done. */
export type Commit = <T>(write: () => T) => Promise<T>;

export type GroupCommit = {
  /** What it resolves is on disk, with all that was written before. */
  readonly commit: Commit;
  /**
   * What it resolves outlives the app, but not a power cut: for what can be found out again. It is on disk with the
   * next `commit`.
   */
  readonly note: Commit;
};

type Waiting = {
  readonly durable: boolean;
  readonly write: () => unknown;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Commits for `db`, which is in WAL mode. Writes asked for in one turn of the event loop share a transaction; if one of them throws,
 * each is tried in a transaction of its own, so that none fails for another's fault.
 */
export const createGroupCommit = (db: DatabaseSync, path: string): GroupCommit => {
  let waiting: Waiting[] = [];
  let synchronous: 'FULL' | 'NORMAL' | undefined;

  /** Says whether the next commits wait for the disk. */
  const setDurable = (durable: boolean): void => {
    const next = durable ? 'FULL' : 'NORMAL';
    if (next !== synchronous) db.exec(`PRAGMA synchronous = ${next}`);
    synchronous = next;
  };

  const write = (group: readonly Waiting[]): readonly unknown[] =>
    translated(path, () => {
      setDurable(group.some(({ durable }) => durable));
      return transaction(db, () => group.map((one) => one.write()));
    });

  const settle = (group: readonly Waiting[]): void => {
    try {
      const answers = write(group);
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] as never);
    } catch (error) {
      if (group.length > 1) for (const one of group) settle([one]);
      else group[0]?.reject(error);
    }
  };

  const flush = (): void => {
    const group = waiting;
    waiting = [];
    settle(group);
  };

  const inNext =
    (durable: boolean): Commit =>
    (one) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ durable, write: one, resolve, reject });
      });

  return { commit: inNext(true), note: inNext(false) };
};

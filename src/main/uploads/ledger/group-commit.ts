/** Many small writes, one transaction: a commit that reaches the disk costs the same for one row and for fifty. */
import type { DatabaseSync } from 'node:sqlite';
import { transaction, translated } from '../../sqlite.ts';

/** Runs `write` in the next commit; resolves with its answer once that commit is on disk. */
export type Commit = <T>(write: () => T) => Promise<T>;

type Waiting = {
  readonly write: () => unknown;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * A `Commit` for `db`. Writes asked for in one turn of the event loop share a transaction; if one of them throws,
 * each is tried in a transaction of its own, so that none fails for another's fault.
 */
export const createGroupCommit = (db: DatabaseSync, path: string): Commit => {
  let waiting: Waiting[] = [];

  const commit = (group: readonly Waiting[]): readonly unknown[] =>
    translated(path, () => transaction(db, () => group.map(({ write }) => write())));

  const settle = (group: readonly Waiting[]): void => {
    try {
      const answers = commit(group);
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

  return (write) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ write, resolve, reject });
    });
};

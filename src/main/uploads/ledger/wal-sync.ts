/**
 * Brings SQLite's write-ahead log to the disk, in the background. `PRAGMA synchronous = FULL` would do it within each
 * commit and stop the whole thread for as long; here commits go on meanwhile, and the next one to the disk is for all
 * of them. (SQLite holds no locks on the log itself, so another descriptor of it does no harm.)
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { DeskError } from '../../../contract/errors.ts';

export type WalSync = {
  /** Resolves when all that was written to the log before is on disk. Errors: `data/unwritable`. */
  readonly sync: () => Promise<void>;
  readonly close: () => void;
};

/** For the database at `path`, which is in WAL mode; one in memory has nothing to bring. */
export const createWalSync = (
  path: string,
  datasync: (fd: number) => Promise<void> = promisify(fdatasync),
): WalSync => {
  let fd: number | undefined;
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    try {
      fd ??= openSync(`${path}-wal`, 'r+');
      await datasync(fd);
    } catch (cause) {
      throw new DeskError('data/unwritable', 'the database file cannot be used', { details: { file: path }, cause });
    }
  };

  /** Whoever comes before it begins shares it; who comes after has written since. */
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
    close: () => {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
};

/**
 * Brings SQLite's write-ahead log to the disk, in the background. `PRAGMA synchronous = FULL` would do it within each
 * commit and stop the whole thread for as long; here commits go on meanwhile, and the next one to the disk is for all
 * of them. (SQLite holds no locks on the log itself, so another descriptor of it does no harm.)
 *
 * A system tells of a write that failed once, and forgets it: after that it may say that all is on disk what it has
 * thrown away (Linux does). So one failure counts until the database is opened anew.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { DeskError } from '../../../contract/errors.ts';

/** Resolves when all of the file is on disk. */
export type DataSync = (fd: number) => Promise<void>;

export type WalSync = {
  /** Resolves when all that was written to the log before is on disk. Errors: `data/unsynced`, `data/unwritable`. */
  readonly sync: () => Promise<void>;
  /** @throws DeskError `data/unsynced` where the log may have lost something of what was written to it. */
  readonly assertSound: () => void;
  readonly close: () => void;
};

/** For the database at `path`, which is in WAL mode; one in memory has nothing to bring. */
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
      failure = new DeskError('data/unsynced', 'the disk did not take the log', { details: { file: path }, cause });
      throw failure;
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
    assertSound,
    close: () => {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
};

/**
 * Fsyncs SQLite's write-ahead log in the background. `PRAGMA synchronous = FULL` would do so within each commit and block
 * the whole thread; here commits continue meanwhile, and the next fsync covers all of them. (SQLite holds no locks on the
 * log itself, so another descriptor of it is harmless.)
 *
 * The system reports a failed write-back only once. After that, an fsync may succeed although the data was discarded (as
 * on Linux), so one failure counts until the database is reopened.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { DeskError } from '../../../contract/errors.ts';

/** Resolves when the whole file is on disk. */
export type DataSync = (fd: number) => Promise<void>;

export type WalSync = {
  /** Resolves when everything written to the log so far is on disk. Errors: `data/unsynced`, `data/unwritable`. */
  readonly sync: () => Promise<void>;
  /** @throws DeskError `data/unsynced` if the log may have lost writes. */
  readonly assertSound: () => void;
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
    close: () => {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
};

/** One process per data directory: two would upload the same ledger twice. */
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeskError } from '../../contract/errors.ts';
import { makePrivate } from './data-directory.ts';
import { resultCodeOf } from './sqlite.ts';

/**
 * Locks `home` until the returned function is called or the process ends. SQLite locks a file, and the operating system
 * frees that lock, so a crash leaves none behind.
 * Errors: `data/in-use`, `data/unwritable`.
 */
export const lockDataDirectory = (home: string): (() => void) => {
  const details = { path: home };
  try {
    return lock(join(home, 'lock.sqlite'));
  } catch (cause) {
    if (resultCodeOf(cause) === BUSY)
      throw new DeskError('data/in-use', 'another process uses the data directory', { details, cause });
    throw new DeskError('data/unwritable', 'the data directory cannot be written', { details, cause });
  }
};

const BUSY = 5;
const NOT_A_DATABASE = 26;

const lock = (path: string): (() => void) => {
  try {
    return lockOnce(path);
  } catch (error) {
    if (resultCodeOf(error) !== NOT_A_DATABASE) throw error;
    // The file has no data, and nobody can hold the lock of a file that is not a database. It is emptied in place: of two
    // processes that do so, one gets the lock.
    truncateSync(path);
    return lockOnce(path);
  }
};

const lockOnce = (path: string): (() => void) => {
  makePrivate(path);
  const db = new DatabaseSync(path);
  try {
    db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return () => db.close();
  } catch (error) {
    db.close();
    throw error;
  }
};

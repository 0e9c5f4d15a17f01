/** One process a data directory: two would send the same ledger twice. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeskError } from '../contract/errors.ts';

/**
 * Holds `home` until the returned function is called, or the process ends in whatever way: the lock is SQLite's on a
 * file, which the operating system frees, so that no stale one is left by a crash.
 * Errors: `data/in-use`, `data/unwritable`.
 */
export const lockDataDirectory = (home: string): (() => void) => {
  const details = { path: home };
  try {
    const db = new DatabaseSync(join(home, 'lock.sqlite'));
    try {
      db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw error;
    }
    return () => db.close();
  } catch (cause) {
    const busy = (cause as { errcode?: unknown }).errcode === 5;
    if (busy) throw new DeskError('data/in-use', 'another process uses the data directory', { details, cause });
    throw new DeskError('data/unwritable', 'the data directory cannot be written', { details, cause });
  }
};

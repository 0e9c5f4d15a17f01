/**
 * `cache` in the data directory: everything that the app makes again if it is gone, and that a backup may leave out. It is
 * in the data directory on every system, since systems clear their own cache folders, and offline data was asked for.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../../contract/errors.ts';
import { FOLDER_MODE } from './data-directory.ts';

/** The paths below `cache`. `browser`: Chromium's files, of the window and of commands that print. */
export const cachePaths = (home: string) => {
  const folder = join(home, 'cache');
  return {
    folder,
    offlineData: join(folder, 'cache.sqlite'),
    searchIndex: join(folder, 'files.sqlite'),
    browser: join(folder, 'browser'),
    browserOfCommands: join(folder, 'browser-of-commands'),
  } as const;
};

/**
 * In earlier versions these were beside the ledger. A write-ahead log goes first: its database is not opened without it. Once
 * the database is there, nothing follows: SQLite would apply the log of another one to it.
 */
const earlier = ['cache.sqlite', 'files.sqlite'];
const partsOf = (name: string): readonly string[] => [`${name}-wal`, `${name}-shm`, name];
const earlierBrowsers = ['browser', 'browser-of-commands'];

/**
 * Creates the folder, and moves there what an earlier version left in `home`, whose lock this process holds. If that is
 * interrupted, the next start goes on. Errors: `data/unwritable`.
 */
export const openCacheFolder = (home: string): ReturnType<typeof cachePaths> => {
  const paths = cachePaths(home);
  try {
    mkdirSync(paths.folder, { recursive: true, mode: FOLDER_MODE });
    const names = new Set(readdirSync(home));
    for (const name of earlier.filter((database) => !existsSync(join(paths.folder, database))))
      for (const part of partsOf(name)) if (names.has(part)) renameSync(join(home, part), join(paths.folder, part));
    for (const name of earlierBrowsers) if (names.has(name)) rmSync(join(home, name), { recursive: true, force: true });
  } catch (cause) {
    throw new DeskError('data/unwritable', 'the cache cannot be written', { details: { path: paths.folder }, cause });
  }
  return paths;
};

/**
 * `cache` in the data directory: everything that the app makes again if it is gone, and that a backup may leave out. It is
 * in the data directory on every system, since systems clear their own cache folders, and offline data was asked for.
 */
import { mkdirSync } from 'node:fs';
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

/** Creates the folder. Errors: `data/unwritable`. */
export const openCacheFolder = (home: string): ReturnType<typeof cachePaths> => {
  const paths = cachePaths(home);
  try {
    mkdirSync(paths.folder, { recursive: true, mode: FOLDER_MODE });
  } catch (cause) {
    throw new DeskError('data/unwritable', 'the cache cannot be written', { details: { path: paths.folder }, cause });
  }
  return paths;
};

/**
 * Closes the data directory to other users. It contains signed URLs, names and addresses, and files that control the
 * app. On Windows it inherits the access rules of the user's profile.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
  truncateSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf, DeskError } from '../../contract/errors.ts';
import { FILE_MODE, FOLDER_MODE, makePrivate } from './files.ts';
import { resultCodeOf } from './sqlite.ts';

export type Machine = {
  readonly platform: NodeJS.Platform;
  /** The user id of the process; undefined on Windows. */
  readonly uid: number | undefined;
  readonly chmod: (path: string, mode: number) => void;
};

const thisMachine = (): Machine => ({ platform: process.platform, uid: process.getuid?.(), chmod: chmodSync });

/** Creates the data directory if it is missing. Errors: `data/unwritable`. */
export const makeHome = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  } catch (cause) {
    throw new DeskError('data/unwritable', 'the data directory cannot be created', { details: { path }, cause });
  }
};

/**
 * Closes the existing `home` and the app's files in it to other users, and returns how many had been open. Follows no
 * links, reads only regular files, and uses nothing that belongs to another user. Another process may use the home at
 * the same time. `hasModes`: false on a file system without modes (FAT, some shares), where the mount decides who may
 * read.
 * Errors: `data/unsafe` (details `path`, `reason`), `data/unwritable`.
 */
export const secureHome = (
  home: string,
  machine: Machine = thisMachine(),
): { readonly closed: number; readonly hasModes: boolean } => {
  if (machine.platform === 'win32') return { closed: 0, hasModes: false };
  try {
    // The user may have moved the data elsewhere with a link; its target is checked.
    const place = realpathSync(home);
    const closed = closeTo(place, machine, ownNames);
    const { mode, dev } = lstatSync(place);
    const hasModes = (mode & 0o777) === FOLDER_MODE;
    assertAncestors(dirname(place), hasModes ? undefined : dev);
    return { closed: hasModes ? closed : 0, hasModes };
  } catch (cause) {
    if (cause instanceof DeskError) throw cause;
    throw new DeskError('data/unwritable', 'the data directory cannot be read', { details: { path: home }, cause });
  }
};

/**
 * The app's files at the top level. Not those of the command channel: a key that was open is of no use any more, and
 * closing it would hide that. Chromium's own files there, including links, are left alone.
 */
const ownNames =
  /^(?:settings.*|[a-z]+\.sqlite.*|tokens|logs|crashes|sample|cache|reviewed|browser|browser-of-commands|preview-.*)$/;

/** Folders that are closed, but whose files are not: Chromium's, and copies of files received from a browser. */
const closedOnly = /^(?:browser|browser-of-commands|preview-.*|objects)$/;

const closeTo = (path: string, machine: Machine, names = /./): number => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // Another process that uses the home has removed it.
  if (!found) return 0;
  assertOwn(path, found, machine);
  const mode = found.isDirectory() ? FOLDER_MODE : FILE_MODE;
  const isOpen = (found.mode & 0o777) !== mode;
  if (isOpen) close(path, mode, machine);
  // Read after the folder was closed, when other users can no longer change it.
  const inside = found.isDirectory() ? readdirSync(path).filter((name) => names.test(name)) : [];
  return inside.reduce((open, name) => {
    const entry = join(path, name);
    return open + (closedOnly.test(name) ? closeAlone(entry, machine) : closeTo(entry, machine));
  }, Number(isOpen));
};

/** The owner may always change a mode, so a refusal means that the file system has no modes. */
const close = (path: string, mode: number, { chmod }: Machine): void => {
  try {
    chmod(path, mode);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'ENOENT'].includes(codeOf(error) ?? '')) throw error;
  }
};

const closeAlone = (path: string, machine: Machine): number => closeTo(path, machine, /(?!)/);

const assertOwn = (path: string, found: Stats, { uid }: Machine): void => {
  if (found.isSymbolicLink()) throw unsafe(path, 'link');
  if (!found.isFile() && !found.isDirectory()) throw unsafe(path, 'notAFile');
  if (uid !== undefined && found.uid !== uid) throw unsafe(path, 'otherUser');
};

/**
 * Anyone who can write to a parent folder can replace this one, unless only owners may (sticky bit). On the device
 * `withoutModes` every folder looks writable by everyone.
 */
const assertAncestors = (path: string, withoutModes: number | undefined): void => {
  const { mode, dev } = statSync(path);
  const isOpen = (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
  if (isOpen && dev !== withoutModes) throw unsafe(path, 'openToAll');
  if (dirname(path) !== path) assertAncestors(dirname(path), withoutModes);
};

const unsafe = (path: string, reason: 'link' | 'notAFile' | 'otherUser' | 'openToAll'): DeskError =>
  new DeskError('data/unsafe', `the data directory is not safe: ${reason}`, { details: { path, reason } });

export type Environment = Readonly<Record<string, string | undefined>>;

const folder = 'Inspection Desk';

/**
 * The default data directory, the same in all hosts. On Windows it is in the profile's local part, which no server
 * copies at each sign-in.
 */
export const defaultHome = (env: Environment = process.env, platform = process.platform): string => {
  switch (platform) {
    case 'win32':
      return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), folder);
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', folder);
    default:
      return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), folder);
  }
};

// One process per data directory: two would upload the files of one ledger twice.

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
    // The file is empty of data, and no process can hold a lock on a file that is not a database. It is truncated in
    // place: if two processes do so, one of them gets the lock.
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

// `cache` in the data directory: everything that the app can rebuild, and that a backup may leave out. It is in the
// data directory on every system, since systems clear their own cache folders, but the user asked for the offline data.

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

/**
 * The data directory: its place, its lock and its protection from other users. The directory contains signed URLs,
 * names and addresses, and files that control the app. On Windows the access rules of its parent folder apply.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  truncateSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { attempt } from 'es-toolkit/util/attempt';
import { codeOf, DeskError } from '../../contract/errors.ts';
import { FILE_MODE, FOLDER_MODE, makePrivate, orUnwritable } from './files.ts';
import { orClosed, resultCodeOf } from './sqlite.ts';

type Machine = {
  readonly platform: NodeJS.Platform;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  readonly chmod: (path: string, mode: number) => void;
};

const thisMachine = (): Machine => ({ platform: process.platform, uid: process.getuid?.(), chmod: chmodSync });

/**
 * Creates the data directory, or a folder in it, with access for its owner only. Leaves an existing folder as it is.
 * Errors: `data/unwritable`.
 */
export const makeHome = (path: string): void =>
  orUnwritable(
    'the data directory cannot be created',
    { path },
    () => void mkdirSync(path, { recursive: true, mode: FOLDER_MODE }),
  );

/**
 * Sets the modes of the existing `home`, and of the app's files and folders in it, to `FOLDER_MODE` and `FILE_MODE`.
 * Other processes can use `home` at the same time. Returns how many files and folders had a different mode (`closed`).
 * `hasModes` in the result is false on Windows and on file systems without modes (FAT, some shares), where the mount
 * decides who may read. Errors: `data/unsafe` (details `path`, `reason`) if a file or folder belongs to another user,
 * is a link (except `home`) or is of another kind, or if everyone can replace a folder above `home`; `data/unwritable`.
 */
export const secureHome = (
  home: string,
  machine: Machine = thisMachine(),
): { readonly closed: number; readonly hasModes: boolean } => {
  if (machine.platform === 'win32') return { closed: 0, hasModes: false };
  return orUnwritable('the data directory cannot be read', { path: home }, () => {
    // `home` can be a link: users move the data elsewhere and leave a link in its place.
    const place = realpathSync(home);
    const closed = closeTo(place, machine, ownNames);
    const { mode, dev } = lstatSync(place);
    const hasModes = (mode & 0o777) === FOLDER_MODE;
    assertAncestors(dirname(place), hasModes ? undefined : dev);
    return { closed: hasModes ? closed : 0, hasModes };
  });
};

/**
 * Matches the files and folders at the top level whose modes are set. The key of the command channel is left out: the
 * channel refuses a key that others can read, and a new mode would hide the fact that others could read it. Chromium's
 * own files at the top level are left out, because some of them are links.
 */
const ownNames =
  /^(?:settings.*|[a-z]+\.sqlite.*|tokens|logs|crashes|sample|cache|reviewed|drafts|logo|browser|browser-of-commands|preview-.*)$/;

/**
 * Matches the folders of Chromium, of the preview and of the sample service's files. The modes of these folders are
 * set, but not the modes of their contents.
 */
const closedOnly = /^(?:browser|browser-of-commands|preview-.*|objects)$/;

const closeTo = (path: string, machine: Machine, names = /./): number => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  assertOwn(path, found, machine);
  const mode = found.isDirectory() ? FOLDER_MODE : FILE_MODE;
  const isOpen = (found.mode & 0o777) !== mode;
  if (isOpen) close(path, mode, machine);
  // The folder is read after its mode was set. From then on, other users cannot change its entries.
  const inside = found.isDirectory() ? readdirSync(path).filter((name) => names.test(name)) : [];
  return inside.reduce((open, name) => {
    const entry = join(path, name);
    return open + (closedOnly.test(name) ? closeAlone(entry, machine) : closeTo(entry, machine));
  }, Number(isOpen));
};

/**
 * Sets the mode of a file or folder. Ignores a missing file. Also ignores a refusal: an owner may always change modes,
 * so a refusal means that the file system has no modes.
 */
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
 * Throws if everyone can write to the folder at `path` or to a folder above it, and could therefore replace its
 * entries. A sticky bit prevents that. `withoutModes`: a device whose folders pass, because all of them may look
 * writable by everyone.
 */
const assertAncestors = (path: string, withoutModes: number | undefined): void => {
  const { mode, dev } = statSync(path);
  const isOpen = (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
  if (isOpen && dev !== withoutModes) throw unsafe(path, 'openToAll');
  if (dirname(path) !== path) assertAncestors(dirname(path), withoutModes);
};

const unsafe = (path: string, reason: 'link' | 'notAFile' | 'otherUser' | 'openToAll'): DeskError =>
  new DeskError('data/unsafe', `the data directory is not safe: ${reason}`, { details: { path, reason } });

type Environment = Readonly<Record<string, string | undefined>>;

const folder = 'Inspection Desk';

/**
 * Returns the path of the default data directory, which is the same in all hosts. On Windows the directory is in the
 * local part of the profile, because a roaming profile is copied at each sign-in.
 */
export const defaultHome = (env: Environment = process.env): string => {
  switch (process.platform) {
    case 'win32':
      return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), folder);
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', folder);
    default:
      return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), folder);
  }
};

// Only one process at a time may have a data directory open: two would upload the files of one ledger twice.

/**
 * Locks `home` until the returned function is called or the process ends. The lock is an SQLite file lock, which the
 * operating system releases even after a crash.
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
    // The lock file contains no data, and no process can hold the lock while the file is not a database. If two
    // processes truncate it, only one of them gets the lock, because they still lock the same file.
    truncateSync(path);
    return lockOnce(path);
  }
};

const lockOnce = (path: string): (() => void) => {
  makePrivate(path);
  const db = new DatabaseSync(path);
  orClosed(db, () => db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE'));
  return () => db.close();
};

/** Matches the temporary files of `replaceFile`, receipts and the settings, which remain if the process is killed. */
const UNFINISHED = /\.[0-9a-f-]{36}\.part$|^settings\.json\.tmp-/;

/**
 * Removes unfinished files that earlier processes left in `home`. Names and addresses in them would otherwise remain
 * after the user has deleted the data. To be called while `home` is locked, so that no process is replacing files.
 */
export const removeUnfinished = (home: string): void => {
  for (const folder of [home, join(home, 'drafts'), join(home, 'tokens')]) {
    const [, names] = attempt(() => readdirSync(folder));
    // A file that cannot be removed now is removed at a later start.
    for (const name of names ?? []) if (UNFINISHED.test(name)) attempt(() => rmSync(join(folder, name)));
  }
};

// The folder `cache` in the data directory has files that the app can rebuild, so a backup can leave them out. They are
// not in the system's own cache folder: the system may clear it, and users would lose what they made available offline.

/**
 * Returns the path of the cache folder (`folder`) and the paths in it. `browser`: Chromium's files for the window;
 * `browserOfCommands`: Chromium's files for commands.
 */
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

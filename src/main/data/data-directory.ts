/**
 * Who may look into the data directory: nobody but the person. In it are signed URLs, names and addresses, and files
 * that the app obeys. On Windows that follows from the profile it is in, whose access rules it inherits.
 */
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DeskError } from '../../contract/errors.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

export type Machine = {
  readonly platform: NodeJS.Platform;
  /** The id of the person who runs the app; undefined on Windows. */
  readonly uid: number | undefined;
  readonly chmod: (path: string, mode: number) => void;
};

const thisMachine = (): Machine => ({ platform: process.platform, uid: process.getuid?.(), chmod: chmodSync });

/** Makes the data directory where it is missing. Errors: `data/unwritable`. */
export const makeHome = (path: string): void => {
  try {
    mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  } catch (cause) {
    throw new DeskError('data/unwritable', 'the data directory cannot be made', { details: { path }, cause });
  }
};

/**
 * Closes `home`, which exists, and the app's files in it to everybody else, and answers how many had been open. Nothing
 * in it is followed that is a link, read that is no file, or used that belongs to somebody else. Another process may
 * use the home at the same time. `hasModes`: false on a file system without them (FAT, some shares), where whoever
 * mounted it decides who may read.
 * Errors: `data/unsafe` (details `path`, `reason`), `data/unwritable`.
 */
export const secureHome = (
  home: string,
  machine: Machine = thisMachine(),
): { readonly closed: number; readonly hasModes: boolean } => {
  if (machine.platform === 'win32') return { closed: 0, hasModes: false };
  try {
    // The person may have put their data elsewhere by a link of their own; what it leads to is looked at.
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

/** Makes the file at `path` for a library that would make it for everybody to read; what is there stays. */
export const makePrivate = (path: string): void => closeSync(openSync(path, 'a', FILE_MODE));

/** The app's files at the top. Chromium has its own there, links among them, and takes care of them. */
const ownNames = /^(?:settings.*|[a-z]+\.sqlite.*|tokens|logs|sample|browser|browser-of-commands|preview-.*)$/;

/** Folders that are only closed: Chromium's, and copies of files that a person hands over. */
const closedOnly = /^(?:browser|browser-of-commands|preview-.*|objects)$/;

const closeTo = (path: string, machine: Machine, names = /./): number => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // Another process that uses the home has removed it.
  if (!found) return 0;
  assertOwn(path, found, machine);
  const mode = found.isDirectory() ? FOLDER_MODE : FILE_MODE;
  const isOpen = (found.mode & 0o777) !== mode;
  if (isOpen) close(path, mode, machine);
  // Read after the folder was closed: from then on nobody else can change what is in it.
  const inside = found.isDirectory() ? readdirSync(path).filter((name) => names.test(name)) : [];
  return inside.reduce((open, name) => {
    const entry = join(path, name);
    return open + (closedOnly.test(name) ? closeAlone(entry, machine) : closeTo(entry, machine));
  }, Number(isOpen));
};

/** The owner may always change a mode, so a refusal comes from a file system without modes. */
const close = (path: string, mode: number, { chmod }: Machine): void => {
  try {
    chmod(path, mode);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'ENOENT'].includes(errorCode(error))) throw error;
  }
};

const errorCode = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

const closeAlone = (path: string, machine: Machine): number => closeTo(path, machine, /(?!)/);

const assertOwn = (path: string, found: Stats, { uid }: Machine): void => {
  if (found.isSymbolicLink()) throw unsafe(path, 'it is a link');
  if (!found.isFile() && !found.isDirectory()) throw unsafe(path, 'it is neither a file nor a folder');
  if (uid !== undefined && found.uid !== uid) throw unsafe(path, 'it belongs to another user of this computer');
};

/**
 * Anyone who can write to a folder above can put another folder in the place of this one, unless that is kept to owners.
 * On the device `withoutModes` every folder looks as if everyone could.
 */
const assertAncestors = (path: string, withoutModes: number | undefined): void => {
  const { mode, dev } = statSync(path);
  const isOpen = (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
  if (isOpen && dev !== withoutModes) throw unsafe(path, 'every user of this computer can change it');
  if (dirname(path) !== path) assertAncestors(dirname(path), withoutModes);
};

const unsafe = (path: string, reason: string): DeskError =>
  new DeskError('data/unsafe', `the data directory is not safe: ${reason}`, { details: { path, reason } });

/**
 * Who may look into the data directory: nobody but the person. In it are signed URLs, names and addresses, and files
 * that the app obeys. On Windows that follows from the profile it lies in, whose access rules it inherits.
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
import { DeskError } from '../contract/errors.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

export type Machine = {
  readonly platform: NodeJS.Platform;
  /** The id of the person who runs the app; undefined on Windows. */
  readonly uid: number | undefined;
};

const thisMachine = (): Machine => ({ platform: process.platform, uid: process.getuid?.() });

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
 * in it is followed that is a link, read that is no file, or used that belongs to somebody else.
 * Errors: `data/unsafe` (details `path`, `reason`), `data/unwritable`.
 */
export const secureHome = (home: string, machine: Machine = thisMachine()): number => {
  if (machine.platform === 'win32') return 0;
  try {
    // The person may have put their data elsewhere by a link of their own; what it leads to is looked at.
    const place = realpathSync(home);
    assertAncestors(dirname(place));
    return closeTo(place, machine, ownNames);
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
  const found = lstatSync(path);
  assertOwn(path, found, machine);
  const mode = found.isDirectory() ? FOLDER_MODE : FILE_MODE;
  const isOpen = (found.mode & 0o777) !== mode;
  if (isOpen) chmodSync(path, mode);
  // Read after the folder was closed: from then on nobody else can change what is in it.
  const inside = found.isDirectory() ? readdirSync(path).filter((name) => names.test(name)) : [];
  return inside.reduce((open, name) => {
    const entry = join(path, name);
    return open + (closedOnly.test(name) ? closeAlone(entry, machine) : closeTo(entry, machine));
  }, Number(isOpen));
};

const closeAlone = (path: string, machine: Machine): number => closeTo(path, machine, /(?!)/);

const assertOwn = (path: string, found: Stats, { uid }: Machine): void => {
  if (found.isSymbolicLink()) throw unsafe(path, 'it is a link');
  if (!found.isFile() && !found.isDirectory()) throw unsafe(path, 'it is neither a file nor a folder');
  if (uid !== undefined && found.uid !== uid) throw unsafe(path, 'it belongs to another user of this computer');
};

/** Whoever can write to a folder above can put another folder in the place of this one, unless that is kept to owners. */
const assertAncestors = (path: string): void => {
  const { mode } = statSync(path);
  if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) throw unsafe(path, 'every user of this computer can change it');
  if (dirname(path) !== path) assertAncestors(dirname(path));
};

const unsafe = (path: string, reason: string): DeskError =>
  new DeskError('data/unsafe', `the data directory is not safe: ${reason}`, { details: { path, reason } });

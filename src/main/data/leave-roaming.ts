/**
 * Moves the data directory out of the roaming profile of Windows, where earlier versions had it. A crash at any step loses
 * nothing: everything is copied and on the disk before the old files are removed, and the next start goes on.
 */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../../contract/errors.ts';
import { codeOf } from '../async/error-code.ts';
import { FILE_MODE, FOLDER_MODE, ownNames } from './data-directory.ts';
import { lockDataDirectory } from './data-lock.ts';
import { defaultHome, type Environment, roamingHome } from './default-home.ts';

type Move = {
  readonly from: string;
  readonly to: string;
  /** Called before each change; a test that throws there plays a crash. */
  readonly beforeStep?: () => void;
};

/** In the new directory until everything is copied: what is there may be incomplete. */
const MOVING = 'moving-from-roaming';
/** In the new directory until the old files are removed. */
const MOVED = 'moved-from-roaming';

/** What is not moved, but removed afterwards, as the app makes it again. A person's own files stay where they are. */
const madeAgain = /^(?:lock\.sqlite.*|.*-shm|cache|browser|browser-of-commands|preview-.*)$/;
const isMoved = (name: string): boolean => ownNames.test(name) && !madeAgain.test(name);

/**
 * The default data directory, after everything was moved there that an earlier version left in the roaming profile.
 * Errors: `data/in-use` while an earlier version runs, `data/unwritable`.
 */
export const openDefaultHome = (env: Environment = process.env, platform = process.platform): string => {
  const to = defaultHome(env, platform);
  const from = roamingHome(env, platform);
  if (from !== undefined) leaveRoaming({ from, to });
  return to;
};

/** Moves the data directory `from` to `to`, unless there is one already. Errors: as `openDefaultHome`. */
export const leaveRoaming = ({ from, to, beforeStep = () => {} }: Move): void => {
  try {
    if (isToBeMoved(from, to)) copyAll({ from, to, beforeStep });
  } catch (cause) {
    if (cause instanceof DeskError) throw cause;
    throw new DeskError('data/unwritable', 'the data directory cannot be moved', { details: { path: to }, cause });
  }
  if (existsSync(join(to, MOVED))) removeOld({ from, to, beforeStep });
};

const isToBeMoved = (from: string, to: string): boolean => {
  if (!namesIn(from).some(isMoved)) return false;
  return existsSync(join(to, MOVING)) || !namesIn(to).some((name) => name === MOVED || isMoved(name));
};

const copyAll = ({ from, to, beforeStep }: Required<Move>): void => {
  const unlock = lockDataDirectory(from);
  try {
    beforeStep();
    // Another start may have moved everything before this one had the lock, and write there by now.
    if (!isToBeMoved(from, to)) return;
    mkdirSync(to, { recursive: true, mode: FOLDER_MODE });
    // Also when it exists: its time is compared with that of files which an earlier version may write later.
    writeFileSync(join(to, MOVING), new Date().toISOString());
    for (const name of namesIn(from)) if (isMoved(name)) copy(join(from, name), join(to, name), beforeStep);
    beforeStep();
    renameSync(join(to, MOVING), join(to, MOVED));
  } finally {
    unlock();
  }
};

/** Copies a file or a folder to the disk. Links and devices are none of the app's. */
const copy = (from: string, to: string, beforeStep: () => void): void => {
  const found = lstatSync(from);
  if (found.isDirectory()) {
    mkdirSync(to, { recursive: true, mode: FOLDER_MODE });
    for (const name of namesIn(from)) copy(join(from, name), join(to, name), beforeStep);
  } else if (found.isFile()) {
    beforeStep();
    copyFileSync(from, to);
    // A copy of a read-only file is read-only.
    chmodSync(to, FILE_MODE);
    const file = openSync(to, 'r+');
    fsyncSync(file);
    closeSync(file);
  }
};

/**
 * Removes what was moved. What another program holds open is left for a later start, and keeps nothing else. If an earlier
 * version was used again before that, what it wrote is a person's only copy: then everything stays.
 */
const removeOld = ({ from, to, beforeStep }: Required<Move>): void => {
  const mark = join(to, MOVED);
  const names = namesIn(from).filter((name) => ownNames.test(name));
  const movedAtMs = statSync(mark).mtimeMs;
  const wasUsedAgain = names.some((name) => isMoved(name) && lstatSync(join(from, name)).mtimeMs > movedAtMs);
  const removed = wasUsedAgain ? [] : names.map((name) => unlessHeld(() => remove(join(from, name), beforeStep)));
  unlessHeld(() => {
    if (existsSync(from) && namesIn(from).length === 0) rmdirSync(from);
  });
  if (!removed.includes(false)) unlessHeld(() => remove(mark, beforeStep));
};

const remove = (path: string, beforeStep: () => void): void => {
  beforeStep();
  rmSync(path, { recursive: true, force: true });
};

/** Whether `change` was made, rather than refused because another program holds the file. */
const unlessHeld = (change: () => void): boolean => {
  try {
    change();
    return true;
  } catch (error) {
    if (['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
};

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

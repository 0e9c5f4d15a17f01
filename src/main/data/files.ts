/** Files of the data directory: read within limits, replaced as a whole, moved aside when damaged. */
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { codeOf, DeskError } from '../../contract/errors.ts';
import { sleep } from '../async/clock.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Creates the file at `path` for a library that would make it readable by everyone. Keeps an existing file. */
export const makePrivate = (path: string): void => closeSync(openSync(path, 'a', FILE_MODE));

// Reads files that others wrote: regular ones only, a bounded amount, in the encodings that programs of an office
// write.

/** Windows has no such flag. */
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;

/**
 * The content of the file at `path`; undefined if there is none. Rejects pipes, devices and folders, and a file of more than
 * `maxBytes`, even if it grows while it is read.
 * @throws Error with the code `ENOTFILE` or `EFBIG`, or the system's error
 */
export const readBounded = async (path: string, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> => {
  const file = await open(path, constants.O_RDONLY | NON_BLOCKING).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  if (!file) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw refusal('ENOTFILE', 'not a regular file');
    const bytes = await buffer(file.createReadStream({ end: maxBytes, autoClose: false }));
    if (bytes.length > maxBytes) throw refusal('EFBIG', 'too large');
    return bytes;
  } finally {
    await file.close();
  }
};

const refusal = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const UTF_16_LE = [0xff, 0xfe];
const UTF_16_BE = [0xfe, 0xff];

/**
 * The text of a file as spreadsheets, editors and PowerShell save it, without its byte order mark: UTF-8, UTF-16 with
 * such a mark, or else in the code page of western Windows.
 */
export const decodeText = (bytes: Uint8Array): string => {
  const startsWith = (mark: readonly number[]): boolean => mark.every((byte, at) => bytes[at] === byte);
  if (startsWith(UTF_16_LE)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(UTF_16_BE)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

/**
 * The position in `text` at which its JSON first has more than `most` levels; undefined if there is none. Not recursive,
 * unlike parsers, which deep nesting makes overflow the stack.
 */
export const beyondLevel = (text: string, most: number): number | undefined => {
  let levels = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (isText && sign === '\\') at += 1;
    else if (sign === '"') isText = !isText;
    else if (isText) continue;
    else if (sign === '{' || sign === '[') levels += 1;
    else if (sign === '}' || sign === ']') levels -= 1;
    if (levels > most) return at;
  }
  return undefined;
};

// Replaces files atomically: after a crash the file has the old content or the new, never a part.

/**
 * Lets `write` create a file beside `path`, and replaces `path` by it once it is on disk. Errors:
 * `data/unwritable`, and the `DeskError`s of `write`.
 */
export const replaceFile = async (path: string, write: (temporary: string) => Promise<void>): Promise<void> => {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await write(temporary);
    await sync(temporary, 'r+');
    await renameOver(temporary, path);
    await sync(dirname(path), 'r').catch(unlessFolder);
  } catch (cause) {
    // On a failing drive, this removal may fail too.
    await rm(temporary, { force: true }).catch(() => {});
    if (cause instanceof DeskError) throw cause;
    throw new DeskError('data/unwritable', 'the file cannot be written', { details: { path }, cause });
  }
};

/** Waits until the names of the files in `folder` are on the disk, on systems that can open folders. Throws the system's errors. */
export const flushNames = (folder: string): void => {
  try {
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    unlessFolder(error);
  }
};

/** Windows cannot open folders, and some shares and file systems cannot flush them. */
const unlessFolder = (error: unknown): void => {
  if (
    !['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')
  )
    throw error;
};

/**
 * Makes the folder at `path`, for its owner only, and its parents, and waits until its own name is on the disk. Throws the system's
 * errors.
 */
export const makeFolder = (path: string): void => {
  if (mkdirSync(path, { recursive: true, mode: FOLDER_MODE }) !== undefined) flushNames(dirname(path));
};

/** The content of a file, piece by piece. */
export type Pieces = Iterable<string> | AsyncIterable<string | Uint8Array>;

/** Replaces the file at `path` by `pieces`, written as they arrive: a file of any length needs little memory. Errors: `data/unwritable`. */
export const writePieces = (path: string, pieces: Pieces): Promise<void> =>
  replaceFile(path, (temporary) => pipeline(Readable.from(inTurns(pieces)), createWriteStream(temporary)));

const TURN_MS = 10;

/** Returns to the event loop after each 10 ms. */
async function* inTurns(pieces: Pieces): AsyncGenerator<string | Uint8Array> {
  let turnEndsAt = performance.now() + TURN_MS;
  for await (const piece of pieces) {
    if (piece.length > 0) yield piece;
    if (performance.now() < turnEndsAt) continue;
    await setImmediate();
    turnEndsAt = performance.now() + TURN_MS;
  }
}

const LONGEST_NAME = 100;

/** `name` as a file name, without characters that a file system refuses and short enough for additions; `otherwise` if nothing is left. */
export const safeName = (name: string, otherwise: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ')
    .slice(0, LONGEST_NAME)
    .toWellFormed()
    .trim() || otherwise;

/** On Windows a rename fails briefly while a virus scanner or an indexer has the file open. */
const renameOver = async (temporary: string, path: string): Promise<void> => {
  for (let triesLeft = process.platform === 'win32' ? 10 : 1; ; triesLeft -= 1) {
    try {
      return await rename(temporary, path);
    } catch (error) {
      if (triesLeft <= 1) throw error;
      await setTimeout(50);
    }
  }
};

const sync = async (path: string, flags: 'r' | 'r+'): Promise<void> => {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

// Databases that can be rebuilt: a damaged one is moved aside.

/** Whether the file at `path`, which could not be opened because of `error`, is to be moved aside. */
export const isBeyondUse = (path: string, error: unknown): boolean =>
  (error instanceof DeskError && (error.code === 'data/corrupt' || error.code === 'data/newer')) ||
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Moves the file aside, and returns the notice that reports it. Its logs and index are removed: they would corrupt
 * the new file. Errors: `data/unwritable`.
 */
export const moveAside = (path: string, atMs: number): DeskError => {
  const file = `${path}.damaged-${atMs}`;
  try {
    renameSync(path, file);
    for (const part of ['-wal', '-shm', '-journal']) if (existsSync(path + part)) rmSync(path + part);
  } catch (cause) {
    throw new DeskError('data/unwritable', 'a damaged file cannot be moved aside', { details: { path }, cause });
  }
  return new DeskError('data/moved-aside', 'the database was damaged', { details: { file } });
};

/** Node's names for file system requests in progress. */
const FILE_WORK = /^(FSReq|FileHandleClose)/;

const POLL_MS = 20;

/**
 * Whether this thread's file operations, and `isBusy` if given, end within `graceMs`. Otherwise they wait for a drive
 * that does not respond and would keep the process from exiting, since Node joins its threads first.
 */
export const comesToRest = async (graceMs: number, isBusy = (): boolean => false): Promise<boolean> => {
  const isAtRest = (): boolean => !isBusy() && !process.getActiveResourcesInfo().some((name) => FILE_WORK.test(name));
  for (const untilMs = performance.now() + graceMs; performance.now() < untilMs; await sleep(POLL_MS))
    if (isAtRest()) return true;
  return isAtRest();
};

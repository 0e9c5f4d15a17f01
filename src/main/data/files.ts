/** Reads files within limits, replaces them atomically, and moves damaged ones aside. */

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { attempt } from 'es-toolkit/util/attempt';
import { codeOf, DeskError, type ErrorDetails } from '../../contract/errors.ts';

export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Runs `work`. Translates its errors, except `DeskError`s, into `data/unwritable` with this message and details. */
export const orUnwritable = <T>(message: string, details: ErrorDetails, work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof DeskError) throw cause;
    throw new DeskError('data/unwritable', message, { details, cause });
  }
};

/**
 * Creates the file at `path` with access for its owner only, so that no library creates it readable by everyone. Leaves
 * an existing file unchanged. Throws the system's errors.
 */
export const makePrivate = (path: string): void => closeSync(openSync(path, 'a', FILE_MODE));

// Reads of files that other programs may have written: only regular files, up to a maximum size, and texts in the
// encodings of office programs.

/** The flag that opens a pipe without waiting for its writer. Windows has no such flag. */
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;

/**
 * Reads the file at `path`; undefined if the file does not exist. Rejects with an error whose `code` is `EFBIG` (more
 * than `maxBytes`, even if the file grows during the read), `ENOTFILE` (a pipe, device or folder) or a code of the
 * system.
 */
export const readBounded = async (path: string, maxBytes: number): Promise<Buffer<ArrayBuffer> | undefined> => {
  await using file = await open(path, constants.O_RDONLY | NON_BLOCKING).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (!file) return undefined;
  if (!(await file.stat()).isFile()) throw refusal('ENOTFILE', 'not a regular file');
  const bytes = await buffer(file.createReadStream({ end: maxBytes, autoClose: false }));
  if (bytes.length > maxBytes) throw refusal('EFBIG', 'too large');
  return bytes;
};

const refusal = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const UTF_16_LE = [0xff, 0xfe];
const UTF_16_BE = [0xfe, 0xff];

/**
 * Decodes a text file that a spreadsheet program, an editor or PowerShell has saved: UTF-16 if it starts with a byte
 * order mark of UTF-16, otherwise UTF-8 if it is valid, otherwise Windows-1252. The mark is not part of the text.
 */
export const decodeText = (bytes: Uint8Array): string => {
  const startsWith = (mark: readonly number[]): boolean => mark.every((byte, at) => bytes[at] === byte);
  if (startsWith(UTF_16_LE)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(UTF_16_BE)) return new TextDecoder('utf-16be').decode(bytes);
  const [, text] = attempt(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  return text ?? new TextDecoder('windows-1252').decode(bytes);
};

/**
 * Returns the index at which the JSON in `text` is first nested deeper than `most` levels; undefined if it is not
 * nested that deeply. To be called before a recursive parser, whose stack would overflow on deep nesting.
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

// Atomic replacement of files: after a crash, a file has either the old content or the new.

/**
 * The number of characters that a temporary name takes from the file's name. The whole name could make the temporary
 * name too long.
 */
const SHOWN_OF_NAME = 20;

/**
 * Calls `write` to create a temporary file next to `path`, flushes that file to disk, renames it to `path`, and flushes
 * the new name. Errors: `data/unwritable`, and the `DeskError`s of `write`.
 */
export const replaceFile = async (path: string, write: (temporary: string) => Promise<void>): Promise<void> => {
  const temporary = join(dirname(path), `${basename(path).slice(0, SHOWN_OF_NAME)}.${randomUUID()}.part`);
  try {
    await write(temporary);
    await sync(temporary, 'r+');
    await renameOver(temporary, path);
    await sync(dirname(path), 'r').catch(unlessFolder);
  } catch (cause) {
    // The removal may fail, too, for example on a failing drive. The first error is reported.
    await rm(temporary, { force: true }).catch(() => {});
    if (cause instanceof DeskError) throw cause;
    throw new DeskError('data/unwritable', 'the file cannot be written', { details: { path }, cause });
  }
};

/**
 * Flushes the names of the files in `folder` to disk; does nothing if the system cannot do that. Throws the system's
 * other errors.
 */
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

/**
 * Ignores that a folder cannot be opened (on Windows) or flushed (on some shares and file systems). Rethrows other
 * errors.
 */
const unlessFolder = (error: unknown): void => {
  if (
    !['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')
  )
    throw error;
};

/**
 * Creates the folder at `path` and missing parents, with access for their owner only. Flushes the name of a new folder
 * to disk, but not those of its parents. Throws the system's errors.
 */
export const makeFolder = (path: string): void => {
  if (mkdirSync(path, { recursive: true, mode: FOLDER_MODE }) !== undefined) flushNames(dirname(path));
};

export type Pieces = Iterable<string> | AsyncIterable<string | Uint8Array>;

/**
 * Creates or replaces the file at `path` atomically. `pieces` are written as they arrive, so that a file of any length
 * needs little memory. Errors: `data/unwritable`, and the `DeskError`s of `pieces`.
 */
export const writePieces = async (path: string, pieces: Pieces): Promise<void> => {
  const mode = await modeOf(path);
  await replaceFile(path, (temporary) =>
    pipeline(Readable.from(inTurns(pieces)), createWriteStream(temporary, { mode })),
  );
};

/** The mode of new files before the system's mask is applied. */
const USUAL_MODE = 0o666;

/**
 * Returns the mode for a new version of the user's file at `path`: that of the present file, so that others still
 * cannot read a private file, or the usual mode if there is no file.
 */
export const modeOf = async (path: string): Promise<number> => {
  const before = await stat(path).catch(() => undefined);
  return before === undefined ? USUAL_MODE : (before.mode & 0o777) | FILE_MODE;
};

const TURN_MS = 10;

async function* inTurns(pieces: Pieces): AsyncGenerator<string | Uint8Array> {
  let turnEndsAt = performance.now() + TURN_MS;
  for await (const piece of pieces) {
    if (piece.length > 0) yield piece;
    if (performance.now() < turnEndsAt) continue;
    await setImmediate();
    turnEndsAt = performance.now() + TURN_MS;
  }
}

/** The maximum length of a file name in UTF-8, without additions. Most file systems allow 255 bytes. */
const LONGEST_NAME_BYTES = 150;

/**
 * Makes a file name from `name`: puts spaces in place of characters that file systems refuse, and shortens a long name,
 * to leave room for a date, numbers and an extension. Returns `otherwise` if nothing is left.
 */
export const safeName = (name: string, otherwise: string): string => {
  const allowed = name.replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, ' ').toWellFormed();
  const { read } = new TextEncoder().encodeInto(allowed, new Uint8Array(LONGEST_NAME_BYTES));
  return allowed.slice(0, read).trim() || otherwise;
};

/**
 * Renames `temporary` to `path`. On Windows a rename fails while a virus scanner or an indexer briefly has the file
 * open, so the rename is tried again.
 */
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
  await using file = await open(path, flags);
  await file.sync();
};

// Databases and other files that the app can do without. A damaged one is renamed, and the app starts without it.

/**
 * Whether the database at `path` is damaged, was written by a newer app, or is a folder. `error`: why it could not be
 * opened.
 */
export const isBeyondUse = (path: string, error: unknown): boolean =>
  (error instanceof DeskError && (error.code === 'data/corrupt' || error.code === 'data/newer')) ||
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/**
 * Renames the file at `path`, and returns a notice for the user. Removes the write-ahead log, shared memory and
 * rollback journal of a database, because SQLite would apply them to a new database at `path`. `atMs`: the present time
 * in ms since 1970, for the new name. Errors: `data/unwritable`.
 */
export const moveAside = (path: string, atMs: number): DeskError => {
  const file = `${path}.damaged-${atMs}`;
  orUnwritable('a damaged file cannot be moved aside', { path }, () => {
    renameSync(path, file);
    for (const part of ['-wal', '-shm', '-journal']) if (existsSync(path + part)) rmSync(path + part);
  });
  return new DeskError('data/moved-aside', 'the file was damaged', { details: { file } });
};

/** Removes the closed database at `path`, with its write-ahead log and other files. Throws the system's errors. */
export const removeDatabase = (path: string): void => {
  // The log is removed before the database. Otherwise SQLite could apply the log to the next database at this path, or
  // to a database that could not be removed.
  for (const part of ['-wal', '-shm', '-journal', '']) {
    const [error] = attempt(() => rmSync(path + part, { force: true }));
    // Windows does not remove a file that another program has open. An empty file is a new database, too. The index of
    // the log cannot even be emptied then, but it has no content of its own.
    if (error && part !== '-shm') truncateSync(path + part);
  }
};

/**
 * Removes all files that `moveAside` renamed from `path`. They may contain names of customers. Errors:
 * `data/unwritable`.
 */
export const removeAside = (path: string): void =>
  orUnwritable('a damaged file cannot be removed', { path }, () => {
    for (const name of readdirSync(dirname(path)))
      if (name.startsWith(`${basename(path)}.damaged-`)) rmSync(join(dirname(path), name), { recursive: true });
  });

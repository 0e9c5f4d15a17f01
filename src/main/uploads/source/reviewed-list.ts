/**
 * The list of all folders and files that a user reviewed before an upload, in a file of the data directory. The upload
 * takes its files from the list, which has some 70 MB for a million files and is never in memory as a whole. It has
 * lines of JSON in the order of the scan: a folder as `[below, id, bornMs]`, followed by the files directly in it as
 * `[name, sizeBytes, modifiedMs, id, changedMs, inCloud]`. So everything below a folder is one range of bytes.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, DeskError } from '../../../contract/errors.ts';
import { flushNames, makeFolder } from '../../data/files.ts';
import { archiveOf, splitInner } from './paths.ts';
import {
  type FoundFolder,
  NOTHING_LEFT_OUT,
  type Scan,
  type ScanListeners,
  type ScannedFile,
  type Source,
  scanInPatience,
} from './scan.ts';

/** A range of bytes in a list: the first offset is included, the second is not. */
const Range = z.tuple([z.int().min(0), z.int().min(0)]).readonly();
export type Range = z.infer<typeof Range>;

/**
 * The reviewed files of a source: `ranges` of the list with the id `list`. `below`: the path of the source below the
 * scanned folder, ending in `/`; empty for that folder itself.
 */
export const ReviewedPart = z.object({ list: z.guid(), below: z.string(), ranges: z.array(Range).readonly() });
export type ReviewedPart = z.infer<typeof ReviewedPart>;

/** A source whose files come from a reviewed list, or without `reviewed` from a scan. */
export type ReviewedSource = Source & { readonly reviewed?: ReviewedPart | undefined };

export type ReviewedList = ReturnType<typeof createReviewedList>;

const WRITE_CHARACTERS = 64 * 1024;
const READ_BYTES = 256 * 1024;
const GROUP_FILES = 256;
const MODE = 0o600;

const fileOf = (directory: string, id: string): string => join(directory, `${id}.jsonl`);

/**
 * Creates a list, and its file at the first write. If it cannot be written, for example because the disk is full, `add`
 * keeps the files in memory, so that a scan goes on, and `save` throws `data/unwritable` until it has written all.
 */
export const createReviewedList = (directory: string, id: string = randomUUID()) => {
  const path = fileOf(directory, id);
  let file: number | undefined;
  let waiting = '';
  let length = 0;
  /** The number of bytes flushed so far. The next write overwrites bytes that a failed write left after them. */
  let flushed = 0;
  let current: object | undefined;
  let nextFlush = WRITE_CHARACTERS;

  const translated = (work: () => void): void => {
    try {
      work();
    } catch (cause) {
      throw new DeskError('data/unwritable', 'the list of reviewed files cannot be written', {
        details: { path },
        cause,
      });
    }
  };
  const flush = (): void =>
    translated(() => {
      if (file === undefined) {
        makeFolder(directory);
        file = openSync(path, 'wx', MODE);
      }
      const bytes = Buffer.from(waiting);
      for (let written = 0; written < bytes.length; )
        written += writeSync(file, bytes, written, bytes.length - written, flushed + written);
      flushed += bytes.length;
      waiting = '';
    });
  const flushIfPossible = (): void => {
    try {
      flush();
      nextFlush = WRITE_CHARACTERS;
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      nextFlush = 2 * waiting.length;
    }
  };
  const append = (line: readonly unknown[]): void => {
    const text = `${JSON.stringify(line)}\n`;
    waiting += text;
    length += Buffer.byteLength(text);
    if (waiting.length >= nextFlush) flushIfPossible();
  };
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };

  return {
    id,
    /** Appends files of a folder. A line for the folder precedes them unless the last call had the same `folder`. */
    add: (folder: Pick<FoundFolder, 'below' | 'identity'>, files: readonly ScannedFile[]): Range => {
      const from = length;
      const { below, identity } = folder;
      if (current !== folder) append([below, identity.id, identity.bornMs]);
      current = folder;
      for (const { path: at, sizeBytes, modifiedMs, identity: own, inCloud } of files)
        append([at.slice(at.lastIndexOf('/') + 1), sizeBytes, modifiedMs, own?.id, own?.changedMs, inCloud ? 1 : 0]);
      return [from, length];
    },
    /** Writes everything added so far. `isLasting`: whether it has to survive a power cut. */
    save: (isLasting: boolean): void => {
      if (length === 0) return;
      flush();
      if (!isLasting) return;
      translated(() => {
        if (file !== undefined) fsyncSync(file);
        flushNames(directory);
      });
    },
    close,
    discard: (): void => {
      close();
      dropReviewedList(directory, id);
    },
  };
};

/** Deletes the list if it exists. If that fails, as while a virus scanner has it open, the next start deletes it. */
export const dropReviewedList = (directory: string, id: string): void => {
  try {
    rmSync(fileOf(directory, id), { force: true });
  } catch {
    // `dropOldLists` tries again.
  }
};

/** Deletes lists that were last written before `beforeMs`, except those in `needed`. */
export const dropOldLists = (directory: string, needed: ReadonlySet<string>, beforeMs: number): void => {
  try {
    for (const name of readdirSync(directory)) {
      const id = /^([0-9a-f-]{36})\.jsonl$/.exec(name)?.[1];
      if (id === undefined || needed.has(id)) continue;
      if (statSync(join(directory, name)).mtimeMs < beforeMs) dropReviewedList(directory, id);
    }
  } catch {
    // There are no lists yet, or the next start tries again.
  }
};

/** Returns the files of a source from its reviewed list, or else of `scanInPatience`. `lists`: the folder of lists. */
export const filesOf = (
  { reviewed, ...source }: ReviewedSource,
  lists: string | undefined,
  signal: AbortSignal,
  listeners: ScanListeners = {},
): Scan => {
  if (!reviewed || lists === undefined) return scanInPatience(source, signal, listeners);
  return { files: readReviewed(lists, reviewed, source, signal, listeners), leftOut: () => NOTHING_LEFT_OUT };
};

const Folder = z.tuple([z.string(), z.string(), z.number()]);
const Time = z.number();
const File = z.tuple([z.string(), z.int().min(0), Time, z.string(), Time, z.union([z.literal(0), z.literal(1)])]);

/** Reads the files of a source from its list. Errors: `data/corrupt` (damaged or missing), `data/unwritable`. */
async function* readReviewed(
  lists: string,
  { list, below: start, ranges }: ReviewedPart,
  { root, only, except }: Source,
  signal: AbortSignal,
  { onFolder }: ScanListeners,
): AsyncGenerator<readonly ScannedFile[], void> {
  const path = fileOf(lists, list);
  const wanted = only && new Set(only);
  const unwanted = new Set(except);
  let group: ScannedFile[] = [];
  let prefix: string | undefined;
  const damaged = (cause?: unknown): DeskError =>
    new DeskError('data/corrupt', 'the list of reviewed files cannot be read', { details: { file: path }, cause });

  const take = (line: string): void => {
    const parsed: unknown = JSON.parse(line);
    if (Array.isArray(parsed) && parsed.length === 3) {
      const [below, id, bornMs] = Folder.parse(parsed);
      if (!below.startsWith(start)) throw damaged();
      prefix = below.slice(start.length);
      if (!splitInner(prefix)) onFolder?.({ path: join(root, prefix), below: prefix, identity: { id, bornMs } });
      return;
    }
    const [name, sizeBytes, modifiedMs, id, changedMs, inCloud] = File.parse(parsed);
    if (prefix === undefined || name.includes('/')) throw damaged();
    const at = prefix + name;
    if (wanted && !wanted.has(at) && !wanted.has(archiveOf(at))) return;
    if (unwanted.has(at)) return;
    const file = { path: at, sizeBytes, modifiedMs, identity: { id, changedMs } };
    group.push(inCloud === 1 ? { ...file, inCloud: true } : file);
  };

  let file: FileHandle | undefined;
  try {
    file = await open(path);
    for (const range of ranges) {
      for await (const line of linesIn(file, range)) {
        take(line);
        if (group.length < GROUP_FILES) continue;
        signal.throwIfAborted();
        yield group;
        group = [];
      }
    }
    if (group.length > 0) yield group;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof DeskError) throw error;
    const code = codeOf(error);
    if (code === undefined || code === 'ENOENT') throw damaged(error);
    throw new DeskError('data/unwritable', 'the list of reviewed files cannot be used', {
      details: { path },
      cause: error,
    });
  } finally {
    await file?.close();
  }
}

async function* linesIn(file: FileHandle, [from, to]: Range): AsyncGenerator<string, void> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let rest = Buffer.alloc(0);
  for (let position = from; position < to; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, to - position), position);
    if (bytesRead === 0) throw new Error('the list is shorter than it was');
    position += bytesRead;
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(end);
    for (const line of bytes.toString('utf8', 0, end).split('\n')) if (line !== '') yield line;
  }
}

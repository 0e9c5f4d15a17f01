/**
 * Scans a folder for regular files, without following links. Hidden files and those of the system are left out. A list
 * on the disk keeps the files that a scan found, so that an upload takes the files that the user reviewed.
 */

import { randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  type Dir,
  type Dirent,
  fsyncSync,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, lstat, open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Unopened } from '../../../contract/drafts.ts';
import { codeOf, DeskError, onDeskError } from '../../../contract/errors.ts';
import type { LeftOut } from '../../../contract/uploads.ts';
import { onAbort, orCancelled, withDeadline } from '../../async/cancel.ts';
import { flushNames, makeFolder, orUnwritable } from '../../data/files.ts';
import {
  type Expected,
  type FileFacts,
  type FolderIdentity,
  factsOf,
  folderIdentityOf,
  innerFacts,
  isCloudOnly,
  isSameFolder,
} from './file-identity.ts';
import {
  archiveOf,
  baseName,
  driveOf,
  insideOf,
  isArchiveName,
  isZip,
  type KnownFolder,
  localPath,
  realPath,
  realRootOf,
  splitInner,
} from './paths.ts';

export const NOTHING_LEFT_OUT: LeftOut = { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 };

export const sumOfLeftOut = (one: LeftOut, other: LeftOut): LeftOut => {
  const sum = { ...one };
  for (const kind of ['hidden', 'system', 'links', 'special', 'unreadable'] as const) sum[kind] += other[kind];
  return sum;
};

/**
 * A file as it was when scanned. `path`: below the root, with `/` between names; for a file in an archive, see
 * `insideOf`.
 */
export type ScannedFile = FileFacts & {
  readonly path: string;
  /** Why a file that seems to be an archive was not opened. */
  readonly unopened?: Unopened;
  /** Set for a zip that was opened as a folder, and is listed among the files in it. */
  readonly isOpened?: true;
  readonly inCloud?: true;
};

/** A range of bytes in a list: the first offset is included, the second is not. */
const Range = z.tuple([z.int().min(0), z.int().min(0)]).readonly();
export type Range = z.infer<typeof Range>;

/**
 * The reviewed files of a source: `ranges` of the list with the id `list`. `below`: the path of the source below the
 * scanned folder, ending in `/`; empty for that folder itself.
 */
export const ReviewedPart = z.object({ list: z.guid(), below: z.string(), ranges: z.array(Range).readonly() });
export type ReviewedPart = z.infer<typeof ReviewedPart>;

/**
 * A folder, or some of its files. `only`: the names of files directly in the folder, and the paths of files in archives
 * directly in it. `except`: the paths, below the folder, of files and whole folders that are left out. `reviewed`: the
 * files as a user reviewed them; if absent, a scan finds the files.
 */
export type Source = KnownFolder & {
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
  readonly reviewed?: ReviewedPart | undefined;
};

export type Scan = {
  readonly files: AsyncGenerator<readonly ScannedFile[], void>;
  /** How many files, and folders as a whole, were left out so far. */
  readonly leftOut: () => LeftOut;
};

/**
 * A folder of the source. `path`: absolute; for a folder in an archive, the path of the archive. `below`: the path
 * below the root, ending in `/`; empty for the root itself. `title`: the subject, sender and day of a mail opened as a
 * folder.
 */
export type FoundFolder = {
  readonly path: string;
  readonly below: string;
  readonly identity: FolderIdentity;
  readonly title?: string | undefined;
};

/**
 * The files in an archive, preceded by the archive itself; or the reason why the archive was not opened. `path`: the
 * path in the archive, with `/` between names.
 */
export type Listing =
  | {
      readonly title?: string | undefined;
      readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
      readonly leftOut: Pick<LeftOut, 'hidden' | 'system' | 'links'>;
    }
  | { readonly unopened: Unopened };

export type ScanListeners = {
  /** Receives the path of each unreadable entry. The path of a folder ends with `/`; that of the root is empty. */
  readonly onUnreadable?: (path: string) => void;
  /** Receives each folder before its files are yielded. */
  readonly onFolder?: (folder: FoundFolder) => void;
  /**
   * Returns the identity of the folder found earlier at `below`, if one was. A different folder is left out as
   * unreadable.
   */
  readonly folderAt?: (below: string) => FolderIdentity | undefined;
  /** Lists the files in an archive, which is then scanned like a folder. Absent: archives are scanned as files. */
  readonly listArchive?: (path: string, expected: Expected) => Promise<Listing>;
  /** How the system is called; by default asynchronously, so that a slow drive does not block the thread. */
  readonly call?: SystemCall;
  /** Receives the pending call if `scanInPatience` gives up. The promise resolves once the call has ended. */
  readonly onGivenUp?: (work: Promise<unknown>) => void;
};

type SystemCall = <T>(callNow: () => T, callLater: () => Promise<T>) => Promise<T>;

const callAsynchronously: SystemCall = (_, callLater) => callLater();

/** The time after which a series of synchronous calls, and the work between them, lets the event loop do other work. */
const TURN_MS = 8;

/**
 * After `SLOW_CALLS` synchronous calls in a row that each took longer than `SLOW_MS`, the next `LATER_CALLS` calls are
 * asynchronous. A single call may be slow only because it waited for a processor core.
 */
const SLOW_MS = 0.1;
const SLOW_CALLS = 3;
const LATER_CALLS = 100;

/**
 * Creates the calls for a scan in a separate worker. They are synchronous while the system responds from its cache: a
 * promise and a thread of the pool would take ten times as long as the response. A slow drive is called asynchronously,
 * several calls at a time. A drive that does not respond may block the worker.
 */
export const createQuickCalls = (): SystemCall => {
  let turnMs = performance.now();
  let [slow, later] = [0, 0];
  return async (callNow, callLater) => {
    if (later > 0) {
      later -= 1;
      return callLater();
    }
    if (performance.now() - turnMs > TURN_MS) {
      await setImmediate();
      turnMs = performance.now();
    }
    const beganMs = performance.now();
    try {
      return callNow();
    } finally {
      slow = performance.now() - beganMs > SLOW_MS ? slow + 1 : 0;
      if (slow === SLOW_CALLS) [slow, later] = [0, LATER_CALLS];
    }
  };
};

/**
 * Files and folders that Windows, macOS, Office and network storages create for their own use, among them the recycle
 * bins of drives.
 */
const SYSTEM_NAMES: ReadonlySet<string> = new Set([
  ...['thumbs.db', 'ehthumbs.db', 'ehthumbs_vista.db', 'desktop.ini', '$recycle.bin', 'system volume information'],
  ...['.ds_store', 'icon\r', '__macosx', 'network trash folder', '@eadir', '#recycle'],
]);

/**
 * Makes sure that `root` can be listed and still is the chosen folder. Resolves to its identity. Errors:
 * `upload/folder-missing`, `upload/folder-replaced`, `upload/not-a-folder`, `upload/folder-unreadable`.
 */
export const assertFolder = async ({ root, realRoot, identity }: KnownFolder): Promise<FolderIdentity> => {
  const details = { path: root };
  const found = await stat(root, { bigint: true }).catch(() => undefined);
  if (!found) throw new DeskError('upload/folder-missing', 'there is no such folder', { details });
  const unreadable = (cause: unknown): never => {
    throw new DeskError('upload/folder-unreadable', 'the folder cannot be read', { details, cause });
  };
  const isGone = (error: unknown): undefined => (codeOf(error) === 'ENOENT' ? undefined : unreadable(error));
  const isInPlace = realRoot === undefined || (await realPath(root).catch(isGone)) === realRoot;
  const present = folderIdentityOf(found);
  if (!isInPlace || (identity && found.isDirectory() && !isSameFolder(identity, present)))
    throw new DeskError('upload/folder-replaced', 'another folder, or a link, took its place', { details });
  if (!found.isDirectory()) throw new DeskError('upload/not-a-folder', 'not a folder', { details });
  try {
    const folder = await opendir(root);
    await folder.close();
  } catch (cause) {
    unreadable(cause);
  }
  return present;
};

/** How long the system may take to respond about a folder. A sleeping drive takes a few seconds to wake. */
export const PATIENCE_MS = 30_000;

const driveHangs = (root: string): DeskError =>
  new DeskError('upload/drive-unresponsive', 'the drive does not respond', { details: { path: root } });

/**
 * Settles like `work`, a call to the system about `root` or something in it. Rejects with `upload/drive-unresponsive`
 * if the call takes longer than `PATIENCE_MS`, or with the cancellation of `signal`. In both cases the call goes on,
 * and occupies a thread of Node's pool until the system gives up.
 */
export const inPatience = <T>(root: string, work: Promise<T>, signal?: AbortSignal): Promise<T> =>
  withDeadline(
    PATIENCE_MS,
    signal,
    (inTime) => orCancelled(work, inTime),
    () => driveHangs(root),
  );

export type Patience = ReturnType<typeof createPatience>;

/** Whether a call was given up because the drive did not respond. */
export const isUnresponsive = (error: unknown): error is DeskError =>
  error instanceof DeskError && error.code === 'upload/drive-unresponsive';

/**
 * Creates a function that calls `begin` with the limit of `inPatience`. Calls about one drive (`driveOf`) wait for the
 * first of them, and reject immediately while a call that was given up goes on. So a drive that does not respond
 * occupies only one thread of Node's pool. `giveUp` records a call that was made and given up elsewhere.
 */
export const createPatience = () => {
  const hanging = new Set<string>();
  /** For each drive, the call that later calls wait for. */
  const first = new Map<string, Promise<unknown>>();
  const giveUp = (root: string, work: Promise<unknown>): void => {
    const drive = driveOf(root);
    hanging.add(drive);
    const forget = (): void => void hanging.delete(drive);
    work.then(forget, forget);
  };
  const call = async <T>(root: string, begin: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const drive = driveOf(root);
    const before = first.get(drive);
    if (before) await orCancelled(before, signal);
    if (hanging.has(drive)) throw driveHangs(root);
    const work = begin();
    const limited = inPatience(root, work, signal).catch((error) => {
      if (isUnresponsive(error)) giveUp(root, work);
      throw error;
    });
    const forget = (): void => void first.delete(drive);
    if (!first.has(drive)) first.set(drive, limited.then(forget, forget));
    return limited;
  };
  return Object.assign(call, { giveUp });
};

/** The maximum number of entries of one folder that are sorted in memory at a time. */
const WINDOW_ENTRIES = 100_000;

const READ_ENTRIES = 256;

const STAT_FILES = 32;

/** Requests stats as big integers: file numbers of NTFS do not fit into a double. */
const EXACT = { bigint: true } as const;

type Disk = ReturnType<typeof createDisk>;
const createDisk = (call: SystemCall) => ({
  stat: (path: string) =>
    call(
      () => statSync(path, EXACT),
      () => stat(path, EXACT),
    ),
  lstat: (path: string) =>
    call(
      () => lstatSync(path, EXACT),
      () => lstat(path, EXACT),
    ),
  open: (path: string) =>
    call(
      () => opendirSync(path, { bufferSize: READ_ENTRIES }),
      () => opendir(path, { bufferSize: READ_ENTRIES }),
    ),
  read: (folder: Dir) =>
    call(
      () => folder.readSync(),
      () => folder.read(),
    ),
  close: (folder: Dir) =>
    call(
      () => folder.closeSync(),
      () => folder.close(),
    ),
});

/**
 * Walks the source while its files are requested: the files of a folder, then those of its archives, then those of its
 * subfolders, each sorted by name. The files of an archive come in the archive's order. A folder of more than 100,000
 * entries is walked 100,000 entries at a time. Unreadable entries are counted, not thrown.
 */
export const scanFolder = (
  { root, realRoot, only, except, identity }: Source,
  signal?: AbortSignal,
  { onUnreadable, onFolder, folderAt, listArchive, call = callAsynchronously }: ScanListeners = {},
): Scan => {
  const disk = createDisk(call);
  const wanted = only && new Set(only);
  const wantedOnDisk = only && new Set(only.map(archiveOf));
  const isWanted = (path: string): boolean => !wanted || wanted.has(path) || wanted.has(archiveOf(path));
  const unwanted = new Set(except);
  const leftOut = { ...NOTHING_LEFT_OUT };
  const unreadable = (path: string): void => {
    leftOut.unreadable += 1;
    onUnreadable?.(path);
  };

  async function* walkAll(): AsyncGenerator<readonly ScannedFile[], void> {
    yield* walk(root, '', (await realRootOf({ root, realRoot })) ?? root);
  }

  /**
   * Yields the files in `folder` and below it. `real`: the real path that the folder must have; `above`: the folder
   * around it.
   */
  async function* walk(
    folder: string,
    prefix: string,
    real: string,
    above?: PlacedFolder,
  ): AsyncGenerator<readonly ScannedFile[], void> {
    for await (const { entries, here } of windows(folder, prefix, real, above)) {
      const clear = await clarified(disk, folder, entries, signal);
      const isAsked = (entry: Entry): boolean =>
        wantedOnDisk === undefined || (wantedOnDisk.has(entry.name) && !entry.isDirectory());
      const asked = clear.filter((entry) => isAsked(entry) && !unwanted.has(prefix + entry.name));
      const taken = asked.filter((entry) => {
        const reason = reasonToLeaveOut(entry);
        if (reason) leftOut[reason] += 1;
        return !reason;
      });
      const files = taken.filter((entry) => entry.isFile());
      const archives: ScannedFile[] = [];
      for await (const group of found(folder, prefix, files)) {
        yield group.filter((file) => (isArchive(file) ? void archives.push(file) : isWanted(file.path)));
      }
      for (const archive of archives) yield* opened(archive, real);
      for (const { name } of taken.filter((entry) => entry.isDirectory())) {
        yield* walk(join(folder, name), `${prefix}${name}/`, join(real, name), here);
      }
    }
  }

  const isArchive = ({ path, sizeBytes, inCloud }: ScannedFile): boolean =>
    listArchive !== undefined && isArchiveName(path) && sizeBytes > 0 && !inCloud;

  /** Yields the wanted files in an archive, or the archive itself if it cannot be opened or contains no files. */
  async function* opened(archive: ScannedFile, within: string): AsyncGenerator<readonly ScannedFile[], void> {
    signal?.throwIfAborted();
    const path = localPath(root, archive.path);
    const listing = await listArchive?.(path, { ...archive, within }).catch(
      onDeskError(() => ({ unopened: 'damaged' as const })),
    );
    if (!listing || 'unopened' in listing) return yield [{ ...archive, ...listing }];
    if (isWanted(archive.path))
      for (const kind of ['hidden', 'system', 'links'] as const) leftOut[kind] += listing.leftOut[kind];
    const below = insideOf(archive.path, '');
    const { id, bornMs = 0 } = archive.identity ?? { id: '' };
    const files = listing.files
      .map(
        (file, index): ScannedFile => ({
          ...innerFacts(archive, file.sizeBytes),
          path: below + file.path,
          // A zip whose files are listed is not sent itself, unless it was chosen. A mail is sent, because it contains
          // more than its attachments.
          ...(index === 0 && isZip(archive.path) && !wanted?.has(below + file.path) && { isOpened: true }),
        }),
      )
      .filter(({ path }) => isWanted(path));
    if (listing.files.length === 1 && files.length === 1) return yield [archive];
    yield* inFolders(
      files.filter((file) => !unwanted.has(file.path)),
      below,
      (folder) =>
        onFolder?.({
          path,
          below: folder,
          identity: { id, bornMs },
          ...(folder === below && { title: listing.title }),
        }),
    );
  }

  async function* found(folder: string, prefix: string, files: readonly Entry[]) {
    for (let from = 0; from < files.length; from += STAT_FILES) {
      signal?.throwIfAborted();
      const group = files.slice(from, from + STAT_FILES).map(async ({ name }) => {
        const stats = await disk.lstat(join(folder, name)).catch(() => undefined);
        // An entry that was listed as a file may be something else by now.
        const reason = stats ? notAFile(stats) : 'unreadable';
        if (reason === 'unreadable') unreadable(prefix + name);
        else if (reason) leftOut[reason] += 1;
        return stats && !reason ? scanned(prefix + name, stats) : undefined;
      });
      yield (await Promise.all(group)).filter((file) => file !== undefined);
    }
  }

  /**
   * Returns the folder; undefined if a link or another folder took its place, because the user chose neither of these.
   */
  const findInPlace = async (folder: string, prefix: string, real: string, above: PlacedFolder | undefined) => {
    const here = await inPlace(disk, folder, real, above);
    const before = folderAt?.(prefix) ?? (above ? undefined : identity);
    if (here && !(before && !isSameFolder(before, here.identity))) {
      onFolder?.({ path: folder, below: prefix, identity: here.identity });
      return here;
    }
    if (here) unreadable(prefix);
    else leftOut.links += 1;
    return undefined;
  };

  async function* windows(folder: string, prefix: string, real: string, above: PlacedFolder | undefined) {
    let entries: Dirent[] = [];
    let here: PlacedFolder | undefined;
    const unclear = new Set<string>();
    /** Whether an undecodable name was listed before. Several such names may look the same; only the first is taken. */
    const isUnclearAgain = (name: string): boolean => {
      if (!name.includes('\ufffd')) return false;
      const isKnown = unclear.has(name);
      unclear.add(name);
      return isKnown;
    };
    /** Sorts the entries and removes duplicates: some network drives list an entry twice while the folder changes. */
    const sorted = () =>
      entries.sort((a, b) => (a.name < b.name ? -1 : 1)).filter(({ name }, at) => name !== entries[at - 1]?.name);
    try {
      const opened = await disk.open(folder);
      try {
        // Checked once the folder is open: if something else takes its place afterwards, the open folder is read.
        here = await findInPlace(folder, prefix, real, above);
        if (!here) return;
        for (let entry = await disk.read(opened); entry; entry = await disk.read(opened)) {
          signal?.throwIfAborted();
          if (isUnclearAgain(entry.name)) unreadable(prefix + entry.name);
          else if (entries.push(entry) === WINDOW_ENTRIES) {
            yield { entries: sorted(), here };
            entries = [];
          }
        }
      } finally {
        await disk.close(opened);
      }
    } catch (error) {
      signal?.throwIfAborted();
      // Only the listeners throw a `DeskError`, when a folder cannot be stored or looked up.
      if (error instanceof DeskError) throw error;
      unreadable(prefix);
    }
    yield { entries: sorted(), here };
  }

  return { files: walkAll(), leftOut: () => ({ ...leftOut }) };
};

/**
 * Scans like `scanFolder`, but gives up if the drive does not respond: `files` throws `upload/drive-unresponsive` if no
 * system call ends within `PATIENCE_MS` while the caller waits for files. `files` also throws the `cancellation` of
 * `signal`.
 */
export const scanInPatience = (source: Source, signal: AbortSignal, listeners: ScanListeners = {}): Scan => {
  const ending = new AbortController();
  let silence: NodeJS.Timeout | undefined;
  const scan = scanFolder(source, ending.signal, {
    ...listeners,
    call: (_, callLater) => callLater().finally(() => silence?.refresh()),
  });
  const next = async () => {
    silence = setTimeout(() => ending.abort(driveHangs(source.root)), PATIENCE_MS);
    try {
      return await orCancelled(scan.files.next(), ending.signal);
    } finally {
      clearTimeout(silence);
      silence = undefined;
    }
  };
  async function* files(): AsyncGenerator<readonly ScannedFile[], void> {
    const stop = onAbort(signal, () => ending.abort(signal.reason));
    try {
      for (let group = await next(); !group.done; group = await next()) yield group.value;
    } finally {
      stop();
      const ended = scan.files.return().catch(() => {});
      if (isUnresponsive(ending.signal.reason)) listeners.onGivenUp?.(ended);
    }
  }
  return { files: files(), leftOut: scan.leftOut };
};

/** Yields the files of an archive by folder, in the archive's order. `prefix`: the first folder, ending in `/`. */
function* inFolders(
  files: readonly ScannedFile[],
  prefix: string,
  onFolder: (prefix: string) => void,
): Generator<readonly ScannedFile[], void> {
  const { '': own = [], ...folders } = Object.groupBy(files, ({ path }) =>
    path.slice(prefix.length, path.indexOf('/', prefix.length) + 1),
  );
  onFolder(prefix);
  yield own;
  for (const [folder, some = []] of Object.entries(folders)) yield* inFolders(some, prefix + folder, onFolder);
}

/**
 * A folder that `inPlace` has checked. `look`: the call that reads the folder's stats. The call follows a link only for
 * the root.
 */
type PlacedFolder = { readonly path: string; readonly identity: FolderIdentity; readonly look: Disk['lstat'] };

/**
 * Returns the folder at `path` if its real path is `real`. Resolving each path would take most of the time of a deep
 * tree. So it is usually enough that the folder is not a link, and that the folder `above` it is still the same. The
 * path is resolved for the root, and on drives that renumber their folders or do not number them.
 */
const inPlace = async (
  disk: Disk,
  path: string,
  real: string,
  above: PlacedFolder | undefined,
): Promise<PlacedFolder | undefined> => {
  // The root itself can be a link: the folder to which it leads was chosen.
  const look = above ? disk.lstat : disk.stat;
  const [own, parent] = await Promise.all([look(path), above?.look(above.path).catch(() => undefined)]);
  const isSame = parent && parent.ino !== 0n && folderIdentityOf(parent).id === above?.identity.id;
  if (!(isSame && own.isDirectory()) && (await realPath(path)) !== real) return undefined;
  return { path, identity: folderIdentityOf(own), look };
};

type Entry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/**
 * Returns the entries, with stats in place of each entry that is listed as a link. Windows lists everything with a
 * reparse point as a link, such as the files and folders of OneDrive and of deduplicated drives; only lstat shows which
 * of them are links.
 */
const clarified = async (
  disk: Disk,
  folder: string,
  entries: readonly Entry[],
  signal: AbortSignal | undefined,
): Promise<readonly Entry[]> => {
  if (!entries.some((entry) => entry.isSymbolicLink())) return entries;
  const clear: Entry[] = [];
  for (let from = 0; from < entries.length; from += STAT_FILES) {
    signal?.throwIfAborted();
    const group = entries.slice(from, from + STAT_FILES).map(async (entry) => {
      if (!entry.isSymbolicLink()) return entry;
      const stats = await disk.lstat(join(folder, entry.name)).catch(() => undefined);
      return stats ? Object.assign(stats, { name: entry.name }) : entry;
    });
    clear.push(...(await Promise.all(group)));
  }
  return clear;
};

const reasonToLeaveOut = (entry: Entry): keyof LeftOut | undefined =>
  leftOutByName(entry.name) ?? (entry.isDirectory() ? undefined : notAFile(entry));

/** Why files and folders of this name are left out; undefined for all other names. */
export const leftOutByName = (name: string): 'system' | 'hidden' | undefined => {
  if (SYSTEM_NAMES.has(name.toLowerCase()) || name.startsWith('~$')) return 'system';
  return name.startsWith('.') ? 'hidden' : undefined;
};

/** Why something cannot be uploaded as a file; undefined for a file. `special`: a pipe, a socket or a device. */
const notAFile = (found: Pick<Dirent, 'isFile' | 'isSymbolicLink'>): 'links' | 'special' | undefined => {
  if (found.isSymbolicLink()) return 'links';
  return found.isFile() ? undefined : 'special';
};

const scanned = (path: string, stats: BigIntStats): ScannedFile => ({
  path,
  ...factsOf(stats),
  ...(isCloudOnly(stats) && { inCloud: true }),
});

// The list of all folders and files that a user reviewed before an upload, in a file of the data directory. The upload
// takes its files from the list, which takes about 70 MB for a million files and is never in memory as a whole. The
// list consists of lines of JSON in the order of the scan: a folder as `[below, id, bornMs]`, followed by the files
// directly in it as `[name, sizeBytes, modifiedMs, id, changedMs, inCloud]`. So everything below a folder is one range
// of bytes.

export type ReviewedList = ReturnType<typeof createReviewedList>;

const WRITE_CHARACTERS = 64 * 1024;
const READ_BYTES = 256 * 1024;
const GROUP_FILES = 256;
const MODE = 0o600;

const fileOf = (directory: string, id: string): string => join(directory, `${id}.jsonl`);

/**
 * Creates a list, and its file at the first write. If the file cannot be written, for example because the disk is full,
 * `add` keeps the list's lines in memory, so that a scan goes on, and `save` throws `data/unwritable` until all lines
 * are written.
 */
export const createReviewedList = (directory: string, id: string = randomUUID()) => {
  const path = fileOf(directory, id);
  let file: number | undefined;
  let waiting = '';
  let length = 0;
  /**
   * The number of bytes flushed so far. The next write overwrites anything that a failed write left after these bytes.
   */
  let flushed = 0;
  let current: object | undefined;
  let nextFlush = WRITE_CHARACTERS;

  const translated = (work: () => void): void =>
    orUnwritable('the list of reviewed files cannot be written', { path }, work);
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
    /**
     * Appends files of a folder, after a line for the folder unless the last call had the same `folder`. Returns the
     * range of these lines.
     */
    add: (folder: Pick<FoundFolder, 'below' | 'identity'>, files: readonly ScannedFile[]): Range => {
      const from = length;
      const { below, identity } = folder;
      if (current !== folder) append([below, identity.id, identity.bornMs]);
      current = folder;
      for (const { path: at, sizeBytes, modifiedMs, identity: own, inCloud } of files)
        append([baseName(at), sizeBytes, modifiedMs, own?.id, own?.changedMs, inCloud ? 1 : 0]);
      return [from, length];
    },
    /** Writes everything added so far. `isLasting`: whether the list has to survive a power cut. */
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

/**
 * Deletes the list if it exists. If that fails, for example while a virus scanner has the list open, the next start
 * deletes it.
 */
export const dropReviewedList = (directory: string, id: string): void => {
  try {
    rmSync(fileOf(directory, id), { force: true });
  } catch {
    // `dropOldLists` tries again.
  }
};

/** Deletes all lists except those in `needed`. */
export const dropOldLists = (directory: string, needed: ReadonlySet<string>): void => {
  try {
    for (const name of readdirSync(directory)) {
      const id = /^([0-9a-f-]{36})\.jsonl$/.exec(name)?.[1];
      if (id !== undefined && !needed.has(id)) dropReviewedList(directory, id);
    }
  } catch {
    // There are no lists yet, or the next start tries again.
  }
};

/**
 * Returns the files of a source: those of its reviewed list if there is one and `lists`, the folder of lists, is given;
 * otherwise those that `scanInPatience` finds.
 */
export const filesOf = (
  { reviewed, ...source }: Source,
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

  try {
    await using file = await open(path);
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

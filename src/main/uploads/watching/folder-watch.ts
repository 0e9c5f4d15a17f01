/**
 * Watches one folder for complete files. Scans find all files; hints of the system only make some files known earlier.
 */

import { type FSWatcher, watch } from 'node:fs';
import { lstat, open, realpath, statfs } from 'node:fs/promises';
import { dirname, join, relative, sep, toNamespacedPath } from 'node:path';
import { codeOf, DeskError, type ErrorCode } from '../../../contract/errors.ts';
import { orCancelled } from '../../async/cancel.ts';
import { sleep } from '../../async/clock.ts';
import { reporting } from '../../async/throttle.ts';
import { type FileFacts, factsOf } from '../source/file-identity.ts';
import { unreadable } from '../source/open-file.ts';
import { baseName, type KnownFolder, readFlags, realPath, realRootOf } from '../source/paths.ts';
import {
  assertFolder,
  createPatience,
  type FoundFolder,
  leftOutByName,
  type ScannedFile,
  scanInPatience,
} from '../source/scan.ts';
import { createPendingFiles } from './pending-files.ts';

export type FolderReader = ReturnType<typeof createFolderReader>;

export type WatchTimes = {
  readonly settleMs: number;
  /**
   * The time from a scan to the next regular scan. Without hints, `blindScanMs` applies instead. After slow scans, both
   * are longer.
   */
  readonly scanMs: number;
  readonly blindScanMs: number;
  /** How long after a failure the folder is tried again, for example after it was missing. */
  readonly missingMs: number;
};

/** The state of a watch. `scanning`: the first scan has not ended; `missing`, `unreadable`: the last try failed. */
type FolderWatchState = 'scanning' | 'watching' | 'missing' | 'unreadable';

export type FolderWatch = ReturnType<typeof watchFolder>;

type FolderWatchOptions = {
  readonly root: string;
  /** Where `root` led when the folder was added: a path without links. If `root` leads elsewhere, nothing is read. */
  readonly realRoot: string | undefined;
  readonly reader: FolderReader;
  readonly times: WatchTimes;
  /** Whether this version of the file was sent, or is not to be sent. */
  readonly isTaken: (file: ScannedFile) => boolean;
  /** Called when the state, the problem or the files of the watch may have changed. `onBug` receives what it throws. */
  readonly onChange: () => void;
  /** Receives errors that are not `DeskError`s. After an error of a scan, the folder is tried again. */
  readonly onBug: (error: unknown) => void;
};

const GONE: ReadonlySet<ErrorCode> = new Set(['upload/folder-missing', 'upload/folder-replaced']);

/** The maximum share of the time that regular scans take. */
const SCAN_SHARE = 0.1;
/** If this many hints are pending, the whole folder is scanned instead of the paths of the hints. */
const MANY_HINTS = 1_000;
/** How long further hints are collected after the first one. */
const HINT_MS = 100;
/** How long `close` waits for calls that are in flight, which may hang if the drive does not respond. */
const CLOSE_MS = 1_000;

/** Starts to watch the folder, which need not exist. */
export const watchFolder = (options: FolderWatchOptions) => {
  const { root, realRoot, reader, times, isTaken, onBug } = options;
  const onChange = reporting(options.onChange, onBug);
  const nowMs = (): number => performance.now();
  const watched = { root, realRoot };
  const closing = new AbortController();
  const { signal } = closing;
  const patience = createPatience();
  const inTime = <T>(begin: () => Promise<T>): Promise<T> => patience(root, begin, signal);
  const look = (path: string) => inTime(() => reader.look(watched, path));
  const { settle, nextAtMs, ...pending } = createPendingFiles({
    settleMs: times.settleMs,
    nowMs,
    look,
    canOpen: (path) => inTime(() => reader.canOpen(join(root, path))),
  });
  const hints = new Set<string>();
  let state: FolderWatchState = 'scanning';
  let problem: DeskError | undefined;
  let tree: ReturnType<typeof watchTree> | undefined;
  let isBlind = false;
  let scanAtMs = nowMs();
  let woken = new AbortController();

  const scanSoon = (): void => {
    scanAtMs = nowMs();
    woken.abort();
  };

  const startTree = async (): Promise<void> => {
    problem = undefined;
    isBlind = await inTime(() => mayChangeUnseen(root));
    if (isBlind || signal.aborted) return;
    tree = watchTree({
      root,
      onHint: (path) => {
        if (path === undefined || hints.size >= MANY_HINTS) return scanSoon();
        hints.add(path);
        woken.abort();
      },
      onError: (error) => {
        tree = undefined;
        isBlind = true;
        if (isLimit(error))
          problem = new DeskError('watch/limit', 'the system cannot watch more folders', { cause: error });
        // The folder itself may be gone; the next check of the folder notices that.
        scanSoon();
      },
    });
  };
  const stopTree = (): void => {
    tree?.close();
    tree = undefined;
    hints.clear();
  };

  const see = (file: ScannedFile): void => {
    if (isUnfinishedName(file.path)) return;
    if (isTaken(file)) pending.forget(file.path);
    else pending.see(file);
  };
  /** Scans a folder, given by its path below the root. `onFound` receives each file's path below the root. */
  const scanBelow = async (folder: string, onFound: (path: string) => void = () => {}): Promise<void> => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const source = { root: join(root, folder), realRoot: realRoot && join(realRoot, folder) };
    const onGivenUp = (work: Promise<unknown>): void => patience.giveUp(root, work);
    const onFolder = (found: FoundFolder): void => tree?.addFolder(found.path);
    for await (const files of reader.scan(source, signal, { onFolder, onGivenUp })) {
      for (const file of files) {
        const path = prefix + file.path;
        see({ ...file, path });
        onFound(path);
      }
    }
  };
  const scan = async (): Promise<void> => {
    hints.clear();
    const beganMs = nowMs();
    // Reset before the scan, because a hint during the scan may request another one (`scanSoon`).
    scanAtMs = Number.POSITIVE_INFINITY;
    const missing = new Set(pending.complete().map(({ path }) => path));
    await scanBelow('', (path) => missing.delete(path));
    tree?.dropOthers();
    for (const path of missing) if ((await look(path)) === undefined) pending.forget(path);
    // A share may have been mounted on the folder since the watch began.
    const longestMs = isBlind || (await inTime(() => mayChangeUnseen(root))) ? times.blindScanMs : times.scanMs;
    scanAtMs = Math.min(scanAtMs, nowMs() + Math.max(longestMs, (nowMs() - beganMs) / SCAN_SHARE));
  };

  const follow = async (hint: string): Promise<void> => {
    const path = relative(root, hint).split(sep).join('/');
    if (path === '' || path.split('/').some(leftOutByName)) return;
    const found = await look(path);
    if (found === 'folder') await scanBelow(path);
    else if (found) see({ path, ...found });
    else pending.forget(path);
  };

  const lookAround = async (): Promise<void> => {
    await inTime(() => reader.assertFolder(watched));
    if (!tree && !isBlind) await startTree();
    if (scanAtMs <= nowMs()) await scan();
    else {
      const followed = [...hints];
      hints.clear();
      for (const hint of followed) await follow(hint);
    }
    await settle(signal);
    state = 'watching';
  };

  const lose = (error: unknown): void => {
    if (signal.aborted) return;
    stopTree();
    isBlind = false;
    scanAtMs = nowMs() + times.missingMs;
    const isKnown = error instanceof DeskError;
    if (!isKnown) onBug(error);
    problem = isKnown
      ? error
      : new DeskError('upload/folder-unreadable', 'the folder cannot be read', { cause: error });
    state = GONE.has(problem.code) ? 'missing' : 'unreadable';
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      // An abort from here on ends or skips the sleep below.
      woken = new AbortController();
      await lookAround().catch(lose);
      if (signal.aborted) return;
      onChange();
      const settlesAtMs = state === 'watching' ? nextAtMs() : undefined;
      const waitMs = Math.min(scanAtMs, settlesAtMs ?? scanAtMs) - nowMs();
      await sleep(Math.max(0, waitMs), AbortSignal.any([signal, woken.signal])).catch(() => {});
      // Further hints usually follow immediately.
      if (woken.signal.aborted) await sleep(HINT_MS, signal).catch(() => {});
    }
  };
  const ended = run().catch((error) => {
    if (!signal.aborted) onBug(error);
  });

  return {
    ...pending,
    /** Aborted when the folder is no longer watched. */
    signal,
    /** Looks at a file, given by its path below the root. Errors: those of `inPatience`. */
    look,
    /** Makes sure that a folder below the root can be read. Errors: those of `assertFolder` and `inPatience`. */
    assertFolder: (folder: KnownFolder) => inTime(() => reader.assertFolder(folder)),
    state: () => state,
    /** Why the folder is missing or unreadable; `watch/limit` if the system's limit ended the hints. */
    problem: () => problem,
    scanSoon,
    close: async (): Promise<void> => {
      closing.abort(new DeskError('app/cancelled', 'the folder is no longer watched'));
      stopTree();
      await orCancelled(ended, AbortSignal.timeout(CLOSE_MS)).catch(() => {});
    },
  };
};

// Hints that something changed below a folder. Hints may be late, repeated or missing, so they do not replace scans.
// See docs/adr/0018-watched-folders.md.

type TreeWatchOptions = {
  readonly root: string;
  /** Receives the absolute path of a change; undefined: the system does not say where in the folder it is. */
  readonly onHint: (path: string | undefined) => void;
  /** Called with the system's error when no more hints will come; see `isLimit`. */
  readonly onError: (error: unknown) => void;
  readonly platform?: NodeJS.Platform;
  readonly watchFolder?: typeof watch;
};

/** Starts to watch a tree: with a single watch on Windows and macOS, and with one for each added folder on Linux. */
export const watchTree = (options: TreeWatchOptions) => {
  const { root, onHint, onError, platform = process.platform, watchFolder = watch } = options;
  const isRecursive = platform === 'win32' || platform === 'darwin';
  const watches = new Map<string, FSWatcher>();
  /** The folders added since the last scan. */
  let added = new Set<string>();
  let closed = false;

  const close = (): void => {
    closed = true;
    for (const one of watches.values()) one.close();
    watches.clear();
  };
  const fail = (error: unknown): void => {
    if (closed) return;
    close();
    onError(error);
  };
  const add = (folder: string): void => {
    if (closed) return;
    try {
      const one = watchFolder(folder, { persistent: false, recursive: isRecursive }, (_, name) =>
        onHint(name === null ? undefined : join(folder, name)),
      );
      one.on('error', (error) => {
        // On some systems, deleting a folder ends its watch. The parent's watch or a later scan notices the deletion.
        if (isRecursive || isLimit(error)) fail(error);
        else one.close();
      });
      watches.get(folder)?.close();
      watches.set(folder, one);
      added.add(folder);
    } catch (error) {
      if (isRecursive || isLimit(error)) fail(error);
    }
  };

  if (isRecursive) add(root);
  return {
    /** To be called with each folder of the tree, including the root, before it is read. */
    addFolder: isRecursive ? () => {} : add,
    /**
     * To be called after a scan that added all folders. Ends the watches of folders that were deleted or moved away.
     */
    dropOthers: (): void => {
      if (isRecursive) return;
      for (const [folder, one] of watches) {
        if (added.has(folder)) continue;
        one.close();
        watches.delete(folder);
      }
      added = new Set();
    },
    close,
  };
};

/** Whether the error says that the system has no more watches or file handles available. */
const isLimit = (error: unknown): boolean => ['ENOSPC', 'EMFILE', 'ENFILE'].includes(codeOf(error) ?? '');

/** Linux's type numbers of network file systems: NFS, SMB, CIFS, SMB 2, 9P and FUSE, the base of many others. */
const NETWORK_TYPES: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546]);

/**
 * Whether the path (a share, `/Volumes`) or the file system indicates that other computers can change the folder. On
 * Windows, the native `realpath` also names the share behind the letter of a drive.
 */
export const mayChangeUnseen = async (
  root: string,
  platform: NodeJS.Platform = process.platform,
  real: (path: string) => Promise<string> = realpath,
): Promise<boolean> => {
  if (platform === 'win32') return /^[\\/]{2}(?![?.][\\/](?!UNC))/i.test(await real(root).catch(() => root));
  if (platform === 'darwin') return root.startsWith('/Volumes/');
  const { type } = await statfs(root).catch(() => ({ type: 0 }));
  return NETWORK_TYPES.has(type);
};

// Temporary names that programs give to files while writing them, and the names of their lock files.

const UNFINISHED = [
  /^~\$/, // Office, while a document is open
  /^\.~lock\..*#$/, // LibreOffice
  /\.(tmp|temp|part|partial|crdownload|download|opdownload|filepart|!ut|aria2)$/i,
];

const isUnfinishedName = (path: string): boolean => {
  const name = baseName(path);
  return UNFINISHED.some((pattern) => pattern.test(name));
};

// Folders are read by the scan of uploads, so that watching and uploading leave out the same files.

/** Creates a reader of folders. `openFile`: finds out whether another program has locked a file. */
export const createFolderReader = (openFile: typeof open = open) => ({
  assertFolder: async (folder: KnownFolder): Promise<void> => void (await assertFolder(folder)),
  /** Yields the files that can be uploaded. */
  scan: (source: KnownFolder, signal: AbortSignal, listeners?: Parameters<typeof scanInPatience>[2]) =>
    scanInPatience(source, signal, listeners).files,
  /** Resolves to a regular file's facts or `folder`; undefined if there is neither, or `path` leads through a link. */
  look: async (folder: KnownFolder, path: string): Promise<FileFacts | 'folder' | undefined> => {
    const place = join(folder.root, path);
    const within = await realRootOf(folder);
    const real = await realPath(dirname(place)).catch(() => undefined);
    // The folder is gone, or a link has replaced a folder of the path: the target of a link is not watched.
    if (within === undefined || real !== dirname(join(within, path))) return undefined;
    const stats = await lstat(toNamespacedPath(place), { bigint: true }).catch(() => undefined);
    if (stats?.isDirectory()) return 'folder';
    return stats?.isFile() ? factsOf(stats) : undefined;
  },
  /** Resolves to false while another program has locked the file at this absolute path. */
  canOpen: async (path: string): Promise<boolean> => {
    try {
      await (await openFile(toNamespacedPath(path), readFlags())).close();
      return true;
    } catch (error) {
      // A file that cannot be read for another reason fails when it is uploaded, and the upload shows the error.
      return unreadable(error).code !== 'upload/file-locked';
    }
  },
});

/**
 * One watched folder: which files below it are complete and not sent yet. Scans of the folder decide; hints of the
 * system only make the app look earlier, so a missed hint delays a file but does not lose it.
 */

import { type FSWatcher, watch } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { codeOf, DeskError, type ErrorCode } from '../../contract/errors.ts';
import { orCancelled } from '../async/cancel.ts';
import { sleep } from '../async/clock.ts';
import { createPendingFiles, type Facts, type FoundFile } from './pending-files.ts';

/** `realRoot`: its path without links. Other folders in its place are not read. */
type WatchedRoot = { readonly root: string; readonly realRoot?: string | undefined };

/** How folders are read; paths are absolute unless they are said to be below a folder. */
export type FolderReader = {
  /**
   * Errors: `upload/folder-missing`, `upload/folder-replaced` (by a link), `upload/not-a-folder`,
   * `upload/folder-unreadable`.
   */
  readonly assertFolder: (folder: WatchedRoot) => Promise<unknown>;
  /** Every file below the folder `path`, with its path below that; `onFolder` gets each folder before it is read. */
  readonly scan: (
    folder: WatchedRoot,
    signal: AbortSignal,
    onFolder: (path: string) => void,
  ) => AsyncIterable<readonly FoundFile[]>;
  /**
   * What is at this path below the folder, with `/`: a regular file by its facts, a folder, or nothing that can be
   * uploaded. No link is followed on the way.
   */
  readonly look: (folder: WatchedRoot, path: string) => Promise<Facts | 'folder' | undefined>;
  readonly canOpen: (path: string) => Promise<boolean>;
  /** Whether files and folders of this name are never uploaded. */
  readonly isLeftOut: (name: string) => boolean;
};

/** The times of a watch, in milliseconds. */
export type WatchTimes = {
  /** How long a file has to stay unchanged before it is complete. */
  readonly settleMs: number;
  /**
   * The time between two scans of a folder for which the system gives hints (`scanMs`), and of one for which it does not
   * (`blindScanMs`). It is longer where a scan takes more than a tenth of it.
   */
  readonly scanMs: number;
  readonly blindScanMs: number;
  /** How often a missing folder is looked for. */
  readonly missingMs: number;
};

/**
 * `scanning`: the first scan since the start of the watch is not finished; `missing`, `unreadable`: the folder is looked
 * for until it is back.
 */
type FolderWatchState = 'scanning' | 'watching' | 'missing' | 'unreadable';

export type FolderWatch = ReturnType<typeof watchFolder>;

type FolderWatchOptions = {
  readonly root: string;
  readonly realRoot: string | undefined;
  readonly reader: FolderReader;
  readonly times: WatchTimes;
  /** Whether this version of the file was sent, or is not to be. */
  readonly isTaken: (file: FoundFile) => boolean;
  /** Called when its state, its problem or its files may have changed. */
  readonly onChange: () => void;
  /** Receives unexpected errors; the folder is looked at again. */
  readonly onBug: (error: unknown) => void;
};

const GONE: ReadonlySet<ErrorCode> = new Set(['upload/folder-missing', 'upload/folder-replaced']);

/** A folder on a drive that does not respond for this long counts as unreadable. */
const PATIENCE_MS = 30_000;
/** The maximum share of the time that scans take. */
const SCAN_SHARE = 0.1;
/** With more hints than this, a scan is quicker. */
const MANY_HINTS = 1_000;
/** How long hints are collected. */
const HINT_MS = 100;
/** How long a closing watch waits for a drive. */
const CLOSE_MS = 1_000;

/** Begins to watch the folder, which need not exist. */
export const watchFolder = (options: FolderWatchOptions) => {
  const { root, realRoot, reader, times, isTaken, onChange, onBug } = options;
  const nowMs = (): number => performance.now();
  const watched: WatchedRoot = { root, realRoot };
  const absolute = (path: string): string => join(root, path);
  const pending = createPendingFiles({
    settleMs: times.settleMs,
    nowMs,
    factsOf: async (path) => {
      const found = await reader.look(watched, path);
      return found === 'folder' ? undefined : found;
    },
    canOpen: (path) => reader.canOpen(absolute(path)),
  });
  const closing = new AbortController();
  const { signal } = closing;
  const hints = new Set<string>();
  let state: FolderWatchState = 'scanning';
  let problem: DeskError | undefined;
  let tree: ReturnType<typeof watchTree> | undefined;
  let isBlind = false;
  let scanAtMs = nowMs();
  let woken = new AbortController();
  const assertThere = createFolderCheck(reader, watched, signal);

  const wake = (): void => woken.abort();
  const scanSoon = (): void => {
    scanAtMs = nowMs();
    wake();
  };

  const startTree = async (): Promise<void> => {
    problem = undefined;
    isBlind = await mayChangeUnseen(root);
    if (isBlind || signal.aborted) return;
    tree = watchTree({
      root,
      onHint: (path) => {
        if (path === undefined || hints.size >= MANY_HINTS) return scanSoon();
        hints.add(path);
        wake();
      },
      onError: (error) => {
        tree = undefined;
        isBlind = true;
        if (isLimit(error))
          problem = new DeskError('watch/limit', 'the system cannot watch more folders', { cause: error });
        // With any other error, the folder itself may be gone.
        scanSoon();
      },
    });
  };
  const stopTree = (): void => {
    tree?.close();
    tree = undefined;
    hints.clear();
  };

  const see = (file: FoundFile): void => {
    if (isUnfinishedName(file.path)) return;
    if (isTaken(file)) pending.forget(file.path);
    else pending.see(file);
  };
  /** `onFound` receives the path of each file. */
  const scanBelow = async (folder: string, onFound: (path: string) => void = () => {}): Promise<void> => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const source = { root: absolute(folder), realRoot: realRoot && join(realRoot, folder) };
    for await (const files of reader.scan(source, signal, (path) => tree?.addFolder(path))) {
      for (const { path, facts } of files) {
        see({ path: prefix + path, facts });
        onFound(prefix + path);
      }
    }
  };
  const scan = async (): Promise<void> => {
    hints.clear();
    const beganMs = nowMs();
    // Changes during the scan may call for another one.
    scanAtMs = Number.POSITIVE_INFINITY;
    const missing = new Set(pending.complete().map(({ path }) => path));
    await scanBelow('', (path) => missing.delete(path));
    for (const path of missing) {
      if ((await reader.look(watched, path)) === undefined) pending.forget(path);
    }
    const longestMs = isBlind ? times.blindScanMs : times.scanMs;
    scanAtMs = Math.min(scanAtMs, nowMs() + Math.max(longestMs, (nowMs() - beganMs) / SCAN_SHARE));
  };

  const follow = async (hint: string): Promise<void> => {
    const path = relative(root, hint).split(sep).join('/');
    if (path === '' || path.split('/').some(reader.isLeftOut)) return;
    const found = await reader.look(watched, path);
    if (found === 'folder') await scanBelow(path);
    else if (found) see({ path, facts: found });
    else pending.forget(path);
  };

  const lookAround = async (): Promise<void> => {
    await assertThere();
    if (!tree && !isBlind) await startTree();
    if (scanAtMs <= nowMs()) await scan();
    else {
      const followed = [...hints];
      hints.clear();
      for (const hint of followed) await follow(hint);
    }
    await pending.settle(signal);
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
      // A wake-up from here on is followed by another look around.
      woken = new AbortController();
      await lookAround().catch(lose);
      if (signal.aborted) return;
      onChange();
      const settlesAtMs = state === 'watching' ? pending.nextAtMs() : undefined;
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
    state: () => state,
    /** Why the folder is missing or unreadable, or, while it is watched, why the system does not report its changes. */
    problem: () => problem,
    scanSoon,
    close: async (): Promise<void> => {
      closing.abort(new DeskError('app/cancelled', 'the folder is no longer watched'));
      stopTree();
      await orCancelled(ended, AbortSignal.timeout(CLOSE_MS)).catch(() => {});
    },
  };
};

/**
 * Checks that the folder is there; a folder on a drive that does not respond is unreadable. No further check starts
 * before the previous one has ended, because each occupies a thread of Node's pool.
 */
const createFolderCheck = ({ assertFolder }: FolderReader, folder: WatchedRoot, signal: AbortSignal) => {
  let checking: Promise<unknown> | undefined;
  return async (): Promise<void> => {
    checking ??= assertFolder(folder).finally(() => {
      checking = undefined;
    });
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    await orCancelled(checking, patience).catch((cause) => {
      if (!patience.aborted) throw cause;
      const details = { path: folder.root };
      throw new DeskError('upload/folder-unreadable', 'the drive does not respond', { details, cause });
    });
  };
};

// Hints that something changed below a folder. They may be late, repeated or missing, so they only make a scan happen
// earlier. See docs/adr on watched folders.

type TreeWatchOptions = {
  readonly root: string;
  /** Something changed at that path; undefined: somewhere below the root. */
  readonly onHint: (path: string | undefined) => void;
  /** No more hints will come. The error is the system's; ENOSPC, EMFILE and ENFILE: the system cannot watch more folders. */
  readonly onError: (error: unknown) => void;
  readonly platform?: NodeJS.Platform;
  readonly watchFolder?: typeof watch;
};

/**
 * Windows and macOS watch a tree with one handle. Linux watches single folders: those that `addFolder` names. Each call
 * replaces an earlier watch, because there may be a new folder at the same path.
 */
export const watchTree = (options: TreeWatchOptions) => {
  const { root, onHint, onError, platform = process.platform, watchFolder = watch } = options;
  const isRecursive = platform === 'win32' || platform === 'darwin';
  const watches = new Map<string, FSWatcher>();
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
        // On some systems, the deletion of a folder ends its watch. The watch of its parent reports the deletion.
        if (isRecursive || isLimit(error)) fail(error);
        else one.close();
      });
      watches.get(folder)?.close();
      watches.set(folder, one);
    } catch (error) {
      if (isRecursive || isLimit(error)) fail(error);
    }
  };

  if (isRecursive) add(root);
  return {
    /** To be called with each folder below the root before it is read. */
    addFolder: isRecursive ? () => {} : add,
    close,
  };
};

/** Whether the system has no more watches or handles to give. */
const isLimit = (error: unknown): boolean => ['ENOSPC', 'EMFILE', 'ENFILE'].includes(codeOf(error) ?? '');

/** The types of network file systems on Linux: NFS, SMB, CIFS, SMB 2, 9P; and FUSE, which many of them use. */
const NETWORK_TYPES: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546]);

/**
 * Whether other computers may change the folder without a hint: on a network, and on macOS on any volume that was
 * mounted. Windows passes hints of a mapped drive on, but not reliably those of a path on a server.
 */
export const mayChangeUnseen = async (root: string, platform: NodeJS.Platform = process.platform): Promise<boolean> => {
  if (platform === 'win32') return /^[\\/]{2}(?![?.][\\/](?!UNC))/i.test(root);
  if (platform === 'darwin') return root.startsWith('/Volumes/');
  const { type } = await statfs(root).catch(() => ({ type: 0 }));
  return NETWORK_TYPES.has(type);
};

// Temporary names that programs give to files while writing them, and the names of their lock files.

const UNFINISHED = [
  /^~\$/, // Office, while a document is open
  /^\.~lock\..*#$/, // LibreOffice
  /^~.*\.tmp$/i,
  /\.(tmp|temp|part|partial|crdownload|download|opdownload|filepart|!ut|aria2)$/i,
];

/** Whether the last part of `path` (with `/`) is the name of a file that is not complete yet, or not a document. */
export const isUnfinishedName = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return UNFINISHED.some((pattern) => pattern.test(name));
};

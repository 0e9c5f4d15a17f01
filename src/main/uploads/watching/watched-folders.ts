/** The watched folders of a connection: watches them, and uploads files that are complete. */

import { isOwnedBy, type Owner } from '../../../contract/connection.ts';
import { DeskError, type ErrorCode, onDeskError, toErrorData } from '../../../contract/errors.ts';
import { allOpenAtMs, type Hours, isOpen } from '../../../contract/hours.ts';
import {
  type Batch,
  type FileState,
  hasEnded,
  isActive,
  isHeldBack,
  isStoppedByFiles,
} from '../../../contract/uploads.ts';
import type { WatchedFolder, WatchedRules } from '../../../contract/watched-folders.ts';
import { steadyNow } from '../../async/clock.ts';
import { createSerial } from '../../async/lock.ts';
import { type RetryPolicy, retryWaitMs } from '../../async/retry.ts';
import { createThrottle } from '../../async/throttle.ts';
import { folderName, isBelow, realRootOf } from '../source/paths.ts';
import { inPatience, isUnresponsive, type Source } from '../source/scan.ts';
import { type FolderReader, type WatchTimes, watchFolder } from './folder-watch.ts';
import {
  forgetMatches,
  leftOutOf,
  type MatchFolders,
  type OpenFolder,
  overlaps,
  type ReviewedRows,
  sourcesToMatch,
  waitsForMatch,
} from './open-folder.ts';
import { assignmentFolderOf } from './pending-files.ts';
import { createOtherUploads, createSender, type WatchedUploads } from './send-files.ts';
import type { FolderRow, TakenFile, WatchedStore } from './watched-store.ts';

export type WatchedTimes = WatchTimes & {
  /** The longest time that complete files wait for other files of their assignment folder that are being written. */
  readonly gatherMs: number;
  /** How often the hours are checked, and files that could not be sent are tried again. */
  readonly tickMs: number;
  /** How often waiting files are matched again. */
  readonly matchMs: number;
  /** How long after a temporary failure the failed files are first queued again. */
  readonly retryMs: number;
};

const TIMES: WatchedTimes = {
  settleMs: 10_000,
  scanMs: 5 * 60_000,
  blindScanMs: 30_000,
  missingMs: 5_000,
  gatherMs: 60_000,
  tickMs: 15_000,
  matchMs: 10 * 60_000,
  retryMs: 60_000,
};

type WatchedFoldersOptions = {
  readonly store: WatchedStore;
  readonly owner: () => Owner;
  readonly isSignedIn: () => boolean;
  readonly uploads: WatchedUploads;
  readonly reader: FolderReader;
  readonly match: MatchFolders;
  readonly title: (assignmentId: string) => string | undefined;
  /** The organisation's hours for uploads; empty: at any time. */
  readonly officeHours: Hours;
  readonly onChange: (folders: readonly WatchedFolder[]) => void;
  readonly onBug: (error: unknown) => void;
  /** The wall-clock time, in ms since 1970. */
  readonly now: () => number;
  readonly steady?: (() => number) | undefined;
  readonly times?: Partial<WatchedTimes> | undefined;
};

type AddedFolder = { readonly root: string; readonly existing: boolean } & Omit<WatchedRules, 'paused'>;

const REPORT_MS = 250;
/** The timeout for listing the files that are already in a folder. */
const LISTING_MS = 600_000;

/**
 * Creates the watched folders of a connection. Stored folders are watched once `sessionChanged` is called while a user
 * is signed in.
 */
export const createWatchedFolders = (options: WatchedFoldersOptions) => {
  const { store, owner, isSignedIn, uploads, reader, onBug, now } = options;
  const times = { ...TIMES, ...options.times };
  const open = new Map<number, OpenFolder>();
  const inTurn = createSerial();
  const closing = new AbortController();
  const { signal } = closing;

  const rows = (): readonly FolderRow[] => store.folders(owner());
  const find = (id: number): FolderRow => {
    const row = rows().find((one) => one.id === id);
    if (row) return row;
    throw new DeskError('watch/unknown', 'there is no such watched folder', { details: { watchedId: id } });
  };
  const view = (row: FolderRow): WatchedFolder => viewFolder(row, open.get(row.id), options, new Date(now()));
  const reportBug = (error: unknown): void => {
    if (!signal.aborted) onBug(error);
  };
  let reported = 0;
  const tell = (): void => {
    if (signal.aborted) return;
    const folders = rows();
    // If there were no folders and still are none, nothing has changed.
    if (folders.length === 0 && reported === 0) return;
    reported = folders.length;
    options.onChange(folders.map(view));
  };
  const report = createThrottle(tell, REPORT_MS, reportBug);

  const take = (folder: OpenFolder, files: readonly TakenFile[]): void => {
    store.take(folder.row.id, files);
    for (const { path } of files) folder.watch.forget(path);
  };
  const hours = createFolderHours(options, rows);
  const others = createOtherUploads({ uploads, folders: () => [...open.values()], take, inTurn });
  const isWatched = (folder: OpenFolder): boolean =>
    open.get(folder.row.id) === folder && isSignedIn() && isOwnedBy(folder.row, owner());
  const { gatherMs } = times;
  const send = createSender({ ...options, others, take, isWatched, hoursOf: hours.of, gatherMs });
  const { sendNow, sendSoon } = createPasses({
    folders: open,
    isAllowed: () => !signal.aborted && isSignedIn(),
    send,
    recover: createRecover(options, times.retryMs, reportBug),
    align: hours.align,
    onSent: report.request,
    inTurn,
    onBug: reportBug,
  });
  const changed = (): void => {
    report.request();
    sendSoon();
  };

  const openFolder = (row: FolderRow): void => {
    const { root, realRoot } = row;
    const isTaken = (file: Parameters<typeof store.isTaken>[1]): boolean => store.isTaken(row.id, file);
    const watch = watchFolder({ root, realRoot, reader, times, isTaken, onChange: changed, onBug: reportBug });
    open.set(row.id, { row, watch, matched: new Map(), now: new WeakSet() });
  };
  /** Resolves once the folder starts no more uploads, and the uploads that it has started are known. */
  const closeFolder = async (id: number): Promise<void> => {
    const folder = open.get(id);
    open.delete(id);
    await Promise.all([folder?.watch.close(), folder?.pass]);
  };
  /** Forgets matches between passes, because a pass in progress sends files to the assignments that it has matched. */
  const matchAgain = async ({ keepsHeld }: { readonly keepsHeld: boolean }): Promise<void> => {
    await inTurn(async () => {
      for (const folder of open.values()) forgetMatches(folder, { keepsHeld, moment: new Date(now()) });
    });
    sendSoon();
  };
  const timers = [
    setInterval(sendSoon, times.tickMs).unref(),
    setInterval(matchAgain, times.matchMs, { keepsHeld: true }).unref(),
  ];

  return {
    list: (): readonly WatchedFolder[] => rows().map(view),
    /**
     * Starts to watch a folder. `existing`: whether the files that are already in the folder are sent. Errors:
     * `upload/folder-…`, `upload/not-a-folder`, `upload/drive-unresponsive`, `watch/overlaps`, `auth/required`,
     * `data/…`, `app/cancelled`.
     */
    add: async ({ root, existing, AssignmentId: assignmentId, onClash, hours }: AddedFolder): Promise<void> => {
      if (!isSignedIn()) throw new DeskError('auth/required', 'nobody is signed in');
      await inPatience(root, reader.assertFolder({ root }), signal);
      const realRoot = await inPatience(root, realRootOf({ root }), signal);
      // Nothing is awaited between this check and `store.add`, so a concurrent call sees the new folder in its check.
      assertSeparate([...rows(), ...store.unlisted()], { root, realRoot });
      const row = { ...owner(), root, realRoot, assignmentId, onClash, hours, addedMs: now() };
      const id = await addToStore(store, row, existing ? undefined : reader, signal);
      // The user may have signed out meanwhile. The next session then opens the folder.
      const added = isSignedIn() ? rows().find((one) => one.id === id) : undefined;
      if (added) openFolder(added);
      report.request();
    },
    /** Changes the rules of a folder. Errors, as of all calls with an `id`: `watch/unknown`, `data/…`. */
    change: (id: number, { AssignmentId: assignmentId, ...rules }: WatchedRules): void => {
      find(id);
      store.change(id, { assignmentId, ...rules });
      const folder = open.get(id);
      if (folder) folder.row = find(id);
      changed();
    },
    remove: async (id: number): Promise<void> => {
      const row = find(id);
      await closeFolder(id);
      await hours.release(row);
      store.remove(id);
      // A session that began meanwhile has opened the folder again.
      await closeFolder(id);
      report.request();
    },
    uploadNow: async (id: number): Promise<void> => {
      const row = find(id);
      const folder = open.get(id);
      if (folder) folder.now = new WeakSet(folder.watch.complete());
      if (!row.paused) await hours.overrule(row);
      await sendNow();
    },
    /** The files that wait for the user to choose an assignment, as sources. */
    toMatch: (id: number): readonly Source[] => {
      const folder = open.get(find(id).id);
      return folder ? sourcesToMatch(folder, store) : [];
    },
    /** Records the files that a review has left out as not to be sent. Errors: `data/…`. */
    leaveOut: (reviewed: ReviewedRows): void => {
      for (const folder of open.values()) take(folder, leftOutOf(folder, reviewed));
    },
    /** To be called when assignments or rules have changed. Waiting files are then matched again. */
    matchAgain: (): void => void matchAgain({ keepsHeld: false }),
    /** To be called when the session has changed: folders are watched while a user is signed in. */
    sessionChanged: (): Promise<void> =>
      inTurn(async () => {
        if (signal.aborted) return;
        const wanted = isSignedIn() ? rows() : [];
        const ids = new Set(wanted.map(({ id }) => id));
        await Promise.all([...open.keys()].filter((id) => !ids.has(id)).map(closeFolder));
        if (isSignedIn()) await hours.align();
        for (const row of wanted) if (!open.has(row.id)) openFolder(row);
        report.request();
      }),
    /** To be called with each batch that changed. */
    see: (batch: Batch): void => {
      if (open.size === 0) return;
      others.see(batch).then(report.request).catch(unlessChanged).catch(reportBug);
    },
    /** To be called when the clock jumped, or the computer woke up. Scans all folders. */
    wake: (): void => {
      for (const { watch } of open.values()) watch.scanSoon();
      sendSoon();
    },
    close: async (): Promise<void> => {
      closing.abort(new DeskError('app/cancelled', 'the connection was closed'));
      for (const timer of timers) clearInterval(timer);
      await Promise.all([...open.keys()].map(closeFolder));
      await inTurn(async () => {});
    },
  };
};

/** Throws `watch/overlaps` if the folder is watched already, contains a watched folder, or is inside one. */
const assertSeparate = (rows: readonly FolderRow[], { root, realRoot }: Pick<FolderRow, 'root' | 'realRoot'>): void => {
  if (!rows.some((row) => overlaps(row.realRoot ?? row.root, realRoot ?? root))) return;
  throw new DeskError('watch/overlaps', 'the folder or a part of it is already watched', { details: { path: root } });
};

/**
 * Adds the folder and resolves to its id. With a `reader`, the files that are in the folder now are recorded as taken.
 */
const addToStore = async (
  store: WatchedStore,
  row: Parameters<WatchedStore['add']>[0],
  reader: FolderReader | undefined,
  signal: AbortSignal,
): Promise<number> => {
  const { root } = row;
  const id = store.add(row);
  try {
    const listing = AbortSignal.any([signal, AbortSignal.timeout(LISTING_MS)]);
    for await (const group of reader?.scan(row, listing) ?? []) {
      store.take(
        id,
        group.map((file) => ({ ...file, assignmentId: undefined })),
      );
    }
    store.list(id, row);
    return id;
  } catch (cause) {
    store.remove(id);
    if (cause instanceof DeskError && cause.code !== 'service/timeout') throw cause;
    throw new DeskError('upload/folder-unreadable', 'it cannot be read', { details: { path: root }, cause });
  }
};

// Each pass goes through all folders, and sends the complete files that may be sent now.

type PassesOptions = {
  readonly folders: ReadonlyMap<number, OpenFolder>;
  readonly isAllowed: () => boolean;
  readonly send: ReturnType<typeof createSender>;
  /** Called before files of the folder are sent. */
  readonly recover: (folder: OpenFolder) => void;
  /** Called before each pass. */
  readonly align: () => Promise<void>;
  readonly onSent: () => void;
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
  readonly onBug: (error: unknown) => void;
};

const createPasses = (options: PassesOptions) => {
  const { folders, isAllowed, send, recover, align, onSent, inTurn, onBug } = options;
  /** Resolves to whether more files of the folder can be processed. An error does not hold back other folders. */
  const sendFrom = async (folder: OpenFolder): Promise<boolean> => {
    try {
      recover(folder);
      const isMore = await send(folder);
      folder.problem = undefined;
      return isMore;
    } catch (error) {
      // A scan begins now, so that the watch also notices that the drive does not respond.
      if (isUnresponsive(error)) folder.watch.scanSoon();
      if (error instanceof DeskError) folder.problem = error;
      else onBug(error);
      return false;
    }
  };
  const sendAll = async (): Promise<void> => {
    if (!isAllowed()) return;
    await align();
    let isMore = false;
    for (const folder of folders.values()) {
      folder.pass = sendFrom(folder);
      isMore = (await folder.pass) || isMore;
    }
    onSent();
    if (isMore) sendSoon();
  };
  /** Whether a queued pass has not started yet. Then no further pass is queued. */
  let isAwaited = false;
  const sendSoon = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    inTurn(() => {
      isAwaited = false;
      return sendAll();
    }).catch(onBug);
  };
  return { sendNow: () => inTurn(sendAll), sendSoon };
};

/** Describes a watched folder. `folder`: undefined while it is not open, for example before the user signs in. */
const viewFolder = (
  { id, root, assignmentId, onClash, hours, paused }: FolderRow,
  folder: OpenFolder | undefined,
  { title: titleOf, officeHours }: Pick<WatchedFoldersOptions, 'title' | 'officeHours'>,
  moment: Date,
): WatchedFolder => {
  const title = assignmentId === undefined ? undefined : titleOf(assignmentId);
  const complete = folder?.watch.complete() ?? [];
  const toMatch = folder ? complete.filter((file) => waitsForMatch(folder, file)) : [];
  const problem = folder?.watch.problem() ?? folder?.problem;
  const opensAt = allOpenAtMs([hours, officeHours], moment);
  return {
    watchedId: id,
    name: folderName(root),
    path: root,
    ...(assignmentId !== undefined && { AssignmentId: assignmentId }),
    ...(title !== undefined && { title }),
    onClash,
    hours,
    paused,
    state: folder?.watch.state() ?? 'signed-out',
    ...(problem && { reason: toErrorData(problem) }),
    settling: folder?.watch.unsettled() ?? 0,
    waiting: complete.length - toMatch.length,
    toMatch: { files: toMatch.length, folders: new Set(toMatch.map(({ path }) => assignmentFolderOf(path))).size },
    ...(opensAt !== undefined && opensAt > moment.getTime() && { opensAtMs: opensAt }),
    ...(folder?.sentAtMs !== undefined && { sentAtMs: folder.sentAtMs }),
  };
};

// When the hours of a watched folder change, the batches that it started and that have not ended get the new hours.

/** The batches that the folder has started. */
const batchesOf = (uploads: Pick<WatchedUploads, 'present'>, { id, root }: FolderRow): readonly Batch[] =>
  uploads
    .present()
    .filter((batch) => batch.schedule?.watchedId === id && (batch.root === root || isBelow(root, batch.root)));

/**
 * Creates the functions that apply the hours of folders to their batches, or overrule them. A `DeskError` is ignored:
 * the batch has usually changed meanwhile.
 */
const createFolderHours = (
  { uploads, officeHours }: Pick<WatchedFoldersOptions, 'uploads' | 'officeHours'>,
  folders: () => readonly FolderRow[],
) => {
  const of = ({ hours }: FolderRow): Hours => (hours.length > 0 ? hours : officeHours);
  const setHours = async (folder: FolderRow, hours: Hours): Promise<void> => {
    for (const batch of batchesOf(uploads, folder)) {
      const { batchId, schedule } = batch;
      if (hasEnded(batch) || !schedule || JSON.stringify(schedule.hours) === JSON.stringify(hours)) continue;
      await uploads.setSchedule(batchId, { ...schedule, hours }).catch(unlessChanged);
    }
  };
  return {
    /** The hours of the folder's batches: the folder's own or, if it has none, those of the organisation. */
    of,
    /** Sets the present hours of each folder on its batches that have not ended. */
    align: async (): Promise<void> => {
      for (const folder of folders()) await setHours(folder, of(folder));
    },
    /**
     * Resumes the folder's held batches, and overrules the hours for those in progress, which may be about to be held
     * back. All of them are held back again only when the hours have begun and ended once more.
     */
    overrule: async (folder: FolderRow): Promise<void> => {
      const wanted = batchesOf(uploads, folder).filter((batch) => isHeldBack(batch) || isActive(batch));
      await Promise.all(wanted.map(({ batchId }) => uploads.resume(batchId).catch(unlessChanged)));
    },
    /** Removes the folder's own hours from its batches, because the folder is no longer watched. */
    release: (folder: FolderRow): Promise<void> => setHours(folder, officeHours),
  };
};

const unlessChanged = onDeskError(() => {});

// A batch pauses if its folder cannot be read, and files can fail for temporary reasons. Watched folders work
// unattended, so perhaps nobody would resume or retry their batches.

const AWAY: ReadonlySet<ErrorCode> = new Set([
  'upload/folder-missing',
  // A network drive that is disconnected may leave an empty folder in its place.
  'upload/folder-replaced',
  'upload/folder-unreadable',
  'upload/drive-unresponsive',
]);

/** The retries after temporary failures, within about six hours. The first wait is `WatchedTimes.retryMs`. */
const RETRIES: Omit<RetryPolicy, 'firstMs'> = { attempts: 5, growth: 4, longestMs: 6 * 3_600_000, jitter: false };
/** Failed files of a batch that ended longer ago than this are not retried, for example after a restart. */
const RETRIED_MS = 24 * 3_600_000;
const FAILED: readonly FileState[] = ['failed', 'uncertain'];
const PAGE_FILES = 1_000;

/**
 * Creates a function that resumes batches of a watched folder that paused because their own folder was unavailable
 * (`AWAY`). The function also queues failed files again if their error has `retry: 'later'` (`RETRIES`).
 */
const createRecover = (
  { uploads, officeHours, now, steady = steadyNow }: WatchedFoldersOptions,
  retryMs: number,
  onBug: (error: unknown) => void,
) => {
  const recovering = new Set<string>();
  const retries = new Map<string, { readonly made: number; readonly dueMs?: number }>();
  const retriesOf = (batchId: string) => retries.get(batchId) ?? { made: 0 };

  const isLost = ({ state, reason }: Batch): boolean =>
    state === 'paused' && reason !== undefined && AWAY.has(reason.code);
  const hasFailed = (batch: Batch): boolean => {
    const { batchId, state, reason, failed, finishedAtMs = 0 } = batch;
    if (state === 'paused') return isStoppedByFiles(batch) && reason?.retry === 'later';
    const isRecent = finishedAtMs > now() - RETRIED_MS;
    return state === 'finished' && failed > 0 && (isRecent || retries.has(batchId));
  };
  /** Whether a batch that has failed is to be retried now. The wait begins with the first call after the failure. */
  const isDue = ({ batchId }: Batch): boolean => {
    const { made, dueMs } = retriesOf(batchId);
    if (made >= RETRIES.attempts) return false;
    if (dueMs !== undefined) return steady() >= dueMs;
    retries.set(batchId, { made, dueMs: steady() + retryWaitMs({ ...RETRIES, firstMs: retryMs }, made + 1) });
    return false;
  };
  const retry = async ({ batchId }: Batch): Promise<void> => {
    retries.set(batchId, { made: retriesOf(batchId).made + 1 });
    const ids: number[] = [];
    for (let offset = 0, isMore = true; isMore; offset += PAGE_FILES) {
      const { files, total } = await uploads.files(batchId, { states: FAILED, offset, limit: PAGE_FILES });
      for (const { id, error } of files) if (error?.retry === 'later') ids.push(id);
      isMore = offset + PAGE_FILES < total;
    }
    if (ids.length > 0) await uploads.retryFiles(batchId, ids, 'app');
  };
  /**
   * Resumes the batch, or retries its failed files. Rejects and changes nothing if the batch's folder cannot be read,
   * or if there is another folder in its place.
   */
  const recover = async (batch: Batch, { watch }: OpenFolder): Promise<void> => {
    await watch.assertFolder(await uploads.folderOf(batch.batchId));
    await (isLost(batch) ? uploads.resume(batch.batchId, 'keeper') : retry(batch));
  };
  return (folder: OpenFolder): void => {
    const { row, watch } = folder;
    const moment = new Date(now());
    if (watch.state() !== 'watching' || row.paused || !isOpen(row.hours, moment) || !isOpen(officeHours, moment))
      return;
    for (const batch of batchesOf(uploads, row)) {
      const { batchId, isOthers } = batch;
      if (isOthers || recovering.has(batchId) || !(isLost(batch) || (hasFailed(batch) && isDue(batch)))) continue;
      recovering.add(batchId);
      // Not awaited: the batch runs again only once the last files of its previous run are settled.
      void recover(batch, folder)
        .catch(
          onDeskError((error) => {
            if (isUnresponsive(error)) watch.scanSoon();
          }),
        )
        .catch(onBug)
        .finally(() => recovering.delete(batchId));
    }
  };
};

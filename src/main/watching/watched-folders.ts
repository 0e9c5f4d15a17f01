/** The watched folders of a connection: from files that are complete to uploads. */
import { basename, join, sep } from 'node:path';
import { type Batch, hasEnded, isActive } from '../../contract/batches.ts';
import { DeskError, type ErrorData, toErrorData } from '../../contract/errors.ts';
import { isOpen, opensAtMs } from '../../contract/hours.ts';
import type { OnClash } from '../../contract/names.ts';
import type { Owner } from '../../contract/owner.ts';
import type { WatchedFolder, WatchedRules } from '../../contract/watched-folders.ts';
import { createSerial } from '../async/serial.ts';
import { createThrottle } from '../async/throttle.ts';
import { type FolderReader, type FolderWatch, type WatchTimes, watchFolder } from './folder-watch.ts';
import { type CompleteFile, type FoundFile, folderOf, jobOf } from './pending-files.ts';
import { byFolder, isGathered, nameOf, type Portion } from './release.ts';
import { type BatchPhase, timedStep } from './timed-batches.ts';
import type { FolderRow, TakenFile, WatchedStore } from './watched-store.ts';

/** Files of a folder, by the folder's absolute path and their names. */
export type WatchedSource = { readonly root: string; readonly only: readonly string[] };

/** Job folders to be matched. `path`: from the name of the watched folder on, with `/`; `fileNames`: some of the files. */
export type JobFolder = { readonly path: string; readonly fileNames: readonly string[] };

export type WatchedTimes = WatchTimes & {
  /** How long complete files wait for others of their job that are being written. */
  readonly gatherMs: number;
  /** How often hours, and what could not be sent, are looked at again. */
  readonly tickMs: number;
};

export const WATCHED_TIMES: WatchedTimes = {
  settleMs: 10_000,
  scanMs: 5 * 60_000,
  blindScanMs: 30_000,
  missingMs: 5_000,
  gatherMs: 60_000,
  tickMs: 15_000,
};

/** The uploads of the connection, as far as watched folders need them. */
export type WatchedUploads = {
  readonly startTogether: (together: {
    readonly uploads: readonly (WatchedSource & { readonly assignmentId: string; readonly onClash: OnClash })[];
  }) => Promise<readonly Batch[]>;
  readonly present: () => readonly Batch[];
  readonly pause: (batch: string, reason: ErrorData) => Promise<unknown>;
  readonly resume: (batch: string) => Promise<unknown>;
  /** The files of a batch, by their paths below its root. */
  readonly paths: (batch: string) => AsyncIterable<string>;
};

type WatchedFoldersOptions = {
  readonly store: WatchedStore;
  readonly owner: () => Owner;
  readonly isSignedIn: () => boolean;
  readonly uploads: WatchedUploads;
  readonly reader: FolderReader & { readonly realRoot: (root: string) => Promise<string | undefined> };
  /** The assignment of each folder, where it is certain. */
  readonly match: (folders: readonly JobFolder[]) => Promise<readonly (string | undefined)[]>;
  readonly title: (assignmentId: string) => string | undefined;
  readonly onChange: (folders: readonly WatchedFolder[]) => void;
  readonly onBug: (error: unknown) => void;
  /** Wall-clock time, for the hours. */
  readonly now: () => number;
  readonly times?: Partial<WatchedTimes> | undefined;
};

export type WatchedFolders = {
  readonly list: () => readonly WatchedFolder[];
  /** Errors: `upload/folder-…`, `watch/overlaps`, `auth/required`, `data/…`. */
  readonly add: (
    folder: { readonly root: string; readonly existing: boolean } & Omit<WatchedRules, 'paused'>,
  ) => Promise<WatchedFolder>;
  /** Errors of all that take a folder: `watch/unknown`, `data/…`. */
  readonly change: (id: number, rules: WatchedRules) => Promise<WatchedFolder>;
  readonly remove: (id: number) => Promise<void>;
  readonly uploadNow: (id: number) => Promise<void>;
  /** The files that wait for an assignment, by folder. */
  readonly toMatch: (id: number) => readonly WatchedSource[];
  /** What is known of assignments or rules has changed: folders without an assignment are matched again. */
  readonly matchAgain: () => void;
  /** Watches while somebody is signed in. Before interrupted uploads are resumed: those outside their hours are paused. */
  readonly sessionChanged: () => Promise<void>;
  /** To be called with each batch that changed. */
  readonly see: (batch: Batch) => void;
  /** The clock jumped, or the computer woke up. */
  readonly wake: () => void;
  readonly close: () => Promise<void>;
};

/** A folder while somebody is signed in. */
type Open = {
  row: FolderRow;
  readonly watch: FolderWatch;
  /** The assignments that its folders were matched with; undefined: a person has to choose. */
  readonly matched: Map<string, string | undefined>;
  /** Files that a person wants to be sent outside the hours. */
  now: ReadonlySet<string>;
  problem: DeskError | undefined;
  sentAtMs: number | undefined;
};

const REPORT_MS = 250;
/** More than a person reads, and enough to match a folder by. */
const MOST_NAMES = 20;

const OUTSIDE_HOURS = toErrorData(new DeskError('upload/scheduled', 'it is sent within its hours', { retry: 'later' }));

/** Nothing is watched before `sessionChanged`. */
export const createWatchedFolders = (options: WatchedFoldersOptions): WatchedFolders => {
  const { store, owner, isSignedIn, uploads, reader, match, title, onBug, now } = options;
  const times = { ...WATCHED_TIMES, ...options.times };
  const open = new Map<number, Open>();
  const inTurn = createSerial();
  /** Batches that this service started, or whose files it has looked at. */
  const seenBatches = new Set<string>();
  const resuming = new Set<string>();
  let closed = false;

  const isOpenNow = (row: FolderRow): boolean => isOpen(row.hours, new Date(now()));
  const waitsForMatch = (folder: Open, { path }: FoundFile): boolean =>
    folder.row.assignmentId === undefined && folder.matched.has(keyOf(path)) && targetOf(folder, path) === undefined;
  const targetOf = ({ row, matched }: Open, path: string): string | undefined =>
    row.assignmentId ?? matched.get(keyOf(path));

  const view = (row: FolderRow): WatchedFolder => {
    const folder = open.get(row.id);
    const complete = folder?.watch.complete() ?? [];
    const toMatch = folder ? complete.filter((file) => waitsForMatch(folder, file)) : [];
    const { id, root, assignmentId, onClash, hours, paused } = row;
    const problem = folder?.watch.problem() ?? folder?.problem;
    const name = assignmentId === undefined ? undefined : title(assignmentId);
    const opensAt = isOpenNow(row) ? undefined : opensAtMs(hours, new Date(now()));
    return {
      watchedId: id,
      name: basename(root) || root,
      path: root,
      ...(assignmentId !== undefined && { AssignmentId: assignmentId }),
      ...(name !== undefined && { title: name }),
      onClash,
      hours,
      paused,
      state: folder?.watch.state() ?? 'signed-out',
      ...(problem && { reason: toErrorData(problem) }),
      settling: folder?.watch.unsettled() ?? 0,
      waiting: complete.length - toMatch.length,
      toMatch: { files: toMatch.length, folders: byFolder(toMatch).size },
      ...(opensAt !== undefined && { opensAtMs: opensAt }),
      ...(folder?.sentAtMs !== undefined && { sentAtMs: folder.sentAtMs }),
    };
  };
  const list = (): readonly WatchedFolder[] => store.folders(owner()).map(view);
  const report = createThrottle(() => {
    if (!closed) options.onChange(list());
  }, REPORT_MS);

  /** Asks for the assignments of folders that were not matched yet. */
  const matchFolders = async (folder: Open, files: readonly CompleteFile[]): Promise<void> => {
    if (folder.row.assignmentId !== undefined) return;
    const groups = Map.groupBy(files, ({ path }) => keyOf(path));
    const unknown = [...groups].filter(([key]) => !folder.matched.has(key));
    if (unknown.length === 0) return;
    const name = basename(folder.row.root);
    const answers = await match(
      unknown.map(([key, group]) => ({
        path: `${name}/${key}`,
        fileNames: group.slice(0, MOST_NAMES).map(({ path }) => nameOf(path)),
      })),
    );
    for (const [index, [key]] of unknown.entries()) folder.matched.set(key, answers[index]);
  };

  const portionsOf = (folder: Open, files: readonly CompleteFile[]): readonly Portion[] =>
    [...Map.groupBy(files, ({ path }) => JSON.stringify([folderOf(path), targetOf(folder, path)]))].flatMap(
      ([, [first, ...others]]) => {
        const assignmentId = first && targetOf(folder, first.path);
        return first && assignmentId !== undefined
          ? [{ folder: folderOf(first.path), assignmentId, files: [first, ...others] }]
          : [];
      },
    );

  const take = (folder: Open, files: readonly TakenFile[]): void => {
    store.take(folder.row.id, files);
    for (const { path } of files) folder.watch.forget(path);
  };

  /** Leaves out what was sent under another path, unless it now belongs to another assignment. */
  const takeMoved = (folder: Open, files: readonly CompleteFile[]): readonly CompleteFile[] => {
    const moved = files.flatMap((file) => {
      const before = store.movedFrom(folder.row.id, file);
      const target = targetOf(folder, file.path);
      const isElsewhere = target !== undefined && before?.assignmentId !== undefined && before.assignmentId !== target;
      return before && !isElsewhere ? [{ ...file, assignmentId: before.assignmentId }] : [];
    });
    if (moved.length > 0) take(folder, moved);
    const paths = new Set(moved.map(({ path }) => path));
    return files.filter(({ path }) => !paths.has(path));
  };

  const send = async (folder: Open): Promise<void> => {
    const { row, watch } = folder;
    if (watch.state() !== 'watching' || open.get(row.id) !== folder) return;
    const atMs = performance.now();
    const gathered = [...Map.groupBy(watch.complete(), ({ path }) => jobOf(path))].flatMap(([job, files]) =>
      isGathered(files, watch.isUnsettled(job), { nowMs: atMs, gatherMs: times.gatherMs }) ? files : [],
    );
    if (gathered.length === 0) return;
    await matchFolders(folder, gathered);
    const fresh = takeMoved(folder, gathered);
    const isAllowed = ({ path }: FoundFile): boolean => !row.paused && (isOpenNow(row) || folder.now.has(path));
    const portions = portionsOf(folder, fresh.filter(isAllowed));
    if (portions.length === 0) return;
    const batches = await uploads.startTogether({
      uploads: portions.map(({ folder: below, assignmentId, files }) => ({
        root: below === '' ? row.root : join(row.root, below),
        only: files.map(({ path }) => nameOf(path)),
        assignmentId,
        onClash: row.onClash,
      })),
    });
    for (const { batchId } of batches) seenBatches.add(batchId);
    take(
      folder,
      portions.flatMap(({ assignmentId, files }) => files.map((file) => ({ ...file, assignmentId }))),
    );
    if (row.hours.length > 0) {
      // Those that a person sends outside the hours are not paused either.
      const overruled = !isOpenNow(row);
      for (const { batchId } of batches)
        store.setTimed({ batch: batchId, folder: row.id, paused: overruled, overruled });
    }
    folder.sentAtMs = now();
  };

  const phaseOf = (batch: Batch): BatchPhase => {
    if (hasEnded(batch)) return 'ended';
    if (isActive(batch)) return 'active';
    if (!batch.reason) return 'paused';
    return batch.reason.code === 'upload/scheduled' ? 'scheduled' : 'stopped';
  };
  /** Not awaited: a batch runs again only when the last files of its previous run are settled. */
  const resume = (batch: string): void => {
    if (resuming.has(batch)) return;
    resuming.add(batch);
    uploads
      .resume(batch)
      .catch((error) => {
        // Its state changed meanwhile; the next look decides again.
        if (!closed && !(error instanceof DeskError)) onBug(error);
      })
      .finally(() => resuming.delete(batch));
  };
  const keepHours = async (): Promise<void> => {
    const rows = new Map(store.folders(owner()).map((row) => [row.id, row]));
    const batches = new Map(uploads.present().map((batch) => [batch.batchId, batch]));
    for (const timed of store.timed()) {
      const row = rows.get(timed.folder);
      const batch = batches.get(timed.batch);
      if (!row || !batch) continue;
      const { act, ...next } = timedStep(timed, phaseOf(batch), isOpenNow(row));
      try {
        if (act === 'pause') await uploads.pause(timed.batch, OUTSIDE_HOURS);
        if (act === 'resume') resume(timed.batch);
        if (act === 'forget') store.endTimed(timed.batch);
        else if (next.paused !== timed.paused || next.overruled !== timed.overruled)
          store.setTimed({ ...timed, ...next });
      } catch (error) {
        // Its state changed meanwhile; the next look decides again.
        if (!(error instanceof DeskError)) throw error;
      }
    }
  };

  const sendAll = (): Promise<void> =>
    inTurn(async () => {
      if (closed || !isSignedIn()) return;
      await keepHours();
      for (const folder of open.values()) {
        try {
          await send(folder);
          folder.problem = undefined;
        } catch (error) {
          if (!(error instanceof DeskError)) throw error;
          folder.problem = error;
        }
      }
      report.request();
    });
  const sendSoon = (): void => {
    sendAll().catch((error) => {
      if (!closed) onBug(error);
    });
  };

  const openFolder = (row: FolderRow): void => {
    const watch = watchFolder({
      root: row.root,
      realRoot: row.realRoot,
      reader,
      times,
      isTaken: (file) => store.isTaken(row.id, file),
      onChange: () => {
        report.request();
        sendSoon();
      },
      onBug,
    });
    open.set(row.id, { row, watch, matched: new Map(), now: new Set(), problem: undefined, sentAtMs: undefined });
  };
  const closeFolder = async (id: number): Promise<void> => {
    const folder = open.get(id);
    open.delete(id);
    await folder?.watch.close();
  };
  const find = (id: number): FolderRow => {
    const row = store.folders(owner()).find((one) => one.id === id);
    if (row) return row;
    throw new DeskError('watch/unknown', 'there is no such watched folder', { details: { watchedId: id } });
  };

  /** Records the files that another upload took from a watched folder, such as that of a draft. */
  const takeFromOthers = async ({ batchId, root, AssignmentId }: Batch): Promise<void> => {
    const touched = [...open.values()].filter(({ row }) => overlaps(row.root, root));
    if (touched.length === 0) return;
    const found = new Map(touched.map((folder) => [folder, new Set<string>()]));
    for await (const path of uploads.paths(batchId)) {
      const absolute = join(root, ...path.split('/'));
      for (const [{ row }, paths] of found) {
        if (isBelow(row.root, absolute))
          paths.add(
            absolute
              .slice(row.root.length + 1)
              .split(sep)
              .join('/'),
          );
      }
    }
    for (const [folder, paths] of found) {
      const files = folder.watch.complete().filter(({ path }) => paths.has(path));
      if (files.length > 0)
        take(
          folder,
          files.map((file) => ({ ...file, assignmentId: AssignmentId })),
        );
    }
  };

  const timer = setInterval(sendSoon, times.tickMs).unref();

  return {
    list,
    add: async ({ root, existing, AssignmentId: assignmentId, onClash, hours }) => {
      if (!isSignedIn()) throw new DeskError('auth/required', 'nobody is signed in');
      await reader.assertFolder(root);
      const realRoot = await reader.realRoot(root);
      if (store.folders(owner()).some((row) => overlaps(row.realRoot ?? row.root, realRoot ?? root))) {
        throw new DeskError('watch/overlaps', 'it is watched already, as a whole or in part', {
          details: { path: root },
        });
      }
      const row = { ...owner(), root, realRoot, assignmentId, onClash, hours, addedMs: now() };
      const files: TakenFile[] = [];
      if (!existing) {
        for await (const group of reader.scan({ root, realRoot }, AbortSignal.timeout(600_000), () => {})) {
          files.push(...group.map((file) => ({ ...file, assignmentId: undefined })));
        }
      }
      const id = store.add(row);
      store.take(id, files);
      openFolder(find(id));
      report.request();
      return view(find(id));
    },
    change: async (id, { AssignmentId: assignmentId, onClash, hours, paused }) => {
      find(id);
      store.change(id, { assignmentId, onClash, hours, paused });
      const folder = open.get(id);
      if (folder) folder.row = find(id);
      sendSoon();
      report.request();
      return view(find(id));
    },
    remove: async (id) => {
      const row = find(id);
      await closeFolder(id);
      // Batches that its hours hold back would stay paused.
      const held = uploads.present().filter((batch) => phaseOf(batch) === 'scheduled');
      const own = new Set(store.timed().flatMap(({ batch, folder }) => (folder === row.id ? [batch] : [])));
      store.remove(id);
      for (const { batchId } of held) if (own.has(batchId)) resume(batchId);
      report.request();
    },
    uploadNow: async (id) => {
      const row = find(id);
      const folder = open.get(id);
      if (folder) folder.now = new Set(folder.watch.complete().map(({ path }) => path));
      const held = new Set(
        uploads.present().flatMap((batch) => (phaseOf(batch) === 'scheduled' ? [batch.batchId] : [])),
      );
      for (const timed of store.timed()) {
        if (timed.folder !== row.id || !held.has(timed.batch)) continue;
        store.setTimed({ ...timed, overruled: true });
        resume(timed.batch);
      }
      await sendAll();
    },
    toMatch: (id) => {
      const folder = open.get(find(id).id);
      const files = folder?.watch.complete().filter((file) => waitsForMatch(folder, file)) ?? [];
      return [...byFolder(files)].map(([below, group]) => ({
        root: below === '' ? find(id).root : join(find(id).root, below),
        only: group.map(({ path }) => nameOf(path)),
      }));
    },
    matchAgain: () => {
      for (const { matched } of open.values()) {
        for (const [key, assignmentId] of matched) if (assignmentId === undefined) matched.delete(key);
      }
      sendSoon();
    },
    sessionChanged: () =>
      inTurn(async () => {
        if (closed) return;
        const rows = isSignedIn() ? store.folders(owner()) : [];
        const wanted = new Set(rows.map(({ id }) => id));
        await Promise.all([...open.keys()].filter((id) => !wanted.has(id)).map(closeFolder));
        if (isSignedIn()) await keepHours();
        for (const row of rows) if (!open.has(row.id)) openFolder(row);
        report.request();
      }),
    see: (batch) => {
      if (open.size === 0 || batch.state === 'scanning' || seenBatches.has(batch.batchId)) return;
      if (batch.state !== 'running' && batch.state !== 'finished') return;
      seenBatches.add(batch.batchId);
      inTurn(() => takeFromOthers(batch))
        .then(report.request)
        .catch((error) => {
          seenBatches.delete(batch.batchId);
          if (!closed && !(error instanceof DeskError)) onBug(error);
        });
    },
    wake: () => {
      for (const { watch } of open.values()) watch.scanSoon();
      sendSoon();
    },
    close: async () => {
      closed = true;
      clearInterval(timer);
      await Promise.all([...open.keys()].map(closeFolder));
      await inTurn(async () => {});
    },
  };
};

/** What is matched for a file: its folder; a file directly in the watched folder by its own name. */
const keyOf = (path: string): string => folderOf(path) || nameOf(path);

const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

const overlaps = (one: string, other: string): boolean => one === other || isBelow(one, other) || isBelow(other, one);

/** Sends the complete files of a watched folder as an upload, and tracks other uploads that take its files. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { forEachAsync } from 'es-toolkit/array/forEachAsync';
import { type Hours, isOpen } from '../../../contract/hours.ts';
import { type Batch, canReschedule, type FileState } from '../../../contract/uploads.ts';
import type { RemoteUploads } from '../engine/start-engine.ts';
import { archiveFacts, isOtherVersion } from '../source/file-identity.ts';
import { archiveOf, baseName, isBelow, placeIn } from '../source/paths.ts';
import type { ScannedFile } from '../source/scan.ts';
import {
  type MatchFolders,
  matchFiles,
  maySendTo,
  type OpenFolder,
  overlaps,
  sourceOf,
  targetOf,
} from './open-folder.ts';
import { assignmentFolderOf, type CompleteFile, folderOf, isSameFile } from './pending-files.ts';
import type { FolderRow, TakenFile, WatchedStore } from './watched-store.ts';

export type WatchedUploads = Pick<
  RemoteUploads,
  | 'startTogether'
  | 'present'
  | 'resume'
  | 'setSchedule'
  | 'files'
  | 'retryFiles'
  | 'versions'
  | 'contentOf'
  | 'folderOf'
>;

type TakenVersion = Awaited<ReturnType<WatchedUploads['versions']>>[number];

/** Resolves to the files of a batch, by their absolute paths (`placeIn`). */
const versionsIn = async (
  uploads: Pick<WatchedUploads, 'versions'>,
  { batchId, root }: Pick<Batch, 'batchId' | 'root'>,
): Promise<ReadonlyMap<string, TakenVersion>> => {
  const versions = new Map<string, TakenVersion>();
  for (let afterId = 0; ; ) {
    const page = await uploads.versions(batchId, afterId);
    for (const version of page) versions.set(placeIn(root, version.path), version);
    const last = page.at(-1);
    if (last === undefined) return versions;
    afterId = last.id;
  }
};

type SenderOptions = {
  readonly store: WatchedStore;
  readonly uploads: WatchedUploads;
  /** The wall-clock time, in ms since 1970. */
  readonly now: () => number;
  readonly match: MatchFolders;
  readonly others: Pick<OtherUploads, 'own' | 'mayTake'>;
  readonly take: (folder: OpenFolder, files: readonly TakenFile[]) => void;
  /** Whether the folder is still watched for the user who is signed in. */
  readonly isWatched: (folder: OpenFolder) => boolean;
  /** The hours of the folder's batches. */
  readonly hoursOf: (folder: FolderRow) => Hours;
  /** The organisation's hours for uploads; empty: at any time. */
  readonly officeHours: Hours;
  /** The longest time that complete files wait for other files of their assignment folder that are being written. */
  readonly gatherMs: number;
};

/** The number of files looked up and recorded together; few enough not to block the event loop. */
const SLICE_FILES = 1_000;
/** The maximum number of files whose content is compared in one pass, so that other folders do not wait long. */
const COMPARED_FILES = 200;
const AT_ONCE = 4;

/** The states of files that their uploads may still send. */
const UNSENT: ReadonlySet<FileState> = new Set(['queued', 'signing', 'sending']);
/**
 * The states of files that were possibly not sent. If such a file was moved, the upload from its new path takes over
 * the Key.
 */
const NOT_SENT: ReadonlySet<FileState> = new Set(['failed', 'uncertain']);

/**
 * Creates a function that matches the complete files of a folder, and uploads those that have an assignment and are
 * due. It resolves to true if more files can be processed immediately. If the app stops before files are recorded as
 * taken, they are uploaded again and skipped by their content. Rejects if files cannot be looked up, matched, uploaded
 * or recorded.
 */
export const createSender = (options: SenderOptions) => {
  const { store, uploads, now, match, others, take, isWatched, hoursOf, officeHours, gatherMs } = options;
  /**
   * Files that are not looked up or compared again: no earlier version was sent, the content differs from the content
   * that was sent, or it could not be read.
   */
  const compared = new WeakSet<ScannedFile>();
  /** Moved files that an earlier pass could not decide about. */
  const undecidedBefore = new WeakSet<ScannedFile>();

  const versionsOf = async (id: string): Promise<ReadonlyMap<string, TakenVersion>> => {
    const batch = uploads.present().find(({ batchId }) => batchId === id);
    return batch ? versionsIn(uploads, batch) : new Map();
  };

  /**
   * Compares files with versions that were taken before. Files with the same content or, if no hash is known, the same
   * facts (`isSameFile`) are recorded as taken, and returned as `taken`. Moved files are `undecided` if they cannot be
   * read now, or if their earlier upload is not finished: that upload may fail because of the move, or may already have
   * opened the file.
   */
  const takeSame = async (
    folder: OpenFolder,
    pairs: readonly { readonly file: CompleteFile; readonly before: TakenFile }[],
  ): Promise<{ readonly taken: ReadonlySet<CompleteFile>; readonly undecided: ReadonlySet<CompleteFile> }> => {
    const { root } = folder.row;
    const same = new Map<CompleteFile, TakenFile>();
    const undecided = new Set<CompleteFile>();
    for (const [batch, group] of Map.groupBy(pairs, ({ before }) => before.batch)) {
      const versions = batch === undefined ? new Map<string, TakenVersion>() : await versionsOf(batch);
      await eachOf(group, async ({ file, before }) => {
        const { sha256: sent, state } = versions.get(join(root, before.path)) ?? {};
        const isMoved = file.path !== before.path;
        if (isMoved && state !== undefined && UNSENT.has(state)) return void undecided.add(file);
        const isSame =
          sent === undefined
            ? isSameFile(before, file) && !(isMoved && state !== undefined && NOT_SENT.has(state))
            : await uploads.contentOf(join(root, file.path), folder.watch.signal).then(
                ({ sha256 }) => sha256 === sent,
                () => {
                  // A file that was not moved is uploaded, and the upload reports why the file cannot be read.
                  if (isMoved) undecided.add(file);
                  return false;
                },
              );
        if (isSame) same.set(file, { ...file, assignmentId: before.assignmentId, batch });
      });
    }
    if (same.size > 0) take(folder, [...same.values()]);
    return { taken: new Set(same.keys()), undecided };
  };

  /** Leaves out files with changed facts whose content was already sent, for example after a backup. */
  const takeUnchanged = async (folder: OpenFolder, files: readonly CompleteFile[]): Promise<Kept> => {
    const doubtful: { readonly file: CompleteFile; readonly before: TakenFile }[] = [];
    const asking = files.filter((file) => !compared.has(file));
    for (const [at, file] of asking.entries()) {
      if (at % SLICE_FILES === 0) await setImmediate();
      const before = store.sentAt(folder.row.id, file);
      if (before) doubtful.push({ file, before });
      else compared.add(file);
    }
    const asked = doubtful.slice(0, COMPARED_FILES);
    const { taken } = await takeSame(folder, asked);
    for (const { file } of asked) if (!taken.has(file)) compared.add(file);
    const later = new Set(doubtful.slice(COMPARED_FILES).map(({ file }) => file));
    return { files: files.filter((file) => !taken.has(file) && !later.has(file)), isMore: later.size > 0 };
  };

  /**
   * Leaves out files that were taken under another path before they were moved, and files that are undecided
   * (`takeSame`).
   */
  const takeMoved = async (folder: OpenFolder, files: readonly CompleteFile[]): Promise<Kept> => {
    const asked = new Set<CompleteFile>();
    const later = new Set<CompleteFile>();
    const pairs: { readonly file: CompleteFile; readonly before: TakenFile }[] = [];
    for (const file of files) {
      const before = await earlierOf(store, folder, file);
      // Files that an earlier pass left undecided do not count towards the limit. Otherwise they would keep other files
      // waiting.
      if (before.length > 0 && !undecidedBefore.has(file)) asked.add(file);
      if (asked.has(file) && asked.size > COMPARED_FILES) later.add(file);
      else pairs.push(...before.map((one) => ({ file, before: one })));
    }
    const { taken, undecided } = await takeSame(folder, pairs);
    for (const file of undecided) undecidedBefore.add(file);
    const kept = files.filter((file) => !taken.has(file) && !undecided.has(file) && !later.has(file));
    return { files: kept, isMore: later.size > 0 };
  };

  /** Leaves out files that are gone, have changed, or can now only be reached through a link. */
  const stillThere = async (folder: OpenFolder, files: readonly CompleteFile[]): Promise<readonly CompleteFile[]> => {
    const there = new Set<CompleteFile>();
    await eachOf(files, async (file) => {
      const facts = await folder.watch.look(file.path);
      if (facts === undefined || facts === 'folder') folder.watch.forget(file.path);
      else if (!isOtherVersion(file, facts)) there.add(file);
      else folder.watch.see({ path: file.path, ...facts });
    });
    return files.filter((file) => there.has(file));
  };

  return async (folder: OpenFolder): Promise<boolean> => {
    const { row, watch } = folder;
    if (watch.state() !== 'watching') return false;
    const nowMs = performance.now();
    const isOthers = others.mayTake(row);
    const { isHeld: isHeldNow } = rulesOf(folder, officeHours, new Date(now()));
    // Held files are left out first: there may be many of them for hours, and looking them up in each pass is slow.
    const free = watch.complete().filter((file) => !isHeldNow(file) && !isOthers(join(row.root, file.path)));
    const hasWaited = ({ completeAtMs }: CompleteFile): boolean => nowMs - completeAtMs >= gatherMs;
    // The files of an assignment folder are sent together, unless one has waited too long for others that are being
    // written.
    const gathered = [...Map.groupBy(free, ({ path }) => assignmentFolderOf(path))].flatMap(([top, files]) =>
      watch.isUnsettled(top) && !files.some(hasWaited) ? [] : files,
    );
    if (gathered.length === 0) return false;
    const { files: changed, isMore } = await takeUnchanged(folder, gathered);
    const matched = new Set(await matchFiles(folder, changed, match, folder.watch.signal));
    // The user may have changed the rules while folders were matched.
    const { onClash } = folder.row;
    const hours = hoursOf(folder.row);
    const { isOpenNow, isHeld } = rulesOf(folder, officeHours, new Date(now()));
    const due = changed.filter((file) =>
      targetOf(folder, file.path) === undefined ? matched.has(file) : !isHeld(file),
    );
    let uploadId: string | undefined;
    let isMoreMoved = false;
    for (let from = 0; from < due.length && !isMoreMoved; from += SLICE_FILES) {
      await setImmediate();
      const fresh = await takeMoved(folder, due.slice(from, from + SLICE_FILES));
      isMoreMoved = fresh.isMore;
      const portions = portionsOf(folder, await stillThere(folder, fresh.files));
      // Another user may have signed in, or the folder may have been removed.
      if (!isWatched(folder)) return false;
      if (portions.length === 0) continue;
      const batches = await uploads.startTogether({
        // A schedule is set even if there are no hours, so that hours which are set later apply to the batch.
        // `overruled`: the user sends the files despite closed hours.
        schedule: { hours, watchedId: row.id, overruled: !isOpenNow },
        uploads: portions.map(({ folder: below, assignmentId, files }) => ({
          ...sourceOf(row, below, files),
          // Only these versions are sent, even if other files take their places.
          found: files.map((file) => ({ ...file, path: baseName(file.path) })),
          assignmentId,
          onClash,
        })),
        uploadId,
      });
      uploadId = batches[0]?.uploadId;
      others.own(batches);
      take(
        folder,
        portions.flatMap(({ assignmentId, files }, index) =>
          files.map((file) => ({ ...file, assignmentId, batch: batches[index]?.batchId })),
        ),
      );
      folder.sentAtMs = now();
    }
    return isMore || isMoreMoved;
  };
};

/** The files that are not left out. `isMore`: a later pass has to compare further files. */
type Kept = { readonly files: readonly CompleteFile[]; readonly isMore: boolean };

/**
 * Resolves to the taken versions that may be this file before it was moved, perhaps several times. Leaves out versions
 * sent to another assignment, and hard links to a file that is still at the other path.
 */
const earlierOf = async (
  store: Pick<WatchedStore, 'movedFrom'>,
  folder: OpenFolder,
  file: CompleteFile,
): Promise<readonly TakenFile[]> => {
  const target = targetOf(folder, file.path);
  const earlier: TakenFile[] = [];
  for (const before of store.movedFrom(folder.row.id, file)) {
    if (target !== undefined && before.assignmentId !== undefined && before.assignmentId !== target) continue;
    const there = await folder.watch.look(before.path);
    if (there === undefined || there === 'folder' || there.identity?.id !== file.identity?.id) earlier.push(before);
  }
  return earlier;
};

/**
 * Files of one folder that go to one assignment as a batch. `folder`: a path below the watched folder, with `/` between
 * names.
 */
type Portion = { readonly folder: string; readonly assignmentId: string; readonly files: readonly ScannedFile[] };

/** The files that have an assignment, in groups that become batches. */
const portionsOf = (folder: OpenFolder, files: readonly CompleteFile[]): readonly Portion[] =>
  [...Map.groupBy(files, ({ path }) => JSON.stringify([folderOf(path), targetOf(folder, path)]))].flatMap(
    ([, [first, ...rest]]) => {
      const assignmentId = first && targetOf(folder, first.path);
      return first && assignmentId !== undefined
        ? [{ folder: folderOf(first.path), assignmentId, files: [first, ...rest] }]
        : [];
    },
  );

/** Applies the folder's rules. `isHeld`: whether a file with an assignment waits because of a pause or the hours. */
const rulesOf = (folder: OpenFolder, officeHours: Hours, moment: Date) => {
  const { paused, hours } = folder.row;
  const isOpenNow = isOpen(hours, moment) && isOpen(officeHours, moment);
  const isHeld = (file: CompleteFile): boolean =>
    targetOf(folder, file.path) !== undefined && (paused || !(isOpenNow || folder.now.has(file)));
  return { isOpenNow, isHeld };
};

const eachOf = <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> =>
  forEachAsync(all, work, { concurrency: AT_ONCE });

// Uploads that were not started by a watched folder but take files from it, such as those of a draft.

type OtherUploadsOptions = {
  readonly uploads: Pick<WatchedUploads, 'present' | 'versions'>;
  readonly folders: () => readonly OpenFolder[];
  readonly take: (folder: OpenFolder, files: readonly TakenFile[]) => void;
  readonly inTurn: <T>(task: () => Promise<T>) => Promise<T>;
};

type OtherUploads = ReturnType<typeof createOtherUploads>;

export const createOtherUploads = ({ uploads, folders, take, inTurn }: OtherUploadsOptions) => {
  const seen = new Set<string>();
  const taking = new Set<string>();

  const takeFiles = async (batch: Batch): Promise<void> => {
    const { batchId, root, AssignmentId } = batch;
    const touched = folders().filter(({ row }) => overlaps(row.root, root) && maySendTo(row, AssignmentId));
    if (touched.length === 0) return;
    const versions = await versionsIn(uploads, batch);
    // A review opens archives, so the batch may have taken the files in an archive and not the archive itself.
    const taken = new Map([...versions].map(([place, one]) => [archiveOf(place), archiveFacts(one, one.sizeBytes)]));
    for (const folder of touched) {
      const files = folder.watch.readable().filter((file) => {
        const version = taken.get(join(folder.row.root, file.path));
        return version && !isOtherVersion({ ...version, identity: version.identity ?? file.identity }, file);
      });
      if (files.length > 0) {
        take(
          folder,
          files.map((file) => ({ ...file, assignmentId: AssignmentId, batch: batchId })),
        );
      }
    }
  };

  return {
    /** Records that these batches were started by watched folders. */
    own: (batches: readonly Batch[]): void => {
      for (const { batchId } of batches) seen.add(batchId);
    },
    /**
     * Records the files that a batch took, once it has found all of them; of the files that are not complete, only
     * those that it can read. Does nothing for a batch of `own`, for one whose files were recorded before, and for
     * folders whose files go to another assignment.
     */
    see: async (batch: Batch): Promise<void> => {
      const { batchId, state } = batch;
      if (seen.has(batchId) || (state !== 'running' && state !== 'finished')) return;
      seen.add(batchId);
      taking.add(batchId);
      try {
        await inTurn(() => takeFiles(batch));
      } catch (error) {
        seen.delete(batchId);
        throw error;
      } finally {
        taking.delete(batchId);
      }
    },
    /**
     * Returns a function that tells whether another upload may take the file at an absolute path: it is about to, or it
     * waits for the time that the user has chosen.
     */
    mayTake: (row: FolderRow): ((path: string) => boolean) => {
      const isNext = (batch: Batch): boolean =>
        batch.state === 'scanning' || (canReschedule(batch) && batch.files === 0 && maySendTo(row, batch.AssignmentId));
      const roots = uploads
        .present()
        .filter((batch) => taking.has(batch.batchId) || (!seen.has(batch.batchId) && isNext(batch)))
        .map(({ root }) => root);
      return (path) => roots.some((root) => isBelow(root, path));
    },
  };
};

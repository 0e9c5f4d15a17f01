/** From the complete files of a watched folder to an upload. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isOpen } from '../../contract/hours.ts';
import type { FolderReader } from './folder-watch.ts';
import { matchFiles, type OpenFolder, sourceOf, targetOf } from './open-folder.ts';
import type { OtherUploads } from './other-uploads.ts';
import { type CompleteFile, type FoundFile, folderOf, jobOf } from './pending-files.ts';
import { isGathered, type Portion } from './release.ts';
import type { JobFolder, WatchedFoldersOptions, WatchedTimes } from './watched-parts.ts';
import type { TakenFile } from './watched-store.ts';

type SenderOptions = Pick<WatchedFoldersOptions, 'store' | 'uploads' | 'now'> & {
  readonly look: FolderReader['look'];
  readonly match: (folders: readonly JobFolder[]) => ReturnType<WatchedFoldersOptions['match']>;
  readonly others: Pick<OtherUploads, 'own' | 'mayTake'>;
  readonly take: (folder: OpenFolder, files: readonly TakenFile[]) => void;
  /** Whether the folder is still watched for the user who is signed in. */
  readonly isWatched: (folder: OpenFolder) => boolean;
  readonly times: Pick<WatchedTimes, 'gatherMs'>;
};

/** Files that are looked up and recorded at once: few enough for this thread not to be held up. */
const SLICE_FILES = 1_000;

/**
 * Matches what is complete, and uploads what has an assignment and may be sent now. If the app dies before it has recorded
 * what it took, the files are uploaded again, and skipped because their content is there.
 * Errors: `auth/required`, `upload/folder-…`, `data/…`, those of `match`.
 */
export const createSender = ({ store, uploads, now, look, match, others, take, isWatched, times }: SenderOptions) => {
  const portionsOf = (folder: OpenFolder, files: readonly CompleteFile[]): readonly Portion[] =>
    [...Map.groupBy(files, ({ path }) => JSON.stringify([folderOf(path), targetOf(folder, path)]))].flatMap(
      ([, [first, ...rest]]) => {
        const assignmentId = first && targetOf(folder, first.path);
        return first && assignmentId !== undefined
          ? [{ folder: folderOf(first.path), assignmentId, files: [first, ...rest] }]
          : [];
      },
    );

  /** Leaves out what was sent under another path, unless it now belongs to another assignment, or is a link to that file. */
  const takeMoved = async (folder: OpenFolder, files: readonly CompleteFile[]): Promise<readonly CompleteFile[]> => {
    const moved: TakenFile[] = [];
    for (const file of files) {
      const before = store.movedFrom(folder.row.id, file);
      if (!before) continue;
      const target = targetOf(folder, file.path);
      if (target !== undefined && before.assignmentId !== undefined && before.assignmentId !== target) continue;
      const there = await look(join(folder.row.root, before.path));
      if (there !== undefined && there !== 'folder' && there.id === file.facts.id) continue;
      moved.push({ ...file, assignmentId: before.assignmentId });
    }
    if (moved.length > 0) take(folder, moved);
    const paths = new Set(moved.map(({ path }) => path));
    return files.filter(({ path }) => !paths.has(path));
  };

  return async (folder: OpenFolder): Promise<void> => {
    const { row, watch } = folder;
    if (watch.state() !== 'watching') return;
    const nowMs = performance.now();
    const isOthers = others.mayTake();
    const free = watch.complete().filter(({ path }) => !isOthers(join(row.root, path)));
    const gathered = [...Map.groupBy(free, ({ path }) => jobOf(path))].flatMap(([job, files]) =>
      isGathered(files, watch.isUnsettled(job), { nowMs, gatherMs: times.gatherMs }) ? files : [],
    );
    if (gathered.length === 0) return;
    const matched = new Set(await matchFiles(folder, gathered, match));
    // What was changed by a person while folders were matched counts.
    const { onClash, hours, paused } = folder.row;
    const isOpenNow = isOpen(hours, new Date(now()));
    const isAllowed = ({ path }: FoundFile): boolean => !paused && (isOpenNow || folder.now.has(path));
    const due = gathered.filter((file) =>
      targetOf(folder, file.path) === undefined ? matched.has(file) : isAllowed(file),
    );
    let uploadId: string | undefined;
    for (let from = 0; from < due.length; from += SLICE_FILES) {
      await setImmediate();
      const portions = portionsOf(folder, await takeMoved(folder, due.slice(from, from + SLICE_FILES)));
      // Somebody else may have signed in, or the folder may have been removed.
      if (!isWatched(folder)) return;
      if (portions.length === 0) continue;
      const batches = await uploads.startTogether({
        // What a person sends outside the hours is not held back by them.
        ...(hours.length > 0 && { schedule: { hours, watchedId: row.id, overruled: !isOpenNow } }),
        uploads: portions.map(({ folder: below, assignmentId, files }) => ({
          ...sourceOf(row, below, files),
          assignmentId,
          onClash,
        })),
        uploadId,
      });
      uploadId = batches[0]?.uploadId;
      others.own(batches);
      take(
        folder,
        portions.flatMap(({ assignmentId, files }) => files.map((file) => ({ ...file, assignmentId }))),
      );
      folder.sentAtMs = now();
    }
  };
};

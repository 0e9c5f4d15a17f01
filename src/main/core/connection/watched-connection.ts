/** The watched folders of a connection, connected with its other services. */
import { lstat, open } from 'node:fs/promises';
import { dirname, join, toNamespacedPath } from 'node:path';
import { assignmentName } from '../../../contract/resources.ts';
import { wallNow } from '../../async/clock.ts';
import type { Cache } from '../../cache/cache.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import { type FileFacts, factsOf } from '../../uploads/source/file-identity.ts';
import { unreadable } from '../../uploads/source/open-file.ts';
import { readFlags, realPath, realRootOf } from '../../uploads/source/paths.ts';
import { assertFolder, leftOutByName, scanFolder } from '../../uploads/source/scan.ts';
import type { FolderReader } from '../../watching/folder-watch.ts';
import type { Facts } from '../../watching/pending-files.ts';
import { createWatchedFolders, type WatchedFolders, type WatchedTimes } from '../../watching/watched-folders.ts';

/** Times of watched folders. `now`: the clock for their upload hours. */
export type WatchSettings = {
  readonly times?: Partial<WatchedTimes>;
  readonly now?: () => number;
  /** Opens a file to find out whether another program has locked it. Tests replace it. */
  readonly openFile?: typeof open;
};

type Passed = 'store' | 'owner' | 'isSignedIn' | 'match' | 'onChange' | 'onBug';

type WatchedConnection = WatchSettings & {
  readonly connectionId: string;
  readonly uploads: RemoteUploads;
  readonly cache: Pick<Cache, 'assignment'>;
} & Pick<Parameters<typeof createWatchedFolders>[0], Passed>;

/** Creates the watched folders of a connection, which are not watched before the first `sessionChanged`. */
export const createWatchedConnection = (options: WatchedConnection): WatchedFolders => {
  const { uploads, cache, connectionId, openFile, now = wallNow, ...others } = options;
  async function* versions(batch: string) {
    for (let afterId = 0; ; ) {
      const files = await uploads.versions(batch, afterId);
      yield* files;
      const last = files.at(-1);
      if (last === undefined) return;
      afterId = last.id;
    }
  }
  const { startTogether, present, resume, setSchedule, contentOf } = uploads;
  return createWatchedFolders({
    ...others,
    uploads: { startTogether, present, resume, setSchedule, versions, contentOf },
    reader: createWatchedReader(openFile),
    title: (assignmentId) => {
      const known = cache.assignment(connectionId, assignmentId)?.assignment;
      return known && assignmentName(known);
    },
    now,
  });
};

// Watched folders are scanned by the scan of uploads, so that watching and uploading leave out the same files.

const NO_IDENTITY = { id: '', changedMs: 0 };

const watchedFacts = ({ sizeBytes, modifiedMs, identity = NO_IDENTITY }: FileFacts): Facts => ({
  sizeBytes,
  modifiedMs,
  ...identity,
});

const createWatchedReader = (
  openFile: typeof open = open,
): FolderReader & { readonly realRoot: (root: string) => Promise<string | undefined> } => ({
  assertFolder,
  realRoot: (root) => realRootOf({ root }),
  async *scan(folder, signal, onFolder) {
    for await (const files of scanFolder(folder, signal, { onFolder: ({ path }) => onFolder(path) }).files) {
      yield files.map(({ path, ...facts }) => ({ path, facts: watchedFacts(facts) }));
    }
  },
  look: async (folder, path) => {
    const place = join(folder.root, path);
    const within = await realRootOf(folder);
    const real = await realPath(dirname(place)).catch(() => undefined);
    // The folder is gone, or a link has replaced a folder of the path: the target of a link is not watched.
    if (within === undefined || real !== dirname(join(within, path))) return undefined;
    const stats = await lstat(toNamespacedPath(place), { bigint: true }).catch(() => undefined);
    if (stats?.isDirectory()) return 'folder';
    return stats?.isFile() ? watchedFacts(factsOf(stats)) : undefined;
  },
  canOpen: async (path) => {
    try {
      await (await openFile(toNamespacedPath(path), readFlags())).close();
      return true;
    } catch (error) {
      // A file that cannot be read for another reason fails when it is uploaded, and the upload shows the error.
      return unreadable(error).code !== 'upload/file-locked';
    }
  },
  isLeftOut: (name) => leftOutByName(name) !== undefined,
});

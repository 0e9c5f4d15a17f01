/** How watched folders are read: as uploads read them, so that the same files are left out. */
import { lstat, open } from 'node:fs/promises';
import { dirname, join, toNamespacedPath } from 'node:path';
import { type FileFacts, factsOf } from '../../uploads/source/file-identity.ts';
import { unreadable } from '../../uploads/source/open-patiently.ts';
import { realPath, realRootOf } from '../../uploads/source/paths.ts';
import { readFlags } from '../../uploads/source/read-flags.ts';
import { assertFolder, leftOutByName, scanFolder } from '../../uploads/source/scan.ts';
import type { FolderReader } from '../../watching/folder-watch.ts';
import type { Facts } from '../../watching/stillness.ts';

/** A file system may not have numbers for its files. */
const NO_IDENTITY = { id: '', changedMs: 0 };

const watchedFacts = ({ sizeBytes, modifiedMs, identity = NO_IDENTITY }: FileFacts): Facts => ({
  sizeBytes,
  modifiedMs,
  ...identity,
});

type WatchedReader = FolderReader & { readonly realRoot: (root: string) => Promise<string | undefined> };

/** `openFile`: for tests. */
export const createWatchedReader = (openFile: typeof open = open): WatchedReader => ({
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
    // A link took the place of a folder on the way: what is behind it is not watched.
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
      // What cannot be read at all fails when it is uploaded, and is shown there.
      return unreadable(error).code !== 'upload/file-locked';
    }
  },
  isLeftOut: (name) => leftOutByName(name) !== undefined,
});

/** The calls that remove several files from an assignment. */
import type { Handlers } from '../../../contract/calls/calls.ts';
import type { RemovableFile } from '../../../contract/outbox.ts';
import type { ConnectionSwitch } from '../connection/connection-switch.ts';

/** How many files of a folder are named. */
const MOST_NAMES = 5;
/** People choose from a list. */
const MOST_FOLDERS = 1000;

type RemovalHandlers = Pick<Handlers['files'], 'removable' | 'remove' | 'removal'>;

export const createRemovalHandlers = ({ connected }: Pick<ConnectionSwitch, 'connected'>): RemovalHandlers => ({
  removable: async ({ batchId }) => {
    const { files } = await connected().uploads.removable(batchId);
    const folders = new Map<string, { files: number; bytes: number; names: string[] }>();
    for (const { path, FileName, sizeBytes } of files) {
      for (const folder of foldersAbove(path)) {
        const found = folders.get(folder) ?? { files: 0, bytes: 0, names: [] };
        folders.set(folder, found);
        found.files += 1;
        found.bytes += sizeBytes;
        if (found.names.length < MOST_NAMES) found.names.push(FileName);
      }
    }
    const sorted = [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, MOST_FOLDERS);
    return sorted.map(([folder, found]) => ({ folder, ...found }));
  },
  remove: async (wanted) => {
    const { uploads, outbox } = connected();
    if ('Keys' in wanted) {
      const known = new Map((await uploads.knownFiles(wanted.AssignmentId)).map((file) => [file.Key, file]));
      const files = wanted.Keys.map((Key): RemovableFile => known.get(Key) ?? { Key, FileName: Key });
      return outbox.removeFiles(wanted.AssignmentId, files);
    }
    const { AssignmentId, files } = await uploads.removable(wanted.batchId);
    return outbox.removeFiles(
      AssignmentId,
      files.filter(({ path }) => foldersAbove(path).includes(wanted.folder)),
    );
  },
  removal: ({ id }) => connected().outbox.removal(id),
});

/** All folders above a path, from the chosen one (`''`) down. */
export const foldersAbove = (path: string): readonly string[] => {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
};

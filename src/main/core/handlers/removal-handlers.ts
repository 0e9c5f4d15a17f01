/** The calls that remove several files from an assignment. */
import type { Handlers } from '../../../contract/calls.ts';
import type { RemovableFile } from '../../../contract/offline.ts';
import type { RemoteUploads } from '../../uploads/engine/start-engine.ts';
import type { ConnectionSwitch } from '../connection/connection-switch.ts';

/** How many files of a folder are named. */
const MOST_NAMES = 5;
/** People choose from a list. */
const MOST_FOLDERS = 1000;

type RemovalHandlers = Pick<Handlers['files'], 'removable' | 'remove' | 'removal'>;

export const createRemovalHandlers = ({ connected }: Pick<ConnectionSwitch, 'connected'>): RemovalHandlers => ({
  removable: async ({ batchId }) => {
    const folders = new Map<string, { files: number; bytes: number; names: string[] }>();
    for (const { path, FileName, sizeBytes } of await removableFiles(connected().uploads, batchId)) {
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
    const { AssignmentId } = await uploads.get(wanted.batchId);
    return outbox.removeFiles(AssignmentId, await removableFiles(uploads, wanted.batchId, wanted.folder));
  },
  removal: ({ id, ...window }) => connected().outbox.removal(id, window),
});

type Removable = Awaited<ReturnType<RemoteUploads['removable']>>['files'][number];

/** The uploaded files of a batch that are still known to be on its assignment: all, or those in a folder of it and below. */
export const removableFiles = async (
  uploads: Pick<RemoteUploads, 'removable'>,
  batch: string,
  folder = '',
): Promise<readonly Removable[]> => {
  const files: Removable[] = [];
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const page: Awaited<ReturnType<RemoteUploads['removable']>> = await uploads.removable(batch, afterId);
    files.push(...page.files.filter(({ path }) => foldersAbove(path).includes(folder)));
    afterId = page.lastId;
  }
  return files;
};

/** All folders above a path, from the chosen one (`''`) down. */
const foldersAbove = (path: string): readonly string[] => {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
};

/** The chosen or dropped folders and files. The renderer knows their names and opaque ids, but not their paths. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import type { Folder } from '../../../contract/watched-folders.ts';
import { archiveOf } from '../../uploads/source/paths.ts';
import type { Source } from '../../uploads/source/scan.ts';

export type Folders = ReturnType<typeof createFolders>;

export const createFolders = () => {
  const sources = new Map<string, Source>();
  const adopt = (source: Source): Folder => {
    const folderId = randomUUID();
    sources.set(folderId, source);
    return { folderId, name: sourceName(source) };
  };
  return {
    adopt,
    /** Assigns an id to each folder, and one id to all files of the same folder. Errors: `upload/file-missing`. */
    adoptPaths: async (paths: readonly string[]): Promise<readonly Folder[]> => (await sourcesOf(paths)).map(adopt),
    /** Returns the source with this id. Errors: `input/invalid` for an unknown id. */
    sourceOf: (folderId: string): Source => {
      const source = sources.get(folderId);
      if (source) return source;
      throw new DeskError('input/invalid', 'there is no such folder', { details: { field: 'folderId' } });
    },
  };
};

/** Returns the name for users: that of the only file or of its archive; otherwise that of the folder. */
export const sourceName = ({ root, only = [] }: Source): string => {
  const [file, ...others] = only;
  return file !== undefined && others.length === 0 ? archiveOf(file) : basename(root);
};

const sourcesOf = async (paths: readonly string[]): Promise<readonly Source[]> => {
  const sources = new Map<string, { readonly root: string; only?: string[] }>();
  for (const path of paths) {
    const found = await stat(path).catch((cause) => {
      throw new DeskError('upload/file-missing', 'the dropped file does not exist', { cause });
    });
    if (found.isDirectory()) {
      sources.set(path, { root: path });
      continue;
    }
    const root = dirname(path);
    const source = sources.get(`files of ${root}`) ?? { root, only: [] };
    source.only?.push(basename(path));
    sources.set(`files of ${root}`, source);
  }
  return [...sources.values()];
};

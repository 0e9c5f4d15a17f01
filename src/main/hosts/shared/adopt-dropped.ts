/** Folders and files dropped on the window. */
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import type { Folder } from '../../../contract/folders.ts';
import type { Source } from '../../uploads/source/scan.ts';

/**
 * Adopts each folder of `paths` as it is, and the files together with the others of their folder: each is an upload.
 * Errors: `upload/file-missing`.
 */
export const adoptDropped = async (
  adopt: (source: Source) => Folder,
  paths: readonly string[],
): Promise<readonly Folder[]> => {
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
  return [...sources.values()].map(adopt);
};

/** Folders and files that were chosen or dropped. The renderer knows them by opaque ids, never by paths. */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import type { Folder } from '../../../contract/folders.ts';
import type { Source } from '../../uploads/source/scan.ts';

export type Folders = {
  /** Assigns an id to `source`. */
  readonly adopt: (source: Source) => Folder;
  /** The source with this id. Errors: `input/invalid` for an unknown id. */
  readonly sourceOf: (folderId: string) => Source;
};

export const createFolders = (): Folders => {
  const sources = new Map<string, Source>();
  return {
    adopt: (source) => {
      const folderId = randomUUID();
      sources.set(folderId, source);
      return { folderId, name: sourceName(source) };
    },
    sourceOf: (folderId) => {
      const source = sources.get(folderId);
      if (source) return source;
      throw new DeskError('input/invalid', 'there is no such folder', { details: { field: 'folderId' } });
    },
  };
};

/** The name that people know: that of its only file, or of its folder. */
export const sourceName = ({ root, only = [] }: Source): string => {
  const [file, ...others] = only;
  return file !== undefined && others.length === 0 ? file : basename(root);
};

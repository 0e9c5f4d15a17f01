/** What a person chose in a dialog or dropped on the window: the renderer knows it by an opaque id, by no path. */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import type { Folder } from '../../../contract/upload-preview.ts';
import type { Source } from '../../uploads/source/scan.ts';

export type Folders = {
  /** Gives `source` an id. */
  readonly adopt: (source: Source) => Folder;
  /** What an id stands for. Errors: `input/invalid` where there is none. */
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

/** What people call it: the one file that it has, or its folder. */
export const sourceName = ({ root, only = [] }: Source): string => {
  const [file, ...others] = only;
  return file !== undefined && others.length === 0 ? file : basename(root);
};

/** Files that the app saves, for download by a browser, which has no save dialog. */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FOLDER_MODE } from '../../data/data-directory.ts';

export type Downloads = {
  /** A path under `root` for a file called `name`, which it may be written to. */
  readonly place: (name: string) => Promise<string>;
  /** The id under which the browser gets the file that was written to `path`. */
  readonly offer: (path: string) => string;
  /** The file of that id, once; undefined where there is none. */
  readonly take: (
    id: string,
  ) => Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> } | undefined>;
};

/** Keeps files below `root`, which is made where missing, until they are taken. */
export const createDownloads = (root: string): Downloads => {
  const offered = new Map<string, string>();
  return {
    place: async (name) => {
      const folder = join(root, randomUUID());
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      return join(folder, basename(name));
    },
    offer: (path) => {
      const id = randomUUID();
      offered.set(id, path);
      return id;
    },
    take: async (id) => {
      const path = offered.get(id);
      if (path === undefined) return undefined;
      offered.delete(id);
      const bytes = new Uint8Array(await readFile(path));
      await rm(join(path, '..'), { recursive: true });
      return { name: basename(path), bytes };
    },
  };
};

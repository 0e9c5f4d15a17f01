/**
 * Folders that a browser hands over file by file. They are kept as copies under the data directory, since an upload
 * may have to go on after a restart.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DeskError } from '../../contract/errors.ts';
import { FILE_MODE, FOLDER_MODE } from '../data-directory.ts';

export type Staging = {
  /** Opens an empty place and answers its id. */
  readonly open: () => Promise<string>;
  /** Keeps one file. `path` is relative with `/` and starts with the name of the folder that was picked. */
  readonly add: (id: string, path: string, body: ReadableStream<Uint8Array> | null) => Promise<void>;
  /** The absolute paths of the folders that were handed over. */
  readonly folders: (id: string) => Promise<readonly string[]>;
};

/** Staging under `root`. Ids and paths come from a page: what could lead out of the place is `input/invalid`. */
export const createStaging = (root: string): Staging => {
  const opened = new Set<string>();

  const place = (id: string): string => {
    if (!opened.has(id)) throw new DeskError('input/invalid', 'there is no such staging', { details: { field: 'id' } });
    return join(root, id);
  };

  return {
    open: async () => {
      const id = randomUUID();
      await mkdir(join(root, id), { recursive: true, mode: FOLDER_MODE });
      opened.add(id);
      return id;
    },
    add: async (id, path, body) => {
      const target = join(place(id), ...safeSegments(path));
      await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
      await pipeline(body ?? [], createWriteStream(target, { flags: 'wx', mode: FILE_MODE }));
    },
    folders: async (id) => {
      const entries = await readdir(place(id), { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(place(id), name));
    },
  };
};

/** Copies stay at least for as long as somebody may come back to what they are of. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/** Removes what was handed over more than a day before `nowMs`, but for the `folders` that are needed still. */
export const cleanStaging = async (root: string, folders: readonly string[], nowMs: number): Promise<void> => {
  const needed = new Set(folders.map(dirname));
  for (const id of await readdir(root).catch(() => [])) {
    const place = join(root, id);
    if (needed.has(place) || nowMs - (await stat(place)).mtimeMs < KEEP_MS) continue;
    await rm(place, { recursive: true });
  }
};

/** What is no part of a name here: on Windows also what leads to other places. Elsewhere files may be named with it. */
const notInNames = process.platform === 'win32' ? /[\\:\0]/ : /\0/;

/** The segments of `path`, at least a folder and a file, when each is a plain name on this system. */
const safeSegments = (path: string): readonly string[] => {
  const segments = path.split('/');
  const isSafe = (segment: string) => !['', '.', '..'].includes(segment) && !notInNames.test(segment);
  if (segments.length > 1 && segments.every(isSafe)) return segments;
  throw new DeskError('input/invalid', 'not a path inside the folder', { details: { field: 'path' } });
};

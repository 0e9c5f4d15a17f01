/**
 * Folders that a browser hands over file by file. They are kept as copies under the data directory, since an upload
 * may have to continue after a restart.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf, DeskError } from '../../../contract/errors.ts';
import { FILE_MODE, FOLDER_MODE } from '../../data/files.ts';

export type Staging = {
  /** Creates an empty folder and returns its id. */
  readonly open: () => Promise<string>;
  /**
   * Stores one file. `path` is relative with `/` and starts with the name of the picked folder. Errors:
   * `input/invalid`, `preview/too-large`, `data/unwritable`; a rejected file leaves nothing behind.
   */
  readonly add: (id: string, path: string, body: ReadableStream<Uint8Array> | null) => Promise<void>;
  /** The absolute paths of the folders that were handed over. */
  readonly folders: (id: string) => Promise<readonly string[]>;
};

type StagingLimits = { readonly fileBytes: number; readonly totalBytes: number; readonly files: number };

const GIB = 1024 ** 3;
/** For more, there is the desktop app, which copies nothing. */
const LIMITS: StagingLimits = { fileBytes: 2 * GIB, totalBytes: 8 * GIB, files: 50_000 };

/**
 * Staging under `root`, of no more than `limits` from one start to the next. Ids and paths come from a page: what could
 * lead out of the place is `input/invalid`.
 */
export const createStaging = (root: string, limits: StagingLimits = LIMITS): Staging => {
  const opened = new Set<string>();
  const staged = { bytes: 0, files: 0 };

  const place = (id: string): string => {
    if (!opened.has(id)) throw new DeskError('input/invalid', 'there is no such staging', { details: { field: 'id' } });
    return join(root, id);
  };

  /** Passes a file on as long as there is room for it, and calls `count` with the size of each chunk. */
  const bounded = async function* (body: AsyncIterable<Uint8Array>, count: (bytes: number) => void) {
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      count(chunk.byteLength);
      if (bytes > limits.fileBytes) throw tooLarge('fileSize');
      if (staged.bytes > limits.totalBytes) throw tooLarge('totalSize');
      yield chunk;
    }
  };

  return {
    open: async () => {
      const id = randomUUID();
      await mkdir(join(root, id), { recursive: true, mode: FOLDER_MODE }).catch(refuse);
      opened.add(id);
      return id;
    },
    add: async (id, path, body) => {
      const target = join(place(id), ...safeSegments(path));
      if (staged.files >= limits.files) throw tooLarge('fileCount');
      await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE }).catch(refuse);
      const file = await open(target, 'wx', FILE_MODE).catch(refuse);
      let bytes = 0;
      const count = (more: number): void => {
        bytes += more;
        staged.bytes += more;
      };
      try {
        staged.files += 1;
        await pipeline(bounded(body ?? new Blob().stream(), count), file.createWriteStream());
      } catch (error) {
        staged.files -= 1;
        staged.bytes -= bytes;
        await rm(target, { force: true });
        refuse(error);
      }
    },
    folders: async (id) => {
      const entries = await readdir(place(id), { withFileTypes: true });
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(place(id), name));
    },
  };
};

const tooLarge = (limit: 'fileSize' | 'totalSize' | 'fileCount'): DeskError =>
  new DeskError('preview/too-large', 'more than the preview accepts', { details: { limit } });

/**
 * Errors of the system for an unusable name: it is taken, a folder's, too long, or contains characters not allowed
 * here.
 */
const NOT_A_NAME: ReadonlySet<unknown> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'EILSEQ']);

const refuse = (error: unknown): never => {
  if (error instanceof DeskError) throw error;
  if (NOT_A_NAME.has(codeOf(error))) throw invalidPath(error);
  throw new DeskError('data/unwritable', 'the copy cannot be written', {
    details: { path: 'preview-staging' },
    cause: error,
  });
};

const invalidPath = (cause?: unknown): DeskError =>
  new DeskError('input/invalid', 'not a path inside the folder', { details: { field: 'path' }, cause });

/** Minimum time that copies are kept, so that their upload can be resumed. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/** Removes copies older than a day at `nowMs`, except `folders` that are still needed. */
export const cleanStaging = async (root: string, folders: readonly string[], nowMs: number): Promise<void> => {
  const needed = new Set(folders.map(dirname));
  for (const id of await readdir(root).catch(() => [])) {
    const place = join(root, id);
    if (needed.has(place) || nowMs - (await stat(place)).mtimeMs < KEEP_MS) continue;
    await rm(place, { recursive: true });
  }
};

/**
 * Characters not allowed in names: on Windows also those that lead to other folders. Elsewhere these are valid in file
 * names.
 */
const notInNames = process.platform === 'win32' ? /[\\:\0]/ : /\0/;

/** The segments of `path`, at least a folder and a file, when each is a plain name on this system. */
const safeSegments = (path: string): readonly string[] => {
  const segments = path.split('/');
  const isSafe = (segment: string) => !['', '.', '..'].includes(segment) && !notInNames.test(segment);
  if (segments.length > 1 && segments.every(isSafe)) return segments;
  throw invalidPath();
};

/** Reading a folder: every regular file below it, in a stable order, without following links. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DeskError } from '../../contract/errors.ts';
import type { LeftOut } from '../../contract/models.ts';

/** A file as it was when scanned. `path`: below the root, with `/`. `modifiedMs`: ms since 1970, with fractions. */
export type ScannedFile = { readonly path: string; readonly sizeBytes: number; readonly modifiedMs: number };

export type Scan = {
  readonly files: AsyncGenerator<ScannedFile, void>;
  /** Counts so far of what was left out. */
  readonly leftOut: () => LeftOut;
};

/** Files that Windows, macOS and Office put into folders for themselves. */
const SYSTEM_FILE = /^(thumbs\.db|desktop\.ini|\.ds_store|~\$.*)$/i;

/**
 * Makes sure that `root` is a folder that can be listed.
 * Errors: `upload/folder-missing`, `upload/not-a-folder`, `upload/folder-unreadable`.
 */
export const assertFolder = async (root: string): Promise<void> => {
  const details = { path: root };
  const found = await stat(root).catch(() => undefined);
  if (!found) throw new DeskError('upload/folder-missing', 'there is no such folder', { details });
  if (!found.isDirectory()) throw new DeskError('upload/not-a-folder', 'that is not a folder', { details });
  await readdir(root).catch((cause) => {
    throw new DeskError('upload/folder-unreadable', 'the folder cannot be read', { details, cause });
  });
};

/** Walks the folder `root` depth first in name order. What cannot be read below it is counted, not thrown. */
export const scanFolder = (root: string, signal?: AbortSignal): Scan => {
  const leftOut = { hidden: 0, system: 0, links: 0, unreadable: 0 };

  async function* walk(folder: string, prefix: string): AsyncGenerator<ScannedFile, void> {
    for (const entry of await list(folder)) {
      signal?.throwIfAborted();
      const reason = reasonToLeaveOut(entry);
      if (reason) {
        leftOut[reason] += 1;
      } else if (entry.isDirectory()) {
        yield* walk(join(folder, entry.name), `${prefix}${entry.name}/`);
      } else if (entry.isFile()) {
        const found = await lstat(join(folder, entry.name)).catch(() => undefined);
        if (found) yield { path: prefix + entry.name, sizeBytes: found.size, modifiedMs: found.mtimeMs };
        else leftOut.unreadable += 1;
      }
    }
  }

  const list = async (folder: string): Promise<readonly Dirent[]> => {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
      leftOut.unreadable += 1;
      return [];
    }
  };

  return { files: walk(root, ''), leftOut: () => ({ ...leftOut }) };
};

const reasonToLeaveOut = (entry: Dirent): keyof LeftOut | undefined => {
  if (SYSTEM_FILE.test(entry.name)) return 'system';
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.isSymbolicLink()) return 'links';
  return undefined;
};

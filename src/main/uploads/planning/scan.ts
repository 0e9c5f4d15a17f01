/** Reading a folder: every regular file below it, in a stable order, without following links or holding it all. */
import type { Dirent } from 'node:fs';
import { lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import type { LeftOut } from '../../../contract/models.ts';

/** A file as it was when scanned. `path`: below the root, with `/`. `modifiedMs`: ms since 1970, with fractions. */
export type ScannedFile = { readonly path: string; readonly sizeBytes: number; readonly modifiedMs: number };

/** A folder by its absolute path, or some of the files that lie directly in it, by their names. */
export type Source = { readonly root: string; readonly only?: readonly string[] | undefined };

export type Scan = {
  /** A few at a time. */
  readonly files: AsyncGenerator<readonly ScannedFile[], void>;
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
  try {
    const folder = await opendir(root);
    await folder.close();
  } catch (cause) {
    throw new DeskError('upload/folder-unreadable', 'the folder cannot be read', { details, cause });
  }
};

/** Entries of one folder that are sorted, and held, at once. */
const WINDOW_ENTRIES = 10_000;

/** Entries that the system is asked for at once. */
const READ_ENTRIES = 256;

/** Files whose size and time are asked for at once. */
const STAT_FILES = 32;

/**
 * Walks the source, as far as the files are asked for: the files of a folder before those of its subfolders,
 * each in name order (in a folder of more than 10,000 entries in that of each 10,000). What cannot be read below
 * `root` is counted, not thrown.
 */
export const scanFolder = ({ root, only }: Source, signal?: AbortSignal): Scan => {
  const wanted = only && new Set(only);
  const leftOut = { hidden: 0, system: 0, links: 0, unreadable: 0 };

  async function* walk(folder: string, prefix: string): AsyncGenerator<readonly ScannedFile[], void> {
    for await (const entries of windows(folder)) {
      const asked = wanted ? entries.filter((entry) => wanted.has(entry.name) && !entry.isDirectory()) : entries;
      const taken = asked.filter((entry) => {
        const reason = reasonToLeaveOut(entry);
        if (reason) leftOut[reason] += 1;
        return !reason;
      });
      yield* found(
        folder,
        prefix,
        taken.filter((entry) => entry.isFile()),
      );
      for (const { name } of taken.filter((entry) => entry.isDirectory())) {
        yield* walk(join(folder, name), `${prefix}${name}/`);
      }
    }
  }

  async function* found(folder: string, prefix: string, files: readonly Dirent[]) {
    for (let from = 0; from < files.length; from += STAT_FILES) {
      signal?.throwIfAborted();
      const group = files.slice(from, from + STAT_FILES).map(async ({ name }) => {
        const stats = await lstat(join(folder, name)).catch(() => undefined);
        return stats && { path: prefix + name, sizeBytes: stats.size, modifiedMs: stats.mtimeMs };
      });
      const there = (await Promise.all(group)).filter((file) => file !== undefined);
      leftOut.unreadable += group.length - there.length;
      yield there;
    }
  }

  async function* windows(folder: string): AsyncGenerator<readonly Dirent[], void> {
    let entries: Dirent[] = [];
    const sorted = () => entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    try {
      for await (const entry of await opendir(folder, { bufferSize: READ_ENTRIES })) {
        signal?.throwIfAborted();
        if (entries.push(entry) < WINDOW_ENTRIES) continue;
        yield sorted();
        entries = [];
      }
    } catch {
      signal?.throwIfAborted();
      leftOut.unreadable += 1;
    }
    yield sorted();
  }

  return { files: walk(root, ''), leftOut: () => ({ ...leftOut }) };
};

const reasonToLeaveOut = (entry: Dirent): keyof LeftOut | undefined => {
  if (SYSTEM_FILE.test(entry.name)) return 'system';
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.isSymbolicLink()) return 'links';
  return undefined;
};

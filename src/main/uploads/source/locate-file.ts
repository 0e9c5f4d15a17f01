/** Where a file or folder that was chosen is now, for programs that show it. */
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DeskError } from '../../../contract/errors.ts';
import { changed, linked, unreadable } from './open-file.ts';
import { isBelow, type KnownFolder, localPath, realPath, realRootOf } from './paths.ts';
import { assertFolder } from './scan.ts';

/** A file of a folder, with `/`; without `path` the folder itself. */
export type FilePlace = KnownFolder & { readonly path?: string | undefined };

/**
 * The path of what is there, as other programs read it. No link took its place, or that of a folder above it.
 * Errors: `upload/folder-…`, `upload/file-missing`, `upload/file-linked`, `upload/file-changed` (no file any more),
 * `upload/file-unreadable`.
 */
export const locateFile = async ({ path, ...folder }: FilePlace): Promise<string> => {
  const { root } = folder;
  if (path === undefined) {
    await assertFolder(folder);
    return root;
  }
  try {
    const found = await lstat(localPath(root, path)).catch((error) => {
      throw unreadable(error);
    });
    const place = join(root, path);
    const within = await realRootOf(folder);
    const real = join(await realPath(dirname(place)), basename(place));
    if (found.isSymbolicLink() || within === undefined || !isBelow(within, real)) throw linked();
    if (!found.isFile()) throw changed('it is not a file any more');
    return place;
  } catch (cause) {
    const { code, message } = cause instanceof DeskError ? cause : unreadable(cause);
    throw new DeskError(code, message, { details: { path }, cause });
  }
};

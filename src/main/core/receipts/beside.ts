/** Where receipts are saved beside what was uploaded. */
import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isWithin } from '../../data/user-file.ts';

/** The deepest folder that contains all of `folders`, or is the only one of them. */
export const commonFolder = (folders: readonly [string, ...string[]]): string => {
  let [common] = folders;
  while (!folders.every((folder) => isWithin(common, folder)) && dirname(common) !== common) common = dirname(common);
  return common;
};

/**
 * The folder that contains the uploaded folders, so that a later upload of these does not include the receipt. It is
 * outside all `scanned` folders, which are scanned repeatedly. Undefined if there is no such folder.
 */
export const besideFolder = (
  roots: readonly [string, ...string[]],
  scanned: readonly string[] = [],
): string | undefined => {
  let inner = commonFolder(roots);
  for (;;) {
    const outer = dirname(inner);
    if (outer === inner) return undefined;
    const around = scanned.find((folder) => isWithin(folder, outer));
    if (around === undefined) return outer;
    inner = around;
  }
};

/** A path in `folder` that is free: `NAME.EXT`, or the first of `NAME (2).EXT`, `NAME (3).EXT` and so on. */
export const freePath = async (folder: string, name: string, ending: string): Promise<string> => {
  for (let no = 1; ; no += 1) {
    const path = join(folder, `${name}${no === 1 ? '' : ` (${no})`}${ending}`);
    const isTaken = await access(path).then(
      () => true,
      () => false,
    );
    if (!isTaken) return path;
  }
};

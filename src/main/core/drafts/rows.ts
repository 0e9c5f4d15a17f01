/** The rows of a draft: which folders, or loose files of one, go to the same assignment. */

import { join } from 'node:path';
import type { Source } from '../../uploads/source/scan.ts';
import { type FolderTree, pathBelow, pathOf, type Totals, type TreeFolder } from './folder-tree.ts';

/** A whole folder, or (`loose`) the files that lie directly in it. */
export type Row = {
  readonly rowId: number;
  readonly folder: TreeFolder;
  readonly loose: boolean;
};

/** The rows that became uploads: none of their files is in a row again, whatever the level. */
export type SentRows = {
  readonly add: (row: Row) => void;
  readonly has: (rowId: number) => boolean;
  /** Whether something below the folder was sent, so that it can no longer be one row. */
  readonly isBroken: (folder: TreeFolder) => boolean;
};

export const createSentRows = (): SentRows => {
  const sent = new Set<number>();
  const broken = new Set<number>();
  return {
    add: ({ rowId, folder, loose }) => {
      sent.add(rowId);
      for (let above = loose ? folder : folder.parent; above !== undefined; above = above.parent) broken.add(above.id);
    },
    has: (rowId) => sent.has(rowId),
    isBroken: ({ id }) => broken.has(id),
  };
};

type Cut = {
  readonly level: number;
  /** Whether only some files of a source were chosen. */
  readonly isChosen: (source: number) => boolean;
  readonly sent: SentRows;
};

/**
 * The rows at a level: the folders at that depth, folders above it that have no others below them, and the loose files of
 * the rest. Each file that was not sent is in exactly one row.
 */
export const rowsAt = (tree: FolderTree, { level, isChosen, sent }: Cut): readonly Row[] => {
  const waiting = tree.folders.filter(({ parent }) => parent === undefined);
  const rows: Row[] = [];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const whole: Row = { rowId: folder.id * 2, folder, loose: false };
    const loose: Row = { rowId: folder.id * 2 + 1, folder, loose: true };
    const isWhole = folder.depth >= level || folder.folders.length === 0;
    const row = isWhole && !isChosen(folder.source) && !sent.isBroken(folder) ? whole : loose;
    if (sent.has(whole.rowId)) continue;
    const { files, unreadable } = totalsOfRow(row);
    if (files + unreadable > 0 && !sent.has(row.rowId)) rows.push(row);
    if (row.loose) for (const below of folder.folders) waiting.push(below);
  }
  return rows;
};

/** The files of a row. */
export const totalsOfRow = ({ folder, loose }: Row): Totals => (loose ? folder.own : folder.whole);

/** The files of a row, in the order of the scan. `path`: below the folder of the row, with `/`. */
export function* filesOfRow({ folder, loose }: Row): Generator<{ readonly folder: TreeFolder; readonly path: string }> {
  const waiting = [{ below: folder, prefix: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { below, prefix } = next;
    for (const { name } of below.files) yield { folder: below, path: prefix + name };
    if (!loose)
      for (const one of below.folders.toReversed()) waiting.push({ below: one, prefix: `${prefix}${one.name}/` });
  }
}

/** How many names of loose files a row shows. */
const SHOWN_NAMES = 5;

/** How people know a row. */
export const namesOfRow = ({ folder, loose }: Row) => ({
  path: pathOf(folder),
  name: folder.name,
  ...(loose && { fileNames: folder.files.slice(0, SHOWN_NAMES).map(({ name }) => name) }),
});

/** The source that an upload of the row reads. */
export const sourceOfRow = ({ folder, loose }: Row, chosen: Source): Source => ({
  root: join(chosen.root, pathBelow(folder)),
  ...(loose && { only: folder.files.map(({ name }) => name) }),
});

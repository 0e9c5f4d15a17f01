/** The rows of a draft: which folders, or files of one, go to the same assignment. */
import { join } from 'node:path';
import type { JobRow } from '../../matching/job-level.ts';
import type { Source } from '../../uploads/source/scan.ts';
import { pathBelow, pathOf, type Totals, type TreeFile, type TreeFolder } from './folder-tree.ts';

/** A folder with everything below it, or (`fileNames`) some of the files that lie directly in it. */
export type Row = {
  readonly rowId: number;
  readonly folder: TreeFolder;
  readonly fileNames: readonly string[] | undefined;
  readonly totals: Totals;
};

/** The same files in the same folder are the same row. */
export type RowIds = {
  readonly of: (folder: TreeFolder, kind: JobRow<TreeFolder>['kind'], names: readonly string[]) => number;
};

export const createRowIds = (): RowIds => {
  const named = new Map<string, number>();
  return {
    of: ({ id }, kind, names) => {
      if (kind === 'all') return id * 2;
      if (kind === 'loose') return id * 2 + 1;
      const key = JSON.stringify([id, ...names]);
      const rowId = named.get(key) ?? -1 - named.size;
      named.set(key, rowId);
      return rowId;
    },
  };
};

/** Files that belong to a row already, so that they are in no other one. */
export type TakenFiles = {
  readonly add: (row: Pick<Row, 'folder' | 'fileNames'>) => void;
  /** Whether the folder, or one around it, was taken with everything below it. */
  readonly hasAll: (folder: TreeFolder) => boolean;
  readonly hasFile: (folder: TreeFolder, name: string) => boolean;
  /** Whether something in the folder was taken, so that it can no longer be one row. */
  readonly isBroken: (folder: TreeFolder) => boolean;
};

export const createTakenFiles = (): TakenFiles => {
  const whole = new Set<TreeFolder>();
  const files = new Map<TreeFolder, Set<string>>();
  const broken = new Set<TreeFolder>();
  return {
    add: ({ folder, fileNames }) => {
      if (fileNames) files.set(folder, new Set([...(files.get(folder) ?? []), ...fileNames]));
      else whole.add(folder);
      for (let above = fileNames ? folder : folder.parent; above !== undefined; above = above.parent) broken.add(above);
    },
    hasAll: (folder) => {
      for (let above: TreeFolder | undefined = folder; above !== undefined; above = above.parent)
        if (whole.has(above)) return true;
      return false;
    },
    hasFile: (folder, name) => files.get(folder)?.has(name) === true,
    isBroken: (folder) => broken.has(folder),
  };
};

type Cutting = {
  readonly ids: RowIds;
  readonly totalsOf: (files: readonly TreeFile[]) => Totals;
  /** Those of several `taken` are left out. */
  readonly taken: readonly TakenFiles[];
  /** Whether only some files of the folder's source were chosen. */
  readonly isChosen: (folder: TreeFolder) => boolean;
};

/** The rows of these parts of the tree, without what is taken. */
export const toRows = (
  parts: Iterable<JobRow<TreeFolder>>,
  { ids, totalsOf, taken, isChosen }: Cutting,
): readonly Row[] => {
  const rows: Row[] = [];
  const add = (folder: TreeFolder, kind: JobRow<TreeFolder>['kind'], isIn: (name: string) => boolean): void => {
    const files = folder.files.filter(({ name }) => isIn(name) && !taken.some((one) => one.hasFile(folder, name)));
    const fileNames = files.map(({ name }) => name);
    const unreadable = kind === 'loose' ? folder.own.unreadable : 0;
    const totals = files.length === folder.own.files ? folder.own : { ...totalsOf(files), unreadable };
    if (totals.files + totals.unreadable > 0)
      rows.push({ rowId: ids.of(folder, kind, fileNames), folder, fileNames, totals });
  };
  const waiting = [...parts].reverse();
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { folder } = part;
    if (taken.some((one) => one.hasAll(folder))) continue;
    if (part.kind === 'named') {
      const names = new Set(part.fileNames);
      add(folder, 'named', (name) => names.has(name));
    } else if (part.kind === 'loose') {
      const { except } = part;
      add(folder, 'loose', (name) => !except.has(name));
    } else if (isChosen(folder) || taken.some((one) => one.isBroken(folder))) {
      add(folder, 'loose', () => true);
      for (const inside of folder.folders.toReversed()) waiting.push({ kind: 'all', folder: inside });
    } else {
      rows.push({ rowId: ids.of(folder, 'all', []), folder, fileNames: undefined, totals: folder.whole });
    }
  }
  return rows;
};

/** The files of a row, in the order of the scan. `path`: below the folder of the row, with `/`. */
export function* filesOfRow({
  folder,
  fileNames,
}: Row): Generator<{ readonly folder: TreeFolder; readonly path: string }> {
  if (fileNames) {
    for (const path of fileNames) yield { folder, path };
    return;
  }
  const waiting = [{ below: folder, prefix: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { below, prefix } = next;
    for (const { name } of below.files) yield { folder: below, path: prefix + name };
    for (const one of below.folders.toReversed()) waiting.push({ below: one, prefix: `${prefix}${one.name}/` });
  }
}

/** How many names of files a row shows. */
const SHOWN_NAMES = 5;

/** How people know a row. */
export const namesOfRow = ({ folder, fileNames }: Row) => ({
  path: pathOf(folder),
  name: folder.name,
  ...(fileNames && { fileNames: fileNames.slice(0, SHOWN_NAMES) }),
});

/** The source that an upload of the row reads. */
export const sourceOfRow = ({ folder, fileNames }: Row, chosen: Source): Source => ({
  root: join(chosen.root, pathBelow(folder)),
  ...(fileNames && { only: fileNames }),
});

/** Cuts the scanned tree into rows: by a map file, at the level where jobs lie, and without what was sent. */
import type { Draft } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { type JobRow, jobLevels, jobRows } from '../../matching/job-level.ts';
import type { DraftSource } from './draft-calls.ts';
import { type FolderTree, pathOf, type TreeFolder } from './folder-tree.ts';
import type { KnownTargets } from './known-targets.ts';
import type { MappedPart } from './map-rows.ts';
import { comparePaths } from './row-list.ts';
import { createRowIds, createTakenFiles, type Row, type TakenFiles, toRows } from './rows.ts';

export type Cut = {
  /** In the order of their paths. */
  readonly rows: () => readonly Row[];
  /** Errors: `input/invalid`. */
  readonly rowOf: (rowId: number) => Row;
  /** The assignment that the map file names for a row. */
  readonly mappedTo: (rowId: number) => string | undefined;
  readonly levels: () => Pick<Draft, 'level' | 'levels'>;
  /** The rows became uploads: none of their files is in a row again, whatever the level. */
  readonly send: (rowIds: readonly number[]) => void;
  /** The tree, the targets or the way to cut are others now. */
  readonly forget: () => void;
};

export type CutOptions = {
  readonly tree: FolderTree;
  readonly targets: Pick<KnownTargets, 'index' | 'options'>;
  readonly sources: () => readonly DraftSource[];
  /** The level that a person chose; undefined: where the jobs lie. */
  readonly level: () => number | undefined;
  readonly mapped: () => readonly MappedPart[];
};

type Rows = { readonly rows: readonly Row[]; readonly byId: ReadonlyMap<number, Row>; readonly mapped: Mapped };
type Mapped = ReadonlyMap<number, string>;

/** Nothing is sent. */
export const createCut = ({ tree, targets, sources, level, mapped }: CutOptions): Cut => {
  const ids = createRowIds();
  const sent = createTakenFiles();
  let cut: Rows | undefined;
  let levels: Pick<Draft, 'level' | 'levels'> | undefined;

  const roots = (): readonly TreeFolder[] => tree.folders.filter(({ parent }) => parent === undefined);
  const isChosen = ({ source }: TreeFolder): boolean => sources()[source]?.only !== undefined;
  const rowsOf = (parts: Iterable<JobRow<TreeFolder>>, taken: readonly TakenFiles[]): readonly Row[] =>
    toRows(parts, { ids, totalsOf: tree.totalsOf, taken, isChosen });

  const levelsNow = (): Pick<Draft, 'level' | 'levels'> => {
    levels ??= jobLevels(roots(), targets.index(), targets.options());
    return { ...levels, level: level() ?? levels.level };
  };

  /** A chosen folder in which nothing is named is cut as the others are. */
  const partsOf = (root: TreeFolder, isAlone: boolean): readonly JobRow<TreeFolder>[] => {
    const chosen = level();
    const index = targets.index();
    const parts = jobRows([root], index, { ...targets.options(), level: chosen });
    const isNamed = ({ folder }: JobRow<TreeFolder>): boolean =>
      index.match({ path: pathOf(folder) }, targets.options()).candidates.length > 0;
    if (isAlone || chosen !== undefined || parts.some(isNamed)) return parts;
    return jobRows([root], index, { ...targets.options(), level: levelsNow().level });
  };

  const cutAll = (): Rows => {
    const taken = createTakenFiles();
    const byMap = new Map<number, string>();
    const rows: Row[] = [];
    // The deepest come first, so that a folder is left without what the file names inside it.
    for (const { part, AssignmentId } of mapped()) {
      const some = rowsOf([part], [sent, taken]);
      for (const row of some) byMap.set(row.rowId, AssignmentId);
      rows.push(...some);
      taken.add(part.kind === 'named' ? part : { folder: part.folder, fileNames: undefined });
    }
    const all = roots();
    rows.push(
      ...rowsOf(
        all.flatMap((root) => partsOf(root, all.length === 1)),
        [sent, taken],
      ),
    );
    const inOrder = rows
      .map((row) => ({ row, path: pathOf(row.folder) }))
      .sort((one, other) => comparePaths(one.path, other.path))
      .map(({ row }) => row);
    return { rows: inOrder, byId: new Map(inOrder.map((row) => [row.rowId, row])), mapped: byMap };
  };
  const now = (): Rows => {
    cut ??= cutAll();
    return cut;
  };
  const rowOf = (rowId: number): Row => {
    const row = now().byId.get(rowId);
    if (row) return row;
    throw new DeskError('input/invalid', 'there is no such row', { details: { field: 'rowId' } });
  };

  return {
    rows: () => now().rows,
    rowOf,
    mappedTo: (rowId) => now().mapped.get(rowId),
    levels: levelsNow,
    send: (rowIds) => {
      for (const row of rowIds.map(rowOf)) sent.add(row);
      cut = undefined;
    },
    forget: () => {
      cut = undefined;
      levels = undefined;
    },
  };
};

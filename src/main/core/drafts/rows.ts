/** The rows of a draft: the scanned tree cut by a map file, at the level where jobs lie, and without what was sent. */
import { join } from 'node:path';
import type {
  Draft,
  DraftFilter,
  DraftRow,
  DraftWarning,
  MatchCandidate,
  MatchReason,
} from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { type AssignmentSummary, assignmentName, isClosed } from '../../../contract/resources.ts';
import { type JobRow, jobLevels, jobRows } from '../../matching/job-level.ts';
import { type MapProblem, parseMapFile } from '../../matching/map-file.ts';
import type { MatchIn, MatchIndex, MatchOptions } from '../../matching/match-index.ts';
import { plainWords } from '../../matching/names.ts';
import type { Source } from '../../uploads/source/scan.ts';
import type { DraftSource } from './draft-thread.ts';
import { type FolderTree, pathBelow, pathOf, type Totals, type TreeFile, type TreeFolder } from './folder-tree.ts';

/** A folder with everything below it, or (`fileNames`) some of the files that lie directly in it. */
export type Row = {
  readonly rowId: number;
  readonly folder: TreeFolder;
  readonly fileNames: readonly string[] | undefined;
  readonly totals: Totals;
};

type Cut = {
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

type CutOptions = {
  readonly tree: FolderTree;
  /** What names are matched with, and how. */
  readonly targets: { readonly index: () => MatchIndex; readonly options: () => MatchOptions };
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

/** The same files in the same folder are the same row. */
type RowIds = {
  readonly of: (folder: TreeFolder, kind: JobRow<TreeFolder>['kind'], names: readonly string[]) => number;
};

const createRowIds = (): RowIds => {
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
type TakenFiles = {
  readonly add: (row: Pick<Row, 'folder' | 'fileNames'>) => void;
  /** Whether the folder, or one around it, was taken with everything below it. */
  readonly hasAll: (folder: TreeFolder) => boolean;
  readonly hasFile: (folder: TreeFolder, name: string) => boolean;
  /** Whether something in the folder was taken, so that it can no longer be one row. */
  readonly isBroken: (folder: TreeFolder) => boolean;
};

const createTakenFiles = (): TakenFiles => {
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
const toRows = (parts: Iterable<JobRow<TreeFolder>>, { ids, totalsOf, taken, isChosen }: Cutting): readonly Row[] => {
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
const namesOfRow = ({ folder, fileNames }: Row) => ({
  path: pathOf(folder),
  name: folder.name,
  ...(fileNames && { fileNames: fileNames.slice(0, SHOWN_NAMES) }),
});

/** The source that an upload of the row reads. */
export const sourceOfRow = ({ folder, fileNames }: Row, { root, realRoot }: Source): Source => ({
  root: join(root, pathBelow(folder)),
  ...(realRoot !== undefined && { realRoot: join(realRoot, pathBelow(folder)) }),
  ...(fileNames && { only: fileNames }),
});

// The rows of a draft as a table: filtered, searched and sorted, a window at a time.

type RowQuery = {
  readonly filter: DraftFilter;
  readonly text?: string | undefined;
  readonly sort?: 'path' | 'files' | 'bytes' | 'assignment' | 'certainty' | undefined;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
};

export const isProblem = ({ choice, warnings }: DraftRow): boolean => choice !== 'left-out' && warnings.length > 0;

const FILTERS: Readonly<Record<DraftFilter, (row: DraftRow) => boolean>> = {
  all: () => true,
  undecided: ({ choice }) => choice === 'undecided',
  matched: ({ choice }) => choice === 'assignment',
  'left-out': ({ choice }) => choice === 'left-out',
  problems: isProblem,
};

const collator = new Intl.Collator('en', { numeric: true });

/** As people sort folders: `Road 9` before `Road 10`. */
const comparePaths = (one: string, other: string): number => collator.compare(one, other);

const nameOf = ({ assignment }: DraftRow): string => (assignment ? assignmentName(assignment) : '');

const ORDERS = {
  path: () => 0,
  files: (one, other) => one.files - other.files,
  bytes: (one, other) => one.bytes - other.bytes,
  assignment: (one, other) => collator.compare(nameOf(one), nameOf(other)),
  certainty: (one, other) => (one.certainty ?? 0) - (other.certainty ?? 0),
} as const satisfies Readonly<Record<NonNullable<RowQuery['sort']>, (one: DraftRow, other: DraftRow) => number>>;

/** They are searched again with each letter that is typed. */
const foldedRows = new WeakMap<DraftRow, string>();

/** The words of a row, as they are compared with a search. */
export const foldedOf = (row: DraftRow): string => {
  const known = foldedRows.get(row);
  if (known !== undefined) return known;
  const folded = plainWords(`${row.path} ${row.fileNames?.join(' ') ?? ''} ${nameOf(row)}`).join(' ');
  foldedRows.set(row, folded);
  return folded;
};

/**
 * The rows that a query selects, in its order: those that need a decision first, unless it says otherwise. `rows` are in the
 * order of their paths.
 */
export const selectRows = (
  rows: readonly DraftRow[],
  { filter, text = '', sort, descending }: Omit<RowQuery, 'offset' | 'limit'>,
): readonly DraftRow[] => {
  const words = plainWords(text);
  const found = rows.filter(FILTERS[filter]).filter((row) => {
    if (words.length === 0) return true;
    const folded = foldedOf(row);
    return words.every((word) => folded.includes(word));
  });
  const inOrder = found.sort(ORDERS[sort ?? 'path']);
  if (sort !== undefined) return descending ? inOrder.reverse() : inOrder;
  const isFirst = FILTERS.undecided;
  return [...inOrder.filter(isFirst), ...inOrder.filter((row) => !isFirst(row))];
};

// The rows that a map file asks for.

export type MappedPart = { readonly part: JobRow<TreeFolder>; readonly AssignmentId: string };

type Place = { readonly folder: TreeFolder; readonly fileName?: string };

/**
 * The parts of the tree that the map file `text` names, each with its assignment, the deepest first: what lies below a
 * folder goes with it, unless the file names it too. Or every line that is wrong. `idOf`: an id as the service writes it;
 * undefined: there is no such assignment.
 */
export const readMap = (
  text: string,
  tree: FolderTree,
  idOf: (AssignmentId: string) => string | undefined,
): { readonly parts: readonly MappedPart[] } | { readonly problems: readonly MapProblem[] } => {
  const places = new Map<string, Place[]>();
  const add = (path: string, place: Place): void => void places.set(path, [...(places.get(path) ?? []), place]);
  for (const folder of tree.folders) {
    const path = pathBelow(folder);
    add(path || '.', { folder });
    for (const { name } of folder.files) add(path ? `${path}/${name}` : name, { folder, fileName: name });
  }
  const map = parseMapFile(text, { paths: places.keys(), isKnown: (id) => idOf(id) !== undefined });
  if (!map.ok) return { problems: map.problems };
  const parts = [...map.assignments].flatMap(([path, id]) =>
    (places.get(path) ?? []).map(({ folder, fileName }): MappedPart & { readonly depth: number } => ({
      part: fileName === undefined ? { kind: 'all', folder } : { kind: 'named', folder, fileNames: [fileName] },
      AssignmentId: idOf(id) ?? id,
      depth: fileName === undefined ? folder.depth : Number.POSITIVE_INFINITY,
    })),
  );
  return { parts: parts.sort((one, other) => (one.depth < other.depth ? 1 : one.depth > other.depth ? -1 : 0)) };
};

// A row as the window shows it: what was chosen for it, how certain that is, and what speaks against sending it.

/** What happens to a row, and who says so. */
export type Choice =
  | { readonly choice: 'undecided' }
  | { readonly choice: 'left-out' }
  | {
      readonly choice: 'assignment';
      readonly chosenBy: NonNullable<DraftRow['chosenBy']>;
      readonly AssignmentId: string;
    };

type Shown = {
  readonly row: Row;
  readonly choice: Choice;
  readonly match: MatchIn;
  /** How many of its files could not be opened. */
  readonly refused: number;
  readonly summaryOf: (AssignmentId: string) => AssignmentSummary | undefined;
  /** How certain the row belongs to an assignment that matching may not have proposed. */
  readonly certaintyOf: (AssignmentId: string) => MatchCandidate;
};

export const viewRow = ({ row, choice, match, refused, summaryOf, certaintyOf }: Shown): DraftRow => {
  const { files, bytes } = row.totals;
  const chosen = choice.choice === 'assignment' ? choice.AssignmentId : undefined;
  const [best] = match.candidates;
  const candidate =
    chosen === undefined
      ? best
      : (match.candidates.find(({ AssignmentId }) => AssignmentId === chosen) ?? certaintyOf(chosen));
  const shown = chosen ?? best?.AssignmentId;
  const assignment = shown === undefined ? undefined : summaryOf(shown);
  return {
    rowId: row.rowId,
    ...namesOfRow(row),
    files,
    bytes,
    choice: choice.choice,
    ...(choice.choice === 'assignment' && { chosenBy: choice.chosenBy, AssignmentId: choice.AssignmentId }),
    ...(assignment && { assignment }),
    ...(candidate && { certainty: candidate.certainty }),
    reasons: [...(candidate?.reasons ?? []), ...(chosen === undefined ? vetoesBeside(candidate, match) : [])],
    candidates: match.candidates.length,
    warnings: [
      ...(chosen === undefined ? [] : warningsOfChoice(chosen, match, summaryOf)),
      ...warningsOfFiles(row, refused),
    ],
  };
};

/** Why nothing was chosen, beside what the best candidate itself says. */
const vetoesBeside = (best: MatchCandidate | undefined, { vetoes }: MatchIn): readonly MatchReason[] =>
  vetoes.filter(({ signal }) => !best?.reasons.some((reason) => reason.signal === signal));

/** The name speaks for another assignment only where that fits well enough to be sent there, whatever else there is to ask. */
const warningsOfChoice = (
  chosen: string,
  { isClear, best, candidates }: MatchIn,
  summaryOf: Shown['summaryOf'],
): readonly DraftWarning[] => {
  const status = summaryOf(chosen)?.AssignmentStatus;
  const named = isClear && best?.AssignmentId !== chosen ? best?.AssignmentId : undefined;
  const other = candidates.find(({ AssignmentId }) => AssignmentId === named);
  const summary = other && summaryOf(other.AssignmentId);
  return [
    ...(status !== undefined && isClosed(status) ? [{ kind: 'status', AssignmentStatus: status } as const] : []),
    ...(other
      ? [
          {
            kind: 'other-assignment',
            AssignmentId: other.AssignmentId,
            name: (summary && assignmentName(summary)) || other.AssignmentId,
            found: other.reasons.find(({ against }) => !against)?.found ?? '',
          } as const,
        ]
      : []),
  ];
};

const warningsOfFiles = (row: Row, refused: number): readonly DraftWarning[] => {
  const { empty, tooLong, tooLarge, executable, inCloud } = row.totals;
  const unreadable = row.totals.unreadable + refused;
  const warnings = [
    { kind: 'empty', files: empty },
    { kind: 'unreadable', files: unreadable },
    { kind: 'too-long', files: tooLong },
    { kind: 'too-large', files: tooLarge },
    { kind: 'executable', files: executable },
    { kind: 'in-cloud', files: inCloud },
  ] satisfies readonly DraftWarning[];
  return warnings.filter(({ files }) => files > 0);
};

/**
 * Divides the scanned tree into the rows of a draft, and shows the rows as a table. A map file and the level of the
 * assignment folders determine the rows. Files of started rows are in no row.
 */

import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { countBy, groupBy } from 'es-toolkit/array';
import { debounce } from 'es-toolkit/function';
import { sumBy } from 'es-toolkit/math';
import type { Handlers } from '../../../contract/calls.ts';
import type { Amount, Draft, DraftRow, DraftWarning, MatchCandidate, MatchReason } from '../../../contract/drafts.ts';
import { codeOf, DeskError } from '../../../contract/errors.ts';
import { type AssignmentSummary, assignmentName, isClosed } from '../../../contract/resources.ts';
import { hasBeginnings, plainWords, searchable } from '../../../contract/search.ts';
import type { NameTemplate, OnClash } from '../../../contract/uploads.ts';
import { createSerial } from '../../async/lock.ts';
import { type JobRow, jobLevels, jobRows } from '../../matching/job-level.ts';
import { type MapProblem, parseMapFile } from '../../matching/map-file.ts';
import type { MatchIn, MatchIndex, MatchOptions } from '../../matching/match-index.ts';
import { remembered } from '../../matching/names.ts';
import { fileNameCandidates, fileNameKey } from '../../uploads/source/file-names.ts';
import type { ComparedFiles } from '../../uploads/transfer/names.ts';
import {
  type FolderTree,
  type Part,
  pathBelow,
  pathOf,
  pathOfFile,
  type Totals,
  type TreeFolder,
} from './folder-tree.ts';

/**
 * A part of the tree that can be a row. `all`: a whole folder; `loose`: the files directly in a folder; `named`: some
 * of these files.
 */
export type CutPart = Part & { readonly kind: JobRow<TreeFolder>['kind'] };

/** A row of a draft. `rowId` stays the same when the rows are computed again (`createRowIds`). */
export type Row = CutPart & { readonly rowId: number; readonly totals: Totals };

type Level = Pick<Draft, 'level' | 'levels'>;

type CutOptions = {
  readonly tree: FolderTree;
  readonly targets: { readonly index: () => MatchIndex; readonly options: () => MatchOptions };
  /** Returns the level that the user chose; undefined if the level is to be detected. */
  readonly level: () => number | undefined;
  readonly isWhole: (root: TreeFolder) => boolean;
  readonly mapped: () => readonly MappedPart[];
};

export type Cut = ReturnType<typeof createCut>;

/** Creates a cut, which divides the tree into rows. The rows are computed when they are first read after a change. */
export const createCut = ({ tree, targets, level, isWhole, mapped }: CutOptions) => {
  const rowIds = createRowIds(tree);
  let startedFiles = createFileSet();
  let started: CutPart[] = [];
  let cut: ReturnType<typeof cutAll> | undefined;
  let levels: Level | undefined;

  const isChosen = ({ source }: TreeFolder): boolean => tree.sources[source]?.only !== undefined;
  const rowsOf = (parts: Iterable<JobRow<TreeFolder>>, others: readonly FileSet[]): readonly Row[] =>
    toRows(parts, others, isChosen).map((part) => ({
      ...part,
      rowId: rowIds.idOf(part),
      totals: totalsOf(part, tree),
    }));

  /** Started folders are in no row, at any level. */
  const withoutStarted = (all: Level): Level => {
    if (started.length === 0) return all;
    const gone = countBy(tree.folders.filter(startedFiles.hasAll), ({ depth }) => depth);
    return { ...all, levels: all.levels.map((one) => ({ ...one, folders: one.folders - (gone[one.level] ?? 0) })) };
  };
  const levelsNow = (): Level => {
    levels ??= withoutStarted(jobLevels(tree.roots(), targets.index(), targets.options()));
    const chosen = level() ?? (tree.roots().every(isWhole) ? 0 : levels.level);
    return { levels: levels.levels.filter((one) => one.folders > 0 || one.level === chosen), level: chosen };
  };

  /**
   * Divides a chosen folder, at the chosen level if there is one. A folder that was added for an assignment, or is a
   * job, is one row by default. If no part of the folder matches an assignment, the level detected for all chosen folders counts.
   */
  const partsOf = (root: TreeFolder, isAlone: boolean): readonly JobRow<TreeFolder>[] => {
    const chosen = level() ?? (isWhole(root) ? 0 : undefined);
    const index = targets.index();
    const parts = jobRows([root], index, { ...targets.options(), level: chosen });
    const isNamed = ({ folder }: JobRow<TreeFolder>): boolean =>
      index.match({ path: pathOf(folder) }, targets.options()).candidates.length > 0;
    if (isAlone || chosen !== undefined || parts.some(isNamed)) return parts;
    return jobRows([root], index, { ...targets.options(), level: levelsNow().level });
  };

  const cutAll = () => {
    const mappedFiles = createFileSet();
    const byMap = new Map<number, string>();
    const rows: Row[] = [];
    // The deepest parts must come first, so that the row of a folder leaves out the parts inside it.
    for (const { part, AssignmentId } of mapped()) {
      const some = rowsOf([part], [startedFiles, mappedFiles]);
      for (const row of some) byMap.set(row.rowId, AssignmentId);
      rows.push(...some);
      mappedFiles.add(part.kind === 'named' ? part : { folder: part.folder, fileNames: undefined });
    }
    const roots = tree.roots();
    const parts = roots.flatMap((root) => partsOf(root, roots.length === 1));
    rows.push(...rowsOf(parts, [startedFiles, mappedFiles]));
    const inOrder = rows
      .map((row) => ({ row, path: pathOf(row.folder) }))
      .sort((one, other) => comparePaths(one.path, other.path))
      .map(({ row }) => row);
    return { rows: inOrder, byId: new Map(inOrder.map((row) => [row.rowId, row])), mapped: byMap };
  };
  const now = () => {
    cut ??= cutAll();
    return cut;
  };
  const rowOf = (rowId: number): Row => {
    const row = now().byId.get(rowId);
    if (row) return row;
    throw new DeskError('input/invalid', 'there is no such row', { details: { field: 'rowId' } });
  };

  const addStarted = ({ folder, kind, fileNames }: CutPart): void => {
    startedFiles.add({ folder, fileNames });
    started.push({ folder, kind, fileNames });
  };

  return {
    rows: (): readonly Row[] => now().rows,
    rowOf,
    mappedTo: (rowId: number) => now().mapped.get(rowId),
    levels: levelsNow,
    /** Removes the files of these parts from all rows, whatever the level, because their upload has started. */
    addStarted: (parts: readonly CutPart[]): void => {
      parts.forEach(addStarted);
      cut = undefined;
    },
    started: (): readonly CutPart[] => started,
    /** Puts the files of started parts that `isAgain` selects back into rows. Returns the ids that their rows had. */
    startAgain: (isAgain: (part: Part) => boolean): readonly number[] => {
      const { again = [], others = [] } = groupBy(started, (part) => (isAgain(part) ? 'again' : 'others'));
      [startedFiles, started] = [createFileSet(), []];
      others.forEach(addStarted);
      cut = undefined;
      return again.map(rowIds.idOf);
    },
    idOf: rowIds.idOf,
    partOf: rowIds.partOf,
    /** To be called when the tree, the targets or the level have changed. */
    forget: (): void => {
      cut = undefined;
      levels = undefined;
    },
  };
};

/** Creates the ids of rows. An id depends on the folder and the kind of the row, and on the names of named files. */
const createRowIds = (tree: FolderTree) => {
  const named = new Map<string, number>();
  const parts: CutPart[] = [];
  return {
    idOf: (part: CutPart): number => {
      const { folder, fileNames, kind } = part;
      if (kind === 'all') return folder.id * 2;
      if (kind === 'loose') return folder.id * 2 + 1;
      const key = JSON.stringify([folder.id, ...(fileNames ?? [])]);
      const known = named.get(key);
      if (known !== undefined) return known;
      const rowId = -parts.push(part);
      named.set(key, rowId);
      return rowId;
    },
    partOf: (rowId: number): CutPart | undefined => {
      if (rowId < 0) return parts[-rowId - 1];
      const folder = tree.folders[Math.floor(rowId / 2)];
      return folder && { folder, kind: rowId % 2 === 0 ? 'all' : 'loose', fileNames: undefined };
    },
  };
};

type FileSet = ReturnType<typeof createFileSet>;

const createFileSet = () => {
  const whole = new Set<TreeFolder>();
  const files = new Map<TreeFolder, Set<string>>();
  const partly = new Set<TreeFolder>();
  return {
    add: ({ folder, fileNames }: Part): void => {
      if (fileNames) files.set(folder, new Set([...(files.get(folder) ?? []), ...fileNames]));
      else whole.add(folder);
      for (let above = fileNames ? folder : folder.parent; above !== undefined; above = above.parent) partly.add(above);
    },
    hasAll: (folder: TreeFolder): boolean => {
      for (let above: TreeFolder | undefined = folder; above !== undefined; above = above.parent)
        if (whole.has(above)) return true;
      return false;
    },
    hasFile: (folder: TreeFolder, name: string): boolean => files.get(folder)?.has(name) === true,
    /** Whether files in or below the folder were added. Such a folder can no longer be one row. */
    hasPartOf: (folder: TreeFolder): boolean => partly.has(folder),
  };
};

/** Removes the files in `others` from parts of the tree. Parts without remaining files are dropped. */
const toRows = (
  parts: Iterable<JobRow<TreeFolder>>,
  others: readonly FileSet[],
  isChosen: (folder: TreeFolder) => boolean,
): readonly CutPart[] => {
  const rows: CutPart[] = [];
  const add = (folder: TreeFolder, kind: CutPart['kind'], isIn: (name: string) => boolean): void => {
    const fileNames = folder.files
      .map(({ name }) => name)
      .filter((name) => isIn(name) && !others.some((one) => one.hasFile(folder, name)));
    if (fileNames.length > 0 || (kind === 'loose' && folder.own.unreadable > 0)) rows.push({ folder, kind, fileNames });
  };
  const waiting = [...parts].reverse();
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const { folder } = part;
    if (others.some((one) => one.hasAll(folder))) continue;
    if (part.kind === 'named') {
      const names = new Set(part.fileNames);
      add(folder, 'named', (name) => names.has(name));
    } else if (part.kind === 'loose') {
      const { except } = part;
      add(folder, 'loose', (name) => !except.has(name));
    } else if (isChosen(folder) || others.some((one) => one.hasPartOf(folder))) {
      add(folder, 'loose', () => true);
      for (const inside of folder.folders.toReversed()) waiting.push({ kind: 'all', folder: inside });
    } else {
      rows.push({ folder, kind: 'all', fileNames: undefined });
    }
  }
  return rows;
};

const totalsOf = ({ folder, fileNames, kind }: CutPart, tree: FolderTree): Totals => {
  if (!fileNames) return folder.whole;
  if (fileNames.length === folder.own.files) return folder.own;
  const names = new Set(fileNames);
  const totals = tree.totalsOf(folder.files.filter(({ name }) => names.has(name)));
  return { ...totals, unreadable: kind === 'loose' ? folder.own.unreadable : 0 };
};

type RowQuery = Parameters<Handlers['drafts']['rows']>[0];

const FOLDED_AT_ONCE = 200;

export type Group = {
  readonly AssignmentId: string;
  readonly rows: readonly Row[];
  readonly template: NameTemplate;
};

/**
 * The comparison of a row with its assignment. Without `files`, the comparison has found nothing, or nothing yet
 * (`isPending`).
 */
export type RowComparison = { readonly isPending: boolean; readonly files?: ComparedFiles | undefined };

type TableOptions = Omit<ComparisonOptions, 'onFound'> & {
  readonly rows: () => readonly Row[];
  readonly rowOf: Cut['rowOf'];
  /** Whether the rows are final enough to be checked. */
  readonly isReady: () => boolean;
  readonly template: () => NameTemplate;
  /** `refused`: how many files of the row could not be opened. */
  readonly view: (row: Row, refused: number) => ViewedRow;
  readonly withCompared: (row: Row, view: ViewedRow, compared: RowComparison) => DraftRow;
  /** The files of a row on the disk. */
  readonly placesOf: (row: Row) => Iterable<string>;
  /** Called when a background check has found something: in these rows or, if the list is empty, perhaps in any row. */
  readonly onFound: (rowIds: readonly number[]) => void;
};

/**
 * The maximum number of rows that the window has in view. A query for more rows only counts or selects them, so their
 * files are not checked.
 */
export const MOST_IN_VIEW = 250;

export const createTable = (options: TableOptions) => {
  const { rows, rowOf, isReady, template, view, withCompared, placesOf: pathsOf, onFound, ...background } = options;
  const checks = createComparisons({ ...options, onFound: () => onFound([]) });
  const openChecks = createOpenChecks<Row>({ ...background, pathsOf, onFound: (rowId) => onFound([rowId]) });
  let views = new Map<number, ViewedRow>();
  let shown: { readonly rows: readonly DraftRow[]; readonly byId: ReadonlyMap<number, DraftRow> } | undefined;
  let comparisons: ReadonlyMap<number, RowComparison> = new Map();
  let selected: { readonly key: string; readonly rows: readonly DraftRow[] } | undefined;

  const viewOf = (row: Row): ViewedRow => {
    const known = views.get(row.rowId) ?? view(row, openChecks.refusedOf(row.rowId));
    views.set(row.rowId, known);
    return known;
  };
  const groups = (): readonly Group[] =>
    [...Map.groupBy(rows(), (row) => viewOf(row).AssignmentId)].flatMap(([AssignmentId, some]) =>
      AssignmentId === undefined ? [] : [{ AssignmentId, rows: some, template: template() }],
    );
  const compareAll = (): ReadonlyMap<number, RowComparison> =>
    new Map(
      groups().flatMap((group) => {
        const { isPending, sources } = isReady() ? checks.of(group) : PENDING;
        return group.rows.map(({ rowId }, index) => [rowId, { isPending, files: sources[index] }] as const);
      }),
    );
  const now = (): NonNullable<typeof shown> => {
    if (shown) return shown;
    comparisons = compareAll();
    const all = rows().map((row) => withCompared(row, viewOf(row), comparisons.get(row.rowId) ?? { isPending: false }));
    shown = { rows: all, byId: new Map(all.map((row) => [row.rowId, row])) };
    return shown;
  };
  return {
    groups,
    sums: () => sumsOf(now().rows),
    /** Prepares the first search among the rows, in steps of about a millisecond. */
    *prepareSearch(): Generator<void> {
      for (const [at, row] of now().rows.entries()) {
        foldedOf(row);
        if (at % FOLDED_AT_ONCE === 0) yield;
      }
    },
    rowOf: (row: Row): DraftRow => now().byId.get(row.rowId) ?? withCompared(row, viewOf(row), { isPending: false }),
    comparedOf: ({ rowId }: Row): ComparedFiles | undefined => {
      now();
      return comparisons.get(rowId)?.files;
    },
    select: ({ offset, limit, ...query }: RowQuery) => {
      const key = JSON.stringify(query);
      if (selected?.key !== key) selected = { key, rows: selectRows(now().rows, query) };
      const found = selected.rows.slice(offset, offset + limit);
      if (isReady() && limit <= MOST_IN_VIEW)
        openChecks.look(found.filter(({ choice }) => choice !== 'left-out').map(({ rowId }) => rowOf(rowId)));
      return { rows: found, total: selected.rows.length };
    },
    /** To be called when the files of assignments have changed. */
    compareAgain: (): void => {
      checks.forget();
      onFound([]);
    },
    /** Discards the results for these rows; without `rowIds`, for all rows. */
    forget: (rowIds?: readonly number[]): void => {
      shown = undefined;
      selected = undefined;
      if (rowIds) for (const rowId of rowIds) views.delete(rowId);
      else views = new Map();
    },
  };
};

const sumsOf = (
  rows: readonly DraftRow[],
): Pick<Draft, 'counts' | 'chosen' | 'toSend' | 'sent' | 'clashes' | 'leftOutFiles' | 'comparing'> => {
  const chosen = rows.filter(({ choice, files }) => choice === 'assignment' && files > 0);
  const count = (is: (row: DraftRow) => boolean): number => rows.filter(is).length;
  const sum = (some: readonly DraftRow[], amount: (row: DraftRow) => Amount): Amount => ({
    files: sumBy(some, (row) => amount(row).files),
    bytes: sumBy(some, (row) => amount(row).bytes),
  });
  const sumUp = (some: readonly DraftRow[], amount: (row: DraftRow) => Amount): Draft['toSend'] => ({
    folders: some.length,
    ...sum(some, amount),
    assignments: new Set(some.map(({ AssignmentId }) => AssignmentId)).size,
  });
  const clashes = (choice: OnClash): number =>
    sumBy(chosen, ({ warnings }) => sumBy(warnings, (one) => (one.kind === 'clash' ? one.choices[choice] : 0)));
  return {
    counts: {
      total: rows.length,
      undecided: count(({ choice }) => choice === 'undecided'),
      matched: count(({ choice }) => choice === 'assignment'),
      leftOut: count(({ choice }) => choice === 'left-out'),
      problems: count(isProblem),
      new: count(isNew),
    },
    chosen: { ...sumUp(chosen, (row) => row), pairs: hash('sha1', pairsOf(chosen)) },
    toSend: sumUp(
      chosen.filter(({ toSend }) => toSend.files > 0),
      ({ toSend }) => toSend,
    ),
    sent: sum(chosen, ({ sent }) => sent),
    clashes: { rename: clashes('rename'), skip: clashes('skip'), replace: clashes('replace') },
    leftOutFiles: sum(rows, (row) => {
      if (row.choice !== 'left-out') return row.leftOut;
      return { files: row.files + row.leftOut.files, bytes: row.bytes + row.leftOut.bytes };
    }),
    comparing: count(({ isComparing = false }) => isComparing),
  };
};

const pairsOf = (rows: readonly DraftRow[]): string =>
  rows.map(({ rowId, AssignmentId }) => `${rowId} ${AssignmentId}`).join('\n');

const isProblem = ({ choice, warnings }: DraftRow): boolean => choice !== 'left-out' && warnings.length > 0;

const isNew = ({ choice, toSend }: DraftRow): boolean =>
  choice === 'undecided' || (choice === 'assignment' && toSend.files > 0);

const FILTERS: Readonly<Record<RowQuery['filter'], (row: DraftRow) => boolean>> = {
  all: () => true,
  new: isNew,
  undecided: ({ choice }) => choice === 'undecided',
  matched: ({ choice }) => choice === 'assignment',
  'left-out': ({ choice }) => choice === 'left-out',
  problems: isProblem,
};

const collator = new Intl.Collator('en', { numeric: true });

const comparePaths = (one: string, other: string): number => collator.compare(one, other);

const nameOf = ({ assignment }: DraftRow): string => (assignment ? assignmentName(assignment) : '');

const ORDERS = {
  path: () => 0,
  files: (one, other) => one.files - other.files,
  bytes: (one, other) => one.bytes - other.bytes,
  assignment: (one, other) => collator.compare(nameOf(one), nameOf(other)),
  certainty: (one, other) => (one.certainty ?? 0) - (other.certainty ?? 0),
} as const satisfies Readonly<Record<NonNullable<RowQuery['sort']>, (one: DraftRow, other: DraftRow) => number>>;

/** Folds a text for the search. Cached, because a row that is computed again usually has the same text. */
const foldedText = remembered(searchable);

/** The searched text of each row. Cached, because every typed letter searches all rows again. */
const foldedRows = new WeakMap<DraftRow, string>();

const foldedOf = (row: DraftRow): string => {
  const known = foldedRows.get(row);
  if (known !== undefined) return known;
  const folded = `${foldedText(`${row.path} ${row.fileNames?.join(' ') ?? ''}`)}${foldedText(nameOf(row))}`;
  foldedRows.set(row, folded);
  return folded;
};

/** Selects and sorts rows. Without `sort`, undecided rows come first. `rows` must be in the order of their paths. */
const selectRows = (
  rows: readonly DraftRow[],
  { filter, text = '', sort, descending }: Omit<RowQuery, 'offset' | 'limit'>,
): readonly DraftRow[] => {
  const words = plainWords(text);
  const found = rows.filter(FILTERS[filter]).filter((row) => words.length === 0 || hasBeginnings(foldedOf(row), words));
  const inOrder = found.sort(ORDERS[sort ?? 'path']);
  if (sort !== undefined) return descending ? inOrder.reverse() : inOrder;
  const isUndecided = FILTERS.undecided;
  return [...inOrder.filter(isUndecided), ...inOrder.filter((row) => !isUndecided(row))];
};

export type MappedPart = { readonly part: JobRow<TreeFolder>; readonly AssignmentId: string };

/**
 * Returns the parts of the tree that the map file `text` names, each with its assignment, deepest first. The assignment
 * of a folder applies to everything below it that the file does not name itself. There are no parts if any line is
 * wrong. `idOf` returns an id in the service's spelling; undefined if there is no such assignment.
 */
export const readMap = (
  text: string,
  tree: FolderTree,
  idOf: (AssignmentId: string) => string | undefined,
): { readonly parts: readonly MappedPart[]; readonly problems: readonly MapProblem[] } => {
  const places = new Map<string, JobRow<TreeFolder>[]>();
  const add = (path: string, part: JobRow<TreeFolder>): void =>
    void places.set(path, [...(places.get(path) ?? []), part]);
  for (const folder of tree.folders) {
    const path = pathBelow(folder);
    add(path || '.', { kind: 'all', folder });
    for (const { name } of folder.files) add(pathOfFile(folder, name), { kind: 'named', folder, fileNames: [name] });
  }
  const map = parseMapFile(text, { paths: places.keys(), isKnown: (id) => idOf(id) !== undefined });
  if (!map.ok) return { parts: [], problems: map.problems };
  const parts = [...map.assignments].flatMap(([path, id]) =>
    (places.get(path) ?? []).map((part) => ({ part, AssignmentId: idOf(id) ?? id })),
  );
  const depthOf = ({ part: { kind, folder } }: MappedPart): number =>
    kind === 'all' ? folder.depth : Number.MAX_SAFE_INTEGER;
  return { parts: parts.sort((one, other) => depthOf(other) - depthOf(one)), problems: [] };
};

export type Choice = Pick<DraftRow, 'choice' | 'chosenBy' | 'leftOutAtMs' | 'AssignmentId'>;

export type ViewedRow = Omit<DraftRow, 'toSend' | 'sent' | 'leftOut' | 'isComparing'>;

type Shown = {
  readonly row: Row;
  readonly totals: Totals;
  readonly choice: Choice;
  readonly match: MatchIn;
  readonly refused: number;
  readonly summaryOf: (AssignmentId: string) => AssignmentSummary | undefined;
  /** Returns how certainly the row belongs to an assignment, which matching may not have proposed. */
  readonly certaintyOf: (AssignmentId: string) => MatchCandidate;
};

const SHOWN_NAMES = 5;

export const viewRow = ({ row, totals, choice, match, refused, summaryOf, certaintyOf }: Shown): ViewedRow => {
  const { folder, fileNames } = row;
  const chosen = choice.AssignmentId;
  const [best] = match.candidates;
  const candidate =
    chosen === undefined
      ? best
      : (match.candidates.find(({ AssignmentId }) => AssignmentId === chosen) ?? certaintyOf(chosen));
  const shown = chosen ?? best?.AssignmentId;
  const assignment = shown === undefined ? undefined : summaryOf(shown);
  return {
    rowId: row.rowId,
    path: pathOf(folder),
    name: folder.name,
    ...(fileNames && { fileNames: fileNames.slice(0, SHOWN_NAMES) }),
    files: totals.files,
    bytes: totals.bytes,
    ...choice,
    ...(assignment && { assignment }),
    ...(candidate && { certainty: candidate.certainty }),
    reasons: [...(candidate?.reasons ?? []), ...(chosen === undefined ? vetoesBeside(candidate, match) : [])],
    candidates: match.candidates.length,
    warnings: [
      ...(chosen === undefined ? [] : warningsOfChoice(chosen, match, summaryOf)),
      ...warningsOfFiles(totals, refused),
    ],
  };
};

const vetoesBeside = (best: MatchCandidate | undefined, { vetoes }: MatchIn): readonly MatchReason[] =>
  vetoes.filter(({ signal }) => !best?.reasons.some((reason) => reason.signal === signal));

/**
 * Returns the warnings about the chosen assignment. They name another assignment only if the folder's match is clear.
 */
const warningsOfChoice = (
  chosen: string,
  { isClear, best, candidates }: MatchIn,
  summaryOf: Shown['summaryOf'],
): readonly DraftWarning[] => {
  const AssignmentStatus = summaryOf(chosen)?.AssignmentStatus;
  const isOther = isClear && best !== undefined && best.AssignmentId !== chosen;
  const other = isOther ? candidates.find(({ AssignmentId }) => AssignmentId === best.AssignmentId) : undefined;
  const summary = other && summaryOf(other.AssignmentId);
  return [
    ...(AssignmentStatus !== undefined && isClosed(AssignmentStatus)
      ? [{ kind: 'status', AssignmentStatus } as const]
      : []),
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

const warningsOfFiles = (totals: Totals, refused: number): readonly DraftWarning[] => {
  const warnings = [
    { kind: 'empty', files: totals.empty },
    { kind: 'unreadable', files: totals.unreadable + refused },
    { kind: 'too-long', files: totals.tooLong },
    { kind: 'too-large', files: totals.tooLarge },
    { kind: 'executable', files: totals.executable },
    { kind: 'in-cloud', files: totals.inCloud },
    { kind: 'unopened', files: totals.unopened },
  ] satisfies readonly DraftWarning[];
  return warnings.filter(({ files }) => files > 0);
};

// Checks rows in the background: compares their files with those of their assignments, and finds files that cannot be
// opened.

// Finds files that were sent before, and files whose FileName is taken. Only the engine can find them, because it
// compares contents. It is called only for assignments that may have files or that would get two files of the same
// name.

type ComparisonOptions = {
  /** Whether the assignment may have files. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  /**
   * Returns the files of a row that are uploaded, by their paths relative to the row's folder, in the order of the
   * scan.
   */
  readonly pathsOf: (row: Row) => Iterable<string>;
  /** Returns a number that changes whenever the choice of the uploaded files changes. */
  readonly filesRevision: () => number;
  /** If it rejects with `data/unwritable`, it is called again later. */
  readonly compare: (group: Group) => Promise<readonly ComparedFiles[]>;
  readonly onFound: () => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** How long to wait until a comparison that needs space on the disk is tried again. */
const WRITE_RETRY_MS = 5_000;

type Compared = { readonly isPending: boolean; readonly sources: readonly ComparedFiles[] };

const NONE: Compared = { isPending: false, sources: [] };
const PENDING: Compared = { isPending: true, sources: [] };

const createComparisons = (options: ComparisonOptions) => {
  const { hasFiles, pathsOf, filesRevision, compare, onFound, onBug, signal } = options;
  const known = new Map<string, { readonly key: string; readonly compared: Compared }>();
  const inTurn = createSerial();
  const find = (group: Group, key: string): void => {
    inTurn(async () => {
      const isWanted = (): boolean => !signal.aborted && known.get(group.AssignmentId)?.key === key;
      if (!isWanted()) return;
      let compared = NONE;
      try {
        compared = { isPending: false, sources: await compare(group) };
      } catch (error) {
        // The start of the upload reports a folder that cannot be read, or an engine that has stopped.
        if (!(error instanceof DeskError)) throw error;
        if (error.code === 'data/unwritable') setTimeout(() => find(group, key), WRITE_RETRY_MS).unref();
      } finally {
        if (isWanted()) {
          known.set(group.AssignmentId, { key, compared });
          onFound();
        }
      }
    }).catch(onBug);
  };
  const hasTwins = ({ rows, template }: Group): boolean => {
    const names = new Set<string>();
    for (const row of rows) {
      for (const path of pathsOf(row)) {
        const key = fileNameKey(fileNameCandidates(path, template).next().value);
        if (names.has(key)) return true;
        names.add(key);
      }
    }
    return false;
  };
  return {
    /**
     * Returns the result for each row, in the order of the group. Starts a comparison if there is none for these rows.
     */
    of: (group: Group): Compared => {
      const key = `${group.template} ${filesRevision()} ${group.rows.map(({ rowId }) => rowId).join()}`;
      const before = known.get(group.AssignmentId);
      if (before?.key === key) return before.compared;
      const isNeeded = hasFiles(group.AssignmentId) || hasTwins(group);
      known.set(group.AssignmentId, { key, compared: isNeeded ? PENDING : NONE });
      if (isNeeded) find(group, key);
      return isNeeded ? PENDING : NONE;
    },
    forget: (): void => known.clear(),
  };
};

// Checks whether the files of rows can be opened: another program may hold a file, or the user may lack permission. A
// row is checked when it is in view, because each file costs a system call.

type OpenChecksOptions<R> = {
  readonly pathsOf: (row: R) => Iterable<string>;
  readonly onFound: (rowId: number) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** The maximum number of files checked in a row. A user does not look at more. */
const MOST_FILES = 500;

/** How long the view has to be still before rows are checked, so that checks do not slow down scrolling and typing. */
const REST_MS = 300;

export const createOpenChecks = <R extends Pick<Row, 'rowId'>>(options: OpenChecksOptions<R>) => {
  const { pathsOf, onFound, onBug, signal } = options;
  const refused = new Map<number, number>();
  const asked = new Set<number>();
  /** The rows to be checked. Rows that came into view last come first. */
  const waiting: R[] = [];
  const inTurn = createSerial();
  const check = async (row: R): Promise<void> => {
    let count = 0;
    for (const path of Iterator.from(pathsOf(row)).take(MOST_FILES)) {
      if (signal.aborted) return;
      if (!(await canBeOpened(path))) count += 1;
    }
    if (count === 0) return;
    refused.set(row.rowId, count);
    onFound(row.rowId);
  };
  const checkWaiting = async (): Promise<void> => {
    for (let row = waiting.shift(); row && !signal.aborted; row = waiting.shift()) await check(row);
  };
  const begin = debounce(() => inTurn(checkWaiting).catch(onBug), REST_MS, { signal });
  return {
    refusedOf: (rowId: number) => refused.get(rowId) ?? 0,
    /**
     * Checks the unchecked rows in view, one after another, once the view has been still for a moment. If many other
     * rows come into view before a row is checked, the row is checked only when it is in view again.
     */
    look: (rows: readonly R[]): void => {
      const others = rows.filter(({ rowId }) => !asked.has(rowId));
      if (others.length === 0) return;
      for (const { rowId } of others) asked.add(rowId);
      waiting.unshift(...others);
      for (const { rowId } of waiting.splice(MOST_IN_VIEW)) asked.delete(rowId);
      begin();
    },
  };
};

/**
 * The flags for opening a file. With `O_NONBLOCK`, opening a pipe that has replaced the file does not block. Windows
 * has no such flag.
 */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Whether the file can be opened. Also true for a missing file, which the upload reports. */
const canBeOpened = async (path: string): Promise<boolean> => {
  try {
    await (await open(path, READING)).close();
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
};

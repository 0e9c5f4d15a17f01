/**
 * The rows of a draft, and what the user chose for them. A map file and the level of the assignment folders determine
 * how the scanned tree is divided into rows. Files of started rows are in no row.
 */

import { join } from 'node:path';
import { countBy } from 'es-toolkit/array/countBy';
import { z } from 'zod';
import type { Handlers } from '../../../contract/calls.ts';
import type { Draft } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { NameTemplate, OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import { type AssignmentPart, assignmentLevels, assignmentParts } from '../../matching/assignment-level.ts';
import { createMatchIndex, type MatchIndex, type MatchOptions } from '../../matching/match-index.ts';
import { isBelow, placeIn } from '../../uploads/source/paths.ts';
import {
  type FolderTree,
  filesOf,
  type Part,
  type PartFile,
  pathOf,
  pathOfFile,
  placesOf,
  type Totals,
  type TreeFile,
  type TreeFolder,
  upFrom,
  without,
} from './folder-tree.ts';
import type { ChoicesByPath, EarlierChoice } from './rules.ts';

/**
 * A part of the tree that can be a row. `all`: a whole folder; `loose`: the files directly in a folder; `named`: some
 * of these files.
 */
export type CutPart = Part & { readonly kind: AssignmentPart<TreeFolder>['kind'] };

/** A row of a draft. `rowId` stays the same when the rows are computed again (`createRowIds`). */
export type Row = CutPart & { readonly rowId: number; readonly totals: Totals };

type Level = Pick<Draft, 'level' | 'levels'>;

/** A part of the tree that a map file names, and its assignment. */
export type MappedPart = { readonly part: AssignmentPart<TreeFolder>; readonly AssignmentId: string };

type CutOptions = {
  readonly tree: FolderTree;
  readonly choices: Choices;
  /** `mapped`: the parts that a map file names, the deepest first. */
  readonly matching: {
    readonly index: () => MatchIndex;
    readonly options: () => MatchOptions;
    readonly mapped: () => readonly MappedPart[];
  };
};

export type Cut = ReturnType<typeof createCut>;

/** Creates a cut, which divides the tree into rows. The rows are computed when they are first read after a change. */
export const createCut = ({ tree, choices, matching }: CutOptions) => {
  const rowIds = createRowIds(tree);
  let startedFiles = createFileSet();
  let started: CutPart[] = [];
  let cut: ReturnType<typeof cutAll> | undefined;
  let levels: Level | undefined;

  const hasTarget = (): boolean => choices.scope().target !== undefined;
  // With a target, assignments that are read later must not change rows that the user has made choices for.
  const index = (): MatchIndex => (hasTarget() ? NO_MATCHES : matching.index());
  // With a target, a chosen folder is one row by default, so that its files are named as in an upload of the folder.
  const level = (): number | undefined => choices.scope().level ?? (hasTarget() ? 0 : undefined);
  const isWhole = (folder: TreeFolder): boolean => {
    const { isJob, AssignmentId, only } = tree.sources[folder.source] ?? {};
    return isJob === true || AssignmentId !== undefined || choices.givenTo({ folder, fileNames: only }) !== undefined;
  };
  const isChosen = ({ source }: TreeFolder): boolean => tree.sources[source]?.only !== undefined;
  const rowsOf = (parts: Iterable<AssignmentPart<TreeFolder>>, others: readonly FileSet[]): readonly Row[] =>
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
    levels ??= withoutStarted(assignmentLevels(tree.roots, index(), matching.options()));
    const chosen = level() ?? (tree.roots.every(isWhole) ? 0 : levels.level);
    return { levels: levels.levels.filter((one) => one.folders > 0 || one.level === chosen), level: chosen };
  };

  /**
   * Divides a chosen folder at the level that `level` returns. If it returns none, a folder that goes to one assignment
   * (`isWhole`) is one row, and the level of any other folder is detected. If no part of that folder matches an
   * assignment, the level detected for all chosen folders is used instead.
   */
  const partsOf = (root: TreeFolder, isAlone: boolean): readonly AssignmentPart<TreeFolder>[] => {
    const chosen = level() ?? (isWhole(root) ? 0 : undefined);
    const cutAt = (at: number | undefined) => assignmentParts([root], index(), { ...matching.options(), level: at });
    const parts = cutAt(chosen);
    const isNamed = ({ folder }: AssignmentPart<TreeFolder>): boolean =>
      index().match({ path: pathOf(folder) }, matching.options()).candidates.length > 0;
    return isAlone || chosen !== undefined || parts.some(isNamed) ? parts : cutAt(levelsNow().level);
  };

  const cutAll = () => {
    const mappedFiles = createFileSet();
    const byMap = new Map<number, string>();
    const rows: Row[] = [];
    // The deepest parts must come first, so that the row of a folder leaves out the parts inside it.
    for (const { part, AssignmentId } of matching.mapped()) {
      const some = rowsOf([part], [startedFiles, mappedFiles]);
      for (const row of some) byMap.set(row.rowId, AssignmentId);
      rows.push(...some);
      mappedFiles.add(part.kind === 'named' ? part : { folder: part.folder, fileNames: undefined });
    }
    const roots = tree.roots;
    const parts = roots.flatMap((root) => partsOf(root, roots.length === 1));
    const inOrder = [...rows, ...rowsOf(parts, [startedFiles, mappedFiles])]
      .map((row) => ({ row, path: pathOf(row.folder) }))
      .sort((one, other) => byPath.compare(one.path, other.path))
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
    /**
     * Puts files of started parts back into rows, if `sources` include them. Returns the ids that the rows of these
     * parts had.
     */
    startAgain: (sources: readonly ChosenPlaces[]): readonly number[] => {
      const places = sources.flatMap(placesOf);
      const before = started;
      [startedFiles, started] = [createFileSet(), []];
      const again = before.filter((part) => {
        const others = partsOutside(part, places, tree);
        others.forEach(addStarted);
        return others[0] !== part;
      });
      cut = undefined;
      return again.map(rowIds.idOf);
    },
    idOf: rowIds.idOf,
    partOf: rowIds.partOf,
    /** To be called when the tree, the targets or the level has changed. */
    forget: (): void => {
      cut = undefined;
      levels = undefined;
    },
  };
};

const NO_MATCHES = createMatchIndex([]);

const byPath = new Intl.Collator('en', { numeric: true });

/** Creates the ids of rows. An id depends on the row's folder and kind and, for the kind `named`, on its file names. */
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
    hasAll: (folder: TreeFolder): boolean => upFrom(folder).some((one) => whole.has(one)),
    hasFile: (folder: TreeFolder, name: string): boolean => files.get(folder)?.has(name) === true,
    /** Whether files in or below the folder were added. Such a folder can no longer be one row. */
    hasPartOf: (folder: TreeFolder): boolean => partly.has(folder),
  };
};

/** Removes the files in `others` from parts of the tree. Parts without remaining files are dropped. */
const toRows = (
  parts: Iterable<AssignmentPart<TreeFolder>>,
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

type Input<Name extends keyof Handlers['drafts']> = Parameters<Handlers['drafts'][Name]>[0];

/**
 * The user's decision about a row. `included`: matched as usual, even if it was left out of an earlier upload.
 * `isAccepted`: the user accepted a proposal, possibly together with many others.
 */
export const Decision = z.discriminatedUnion('choice', [
  z.object({ choice: z.literal('assignment'), AssignmentId: z.string(), isAccepted: z.literal(true).optional() }),
  z.object({ choice: z.enum(['left-out', 'included']) }),
]);
export type Decision = z.infer<typeof Decision>;

/** The choices for clashing files. `all`: for all files of a row; `paths`: for single files, by their paths. */
export const RowClashes = z.object({ all: OnClash.optional(), paths: z.record(z.string(), OnClash) });
type RowClashes = z.infer<typeof RowClashes>;

export const Names = z.object({ nameTemplate: NameTemplate, onClash: OnClash });
type Names = z.infer<typeof Names>;

export const ChosenPlaces = z.object({ root: z.string(), only: z.array(z.string()).readonly().optional() });
type ChosenPlaces = z.infer<typeof ChosenPlaces>;

export const Given = ChosenPlaces.extend({ AssignmentId: z.string() });
type Given = z.infer<typeof Given>;

type Scope = { readonly level: number | undefined; readonly target: string | undefined };

export type ChoicesStart = {
  /** The level of the assignment folders. Absent: the draft detects it. */
  readonly level?: number | undefined;
  readonly AssignmentId?: string | undefined;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
  /**
   * Whether a user reviews the draft. If so, folders without new files are left out, and so are unwanted files that the
   * user does not include.
   */
  readonly isReviewed?: boolean | undefined;
};

/** Takes a choice back. Later choices have to be taken back first. */
export type Undo = () => void;

/** Returns the path on the disk of a folder or, with `name`, of a file in it. */
export const placeOnDisk = (folder: TreeFolder, name: string | undefined, { sources }: FolderTree): string =>
  placeIn(sources[folder.source]?.root ?? '', name === undefined ? folder.below : pathOfFile(folder, name));

const pathsOf = ({ folder, fileNames }: Part, tree: FolderTree): readonly string[] =>
  (fileNames ?? [undefined]).map((name) => placeOnDisk(folder, name, tree));

/**
 * Returns the path under which the choice about a row is stored: that of its folder or of its only file. The choice
 * about several loose files is stored under the path of their folder with `LOOSE`.
 */
const placeOfChoice = ({ folder, fileNames }: Row, tree: FolderTree): string =>
  fileNames === undefined || fileNames.length === 1
    ? placeOnDisk(folder, fileNames?.[0], tree)
    : join(placeOnDisk(folder, undefined, tree), LOOSE);

/** Appended to the path of a folder to refer to its loose files. No file can have this name. */
const LOOSE = '/';

const isAtOrBelow = (places: readonly string[], path: string): boolean =>
  places.some((place) => path === place || isBelow(place, path));

/** Whether a source includes all of these paths on the disk. */
const areIn = (paths: readonly string[], source: ChosenPlaces): boolean => {
  const places = placesOf(source);
  return paths.every((path) => isAtOrBelow(places, path));
};

/** Returns the parts of `part` that are outside of `places`: `part` itself if nothing in it is at or below a place. */
const partsOutside = (part: CutPart, places: readonly string[], tree: FolderTree): readonly CutPart[] => {
  const { folder, fileNames } = part;
  const isOutside = (name?: string): boolean => !isAtOrBelow(places, placeOnDisk(folder, name, tree));
  if (fileNames) {
    const others = fileNames.filter(isOutside);
    if (others.length === fileNames.length) return [part];
    return others.length === 0 ? [] : [{ ...part, fileNames: others }];
  }
  if (!isOutside()) return [];
  const at = placeOnDisk(folder, undefined, tree);
  if (!places.some((place) => isBelow(at, place))) return [part];
  const loose = { folder, kind: 'loose', fileNames: folder.files.map(({ name }) => name) } as const;
  const inside = folder.folders.map((one) => ({ folder: one, kind: 'all', fileNames: undefined }) as const);
  return [...(loose.fileNames.length > 0 ? [loose] : []), ...inside].flatMap((one) => partsOutside(one, places, tree));
};

/** Whether the file is an archive whose files are sent instead of it. */
export const isOpened = ({ unwanted }: TreeFile): boolean => unwanted === 'opened';

type FileChoice = readonly [folder: TreeFolder, name: string, isIncluded: boolean];

/**
 * Creates the record of which files of rows are uploaded. `isReviewed`: whether `unwanted` files are left out by
 * default.
 */
const createFileChoices = (tree: FolderTree, isReviewed: boolean) => {
  const files = new Map<TreeFolder, Map<string, boolean>>();
  let filesRevision = 0;

  const setFile = (folder: TreeFolder, name: string, isIncluded: boolean | undefined): void => {
    const here = files.get(folder) ?? new Map<string, boolean>();
    files.set(folder, here);
    if (isIncluded === undefined) here.delete(name);
    else here.set(name, isIncluded);
    if (here.size === 0) files.delete(folder);
  };

  /** Whether the file is uploaded if its folder is uploaded. */
  const isIncluded = (folder: TreeFolder, { name, unwanted }: TreeFile): boolean =>
    files.get(folder)?.get(name) ?? !(isReviewed && unwanted !== undefined);
  let around: { readonly revision: number; readonly folders: ReadonlySet<TreeFolder> } | undefined;
  /** Returns the folders with a chosen file in or below them. Cached, because each row is looked up. */
  const foldersAround = (): ReadonlySet<TreeFolder> => {
    if (around?.revision !== filesRevision)
      around = { revision: filesRevision, folders: new Set(files.keys().flatMap(upFrom)) };
    return around.folders;
  };
  const mayLeaveOut = ({ folder, totals }: Row): boolean =>
    (isReviewed && totals.unwanted > 0) || foldersAround().has(folder);
  // A row that is computed again may have other files, although its id stays the same.
  const leftOut = new WeakMap<Row, { readonly revision: number; readonly files: readonly PartFile[] }>();
  const leftOutIn = (row: Row): readonly PartFile[] => {
    if (!mayLeaveOut(row)) return [];
    const known = leftOut.get(row);
    if (known?.revision === filesRevision) return known.files;
    const found = filesOf(row)
      .filter(({ folder, file }) => !isIncluded(folder, file))
      .toArray();
    leftOut.set(row, { revision: filesRevision, files: found });
    return found;
  };

  return {
    leftOutIn,
    includedIn: (row: Row): Totals => {
      const files = leftOutIn(row);
      return files.length === 0 ? row.totals : without(row.totals, tree.totalsOf(files.map(({ file }) => file)));
    },
    /** The files of a row that are uploaded, in the order of the scan. */
    inOrder: (row: Row): readonly PartFile[] => {
      const out = new Set(leftOutIn(row).map(({ file }) => file));
      return filesOf(row)
        .filter(({ file }) => !out.has(file))
        .toArray()
        .sort((one, other) => one.file.at - other.file.at);
    },
    /** Returns a number that increases whenever the choice of files changes. */
    filesRevision: () => filesRevision,
    /**
     * Includes files of a row or leaves them out: those with these paths or, without `paths`, all except opened
     * archives. If an archive itself is included, the files in it are left out.
     */
    setFiles: (row: Row, { paths, isIncluded: wanted }: Omit<Input<'setFiles'>, 'rowId'>): Undo => {
      const named = paths && new Set(paths);
      const isMeant = ({ folder, file, path }: PartFile): boolean =>
        named?.has(path) ?? (!isOpened(file) && isIncluded(folder, file) !== wanted);
      const changes = filesOf(row)
        .filter(isMeant)
        .flatMap(({ folder, file }) => [
          ...(isOpened(file) ? filesOf({ folder, fileNames: undefined }) : []).map(
            (inner) => [inner.folder, inner.file.name, wanted ? false : undefined] as const,
          ),
          [folder, file.name, wanted] as const,
        ])
        .toArray();
      const before = changes.map(([folder, name]) => [folder, name, files.get(folder)?.get(name)] as const);
      for (const [folder, name, choice] of changes) setFile(folder, name, choice);
      filesRevision += 1;
      return () => {
        for (const [folder, name, was] of before.toReversed()) setFile(folder, name, was);
        filesRevision += 1;
      };
    },
    chosenFiles: (): readonly FileChoice[] =>
      [...files].flatMap(([folder, some]) =>
        [...some].map(([name, isIncluded]) => [folder, name, isIncluded] as const),
      ),
    /** Adopts earlier choices for files without a choice in this draft. This cannot be undone. */
    adoptFiles: (some: readonly FileChoice[]): void => {
      const adopted = some.filter(([folder, name]) => !files.get(folder)?.has(name));
      for (const [folder, name, isIncluded] of adopted) setFile(folder, name, isIncluded);
      if (adopted.length > 0) filesRevision += 1;
    },
  };
};

export type Choices = ReturnType<typeof createChoices>;

export const createChoices = (start: ChoicesStart, tree: FolderTree) => {
  const decisions = new Map<number, Decision>();
  const clashes = new Map<number, RowClashes>();
  let scope: Scope = { level: start.level, target: start.AssignmentId };
  let given: readonly Given[] = [];
  let names: Names = {
    nameTemplate: start.nameTemplate ?? ownNameTemplate,
    onClash: start.onClash ?? 'rename',
  };
  let earlier: ReadonlyMap<string, EarlierChoice> = new Map();

  const put = <Value>(map: Map<number, Value>, values: readonly (readonly [rowId: number, value: Value])[]): Undo => {
    const set = (rowId: number, next: Value | undefined): unknown =>
      next === undefined ? map.delete(rowId) : map.set(rowId, next);
    const before = values.map(([rowId]) => [rowId, map.get(rowId)] as const);
    for (const [rowId, value] of values) set(rowId, value);
    return () => {
      // The order is reversed, because `values` may contain a row twice.
      for (const [rowId, was] of before.toReversed()) set(rowId, was);
    };
  };
  const files = createFileChoices(tree, start.isReviewed === true);

  return {
    scope: () => scope,
    setScope: (change: Partial<Scope>): Undo => {
      const before = scope;
      scope = { ...scope, ...change };
      return () => {
        scope = before;
      };
    },
    /** Assigns everything in `sources`, unless the user decides otherwise about a row. This cannot be undone. */
    give: (sources: readonly ChosenPlaces[], AssignmentId: string): void => {
      given = [...given, ...sources.map(({ root, only }) => ({ root, only, AssignmentId }))];
    },
    /** Returns the assignment to which `give` last assigned all of a part; undefined if there is none. */
    givenTo: (part: Part): string | undefined => {
      if (given.length === 0) return undefined;
      const paths = pathsOf(part, tree);
      return given.findLast((source) => areIn(paths, source))?.AssignmentId;
    },
    names: () => names,
    setNames: (next: Names): void => {
      names = next;
    },
    decisionOf: (rowId: number) => decisions.get(rowId),
    /** Forgets the decisions about rows. This cannot be undone. */
    forget: (rowIds: readonly number[]): void => {
      for (const rowId of rowIds) decisions.delete(rowId);
    },
    /** Makes these decisions about rows. They are undone together. */
    decide: (made: readonly (readonly [rowId: number, decision: Decision])[]) => put(decisions, made),
    /**
     * Returns what happens to clashing files of the row. `assignmentId`: the assignment of the row. Earlier versions of
     * the row's files are only on the assignment of the row's source.
     */
    clashesOf: ({ rowId, folder }: Row, assignmentId: string | undefined) => {
      const { all, paths } = clashes.get(rowId) ?? {};
      const { AssignmentId, replaces = [] } = tree.sources[folder.source] ?? {};
      const isUnchosen = all === undefined && names.onClash === 'rename';
      const replaced = isUnchosen && assignmentId === AssignmentId ? replaces : [];
      const ofSource = Object.fromEntries(replaced.map((path) => [path, 'replace'] as const));
      return { onClash: all ?? names.onClash, clashChoices: { ...ofSource, ...paths } };
    },
    setClash: ({ rowId, onClash, paths }: Input<'setClash'>): Undo => {
      const before = clashes.get(rowId);
      const some = paths && Object.fromEntries(paths.map((path) => [path, onClash]));
      const next = some ? { all: before?.all, paths: { ...before?.paths, ...some } } : { all: onClash, paths: {} };
      return put(clashes, [[rowId, next]]);
    },
    ...files,
    /**
     * Adopts the choices from earlier uploads, for rows without a decision and files without a choice in this draft.
     * This cannot be undone.
     */
    adoptEarlier: (choices: readonly EarlierChoice[]): void => {
      earlier = new Map(choices.map((one) => [one.path, one]));
      files.adoptFiles(
        choices.flatMap(({ path, isLeftOut }) => {
          const found = tree.fileAt(path);
          return found ? [[found.folder, found.name, !isLeftOut] as const] : [];
        }),
      );
    },
    /** Returns when the user left the row out of an earlier upload, in ms since 1970; undefined if the user did not. */
    leftOutAtMs: (row: Row): number | undefined => {
      const choice = earlier.get(placeOfChoice(row, tree));
      return choice?.isLeftOut ? choice.atMs : undefined;
    },
    /** Returns the user's choices for the rows in `rows` and for files, by their paths on the disk. */
    byPath: (rows: readonly Row[]): ChoicesByPath => ({
      rows: rows.flatMap((row) => {
        const choice = decisions.get(row.rowId)?.choice;
        return choice === undefined ? [] : [{ path: placeOfChoice(row, tree), isLeftOut: choice === 'left-out' }];
      }),
      files: files
        .chosenFiles()
        .map(([folder, name, isIncluded]) => ({ path: placeOnDisk(folder, name, tree), isLeftOut: !isIncluded })),
    }),
    all: () => ({ scope, given, names, decisions, clashes }),
    /** Adopts stored choices. This cannot be undone. */
    adopt: (stored: {
      readonly given: readonly Given[];
      readonly decisions: ReadonlyMap<number, Decision>;
      readonly clashes: ReadonlyMap<number, RowClashes>;
      readonly files: readonly FileChoice[];
    }): void => {
      given = [...stored.given, ...given];
      for (const [rowId, decision] of stored.decisions) decisions.set(rowId, decision);
      for (const [rowId, clash] of stored.clashes) clashes.set(rowId, clash);
      files.adoptFiles(stored.files);
    },
  };
};

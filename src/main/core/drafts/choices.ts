/**
 * The user's choices for the rows and files of a draft; the stored draft, with which the choices survive a restart of
 * the app; and the choices that later drafts use.
 */
import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Handlers } from '../../../contract/calls.ts';
import type { Owner } from '../../../contract/connection.ts';
import { NameTemplate, OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import { FILE_MODE, makeFolder, readBounded, replaceFile } from '../../data/files.ts';
import { isBelow, placeIn } from '../../uploads/source/paths.ts';
import {
  type DraftSource,
  type FolderTree,
  filesOf,
  type PartFile,
  pathBelow,
  pathOfFile,
  placesOf,
  type Totals,
  type TreeFile,
  type TreeFolder,
  without,
} from './folder-tree.ts';
import type { Cut, CutPart, Row } from './rows.ts';

type Input<Name extends keyof Handlers['drafts']> = Parameters<Handlers['drafts'][Name]>[0];

/**
 * The user's decision about a row. `included`: matched as usual, even if it was left out of an earlier upload.
 * `isAccepted`: the user accepted a proposal, possibly together with many others.
 */
const Decision = z.discriminatedUnion('choice', [
  z.object({ choice: z.literal('assignment'), AssignmentId: z.string(), isAccepted: z.literal(true).optional() }),
  z.object({ choice: z.enum(['left-out', 'included']) }),
]);
export type Decision = z.infer<typeof Decision>;

/** The choices for clashing files: `all` for all of a row, `paths` for single files by path. */
const RowClashes = z.object({ all: OnClash.optional(), paths: z.record(z.string(), OnClash) });
type RowClashes = z.infer<typeof RowClashes>;

const Names = z.object({ nameTemplate: NameTemplate, onClash: OnClash });
type Names = z.infer<typeof Names>;

const Chosen = z.object({ root: z.string(), only: z.array(z.string()).readonly().optional() });

const Given = Chosen.extend({ AssignmentId: z.string() });
type Given = z.infer<typeof Given>;

type Scope = { readonly level: number | undefined; readonly target: string | undefined };

type ChoicesStart = {
  readonly level?: number | undefined;
  readonly AssignmentId?: string | undefined;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
  /** Whether `unwanted` files are left out unless the user includes them. */
  readonly isReviewed?: boolean | undefined;
};

const MOST_UNDOS = 200;

const isIn = (folder: TreeFolder, around: TreeFolder): boolean => {
  for (let above: TreeFolder | undefined = folder; above !== undefined; above = above.parent)
    if (above === around) return true;
  return false;
};

/** Whether a source includes all of these paths on the disk. */
export const areIn = (paths: readonly string[], source: z.infer<typeof Chosen>): boolean => {
  const places = placesOf(source);
  return paths.every((path) => places.some((place) => path === place || isBelow(place, path)));
};

export type Choices = ReturnType<typeof createChoices>;

export const createChoices = (start: ChoicesStart, tree: FolderTree) => {
  const decisions = new Map<number, Decision>();
  const clashes = new Map<number, RowClashes>();
  const files = new Map<TreeFolder, Map<string, boolean>>();
  const undos: (() => void)[] = [];
  let scope: Scope = { level: start.level, target: start.AssignmentId };
  let given: readonly Given[] = [];
  let names: Names = {
    nameTemplate: start.nameTemplate ?? ownNameTemplate,
    onClash: start.onClash ?? 'rename',
  };
  let filesRevision = 0;
  let unread: UnreadChoices = { decisions: [], clashes: [], files: [], started: [], rows: [] };

  const undoable = (undo: () => void): void => {
    undos.push(undo);
    if (undos.length > MOST_UNDOS) undos.shift();
  };
  const put = <Value>(map: Map<number, Value>, values: readonly (readonly [rowId: number, value: Value])[]): void => {
    const set = (rowId: number, next: Value | undefined): unknown =>
      next === undefined ? map.delete(rowId) : map.set(rowId, next);
    const before = values.map(([rowId]) => [rowId, map.get(rowId)] as const);
    for (const [rowId, value] of values) set(rowId, value);
    undoable(() => {
      // The order is reversed, because `values` may contain a row twice.
      for (const [rowId, was] of before.toReversed()) set(rowId, was);
    });
  };
  const setFile = (folder: TreeFolder, name: string, isIncluded: boolean | undefined): void => {
    const here = files.get(folder) ?? new Map<string, boolean>();
    files.set(folder, here);
    if (isIncluded === undefined) here.delete(name);
    else here.set(name, isIncluded);
    if (here.size === 0) files.delete(folder);
  };

  const isIncluded = (folder: TreeFolder, { name, unwanted }: TreeFile): boolean =>
    files.get(folder)?.get(name) ?? !(start.isReviewed === true && unwanted !== undefined);
  const mayLeaveOut = ({ folder, totals }: Row): boolean =>
    (start.isReviewed === true && totals.unwanted > 0) || files.keys().some((one) => isIn(one, folder));
  const leftOut = new Map<number, { readonly revision: number; readonly files: readonly PartFile[] }>();
  const leftOutIn = (row: Row): readonly PartFile[] => {
    if (!mayLeaveOut(row)) return [];
    const known = leftOut.get(row.rowId);
    if (known?.revision === filesRevision) return known.files;
    const found = filesOf(row)
      .filter(({ folder, file }) => !isIncluded(folder, file))
      .toArray();
    leftOut.set(row.rowId, { revision: filesRevision, files: found });
    return found;
  };

  return {
    scope: () => scope,
    setScope: (change: Partial<Scope>): void => {
      const before = scope;
      scope = { ...scope, ...change };
      undoable(() => {
        scope = before;
      });
    },
    /** Assigns everything in `sources`, unless the user decides otherwise about a row. This cannot be undone. */
    give: (sources: readonly z.infer<typeof Chosen>[], AssignmentId: string): void => {
      given = [...given, ...sources.map(({ root, only }) => ({ root, only, AssignmentId }))];
    },
    /**
     * Returns the assignment to which `give` last assigned all of these paths on the disk; undefined if there is none.
     */
    givenTo: (pathsOf: () => readonly string[]): string | undefined => {
      if (given.length === 0) return undefined;
      const paths = pathsOf();
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
    /** Makes these decisions about rows, which are undone together. */
    decide: (made: readonly (readonly [rowId: number, decision: Decision])[]) => put(decisions, made),
    clashesOf: (rowId: number) => {
      const { all, paths = {} } = clashes.get(rowId) ?? {};
      return { onClash: all ?? names.onClash, clashChoices: paths };
    },
    setClash: ({ rowId, onClash, paths }: Input<'setClash'>): void => {
      const before = clashes.get(rowId);
      const some = paths && Object.fromEntries(paths.map((path) => [path, onClash]));
      const next = some ? { all: before?.all, paths: { ...before?.paths, ...some } } : { all: onClash, paths: {} };
      put(clashes, [[rowId, next]]);
    },
    /** Whether the file is uploaded if its folder is uploaded. */
    isIncluded,
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
    filesRevision: () => filesRevision,
    /** Sets the choices for files. If `isIncluded` is undefined, the choice is removed. */
    setFiles: (some: readonly (readonly [TreeFolder, string, isIncluded: boolean | undefined])[]): void => {
      const before = some.map(([folder, name]) => [folder, name, files.get(folder)?.get(name)] as const);
      for (const [folder, name, isIncluded] of some) setFile(folder, name, isIncluded);
      filesRevision += 1;
      undoable(() => {
        for (const [folder, name, was] of before.toReversed()) setFile(folder, name, was);
        filesRevision += 1;
      });
    },
    /**
     * Adopts the choice for a file from an earlier upload, unless this draft has a choice for it. This cannot be
     * undone.
     */
    adoptFile: (folder: TreeFolder, name: string, isIncluded: boolean): void => {
      if (files.get(folder)?.has(name)) return;
      setFile(folder, name, isIncluded);
      filesRevision += 1;
    },
    canUndo: () => undos.length > 0,
    undo: () => undos.pop()?.(),
    forgetUndos: (): void => {
      undos.length = 0;
    },
    all: () => ({ scope, given, names, decisions, clashes, files, unread }),
    /** Adopts stored choices. This cannot be undone. `unread`: those that are only to be stored again. */
    adopt: (stored: {
      readonly unread: UnreadChoices;
      readonly given: readonly Given[];
      readonly decisions: ReadonlyMap<number, Decision>;
      readonly clashes: ReadonlyMap<number, RowClashes>;
      readonly files: readonly (readonly [TreeFolder, string, boolean])[];
    }): void => {
      given = [...stored.given, ...given];
      unread = stored.unread;
      for (const [rowId, decision] of stored.decisions) decisions.set(rowId, decision);
      for (const [rowId, clash] of stored.clashes) clashes.set(rowId, clash);
      for (const [folder, name, isIncluded] of stored.files) setFile(folder, name, isIncluded);
      filesRevision += 1;
    },
  };
};

/**
 * A part of a source. `source`: the index of the source; `below`: the path of the part's folder; `loose`: only the
 * files directly in the folder; `names`: only the files with these names directly in the folder.
 */
const Place = z.object({
  source: z.int().min(0),
  below: z.string(),
  loose: z.literal(true).optional(),
  names: z.array(z.string()).readonly().optional(),
});
type Place = z.infer<typeof Place>;

export const KeptDraft = z.object({
  version: z.literal(1),
  connectionId: z.string(),
  subject: z.string().optional(),
  savedAtMs: z.number(),
  sources: z.array(Chosen.extend({ name: z.string(), isJob: z.boolean().optional() })).readonly(),
  given: z.array(Given).readonly().default([]),
  AssignmentId: z.string().optional(),
  level: z.int().min(0).optional(),
  ...Names.shape,
  decisions: z.array(Place.and(Decision)).readonly(),
  clashes: z.array(Place.and(RowClashes)).readonly(),
  files: z.array(z.object({ source: z.int().min(0), below: z.string(), isIncluded: z.boolean() })).readonly(),
  started: z.array(Place).readonly(),
  /** The rows at the time of storing, to be compared with the rows of the continued draft. */
  rows: z.array(Place.extend({ files: z.int(), bytes: z.number() })).readonly(),
});
export type KeptDraft = z.infer<typeof KeptDraft>;

/** The stored choices for folders that could not be read. */
type UnreadChoices = Pick<KeptDraft, 'decisions' | 'clashes' | 'files' | 'started' | 'rows'>;

type Components = {
  readonly tree: FolderTree;
  readonly cut: Pick<Cut, 'idOf' | 'partOf' | 'started' | 'addStarted'>;
  readonly choices: Choices;
};

const placeOf = ({ folder, kind, fileNames }: CutPart): Place => ({
  source: folder.source,
  below: pathBelow(folder),
  ...(kind === 'loose' && { loose: true }),
  ...(kind !== 'all' && fileNames && { names: fileNames }),
});

/** The row of a folder's loose files is identified without their names, which may change. */
const placeOfRow = (row: Row): Place => placeOf(row.kind === 'loose' ? { ...row, fileNames: undefined } : row);

export const storeChoices = (
  { tree, cut, choices }: Components,
  rows: readonly Row[],
): Omit<KeptDraft, 'version' | 'connectionId' | 'subject' | 'savedAtMs'> => {
  const { scope, given, names, decisions, clashes, files, unread } = choices.all();
  const placed = <Value>(all: ReadonlyMap<number, Value>): readonly (Place & Value)[] =>
    [...all].flatMap(([rowId, value]) => {
      const part = cut.partOf(rowId);
      return part ? [{ ...placeOf(part), ...value }] : [];
    });
  return {
    sources: tree.sources.map(storedSource),
    given,
    ...(scope.target !== undefined && { AssignmentId: scope.target }),
    ...(scope.level !== undefined && { level: scope.level }),
    ...names,
    decisions: [...placed(decisions), ...unread.decisions],
    clashes: [...placed(clashes), ...unread.clashes],
    files: [...files]
      .flatMap(([folder, some]) =>
        [...some].map(([name, isIncluded]) => ({
          source: folder.source,
          below: pathOfFile(folder, name),
          isIncluded,
        })),
      )
      .concat(unread.files),
    started: [...cut.started().map(placeOf), ...unread.started],
    rows: rows
      .map((row) => ({ ...placeOfRow(row), files: row.totals.files, bytes: row.totals.bytes }))
      .concat(unread.rows),
  };
};

export const storedSource = ({ root, name, only, isJob }: DraftSource): KeptDraft['sources'][number] => ({
  root,
  name,
  ...(only && { only }),
  ...(isJob && { isJob }),
});

const keyOfSource = ({ root, only }: KeptDraft['sources'][number]): string => JSON.stringify([root, only]);

const folderBelow = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * Adopts the stored choices whose folders exist. To be called once everything has been scanned. `isWhole`: whether the
 * scan has read everything. If not, the choices whose folders were not found are only stored again.
 */
export const adoptChoices = ({ tree, cut, choices }: Components, kept: KeptDraft, isWhole: boolean): void => {
  const indexes = new Map(tree.sources.map((source, index) => [keyOfSource(source), index]));
  const indexOf = (source: number): number | undefined => {
    const stored = kept.sources[source];
    return stored && indexes.get(keyOfSource(stored));
  };
  const folderAt = (source: number, below: string): TreeFolder | undefined => {
    const index = indexOf(source);
    return index === undefined ? undefined : tree.folderAt(index, below);
  };
  const unreadIn = <P extends Pick<Place, 'source' | 'below'>>(
    places: readonly P[],
    folderOf = ({ below }: P): string => below,
  ): readonly P[] =>
    places.flatMap((place) => {
      const source = indexOf(place.source);
      if (isWhole || source === undefined || tree.folderAt(source, folderOf(place))) return [];
      return [{ ...place, source }];
    });
  const partOf = ({ source, below, loose, names }: Place): readonly CutPart[] => {
    const folder = folderAt(source, below);
    const kind = loose ? 'loose' : names ? 'named' : 'all';
    return folder ? [{ folder, kind, fileNames: names }] : [];
  };
  const byRow = <Value extends Place>(all: readonly Value[]): ReadonlyMap<number, Value> =>
    new Map(all.flatMap((one) => partOf(one).map((part) => [cut.idOf(part), one] as const)));
  cut.addStarted(kept.started.flatMap(partOf));
  choices.adopt({
    given: kept.given,
    decisions: byRow(kept.decisions),
    clashes: byRow(kept.clashes),
    files: kept.files.flatMap(({ source, below, isIncluded }) => {
      const folder = folderAt(source, folderBelow(below));
      return folder ? [[folder, below.slice(below.lastIndexOf('/') + 1), isIncluded] as const] : [];
    }),
    unread: {
      decisions: unreadIn(kept.decisions),
      clashes: unreadIn(kept.clashes),
      files: unreadIn(kept.files, ({ below }) => folderBelow(below)),
      started: unreadIn(kept.started),
      rows: unreadIn(kept.rows),
    },
  });
};

/** How many rows are new or gone, or have a different number of files or bytes than in the stored draft. */
export const countChanged = (rows: readonly Row[], { rows: before, sources }: KeptDraft): number => {
  const keyOf = ({ source, below, loose, names }: Place): string => JSON.stringify([source, below, loose, names]);
  const unseen = new Map(before.map((row) => [keyOf(row), row]));
  let changed = 0;
  for (const row of rows) {
    // The user added this source after the draft was stored.
    if (row.folder.source >= sources.length) continue;
    const key = keyOf(placeOfRow(row));
    const was = unseen.get(key);
    if (was?.files !== row.totals.files || was.bytes !== row.totals.bytes) changed += 1;
    unseen.delete(key);
  }
  return changed + unseen.size;
};

/**
 * Returns the path of a user's stored draft below `directory`. Each user of a connection has at most one stored draft.
 */
export const keptDraftPath = (directory: string, { connectionId, subject }: Owner): string => {
  const user = subject === undefined ? '' : `-${createHash('sha256').update(subject).digest('hex').slice(0, 16)}`;
  return join(directory, `${connectionId}${user}.json`);
};

/** The maximum size of a stored draft. A draft of a million folders takes about 100 MB. */
const MOST_BYTES = 256 * 1024 * 1024;

const readKept = async (path: string): Promise<KeptDraft | undefined> => {
  try {
    const bytes = await readBounded(path, MOST_BYTES);
    return bytes && KeptDraft.parse(JSON.parse(bytes.toString()));
  } catch {
    return undefined;
  }
};

/**
 * Reads the stored draft of `owner`; undefined if there is none that can be read. A user without a draft takes over the
 * draft that was stored for the connection while its user was unknown.
 */
export const readKeptDraft = async (directory: string, owner: Owner): Promise<KeptDraft | undefined> => {
  const { connectionId, subject } = owner;
  const path = keptDraftPath(directory, owner);
  const own = await readKept(path);
  if (own || subject === undefined) return own;
  await rename(keptDraftPath(directory, { connectionId }), path).catch(() => {});
  const found = await readKept(path);
  return found && { ...found, subject };
};

export const writeKeptDraft = (path: string, kept: KeptDraft): Promise<void> =>
  replaceFile(path, async (temporary) => {
    makeFolder(dirname(path));
    await writeFile(temporary, JSON.stringify(kept), { mode: FILE_MODE, flag: 'wx' });
  });

export const removeKeptDraft = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});

/**
 * Returns the path under which the choice about a row is stored: that of its folder or of its only file. For several
 * loose files, it is that of the folder with `LOOSE`.
 */
export const placeOfChoice = ({ folder, fileNames }: Row, tree: FolderTree): string => {
  const root = tree.sources[folder.source]?.root ?? '';
  if (!fileNames) return placeIn(root, folder.below);
  const [first, ...others] = fileNames;
  return first !== undefined && others.length === 0
    ? placeIn(root, pathOfFile(folder, first))
    : join(placeIn(root, folder.below), LOOSE);
};

/** Appended to the path of a folder to refer to its loose files. No file can have this name. */
const LOOSE = '/';

/** The rows and the files for which the user made a choice, by their paths on the disk. */
export const choicesByPath = ({ tree, choices }: Pick<Components, 'tree' | 'choices'>, rows: readonly Row[]) => {
  const chosenRows = rows.flatMap((row) => {
    const choice = choices.decisionOf(row.rowId)?.choice;
    if (choice === undefined) return [];
    return [{ path: placeOfChoice(row, tree), isLeftOut: choice === 'left-out' }];
  });
  const files = [...choices.all().files].flatMap(([folder, some]) =>
    [...some].map(([name, isIncluded]) => ({
      path: placeIn(tree.sources[folder.source]?.root ?? '', pathOfFile(folder, name)),
      isLeftOut: !isIncluded,
    })),
  );
  return { rows: chosenRows, files };
};

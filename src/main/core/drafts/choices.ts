/**
 * The user's choices for the rows and files of a draft, and the stored draft, which lets the draft survive a restart of
 * the app. The stored draft has the chosen folders and the choices; the folders are scanned and matched again.
 */
import { createHash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Handlers } from '../../../contract/calls.ts';
import type { Owner } from '../../../contract/connection.ts';
import { NameTemplate, OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import { FILE_MODE, makeFolder, readBounded, replaceFile } from '../../data/files.ts';
import { isBelow } from '../../uploads/source/paths.ts';
import { type FolderTree, pathBelow, pathOfFile, placesOf, type TreeFile, type TreeFolder } from './folder-tree.ts';
import type { Cut, CutPart, Row } from './rows.ts';

type Input<Name extends keyof Handlers['drafts']> = Parameters<Handlers['drafts'][Name]>[0];

/** The user's decision about a row. `included`: matched as usual, even if it was left out of an earlier upload. */
const Decision = z.discriminatedUnion('choice', [
  z.object({ choice: z.literal('assignment'), AssignmentId: z.string() }),
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

export type Choices = ReturnType<typeof createChoices>;

export const createChoices = (start: ChoicesStart) => {
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

  const undoable = (undo: () => void): void => {
    undos.push(undo);
    if (undos.length > MOST_UNDOS) undos.shift();
  };
  const put = <Value>(map: Map<number, Value>, rowIds: readonly number[], value: Value | undefined): void => {
    const set = (rowId: number, next: Value | undefined): unknown =>
      next === undefined ? map.delete(rowId) : map.set(rowId, next);
    const before = rowIds.map((rowId) => [rowId, map.get(rowId)] as const);
    for (const rowId of rowIds) set(rowId, value);
    undoable(() => {
      // The order is reversed, because `rowIds` may contain a row twice.
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
      return given.findLast((source) => {
        const places = placesOf(source);
        return paths.every((path) => places.some((place) => path === place || isBelow(place, path)));
      })?.AssignmentId;
    },
    names: () => names,
    setNames: (next: Names): void => {
      names = next;
    },
    decisionOf: (rowId: number) => decisions.get(rowId),
    decide: (rowIds: readonly number[], decision: Decision) => put(decisions, rowIds, decision),
    clashesOf: (rowId: number) => {
      const { all, paths = {} } = clashes.get(rowId) ?? {};
      return { onClash: all ?? names.onClash, clashChoices: paths };
    },
    setClash: ({ rowId, onClash, paths }: Input<'setClash'>): void => {
      const before = clashes.get(rowId);
      const some = paths && Object.fromEntries(paths.map((path) => [path, onClash]));
      const next = some ? { all: before?.all, paths: { ...before?.paths, ...some } } : { all: onClash, paths: {} };
      put(clashes, [rowId], next);
    },
    /** Whether the file is uploaded if its folder is uploaded. */
    isIncluded: (folder: TreeFolder, { name, unwanted }: TreeFile): boolean =>
      files.get(folder)?.get(name) ?? !(start.isReviewed === true && unwanted !== undefined),
    /** Whether files in or below the folder may be left out. `unwanted`: how many are unwanted. */
    mayLeaveOut: (folder: TreeFolder, unwanted: number): boolean =>
      (start.isReviewed === true && unwanted > 0) || files.keys().some((one) => isIn(one, folder)),
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
    all: () => ({ scope, given, names, decisions, clashes, files }),
    /** Adopts stored choices. This cannot be undone. */
    adopt: (stored: {
      readonly given: readonly Given[];
      readonly decisions: ReadonlyMap<number, Decision>;
      readonly clashes: ReadonlyMap<number, RowClashes>;
      readonly files: readonly (readonly [TreeFolder, string, boolean])[];
    }): void => {
      given = [...stored.given, ...given];
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
  sources: z.array(Chosen.extend({ name: z.string() })).readonly(),
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

type Components = {
  readonly tree: FolderTree;
  readonly cut: Pick<Cut, 'idOf' | 'partOf' | 'started' | 'adoptStarted'>;
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

/** Returns the choices and the present rows for storing. */
export const storeChoices = (
  { tree, cut, choices }: Components,
  rows: readonly Row[],
): Omit<KeptDraft, 'version' | 'connectionId' | 'subject' | 'savedAtMs'> => {
  const { scope, given, names, decisions, clashes, files } = choices.all();
  const placed = <Value>(all: ReadonlyMap<number, Value>): readonly (Place & Value)[] =>
    [...all].flatMap(([rowId, value]) => {
      const part = cut.partOf(rowId);
      return part ? [{ ...placeOf(part), ...value }] : [];
    });
  return {
    sources: tree.sources.map(({ root, name, only }) => ({ root, name, ...(only && { only }) })),
    given,
    ...(scope.target !== undefined && { AssignmentId: scope.target }),
    ...(scope.level !== undefined && { level: scope.level }),
    ...names,
    decisions: placed(decisions),
    clashes: placed(clashes),
    files: [...files].flatMap(([folder, some]) =>
      [...some].map(([name, isIncluded]) => ({
        source: folder.source,
        below: pathOfFile(folder, name),
        isIncluded,
      })),
    ),
    started: cut.started().map(placeOf),
    rows: rows.map((row) => ({ ...placeOfRow(row), files: row.totals.files, bytes: row.totals.bytes })),
  };
};

const keyOfSource = ({ root, only }: KeptDraft['sources'][number]): string => JSON.stringify([root, only]);

/** Adopts the stored choices whose folders still exist. To be called once everything has been scanned. */
export const adoptChoices = ({ tree, cut, choices }: Components, kept: KeptDraft): void => {
  const indexes = new Map(tree.sources.map((source, index) => [keyOfSource(source), index]));
  const folderAt = (source: number, below: string): TreeFolder | undefined => {
    const stored = kept.sources[source];
    const index = stored && indexes.get(keyOfSource(stored));
    return index === undefined ? undefined : tree.folderAt(index, below);
  };
  const partOf = ({ source, below, loose, names }: Place): readonly CutPart[] => {
    const folder = folderAt(source, below);
    const kind = loose ? 'loose' : names ? 'named' : 'all';
    return folder ? [{ folder, kind, fileNames: names }] : [];
  };
  const byRow = <Value extends Place>(all: readonly Value[]): ReadonlyMap<number, Value> =>
    new Map(all.flatMap((one) => partOf(one).map((part) => [cut.idOf(part), one] as const)));
  cut.adoptStarted(kept.started.flatMap(partOf));
  choices.adopt({
    given: kept.given,
    decisions: byRow(kept.decisions),
    clashes: byRow(kept.clashes),
    files: kept.files.flatMap(({ source, below, isIncluded }) => {
      const slash = below.lastIndexOf('/');
      const folder = folderAt(source, below.slice(0, Math.max(0, slash)));
      return folder ? [[folder, below.slice(slash + 1), isIncluded] as const] : [];
    }),
  });
};

/** How many rows are new or gone, or have a different number of files or bytes than in the stored draft. */
export const countChanged = (rows: readonly Row[], { rows: before }: KeptDraft): number => {
  const keyOf = ({ source, below, loose, names }: Place): string => JSON.stringify([source, below, loose, names]);
  const unseen = new Map(before.map((row) => [keyOf(row), row]));
  let changed = 0;
  for (const row of rows) {
    const key = keyOf(placeOfRow(row));
    const was = unseen.get(key);
    if (was?.files !== row.totals.files || was.bytes !== row.totals.bytes) changed += 1;
    unseen.delete(key);
  }
  return changed + unseen.size;
};

/** Returns the path of a user's stored draft below `directory`. Each user of a connection has one stored draft. */
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

/** Replaces the stored draft. Errors: `data/unwritable`. */
export const writeKeptDraft = (path: string, kept: KeptDraft): Promise<void> =>
  replaceFile(path, async (temporary) => {
    makeFolder(dirname(path));
    await writeFile(temporary, JSON.stringify(kept), { mode: FILE_MODE, flag: 'wx' });
  });

export const removeKeptDraft = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});

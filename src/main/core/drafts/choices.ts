/** The user's choices for the rows and files of a draft. All but those of file names and adopted ones can be undone. */
import type { Handlers } from '../../../contract/calls.ts';
import { type NameTemplate, type OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import type { ClashChoices } from '../../uploads/ledger/batches.ts';
import { isBelow } from '../../uploads/source/paths.ts';
import { type DraftSource, placesOf, type TreeFile, type TreeFolder } from './folder-tree.ts';

type Input<Name extends keyof Handlers['drafts']> = Parameters<Handlers['drafts'][Name]>[0];

/** `included`: matched as usual, although the row was left out of an earlier upload. */
export type Decision =
  | { readonly choice: 'assignment'; readonly AssignmentId: string }
  | { readonly choice: 'left-out' | 'included' };

/** The choices for clashing files of a row: one for all, and separate ones by path. */
type RowClashes = { readonly all?: OnClash | undefined; readonly paths: ClashChoices };

/** The level of the assignment folders, and the assignment for the whole draft, if they were chosen. */
type Scope = { readonly level: number | undefined; readonly target: string | undefined };

/** A folder, or some files in it, that were added for an assignment. */
type Given = Pick<DraftSource, 'root' | 'only'> & { readonly AssignmentId: string };

type Names = { readonly nameTemplate: NameTemplate; readonly onClash: OnClash };

type ChoicesStart = {
  readonly level?: number | undefined;
  readonly AssignmentId?: string | undefined;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
  /** Whether `unwanted` files are left out unless the user includes them. */
  readonly isReviewed?: boolean | undefined;
};

/** Maximum length of the undo history; older changes can no longer be undone. */
const MOST_UNDOS = 200;

const isIn = (folder: TreeFolder, around: TreeFolder): boolean => {
  for (let above: TreeFolder | undefined = folder; above !== undefined; above = above.parent)
    if (above === around) return true;
  return false;
};

export type Choices = ReturnType<typeof createChoices>;

/** Creates a store with the choices of `start`. */
export const createChoices = (start: ChoicesStart) => {
  const decisions = new Map<number, Decision>();
  const clashes = new Map<number, RowClashes>();
  /** Whether files are uploaded, by folder and name. */
  const files = new Map<TreeFolder, Map<string, boolean>>();
  const undos: (() => void)[] = [];
  let scope: Scope = { level: start.level, target: start.AssignmentId };
  let given: readonly Given[] = [];
  let names: Names = {
    nameTemplate: start.nameTemplate ?? ownNameTemplate,
    onClash: start.onClash ?? 'rename',
  };
  /** Increases with each change of `files`. */
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
      // In reverse, because `rowIds` may contain a row twice.
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
    /** Assigns what lies in these folders and files. It cannot be undone; decisions about rows take precedence. */
    give: (sources: readonly Omit<Given, 'AssignmentId'>[], AssignmentId: string): void => {
      given = [...given, ...sources.map(({ root, only }) => ({ root, only, AssignmentId }))];
    },
    /** The assignment to which all of these paths on the disk were given last. */
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
    /** Whether the file is uploaded with its folder. */
    isIncluded: (folder: TreeFolder, { name, unwanted }: TreeFile): boolean =>
      files.get(folder)?.get(name) ?? !(start.isReviewed === true && unwanted !== undefined),
    /** Whether files in or below the folder may be left out. `unwanted`: the number of unwanted files there. */
    mayLeaveOut: (folder: TreeFolder, unwanted: number): boolean =>
      (start.isReviewed === true && unwanted > 0) || files.keys().some((one) => isIn(one, folder)),
    filesRevision: () => filesRevision,
    /** `isIncluded`: undefined removes the choice. */
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
     * Adopts the choice that was made for a file in an earlier upload, unless this draft has one. It cannot be undone.
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
    /** Everything that was chosen, to be stored. */
    all: () => ({ scope, given, names, decisions, clashes, files }),
    /** Adopts stored choices. They cannot be undone. */
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

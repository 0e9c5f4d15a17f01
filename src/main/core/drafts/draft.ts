/** One draft: its rows, what was decided about them, and how they are shown. Knows nothing of threads. */
import type { LeftOut } from '../../../contract/batches.ts';
import type { Draft, DraftPhase, DraftRow } from '../../../contract/drafts.ts';
import { DeskError, type ErrorData } from '../../../contract/errors.ts';
import { type OnClash, ownNameTemplate } from '../../../contract/names.ts';
import { wordsOf } from '../../matching/folder-words.ts';
import { type Clash, createClashFinder, type TakenName } from './clashes.ts';
import { createDecisions, type Decision } from './decisions.ts';
import type { DraftSource, DraftStart, PlannedRow, ThreadCalls } from './draft-calls.ts';
import { type FolderTree, pathOf } from './folder-tree.ts';
import type { KnownTargets } from './known-targets.ts';
import { comparePaths, isProblem, selectRows } from './row-list.ts';
import { createSentRows, type Row, rowsAt, sourceOfRow } from './rows.ts';
import { type Choice, viewRow } from './view-row.ts';

/** Everything about a draft but its scan and its targets, which others fill in. */
export type DraftModel = Pick<
  ThreadCalls,
  | 'rows'
  | 'candidates'
  | 'assign'
  | 'leaveOut'
  | 'takeIn'
  | 'alike'
  | 'undo'
  | 'setLevel'
  | 'setTarget'
  | 'setNames'
  | 'clashes'
  | 'setClash'
  | 'plan'
  | 'started'
> & {
  readonly view: () => Draft;
  /** Something that the model reads has changed: files were found, or targets. */
  readonly changed: () => void;
};

/** What a draft reads of its surroundings. */
export type Surroundings = {
  readonly start: Pick<DraftStart, 'draftId' | 'AssignmentId'>;
  readonly sources: () => readonly DraftSource[];
  readonly tree: FolderTree;
  readonly targets: KnownTargets;
  /** The names that are taken on an assignment. The same object while they are the same. */
  readonly takenOn: (AssignmentId: string) => readonly TakenName[];
  readonly phase: () => DraftPhase;
  readonly reason: () => ErrorData | undefined;
  readonly leftOut: () => LeftOut;
};

type ClashChoice = { readonly all?: OnClash; readonly paths: ReadonlyMap<string, OnClash> };

/** A person does not look through more. */
const MOST_CLASHES = 10_000;

/** With more changes, the first of them can no longer be taken back. */
const MOST_UNDOS = 200;

const NOTHING_DECIDED: Choice = { choice: 'undecided' };

/** A draft without decisions. */
export const createDraftModel = (of: Surroundings): DraftModel => {
  const decisions = createDecisions();
  const undos: (() => void)[] = [];
  const sent = createSentRows();
  let revision = 0;
  let level: number | undefined;
  let target = of.start.AssignmentId;
  let nameTemplate = ownNameTemplate;
  let onClash: OnClash = 'rename';
  let cut: readonly Row[] | undefined;
  let views = new Map<number, DraftRow>();
  let shown: readonly DraftRow[] | undefined;
  let clashes = new Map<number, readonly Clash[]>();
  const findClashes = createClashFinder();
  const clashChoices = new Map<number, ClashChoice>();
  let selected: { readonly key: string; readonly rows: readonly DraftRow[] } | undefined;

  const levelNow = (): number => level ?? (target === undefined ? 1 : 0);
  const rows = (): readonly Row[] => {
    if (of.phase() === 'scanning') return [];
    cut ??= rowsAt(of.tree, { level: levelNow(), isChosen: (source) => of.sources()[source]?.only !== undefined, sent })
      .map((row) => ({ row, path: pathOf(row.folder) }))
      .sort((one, other) => comparePaths(one.path, other.path))
      .map(({ row }) => row);
    return cut;
  };
  const rowOf = (rowId: number): Row => {
    const row = rows().find((one) => one.rowId === rowId);
    if (row) return row;
    throw new DeskError('input/invalid', 'there is no such row', { details: { field: 'rowId' } });
  };

  const choiceOf = (row: Row): Choice => {
    const decided = decisions.of(row.rowId);
    if (decided?.choice === 'left-out') return decided;
    const byPerson = decided?.AssignmentId ?? target;
    if (byPerson !== undefined) return { choice: 'assignment', chosenBy: 'person', AssignmentId: byPerson };
    const { decision, candidates } = of.targets.matchOf(row);
    const [best] = candidates;
    if (decision !== 'send' || best === undefined) return NOTHING_DECIDED;
    return { choice: 'assignment', chosenBy: 'match', AssignmentId: best.AssignmentId };
  };
  const viewOf = (row: Row): DraftRow => {
    const known = views.get(row.rowId);
    if (known) return known;
    const view = viewRow({
      row,
      choice: choiceOf(row),
      match: of.targets.matchOf(row),
      summaryOf: of.targets.summaryOf,
      certaintyOf: (AssignmentId) => of.targets.certaintyOf(row, AssignmentId),
    });
    views.set(row.rowId, view);
    return view;
  };
  /** The rows as they are shown, with the clashes between them. */
  const shownRows = (): readonly DraftRow[] => {
    if (shown) return shown;
    const all = rows();
    const assigned = Map.groupBy(all, (row) => viewOf(row).AssignmentId);
    clashes = new Map();
    for (const [AssignmentId, group] of assigned) {
      if (AssignmentId === undefined) continue;
      const found = findClashes(AssignmentId, { rows: group, template: nameTemplate, taken: of.takenOn(AssignmentId) });
      for (const [rowId, some] of found) clashes.set(rowId, some);
    }
    shown = all.map((row): DraftRow => {
      const view = viewOf(row);
      const files = clashes.get(row.rowId)?.length ?? 0;
      return files === 0 ? view : { ...view, warnings: [...view.warnings, { kind: 'clash', files }] };
    });
    return shown;
  };
  const onClashOf = (rowId: number, path: string): OnClash => {
    const choice = clashChoices.get(rowId);
    return choice?.paths.get(path) ?? choice?.all ?? onClash;
  };

  const view = (): Draft => {
    const { tree, sources, phase, reason, leftOut, targets } = of;
    const shown = shownRows();
    const chosen = shown.filter(({ choice }) => choice === 'assignment');
    const toSend = chosen.filter(({ files }) => files > 0);
    const count = (is: (row: DraftRow) => boolean): number => shown.filter(is).length;
    const roots = tree.folders.filter(({ parent }) => parent === undefined);
    const because = reason();
    return {
      draftId: of.start.draftId,
      revision,
      phase: phase(),
      ...(because && { reason: because }),
      names: sources().map(({ name }) => name),
      folders: tree.folders.length,
      files: sum(roots, ({ whole }) => whole.files),
      bytes: sum(roots, ({ whole }) => whole.bytes),
      leftOut: leftOut(),
      assignments: targets.progress(),
      levels: levelsOf(tree),
      level: levelNow(),
      ...(target !== undefined && { AssignmentId: target }),
      counts: {
        total: shown.length,
        undecided: count(({ choice }) => choice === 'undecided'),
        matched: chosen.length,
        leftOut: count(({ choice }) => choice === 'left-out'),
        problems: count(isProblem),
      },
      toSend: {
        folders: toSend.length,
        files: sum(toSend, ({ files }) => files),
        bytes: sum(toSend, ({ bytes }) => bytes),
        assignments: new Set(toSend.map(({ AssignmentId }) => AssignmentId)).size,
      },
      nameTemplate,
      onClash,
      canUndo: undos.length > 0,
    };
  };

  /** Forgets what was derived from `rowIds`, or from everything. */
  const changed = (rowIds?: readonly number[]): Draft => {
    revision += 1;
    selected = undefined;
    shown = undefined;
    if (rowIds) for (const rowId of rowIds) views.delete(rowId);
    else {
      views = new Map();
      cut = undefined;
    }
    return view();
  };
  const undoable = (undo: () => void): void => {
    undos.push(undo);
    if (undos.length > MOST_UNDOS) undos.shift();
  };
  const decide = (rowIds: readonly number[], decision: Decision | undefined): Draft => {
    const present = new Set(rows().map(({ rowId }) => rowId));
    for (const rowId of rowIds) if (!present.has(rowId)) rowOf(rowId);
    undoable(decisions.set(rowIds, decision));
    return changed(rowIds);
  };

  return {
    view,
    changed: () => void changed(),
    rows: ({ offset, limit, ...query }) => {
      const key = JSON.stringify(query);
      if (selected?.key !== key) selected = { key, rows: selectRows(shownRows(), query) };
      return { rows: selected.rows.slice(offset, offset + limit), total: selected.rows.length };
    },
    candidates: ({ rowId, found }) => {
      const row = rowOf(rowId);
      const proposed = of.targets.matchOf(row).candidates;
      const shown =
        found?.map((id) => proposed.find((one) => one.AssignmentId === id) ?? of.targets.certaintyOf(row, id)) ??
        proposed;
      const candidates = shown.map((candidate) => {
        const assignment = of.targets.summaryOf(candidate.AssignmentId);
        return { ...candidate, ...(assignment && { assignment }) };
      });
      return { candidates, total: candidates.length };
    },
    assign: ({ rowIds, AssignmentId }) => decide(rowIds, { choice: 'assignment', AssignmentId }),
    leaveOut: ({ rowIds }) => decide(rowIds, { choice: 'left-out' }),
    takeIn: ({ rowIds }) => decide(rowIds, undefined),
    alike: ({ rowId }) => ({ rowIds: alikeTo(rowOf(rowId), rows(), of.targets) }),
    undo: () => {
      undos.pop()?.();
      return changed();
    },
    setLevel: (next) => {
      const before = level;
      level = next.level;
      undoable(() => {
        level = before;
      });
      return changed();
    },
    setTarget: ({ AssignmentId }) => {
      const before = target;
      target = AssignmentId;
      undoable(() => {
        target = before;
      });
      return changed();
    },
    setNames: (names) => {
      ({ nameTemplate, onClash } = names);
      return changed();
    },
    clashes: ({ rowId }) => {
      rowOf(rowId);
      shownRows();
      const all = clashes.get(rowId) ?? [];
      return {
        clashes: all.slice(0, MOST_CLASHES).map((clash) => ({ ...clash, onClash: onClashOf(rowId, clash.path) })),
        total: all.length,
      };
    },
    setClash: ({ rowId, onClash: chosen, paths }) => {
      rowOf(rowId);
      const before = clashChoices.get(rowId);
      const next = paths
        ? { ...before, paths: new Map([...(before?.paths ?? []), ...paths.map((path) => [path, chosen] as const)]) }
        : { all: chosen, paths: new Map() };
      clashChoices.set(rowId, next);
      undoable(() => {
        if (before) clashChoices.set(rowId, before);
        else clashChoices.delete(rowId);
      });
      return changed([rowId]);
    },
    plan: () =>
      rows().flatMap((row): PlannedRow[] => {
        const { AssignmentId, files } = viewOf(row);
        const chosen = of.sources()[row.folder.source];
        if (AssignmentId === undefined || files === 0 || chosen === undefined) return [];
        const choice = clashChoices.get(row.rowId);
        const clashing = { onClash: choice?.all ?? onClash, clashChoices: Object.fromEntries(choice?.paths ?? []) };
        const upload = { ...sourceOfRow(row, chosen), assignmentId: AssignmentId, nameTemplate, ...clashing };
        return [{ rowId: row.rowId, upload }];
      }),
    started: ({ rowIds }) => {
      for (const rowId of rowIds) sent.add(rowOf(rowId));
      undos.length = 0;
      const left = changed();
      return left.counts.undecided + left.counts.matched > 0 ? left : undefined;
    },
  };
};

const sum = <T>(all: readonly T[], amount: (one: T) => number): number =>
  all.reduce((total, one) => total + amount(one), 0);

const levelsOf = ({ folders }: FolderTree): Draft['levels'] => {
  const counts: number[] = [];
  for (const { depth } of folders) counts[depth] = (counts[depth] ?? 0) + 1;
  return counts.map((count, level) => ({ level, folders: count }));
};

/** Rows whose names say the same as that of `row`: they have the same candidates, or else the same name. */
const alikeTo = (row: Row, all: readonly Row[], { matchOf }: Pick<KnownTargets, 'matchOf'>): readonly number[] => {
  const sayingOf = (one: Row): string => {
    const ids = matchOf(one).candidates.map(({ AssignmentId }) => AssignmentId);
    return ids.length > 0 ? ids.join(' ') : `named ${wordsOf(one.folder.name).join(' ')}`;
  };
  const saying = sayingOf(row);
  return all.filter((one) => sayingOf(one) === saying).map(({ rowId }) => rowId);
};

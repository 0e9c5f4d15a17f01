/** The model of a draft: its rows, what the user chose for them, and how they are shown. It knows nothing of workers. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { debounce } from 'es-toolkit/function';
import { sumBy } from 'es-toolkit/math';
import type { Handlers } from '../../../contract/calls.ts';
import type { Draft, DraftPhase, DraftRow, Match, MatchCandidate, MatchReason } from '../../../contract/drafts.ts';
import { codeOf, type ErrorData } from '../../../contract/errors.ts';
import { type NameTemplate, type OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import { createSerial } from '../../async/lock.ts';
import type { StoredTarget } from '../../cache/answers.ts';
import { TO_BE_ASKED, vetoesOfNames } from '../../matching/certainty.ts';
import { type FolderName, type MatchIn, NOTHING_KNOWN } from '../../matching/match-index.ts';
import { plainWords } from '../../matching/names.ts';
import type { Upload, Uploads } from '../../uploads/engine/uploads-api.ts';
import type { ClashChoices } from '../../uploads/ledger/batches.ts';
import { fileNameCandidates, fileNameKey } from '../../uploads/source/file-names.ts';
import { type DraftSource, type FolderTree, filesOf, pathBelow, pathOf } from './folder-tree.ts';
import type { KnownTargets } from './known-targets.ts';
import { type Choice, createCut, foldedOf, isProblem, type MappedPart, type Row, selectRows, viewRow } from './rows.ts';

type Input<Name extends keyof Handlers['drafts']> = Parameters<Handlers['drafts'][Name]>[0];
type Output<Name extends keyof Handlers['drafts']> = Awaited<ReturnType<Handlers['drafts'][Name]>>;

/** The input of a new draft. */
export type DraftStart = {
  readonly draftId: string;
  readonly history: ReturnType<Uploads['history']>;
  readonly sources: readonly DraftSource[];
  /** The folder of lists of reviewed files, for a draft that uploads start from. */
  readonly lists?: string | undefined;
  /** The assignment for everything. `target`: its record, which is shown until the other assignments have been read. */
  readonly AssignmentId?: string | undefined;
  readonly target?: StoredTarget | undefined;
  /** The level of the jobs; absent: it is detected. */
  readonly level?: number | undefined;
  /** The content of a map file, which takes precedence over matching. */
  readonly map?: string | undefined;
  /** Whether rows that are not in the map file are matched. Default: true. */
  readonly isMatched?: boolean | undefined;
  readonly minCertainty?: number | undefined;
  /** Folders to be matched without a scan (`certain`). */
  readonly folders?: readonly FolderName[] | undefined;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
};

/** The sources of rows that go to the same assignment, as the engine compares them. */
export type ClashSources = Parameters<Uploads['clashes']>[0];

/** A row that is about to be uploaded. */
export type PlannedRow = {
  readonly rowId: number;
  /** Starts with the name of the chosen folder. */
  readonly path: string;
  /** The absolute path of the chosen folder. */
  readonly rootPath: string;
  /** Whether the user chose its assignment, for this row. */
  readonly isDecided: boolean;
  readonly upload: Upload;
};

/** A row as the command line reports it. `path`: below the source with this number; empty for the source itself. */
export type RowMatch = Match &
  Pick<Row, 'rowId' | 'fileNames'> &
  Pick<DraftRow, 'files' | 'bytes' | 'reasons' | 'AssignmentId' | 'assignment'> & {
    readonly source: number;
    readonly path: string;
    readonly certainty: number;
  };

type Surroundings = {
  readonly start: Omit<DraftStart, 'history' | 'sources'>;
  readonly tree: FolderTree;
  readonly targets: KnownTargets;
  readonly mapped: () => readonly MappedPart[];
  /** The phase of the scan and the matching. */
  readonly phase: () => DraftPhase;
  readonly reason: () => ErrorData | undefined;
  /** Whether lists are being read from the service. */
  readonly isReading: () => boolean;
  /** Whether the assignment may have files. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  /** Counts the files of each source that clash. */
  readonly countClashes: (sources: ClashSources) => Promise<readonly number[]>;
  /** Ends the background work of the draft. */
  readonly signal: AbortSignal;
  /** Called when background work changes the model. */
  readonly onChange: () => void;
  readonly onBug: (error: unknown) => void;
};

/** A window of the table has fewer rows; more are read to be counted or selected. */
const MOST_IN_VIEW = 250;

const FOLDED_AT_ONCE = 200;

/** `found`: these assignments instead of those that matching proposes. */
type CandidateQuery = { readonly rowId: number; readonly found?: readonly string[] | undefined };

export type DraftModel = ReturnType<typeof createDraftModel>;

/** Creates a draft without decisions. The surroundings fill in the scan, the targets and the map file. */
export const createDraftModel = (of: Surroundings) => {
  let revision = 0;
  /** Discards data derived from these rows. */
  const forget = (rowIds: readonly number[]): void => {
    revision += 1;
    table.forget(rowIds);
  };
  const parts = createParts(of, (rowIds) => {
    forget(rowIds);
    of.onChange();
  });
  const { choices, cut, table } = parts;

  const view = (): Draft => viewDraft(of, parts, revision);
  /** Discards all derived data. */
  const changed = (): Draft => {
    revision += 1;
    table.forget();
    cut.forget();
    return view();
  };
  const decide = (rowIds: readonly number[], decision: Decision | undefined): Draft => {
    for (const rowId of rowIds) cut.rowOf(rowId);
    choices.decide(rowIds, decision);
    forget(rowIds);
    return view();
  };

  return {
    view,
    /** Every row, to be matched. */
    everyRow: cut.rows,
    /** To be called when files were found, or targets. */
    changed,
    /** Must be called when rows were matched again. Once the user has made a decision, the rows stay the same. */
    rematched: (): void => {
      revision += 1;
      table.forget();
      if (!choices.canUndo()) cut.forget();
    },
    /** Prepares the first search among the rows, in steps of a millisecond or two. */
    *prepareSearch(): Generator<void> {
      for (const [at, row] of table.all().entries()) {
        foldedOf(row);
        if (at % FOLDED_AT_ONCE === 0) yield;
      }
    },
    rows: (query: Input<'rows'>): Output<'rows'> => {
      const { rows, total } = table.select(query);
      if (parts.phase() === 'ready' && query.limit <= MOST_IN_VIEW)
        parts.look(rows.filter(({ choice }) => choice !== 'left-out').map(({ rowId }) => cut.rowOf(rowId)));
      return { rows, total };
    },
    candidates: ({ rowId, found }: CandidateQuery): Output<'candidates'> => {
      const row = cut.rowOf(rowId);
      const { candidates: proposed } = parts.matchOf(row);
      const certaintyOf = (id: string): MatchCandidate =>
        proposed.find(({ AssignmentId }) => AssignmentId === id) ?? of.targets.certaintyOf(row, id);
      const candidates = (found?.map(certaintyOf) ?? proposed).map((candidate) => {
        const assignment = of.targets.summaryOf(candidate.AssignmentId);
        return { ...candidate, ...(assignment && { assignment }) };
      });
      return { candidates, total: candidates.length };
    },
    alike: ({ rowId }: Input<'alike'>): Output<'alike'> => ({
      rowIds: alikeTo(cut.rowOf(rowId), parts.rows(), of.targets),
    }),
    assign: ({ rowIds, AssignmentId }: Input<'assign'>) => decide(rowIds, { choice: 'assignment', AssignmentId }),
    leaveOut: ({ rowIds }: Input<'leaveOut'>) => decide(rowIds, { choice: 'left-out' }),
    takeIn: ({ rowIds }: Input<'takeIn'>) => decide(rowIds, undefined),
    setClash: (clash: Input<'setClash'>): Draft => {
      cut.rowOf(clash.rowId);
      choices.setClash(clash);
      forget([clash.rowId]);
      return view();
    },
    setLevel: ({ level }: Input<'setLevel'>): Draft => {
      choices.setScope({ level });
      return changed();
    },
    setTarget: ({ AssignmentId }: Input<'setTarget'>): Draft => {
      choices.setScope({ target: AssignmentId });
      return changed();
    },
    setNames: (names: Input<'setNames'>): Draft => {
      choices.setNames(names);
      return changed();
    },
    undo: (): Draft => {
      choices.undo();
      return changed();
    },
    /**
     * The sources that determine the names in a row, and the row's index among them; without a row, those of the whole
     * draft. Undefined if the row has no assignment, or the folders of the draft go to several.
     */
    clashSources: ({
      rowId,
    }: Pick<Input<'names'>, 'rowId'>): (ClashSources & { readonly index?: number }) | undefined => {
      const groups = table.groups();
      if (rowId === undefined) return groups.length === 1 && groups[0] ? parts.sourcesOf(groups[0]) : undefined;
      const row = cut.rowOf(rowId);
      const group = groups.find(({ rows }) => rows.includes(row));
      return group && { ...parts.sourcesOf(group), index: group.rows.indexOf(row) };
    },
    /** The path of the folder of a row, or of the one that its files lie in. */
    folderOf: ({ rowId }: { readonly rowId: number }) => of.tree.sourceOf(cut.rowOf(rowId))?.root,
    /** The rows that a start uploads. */
    plan: (): readonly PlannedRow[] => parts.rows().flatMap((row) => plannedRow(row, of, parts) ?? []),
    matches: (): readonly RowMatch[] => parts.rows().map((row) => matchedRow(row, of, parts)),
    /** Removes rows that have become uploads from the draft. Undefined if no rows are left. */
    started: (rowIds: readonly number[]): Draft | undefined => {
      cut.send(rowIds);
      choices.forgetUndos();
      const left = changed();
      return left.counts.undecided + left.toSend.folders > 0 ? left : undefined;
    },
  };
};

type Parts = ReturnType<typeof createParts>;

/** Connects the choices, the cut, the checks and the table. `onFound`: a check in the background has found something in rows. */
const createParts = (of: Surroundings, onFound: (rowIds: readonly number[]) => void) => {
  const { start, tree, targets } = of;
  const choices = createChoices(start);
  const target = (): string | undefined => choices.scope().target;
  /** If everything goes to one assignment, names only cause warnings, so nothing waits for them. */
  const phase = (): DraftPhase => (target() === undefined || of.phase() === 'scanning' ? of.phase() : 'ready');
  const cut = createCut({
    tree,
    // With a target the assignments have no influence, so that their arrival does not change the rows under the user's choices.
    targets: { ...targets, index: () => (target() === undefined ? targets.index() : NOTHING_KNOWN) },
    mapped: of.mapped,
    // With one assignment for everything, files get the names that they have in an upload of the whole folder.
    level: () => choices.scope().level ?? (target() === undefined ? undefined : 0),
  });
  const isCut = (): boolean => phase() === 'ready' || phase() === 'updating';
  const rows = (): readonly Row[] => (isCut() ? cut.rows() : []);
  const { matchOf, choiceOf } = createChooser({ start, targets, choices, mappedTo: cut.mappedTo });

  const sourcesOf = ({ AssignmentId, rows: some, template }: ClashGroup): ClashSources => ({
    assignmentId: AssignmentId,
    nameTemplate: template,
    sources: some.flatMap((row) => {
      const source = tree.sourceOf(row);
      return source ? [{ ...source, ...choices.clashesOf(row.rowId) }] : [];
    }),
  });
  const clashChecks = createClashChecks({
    hasFiles: of.hasFiles,
    check: (group) => of.countClashes(sourcesOf(group)),
    onFound: () => onFound([]),
    onBug: of.onBug,
  });
  const openChecks = createOpenChecks<Row>({
    *pathsOf(row) {
      const root = tree.sourceOf(row)?.root;
      if (root !== undefined) for (const path of filesOf(row)) yield join(root, path);
    },
    onFound: (rowId) => onFound([rowId]),
    onBug: of.onBug,
    signal: of.signal,
  });
  const table = createTable({
    rows,
    template: () => choices.names().nameTemplate,
    clashesIn: (group) => (phase() === 'ready' ? clashChecks.totalsOf(group) : []),
    view: (row) =>
      viewRow({
        ...{ row, choice: choiceOf(row), match: matchOf(row), refused: openChecks.refusedOf(row.rowId) },
        summaryOf: targets.summaryOf,
        certaintyOf: (AssignmentId) => targets.certaintyOf(row, AssignmentId),
      }),
  });
  return { choices, cut, table, phase, isCut, rows, matchOf, sourcesOf, look: openChecks.look };
};

const viewDraft = (of: Surroundings, { choices, cut, table, phase, isCut }: Parts, revision: number): Draft => {
  const { start, tree, targets } = of;
  const { target } = choices.scope();
  const reason = of.reason();
  // If the target was chosen later, lists may still be loading from the service, which takes too long to wait for.
  const isUpdating = of.phase() === 'updating' && start.AssignmentId !== undefined;
  return {
    ...{ draftId: start.draftId, revision, phase: phase() },
    ...(reason && { reason }),
    names: tree.sources.map(({ name }) => name),
    folders: tree.folders.length,
    files: sumBy(tree.roots(), ({ whole }) => whole.files),
    bytes: sumBy(tree.roots(), ({ whole }) => whole.bytes),
    leftOut: tree.leftOut(),
    assignments: { ...targets.progress(), isReading: of.isReading() },
    ...(isCut() ? cut.levels() : { level: 0, levels: [] }),
    ...(target !== undefined && { AssignmentId: target }),
    isComparing: target !== undefined && (of.phase() === 'matching' || isUpdating),
    ...sumsOf(table.all()),
    ...choices.names(),
    canUndo: choices.canUndo(),
  };
};

const plannedRow = (row: Row, { tree }: Surroundings, { choices, table }: Parts): PlannedRow | undefined => {
  const { AssignmentId } = table.viewOf(row);
  const source = tree.sourceOf(row);
  if (AssignmentId === undefined || source === undefined || row.totals.files === 0) return undefined;
  const { nameTemplate } = choices.names();
  return {
    rowId: row.rowId,
    path: pathOf(row.folder),
    rootPath: tree.sources[row.folder.source]?.root ?? '',
    isDecided: choices.decisionOf(row.rowId)?.choice === 'assignment',
    upload: { ...source, assignmentId: AssignmentId, nameTemplate, ...choices.clashesOf(row.rowId) },
  };
};

const matchedRow = (row: Row, { start }: Surroundings, { cut, table, matchOf }: Parts): RowMatch => {
  const { AssignmentId, assignment, chosenBy, certainty = 0, reasons, files, bytes } = table.viewOf(row);
  const { decision, candidates, vetoes } = matchOf(row);
  const { rowId, folder, fileNames } = row;
  const about = { rowId, source: folder.source, path: pathBelow(folder), fileNames, files, bytes, AssignmentId };
  if (chosenBy === 'map')
    return { ...about, assignment, certainty: 1, reasons: [mapReason(row)], decision: 'send', candidates, vetoes: [] };
  if (start.isMatched !== false || cut.mappedTo(rowId) !== undefined)
    return { ...about, assignment, certainty, reasons, decision, candidates, vetoes };
  return { ...about, certainty: 0, reasons: [], decision: 'none', candidates: [], vetoes: [] };
};

/** Counts of rows, and what a start sends of them. */
const sumsOf = (rows: readonly DraftRow[]): Pick<Draft, 'counts' | 'toSend'> => {
  const chosen = rows.filter(({ choice }) => choice === 'assignment');
  const toSend = chosen.filter(({ files }) => files > 0);
  const count = (is: (row: DraftRow) => boolean): number => rows.filter(is).length;
  return {
    counts: {
      total: rows.length,
      undecided: count(({ choice }) => choice === 'undecided'),
      matched: chosen.length,
      leftOut: count(({ choice }) => choice === 'left-out'),
      problems: count(isProblem),
    },
    toSend: {
      folders: toSend.length,
      files: sumBy(toSend, ({ files }) => files),
      bytes: sumBy(toSend, ({ bytes }) => bytes),
      assignments: new Set(toSend.map(({ AssignmentId }) => AssignmentId)).size,
    },
  };
};

const mapReason = ({ folder }: Row): MatchReason => ({ signal: 'map', found: pathBelow(folder) });

/** Rows whose names are equivalent to that of `row`: they have the same candidates, or otherwise the same name. */
const alikeTo = (row: Row, all: readonly Row[], { matchOf }: Pick<KnownTargets, 'matchOf'>): readonly number[] => {
  const sayingOf = (one: Row): string => {
    const ids = matchOf(one).candidates.map(({ AssignmentId }) => AssignmentId);
    return ids.length > 0 ? ids.join(' ') : `named ${plainWords(one.folder.name).join(' ')}`;
  };
  const saying = sayingOf(row);
  return all.filter((one) => sayingOf(one) === saying).map(({ rowId }) => rowId);
};

// The user's choices.

type Decision = { readonly choice: 'assignment'; readonly AssignmentId: string } | { readonly choice: 'left-out' };

/** The choices for clashing files of a row: one for all, and separate ones by path. */
type RowClashes = { readonly all?: OnClash | undefined; readonly paths: ClashChoices };

/** Maximum length of the undo history; older changes can no longer be undone. */
const MOST_UNDOS = 200;

/** Creates a store of the user's choices. Every change can be undone, except a change of the names. */
const createChoices = (start: Surroundings['start']) => {
  const decisions = new Map<number, Decision>();
  const clashes = new Map<number, RowClashes>();
  const undos: (() => void)[] = [];
  let scope = { level: start.level, target: start.AssignmentId };
  let names: Input<'setNames'> = {
    nameTemplate: start.nameTemplate ?? ownNameTemplate,
    onClash: start.onClash ?? 'rename',
  };

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
      // In reverse, because a row may be named twice.
      for (const [rowId, was] of before.toReversed()) set(rowId, was);
    });
  };

  return {
    /** The level of the jobs, and the assignment for everything, if they were chosen. */
    scope: () => scope,
    setScope: (change: Partial<typeof scope>): void => {
      const before = scope;
      scope = { ...scope, ...change };
      undoable(() => {
        scope = before;
      });
    },
    names: () => names,
    setNames: (next: typeof names): void => {
      names = next;
    },
    decisionOf: (rowId: number) => decisions.get(rowId),
    /** Undefined: leaves the rows to the matching. */
    decide: (rowIds: readonly number[], decision: Decision | undefined) => put(decisions, rowIds, decision),
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
    canUndo: () => undos.length > 0,
    undo: () => undos.pop()?.(),
    forgetUndos: (): void => {
      undos.length = 0;
    },
  };
};

type ChooserOptions = Pick<Surroundings, 'start' | 'targets'> & {
  readonly choices: ReturnType<typeof createChoices>;
  readonly mappedTo: (rowId: number) => string | undefined;
};

/** Chooses the assignment of a row: by the user's decision, the map file, or the match, in this order. */
const createChooser = ({ start, targets, choices, mappedTo }: ChooserOptions) => {
  /** A map file takes precedence over names, unless the names contain misleading characters. */
  const vetoesOfMapped = (row: Row): readonly MatchReason[] =>
    mappedTo(row.rowId) === undefined
      ? []
      : vetoesOfNames([...pathOf(row.folder).split('/'), ...(row.fileNames ?? [])]);
  const matchOf = (row: Row): MatchIn => {
    const match = targets.matchOf(row);
    const vetoes = vetoesOfMapped(row);
    const AssignmentId = mappedTo(row.rowId);
    if (AssignmentId === undefined || vetoes.length === 0) return match;
    const others = match.candidates.filter((one) => one.AssignmentId !== AssignmentId);
    const mapped = { AssignmentId, certainty: TO_BE_ASKED, reasons: [mapReason(row)] };
    return { ...match, decision: 'ask', candidates: [mapped, ...others], vetoes };
  };
  const choiceOf = (row: Row): Choice => {
    const assign = (chosenBy: Choice['chosenBy'], AssignmentId: string): Choice => ({
      ...{ choice: 'assignment', chosenBy, AssignmentId },
    });
    const decision = choices.decisionOf(row.rowId);
    if (decision?.choice === 'left-out') return decision;
    const byUser = decision?.AssignmentId ?? choices.scope().target;
    if (byUser !== undefined) return assign('person', byUser);
    const byMap = vetoesOfMapped(row).length === 0 ? mappedTo(row.rowId) : undefined;
    if (byMap !== undefined) return assign('map', byMap);
    const match = matchOf(row);
    const [best] = match.candidates;
    if (start.isMatched !== false && match.decision === 'send' && best !== undefined)
      return assign('match', best.AssignmentId);
    // An empty folder needs no decision.
    return { choice: row.totals.files + row.totals.unreadable === 0 ? 'left-out' : 'undecided' };
  };
  return { matchOf, choiceOf };
};

type TableOptions = {
  readonly rows: () => readonly Row[];
  readonly template: () => NameTemplate;
  /** A row without its clashes. */
  readonly view: (row: Row) => DraftRow;
  /** How many files of each row clash; undefined while unknown. */
  readonly clashesIn: (group: ClashGroup) => readonly number[];
};

/** The rows as they are shown, computed when they are read. */
const createTable = ({ rows, template, view, clashesIn }: TableOptions) => {
  let views = new Map<number, DraftRow>();
  let shown: readonly DraftRow[] | undefined;
  let selected: { readonly key: string; readonly rows: readonly DraftRow[] } | undefined;

  const viewOf = (row: Row): DraftRow => {
    const known = views.get(row.rowId) ?? view(row);
    views.set(row.rowId, known);
    return known;
  };
  const groups = (): readonly ClashGroup[] =>
    [...Map.groupBy(rows(), (row) => viewOf(row).AssignmentId)].flatMap(([AssignmentId, some]) =>
      AssignmentId === undefined ? [] : [{ AssignmentId, rows: some, template: template() }],
    );
  const withClashes = (): readonly DraftRow[] => {
    const clashes = new Map<number, number>();
    for (const group of groups()) {
      const totals = clashesIn(group);
      for (const [index, { rowId }] of group.rows.entries()) clashes.set(rowId, totals[index] ?? 0);
    }
    return rows().map((row): DraftRow => {
      const files = clashes.get(row.rowId) ?? 0;
      const known = viewOf(row);
      return files === 0 ? known : { ...known, warnings: [...known.warnings, { kind: 'clash', files }] };
    });
  };
  const all = (): readonly DraftRow[] => {
    shown ??= withClashes();
    return shown;
  };
  return {
    viewOf,
    groups,
    all,
    select: ({ offset, limit, ...query }: Input<'rows'>) => {
      const key = JSON.stringify(query);
      if (selected?.key !== key) selected = { key, rows: selectRows(all(), query) };
      return { rows: selected.rows.slice(offset, offset + limit), total: selected.rows.length };
    },
    /** Discards the results for these rows, or for all. */
    forget: (rowIds?: readonly number[]): void => {
      shown = undefined;
      selected = undefined;
      if (rowIds) for (const rowId of rowIds) views.delete(rowId);
      else views = new Map();
    },
  };
};

// How many files of each row have a FileName that is taken. Only the engine can tell, because it compares contents; it
// is called only for assignments with possible clashes: those that have files, or would get two of one name.

/** Rows that go to the same assignment, in the order in which they are planned. */
type ClashGroup = {
  readonly AssignmentId: string;
  readonly rows: readonly Row[];
  readonly template: NameTemplate;
};

type ClashOptions = {
  /** Whether the assignment may have files. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  readonly check: (group: ClashGroup) => Promise<readonly number[]>;
  readonly onFound: () => void;
  readonly onBug: (error: unknown) => void;
};

const NONE: readonly number[] = [];

/** Creates checks without results. */
const createClashChecks = ({ hasFiles, check, onFound, onBug }: ClashOptions) => {
  const known = new Map<string, { readonly key: string; readonly totals: readonly number[] }>();
  const inTurn = createSerial();
  const find = (group: ClashGroup, key: string): void => {
    inTurn(async () => {
      const isWanted = (): boolean => known.get(group.AssignmentId)?.key === key;
      if (!isWanted()) return;
      const totals = await check(group);
      if (!isWanted()) return;
      known.set(group.AssignmentId, { key, totals });
      if (totals.some((total) => total > 0)) onFound();
    }).catch(onBug);
  };
  return {
    /** The known clashes of each row, in the order of the group. Starts a check if they are not known. */
    totalsOf: (group: ClashGroup): readonly number[] => {
      const key = `${group.template} ${group.rows.map(({ rowId }) => rowId).join()}`;
      const before = known.get(group.AssignmentId);
      if (before?.key === key) return before.totals;
      known.set(group.AssignmentId, { key, totals: NONE });
      if (hasFiles(group.AssignmentId) || hasTwins(group)) find(group, key);
      return NONE;
    },
  };
};

/** Whether two files would have the same FileName. */
const hasTwins = ({ rows, template }: ClashGroup): boolean => {
  const names = new Set<string>();
  for (const row of rows) {
    for (const path of filesOf(row)) {
      const key = fileNameKey(fileNameCandidates(path, template).next().value);
      if (names.has(key)) return true;
      names.add(key);
    }
  }
  return false;
};

// Whether the files of rows can be opened: another program may hold them, or the user may not read them. A row is checked
// when it is in view, because each file costs a system call.

type OpenChecksOptions<R> = {
  /** The files of the row on the disk. */
  readonly pathsOf: (row: R) => Iterable<string>;
  /** A row has files that could not be opened. */
  readonly onFound: (rowId: number) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** More files than a user looks at in one row. */
const MOST_FILES = 500;

/** More rows than a user has in view. */
export const MOST_ROWS = 250;

/** Debounces the checks, so that they do not slow down scrolling and typing. */
const REST_MS = 300;

/** Creates checks without results. */
export const createOpenChecks = <R extends Pick<Row, 'rowId'>>(options: OpenChecksOptions<R>) => {
  const { pathsOf, onFound, onBug, signal } = options;
  const refused = new Map<number, number>();
  const asked = new Set<number>();
  /** The rows that came into view last come first. */
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
    /** How many files of the row could not be opened, of those checked so far. */
    refusedOf: (rowId: number) => refused.get(rowId) ?? 0,
    /**
     * Checks unchecked rows in view, one after another, once the view has been still for a moment. If many other rows
     * come into view before a row's turn, it is checked only when it is in view again.
     */
    look: (rows: readonly R[]): void => {
      const others = rows.filter(({ rowId }) => !asked.has(rowId));
      if (others.length === 0) return;
      for (const { rowId } of others) asked.add(rowId);
      waiting.unshift(...others);
      for (const { rowId } of waiting.splice(MOST_ROWS)) asked.delete(rowId);
      begin();
    },
  };
};

/** A pipe that has taken the place of the file does not block; Windows has no such flag. */
const READING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** True also for a file that is gone: the start reports that. */
const canBeOpened = async (path: string): Promise<boolean> => {
  try {
    await (await open(path, READING)).close();
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
};

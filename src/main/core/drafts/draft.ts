/** The model of a draft: its rows, the user's choices, and how rows are shown. The model does not depend on workers. */

import { join } from 'node:path';
import { uniq } from 'es-toolkit/array';
import { sumBy } from 'es-toolkit/math';
import type { Handlers } from '../../../contract/calls.ts';
import type { Owner } from '../../../contract/connection.ts';
import type {
  Amount,
  Draft,
  DraftFile,
  DraftPhase,
  DraftRow,
  Match,
  MatchCandidate,
  MatchReason,
} from '../../../contract/drafts.ts';
import { DeskError, type ErrorData } from '../../../contract/errors.ts';
import type { ListProgress } from '../../../contract/offline.ts';
import { AssignmentSummary, isClosed } from '../../../contract/resources.ts';
import { plainWords } from '../../../contract/search.ts';
import { shownPath } from '../../../contract/text.ts';
import type { NameTemplate, OnClash } from '../../../contract/uploads.ts';
import type { StoredTarget } from '../../cache/cache.ts';
import { storedJson } from '../../data/sqlite.ts';
import { TO_BE_ASKED, vetoesOfNames } from '../../matching/certainty.ts';
import type { NotTowns } from '../../matching/explain.ts';
import { canTell } from '../../matching/job-level.ts';
import {
  createMatchIndex,
  type FolderName,
  indexTargets,
  type MatchIn,
  type MatchIndex,
  type MatchOptions,
  type Steps,
  type UnreadProtocol,
} from '../../matching/match-index.ts';
import { addTo } from '../../matching/names.ts';
import type { MatchTarget } from '../../matching/targets.ts';
import type { Upload, Uploads } from '../../uploads/engine/uploads.ts';
import type { LeftOutFolder } from '../../uploads/ledger/ledger.ts';
import type { FilePlace } from '../../uploads/source/open-file.ts';
import { archiveOf, placeIn } from '../../uploads/source/paths.ts';
import type { ComparedFiles } from '../../uploads/transfer/names.ts';
import {
  adoptChoices,
  areIn,
  type Choices,
  choicesByPath,
  countChanged,
  createChoices,
  type Decision,
  type KeptDraft,
  placeOfChoice,
  storeChoices,
} from './choices.ts';
import {
  type DraftSource,
  type FolderTree,
  filesOf,
  isLarge,
  type Part,
  type PartFile,
  pathBelow,
  pathOf,
  pathOfFile,
} from './folder-tree.ts';
import {
  type Choice,
  createCut,
  createTable,
  type Group,
  type MappedPart,
  type Row,
  type RowComparison,
  type ViewedRow,
  viewRow,
} from './rows.ts';
import type { EarlierChoice, openRuleReader } from './rules.ts';

type Input<Name extends keyof Handlers['drafts']> = Parameters<Handlers['drafts'][Name]>[0];
type Output<Name extends keyof Handlers['drafts']> = Awaited<ReturnType<Handlers['drafts'][Name]>>;

export type DraftStart = {
  readonly draftId: string;
  /** Facts from earlier uploads. `sendsInOnePiece`: whether the storage accepts files only as a whole. */
  readonly history: ReturnType<Uploads['history']> & { readonly sendsInOnePiece?: boolean };
  readonly sources: readonly DraftSource[];
  /**
   * The URL of source/read-worker.ts in this host, which opens archives as folders. Absent: archives are uploaded as
   * files.
   */
  readonly archives?: string | undefined;
  /** The folder of the lists of reviewed files. Absent: no upload starts from the draft. */
  readonly lists?: string | undefined;
  readonly AssignmentId?: string | undefined;
  /** The record of `AssignmentId`, so that the draft can show the assignment before the others have been read. */
  readonly target?: StoredTarget | undefined;
  /** The level of the assignment folders. Absent: the draft detects it. */
  readonly level?: number | undefined;
  /** The content of a map file, which takes precedence over matching. */
  readonly map?: string | undefined;
  /** Whether rows that are not in the map file are matched. Default: true. */
  readonly isMatched?: boolean | undefined;
  readonly minCertainty?: number | undefined;
  /** The rules and choices of earlier uploads. Absent: the draft uses none. */
  readonly rules?: Parameters<typeof openRuleReader>[0] | undefined;
  /** Folders that `certain` matches without a scan. */
  readonly folders?: readonly FolderName[] | undefined;
  /**
   * Whether a user reviews the draft. If so, folders without new files are not sent, nor are unwanted files unless the
   * user includes them.
   */
  readonly isReviewed?: boolean | undefined;
  /** Where the draft is stored, its owner, and the stored draft that it continues. Absent: the draft is not stored. */
  readonly storage?:
    | { readonly path: string; readonly owner: Owner; readonly kept?: KeptDraft | undefined }
    | undefined;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
};

export type GroupSources = Parameters<Uploads['compare']>[0];

export type PlannedRow = {
  readonly rowId: number;
  /** The path of the row's folder, beginning with the name of the chosen folder. */
  readonly path: string;
  readonly rootPath: string;
  /** Whether the user chose the assignment for this single row, and did not just accept a proposal. */
  readonly isDecided: boolean;
  readonly upload: Upload;
};

/** A row as the command line reports it. `root`: the path of its source; `path`: relative to the source. */
export type RowMatch = Match &
  Pick<Row, 'rowId' | 'fileNames'> &
  Pick<DraftRow, 'files' | 'bytes' | 'toSend' | 'sent' | 'reasons' | 'AssignmentId' | 'assignment'> & {
    readonly root: string;
    readonly path: string;
    readonly certainty: number;
  };

type Surroundings = {
  readonly start: Omit<DraftStart, 'history' | 'sources'>;
  readonly sendsInOnePiece?: boolean | undefined;
  readonly tree: FolderTree;
  readonly mapped: () => readonly MappedPart[];
  readonly phase: () => DraftPhase;
  readonly reason: () => ErrorData | undefined;
  readonly isReading: () => boolean;
  /** Whether the assignment may have files. If so, rows have to be compared with them. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  readonly compare: (sources: GroupSources) => Promise<readonly ComparedFiles[]>;
  /** Returns when a user left this path out of an earlier upload, in ms since 1970; undefined if none did. */
  readonly leftOutAtMs: (path: string) => number | undefined;
  readonly signal: AbortSignal;
  readonly onChange: () => void;
  readonly onDecision: (draft: Draft) => void;
  readonly onBug: (error: unknown) => void;
};

/** A query for the candidates of a row. `found`: the assignments to return in place of the matching ones. */
type CandidateQuery = { readonly rowId: number; readonly found?: readonly string[] | undefined };

export type DraftModel = ReturnType<typeof createDraftModel>;

/** Creates a draft without decisions by the user. `of` provides the scan and the map file. */
export const createDraftModel = (of: Surroundings) => {
  let revision = 0;
  /** The rows of the last plan, by their ids. The draft may have other rows by the time that their upload has started. */
  let planned: ReadonlyMap<number, Row> = new Map();
  const forget = (rowIds: readonly number[]): void => {
    revision += 1;
    table.forget(rowIds);
  };
  const components = createComponents(of, (rowIds) => {
    forget(rowIds);
    of.onChange();
  });
  const { targets, choices, cut, table } = components;

  const view = (): Draft => viewDraft(of, components, revision);
  const changed = (): Draft => {
    revision += 1;
    table.forget();
    cut.forget();
    return view();
  };
  const decided = (draft: Draft): Draft => {
    of.onDecision(draft);
    return draft;
  };
  const decideEach = (made: readonly (readonly [rowId: number, decision: Decision])[]): Draft => {
    for (const [rowId] of made) cut.rowOf(rowId);
    choices.decide(made);
    forget(made.map(([rowId]) => rowId));
    return decided(view());
  };
  const decide = (rowIds: readonly number[], decision: Decision): Draft =>
    decideEach(rowIds.map((rowId) => [rowId, decision] as const));
  const calls = {
    rows: (query: Input<'rows'>): Output<'rows'> => table.select(query),
    candidates: ({ rowId, found }: CandidateQuery): Output<'candidates'> =>
      candidatesFor(cut.rowOf(rowId), components, found),
    alike: ({ rowId }: Input<'alike'>): Output<'alike'> => ({
      rowIds: alikeTo(cut.rowOf(rowId), components.rows(), targets),
    }),
    assign: ({ rowIds, AssignmentId }: Input<'assign'>) => decide(rowIds, { choice: 'assignment', AssignmentId }),
    accept: ({ rowIds }: Input<'accept'>): Output<'accept'> => {
      const { proposals, left } = proposalsIn(uniq(rowIds).map(cut.rowOf), components);
      if (proposals.length > 0) decideEach(proposals);
      return { accepted: proposals.length, left };
    },
    leaveOut: ({ rowIds }: Input<'leaveOut'>) => decide(rowIds, { choice: 'left-out' }),
    include: ({ rowIds }: Input<'include'>) => decide(rowIds, { choice: 'included' }),
    files: ({ rowId, offset, limit }: Input<'files'>): Output<'files'> => {
      const files = components.filesIn(cut.rowOf(rowId));
      return { files: files.slice(offset, offset + limit), total: files.length };
    },
    setFiles: ({ rowId, paths, isIncluded }: Input<'setFiles'>): Draft => {
      const wanted = paths && new Set(paths);
      const some = filesOf(cut.rowOf(rowId)).filter(
        ({ folder, file, path }) =>
          wanted?.has(path) ?? (!isOpened(file) && choices.isIncluded(folder, file) !== isIncluded),
      );
      choices.setFiles([...some].flatMap((one) => choicesFor(one, isIncluded)));
      return decided(changed());
    },
    setClash: (clash: Input<'setClash'>): Draft => {
      cut.rowOf(clash.rowId);
      choices.setClash(clash);
      forget([clash.rowId]);
      return decided(view());
    },
    setLevel: ({ level }: Input<'setLevel'>): Draft => {
      choices.setScope({ level });
      return decided(changed());
    },
    setTarget: ({ AssignmentId }: Input<'setTarget'>): Draft => {
      choices.setScope({ target: AssignmentId });
      return decided(changed());
    },
    setNames: (names: Input<'setNames'>): Draft => {
      choices.setNames(names);
      return decided(changed());
    },
    undo: (): Draft => {
      choices.undo();
      return decided(changed());
    },
    /**
     * Returns the sources whose files determine the names in a row, and the row's index among them; undefined if the
     * row has no assignment. Without a row, returns the sources of the whole draft; undefined unless its rows go to
     * exactly one assignment.
     */
    clashSources: ({
      rowId,
    }: Pick<Input<'names'>, 'rowId'>): (GroupSources & { readonly index?: number }) | undefined => {
      const groups = table.groups();
      if (rowId === undefined) return groups.length === 1 && groups[0] ? components.sourcesOf(groups[0]) : undefined;
      const row = cut.rowOf(rowId);
      const group = groups.find(({ rows }) => rows.includes(row));
      return group && { ...components.sourcesOf(group), index: group.rows.indexOf(row) };
    },
    /** Returns the place of a row's folder or of its file at `path`. Errors: `input/invalid`. */
    placeOf: ({
      rowId,
      path,
    }: {
      readonly rowId: number;
      readonly path?: string | undefined;
    }): FilePlace & { readonly inCloud: boolean } => {
      const row = cut.rowOf(rowId);
      const { root, realRoot, identity } = of.tree.sourceOf(row) ?? {};
      const found = path === undefined ? undefined : filesOf(row).find((one) => one.path === path);
      if (root === undefined || (path !== undefined && !found))
        throw new DeskError('input/invalid', 'there is no such file');
      return { root, realRoot, identity, path, inCloud: found?.file.inCloud === true };
    },
    leftOut: () => choicesByPath({ tree: of.tree, choices }, components.rows()),
    leftOutFolders: () => leftOutFolders(of, components),
    matches: (): readonly RowMatch[] => components.rows().map((row) => matchedRow(row, of, components)),
  };

  return {
    calls,
    targets,
    view,
    /** To be called before `sources` are scanned, which may already be in the draft. */
    add: (sources: readonly DraftSource[], AssignmentId?: string) => addSources(of, components, sources, AssignmentId),
    everyRow: cut.rows,
    changed,
    /** To be called when rows were matched again. While a decision can be undone, the draft keeps its rows. */
    rematched: (): void => {
      revision += 1;
      table.forget();
      if (!choices.canUndo()) cut.forget();
    },
    /**
     * Compares the draft's files with those of assignments again. To be called when files of assignments have changed.
     */
    compareAgain: table.compareAgain,
    prepareSearch: table.prepareSearch,
    stored: () => storeChoices({ tree: of.tree, cut, choices }, components.rows()),
    /** Restores stored choices. To be called once everything has been scanned, or (`isWhole`) what can be read. */
    adopt: (kept: KeptDraft, isWhole: boolean): void => {
      adoptChoices({ tree: of.tree, cut, choices }, kept, isWhole);
      components.resumed.forget();
    },
    /** Adopts the choices for files in earlier uploads, unless the user has made other choices in this draft. */
    adoptFiles: (known: Iterable<EarlierChoice>): void => {
      for (const { path, isLeftOut } of known) {
        const found = of.tree.fileAt(path);
        if (found) choices.adoptFile(found.folder, found.name, !isLeftOut);
      }
    },
    plan: (): readonly PlannedRow[] => {
      const rows = components.rows();
      planned = new Map(rows.map((row) => [row.rowId, row]));
      return rows.flatMap((row) => plannedRow(row, of, components) ?? []);
    },
    /**
     * Removes started rows of the last plan from the draft. Returns undefined if no other row is undecided or can be
     * uploaded.
     */
    started: (rowIds: readonly number[]): Draft | undefined => {
      cut.addStarted(rowIds.flatMap((rowId) => planned.get(rowId) ?? []));
      choices.forgetUndos();
      const remaining = changed();
      return remaining.counts.undecided + remaining.toSend.folders > 0 ? remaining : undefined;
    },
  };
};

type Components = ReturnType<typeof createComponents>;

/** Returns the assignments with the ids `found`, or else the proposed ones, each with its certainty for the row. */
const candidatesFor = (
  row: Row,
  { targets, matchOf }: Components,
  found: readonly string[] | undefined,
): Output<'candidates'> => {
  const { candidates: proposed } = matchOf(row);
  const certaintyOf = (id: string): MatchCandidate =>
    proposed.find(({ AssignmentId }) => AssignmentId === id) ?? targets.certaintyOf(row, id);
  const candidates = (found?.map(certaintyOf) ?? proposed).map((candidate) => {
    const assignment = targets.summaryOf(candidate.AssignmentId);
    return { ...candidate, ...(assignment && { assignment }) };
  });
  return { candidates, total: candidates.length };
};

/**
 * Assigns everything in `sources` to `AssignmentId`, if there is one and the user has not decided otherwise. What was
 * started from them before is in the draft once more, and undecided.
 */
const addSources = (
  { tree }: Surroundings,
  { choices, cut }: Components,
  sources: readonly DraftSource[],
  AssignmentId: string | undefined,
): void => {
  if (AssignmentId !== undefined) choices.give(sources, AssignmentId);
  choices.forget(cut.startAgain((part) => sources.some((source) => areIn(pathsOf(part, tree), source))));
};

/** Connects the parts of a draft. `onFound` receives rows about which a background check has found something. */
const createComponents = (of: Surroundings, onFound: (rowIds: readonly number[]) => void) => {
  const { start, tree } = of;
  const targets = createKnownTargets(tree);
  const choices = createChoices(start, tree);
  const target = (): string | undefined => choices.scope().target;
  const nothing = createMatchIndex([]);
  /** If everything goes to one assignment, matching only adds warnings, so the draft is `ready` without it. */
  const phase = (): DraftPhase => (target() === undefined || of.phase() === 'scanning' ? of.phase() : 'ready');
  const cut = createCut({
    tree,
    // With a target, assignments that are read later must not change rows that the user has made choices for.
    targets: { ...targets, index: () => (target() === undefined ? targets.index() : nothing) },
    mapped: of.mapped,
    // With a target, a chosen folder is one row by default, so that its files are named as in an upload of the folder.
    level: () => choices.scope().level ?? (target() === undefined ? undefined : 0),
    isWhole: (folder) =>
      tree.sources[folder.source]?.isJob === true ||
      choices.givenTo(() => pathsOf({ folder, fileNames: tree.sources[folder.source]?.only }, tree)) !== undefined,
  });
  const isCut = (): boolean => phase() !== 'scanning';
  const rows = (): readonly Row[] => (isCut() ? cut.rows() : []);
  const { leftOutIn, includedIn, inOrder } = choices;
  const { matchOf, choiceOf } = createChooser({
    start,
    tree,
    targets,
    choices,
    mappedTo: cut.mappedTo,
    includedIn,
    leftOutBefore: (row) => of.leftOutAtMs(placeOfChoice(row, tree)),
  });
  const sourcesOf = ({ AssignmentId, rows: some, template }: Group): GroupSources => ({
    assignmentId: AssignmentId,
    nameTemplate: template,
    sources: some.flatMap((row) => {
      const source = tree.sourceOf(
        row,
        leftOutIn(row).map(({ path }) => path),
      );
      return source ? [{ ...source, ...choices.clashesOf(row.rowId) }] : [];
    }),
  });
  const table = createTable({
    rows,
    rowOf: cut.rowOf,
    isReady: () => phase() === 'ready',
    template: () => choices.names().nameTemplate,
    hasFiles: of.hasFiles,
    pathsOf: (row) => inOrder(row).map(({ path }) => path),
    filesRevision: choices.filesRevision,
    compare: async (group) => {
      // The engine reads the list of the scanned files, which cannot be written while the disk is full.
      tree.save(false);
      return of.compare(sourcesOf(group));
    },
    *placesOf(row) {
      const root = tree.sourceOf(row)?.root;
      if (root !== undefined) yield* new Set(filesOf(row).map(({ path }) => join(root, archiveOf(path))));
    },
    onFound,
    onBug: of.onBug,
    signal: of.signal,
    withCompared: (row, view, compared) => withCompared(view, compared, choices, row),
    view: (row, refused) =>
      viewRow({
        row,
        choice: choiceOf(row),
        match: matchOf(row),
        refused,
        totals: includedIn(row),
        summaryOf: targets.summaryOf,
        certaintyOf: (AssignmentId) => targets.certaintyOf(row, AssignmentId),
      }),
  });
  const filesIn = (row: Row): readonly DraftFile[] => viewFiles(row, choices, table.comparedOf(row));
  return {
    targets,
    choices,
    cut,
    table,
    phase,
    isCut,
    rows,
    matchOf,
    sourcesOf,
    filesIn,
    leftOutIn,
    includedIn,
    resumed: createResumed(start.storage?.kept, rows),
  };
};

/**
 * Counts once what has changed since the draft was stored. What the user adds or starts after the draft was continued
 * does not count.
 */
const createResumed = (kept: KeptDraft | undefined, rows: () => readonly Row[]) => {
  let changed: number | undefined;
  return {
    forget: (): void => {
      changed = undefined;
    },
    view: (): Draft['resumed'] => {
      if (kept === undefined) return undefined;
      changed ??= countChanged(rows(), kept);
      return { atMs: kept.savedAtMs, changed };
    },
  };
};

const amountOf = (files: readonly PartFile[]): Amount => ({
  files: files.length,
  bytes: sumBy(files, ({ file }) => file.sizeBytes),
});

const filesAt = (files: readonly PartFile[], places: Uint32Array): readonly PartFile[] =>
  Array.from(places).flatMap((place) => files[place] ?? []);

type ComparedRow = { readonly sent: readonly PartFile[]; readonly clashes: readonly PartFile[] };

const comparedRows = new WeakMap<ComparedFiles, ComparedRow>();

const foundIn = (row: Row, compared: ComparedFiles | undefined, { inOrder }: Choices): ComparedRow => {
  if (compared === undefined || compared.sent.length + compared.clashes.length === 0) return { sent: [], clashes: [] };
  const known = comparedRows.get(compared);
  if (known) return known;
  const files = inOrder(row);
  const found = { sent: filesAt(files, compared.sent), clashes: filesAt(files, compared.clashes) };
  comparedRows.set(compared, found);
  return found;
};

const isOpened = ({ unwanted }: PartFile['file']): boolean => unwanted === 'opened';

/** Returns the choices for a file. If an archive itself is included, the files in it are left out. */
const choicesFor = ({ folder, file }: PartFile, isIncluded: boolean) => {
  const inside = isOpened(file) ? [...filesOf({ folder, fileNames: undefined })] : [];
  return [
    ...inside.map((inner) => [inner.folder, inner.file.name, isIncluded ? false : undefined] as const),
    [folder, file.name, isIncluded] as const,
  ];
};

const withCompared = (view: ViewedRow, { isPending, files }: RowComparison, choices: Choices, row: Row): DraftRow => {
  const { sent, clashes } = foundIn(row, files, choices);
  const { onClash, clashChoices } = choices.clashesOf(row.rowId);
  // Not an object, because a file may be called "constructor", a property that every object has.
  const chosen = new Map(Object.entries(clashChoices));
  const clashesBy = Map.groupBy(clashes, ({ path }) => chosen.get(path) ?? onClash);
  const chosenFor = (choice: OnClash): readonly PartFile[] => clashesBy.get(choice) ?? [];
  const skipped = amountOf(chosenFor('skip'));
  const there = amountOf(sent);
  const made = {
    rename: chosenFor('rename').length,
    skip: skipped.files,
    replace: chosenFor('replace').length,
  };
  return {
    ...view,
    toSend: {
      files: view.files - there.files - skipped.files,
      bytes: view.bytes - there.bytes - skipped.bytes,
    },
    sent: there,
    leftOut: amountOf(choices.leftOutIn(row).filter(({ file }) => !isOpened(file))),
    ...(isPending && view.choice === 'assignment' && { isComparing: true }),
    warnings:
      clashes.length === 0
        ? view.warnings
        : [...view.warnings, { kind: 'clash', files: clashes.length, choices: made }],
  };
};

const MINUTE_MS = 60_000;

const viewFiles = (row: Row, choices: Choices, compared: ComparedFiles | undefined): readonly DraftFile[] => {
  const { sent, clashes } = foundIn(row, compared, choices);
  const states = new Map<PartFile['file'], DraftFile['state']>([
    ...sent.map(({ file }) => [file, 'sent'] as const),
    ...clashes.map(({ file }) => [file, 'clash'] as const),
    ...choices.leftOutIn(row).map(({ file }) => [file, 'left-out'] as const),
  ]);
  return filesOf(row)
    .map(({ file, path }): DraftFile => {
      const { sizeBytes, modifiedMinutes, inCloud, unwanted, unopened } = file;
      return {
        path,
        sizeBytes,
        modifiedAtMs: modifiedMinutes * MINUTE_MS,
        state: states.get(file) ?? 'new',
        ...(inCloud && { inCloud }),
        ...(unwanted && { unwanted }),
        ...(unopened && { unopened }),
      };
    })
    .toArray();
};

const viewDraft = (of: Surroundings, components: Components, revision: number): Draft => {
  const { targets, choices, cut, table, phase, isCut } = components;
  const { start, tree } = of;
  const resumed = phase() === 'ready' ? components.resumed.view() : undefined;
  const { target } = choices.scope();
  const reason = of.reason();
  // Reading lists may take long. So it is shown as a comparison only if the draft was opened for one assignment.
  const isUpdating = of.phase() === 'updating' && start.AssignmentId !== undefined;
  return {
    draftId: start.draftId,
    revision,
    phase: phase(),
    ...(reason && { reason }),
    names: namesOf(of, components),
    ...(resumed && { resumed }),
    folders: tree.folders.length,
    files: sumBy(tree.roots(), ({ whole }) => whole.files),
    bytes: sumBy(tree.roots(), ({ whole }) => whole.bytes),
    leftOut: tree.leftOut(),
    assignments: { ...targets.progress(), isReading: of.isReading() },
    ...(isCut() ? cut.levels() : { level: 0, levels: [] }),
    ...(target !== undefined && { AssignmentId: target }),
    isComparing: target !== undefined && (of.phase() === 'matching' || isUpdating),
    ...table.sums(),
    ...(of.sendsInOnePiece && { inOnePiece: largestToSend(components) }),
    ...choices.names(),
    canUndo: choices.canUndo(),
  };
};

/** Returns the names of the chosen folders that have a row; of all chosen folders until there are rows. */
const namesOf = ({ tree }: Surroundings, { isCut, rows }: Components): readonly string[] => {
  const { sources } = tree;
  const left = new Set(isCut() && sources.length > 1 ? rows().map(({ folder }) => folder.source) : []);
  return sources.filter((_, source) => left.size === 0 || left.has(source)).map(({ name }) => name);
};

const largestToSend = ({ rows, table, filesIn }: Components): Draft['inOnePiece'] => {
  let largest: DraftFile | undefined;
  for (const row of rows()) {
    if (row.totals.large === 0 || table.rowOf(row).choice !== 'assignment') continue;
    for (const file of filesIn(row))
      if (isLarge(file) && file.state === 'new' && file.sizeBytes > (largest?.sizeBytes ?? 0)) largest = file;
  }
  return largest && { name: largest.path.slice(largest.path.lastIndexOf('/') + 1), sizeBytes: largest.sizeBytes };
};

const plannedRow = (
  row: Row,
  { start, tree }: Surroundings,
  { choices, table, leftOutIn }: Components,
): PlannedRow | undefined => {
  const { AssignmentId, files, toSend, leftOut } = table.rowOf(row);
  const source = tree.sourceOf(
    row,
    leftOutIn(row).map(({ path }) => path),
  );
  const isAnythingNew = toSend.files > 0 || (files > 0 && start.isReviewed !== true);
  if (AssignmentId === undefined || source === undefined || !isAnythingNew) return undefined;
  const { nameTemplate } = choices.names();
  const decision = choices.decisionOf(row.rowId);
  return {
    rowId: row.rowId,
    path: pathOf(row.folder),
    rootPath: tree.sources[row.folder.source]?.root ?? '',
    isDecided: decision?.choice === 'assignment' && decision.isAccepted !== true,
    upload: {
      ...source,
      ...(leftOut.files > 0 && { leftOutInReview: leftOut.files }),
      assignmentId: AssignmentId,
      nameTemplate,
      ...choices.clashesOf(row.rowId),
    },
  };
};

const matchedRow = (row: Row, { start, tree }: Surroundings, { cut, table, matchOf }: Components): RowMatch => {
  const view = table.rowOf(row);
  const { AssignmentId, assignment, chosenBy, certainty = 0, reasons, files, bytes, toSend, sent } = view;
  const { decision, candidates, vetoes } = matchOf(row);
  const { rowId, folder, fileNames } = row;
  const counts = { files, bytes, toSend, sent };
  const { root = '' } = tree.sources[folder.source] ?? {};
  const about = { rowId, root, path: pathBelow(folder), fileNames, ...counts, AssignmentId };
  if (chosenBy === 'map')
    return { ...about, assignment, certainty: 1, reasons: [mapReason(row)], decision: 'send', candidates, vetoes: [] };
  if (start.isMatched !== false || cut.mappedTo(rowId) !== undefined)
    return { ...about, assignment, certainty, reasons, decision, candidates, vetoes };
  return { ...about, certainty: 0, reasons: [], decision: 'none', candidates: [], vetoes: [] };
};

const mapReason = ({ folder }: Row): MatchReason => ({ signal: 'map', found: pathBelow(folder) });

/** Returns the rows with files that a reviewed draft leaves out as a whole; none if the draft is not reviewed. */
const leftOutFolders = ({ start }: Surroundings, { rows, table }: Components): readonly LeftOutFolder[] =>
  rows().flatMap((row) => {
    const { files } = row.totals;
    const isLeftOut = start.isReviewed === true && table.rowOf(row).choice === 'left-out' && files > 0;
    return isLeftOut ? [{ path: shownPath(namedPlaceOf(row)), files }] : [];
  });

/** Returns the path of a row or of its only file, beginning with the name of the chosen folder. */
const namedPlaceOf = ({ folder, fileNames }: Row): string => {
  const [first, ...others] = fileNames ?? [];
  return [pathOf(folder), ...(first !== undefined && others.length === 0 ? [first] : [])].join('/');
};

const pathsOf = ({ folder, fileNames }: Part, tree: FolderTree): readonly string[] => {
  const root = tree.sources[folder.source]?.root ?? '';
  return fileNames?.map((name) => placeIn(root, pathOfFile(folder, name))) ?? [placeIn(root, folder.below)];
};

/**
 * Returns the proposals for the undecided rows of `rows` as decisions, and the number of undecided rows without a
 * proposal (`left`).
 */
const proposalsIn = (rows: readonly Row[], { table, matchOf, targets }: Components) => {
  const undecided = rows.filter((row) => table.rowOf(row).choice === 'undecided');
  const proposals = undecided.flatMap((row) => {
    const AssignmentId = proposalOf(matchOf(row), targets.summaryOf);
    return AssignmentId === undefined
      ? []
      : [[row.rowId, { choice: 'assignment', AssignmentId, isAccepted: true }] as const];
  });
  return { proposals, left: undecided.length - proposals.length };
};

/**
 * Returns the assignment that a match proposes. Undefined if the match has a veto, or if its first candidate is closed,
 * has a reason against it, or is not more likely than all others together.
 */
const proposalOf = (
  { candidates: [first], vetoes, best, share }: MatchIn,
  summaryOf: KnownTargets['summaryOf'],
): string | undefined => {
  if (first === undefined || vetoes.length > 0 || first.AssignmentId !== best?.AssignmentId) return undefined;
  const isOpposed = first.reasons.some(({ against }) => against);
  const isOver = isClosed(summaryOf(first.AssignmentId)?.AssignmentStatus ?? '');
  return isOpposed || isOver || 2 * first.certainty <= share ? undefined : first.AssignmentId;
};

/** Returns the ids of rows with the same candidates as `row` or, without candidates, the same words in their names. */
const alikeTo = (row: Row, all: readonly Row[], { matchOf }: Pick<KnownTargets, 'matchOf'>): readonly number[] => {
  const sayingOf = (one: Row): string => {
    const ids = matchOf(one).candidates.map(({ AssignmentId }) => AssignmentId);
    return ids.length > 0 ? ids.join(' ') : `named ${plainWords(one.folder.name).join(' ')}`;
  };
  const saying = sayingOf(row);
  return all.filter((one) => sayingOf(one) === saying).map(({ rowId }) => rowId);
};

type ChooserOptions = Pick<Surroundings, 'start' | 'tree'> & {
  readonly targets: KnownTargets;
  readonly choices: Choices;
  readonly mappedTo: (rowId: number) => string | undefined;
  readonly includedIn: Choices['includedIn'];
  readonly leftOutBefore: (row: Row) => number | undefined;
};

/**
 * Creates the functions that match rows and choose their assignments. The first of these that applies decides: the
 * user's decision, a choice to leave the row out of an earlier upload, the assignment that the row was added for, the
 * assignment for the whole draft, the map file, the match.
 */
const createChooser = ({ start, tree, targets, choices, mappedTo, includedIn, leftOutBefore }: ChooserOptions) => {
  /**
   * Returns the reasons not to follow the map file: misleading characters in names. None if the map file does not name
   * the row.
   */
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
      choice: 'assignment',
      chosenBy,
      AssignmentId,
    });
    const decision = choices.decisionOf(row.rowId);
    if (decision?.choice === 'left-out') return { choice: 'left-out' };
    const leftOutAtMs = decision === undefined ? leftOutBefore(row) : undefined;
    if (leftOutAtMs !== undefined) return { choice: 'left-out', leftOutAtMs };
    const byDecision = decision?.choice === 'assignment' ? decision.AssignmentId : undefined;
    const byUser = byDecision ?? choices.givenTo(() => pathsOf(row, tree)) ?? choices.scope().target;
    if (byUser !== undefined) return assign('person', byUser);
    const byMap = vetoesOfMapped(row).length === 0 ? mappedTo(row.rowId) : undefined;
    if (byMap !== undefined) return assign('map', byMap);
    const match = matchOf(row);
    const [best] = match.candidates;
    if (start.isMatched !== false && match.decision === 'send' && best !== undefined)
      return assign('match', best.AssignmentId);
    // A row without files to upload needs no decision.
    const { files, unreadable } = includedIn(row);
    return { choice: files + unreadable === 0 ? 'left-out' : 'undecided' };
  };
  return { matchOf, choiceOf };
};

// The assignments that the draft's worker matches rows with, and the protocols whose assignments have not been read.

type KnownTargets = ReturnType<typeof createKnownTargets>;

const Summary = storedJson(AssignmentSummary);

/** The number of file names used to match a folder whose own name is not specific enough. */
const TRIED_FILES = 20;

const MATCHED_AT_ONCE = 50;

/** Creates the set of the assignments that the lists contain, by their ids in lower case. */
const createListedTargets = () => {
  const targets = new Map<string, MatchTarget>();
  const idsOf = new Map<string, string[]>();
  return {
    add: (id: string, target: MatchTarget): void => {
      targets.set(id, target);
      if (target.InspectionProtocolId !== undefined) addTo(idsOf, target.InspectionProtocolId, id);
    },
    /** Removes the assignments of a protocol, because its list has been read again. */
    removeOf: (protocol: string): void => {
      for (const id of idsOf.get(protocol) ?? [])
        if (targets.get(id)?.InspectionProtocolId === protocol) targets.delete(id);
      idsOf.delete(protocol);
    },
    all: (): ReadonlyMap<string, MatchTarget> => targets,
  };
};

const createKnownTargets = (tree: FolderTree) => {
  /** All assignments that were read. Those that a user chose are shown even if no list contains them any more. */
  const byId = new Map<string, MatchTarget>();
  let listed = createListedTargets();
  /** The assignments of lists that are being handed over. They replace `listed` when all are there. */
  let arriving: typeof listed | undefined;
  const waiting: (() => void)[] = [];
  let unread = new Map<string, UnreadProtocol>();
  let unplaced: string[] = [];
  let isPartial = true;
  let isChanged = true;
  let progress: ListProgress = { stage: 'protocols', read: 0, total: 0 };
  let options: MatchOptions = {};
  let read = createMatchIndex([]);
  let index = read;
  let rows = new Map<string | number, MatchIn>();
  let oldest: number | undefined;

  const parse = (part: readonly StoredTarget[]): void => {
    for (const { value, fetchedAtMs, ...ofProtocol } of part) {
      const parsed = Summary.safeParse(value);
      if (!parsed.success) continue;
      const [id, target] = [parsed.data.AssignmentId.toLowerCase(), { ...parsed.data, ...ofProtocol }];
      byId.set(id, target);
      (arriving ?? listed).add(id, target);
      oldest = Math.min(oldest ?? fetchedAtMs, fetchedAtMs);
    }
  };
  const later = (work: () => void): void => {
    isChanged = true;
    waiting.push(work);
  };
  function* parseAll(): Steps<void> {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) {
      work();
      yield;
    }
  }
  const listedNow = (): readonly MatchTarget[] => [
    ...(arriving ? new Map([...listed.all(), ...arriving.all()]) : listed.all()).values(),
  ];
  const nameOf = ({ folder }: Pick<Row, 'folder'>): FolderName => ({
    path: pathOf(folder),
    rootPath: tree.sources[folder.source]?.root,
  });
  const learntBy = (by: MatchIndex): Steps<NotTowns> => by.notTownsIn(tree.folders.map((folder) => nameOf({ folder })));

  const matchOf = (row: Row): MatchIn => {
    const key = matchKey(row);
    const known = rows.get(key) ?? matchRow(row, nameOf(row), index, options);
    rows.set(key, known);
    return known;
  };

  return {
    setProgress: (next: ListProgress): void => {
      progress = next;
    },
    progress: (): Omit<Draft['assignments'], 'isReading'> => ({
      ...progress,
      known: byId.size,
      ...(oldest !== undefined && { oldestAtMs: oldest }),
    }),
    add: (part: readonly StoredTarget[]): void => later(() => parse(part)),
    /** Adds an assignment that can be shown before the next index is built. */
    addNow: (target: StoredTarget): void => {
      isChanged = true;
      parse([target]);
    },
    /** To be called before all stored lists are added. */
    begin: (): void => {
      isPartial = true;
      unread = new Map();
      later(() => {
        arriving = createListedTargets();
      });
      unplaced = [];
    },
    /**
     * To be called when all stored lists have been added. Sets whether protocols may be missing from them. Initially, they
     * may be.
     */
    setPartial: (next: boolean): void => {
      isChanged ||= next !== isPartial;
      isPartial = next;
      waiting.push(() => {
        listed = arriving ?? listed;
        arriving = undefined;
      });
    },
    addUnread: (part: readonly UnreadProtocol[]): void => {
      for (const protocol of part) {
        unread.set(protocol.InspectionProtocolId, protocol);
        if (!/\p{L}/u.test(protocol.Address)) unplaced.push(protocol.InspectionProtocolId);
      }
    },
    read: (id: string, targets: readonly StoredTarget[]): void => {
      later(() => {
        (arriving ?? listed).removeOf(id);
        parse(targets);
      });
      unread.delete(id);
    },
    isChanged: () => isChanged,
    /**
     * Returns the unread protocols that `matches` wait for, and those whose address has no letters, which may belong to
     * any folder.
     */
    unreadFor: (matches: readonly MatchIn[]): readonly string[] =>
      [...new Set([...unplaced, ...matches.flatMap((match) => match.unread)])].filter((id) => unread.has(id)),
    /**
     * Indexes new targets, and matches `rowsNow` with them. Until that is done, all rows keep their earlier matches.
     */
    *finish(next: MatchOptions, rowsNow: () => readonly Row[] = () => []): Steps<void> {
      isChanged = false;
      yield* parseAll();
      const readNow = yield* indexTargets(listedNow(), { protocols: [...unread.values()], isPartial });
      const all = { ...next, notTowns: yield* learntBy(readNow) };
      const indexed = remembering(readNow);
      const matched = new Map<string | number, MatchIn>();
      for (const [at, row] of rowsNow().entries()) {
        matched.set(matchKey(row), matchRow(row, nameOf(row), indexed, all));
        if (at % MATCHED_AT_ONCE === 0) yield;
      }
      options = all;
      rows = matched;
      read = readNow;
      index = indexed;
    },
    /** Learns from the names of all folders. To be called when these have changed, before they are matched. */
    *learn(): Steps<void> {
      let by: MatchIndex;
      let notTowns: NotTowns;
      do {
        by = read;
        notTowns = yield* learntBy(by);
        // Meanwhile, `finish` may have read newer lists.
      } while (by !== read);
      options = { ...options, notTowns };
      rows = new Map();
      index = remembering(by);
    },
    summaryOf: (id: string): AssignmentSummary | undefined => byId.get(id.toLowerCase()),
    /** Returns the id in the service's spelling, whatever the case of `id`; undefined for an unknown assignment. */
    idOf: (id: string) => listed.all().get(id.toLowerCase())?.AssignmentId,
    matchOf,
    *matchAll(all: readonly Row[]): Steps<void> {
      for (const [at, row] of all.entries()) {
        matchOf(row);
        if (at % MATCHED_AT_ONCE === 0) yield;
      }
    },
    certaintyOf: (row: Row, AssignmentId: string): MatchCandidate =>
      index.certaintyOf(nameOf(row), AssignmentId, options) ?? { AssignmentId, certainty: 0, reasons: [] },
    index: (): MatchIndex => index,
    options: () => options,
  };
};

/** Returns the key of a match. It includes the names of loose files, because another row may take some of them. */
const matchKey = ({ rowId, fileNames }: Row): string | number =>
  fileNames ? [rowId, ...fileNames.slice(0, TRIED_FILES)].join('/') : rowId;

const matchRow = (row: Row, folder: FolderName, index: MatchIndex, options: MatchOptions): MatchIn => {
  const byFolder = index.match(folder, options);
  if (byFolder.isClear) return byFolder;
  const fileNames = filesOf(row)
    .take(TRIED_FILES)
    .map(({ file }) => file.name)
    .filter(canTell)
    .toArray();
  return fileNames.length === 0 ? byFolder : index.match({ ...folder, fileNames }, options);
};

/** Caches matches, because folders are matched to detect the level, and again as rows. */
const remembering = (index: MatchIndex): MatchIndex => {
  const matches = new Map<string, MatchIn>();
  return {
    ...index,
    match: (folder, options) => {
      if (folder.fileNames) return index.match(folder, options);
      const key = `${folder.rootPath ?? ''}\n${folder.path}`;
      const before = matches.get(key);
      if (before) return before;
      const match = index.match(folder, options);
      matches.set(key, match);
      return match;
    },
  };
};

/**
 * The rows of a draft as users see them: each row with its assignment, its warnings, and the result of comparing its
 * files with those of the assignment.
 */

import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { debounce } from 'es-toolkit/function/debounce';
import { sumBy } from 'es-toolkit/math/sumBy';
import { mapValues } from 'es-toolkit/object/mapValues';
import type { Handlers } from '../../../contract/calls.ts';
import type {
  Amount,
  Draft,
  DraftFile,
  DraftRow,
  DraftWarning,
  Match,
  MatchCandidate,
  MatchReason,
} from '../../../contract/drafts.ts';
import { codeOf, DeskError } from '../../../contract/errors.ts';
import { assignmentName } from '../../../contract/resources.ts';
import { hasBeginnings, plainWords, searchable } from '../../../contract/search.ts';
import type { OnClash } from '../../../contract/uploads.ts';
import { createSerial } from '../../async/lock.ts';
import { TO_BE_ASKED, vetoesOfNames } from '../../matching/certainty.ts';
import type { MatchIn } from '../../matching/match-index.ts';
import { remembered } from '../../matching/names.ts';
import type { Uploads } from '../../uploads/engine/uploads.ts';
import { fileNameCandidates, fileNameKey } from '../../uploads/source/file-names.ts';
import { archiveOf, readFlags } from '../../uploads/source/paths.ts';
import type { ComparedFiles } from '../../uploads/transfer/names.ts';
import { type FolderTree, filesOf, type PartFile, pathOf, type Totals } from './folder-tree.ts';
import { type Matching, warningsOfChoice } from './matching.ts';
import { type Choices, type Cut, isOpened, type Row } from './rows.ts';

type RowQuery = Parameters<Handlers['drafts']['rows']>[0];
type FindQuery = Parameters<Handlers['drafts']['find']>[0];
type Selection = Omit<RowQuery, 'offset' | 'limit'>;

export type GroupSources = Parameters<Uploads['compare']>[0];

/** A row as the command line reports it. `root`: the path of its source; `path`: relative to the source. */
export type RowMatch = Match &
  Pick<Row, 'rowId' | 'fileNames'> &
  Pick<DraftRow, 'files' | 'bytes' | 'toSend' | 'sent' | 'reasons' | 'AssignmentId' | 'assignment'> & {
    readonly root: string;
    readonly path: string;
    readonly certainty: number;
  };

/** The rows that go to one assignment. */
type Group = { readonly AssignmentId: string; readonly rows: readonly Row[] };

/**
 * The comparison of a row with its assignment. Without `files`, the comparison has found nothing, or nothing yet
 * (`isPending`).
 */
type RowComparison = { readonly isPending: boolean; readonly files?: ComparedFiles | undefined };

type TableOptions = {
  readonly tree: FolderTree;
  readonly choices: Choices;
  readonly cut: Cut;
  readonly matching: Matching;
  /** Whether rows that the map file does not name are matched. */
  readonly isMatched: boolean;
  readonly rows: () => readonly Row[];
  /** Whether the draft is `ready`. Before that, rows are not checked. */
  readonly isReady: () => boolean;
  /** Whether the assignment may have files. If so, rows have to be compared with them. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  /** Compares the sources with their assignment. After `data/unwritable`, it is called again later. */
  readonly compare: (sources: GroupSources) => Promise<readonly ComparedFiles[]>;
  /** Called when a background check has found something: in these rows or, if the list is empty, perhaps in any row. */
  readonly onFound: (rowIds: readonly number[]) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

export type Table = ReturnType<typeof createTable>;

/**
 * The maximum number of rows that the window has in view. A query for more rows only counts or selects them, so their
 * files are not checked.
 */
const MOST_IN_VIEW = 250;

const FOLDED_AT_ONCE = 200;

export const createTable = (options: TableOptions) => {
  const { tree, choices, rows, isReady, onFound } = options;
  const { matchOf, choiceOf } = createChooser(options);
  const checks = createComparisons(options, (group) => sourcesOf(group));
  const openChecks = createOpenChecks(options);
  let views = new Map<number, ViewedRow>();
  let shown: { readonly rows: readonly DraftRow[]; readonly byId: ReadonlyMap<number, DraftRow> } | undefined;
  let comparisons: ReadonlyMap<number, RowComparison> = new Map();
  let selected: { readonly key: string; readonly rows: readonly DraftRow[] } | undefined;

  const viewOf = (row: Row): ViewedRow => {
    const known =
      views.get(row.rowId) ??
      viewRow(row, {
        ...options,
        choice: choiceOf(row),
        match: matchOf(row),
        refused: openChecks.refusedOf(row),
      });
    views.set(row.rowId, known);
    return known;
  };
  const groups = (): readonly Group[] =>
    [
      ...Map.groupBy(
        rows().filter((row) => viewOf(row).files > 0),
        (row) => viewOf(row).AssignmentId,
      ),
    ].flatMap(([AssignmentId, some]) => (AssignmentId === undefined ? [] : [{ AssignmentId, rows: some }]));
  const sourceOf = (row: Row) =>
    tree.sourceOf(
      row,
      choices.leftOutIn(row).map(({ path }) => path),
    );
  const sourcesOf = ({ AssignmentId, rows: some }: Group): GroupSources => ({
    assignmentId: AssignmentId,
    nameTemplate: choices.names().nameTemplate,
    sources: some.flatMap((row) => {
      const source = sourceOf(row);
      return source ? [{ ...source, ...choices.clashesOf(row, AssignmentId) }] : [];
    }),
  });
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
    const all = rows().map((row) => withCompared(row, viewOf(row), comparisons.get(row.rowId), choices));
    shown = { rows: all, byId: new Map(all.map((row) => [row.rowId, row])) };
    return shown;
  };
  const rowsFor = (query: Selection): readonly DraftRow[] => {
    const key = JSON.stringify(query);
    if (selected?.key !== key) selected = { key, rows: selectRows(now().rows, query, isReady()) };
    return selected.rows;
  };
  const rowOf = (row: Row): DraftRow => now().byId.get(row.rowId) ?? withCompared(row, viewOf(row), undefined, choices);
  return {
    matchOf,
    rowOf,
    sourceOf,
    /**
     * Returns the sources whose files determine the FileNames of a row's files, and the row's index among them;
     * undefined if the row has no assignment or no files. Without a row, returns the sources of the whole draft;
     * undefined unless its files go to exactly one assignment.
     */
    clashSources: (row: Row | undefined): (GroupSources & { readonly index?: number }) | undefined => {
      const all = groups();
      if (row === undefined) return all.length === 1 && all[0] ? sourcesOf(all[0]) : undefined;
      const group = all.find((one) => one.rows.includes(row));
      return group && { ...sourcesOf(group), index: group.rows.indexOf(row) };
    },
    sums: () => sumsOf(now().rows),
    /** Prepares the first search among the rows, in steps of about a millisecond. */
    *prepareSearch(): Generator<void> {
      for (const [at, row] of now().rows.entries()) {
        foldedOf(row);
        if (at % FOLDED_AT_ONCE === 0) yield;
      }
    },
    matches: (): readonly RowMatch[] => rows().map((row) => matchedRow(row, rowOf(row), matchOf(row), options)),
    filesOf: (row: Row): readonly DraftFile[] => {
      now();
      return viewFiles(row, choices, comparisons.get(row.rowId)?.files);
    },
    select: ({ offset, limit, ...query }: RowQuery) => {
      const all = rowsFor(query);
      const found = all.slice(offset, offset + limit);
      if (isReady() && limit <= MOST_IN_VIEW)
        openChecks.look(
          found.filter(({ choice }) => choice !== 'left-out').map(({ rowId }) => options.cut.rowOf(rowId)),
        );
      return { rows: found, total: all.length };
    },
    find: ({ rowId, chosen, from, ...query }: FindQuery) => findRow(rowsFor(query), { rowId, chosen, from }),
    /** To be called when the files of assignments have changed. */
    compareAgain: (): void => {
      checks.forget();
      onFound([]);
    },
    /** Discards the results for these rows or, without `rowIds`, for all rows. */
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
): Pick<Draft, 'doubts' | 'counts' | 'chosen' | 'toSend' | 'sent' | 'clashes' | 'leftOutFiles' | 'comparing'> => {
  const chosen = rows.filter(({ choice, files }) => choice === 'assignment' && files > 0);
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
    doubts: rows.filter((row) => FILTERS.problems(row) && row.warnings.some(isDoubt)).length,
    counts: mapValues(FILTERS, (is) => rows.filter(is).length),
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
    comparing: rows.filter(({ isComparing = false }) => isComparing).length,
  };
};

const pairsOf = (rows: readonly DraftRow[]): string =>
  rows.map(({ rowId, AssignmentId }) => `${rowId} ${AssignmentId}`).join('\n');

const FILTERS: Readonly<Record<RowQuery['filter'], (row: DraftRow) => boolean>> = {
  all: () => true,
  new: ({ choice, toSend }) => choice === 'undecided' || (choice === 'assignment' && toSend.files > 0),
  undecided: ({ choice }) => choice === 'undecided',
  matched: ({ choice }) => choice === 'assignment',
  'left-out': ({ choice }) => choice === 'left-out',
  problems: ({ choice, warnings }) => choice !== 'left-out' && warnings.length > 0,
};

const isDoubt = ({ kind }: DraftWarning): boolean => kind === 'status' || kind === 'other-assignment';

const collator = new Intl.Collator('en', { numeric: true });

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

/**
 * Selects and sorts rows. Without `sort`, undecided rows come first, but only once the rows are final (`isReady`): they
 * would otherwise move under the pointer while they are matched. `rows` must be in the order of their paths.
 */
const selectRows = (
  rows: readonly DraftRow[],
  { filter, text = '', sort, descending }: Selection,
  isReady: boolean,
): readonly DraftRow[] => {
  const words = plainWords(text);
  const found = rows.filter(FILTERS[filter]).filter((row) => words.length === 0 || hasBeginnings(foldedOf(row), words));
  const inOrder = found.sort(ORDERS[sort ?? 'path']);
  if (sort !== undefined) return descending ? inOrder.reverse() : inOrder;
  if (!isReady) return inOrder;
  const isUndecided = FILTERS.undecided;
  return [...inOrder.filter(isUndecided), ...inOrder.filter((row) => !isUndecided(row))];
};

const findRow = (rows: readonly DraftRow[], { rowId, chosen, from }: Pick<FindQuery, 'rowId' | 'chosen' | 'from'>) => {
  const isWanted = (row: DraftRow): boolean => {
    if (rowId !== undefined) return row.rowId === rowId;
    return chosen === undefined ? FILTERS.undecided(row) : `${row.path}/`.startsWith(`${chosen}/`);
  };
  const later = rows.findIndex((row, index) => index >= from && isWanted(row));
  const index = later < 0 ? rows.findIndex(isWanted) : later;
  const row = rows[index];
  return { ...(row && { found: { row, index } }), total: rows.length };
};

type Choice = Pick<DraftRow, 'choice' | 'chosenBy' | 'leftOutAtMs' | 'AssignmentId'>;

type ViewedRow = Omit<DraftRow, 'toSend' | 'sent' | 'leftOut' | 'isComparing'>;

type Shown = Pick<TableOptions, 'choices' | 'matching'> & {
  readonly choice: Choice;
  readonly match: MatchIn;
  /** How many files of the row, except those left out, could not be opened. */
  readonly refused: number;
};

const SHOWN_NAMES = 5;

const viewRow = (row: Row, { choices, matching, choice, match, refused }: Shown): ViewedRow => {
  const { folder, fileNames } = row;
  const { summaryOf } = matching;
  const totals = choices.includedIn(row);
  const chosen = choice.AssignmentId;
  const [best] = match.candidates;
  const candidate =
    chosen === undefined
      ? best
      : (match.candidates.find(({ AssignmentId }) => AssignmentId === chosen) ?? matching.certaintyOf(row, chosen));
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

/**
 * Creates the functions that match rows and choose their assignments. The first of these that applies decides: the
 * user's decision, an earlier upload that left the row out, the assignment that the row was added for, the assignment
 * for the whole draft, the assignment of the row's source, the map file, the match.
 */
const createChooser = ({ tree, choices, cut: { mappedTo }, matching, isMatched }: TableOptions) => {
  /**
   * Returns the reasons not to follow the map file: misleading characters in names. Returns none if the map file does
   * not name the row.
   */
  const vetoesOfMapped = (row: Row): readonly MatchReason[] =>
    mappedTo(row.rowId) === undefined
      ? []
      : vetoesOfNames([...pathOf(row.folder).split('/'), ...(row.fileNames ?? [])]);
  const matchOf = (row: Row): MatchIn => {
    const match = matching.matchOf(row);
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
    const leftOutAtMs = decision === undefined ? choices.leftOutAtMs(row) : undefined;
    if (leftOutAtMs !== undefined) return { choice: 'left-out', leftOutAtMs };
    const byDecision = decision?.choice === 'assignment' ? decision.AssignmentId : undefined;
    const ofSource = tree.sources[row.folder.source]?.AssignmentId;
    const byUser = byDecision ?? choices.givenTo(row) ?? choices.scope().target ?? ofSource;
    if (byUser !== undefined) return assign('person', byUser);
    const byMap = vetoesOfMapped(row).length === 0 ? mappedTo(row.rowId) : undefined;
    if (byMap !== undefined) return assign('map', byMap);
    const match = matchOf(row);
    const [best] = match.candidates;
    if (isMatched && match.decision === 'send' && best !== undefined) return assign('match', best.AssignmentId);
    // A row without files to upload needs no decision.
    const { files, unreadable } = choices.includedIn(row);
    return { choice: files + unreadable === 0 ? 'left-out' : 'undecided' };
  };
  return { matchOf, choiceOf };
};

const matchedRow = (
  row: Row,
  shown: DraftRow,
  { decision, candidates, vetoes }: MatchIn,
  { tree, cut, isMatched }: TableOptions,
): RowMatch => {
  const { AssignmentId, assignment, chosenBy, certainty = 0, reasons, files, bytes, toSend, sent } = shown;
  const { rowId, folder, fileNames } = row;
  const counts = { files, bytes, toSend, sent };
  const { root = '' } = tree.sources[folder.source] ?? {};
  const about = { rowId, root, path: folder.below, fileNames, ...counts, AssignmentId };
  if (chosenBy === 'map')
    return { ...about, assignment, certainty: 1, reasons: [mapReason(row)], decision: 'send', candidates, vetoes: [] };
  if (isMatched || cut.mappedTo(rowId) !== undefined)
    return { ...about, assignment, certainty, reasons, decision, candidates, vetoes };
  return { ...about, certainty: 0, reasons: [], decision: 'none', candidates: [], vetoes: [] };
};

const mapReason = ({ folder }: Row): MatchReason => ({ signal: 'map', found: folder.below });

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

const withCompared = (row: Row, view: ViewedRow, comparison: RowComparison | undefined, choices: Choices): DraftRow => {
  const { sent, clashes } = foundIn(row, comparison?.files, choices);
  const { onClash, clashChoices } = choices.clashesOf(row, view.AssignmentId);
  // A map, because a file may be called "constructor", a property that every object has.
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
    ...(comparison?.isPending && view.choice === 'assignment' && { isComparing: true }),
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

// Finds files that were sent before, and files whose FileName is taken. Only the engine can find them, because it
// compares contents. The engine is called only for assignments that may have files or that would get two files of the
// same name.

/** The delay before a comparison is retried after `data/unwritable`, for example because the disk was full. */
const WRITE_RETRY_MS = 5_000;

type Compared = { readonly isPending: boolean; readonly sources: readonly ComparedFiles[] };

const NONE: Compared = { isPending: false, sources: [] };
const PENDING: Compared = { isPending: true, sources: [] };

const createComparisons = (
  { tree, choices, hasFiles, compare, onFound, onBug, signal }: TableOptions,
  sourcesOf: (group: Group) => GroupSources,
) => {
  const known = new Map<string, { readonly key: string; readonly compared: Compared }>();
  const inTurn = createSerial();
  const find = (group: Group, key: string): void => {
    inTurn(async () => {
      const isWanted = (): boolean => !signal.aborted && known.get(group.AssignmentId)?.key === key;
      if (!isWanted()) return;
      let compared = NONE;
      try {
        // The engine reads the scanned files from a list, which cannot be written while the disk is full.
        tree.save(false);
        compared = { isPending: false, sources: await compare(sourcesOf(group)) };
      } catch (error) {
        // The start of the upload reports a folder that cannot be read, or an engine that has stopped.
        if (!(error instanceof DeskError)) throw error;
        if (error.code === 'data/unwritable') setTimeout(() => find(group, key), WRITE_RETRY_MS).unref();
      } finally {
        if (isWanted()) {
          known.set(group.AssignmentId, { key, compared });
          onFound([]);
        }
      }
    }).catch(onBug);
  };
  const hasTwins = ({ rows }: Group): boolean => {
    const { nameTemplate } = choices.names();
    const names = new Set<string>();
    for (const row of rows) {
      for (const { path } of choices.inOrder(row)) {
        const key = fileNameKey(fileNameCandidates(path, nameTemplate).next().value);
        if (names.has(key)) return true;
        names.add(key);
      }
    }
    return false;
  };
  return {
    /**
     * Returns the result for each row, in the order of the group. Starts a comparison if there is none for these files.
     */
    of: (group: Group): Compared => {
      const { nameTemplate } = choices.names();
      // Loose files may move to a row of their own, so the id of a row does not tell its files.
      const rows = group.rows.map(({ rowId, totals }) => `${rowId} ${totals.files}`);
      const key = `${nameTemplate} ${choices.filesRevision()} ${rows.join()}`;
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

/** The maximum number of files checked in a row. A user does not look at more. */
const MOST_FILES = 500;

/** How long the view has to be still before rows are checked, so that checks do not slow down scrolling and typing. */
const REST_MS = 300;

const createOpenChecks = ({ tree, choices, onFound, onBug, signal }: TableOptions) => {
  const refused = new Map<number, ReadonlySet<string>>();
  const asked = new Set<number>();
  /** The rows to be checked. Rows that came into view last come first. */
  const waiting: Row[] = [];
  const inTurn = createSerial();
  const check = async (row: Row): Promise<void> => {
    const root = tree.sourceOf(row)?.root;
    if (root === undefined) return;
    const found = new Set<string>();
    for (const path of onDisk(filesOf(row)).values().take(MOST_FILES)) {
      if (signal.aborted) return;
      if (!(await canBeOpened(join(root, path)))) found.add(path);
    }
    if (found.size === 0) return;
    refused.set(row.rowId, found);
    onFound([row.rowId]);
  };
  const checkWaiting = async (): Promise<void> => {
    for (let row = waiting.shift(); row && !signal.aborted; row = waiting.shift()) await check(row);
  };
  const begin = debounce(() => inTurn(checkWaiting).catch(onBug), REST_MS, { signal });
  return {
    refusedOf: (row: Row): number => {
      const found = refused.get(row.rowId);
      return found ? [...onDisk(choices.inOrder(row))].filter((path) => found.has(path)).length : 0;
    },
    /**
     * Checks the unchecked rows in view, one after another, once the view has been still for a moment. If many other
     * rows come into view before a row is checked, the row is checked only when it is in view again.
     */
    look: (rows: readonly Row[]): void => {
      const others = rows.filter(({ rowId }) => !asked.has(rowId));
      if (others.length === 0) return;
      for (const { rowId } of others) asked.add(rowId);
      waiting.unshift(...others);
      for (const { rowId } of waiting.splice(MOST_IN_VIEW)) asked.delete(rowId);
      begin();
    },
  };
};

/** Returns the paths of the files on the disk; for a file in an archive, that of the archive. */
const onDisk = (files: Iterable<PartFile>): Set<string> =>
  new Set(Iterator.from(files).map(({ path }) => archiveOf(path)));

/** Whether the file can be opened, or is missing. The upload reports a missing file. */
const canBeOpened = async (path: string): Promise<boolean> => {
  try {
    await (await open(path, readFlags())).close();
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
};

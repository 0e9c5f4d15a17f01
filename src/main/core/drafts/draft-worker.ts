/** The worker of a draft: scans its folders, matches them, and holds its rows. This module is the worker's entry. */

import { isDeepStrictEqual } from 'node:util';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { uniq } from 'es-toolkit/array/uniq';
import { sumBy } from 'es-toolkit/math/sumBy';
import type { Handlers } from '../../../contract/calls.ts';
import type {
  ChosenSum,
  Draft,
  DraftFile,
  DraftPhase,
  MatchCandidate,
  UndoneChange,
} from '../../../contract/drafts.ts';
import { DeskError, type ErrorData, onDeskError, toErrorData } from '../../../contract/errors.ts';
import { isClosed } from '../../../contract/resources.ts';
import { plainWords } from '../../../contract/search.ts';
import { shownPath } from '../../../contract/text.ts';
import { createSerial } from '../../async/lock.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import { createThrottle } from '../../async/throttle.ts';
import type { StoredTarget } from '../../cache/cache.ts';
import { comesToRest } from '../../data/end-by-force.ts';
import {
  dataUrl,
  isPdf,
  PDF_START_BYTES,
  pictureSize,
  THUMBNAIL_WITHIN_BYTES,
  thumbnailIn,
} from '../../data/picture.ts';
import type { MatchIn } from '../../matching/match-index.ts';
import type { Upload, Uploads } from '../../uploads/engine/uploads.ts';
import type { LeftOutFolder } from '../../uploads/ledger/ledger.ts';
import { type Archives, createArchives } from '../../uploads/source/archives.ts';
import { archiveKey } from '../../uploads/source/file-identity.ts';
import { type FilePlace, readInPlace, readStartInPlace } from '../../uploads/source/open-file.ts';
import { baseName, placeIn, realRootOf, splitInner } from '../../uploads/source/paths.ts';
import { createReviewedList } from '../../uploads/source/scan.ts';
import type { ComparedFiles } from '../../uploads/transfer/names.ts';
import {
  createFolderTree,
  type DraftSource,
  type FolderTree,
  filesOf,
  isLarge,
  outermost,
  pathOf,
} from './folder-tree.ts';
import { createMatching, isUsable, type Matching, type MatchingStart } from './matching.ts';
import {
  type ChoicesStart,
  createChoices,
  createCut,
  type Decision,
  placeOnDisk,
  type Row,
  type Undo,
} from './rows.ts';
import { openRuleReader, type RuleReader } from './rules.ts';
import { createStoredDraft, type DraftStorage, type KeptDraft } from './stored-draft.ts';
import { createTable, type GroupSources } from './table.ts';

type Input<Name extends keyof Handlers['drafts']> = Parameters<Handlers['drafts'][Name]>[0];
type Output<Name extends keyof Handlers['drafts']> = Awaited<ReturnType<Handlers['drafts'][Name]>>;

export type DraftStart = ChoicesStart &
  MatchingStart & {
    readonly draftId: string;
    /** Facts from earlier uploads. `sendsInOnePiece`: whether the storage accepts files only as a whole. */
    readonly history: ReturnType<Uploads['history']> & { readonly sendsInOnePiece?: boolean };
    readonly sources: readonly DraftSource[];
    /**
     * The URL of the worker source/read-worker.ts, which opens archives as folders. Absent: archives are uploaded as
     * files.
     */
    readonly archives?: string | undefined;
    /** The folder of the lists of reviewed files. Absent: no upload starts from the draft. */
    readonly lists?: string | undefined;
    /** The record of `AssignmentId`, so that the draft can show the assignment before the lists have been read. */
    readonly target?: StoredTarget | undefined;
    /** Whether rows that are not in the map file are matched. Default: true. */
    readonly isMatched?: boolean | undefined;
    /** The rules and choices of earlier uploads. Absent: the draft uses none. */
    readonly rules?: Parameters<typeof openRuleReader>[0] | undefined;
    /** Absent: the draft is not stored. */
    readonly storage?: DraftStorage | undefined;
  };

export type PlannedRow = {
  readonly rowId: number;
  /** The path of the row's folder, beginning with the name of the chosen folder. */
  readonly path: string;
  readonly rootPath: string;
  /** Whether the user chose the assignment for the row itself, and did not just accept a proposal. */
  readonly isDecided: boolean;
  readonly upload: Upload;
  /** The files that are left out, by their paths on the disk (`placeIn`). */
  readonly leftOutFiles: readonly string[];
};

export type WorkerCalls = ReturnType<typeof openDraft> & {
  /** Opens the draft. To be called once, before the other functions except `end`. */
  readonly open: (start: DraftStart) => Draft;
};

export type MainCalls = {
  readonly draft: (draft: Draft) => void;
  readonly compare: (sources: GroupSources, signal: AbortSignal) => Promise<readonly ComparedFiles[]>;
  /**
   * Called with an error that the user has to see: the rules and choices of earlier uploads cannot be read, or those of
   * this draft cannot be stored.
   */
  readonly notice: (error: ErrorData) => void;
  /** Resolves to the keys (`archiveKey`) of the archives that were uploaded as files. */
  readonly sentArchives: () => Promise<readonly string[]>;
};

/** The minimum interval between updates of the window after background work. */
const TELL_MS = 250;

type MainThread = Pick<Peer<MainCalls>, 'call' | 'tell' | 'reportBug'>;

const openArchives = ({ archives = '', isReviewed = false }: DraftStart, reportBug: MainThread['reportBug']) =>
  isReviewed && archives !== '' ? createArchives(new URL(archives), undefined, reportBug) : undefined;

/**
 * Creates a function that lists the files in an archive. An archive that was uploaded as a whole before is not opened,
 * so that its files are not sent a second time.
 */
const createArchiveList = (archives: Archives, main: MainThread): Archives['list'] => {
  let sent: Promise<ReadonlySet<string>> | undefined;
  return async (path, expected) => {
    sent ??= main.call.sentArchives().then(
      (keys) => new Set(keys),
      // If the ledger cannot be read, the start of the upload fails and reports the error.
      onDeskError(() => new Set()),
    );
    const isSent = expected.identity !== undefined && (await sent).has(archiveKey(expected.identity));
    return isSent ? { unopened: 'sent' } : archives.list(path, expected);
  };
};

/**
 * Opens the rules and choices of earlier uploads; returns undefined if the draft does not use them. If they cannot be
 * read, a draft continues without them. Matching of `folders` throws instead, because without the rules it could
 * consider a wrong assignment certain.
 */
const openRules = ({ rules, folders }: DraftStart, main: MainThread): RuleReader | undefined =>
  rules &&
  openRuleReader(rules, (error) => {
    if (folders) throw error;
    if (error instanceof DeskError) main.tell.notice(toErrorData(error));
    else main.reportBug(error);
  });

const MOST_UNDOS = 200;

type Parts = ReturnType<typeof createParts>;

/** Creates the parts of a draft in which the user has decided nothing yet, and the functions that the parts share. */
const createParts = (start: DraftStart, tree: FolderTree, main: MainThread) => {
  const ending = new AbortController();
  const rules = openRules(start, main);
  const choices = createChoices(start, tree);
  /** The changes that can be undone, the newest one last. */
  const undos: { readonly what: UndoneChange; readonly undo: Undo }[] = [];
  /** The assignments that may have files. */
  const used = new Set(start.history.assignments);
  const state = { revision: 0, scans: 0, reason: undefined as ErrorData | undefined };
  const reportUnlessEnding = (error: unknown): void => {
    if (!ending.signal.aborted) main.reportBug(error);
  };

  /** If everything goes to one assignment, matching only adds warnings, so the draft is `ready` without it. */
  const phase = (): DraftPhase => {
    const now = matching.phase();
    return now === 'scanning' || choices.scope().target === undefined ? now : 'ready';
  };
  const rows = (): readonly Row[] => (phase() === 'scanning' ? [] : cut.rows());
  /** To be called when `rowIds` have changed or, without `rowIds`, when any row may have changed. */
  const forget = (rowIds?: readonly number[]): void => {
    state.revision += 1;
    table.forget(rowIds);
  };
  /** To be called when the folders may have to be divided into other rows. */
  const changed = (): void => {
    forget();
    cut.forget();
  };
  const { request: tellSoon } = createThrottle(() => main.tell.draft(view()), TELL_MS, main.reportBug);

  const matching = createMatching({
    start,
    tree,
    rules: rules?.rules ?? new Map(),
    rows: () => cut.rows(),
    isScanning: () => state.scans > 0,
    onChange: () => {
      changed();
      tellSoon();
    },
    onMatched: () => {
      forget();
      // While a decision can be undone, the draft keeps its rows.
      if (undos.length === 0) cut.forget();
      tellSoon();
    },
    onProgress: tellSoon,
    prepare: () => table.prepareSearch(),
    onReason: (reason) => {
      state.reason = reason;
    },
    signal: ending.signal,
    onBug: main.reportBug,
  });
  const cut = createCut({ tree, choices, matching });
  const table = createTable({
    tree,
    choices,
    cut,
    matching,
    isMatched: start.isMatched !== false,
    rows,
    isReady: () => phase() === 'ready',
    hasFiles: (AssignmentId) => used.has(AssignmentId),
    compare: (sources) => main.call.compare(sources, ending.signal),
    onFound: (rowIds) => {
      forget(rowIds);
      tellSoon();
    },
    onBug: reportUnlessEnding,
    signal: ending.signal,
  });
  const { sources, storage } = start;
  const onUnwritable = (error: DeskError): void => main.tell.notice(toErrorData(error));
  const inDraft = { sources, tree, choices, cut, rows, onUnwritable, onBug: main.reportBug };
  const stored = storage && createStoredDraft(storage, inDraft);
  const parts = { start, tree, rules, choices, undos, matching, cut, table, stored, used, state, ending, phase, rows };
  const view = (): Draft => viewDraft(parts);
  /** Sends the draft immediately after a change by the user, so that the window shows the change in the next frame. */
  const decided = (): void => {
    main.tell.draft(view());
    stored?.changed();
  };
  return { ...parts, view, decided, forget, changed, tellSoon, reportUnlessEnding };
};

type Viewed = Pick<
  Parts,
  'start' | 'tree' | 'choices' | 'undos' | 'matching' | 'cut' | 'table' | 'stored' | 'state' | 'phase' | 'rows'
>;

const viewDraft = (parts: Viewed): Draft => {
  const { start, tree, choices, matching, cut, table, state } = parts;
  const phase = parts.phase();
  const resumed = phase === 'ready' ? parts.stored?.resumed() : undefined;
  const { target } = choices.scope();
  // Reading lists can take a long time, so only a draft that was opened for one assignment counts as `isComparing`
  // while lists are read.
  const isUpdating = matching.phase() === 'updating' && start.AssignmentId !== undefined;
  return {
    draftId: start.draftId,
    revision: state.revision,
    phase,
    ...(state.reason && { reason: state.reason }),
    names: namesOf(parts),
    ...(resumed && { resumed }),
    folders: tree.folders.length,
    files: sumBy(tree.roots, ({ whole }) => whole.files),
    bytes: sumBy(tree.roots, ({ whole }) => whole.bytes),
    leftOut: tree.leftOut(),
    assignments: matching.assignments(),
    ...(phase === 'scanning' ? { level: 0, levels: [] } : cut.levels()),
    ...(target !== undefined && { AssignmentId: target }),
    isComparing: target !== undefined && (matching.phase() === 'matching' || isUpdating),
    ...table.sums(),
    ...(start.history.sendsInOnePiece && { inOnePiece: largestToSend(parts) }),
    ...choices.names(),
    canUndo: parts.undos.length > 0,
  };
};

/** Returns the names of the chosen folders that have a row, or of all chosen folders while there are no rows. */
const namesOf = ({ tree: { sources }, rows }: Viewed): readonly string[] => {
  const left = new Set(sources.length > 1 ? rows().map(({ folder }) => folder.source) : []);
  return sources.filter((_, source) => left.size === 0 || left.has(source)).map(({ name }) => name);
};

const largestToSend = ({ rows, table }: Viewed): Draft['inOnePiece'] => {
  let largest: DraftFile | undefined;
  for (const row of rows()) {
    if (row.totals.large === 0 || table.rowOf(row).choice !== 'assignment') continue;
    for (const file of table.filesOf(row))
      if (isLarge(file) && file.state === 'new' && file.sizeBytes > (largest?.sizeBytes ?? 0)) largest = file;
  }
  return largest && { name: baseName(largest.path), sizeBytes: largest.sizeBytes };
};

/** What a search for assignments found: the ids of the first ones, and how many there are in total. */
type FoundAssignments = { readonly ids: readonly string[]; readonly total: number };

/** A query for the candidates of a row. `found`: the assignments to return in place of the matching ones. */
type CandidateQuery = { readonly rowId: number; readonly found?: FoundAssignments | undefined };

/** A row's folder or, with `path`, one of its files. */
type PlaceQuery = { readonly rowId: number; readonly path?: string | undefined };

const createReview = (parts: Parts) => {
  const { tree, choices, undos, matching, cut, table, rows, decided, forget } = parts;
  const undoable = (what: UndoneChange, undo: Undo): void => {
    undos.push({ what, undo });
    if (undos.length > MOST_UNDOS) undos.shift();
  };
  const decideEach = (made: readonly (readonly [rowId: number, decision: Decision])[], what: UndoneChange): void => {
    undoable(what, choices.decide(made));
    forget(made.map(([rowId]) => rowId));
    decided();
  };
  const decide = (
    kind: UndoneChange['kind'],
    rowIds: readonly number[],
    decision: Decision,
    to?: Pick<UndoneChange, 'AssignmentId' | 'assignment'>,
  ): void => {
    const [row, ...others] = rowIds.map(cut.rowOf);
    const only = row && others.length === 0 ? { row: table.rowOf(row) } : {};
    const made = rowIds.map((rowId) => [rowId, decision] as const);
    decideEach(made, { kind, count: rowIds.length, ...only, ...to });
  };
  /** Makes a change after which the folders may be divided into other rows. */
  const change = (make: () => void): void => {
    make();
    parts.changed();
    decided();
  };
  const setScope = (scope: Parameters<typeof choices.setScope>[0]): void =>
    change(() => undoable({ kind: 'scope', count: 0 }, choices.setScope(scope)));
  return {
    rows: table.select,
    find: table.find,
    candidates: ({ rowId, found }: CandidateQuery): Output<'candidates'> =>
      candidatesFor(cut.rowOf(rowId), parts, found),
    alike: ({ rowId }: Input<'alike'>): Output<'alike'> => ({ rowIds: alikeTo(cut.rowOf(rowId), rows(), matching) }),
    assign: ({ rowIds, AssignmentId }: Input<'assign'>) => {
      const assignment = matching.summaryOf(AssignmentId);
      const to = { AssignmentId, ...(assignment && { assignment }) };
      decide('assign', rowIds, { choice: 'assignment', AssignmentId }, to);
    },
    accept: ({ rowIds }: Input<'accept'>): Output<'accept'> => {
      const { proposals, left } = proposalsIn(uniq(rowIds).map(cut.rowOf), parts);
      if (proposals.length > 0) decideEach(proposals, { kind: 'accept', count: proposals.length });
      return { accepted: proposals.length, left };
    },
    leaveOut: ({ rowIds }: Input<'leaveOut'>) => decide('leaveOut', rowIds, { choice: 'left-out' }),
    include: ({ rowIds }: Input<'include'>) => decide('include', rowIds, { choice: 'included' }),
    files: ({ rowId, offset, limit }: Input<'files'>): Output<'files'> => {
      const files = table.filesOf(cut.rowOf(rowId));
      return { files: files.slice(offset, offset + limit), total: files.length };
    },
    setFiles: ({ rowId, ...some }: Input<'setFiles'>) => {
      const row = cut.rowOf(rowId);
      const [path] = some.paths ?? [];
      const what: UndoneChange =
        path === undefined
          ? { kind: 'includeFiles', count: table.rowOf(row).leftOut.files }
          : { kind: some.isIncluded ? 'include' : 'leaveOut', count: 1, path };
      change(() => undoable(what, choices.setFiles(row, some)));
    },
    setClash: (clash: Input<'setClash'>): void => {
      cut.rowOf(clash.rowId);
      undoable({ kind: 'clash', count: 1 }, choices.setClash(clash));
      forget([clash.rowId]);
      decided();
    },
    setLevel: ({ level }: Input<'setLevel'>) => setScope({ level }),
    setTarget: ({ AssignmentId }: Input<'setTarget'>) => setScope({ target: AssignmentId }),
    setNames: (names: Input<'setNames'>) => change(() => choices.setNames(names)),
    undo: (): Output<'undo'> => {
      const last = undos.pop();
      change(() => last?.undo());
      return last?.what;
    },
    skipUpdate: () => change(matching.skipUpdate),
    clashSources: ({ rowId }: Pick<Input<'names'>, 'rowId'>) =>
      table.clashSources(rowId === undefined ? undefined : cut.rowOf(rowId)),
    /** Returns the place of a row's folder or of its file at `path`. Errors: `input/invalid`. */
    placeOf: ({ rowId, path }: PlaceQuery): FilePlace & { readonly inCloud: boolean } => {
      const row = cut.rowOf(rowId);
      const { root, realRoot, identity } = tree.sourceOf(row) ?? {};
      const found = path === undefined ? undefined : filesOf(row).find((one) => one.path === path);
      if (root === undefined || (path !== undefined && !found))
        throw new DeskError('input/invalid', 'there is no such file');
      return { root, realRoot, identity, path, inCloud: found?.file.inCloud === true };
    },
    matches: table.matches,
  };
};

/**
 * Returns the proposed assignments or, if a search `found` some, the found ones that files can be uploaded to. Each has
 * its certainty for the row.
 */
const candidatesFor = (
  row: Row,
  { matching, table }: Parts,
  found: FoundAssignments | undefined,
): Output<'candidates'> => {
  const { candidates: proposed } = table.matchOf(row);
  const certaintyOf = (id: string): MatchCandidate =>
    proposed.find(({ AssignmentId }) => AssignmentId === id) ?? matching.certaintyOf(row, id);
  const candidates = (found?.ids.filter(isUsable).map(certaintyOf) ?? proposed).map((candidate) => {
    const assignment = matching.summaryOf(candidate.AssignmentId);
    return { ...candidate, ...(assignment && { assignment }) };
  });
  const more = found ? found.total - found.ids.length : 0;
  return { candidates, total: candidates.length + more };
};

/**
 * Returns the proposals for the undecided rows of `rows` as decisions, and the number of undecided rows without a
 * proposal (`left`).
 */
const proposalsIn = (rows: readonly Row[], { table, matching }: Parts) => {
  const undecided = rows.filter((row) => table.rowOf(row).choice === 'undecided');
  const proposals = undecided.flatMap((row) => {
    const AssignmentId = proposalOf(table.matchOf(row), matching.summaryOf);
    return AssignmentId === undefined
      ? []
      : [[row.rowId, { choice: 'assignment', AssignmentId, isAccepted: true }] as const];
  });
  return { proposals, left: undecided.length - proposals.length };
};

/**
 * Returns the assignment that a match proposes: the first candidate if it is open, has no reason against it, and is
 * more likely than all others together. Returns undefined if there is no such candidate, if the match has a veto, or if
 * an assignment that is closed or takes no files is more certain than the first candidate.
 */
const proposalOf = (
  { candidates: [first], vetoes, best, share }: MatchIn,
  summaryOf: Matching['summaryOf'],
): string | undefined => {
  if (first === undefined || vetoes.length > 0 || first.AssignmentId !== best?.AssignmentId) return undefined;
  const isOpposed = first.reasons.some(({ against }) => against);
  const isOver = isClosed(summaryOf(first.AssignmentId)?.AssignmentStatus ?? '');
  return isOpposed || isOver || 2 * first.certainty <= share ? undefined : first.AssignmentId;
};

/**
 * Returns the ids of the rows with the same candidates as `row` or, if `row` has none, with the same words in their
 * names.
 */
const alikeTo = (row: Row, all: readonly Row[], { matchOf }: Matching): readonly number[] => {
  const sayingOf = (one: Row): string => {
    const ids = matchOf(one).candidates.map(({ AssignmentId }) => AssignmentId);
    return ids.length > 0 ? ids.join(' ') : `named ${plainWords(one.folder.name).join(' ')}`;
  };
  const saying = sayingOf(row);
  return all.filter((one) => sayingOf(one) === saying).map(({ rowId }) => rowId);
};

const plannedRow = (row: Row, { start, tree, choices, table }: Parts): PlannedRow | undefined => {
  const { AssignmentId, files, toSend, leftOut } = table.rowOf(row);
  const source = table.sourceOf(row);
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
      ...choices.clashesOf(row, AssignmentId),
    },
    leftOutFiles: choices.leftOutIn(row).map(({ folder, file }) => placeOnDisk(folder, file.name, tree)),
  };
};

/**
 * Returns the path and the number of files of each row that was left out as a whole in a review; none without a review.
 */
const leftOutFolders = ({ start, rows, table }: Parts): readonly LeftOutFolder[] =>
  rows().flatMap((row) => {
    const { files } = row.totals;
    const isLeftOut = start.isReviewed === true && table.rowOf(row).choice === 'left-out' && files > 0;
    return isLeftOut ? [{ path: shownPath(namedPlaceOf(row)), files }] : [];
  });

/** Returns the path of a row's folder or, for a row of one file, of that file. Begins with the chosen folder's name. */
const namedPlaceOf = ({ folder, fileNames }: Row): string => {
  const [first, ...others] = fileNames ?? [];
  return [pathOf(folder), ...(first !== undefined && others.length === 0 ? [first] : [])].join('/');
};

/**
 * Opens a draft, whose sources are added to `tree`. Returns the functions that the worker serves. `endWorker` ends the
 * worker.
 */
export const openDraft = (start: DraftStart, tree: FolderTree, main: MainThread, endWorker: () => void) => {
  const parts = createParts(start, tree, main);
  const { rules, choices, undos, matching, cut, stored, used, state, ending, tellSoon } = parts;
  const { signal } = ending;
  const review = createReview(parts);
  const archives = openArchives(start, main.reportBug);
  const listArchive = archives && createArchiveList(archives, main);
  const scanInTurn = createSerial();
  const inTurn = createSerial();
  let isWhole = true;
  /** The rows of the last plan. The draft may have other rows by the time their upload has started. */
  let planned: readonly { readonly row: Row; readonly plan: PlannedRow }[] = [];

  const scan = (sources: readonly DraftSource[]): void => {
    state.scans += 1;
    void scanInTurn(async () => {
      for (const source of sources) {
        if (signal.aborted) return;
        await tree.scan(source, signal, tellSoon, listArchive).catch((error) => {
          // After `data/unwritable`, the rows are complete; only the list of reviewed files is not. The start of the
          // upload writes that list again.
          isWhole &&= error instanceof DeskError && error.code === 'data/unwritable';
          state.reason = toErrorData(error);
          if (!(error instanceof DeskError)) parts.reportUnlessEnding(error);
        });
      }
    }).finally(() => {
      state.scans -= 1;
      if (state.scans === 0 && !signal.aborted) {
        stored?.scanned(isWhole);
        choices.adoptEarlier(tree.sources.flatMap(({ root }) => rules?.choicesIn(root) ?? []));
      }
      matching.matchAll();
    });
  };
  /** Reads a file of a row with `read`. Resolves to undefined if the file is in the cloud. */
  const reading = <T>(of: FileOfRow, read: (archives: Archives | undefined, place: FilePlace) => Promise<T>) =>
    inTurn(async () => {
      const place = review.placeOf(of);
      return place.inCloud ? undefined : read(archives, place);
    });
  if (start.target) matching.addNow(start.target);
  scan(start.sources);
  return {
    ...matching.calls,
    ...review,
    view: parts.view,
    /** To be called when files of assignments have changed. */
    compareAgain: parts.table.compareAgain,
    /**
     * Adds sources, which may be in the draft already. `AssignmentId`: the assignment for everything in them, unless
     * the user decides otherwise. Without `AssignmentId`, each part is matched. If a stored draft has to be opened
     * again, resolves to its content, without the new sources; otherwise resolves to undefined.
     */
    add: async ({
      sources,
      AssignmentId,
      target,
    }: Pick<DraftStart, 'sources' | 'AssignmentId' | 'target'>): Promise<KeptDraft | undefined> => {
      if (target) matching.addNow(target);
      if (AssignmentId !== undefined) choices.give(sources, AssignmentId);
      // Parts whose upload has started return to the draft, undecided.
      const again = cut.startAgain(sources);
      choices.forget(again);
      // The files of these parts may have changed since the scan, so a stored draft is opened again.
      if (again.length > 0 && stored) {
        await scanInTurn(async () => {});
        return stored.contents();
      }
      scan(outermost(sources));
      parts.changed();
      main.tell.draft(parts.view());
      return undefined;
    },
    preview: async ({ isSmall, ...of }: FileOfRow & { readonly isSmall?: boolean | undefined }): Promise<Preview> =>
      (await reading(of, isSmall ? readSmallPreview : readPreview)) ?? {},
    /**
     * Resolves to the content of a PDF; undefined if the file is not a PDF, is too large, or is in the cloud.
     * Errors: `input/invalid`, `upload/…`.
     */
    document: (of: FileOfRow) => reading(of, readPdf),
    /**
     * Returns the rows to upload, the rows that are left out as a whole, and the user's choices by path. Errors:
     * `draft/changed` if the rows differ from `seen`, `data/unwritable`.
     */
    plan: (seen?: ChosenSum) => {
      if (seen && !isDeepStrictEqual(parts.view().chosen, seen))
        throw new DeskError('draft/changed', 'more folders have been matched since the draft was last seen');
      tree.save(true);
      planned = parts.rows().flatMap((row) => {
        const plan = plannedRow(row, parts);
        return plan ? [{ row, plan }] : [];
      });
      return {
        rows: planned.map(({ plan }) => plan),
        leftOutFolders: leftOutFolders(parts),
        choices: choices.byPath(parts.rows()),
      };
    },
    /**
     * Removes started rows of the last plan from the draft. `reason`: why others were not started. Returns whether the
     * draft has ended: no other row is undecided or can be uploaded.
     */
    started: (rowIds: readonly number[], reason?: ErrorData): boolean => {
      const ids = new Set(rowIds);
      const started = planned.filter(({ row }) => ids.has(row.rowId));
      for (const { plan } of started) used.add(plan.upload.assignmentId);
      cut.addStarted(started.map(({ row }) => row));
      undos.length = 0;
      state.reason = reason;
      parts.changed();
      const { counts, toSend } = parts.view();
      const hasEnded = counts.undecided + toSend.folders === 0;
      if (!hasEnded) parts.decided();
      return hasEnded;
    },
    /** Ends the scan and the worker. The worker goes on if a drive does not respond: it could not exit. */
    end: async (): Promise<void> => {
      ending.abort(new DeskError('app/cancelled', 'the draft was closed'));
      const isAtRest = await comesToRest(() => state.scans > 0);
      archives?.close();
      tree.close();
      rules?.close();
      await stored?.end();
      if (isAtRest) endWorker();
    },
  };
};

const MOST_PICTURE_BYTES = 16 * 1024 * 1024;
/** The maximum number of pixels of a picture that is shown. A small file may unpack to a huge picture. */
const MOST_PIXELS = 100_000_000;

const MOST_PDF_BYTES = 64 * 1024 * 1024;

type FileOfRow = { readonly rowId: number; readonly path: string };
type Preview = { readonly picture?: string; readonly isPdf?: true };

const readWhole = async (
  archives: Archives | undefined,
  { path = '', ...folder }: FilePlace,
  mostBytes: number,
): Promise<Buffer | undefined> => {
  const [place, within] = [placeIn(folder.root, path), await realRootOf(folder)];
  if (archives && splitInner(place)) return archives.readWhole(place, within, mostBytes);
  return readInPlace(place, within, mostBytes);
};

const readStart = async (
  archives: Archives | undefined,
  { path = '', ...folder }: FilePlace,
  mostBytes: number,
): Promise<Buffer> => {
  const [place, within] = [placeIn(folder.root, path), await realRootOf(folder)];
  if (archives && splitInner(place)) return archives.readStart(place, within, mostBytes);
  return readStartInPlace(place, within, mostBytes);
};

/** Returns a picture as a `data:` URL, nothing of one with too many pixels, and undefined for another file. */
const pictureOf = (bytes: Buffer): Preview | undefined => {
  const found = pictureSize(bytes);
  return found && (found.width * found.height <= MOST_PIXELS ? { picture: dataUrl(found.type, bytes) } : {});
};

/**
 * Returns a picture as a `data:` URL, or `isPdf`. Returns neither for another file or a picture that is too large.
 * Errors: `upload/…`.
 */
const readPreview = async (archives: Archives | undefined, place: FilePlace): Promise<Preview> => {
  const bytes = await readWhole(archives, place, MOST_PICTURE_BYTES);
  const picture = bytes && pictureOf(bytes);
  if (picture) return picture;
  return (await readPdf(archives, place, bytes)) === undefined ? {} : { isPdf: true };
};

/** Like `readPreview`, but returns the thumbnail of a JPEG that has one. */
const readSmallPreview = async (archives: Archives | undefined, place: FilePlace): Promise<Preview> => {
  const thumbnail = thumbnailIn(await readStart(archives, place, THUMBNAIL_WITHIN_BYTES));
  return (thumbnail && pictureOf(thumbnail)) ?? readPreview(archives, place);
};

/**
 * Resolves to the content of a PDF; undefined for another or a larger file. `bytes`: the content, if it has been read
 * already.
 */
const readPdf = async (
  archives: Archives | undefined,
  place: FilePlace,
  bytes?: Buffer,
): Promise<Buffer | undefined> => {
  if (!isPdf(bytes ?? (await readStart(archives, place, PDF_START_BYTES)))) return undefined;
  return bytes ?? readWhole(archives, place, MOST_PDF_BYTES);
};

export const serveDraft = (port: MessagePort): void => {
  const endWorker = (): void => port.close();
  const open: WorkerCalls['open'] = (chosen) => {
    // In a stored draft, a source inside another one remains a source, because the stored choices refer to it.
    const start = chosen.storage?.kept ? chosen : { ...chosen, sources: outermost(chosen.sources) };
    const { lists, draftId, history } = start;
    const list = lists === undefined ? undefined : createReviewedList(lists, draftId);
    const tree = createFolderTree({ refusedBytes: history.refusedBytes, list });
    const calls = openDraft(start, tree, main, endWorker);
    main.serve(calls);
    return calls.view();
  };
  // `end` is for a draft that is closed before it was opened.
  const main = connectPort<MainCalls>(port, { open, end: endWorker });
};

if (parentPort) serveDraft(parentPort);

/** One draft: its rows, what was decided about them, and how they are shown. Knows nothing of threads. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { debounce } from 'es-toolkit/function';
import type { Draft, DraftPhase, DraftRow, MatchReason } from '../../../contract/drafts.ts';
import type { ErrorData } from '../../../contract/errors.ts';
import { codeOf } from '../../../contract/errors.ts';
import { type LeftOut, type NameTemplate, type OnClash, ownNameTemplate } from '../../../contract/uploads.ts';
import { createSerial } from '../../async/lock.ts';
import { TO_BE_ASKED, vetoesOfNames } from '../../matching/certainty.ts';
import { type MatchIn, NOTHING_KNOWN } from '../../matching/match-index.ts';
import { plainWords } from '../../matching/names.ts';
import type { ClashChoices as PathChoices } from '../../uploads/ledger/batches.ts';
import { fileNameCandidates, fileNameKey } from '../../uploads/source/file-names.ts';
import type { ReviewedSource } from '../../uploads/source/reviewed-list.ts';
import type { ClashSources, DraftSource, DraftStart, PlannedRow, RowMatch, ThreadCalls } from './draft-thread.ts';
import { type FolderTree, pathBelow, pathOf } from './folder-tree.ts';
import type { KnownTargets } from './known-targets.ts';
import type { Review } from './review.ts';
import {
  type Choice,
  createCut,
  filesOfRow,
  foldedOf,
  isProblem,
  type MappedPart,
  type Row,
  selectRows,
  sourceOfRow,
  viewRow,
} from './rows.ts';

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
  | 'clashSources'
  | 'setClash'
  | 'folderOf'
  | 'plan'
  | 'matches'
> & {
  readonly view: () => Draft;
  /** The rows to match, one after another. */
  readonly everyRow: () => readonly Row[];
  readonly started: (rowIds: readonly number[]) => Draft | undefined;
  /** Makes the first search among the rows as fast as those that follow, in steps of a millisecond or two. */
  readonly prepareSearch: () => Generator<void>;
  /** Something that the model reads has changed: files were found, or targets. */
  readonly changed: () => void;
  /** Rows were matched again. Once somebody has decided anything, they stay the same rows. */
  readonly rematched: () => void;
};

/** What a draft reads of its surroundings. */
type Surroundings = {
  readonly start: Pick<DraftStart, 'draftId' | 'AssignmentId' | 'level' | 'onClash' | 'nameTemplate' | 'isMatched'>;
  readonly sources: () => readonly DraftSource[];
  readonly tree: FolderTree;
  readonly targets: KnownTargets;
  readonly mapped: () => readonly MappedPart[];
  /** How far the scan and the matching are. */
  readonly phase: () => DraftPhase;
  readonly reason: () => ErrorData | undefined;
  /** Whether lists are being read from the service. */
  readonly isReading: () => boolean;
  readonly leftOut: () => LeftOut;
  /** What was found in the folder of a row, for its upload. */
  readonly review?: Pick<Review, 'of'> | undefined;
  /** Whether the assignment may have files. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  /** How many files of each source clash. */
  readonly countClashes: (sources: ClashSources) => Promise<readonly number[]>;
  /** Ends the work of the draft. */
  readonly signal: AbortSignal;
  /** The model has changed by itself. */
  readonly onChange: () => void;
  readonly onBug: (error: unknown) => void;
};

/** A window of the table has fewer rows; more are read to be counted or selected. */
const MOST_IN_VIEW = 250;

const FOLDED_AT_ONCE = 200;

/** With more changes, the first of them can no longer be taken back. */
const MOST_UNDOS = 200;

/** A draft without decisions. */
export const createDraftModel = (of: Surroundings): DraftModel => {
  const { tree, targets, sources, start } = of;
  const decisions = createDecisions();
  const clashChoices = createClashChoices();
  const undos: (() => void)[] = [];
  let revision = 0;
  let level = start.level;
  let target = start.AssignmentId;
  let nameTemplate = start.nameTemplate ?? ownNameTemplate;
  let onClash: OnClash = start.onClash ?? 'rename';
  let views = new Map<number, DraftRow>();
  let shown: readonly DraftRow[] | undefined;
  let selected: { readonly key: string; readonly rows: readonly DraftRow[] } | undefined;

  /** Where everything goes to one assignment, names say nothing but a warning, and nothing waits for them. */
  const phase = (): DraftPhase => (target === undefined || of.phase() === 'scanning' ? of.phase() : 'ready');
  /** Not where the target was chosen later: lists may still be read from the service then, which takes too long to wait for. */
  const isComparing = (): boolean => {
    if (target === undefined) return false;
    return of.phase() === 'matching' || (of.phase() === 'updating' && start.AssignmentId !== undefined);
  };
  const cut = createCut({
    tree,
    // Then the rows do not change either, under a person's choices, when the assignments are there.
    targets: { ...targets, index: () => (target === undefined ? targets.index() : NOTHING_KNOWN) },
    sources,
    mapped: of.mapped,
    // With one assignment for everything, files keep the names that the whole folder gives them.
    level: () => level ?? (target === undefined ? undefined : 0),
  });
  const isCut = (): boolean => phase() === 'ready' || phase() === 'updating';
  const rows = (): readonly Row[] => (isCut() ? cut.rows() : []);

  /** What a map file says wins over names, unless these are not what they look like. */
  const mappedTo = (row: Row): string | undefined =>
    vetoesOfMapped(row).length === 0 ? cut.mappedTo(row.rowId) : undefined;
  const vetoesOfMapped = (row: Row): readonly MatchReason[] =>
    cut.mappedTo(row.rowId) === undefined
      ? []
      : vetoesOfNames([...pathOf(row.folder).split('/'), ...(row.fileNames ?? [])]);
  const matchOf = (row: Row): MatchIn => {
    const match = targets.matchOf(row);
    const vetoes = vetoesOfMapped(row);
    const AssignmentId = cut.mappedTo(row.rowId);
    if (AssignmentId === undefined || vetoes.length === 0) return match;
    const others = match.candidates.filter((one) => one.AssignmentId !== AssignmentId);
    const mapped = { AssignmentId, certainty: TO_BE_ASKED, reasons: [mapReason(row)] };
    return { ...match, decision: 'ask', candidates: [mapped, ...others], vetoes };
  };

  const choiceOf = (row: Row): Choice => {
    const decided = decisions.of(row.rowId);
    if (decided?.choice === 'left-out') return decided;
    const byPerson = decided?.AssignmentId ?? target;
    if (byPerson !== undefined) return { choice: 'assignment', chosenBy: 'person', AssignmentId: byPerson };
    const byMap = mappedTo(row);
    if (byMap !== undefined) return { choice: 'assignment', chosenBy: 'map', AssignmentId: byMap };
    const { decision, candidates } = matchOf(row);
    const [best] = candidates;
    if (start.isMatched !== false && decision === 'send' && best !== undefined)
      return { choice: 'assignment', chosenBy: 'match', AssignmentId: best.AssignmentId };
    // Nobody needs to decide about an empty folder.
    return row.totals.files + row.totals.unreadable === 0 ? { choice: 'left-out' } : { choice: 'undecided' };
  };
  const viewOf = (row: Row): DraftRow => {
    const known = views.get(row.rowId);
    if (known) return known;
    const view = viewRow({
      row,
      choice: choiceOf(row),
      match: matchOf(row),
      refused: openChecks.refusedOf(row.rowId),
      summaryOf: targets.summaryOf,
      certaintyOf: (AssignmentId) => targets.certaintyOf(row, AssignmentId),
    });
    views.set(row.rowId, view);
    return view;
  };

  const sourceOf = (row: Row): ReviewedSource | undefined => {
    const chosen = sources()[row.folder.source];
    return chosen && { ...sourceOfRow(row, chosen), ...of.review?.of(row) };
  };
  const rootOf = (row: Row): string | undefined => sourceOf(row)?.root;

  const clashSourcesOf = ({ AssignmentId, rows: some, template }: ClashGroup): ClashSources => ({
    assignmentId: AssignmentId,
    nameTemplate: template,
    sources: some.flatMap((row) => {
      const source = sourceOf(row);
      return source ? [{ ...source, ...clashingOf(row.rowId) }] : [];
    }),
  });
  const clashingOf = (rowId: number) => {
    const choice = clashChoices.of(rowId);
    return { ...choice, onClash: choice.onClash ?? onClash };
  };
  const checks = createClashChecks({
    hasFiles: of.hasFiles,
    check: (group) => of.countClashes(clashSourcesOf(group)),
    onFound: () => {
      forgetShown();
      of.onChange();
    },
    onBug: of.onBug,
  });
  const openChecks = createOpenChecks<Row>({
    *pathsOf(row) {
      const root = rootOf(row);
      if (root === undefined) return;
      for (const { path } of filesOfRow(row)) yield join(root, path);
    },
    onFound: (rowId) => {
      views.delete(rowId);
      forgetShown();
      of.onChange();
    },
    onBug: of.onBug,
    signal: of.signal,
  });
  const groups = (): readonly ClashGroup[] =>
    [...Map.groupBy(rows(), (row) => viewOf(row).AssignmentId)].flatMap(([AssignmentId, some]) =>
      AssignmentId === undefined ? [] : [{ AssignmentId, rows: some, template: nameTemplate }],
    );
  /** The rows as they are shown, with the clashes between them. */
  const shownRows = (): readonly DraftRow[] => {
    if (shown) return shown;
    const clashes = new Map<number, number>();
    if (phase() === 'ready')
      for (const group of groups()) {
        const totals = checks.totalsOf(group);
        for (const [index, { rowId }] of group.rows.entries()) clashes.set(rowId, totals[index] ?? 0);
      }
    shown = rows().map((row): DraftRow => {
      const view = viewOf(row);
      const files = clashes.get(row.rowId) ?? 0;
      return files === 0 ? view : { ...view, warnings: [...view.warnings, { kind: 'clash', files }] };
    });
    return shown;
  };

  const view = (): Draft => {
    const all = shownRows();
    const chosen = all.filter(({ choice }) => choice === 'assignment');
    const toSend = chosen.filter(({ files }) => files > 0);
    const count = (is: (row: DraftRow) => boolean): number => all.filter(is).length;
    const roots = tree.folders.filter(({ parent }) => parent === undefined);
    const because = of.reason();
    return {
      draftId: start.draftId,
      revision,
      phase: phase(),
      ...(because && { reason: because }),
      names: sources().map(({ name }) => name),
      folders: tree.folders.length,
      files: sum(roots, ({ whole }) => whole.files),
      bytes: sum(roots, ({ whole }) => whole.bytes),
      leftOut: of.leftOut(),
      assignments: { ...targets.progress(), isReading: of.isReading() },
      ...(isCut() ? cut.levels() : { level: 0, levels: [] }),
      ...(target !== undefined && { AssignmentId: target }),
      isComparing: isComparing(),
      counts: {
        total: all.length,
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

  const forgetShown = (): void => {
    revision += 1;
    selected = undefined;
    shown = undefined;
  };
  /** Forgets what was derived from `rowIds`, or from everything. */
  const changed = (rowIds?: readonly number[]): Draft => {
    forgetShown();
    if (rowIds) for (const rowId of rowIds) views.delete(rowId);
    else {
      views = new Map();
      cut.forget();
    }
    return view();
  };
  const undoable = (undo: () => void): void => {
    undos.push(undo);
    if (undos.length > MOST_UNDOS) undos.shift();
  };
  const decide = (rowIds: readonly number[], decision: Decision | undefined): Draft => {
    for (const rowId of rowIds) cut.rowOf(rowId);
    undoable(decisions.set(rowIds, decision));
    return changed(rowIds);
  };

  return {
    view,
    everyRow: cut.rows,
    changed: () => void changed(),
    rematched: () => {
      if (undos.length === 0) changed();
      else {
        views = new Map();
        forgetShown();
      }
    },
    *prepareSearch() {
      for (const [at, row] of shownRows().entries()) {
        foldedOf(row);
        if (at % FOLDED_AT_ONCE === 0) yield;
      }
    },
    rows: ({ offset, limit, ...query }) => {
      const key = JSON.stringify(query);
      if (selected?.key !== key) selected = { key, rows: selectRows(shownRows(), query) };
      const inView = selected.rows.slice(offset, offset + limit);
      const isLookedAt = phase() === 'ready' && limit <= MOST_IN_VIEW;
      if (isLookedAt)
        openChecks.look(inView.filter(({ choice }) => choice !== 'left-out').map(({ rowId }) => cut.rowOf(rowId)));
      return { rows: inView, total: selected.rows.length };
    },
    candidates: ({ rowId, found }) => {
      const row = cut.rowOf(rowId);
      const proposed = matchOf(row).candidates;
      const asked =
        found?.map((id) => proposed.find((one) => one.AssignmentId === id) ?? targets.certaintyOf(row, id)) ?? proposed;
      const candidates = asked.map((candidate) => {
        const assignment = targets.summaryOf(candidate.AssignmentId);
        return { ...candidate, ...(assignment && { assignment }) };
      });
      return { candidates, total: candidates.length };
    },
    assign: ({ rowIds, AssignmentId }) => decide(rowIds, { choice: 'assignment', AssignmentId }),
    leaveOut: ({ rowIds }) => decide(rowIds, { choice: 'left-out' }),
    takeIn: ({ rowIds }) => decide(rowIds, undefined),
    alike: ({ rowId }) => ({ rowIds: alikeTo(cut.rowOf(rowId), rows(), targets) }),
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
    clashSources: ({ rowId }) => {
      if (rowId === undefined) {
        const [group, ...others] = groups();
        return group && others.length === 0 ? clashSourcesOf(group) : undefined;
      }
      const row = cut.rowOf(rowId);
      const group = groups().find((one) => one.rows.includes(row));
      return group && { ...clashSourcesOf(group), index: group.rows.indexOf(row) };
    },
    setClash: ({ rowId, onClash: chosen, paths }) => {
      cut.rowOf(rowId);
      undoable(clashChoices.set(rowId, chosen, paths));
      return changed([rowId]);
    },
    folderOf: ({ rowId }) => rootOf(cut.rowOf(rowId)),
    plan: () =>
      rows().flatMap((row): PlannedRow[] => {
        const { AssignmentId } = viewOf(row);
        const source = sourceOf(row);
        if (AssignmentId === undefined || source === undefined || row.totals.files === 0) return [];
        const path = pathOf(row.folder);
        const isDecided = decisions.of(row.rowId)?.choice === 'assignment';
        const upload = { ...source, assignmentId: AssignmentId, nameTemplate };
        const rootPath = sources()[row.folder.source]?.root ?? '';
        return [{ rowId: row.rowId, path, rootPath, isDecided, upload: { ...upload, ...clashingOf(row.rowId) } }];
      }),
    matches: () =>
      rows().map((row): RowMatch => {
        const { AssignmentId, assignment, chosenBy, certainty = 0, reasons } = viewOf(row);
        const { decision, candidates, vetoes } = matchOf(row);
        const names = { source: row.folder.source, path: pathBelow(row.folder), fileNames: row.fileNames };
        const { files, bytes } = row.totals;
        const of = { rowId: row.rowId, ...names, files, bytes, AssignmentId, assignment };
        if (chosenBy === 'map') {
          return { ...of, certainty: 1, reasons: [mapReason(row)], decision: 'send', candidates, vetoes: [] };
        }
        if (start.isMatched !== false || cut.mappedTo(row.rowId) !== undefined)
          return { ...of, certainty, reasons, decision, candidates, vetoes };
        return {
          ...of,
          assignment: undefined,
          certainty: 0,
          reasons: [],
          decision: 'none',
          candidates: [],
          vetoes: [],
        };
      }),
    started: (rowIds) => {
      cut.send(rowIds);
      undos.length = 0;
      const left = changed();
      return left.counts.undecided + left.toSend.folders > 0 ? left : undefined;
    },
  };
};

const mapReason = ({ folder }: Row): MatchReason => ({ signal: 'map', found: pathBelow(folder) });

const sum = <T>(all: readonly T[], amount: (one: T) => number): number =>
  all.reduce((total, one) => total + amount(one), 0);

/** Rows whose names say the same as that of `row`: they have the same candidates, or else the same name. */
const alikeTo = (row: Row, all: readonly Row[], { matchOf }: Pick<KnownTargets, 'matchOf'>): readonly number[] => {
  const sayingOf = (one: Row): string => {
    const ids = matchOf(one).candidates.map(({ AssignmentId }) => AssignmentId);
    return ids.length > 0 ? ids.join(' ') : `named ${plainWords(one.folder.name).join(' ')}`;
  };
  const saying = sayingOf(row);
  return all.filter((one) => sayingOf(one) === saying).map(({ rowId }) => rowId);
};

// What a person decided about the rows of a draft. Every change can be taken back.

export type Decision =
  | { readonly choice: 'assignment'; readonly AssignmentId: string }
  | { readonly choice: 'left-out' };

type Decisions = {
  readonly of: (rowId: number) => Decision | undefined;
  /** Decides the same for all of these rows, or (undefined) leaves them to the matching again. Answers what takes it back. */
  readonly set: (rowIds: readonly number[], decision: Decision | undefined) => () => void;
};

/** Nothing is decided. */
const createDecisions = (): Decisions => {
  const decided = new Map<number, Decision>();
  const put = (rowId: number, decision: Decision | undefined): void => {
    if (decision === undefined) decided.delete(rowId);
    else decided.set(rowId, decision);
  };
  return {
    of: (rowId) => decided.get(rowId),
    set: (rowIds, decision) => {
      const before = rowIds.map((rowId) => [rowId, decided.get(rowId)] as const);
      for (const rowId of rowIds) put(rowId, decision);
      return () => {
        // In reverse, because a row may be named twice.
        for (const [rowId, was] of before.toReversed()) put(rowId, was);
      };
    },
  };
};

// What a person chose for files whose FileName is taken.

type ClashChoices = {
  /** What happens to the files of a row: to all of them, and to those with paths of their own. */
  readonly of: (rowId: number) => { readonly onClash: OnClash | undefined; readonly clashChoices: PathChoices };
  /** For all files of the row, or those with these paths. Answers what takes it back. */
  readonly set: (rowId: number, onClash: OnClash, paths?: readonly string[]) => () => void;
};

type ClashChoice = { readonly all?: OnClash | undefined; readonly paths: PathChoices };

/** Nothing is chosen. */
const createClashChoices = (): ClashChoices => {
  const chosen = new Map<number, ClashChoice>();
  return {
    of: (rowId) => ({ onClash: chosen.get(rowId)?.all, clashChoices: chosen.get(rowId)?.paths ?? {} }),
    set: (rowId, onClash, paths) => {
      const before = chosen.get(rowId);
      const some = paths && Object.fromEntries(paths.map((path) => [path, onClash]));
      chosen.set(
        rowId,
        some ? { all: before?.all, paths: { ...before?.paths, ...some } } : { all: onClash, paths: {} },
      );
      return () => {
        if (before) chosen.set(rowId, before);
        else chosen.delete(rowId);
      };
    },
  };
};

// How many files of each row have a FileName that is taken. The engine knows, because it compares contents; it is asked only
// about assignments that may have clashes: those that have files, or get two of one name.

/** Rows that go to the same assignment, in the order in which they are planned. */
type ClashGroup = {
  readonly AssignmentId: string;
  readonly rows: readonly Row[];
  readonly template: NameTemplate;
};

type ClashChecks = {
  /** The clashes of each row, in the order of the group, as far as they are known; a check begins where they are not. */
  readonly totalsOf: (group: ClashGroup) => readonly number[];
};

type ClashOptions = {
  /** Whether the assignment may have files. */
  readonly hasFiles: (AssignmentId: string) => boolean;
  readonly check: (group: ClashGroup) => Promise<readonly number[]>;
  readonly onFound: () => void;
  readonly onBug: (error: unknown) => void;
};

const NONE: readonly number[] = [];

/** Nothing is known. */
const createClashChecks = ({ hasFiles, check, onFound, onBug }: ClashOptions): ClashChecks => {
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
    totalsOf: (group) => {
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
    for (const { path } of filesOfRow(row)) {
      const key = fileNameKey(fileNameCandidates(path, template).next().value);
      if (names.has(key)) return true;
      names.add(key);
    }
  }
  return false;
};

// Whether the files of rows can be opened: another program may hold them, or the person may not read them. A row is checked
// when it is looked at, because each file costs a call to the file system.

type OpenChecks<R> = {
  /** How many files of the row could not be opened, as far as it was checked. */
  readonly refusedOf: (rowId: number) => number;
  /**
   * Checks those that were not checked yet, one after another, once nothing new has been looked at for a moment. Rows that
   * many others were looked at after are checked only when they are looked at again.
   */
  readonly look: (rows: readonly R[]) => void;
};

type OpenChecksOptions<R> = {
  /** The files of the row on the disk. */
  readonly pathsOf: (row: R) => Iterable<string>;
  /** A row has files that could not be opened. */
  readonly onFound: (rowId: number) => void;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
};

/** More files than a person looks at in one row. */
const MOST_FILES = 500;

/** More rows than a person has in view. */
export const MOST_ROWS = 250;

/** While somebody scrolls or types, the disk and the processor are for that. */
const REST_MS = 300;

/** Nothing is checked. */
export const createOpenChecks = <R extends Pick<Row, 'rowId'>>(options: OpenChecksOptions<R>): OpenChecks<R> => {
  const { pathsOf, onFound, onBug, signal } = options;
  const refused = new Map<number, number>();
  const asked = new Set<number>();
  /** The rows that were looked at last come first. */
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
    refusedOf: (rowId) => refused.get(rowId) ?? 0,
    look: (rows) => {
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

/** A file that is gone is none that cannot be read: the start says so. */
const canBeOpened = async (path: string): Promise<boolean> => {
  try {
    await (await open(path, READING)).close();
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
};

/**
 * The assignments that a draft knows, and the match of each row. The main thread sends the lists of assignments; rows
 * are matched again each time more lists have arrived.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import {
  type Draft,
  type DraftPhase,
  type DraftWarning,
  type Match,
  type MatchCandidate,
  MIN_CERTAINTY,
} from '../../../contract/drafts.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { ListProgress } from '../../../contract/offline.ts';
import { AssignmentId, AssignmentSummary, assignmentName, isClosed } from '../../../contract/resources.ts';
import { createSerial } from '../../async/lock.ts';
import type { StoredTarget } from '../../cache/cache.ts';
import { storedJson } from '../../data/sqlite.ts';
import { type AssignmentPart, canTell, certainAssignment } from '../../matching/assignment-level.ts';
import type { NotTowns } from '../../matching/explain.ts';
import { type MapProblem, parseMapFile } from '../../matching/map-file.ts';
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
import type { MatchTarget, Rules } from '../../matching/targets.ts';
import { type FolderTree, filesOf, pathOf, pathOfFile, type TreeFolder } from './folder-tree.ts';
import type { MappedPart, Row } from './rows.ts';

/** What rows are matched with, besides the lists of assignments. */
export type MatchingStart = {
  /** The content of a map file, which takes precedence over matching. */
  readonly map?: string | undefined;
  readonly minCertainty?: number | undefined;
  /** Folders that are matched without a scan. The function `certain` resolves to their assignments. */
  readonly folders?: readonly FolderName[] | undefined;
};

type MatchingOptions = {
  readonly start: MatchingStart;
  readonly tree: FolderTree;
  /** The rules of earlier uploads. */
  readonly rules: Rules;
  readonly rows: () => readonly Row[];
  readonly isScanning: () => boolean;
  /** Called when the folders have to be divided into rows again. */
  readonly onChange: () => void;
  /** Called when rows have been matched with newer lists. */
  readonly onMatched: () => void;
  readonly onProgress: () => void;
  /** Returns steps that run once all rows have been matched after a change. */
  readonly prepare: () => Iterable<void>;
  readonly onReason: (reason: ErrorData) => void;
  readonly signal: AbortSignal;
  readonly onBug: (error: unknown) => void;
};

/** `isPartial`: whether protocols may be missing from the lists. `reason`: why a list is missing. */
type UpdatedLists = {
  readonly isPartial: boolean;
  readonly isReading: boolean;
  readonly reason?: ErrorData | undefined;
};

type ReadList = { readonly InspectionProtocolId: string; readonly targets: readonly StoredTarget[] };

export type Matching = ReturnType<typeof createMatching>;

export const createMatching = (options: MatchingOptions) => {
  const { tree, rules, rows, isScanning, onChange, signal, onBug } = options;
  const { map, minCertainty = MIN_CERTAINTY, folders = [] } = options.start;
  const targets = createKnownTargets(tree);
  let isReading = false;
  let isWaiting = true;
  let isIndexed = false;
  let isMatched = false;
  let isWanting = false;
  let mapped: ReturnType<typeof readMap> = { parts: [], problems: [] };

  /**
   * Matches every row if the folders are scanned and the targets indexed; otherwise, does nothing until the next call.
   * Other calls are served between the steps.
   */
  const matchEveryRow = async (): Promise<void> => {
    const isDue = (): boolean => !isScanning() && isIndexed && !isMatched && !signal.aborted;
    isMatched = false;
    onChange();
    await setImmediate();
    if (!isDue() || !(await inTurns(targets.learn(), isDue))) return;
    if (map !== undefined) mapped = readMap(map, tree, targets.idOf);
    if (mapped.problems.length > 0) options.onReason(mapError(mapped.problems));
    onChange();
    if (!(await inTurns(targets.matchAll(rows()), isDue))) return;
    isMatched = true;
    settle();
    onChange();
    await inTurns(options.prepare(), () => isMatched && !signal.aborted);
  };
  const matchAll = (): void => void matchEveryRow().catch(onBug);

  /**
   * Stops waiting once no unread list can change a match. A map file may name any assignment, so it needs all lists.
   */
  const settle = (): void => {
    const isAnyOpen = (): boolean => rows().some((row) => isOpen(targets.matchOf(row)));
    if (map === undefined && isMatched && !isAnyOpen()) isWaiting = false;
  };
  /**
   * Indexes the targets that have arrived, and matches rows with them. Calls are served between the steps. Until all
   * steps are done, rows are shown as before. After an error, the draft keeps the previous index.
   */
  const refresh = async (): Promise<void> => {
    const isEnd = !isReading;
    try {
      // `finish` matches the rows in steps. Matching them all at once would block the worker.
      const steps = targets.finish({ rules, minCertainty }, () => (isScanning() ? [] : rows()));
      if (!(await inTurns(steps, () => !signal.aborted, isScanning))) return;
    } catch (error) {
      onBug(error);
    }
    isIndexed = true;
    if (isEnd) isWaiting = false;
    if (!isMatched || map !== undefined) return matchAll();
    options.onMatched();
    settle();
  };
  const refreshes = createRefreshes(refresh, () => targets.isChanged() && !signal.aborted, onBug);

  return {
    index: targets.index,
    options: targets.options,
    addNow: targets.addNow,
    summaryOf: targets.summaryOf,
    matchOf: targets.matchOf,
    certaintyOf: targets.certaintyOf,
    /** To be called when a scan has ended. */
    matchAll,
    /** The parts of the tree that the map file names, the deepest first. */
    mapped: () => mapped.parts,
    assignments: (): Draft['assignments'] => ({ ...targets.progress(), isReading }),
    phase: (): DraftPhase => {
      if (isScanning()) return 'scanning';
      if (isWaiting) return 'updating';
      return isMatched ? 'ready' : 'matching';
    },
    /**
     * Stops waiting for further lists: matches rows with the assignments that have been read, and again when more
     * arrive.
     */
    skipUpdate: (): void => {
      isWaiting = false;
      if (!isIndexed) refreshes.soon();
    },
    calls: {
      targets: targets.add,
      unread: targets.addUnread,
      progress: (progress: ListProgress): void => {
        targets.setProgress(progress);
        options.onProgress();
      },
      /** To be called before the stored lists are sent. `isReading`: whether lists are also read from the service. */
      begin: (lists: { readonly isReading: boolean }): void => {
        // An update from the service has begun, so rows wait for its lists.
        if (lists.isReading && !isReading) isWaiting = true;
        ({ isReading } = lists);
        targets.begin();
        onChange();
      },
      /** To be called when the stored lists have been sent, and when reading has ended. */
      updated: (lists: UpdatedLists): void => {
        ({ isReading } = lists);
        targets.setPartial(lists.isPartial);
        if (lists.reason) options.onReason(lists.reason);
        if (map === undefined || !isReading) refreshes.soon();
      },
      read: (list: ReadList): void => {
        targets.read(list.InspectionProtocolId, list.targets);
        if (isIndexed && map === undefined) refreshes.later();
      },
      /** Returns up to `most` unread protocols that folders wait for. `isSettled`: no list can change a match. */
      wanted: (most: number) => {
        const named = folders.map((folder) => targets.index().match(folder, targets.options()));
        const matches = isMatched ? [...rows().map(targets.matchOf), ...named] : [];
        const protocols = targets.unreadFor(matches);
        if (isIndexed && targets.isChanged() && protocols.length === 0 && isWanting) refreshes.soon();
        isWanting = protocols.length > 0;
        const isSettled = isMatched && !isWanting && !targets.isChanged() && !matches.some(isOpen);
        return { protocols: protocols.slice(0, most), isSettled };
      },
      /** Resolves to the assignment of each of `folders`, once indexing has ended; undefined if it is not certain. */
      certain: () =>
        refreshes.inTurn(async () =>
          folders.map((folder) => certainAssignment(targets.index(), folder, targets.options())),
        ),
      /** Resolves to the warnings about `chosen` as the assignment of each of `folders`, once indexing has ended. */
      warnings: (chosen: string) =>
        refreshes.inTurn(async () =>
          folders.map((folder) =>
            warningsOfChoice(chosen, targets.index().match(folder, targets.options()), targets.summaryOf),
          ),
        ),
      mapProblems: () => mapped.problems,
    },
  };
};

/**
 * Returns the warnings about the chosen assignment. They name another assignment only if the folder's match is clear.
 */
export const warningsOfChoice = (
  chosen: string,
  { isClear, best, candidates }: MatchIn,
  summaryOf: Matching['summaryOf'],
): readonly DraftWarning[] => {
  const AssignmentStatus = summaryOf(chosen)?.AssignmentStatus;
  const isOther = isClear && best !== undefined && best.AssignmentId !== chosen;
  const other = isOther ? candidates.find(({ AssignmentId }) => AssignmentId === best.AssignmentId) : undefined;
  const summary = other && summaryOf(other.AssignmentId);
  return [
    ...(AssignmentStatus !== undefined && isClosed(AssignmentStatus)
      ? [{ kind: 'status', AssignmentStatus } as const]
      : []),
    ...(other
      ? [
          {
            kind: 'other-assignment',
            AssignmentId: other.AssignmentId,
            name: (summary && assignmentName(summary)) || other.AssignmentId,
            found: other.reasons.find(({ against }) => !against)?.found ?? '',
          } as const,
        ]
      : []),
  ];
};

/** The share of the worker's time that indexing takes while folders are scanned. The user waits for the scan first. */
const SHARE_BESIDE_SCAN = 0.2;

/**
 * Runs steps while `isDue`, and returns to the event loop after each. Resolves to whether all steps ran. While
 * `isScanning`, pauses after each step, so that the scan is not delayed.
 */
const inTurns = async (
  steps: Iterable<void>,
  isDue: () => boolean,
  isScanning: () => boolean = () => false,
): Promise<boolean> => {
  let beganMs = performance.now();
  for (const _ of steps) {
    if (isScanning()) await sleep((performance.now() - beganMs) * (1 / SHARE_BESIDE_SCAN - 1));
    else await setImmediate();
    if (!isDue()) return false;
    beganMs = performance.now();
  }
  return true;
};

/** The pause before newly arrived lists are indexed, as a multiple of the time that the last indexing took. */
const PAUSES = 10;
const SHORTEST_PAUSE_MS = 2_000;

/**
 * Creates functions that run one after another: `soon` runs `refresh`; `later` runs it after a pause, if `isDue` then
 * returns true; `inTurn` runs other work.
 */
const createRefreshes = (refresh: () => Promise<void>, isDue: () => boolean, onBug: (error: unknown) => void) => {
  const inTurn = createSerial();
  let isWaiting = false;
  let tookMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const soon = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    inTurn(async () => {
      isWaiting = false;
      const beganMs = performance.now();
      await refresh();
      tookMs = performance.now() - beganMs;
    }).catch(onBug);
  };
  const later = (): void => {
    if (timer) return;
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, tookMs * PAUSES);
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue()) soon();
    }, pauseMs).unref();
  };
  return { inTurn, soon, later };
};

/**
 * Returns the parts of the tree that the map file `text` names, each with its assignment, deepest first. The assignment
 * of a folder applies to everything below it that the map file does not name itself. There are no parts if any line is
 * wrong. `idOf` returns an id in the service's spelling; undefined if there is no such assignment.
 */
const readMap = (
  text: string,
  tree: FolderTree,
  idOf: (AssignmentId: string) => string | undefined,
): { readonly parts: readonly MappedPart[]; readonly problems: readonly MapProblem[] } => {
  const places = new Map<string, AssignmentPart<TreeFolder>[]>();
  const add = (path: string, part: AssignmentPart<TreeFolder>): void =>
    void places.set(path, [...(places.get(path) ?? []), part]);
  for (const folder of tree.folders) {
    add(folder.below || '.', { kind: 'all', folder });
    for (const { name } of folder.files) add(pathOfFile(folder, name), { kind: 'named', folder, fileNames: [name] });
  }
  const map = parseMapFile(text, { paths: places.keys(), isKnown: (id) => idOf(id) !== undefined });
  if (!map.ok) return { parts: [], problems: map.problems };
  const parts = [...map.assignments].flatMap(([path, id]) =>
    (places.get(path) ?? []).map((part) => ({ part, AssignmentId: idOf(id) ?? id })),
  );
  const depthOf = ({ part: { kind, folder } }: MappedPart): number =>
    kind === 'all' ? folder.depth : Number.MAX_SAFE_INTEGER;
  return { parts: parts.sort((one, other) => depthOf(other) - depthOf(one)), problems: [] };
};

/** The maximum number of lines that the error of a map file names. `mapProblems` returns all mistakes. */
const MOST_LINES = 20;

const mapError = (problems: readonly MapProblem[]): ErrorData => {
  const wrong = [...new Set(problems.map(({ line }) => line))];
  const lines = wrong.slice(0, MOST_LINES).join(', ') + (wrong.length > MOST_LINES ? ', …' : '');
  return toErrorData(new DeskError('upload/map-invalid', 'the map file has errors', { details: { lines } }));
};

const isOpen = ({ vetoes }: Pick<Match, 'vetoes'>): boolean => vetoes.some(({ signal }) => signal.startsWith('unread'));

const Summary = storedJson(AssignmentSummary);

/** The maximum number of file names that are tried for a folder whose own name is not specific enough. */
const TRIED_FILES = 20;

const MATCHED_AT_ONCE = 50;

const createKnownTargets = (tree: FolderTree) => {
  /** All assignments that were read. Those that a user chose are shown even if no list contains them any more. */
  const byId = new Map<string, MatchTarget>();
  /** The assignments that the lists contain. */
  let listed = new Map<string, MatchTarget>();
  /** The assignments added between `begin` and `setPartial`. They replace those in `listed` once all have arrived. */
  let arriving: typeof listed | undefined;
  const waiting: (() => void)[] = [];
  let unread = new Map<string, UnreadProtocol>();
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
      (arriving ?? listed).set(id, target);
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
  const listedNow = (): readonly MatchTarget[] => [...(arriving ? new Map([...listed, ...arriving]) : listed).values()];
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
    /** Adds an assignment immediately, so that it can be shown before the next index is built. */
    addNow: (target: StoredTarget): void => {
      isChanged = true;
      parse([target]);
    },
    /** To be called before the first stored list is added. */
    begin: (): void => {
      isPartial = true;
      unread = new Map();
      later(() => {
        arriving = new Map();
      });
    },
    /**
     * To be called when all stored lists have been added. `next`: whether protocols may be missing from the lists;
     * initially true.
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
      for (const protocol of part) unread.set(protocol.InspectionProtocolId, protocol);
    },
    read: (id: string, targets: readonly StoredTarget[]): void => {
      later(() => {
        const lists = arriving ?? listed;
        for (const [key, { InspectionProtocolId }] of lists) if (InspectionProtocolId === id) lists.delete(key);
        parse(targets);
      });
      unread.delete(id);
    },
    isChanged: () => isChanged,
    /**
     * Returns the unread protocols that `matches` wait for, and the unread protocols without letters in their address,
     * because any folder may belong to those.
     */
    unreadFor: (matches: readonly MatchIn[]): readonly string[] => {
      const unplaced = [...unread.values()].filter(({ Address }) => !/\p{L}/u.test(Address));
      const wanted = [...unplaced.map((one) => one.InspectionProtocolId), ...matches.flatMap((match) => match.unread)];
      return [...new Set(wanted)].filter((id) => unread.has(id));
    },
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
    /**
     * Learns from the names of all folders which words are not towns. To be called when the folders have changed,
     * before they are matched.
     */
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
    /**
     * Returns the id in the service's spelling, whatever the case of `id`; undefined if no list has such an assignment,
     * or if no files can be uploaded to it.
     */
    idOf: (id: string) => (isUsable(id) ? listed.get(id.toLowerCase())?.AssignmentId : undefined),
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

/**
 * Returns the key of a match. The key includes names of loose files, because some of the files may move to another row.
 */
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
      if (folder.fileNames) return withUsable(index.match(folder, options));
      const key = `${folder.rootPath ?? ''}\n${folder.path}`;
      const before = matches.get(key);
      if (before) return before;
      const match = withUsable(index.match(folder, options));
      matches.set(key, match);
      return match;
    },
  };
};

/**
 * Whether files can be uploaded to the assignment. Requests name an assignment by a UUID, but the service may list
 * assignments with other ids.
 */
export const isUsable = (id: string): boolean => AssignmentId.safeParse(id).success;

/**
 * Removes candidates that no files can be uploaded to. If the best candidate is one of them, the match is not clear:
 * the folder probably belongs to that assignment, and not to one of the others.
 */
const withUsable = (match: MatchIn): MatchIn => {
  const candidates = match.candidates.filter((one) => isUsable(one.AssignmentId));
  if (match.best === undefined || isUsable(match.best.AssignmentId)) return { ...match, candidates };
  const decision = candidates.length + match.unread.length > 0 ? 'ask' : 'none';
  return { ...match, decision, candidates, best: undefined, isClear: false };
};

/** The worker of a draft: scans its folders, matches them, and holds its rows. This module is the worker's entry. */

import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { type ChosenSum, type Draft, type DraftPhase, type Match, MIN_CERTAINTY } from '../../../contract/drafts.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { ListProgress } from '../../../contract/offline.ts';
import { ownNameTemplate } from '../../../contract/uploads.ts';
import { wallNow } from '../../async/clock.ts';
import { createSerial } from '../../async/lock.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import { createThrottle } from '../../async/throttle.ts';
import type { StoredTarget } from '../../cache/cache.ts';
import { comesToRest } from '../../data/end-by-force.ts';
import { dataUrl, isPdf, pictureSize } from '../../data/picture.ts';
import { certainAssignment } from '../../matching/job-level.ts';
import type { MapProblem } from '../../matching/map-file.ts';
import { type Archives, createArchives } from '../../uploads/source/archives.ts';
import { archiveKey } from '../../uploads/source/file-identity.ts';
import { type FilePlace, readInPlace } from '../../uploads/source/open-file.ts';
import { placeIn, realRootOf, splitInner } from '../../uploads/source/paths.ts';
import { createReviewedList } from '../../uploads/source/scan.ts';
import type { ComparedFiles } from '../../uploads/transfer/names.ts';
import { type KeptDraft, storedSource, writeKeptDraft } from './choices.ts';
import { createDraftModel, type DraftModel, type DraftStart, type GroupSources } from './draft.ts';
import { createFolderTree, type DraftSource, outermost } from './folder-tree.ts';
import { type MappedPart, type Row, readMap } from './rows.ts';
import { type EarlierChoice, openRuleReader, type RuleReader } from './rules.ts';

export type WorkerCalls = ReturnType<typeof openDraft> & {
  /** Opens the draft. To be called once, before the other functions except `end`. */
  readonly open: (start: DraftStart) => Draft;
};

export type MainCalls = {
  readonly draft: (draft: Draft) => void;
  readonly compare: (sources: GroupSources, signal: AbortSignal) => Promise<readonly ComparedFiles[]>;
  /** Called with the error when the rules and choices of earlier uploads cannot be read. */
  readonly rulesFailed: (error: ErrorData) => void;
  /** Resolves to the keys (`archiveKey`) of the archives that were uploaded as files. */
  readonly sentArchives: () => Promise<readonly string[]>;
};

/** The minimum interval between updates of the window after background work. */
const TELL_MS = 250;

/** What the user has seen before starting an upload. */
const SEEN = ['folders', 'files', 'bytes', 'assignments', 'pairs'] as const;

type MainThread = Peer<MainCalls>;

const openArchives = ({ archives = '', isReviewed = false }: DraftStart, reportBug: MainThread['reportBug']) =>
  isReviewed && archives !== '' ? createArchives(new URL(archives), undefined, reportBug) : undefined;

/** Creates a function that lists archives. Archives uploaded unopened stay unopened, so that nothing is sent twice. */
const createArchiveList = (archives: Archives, main: MainThread): Archives['list'] => {
  let sent: Promise<ReadonlySet<string>> | undefined;
  return async (path, expected) => {
    sent ??= main.call.sentArchives().then(
      (keys) => new Set(keys),
      (error) => {
        // If the ledger cannot be read, the start of the upload fails and reports the error.
        if (!(error instanceof DeskError)) throw error;
        return new Set();
      },
    );
    const isSent = expected.identity !== undefined && (await sent).has(archiveKey(expected.identity));
    return isSent ? { unopened: 'sent' } : archives.list(path, expected);
  };
};

/**
 * Opens the rules and choices of earlier uploads; undefined without a place for them. If they cannot be read, a draft
 * continues without them. Matching of `folders` throws instead, because without the rules it could consider a wrong
 * assignment certain.
 */
const openRules = ({ rules, folders }: DraftStart, main: MainThread): RuleReader | undefined =>
  rules &&
  openRuleReader(rules, (error) => {
    if (folders) throw error;
    if (error instanceof DeskError) main.tell.rulesFailed(toErrorData(error));
    else main.reportBug(error);
  });

/** Opens a draft and returns the functions that the worker serves. `endWorker` ends the worker after its response. */
const openDraft = (chosen: DraftStart, main: MainThread, endWorker: () => void) => {
  // In a stored draft, a source inside another one remains a source, because the stored choices refer to it.
  const start = chosen.storage?.kept ? chosen : { ...chosen, sources: outermost(chosen.sources) };
  const { lists, draftId, history, storage } = start;
  const list = lists === undefined ? undefined : createReviewedList(lists, draftId);
  const tree = createFolderTree({ refusedBytes: history.refusedBytes, list });
  const archives = openArchives(start, main.reportBug);
  const rules = openRules(start, main);
  const listArchive = archives && createArchiveList(archives, main);
  const used = new Set(history.assignments);
  const ending = new AbortController();
  const scanInTurn = createSerial();
  const inTurn = createSerial();
  let scans = 0;
  let reason: ErrorData | undefined;
  let isWhole = true;
  const reportUnlessEnding = (error: unknown): void => {
    if (!ending.signal.aborted) main.reportBug(error);
  };

  const keeper = storage && createKeeper(storage, start, () => model.stored(), main.reportBug);
  const { request: tellSoon } = createThrottle(() => main.tell.draft(model.view()), TELL_MS, main.reportBug);
  /** Sends the draft immediately after a change by the user, so that the window shows the change in the next frame. */
  const onDecision = (draft: Draft): void => {
    main.tell.draft(draft);
    keeper?.changed();
  };
  const model = createDraftModel({
    start,
    tree,
    signal: ending.signal,
    onChange: tellSoon,
    onDecision,
    onBug: reportUnlessEnding,
    mapped: () => matching.mapped(),
    phase: () => matching.phase(),
    isReading: () => matching.isReading(),
    reason: () => reason,
    sendsInOnePiece: history.sendsInOnePiece,
    hasFiles: (AssignmentId) => used.has(AssignmentId),
    compare: (sources) => main.call.compare(sources, ending.signal),
    leftOutAtMs: (path) => matching.leftOutAtMs(path),
  });
  const { targets } = model;
  const matching = createMatching({
    start,
    rules: rules?.rules ?? new Map(),
    earlierChoices: () => tree.sources.flatMap(({ root }) => rules?.choicesIn(root) ?? []),
    signal: ending.signal,
    onChange: tellSoon,
    reportBug: main.reportBug,
    model,
    isScanning: () => scans > 0,
    readMap: (text) => readMap(text, tree, targets.idOf),
    onReason: (error) => {
      reason = error;
    },
  });

  const scan = (sources: readonly DraftSource[]): void => {
    scans += 1;
    void scanInTurn(async () => {
      for (const source of sources) {
        if (ending.signal.aborted) return;
        await tree.scan(source, ending.signal, tellSoon, listArchive).catch((error) => {
          // If only the list cannot be written, the rows are complete, and the start writes it.
          isWhole &&= error instanceof DeskError && error.code === 'data/unwritable';
          reason = toErrorData(error);
          if (!(error instanceof DeskError)) reportUnlessEnding(error);
        });
      }
    }).finally(() => {
      scans -= 1;
      if (scans === 0 && !ending.signal.aborted) {
        if (storage?.kept && !keeper?.isReady()) model.adopt(storage.kept, isWhole);
        keeper?.ready();
      }
      matching.matchAll();
    });
  };
  if (start.target) targets.addNow(start.target);
  scan(start.sources);
  return {
    ...matching.calls,
    ...model.calls,
    targets: targets.add,
    unread: targets.addUnread,
    progress: (progress: ListProgress): void => {
      targets.setProgress(progress);
      tellSoon();
    },
    view: model.view,
    compareAgain: model.compareAgain,
    /** Adds sources. `AssignmentId`: the assignment for everything in them; without it, each part is matched. */
    add: ({ sources, AssignmentId, target }: Pick<DraftStart, 'sources' | 'AssignmentId' | 'target'>) => {
      if (target) targets.addNow(target);
      model.add(sources, AssignmentId);
      scan(outermost(sources));
      tellSoon();
      return model.changed();
    },
    preview: (of: { readonly rowId: number; readonly path: string }) =>
      inTurn(async () => {
        const place = model.calls.placeOf(of);
        return place.inCloud ? NO_PREVIEW : readPreview(archives, place);
      }),
    /**
     * Resolves to the content of a PDF; undefined if the file is not a PDF, too large or in the cloud. Errors:
     * `input/invalid`, `upload/…`.
     */
    document: (of: { readonly rowId: number; readonly path: string }) =>
      inTurn(async () => {
        const place = model.calls.placeOf(of);
        return place.inCloud ? undefined : readPdf(archives, place);
      }),
    /** Matches rows with the assignments that have been read, and with later ones as they arrive. */
    skipUpdate: () => {
      matching.skipUpdate();
      const draft = model.changed();
      onDecision(draft);
      return draft;
    },
    /** Returns the rows to upload. Errors: `draft/changed` if they differ from `seen`, `data/unwritable`. */
    plan: (seen?: ChosenSum) => {
      const now = model.view().chosen;
      if (seen && SEEN.some((part) => now[part] !== seen[part]))
        throw new DeskError('draft/changed', 'more folders have been matched since the draft was last seen');
      tree.save(true);
      return model.plan();
    },
    /** Removes started rows from the draft. Returns undefined if no other row is undecided or can be uploaded. */
    started: (started: {
      readonly rowIds: readonly number[];
      readonly assignments: readonly string[];
      readonly reason?: ErrorData | undefined;
    }) => {
      ({ reason } = started);
      for (const AssignmentId of started.assignments) used.add(AssignmentId);
      const remaining = model.started(started.rowIds);
      keeper?.changed();
      return remaining;
    },
    /** Ends the scan and the worker. If a drive does not respond (`hangs`), the worker and the process cannot end. */
    end: async () => {
      ending.abort(new DeskError('app/cancelled', 'the draft was closed'));
      const hangs = !(await comesToRest(() => scans > 0));
      archives?.close();
      tree.close();
      rules?.close();
      await keeper?.end();
      if (!hangs) endWorker();
      return { hangs };
    },
  };
};

const MOST_PICTURE_BYTES = 16 * 1024 * 1024;
/** The maximum number of pixels of a picture that is shown. A small file may unpack to a huge picture. */
const MOST_PIXELS = 100_000_000;

const MOST_PDF_BYTES = 64 * 1024 * 1024;

type Preview = { readonly picture?: string; readonly isPdf?: true };
const NO_PREVIEW: Preview = {};

const readWhole = async (
  archives: Archives | undefined,
  { path = '', ...folder }: FilePlace,
  mostBytes: number,
): Promise<Buffer | undefined> => {
  const [place, within] = [placeIn(folder.root, path), await realRootOf(folder)];
  if (archives && splitInner(place)) return archives.readWhole(place, within, mostBytes);
  return readInPlace(place, within, mostBytes);
};

/**
 * Returns a picture as a `data:` URL, or `isPdf`. Returns neither for another file or a picture that is too large.
 * Errors: `upload/…`.
 */
const readPreview = async (archives: Archives | undefined, place: FilePlace): Promise<Preview> => {
  const bytes = await readWhole(archives, place, MOST_PICTURE_BYTES);
  const found = bytes && pictureSize(bytes);
  if (found) return found.width * found.height <= MOST_PIXELS ? { picture: dataUrl(found.type, bytes) } : NO_PREVIEW;
  return (await readPdf(archives, place, bytes)) === undefined ? NO_PREVIEW : { isPdf: true };
};

/** `bytes`: the content of the file, if it has been read already. */
const readPdf = async (
  archives: Archives | undefined,
  place: FilePlace,
  bytes?: Buffer,
): Promise<Buffer | undefined> => {
  const whole = bytes ?? (await readWhole(archives, place, MOST_PDF_BYTES));
  return whole && isPdf(whole) ? whole : undefined;
};

type MatchingOptions = {
  readonly start: DraftStart;
  readonly rules: RuleReader['rules'];
  readonly earlierChoices: () => readonly EarlierChoice[];
  readonly model: DraftModel;
  readonly isScanning: () => boolean;
  readonly readMap: (text: string) => ReturnType<typeof readMap>;
  readonly onReason: (reason: ErrorData) => void;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
  readonly reportBug: (error: unknown) => void;
};

/** `isPartial`: whether protocols may be missing from the lists. `reason`: why reading ended early. */
type UpdatedLists = {
  readonly isPartial: boolean;
  readonly isReading: boolean;
  readonly reason?: ErrorData | undefined;
};

type ReadList = { readonly InspectionProtocolId: string; readonly targets: readonly StoredTarget[] };

/** Matches rows with the lists that the main thread sends, and again each time more lists have arrived. */
const createMatching = (options: MatchingOptions) => {
  const { start, rules, model, isScanning, onChange, signal, reportBug } = options;
  const { targets } = model;
  let isReading = false;
  let isWaiting = true;
  let isSkipped = false;
  let isIndexed = false;
  let isMatched = false;
  let isWanting = false;
  let mapped: readonly MappedPart[] = [];
  let mapProblems: readonly MapProblem[] = [];
  let earlierChoices: ReadonlyMap<string, EarlierChoice> = new Map();

  const rows = (): readonly Row[] => model.everyRow();
  const changed = (): void => {
    model.changed();
    onChange();
  };
  const adoptEarlier = (): void => {
    earlierChoices = new Map(options.earlierChoices().map((one) => [one.path, one]));
    model.adoptFiles(earlierChoices.values());
  };
  /** Matches every row once the folders are scanned and the targets indexed. Calls are served between the steps. */
  const matchEveryRow = async (): Promise<void> => {
    const isDue = (): boolean => !isScanning() && isIndexed && !isMatched && !signal.aborted;
    isMatched = false;
    if (!isScanning()) adoptEarlier();
    changed();
    await setImmediate();
    if (!isDue() || !(await inTurns(targets.learn(), isDue))) return;
    model.changed();
    if (start.map !== undefined) ({ parts: mapped, problems: mapProblems } = options.readMap(start.map));
    if (mapProblems.length > 0) options.onReason(mapError(mapProblems));
    if (!(await inTurns(targets.matchAll(rows()), isDue))) return;
    isMatched = true;
    settle();
    changed();
    await inTurns(model.prepareSearch(), () => isMatched && !signal.aborted);
  };
  const matchAll = (): void => void matchEveryRow().catch(reportBug);

  /**
   * Stops waiting once no unread list can change a match. A map file may name any assignment, so it needs all lists.
   */
  const settle = (): void => {
    const isAnyOpen = (): boolean => rows().some((row) => isOpen(targets.matchOf(row)));
    if (start.map === undefined && isMatched && !isAnyOpen()) isWaiting = false;
  };
  /**
   * Indexes the targets that have arrived, and matches rows with them. Calls are served between the steps. Until all
   * steps are done, rows are shown as before. After an error, the draft keeps the previous index.
   */
  const refresh = async (): Promise<void> => {
    const isEnd = !isReading;
    try {
      const matchOptions = { rules, minCertainty: start.minCertainty ?? MIN_CERTAINTY };
      // `finish` matches the rows in steps. Matching them all at once would block the worker.
      const steps = targets.finish(matchOptions, () => (isScanning() ? [] : rows()));
      if (!(await inTurns(steps, () => !signal.aborted, isScanning))) return;
    } catch (error) {
      reportBug(error);
    }
    isIndexed = true;
    if (isEnd) isWaiting = false;
    if (!isMatched || start.map !== undefined) return matchAll();
    model.rematched();
    settle();
    onChange();
  };
  const refreshes = createRefreshes(refresh, () => targets.isChanged() && !signal.aborted, reportBug);
  const folders = start.folders ?? [];

  return {
    matchAll,
    mapped: () => mapped,
    isReading: () => isReading,
    leftOutAtMs: (path: string): number | undefined => {
      const earlier = earlierChoices.get(path);
      return earlier?.isLeftOut ? earlier.atMs : undefined;
    },
    phase: (): DraftPhase => {
      if (isScanning()) return 'scanning';
      if (isWaiting && !isSkipped) return 'updating';
      return isMatched ? 'ready' : 'matching';
    },
    skipUpdate: (): void => {
      isSkipped = true;
      if (!isIndexed) refreshes.soon();
      onChange();
    },
    calls: {
      /** To be called before the stored lists are sent. `isReading`: whether lists are also read from the service. */
      begin: (lists: { readonly isReading: boolean }): void => {
        // An update from the service has begun, so rows wait for its lists.
        if (lists.isReading && !isReading) [isWaiting, isSkipped] = [true, false];
        ({ isReading } = lists);
        targets.begin();
        changed();
      },
      /** To be called when the stored lists have been sent, and when reading has ended. */
      updated: (lists: UpdatedLists): void => {
        ({ isReading } = lists);
        targets.setPartial(lists.isPartial);
        if (lists.reason) options.onReason(lists.reason);
        if (start.map === undefined || !isReading) refreshes.soon();
      },
      read: (list: ReadList): void => {
        targets.read(list.InspectionProtocolId, list.targets);
        if (isIndexed && start.map === undefined) refreshes.later();
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
      mapProblems: () => mapProblems,
    },
  };
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

/** The pause before lists that arrive are indexed again, as a multiple of the duration of the last indexing. */
const PAUSES = 10;
const SHORTEST_PAUSE_MS = 2_000;

/**
 * `soon` runs `refresh`, after the present run if there is one. `later` runs it after a pause if `isDue` then returns
 * true.
 */
const createRefreshes = (refresh: () => Promise<void>, isDue: () => boolean, reportBug: MainThread['reportBug']) => {
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
    }).catch(reportBug);
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

type Storage = NonNullable<DraftStart['storage']>;

/**
 * Stores the user's choices soon after each change, once everything that can be read has been scanned. A draft that
 * continues a stored one does not overwrite it before that, so that no choices are lost if the app ends during the
 * scan. Any other draft is stored at once, without choices.
 */
const createKeeper = (
  { path, owner, kept }: Storage,
  start: DraftStart,
  choices: () => Omit<KeptDraft, 'version' | 'savedAtMs' | 'connectionId' | 'subject'>,
  reportBug: MainThread['reportBug'],
) => {
  const inTurn = createSerial();
  let isReady = false;
  const write = (stored: ReturnType<typeof choices>): void =>
    void inTurn(() =>
      writeKeptDraft(path, { version: 1, ...owner, savedAtMs: wallNow(), ...stored }).catch((error) => {
        if (!(error instanceof DeskError)) reportBug(error);
      }),
    );
  const { request, end } = createThrottle(() => isReady && write(choices()), KEEP_MS, reportBug);
  if (!kept) {
    const { AssignmentId, nameTemplate = ownNameTemplate, onClash = 'rename' } = start;
    const sources = start.sources.map(storedSource);
    const nothing = { given: [], decisions: [], clashes: [], files: [], started: [], rows: [] };
    write({ sources, ...(AssignmentId && { AssignmentId }), nameTemplate, onClash, ...nothing });
  }
  return {
    isReady: () => isReady,
    ready: (): void => {
      isReady = true;
      request();
    },
    changed: request,
    end: async (): Promise<void> => {
      end();
      await inTurn(async () => {});
    },
  };
};

/** The delay before changes are stored. A crash may lose the changes made within it. */
const KEEP_MS = 100;

/** The maximum number of lines that the error of a map file names. `mapProblems` returns all mistakes. */
const MOST_LINES = 20;

const mapError = (problems: readonly MapProblem[]): ErrorData => {
  const wrong = [...new Set(problems.map(({ line }) => line))];
  const lines = wrong.slice(0, MOST_LINES).join(', ') + (wrong.length > MOST_LINES ? ', …' : '');
  return toErrorData(new DeskError('upload/map-invalid', 'the map file has errors', { details: { lines } }));
};

const isOpen = ({ vetoes }: Pick<Match, 'vetoes'>): boolean => vetoes.some(({ signal }) => signal.startsWith('unread'));

export const serveDraft = (port: MessagePort): void => {
  // The response has to be sent before the port is closed, which ends the worker.
  const endWorker = async (): Promise<void> => {
    await setImmediate();
    await setImmediate();
    port.close();
  };
  const open: WorkerCalls['open'] = (start) => {
    const calls = openDraft(start, main, () => void endWorker());
    main.serve(calls);
    return calls.view();
  };
  /** For a draft that is closed before it was opened. */
  const end: WorkerCalls['end'] = async () => {
    void endWorker();
    return { hangs: false };
  };
  const main: MainThread = connectPort<MainCalls>(port, { open, end });
};

if (parentPort) serveDraft(parentPort);

/** The thread of a draft: scans its folders, and holds its rows. This module is the thread's entry. */

import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { type Draft, type DraftPhase, type Match, MIN_CERTAINTY } from '../../../contract/drafts.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { createSerial } from '../../async/lock.ts';
import { connectPort, type Peer, plainError } from '../../async/port-calls.ts';
import { createThrottle } from '../../async/throttle.ts';
import { REST_MS } from '../../data/end-by-force.ts';
import { comesToRest } from '../../data/files.ts';
import { certainAssignment } from '../../matching/job-level.ts';
import type { MapProblem } from '../../matching/map-file.ts';
import type { Rules } from '../../matching/rules.ts';
import { realRootOf } from '../../uploads/source/paths.ts';
import { assertFolder, NOTHING_LEFT_OUT, scanFolder, sumOfLeftOut } from '../../uploads/source/scan.ts';
import { createDraftModel } from './draft.ts';
import type { DraftSource, DraftStart, MainCalls, ThreadCalls } from './draft-thread.ts';
import { createFolderTree } from './folder-tree.ts';
import { createKnownTargets } from './known-targets.ts';
import { createReview } from './review.ts';
import { type MappedPart, readMap } from './rows.ts';

/** Main and a person can follow no faster. */
const TELL_MS = 250;

/** The lines of a map file that its error names at most. All mistakes are listed separately. */
const MOST_LINES = 20;

/** While lists arrive, they are indexed again after so many times as long as that takes, and not more often than this. */
const PAUSES = 10;
const SHORTEST_PAUSE_MS = 2_000;

/** Whether something that is unread may change a match. */
const isOpen = ({ vetoes }: Pick<Match, 'vetoes'>): boolean => vetoes.some(({ signal }) => signal.startsWith('unread'));

/** Rows that are matched between two turns of the thread. */
const MATCHED_AT_ONCE = 50;

/** What a user sees of an upload before its start. */
const SUMS = ['folders', 'files', 'bytes', 'assignments'] as const;

const openDraft = (start: DraftStart, main: Peer<MainCalls>): Omit<ThreadCalls, 'open'> => {
  const tree = createFolderTree(start.history.refusedBytes);
  const targets = createKnownTargets(({ folder }) => sources[folder.source]?.root);
  const used = new Set(start.history.assignments);
  const sources: DraftSource[] = [];
  const ending = new AbortController();
  const inTurn = createSerial();
  const review = start.lists === undefined ? undefined : createReview(start.lists, start.draftId);
  let scanning = 0;
  const indexInTurn = createSerial();
  let isReading = false;
  /** Lists are being read that may change a folder, and nobody said not to wait for them. */
  let isWaiting = true;
  let isSkipped = false;
  let isIndexed = false;
  let isMatched = false;
  let isRefreshing = false;
  let refreshMs = 0;
  let isRefreshDue = false;
  /** Folders waited for lists when that was last asked. */
  let isWanting = false;
  let rules: Rules = new Map();
  let leftOut = NOTHING_LEFT_OUT;
  let reason: ErrorData | undefined;
  let mapped: readonly MappedPart[] = [];
  let mapProblems: readonly MapProblem[] = [];

  const phase = (): DraftPhase => {
    if (scanning > 0) return 'scanning';
    if (isWaiting && !isSkipped) return 'updating';
    return isMatched ? 'ready' : 'matching';
  };
  const { request: tellSoon } = createThrottle(() => main.tell('draft', model.view()), TELL_MS, reportBug);
  const model = createDraftModel({
    start,
    sources: () => sources,
    tree,
    targets,
    mapped: () => mapped,
    phase,
    reason: () => reason,
    isReading: () => isReading,
    leftOut: () => leftOut,
    review,
    hasFiles: (AssignmentId) => used.has(AssignmentId),
    countClashes: (clashing) => main.call('countClashes', clashing, ending.signal),
    signal: ending.signal,
    onChange: tellSoon,
    onBug: (error) => {
      if (!ending.signal.aborted) reportBug(error);
    },
  });
  const changed = (): void => {
    model.changed();
    tellSoon();
  };

  const readMapFile = (text: string): void => {
    const read = readMap(text, tree, targets.idOf);
    mapProblems = 'problems' in read ? read.problems : [];
    mapped = 'parts' in read ? read.parts : [];
    if (mapProblems.length === 0) return;
    const wrong = [...new Set(mapProblems.map(({ line }) => line))];
    const lines = wrong.slice(0, MOST_LINES).join(', ') + (wrong.length > MOST_LINES ? ', …' : '');
    reason = toErrorData(new DeskError('upload/map-invalid', 'the map file has errors', { details: { lines } }));
  };
  /** Matches every row, with turns for calls in between, once the folders are scanned and the targets are there. */
  const matchAll = async (): Promise<void> => {
    const isDue = (): boolean => scanning === 0 && isIndexed && !isMatched && !ending.signal.aborted;
    isMatched = false;
    changed();
    await setImmediate();
    if (!isDue()) return;
    if (start.map !== undefined) readMapFile(start.map);
    for (const [at, row] of model.everyRow().entries()) {
      targets.matchOf(row);
      if (at % MATCHED_AT_ONCE === 0) await setImmediate();
      if (!isDue()) return;
    }
    isMatched = true;
    settle();
    changed();
    for (const _ of model.prepareSearch()) {
      await setImmediate();
      if (!isMatched || ending.signal.aborted) return;
    }
  };

  /** Ends the waiting once nothing that is unread can change a row. A map file may name any assignment. */
  const settle = (): void => {
    if (start.map === undefined && isMatched && !model.everyRow().some((row) => isOpen(targets.matchOf(row))))
      isWaiting = false;
  };
  /**
   * Indexes what has been handed over, with turns for calls in between, and matches with it. Rows are shown as they were until it is
   * done. If that fails, the draft goes on as it was.
   */
  const refresh = async (): Promise<void> => {
    const isEnd = !isReading;
    const beganMs = performance.now();
    try {
      const options = { rules, minCertainty: start.minCertainty ?? MIN_CERTAINTY };
      for (const _ of targets.finish(options, () => (isMatched ? model.everyRow() : []))) {
        await setImmediate();
        if (ending.signal.aborted) return;
      }
    } catch (error) {
      reportBug(error);
    }
    refreshMs = performance.now() - beganMs;
    isIndexed = true;
    if (isEnd) isWaiting = false;
    if (!isMatched || start.map !== undefined) {
      matchAll().catch(reportBug);
      return;
    }
    model.rematched();
    settle();
    tellSoon();
  };
  const refreshSoon = (): void => {
    if (isRefreshing) return;
    isRefreshing = true;
    indexInTurn(() => {
      isRefreshing = false;
      return refresh();
    }).catch(reportBug);
  };

  const refreshLater = (): void => {
    if (isRefreshDue) return;
    isRefreshDue = true;
    setTimeout(
      () => {
        isRefreshDue = false;
        if (targets.isChanged() && !ending.signal.aborted) refreshSoon();
      },
      Math.max(SHORTEST_PAUSE_MS, refreshMs * PAUSES),
    ).unref();
  };

  const wanted = (most: number): ReturnType<ThreadCalls['wanted']> => {
    const matches = isMatched
      ? [
          ...model.everyRow().map(targets.matchOf),
          ...(start.folders ?? []).map((folder) => targets.index().match(folder, targets.options())),
        ]
      : [];
    const protocols = [...new Set([...targets.unplaced(), ...matches.flatMap(({ unread }) => unread)])].filter(
      targets.isUnread,
    );
    if (isIndexed && targets.isChanged() && protocols.length === 0 && isWanting) refreshSoon();
    isWanting = protocols.length > 0;
    const isSettled = isMatched && !isWanting && !targets.isChanged() && !matches.some(isOpen);
    return { protocols: protocols.slice(0, most), isSettled };
  };

  const scan = async (source: DraftSource): Promise<void> => {
    const number = tree.addSource(source.name);
    sources[number] = source;
    // From here on it is the same folder, until the last byte of its upload is sent.
    const realRoot = await realRootOf(source);
    const identity = await assertFolder({ ...source, realRoot });
    const chosen = { ...source, realRoot, identity };
    sources[number] = chosen;
    const { files, leftOut: leftOutHere } = scanFolder(chosen, ending.signal, {
      onFolder: (found) => review?.addFolder(tree.addFolder(number, found.below), found),
      onUnreadable: (path) => tree.addUnreadable(number, path),
    });
    const before = leftOut;
    for await (const group of files) {
      const folder = tree.addFiles(number, group);
      if (folder) review?.addFiles(folder, group);
      leftOut = sumOfLeftOut(before, leftOutHere());
      tellSoon();
    }
    leftOut = sumOfLeftOut(before, leftOutHere());
    review?.save(false);
  };
  const scanAll = (added: readonly DraftSource[]): void => {
    scanning += 1;
    void inTurn(async () => {
      for (const source of added) {
        if (ending.signal.aborted) return;
        await scan(source).catch((error) => {
          reason = toErrorData(error);
          if (!(error instanceof DeskError) && !ending.signal.aborted) reportBug(error);
        });
      }
    }).finally(() => {
      scanning -= 1;
      matchAll().catch(reportBug);
    });
  };

  /** Main learns of a change by a person at once, so that the window shows it with the next frame. */
  const telling =
    <I>(change: (input: I) => Draft) =>
    (input: I): Draft => {
      const draft = change(input);
      main.tell('draft', draft);
      return draft;
    };

  if (start.target) targets.add([start.target]);
  scanAll(start.sources);
  return {
    add: (added) => {
      scanAll(added);
      changed();
      return model.view();
    },
    begin: (lists) => {
      // Folders are to be matched that were not before.
      if (lists.isReading && !isReading) [isWaiting, isSkipped] = [true, false];
      ({ rules, isReading } = lists);
      targets.begin();
      tellSoon();
    },
    progress: (progress) => {
      targets.setProgress(progress);
      tellSoon();
    },
    targets: targets.add,
    unread: targets.addUnread,
    updated: (lists) => {
      ({ isReading } = lists);
      targets.setPartial(lists.isPartial);
      reason = lists.reason ?? reason;
      if (start.map === undefined || !isReading) refreshSoon();
    },
    read: ({ InspectionProtocolId, targets: part }) => {
      targets.read(InspectionProtocolId, part);
      if (isIndexed && start.map === undefined) refreshLater();
    },
    wanted,
    skipUpdate: telling(() => {
      isSkipped = true;
      if (!isIndexed) refreshSoon();
      changed();
      return model.view();
    }),
    rows: model.rows,
    candidates: model.candidates,
    alike: model.alike,
    clashSources: model.clashSources,
    folderOf: model.folderOf,
    matches: model.matches,
    mapProblems: () => mapProblems,
    plan: (seen) => {
      const now = model.view().toSend;
      if (seen && SUMS.some((part) => now[part] !== seen[part]))
        throw new DeskError('draft/changed', 'more folders have been matched since the draft was last seen');
      review?.save(true);
      return model.plan(undefined);
    },
    assign: telling(model.assign),
    leaveOut: telling(model.leaveOut),
    takeIn: telling(model.takeIn),
    undo: telling(model.undo),
    setLevel: telling(model.setLevel),
    setTarget: telling(model.setTarget),
    setClash: telling(model.setClash),
    setNames: telling(model.setNames),
    started: (rows) => {
      reason = rows.reason;
      for (const AssignmentId of rows.assignments) used.add(AssignmentId);
      return model.started(rows.rowIds);
    },
    view: model.view,
    certain: () =>
      indexInTurn(async () =>
        (start.folders ?? []).map((folder) => certainAssignment(targets.index(), folder, targets.options())),
      ),
    end: async () => {
      ending.abort(new DeskError('app/cancelled', 'the draft was closed'));
      const hangs = !(await comesToRest(REST_MS, () => scanning > 0));
      review?.close();
      // Closed only after the answer has been sent: the thread ends with its port.
      if (!hangs)
        void setImmediate()
          .then(() => setImmediate())
          .then(() => port.close());
      return { hangs };
    },
  };
};

if (!parentPort) throw new Error('this file runs as a worker thread');
const port = parentPort;
const reportBug = (error: unknown): void => main.tell('bug', plainError(error));
const open: ThreadCalls['open'] = (start) => {
  const calls = openDraft(start, main);
  main.serve(calls);
  return calls.view(undefined);
};
const main: Peer<MainCalls> = connectPort(port, { open }, reportBug);

// What a draft's scan has found, kept for the uploads that start from it: nothing else is sent (source/reviewed-list.ts).

/** The thread of a draft: scans its folders, and holds its rows. This module is the thread's entry. */
import { parentPort } from 'node:worker_threads';
import type { Draft, DraftPhase } from '../../../contract/drafts.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import { createSerial } from '../../async/serial.ts';
import { createThrottle } from '../../async/throttle.ts';
import { comesToRest } from '../../data/at-rest.ts';
import { REST_MS } from '../../data/end-by-force.ts';
import { NOTHING_LEFT_OUT, sumOfLeftOut } from '../../uploads/source/left-out.ts';
import { assertFolder, scanFolder } from '../../uploads/source/scan.ts';
import type { TakenName } from './clashes.ts';
import { createDraftModel } from './draft.ts';
import type { DraftSource, DraftStart, MainCalls, ThreadCalls } from './draft-calls.ts';
import { createFolderTree } from './folder-tree.ts';
import { createKnownTargets } from './known-targets.ts';

/** Reads no faster than main and a person can follow. */
const TELL_MS = 250;

const NONE_TAKEN: readonly TakenName[] = [];

const openDraft = (start: DraftStart, main: Peer<MainCalls>): Omit<ThreadCalls, 'open'> => {
  const tree = createFolderTree(start.refusedBytes);
  const targets = createKnownTargets();
  const sources: DraftSource[] = [];
  const ending = new AbortController();
  const inTurn = createSerial();
  let scanning = 0;
  let isUpdated = false;
  let leftOut = NOTHING_LEFT_OUT;
  let reason: ErrorData | undefined;

  const phase = (): DraftPhase => (scanning > 0 ? 'scanning' : isUpdated ? 'ready' : 'updating');
  const model = createDraftModel({
    start,
    sources: () => sources,
    tree,
    targets,
    takenOn: () => NONE_TAKEN,
    phase,
    reason: () => reason,
    leftOut: () => leftOut,
  });
  const { request: tellSoon } = createThrottle(() => main.tell('draft', model.view()), TELL_MS);
  const changed = (): void => {
    model.changed();
    tellSoon();
  };

  const scan = async (source: DraftSource): Promise<void> => {
    const number = tree.addSource(source.name);
    sources[number] = source;
    const { files, leftOut: leftOutHere } = scanFolder(source, ending.signal, {
      onUnreadable: (path) => tree.addUnreadable(number, path),
    });
    const before = leftOut;
    await assertFolder(source.root, source.realRoot);
    for await (const group of files) {
      tree.addFiles(number, group);
      leftOut = sumOfLeftOut(before, leftOutHere());
      tellSoon();
    }
    leftOut = sumOfLeftOut(before, leftOutHere());
  };
  const scanAll = (added: readonly DraftSource[]): void => {
    scanning += 1;
    void inTurn(async () => {
      for (const source of added) {
        if (ending.signal.aborted) return;
        await scan(source).catch((error) => {
          reason = toErrorData(error);
          if (!(error instanceof DeskError) && !ending.signal.aborted) main.tell('bug', error);
        });
      }
    }).finally(() => {
      scanning -= 1;
      changed();
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

  scanAll(start.sources);
  return {
    add: (added) => {
      scanAll(added);
      changed();
      return model.view();
    },
    updating: (progress) => {
      targets.setProgress(progress);
      tellSoon();
    },
    targets: (part) => targets.add(part),
    updated: (end) => {
      targets.setAge(end.oldestAtMs);
      reason = end.reason ?? reason;
      isUpdated = true;
      changed();
    },
    rows: model.rows,
    candidates: model.candidates,
    alike: model.alike,
    clashes: model.clashes,
    plan: model.plan,
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
      return model.started(rows);
    },
    view: model.view,
    end: async () => {
      ending.abort(new DeskError('app/cancelled', 'the draft was closed'));
      const hangs = !(await comesToRest(REST_MS, () => scanning > 0));
      // The answer goes out before the thread has nothing left to wait for.
      if (!hangs) setImmediate(() => setImmediate(() => port.close()));
      return { hangs };
    },
  };
};

if (!parentPort) throw new Error('this file runs as a worker thread');
const port = parentPort;
const reportBug = (error: unknown): void => main.tell('bug', error instanceof Error ? error : new Error(String(error)));
const open: ThreadCalls['open'] = (start) => {
  const calls = openDraft(start, main);
  main.serve(calls);
  return calls.view(undefined);
};
const main: Peer<MainCalls> = connectPort(port, { open }, reportBug);

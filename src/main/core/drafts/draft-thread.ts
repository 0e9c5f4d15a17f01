/** The thread of a draft: what it is asked and tells, and how it is started. */

import { Worker } from 'node:worker_threads';
import type { z } from 'zod';
import type { Draft, DraftSum, draftsCalls, Match, MatchReason } from '../../../contract/drafts.ts';
import { DeskError, type ErrorData } from '../../../contract/errors.ts';
import type { AssignmentSummary } from '../../../contract/resources.ts';
import type { NameTemplate, OnClash } from '../../../contract/uploads.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import type { StoredTarget } from '../../cache/targets.ts';
import type { MapProblem } from '../../matching/map-file.ts';
import type { FolderName, UnreadProtocol } from '../../matching/match-index.ts';
import type { Rules } from '../../matching/rules.ts';
import type { Upload, Uploads } from '../../uploads/engine/uploads-api.ts';
import type { Source } from '../../uploads/source/scan.ts';

/** How far one of the two stages of reading is. `leftMs`: how long the rest of it probably takes. */
export type ListProgress = {
  readonly stage: 'protocols' | 'assignments';
  readonly read: number;
  readonly total: number;
  readonly leftMs?: number | undefined;
};

// The calls between the thread of a draft and the main thread. Everything in them is cloneable.

/** What was chosen; `name`: as people know it. */
export type DraftSource = Source & { readonly name: string };

export type DraftStart = {
  readonly draftId: string;
  readonly history: DraftHistory;
  readonly sources: readonly DraftSource[];
  /** The folder of lists of reviewed files, for a draft that uploads start from. */
  readonly lists?: string | undefined;
  /** Everything goes there. `target`: what is known of it, as it is shown before the other assignments are there. */
  readonly AssignmentId?: string | undefined;
  readonly target?: StoredTarget | undefined;
  /** The level of the jobs; absent: it is detected. */
  readonly level?: number | undefined;
  /** The content of a map file, which wins over matching. */
  readonly map?: string | undefined;
  /** Whether rows that are not in the map file are matched. Default: true. */
  readonly isMatched?: boolean | undefined;
  readonly minCertainty?: number | undefined;
  /** Folders to be matched without a scan (`certain`). */
  readonly folders?: readonly FolderName[] | undefined;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
};

export type DraftHistory = ReturnType<Uploads['history']>;

/** The sources of rows that go to the same assignment, as the engine compares them. */
export type ClashSources = Parameters<Uploads['clashes']>[0];

type Input<Name extends keyof typeof draftsCalls> = z.output<(typeof draftsCalls)[Name]['input']>;
type Output<Name extends keyof typeof draftsCalls> = z.output<(typeof draftsCalls)[Name]['output']>;
type Answer<Name extends keyof typeof draftsCalls> = (input: Input<Name>) => Output<Name>;

/** A row that is about to be uploaded. `isDecided`: a person chose its assignment, for this row. */
export type PlannedRow = {
  readonly rowId: number;
  /** From the name of the chosen folder on. */
  readonly path: string;
  /** The absolute path of the chosen folder. */
  readonly rootPath: string;
  readonly isDecided: boolean;
  readonly upload: Upload;
};

/** A row as the command line reports it. `path`: below the source with this number; empty for the source itself. */
export type RowMatch = Match & {
  readonly rowId: number;
  readonly source: number;
  readonly path: string;
  readonly fileNames: readonly string[] | undefined;
  readonly files: number;
  readonly bytes: number;
  readonly AssignmentId: string | undefined;
  /** The assignment that was chosen, or else the best candidate. */
  readonly assignment: AssignmentSummary | undefined;
  readonly certainty: number;
  readonly reasons: readonly MatchReason[];
};

/** The calls that the thread answers. */
export type ThreadCalls = {
  /** The first call, made once. */
  readonly open: (start: DraftStart) => Draft;
  readonly view: (nothing: undefined) => Draft;
  readonly add: (sources: readonly DraftSource[]) => Draft;
  /** The lists that are here follow. `isReading`: others are read from the service. */
  readonly begin: (lists: { readonly rules: Rules; readonly isReading: boolean }) => void;
  readonly progress: (progress: ListProgress) => void;
  /** Some of the assignments that rows are matched with. */
  readonly targets: (part: readonly StoredTarget[]) => void;
  /** Some of the protocols whose assignments are not here as they are now. */
  readonly unread: (part: readonly UnreadProtocol[]) => void;
  /** What is here has been handed over. `isPartial`: not all protocols are listed; `reason`: why reading ended early. */
  readonly updated: (lists: {
    readonly isPartial: boolean;
    readonly isReading: boolean;
    readonly reason?: ErrorData | undefined;
  }) => void;
  /** The assignments of an unread protocol. */
  readonly read: (list: { readonly InspectionProtocolId: string; readonly targets: readonly StoredTarget[] }) => void;
  /** The unread protocols that folders wait for, some of them. `isSettled`: no folder waits for any. */
  readonly wanted: (most: number) => { readonly protocols: readonly string[]; readonly isSettled: boolean };
  /** Matches with what is there; what is read later is matched then. */
  readonly skipUpdate: (nothing: undefined) => Draft;
  readonly rows: Answer<'rows'>;
  /** With `found`: these, instead of those that matching proposes. */
  readonly candidates: (query: {
    readonly rowId: number;
    readonly found?: readonly string[] | undefined;
  }) => Output<'candidates'>;
  readonly assign: Answer<'assign'>;
  readonly leaveOut: Answer<'leaveOut'>;
  readonly takeIn: Answer<'takeIn'>;
  readonly alike: Answer<'alike'>;
  readonly undo: Answer<'undo'>;
  readonly setLevel: Answer<'setLevel'>;
  readonly setTarget: Answer<'setTarget'>;
  readonly setNames: Answer<'setNames'>;
  /**
   * What the row's names are found with, and its index among the sources; without a row those of everything. Undefined if
   * the row goes nowhere, or not everything to one assignment.
   */
  readonly clashSources: (of: {
    readonly rowId?: number | undefined;
  }) => (ClashSources & { readonly index?: number | undefined }) | undefined;
  readonly setClash: Answer<'setClash'>;
  /** The path of the folder of a row, or of the one that its files lie in. */
  readonly folderOf: (row: { readonly rowId: number }) => string | undefined;
  /** Every row. */
  readonly matches: (nothing: undefined) => readonly RowMatch[];
  /** The assignment of each of `folders`, where it is certain; once the targets that were handed over are indexed. */
  readonly certain: (nothing: undefined) => Promise<readonly (string | undefined)[]>;
  readonly mapProblems: (nothing: undefined) => readonly MapProblem[];
  /** What a start uploads. Errors: `draft/changed` if that is not what was `seen`. */
  readonly plan: (seen: DraftSum | undefined) => readonly PlannedRow[];
  /** These rows are uploads now, and no longer part of the draft. Undefined: nothing is left of it. */
  readonly started: (rows: {
    readonly rowIds: readonly number[];
    readonly assignments: readonly string[];
    readonly reason?: ErrorData | undefined;
  }) => Draft | undefined;
  /** Ends the scan, and then the thread. `hangs`: a drive does not answer, so the process cannot exit. */
  readonly end: (nothing: undefined) => Promise<{ readonly hangs: boolean }>;
};

/** The calls that main answers. */
export type MainCalls = {
  readonly draft: (draft: Draft) => void;
  readonly countClashes: (sources: ClashSources, signal: AbortSignal) => Promise<readonly number[]>;
  readonly bug: (error: Error) => void;
};

// The main thread's side of the thread of a draft.

export type DraftThread = {
  readonly call: Peer<ThreadCalls>['call'];
  readonly tell: Peer<ThreadCalls>['tell'];
  /** Ends the thread, and every open call with `app/cancelled`. `hangs`: it waits for a drive that does not answer. */
  readonly end: () => Promise<{ readonly hangs: boolean }>;
};

type ThreadOptions = {
  /** The module draft-worker.ts in this host. */
  readonly worker: URL;
  readonly onDraft: (draft: Draft) => void;
  readonly countClashes: MainCalls['countClashes'];
  /** Receives errors that no caller waits for. */
  readonly onBug: (error: unknown) => void;
  /** The thread died: the draft is lost. */
  readonly onLost: (error: DeskError) => void;
};

/** How long the thread may take to end. */
const END_MS = 5_000;

/** Starts a thread, which does not keep the process alive. */
export const startDraftThread = ({ worker, onDraft, countClashes, onBug, onLost }: ThreadOptions): DraftThread => {
  const thread = new Worker(worker, { name: 'draft' });
  thread.unref();
  const main: MainCalls = { draft: onDraft, countClashes, bug: onBug };
  const { call, tell, end } = connectPort<ThreadCalls>(thread, main, onBug);
  let isEnding = false;
  thread.on('error', onBug);
  const exited = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      const lost = new DeskError('draft/stopped', 'the thread of the draft has stopped', { retry: 'later' });
      end(isEnding ? closed() : lost);
      if (!isEnding) onLost(lost);
      resolve();
    });
  });
  return {
    call,
    tell,
    end: async () => {
      isEnding = true;
      // The process waits for the end of the thread, and does not exit before.
      thread.ref();
      const late = Promise.withResolvers<{ hangs: boolean }>();
      const timer = setTimeout(() => late.resolve({ hangs: true }), END_MS);
      const answer = await Promise.race([call('end', undefined).catch(() => ({ hangs: false })), late.promise]);
      clearTimeout(timer);
      if (answer.hangs) thread.unref();
      else await exited;
      end(closed());
      return answer;
    },
  };
};

const closed = (): DeskError => new DeskError('app/cancelled', 'the draft was closed');

/**
 * The upload that is being prepared, one at a time. A thread of its own scans the folders and holds the rows; this side
 * reads the assignments for it, and starts the upload.
 */
import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../../contract/calls.ts';
import type { Draft, DraftSum } from '../../../contract/drafts.ts';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { keepLastAnswer, type LastAnswer } from '../../async/throttle.ts';
import type { Cache } from '../../cache/cache.ts';
import type { StoredTarget } from '../../cache/targets.ts';
import type { UploadPreview } from '../../uploads/engine/plan-batch.ts';
import { isBelow } from '../../uploads/source/paths.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import {
  type DraftHistory,
  type DraftSource,
  type DraftStart,
  type DraftThread,
  type PlannedRow,
  startDraftThread,
} from './draft-thread.ts';
import { feedTargets } from './feed-targets.ts';
import { type Folders, sourceName } from './folders.ts';
import { createDraftRules, type RuleStore } from './rule-store.ts';
import type { UploadRules, WantedRules } from './upload-rules.ts';

/** `isUpdated`: the assignments are used as they are here. Default: where everything goes to one. */
type DraftOptions = Omit<DraftStart, 'draftId' | 'history' | 'lists'> & { readonly isUpdated?: boolean | undefined };

type Started = { readonly uploadId: string; readonly batchIds: readonly string[] };

/** Errors of all functions that need a draft: `draft/missing`, `draft/stopped`. */
export type Drafts = {
  /** The calls of the contract. */
  readonly calls: Handlers['drafts'];
  readonly current: () => Draft | undefined;
  /** Begins a draft in place of the present one. With `AssignmentId` everything goes there. */
  readonly open: (draft: DraftOptions) => Promise<Draft>;
  /** Asks the thread of the draft. */
  readonly ask: DraftThread['call'];
  /**
   * Starts what has an assignment as one upload. Errors: those of `startTogether`, where no row can be started;
   * `input/invalid` if there is none; `draft/changed` if anything else than what was `seen` would be sent.
   */
  readonly start: (rules: UploadRules, seen?: DraftSum) => Promise<Started>;
  /** Ends the draft, and its thread. */
  readonly discard: () => Promise<void>;
  /** After `discard`: whether a drive no longer responds. */
  readonly hangs: () => boolean;
};

type DraftsOptions = {
  /** The module draft-worker.ts in this host. */
  readonly worker: URL;
  /** The folder of lists of reviewed files. */
  readonly lists: string;
  readonly cache: Cache;
  readonly rules: RuleStore;
  readonly sourceOf: Folders['sourceOf'];
  /** The rules of an upload that begins now. */
  readonly uploadRules: (wanted: WantedRules) => UploadRules;
  /** The services of the present connection. Throws without one. */
  readonly connected: () => ConnectionServices;
  /** Called with each change of the draft; undefined: there is none any more. */
  readonly onChange: (draft: Draft | undefined) => void;
  readonly onNotice: (error: DeskError) => void;
  readonly onBug: (error: unknown) => void;
};

/** There is no draft. */
export const createDrafts = (options: DraftsOptions): Drafts => {
  const { worker, lists, cache, connected, onChange, onNotice, onBug } = options;
  const rules = createDraftRules(options.rules, onNotice, onBug);
  let present: OpenDraft | undefined;
  let hangs = false;

  const presentDraft = (): OpenDraft => {
    if (present) return present;
    throw new DeskError('draft/missing', 'no upload is being prepared');
  };
  const changed = (of: Pick<OpenDraft, 'thread'>, draft: Draft): void => {
    if (present?.thread !== of.thread) return;
    present.draft = draft;
    onChange(draft);
  };
  const discard = async (): Promise<void> => {
    const leaving = present;
    if (leaving === undefined) return;
    present = undefined;
    leaving.ending.abort(new DeskError('app/cancelled', 'the draft was closed'));
    onChange(undefined);
    const { hangs: hung } = await leaving.thread.end();
    hangs ||= hung;
    // If the connection is closing, the next start of the app deletes it.
    await leaving.services.uploads.reviewEnded(leaving.draft.draftId).catch(() => {});
  };

  /** A ledger that cannot be read fails the start of the upload, and says why. */
  const withoutHistory = (error: unknown): DraftHistory => {
    if (!(error instanceof DeskError)) onBug(error);
    return { assignments: [] };
  };
  const readTargets = ({ services, thread, ending }: OpenDraft, isUpdating: boolean): Promise<void> => {
    const { connectionId, service } = services;
    const known = { cache, connectionId, service, rules: () => rules.of(connectionId) };
    return feedTargets({ ...known, thread, isUpdating, ending: ending.signal, onBug });
  };

  const open = async ({ sources: chosen, isUpdated, ...start }: DraftOptions): Promise<Draft> => {
    const services = connected();
    await discard();
    const sources = distinct([], chosen);
    const thread = startDraftThread({
      worker,
      onDraft: (draft) => changed({ thread }, draft),
      countClashes: async (clashing, signal) => (await services.uploads.clashes(clashing, undefined, signal)).totals,
      onBug,
      onLost: (error) => {
        if (present?.thread !== thread) return;
        onNotice(error);
        void discard().catch(onBug);
      },
    });
    const history = await services.uploads.history().catch(withoutHistory);
    const target = storedTarget(cache, services.connectionId, start.AssignmentId);
    const draft = await thread.call('open', { ...start, draftId: randomUUID(), history, sources, lists, target });
    const opened: OpenDraft = {
      services,
      thread,
      sources,
      ending: new AbortController(),
      renames: keepLastAnswer<UploadPreview>(),
      draft,
    };
    // Another draft may have been opened meanwhile.
    if (present) {
      await thread.end();
      throw new DeskError('app/cancelled', 'another draft was opened');
    }
    present = opened;
    onChange(draft);
    readTargets(opened, !(isUpdated ?? start.AssignmentId !== undefined)).catch(onBug);
    return draft;
  };

  let starting: Promise<Started> | undefined;
  const startOnce = async (upload: UploadRules, seen: DraftSum | undefined): Promise<Started> => {
    const { thread, services } = presentDraft();
    const uploadId = randomUUID();
    const { batchIds, rows, reason } = await startRows(services, await thread.call('plan', seen), {
      ...upload,
      uploadId,
    });
    rules.confirm(services.connectionId, rows);
    const left = await thread.call('started', {
      rowIds: rows.map(({ rowId }) => rowId),
      assignments: rows.map(({ upload: { assignmentId } }) => assignmentId),
      reason,
    });
    if (left === undefined) await discard();
    else changed({ thread }, left);
    return { uploadId, batchIds };
  };
  const start = (upload: UploadRules, seen?: DraftSum): Promise<Started> => {
    // Asked twice at once, the same rows would become two uploads.
    starting ??= startOnce(upload, seen).finally(() => {
      starting = undefined;
    });
    return starting;
  };

  const ask: DraftThread['call'] = (name, input) => presentDraft().thread.call(name, input);
  const sourcesOf = (folderIds: readonly string[]): readonly DraftSource[] =>
    folderIds.map(options.sourceOf).map((source) => ({ ...source, name: sourceName(source) }));
  const calls: Drafts['calls'] = {
    ...createDraftQuestions(cache, presentDraft),
    open: ({ folderIds, AssignmentId }) => open({ sources: sourcesOf(folderIds), AssignmentId }),
    add: async ({ folderIds }) => {
      const { thread, sources } = presentDraft();
      const added = distinct(sources, sourcesOf(folderIds));
      present = { ...presentDraft(), sources: [...sources, ...added] };
      return thread.call('add', added);
    },
    get: () => present?.draft,
    rows: (query) => ask('rows', query),
    assign: (choice) => ask('assign', choice),
    leaveOut: (rows) => ask('leaveOut', rows),
    takeIn: (rows) => ask('takeIn', rows),
    alike: (row) => ask('alike', row),
    undo: () => ask('undo', undefined),
    setLevel: (level) => ask('setLevel', level),
    setTarget: async (target) => {
      const opened = presentDraft();
      const draft = await opened.thread.call('setTarget', target);
      if (target.AssignmentId === undefined && draft.assignments.total === 0) readTargets(opened, true).catch(onBug);
      return draft;
    },
    setNames: (names) => ask('setNames', names),
    setClash: (choice) => ask('setClash', choice),
    skipUpdate: () => ask('skipUpdate', undefined),
    start: async (wanted = {}) => {
      const started = await start(options.uploadRules(wanted), wanted.toSend);
      // What a person decided may also decide about the files of watched folders.
      connected().watchedFolders.matchAgain();
      return started;
    },
    discard,
  };
  return { calls, current: () => present?.draft, open, ask, start, discard, hangs: () => hangs };
};

/**
 * Starts a batch for each row. A row whose folder is gone is held back, and the others are started without it. Answers those
 * that were started, and why others were not.
 */
const startRows = async (
  { uploads }: Pick<ConnectionServices, 'uploads'>,
  planned: readonly PlannedRow[],
  upload: UploadRules & { readonly uploadId: string },
): Promise<Pick<Started, 'batchIds'> & { readonly rows: readonly PlannedRow[]; readonly reason?: ErrorData }> => {
  if (planned.length === 0) throw new DeskError('input/invalid', 'there is nothing to upload');
  let rows = planned;
  let reason: ErrorData | undefined;
  for (;;) {
    try {
      const batches = await uploads.startTogether({ ...upload, uploads: rows.map((row) => row.upload) });
      return { batchIds: batches.map(({ batchId }) => batchId), rows, ...(reason && { reason }) };
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      const { path } = error.details;
      const others = rows.filter((row) => row.upload.root !== path);
      if (others.length === 0 || others.length === rows.length) throw error;
      rows = others;
      reason ??= toErrorData(error);
    }
  }
};

/** What the cache has of an assignment. */
const storedTarget = (cache: Cache, connectionId: string, id: string | undefined): StoredTarget | undefined => {
  const known = id === undefined ? undefined : cache.assignment(connectionId, id);
  return known && { value: JSON.stringify(known.assignment), fetchedAtMs: known.fetchedAtMs };
};

/** Those of `chosen` that are neither in `present` nor below another chosen folder: no file is uploaded twice. */
const distinct = (present: readonly DraftSource[], chosen: readonly DraftSource[]): readonly DraftSource[] =>
  chosen.filter((source, index) => {
    const others = [
      ...present,
      ...chosen.slice(0, index),
      ...chosen.slice(index + 1).filter(({ root }) => root !== source.root),
    ];
    return !others.some(({ root, only }) => only === undefined && (root === source.root || isBelow(root, source.root)));
  });

// What main answers about a draft, because it needs the offline data or the engine.

/** The present draft, as main holds it. */
type OpenDraft = {
  readonly services: ConnectionServices;
  readonly thread: DraftThread;
  readonly sources: readonly DraftSource[];
  /** Ended with the draft. */
  readonly ending: AbortController;
  /** The renames of a question, which is asked for each page of them: the folders are read once. */
  readonly renames: LastAnswer<UploadPreview>;
  draft: Draft;
};

/** More assignments than a person looks through. */
const MOST_FOUND = 50;

/** A person does not look through more. */
const MOST_CLASHES = 1_000;

/** `open`: the present draft; throws without one. */
const createDraftQuestions = (
  cache: Cache,
  open: () => OpenDraft,
): Pick<Handlers['drafts'], 'candidates' | 'clashes' | 'names'> => ({
  candidates: async ({ rowId, text = '' }) => {
    const { thread, services } = open();
    if (text.trim() === '') return thread.call('candidates', { rowId });
    const { Items, total } = cache.findAssignments(services.connectionId, text, { offset: 0, limit: MOST_FOUND });
    const { candidates } = await thread.call('candidates', {
      rowId,
      found: Items.map(({ AssignmentId }) => AssignmentId),
    });
    return { candidates, total };
  },
  clashes: async (row) => {
    const { thread, services, ending } = open();
    const group = await thread.call('clashSources', row);
    if (group === undefined) return { clashes: [], total: 0 };
    const { index = 0, ...sources } = group;
    const window = { source: index, offset: 0, limit: MOST_CLASHES };
    const { clashes, totals } = await services.uploads.clashes(sources, window, ending.signal);
    return { clashes, total: totals[index] ?? 0 };
  },
  names: async ({ rowId, offset, limit }) => {
    const { thread, services, ending, renames } = open();
    const group = await thread.call('clashSources', { rowId });
    if (group === undefined) return { renames: [], total: 0, listed: 0 };
    const { index, ...whole } = group;
    // A draft of one row asks the same about both.
    const asked = whole.sources.length === 1 ? whole : group;
    const found = await renames(JSON.stringify(asked), () => services.uploads.preview(asked, ending.signal));
    const page = found.renames.slice(offset, offset + limit);
    return { renames: page, total: found.renamed, listed: found.renames.length };
  },
});

/**
 * The upload that is being prepared, one at a time. A thread of its own scans the folders and holds the rows; this side
 * reads the assignments for it, and starts the upload.
 */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { draftsCalls } from '../../../contract/calls/drafts.ts';
import type { Draft } from '../../../contract/drafts.ts';
import { DeskError } from '../../../contract/errors.ts';
import { keepLastAnswer, type LastAnswer } from '../../async/last-answer.ts';
import type { Cache } from '../../cache/cache.ts';
import type { StoredTarget } from '../../cache/targets.ts';
import { nameKey } from '../../matching/name-key.ts';
import type { UploadPreview } from '../../uploads/engine/plan-names.ts';
import { isBelow } from '../../uploads/source/paths.ts';
import type { ConnectionServices } from '../connection/connection-services.ts';
import type { DraftHistory, DraftSource, DraftStart, PlannedRow, ThreadCalls } from './draft-calls.ts';
import { type DraftThread, startDraftThread } from './draft-thread.ts';
import { feedTargets } from './feed-targets.ts';
import type { RuleStore } from './rule-store.ts';
import { type StartedRows, startRows } from './start-rows.ts';
import type { UploadRules } from './upload-rules.ts';

/** The calls that the thread answers as they come. */
type Passed = Exclude<
  keyof ThreadCalls,
  | 'open'
  | 'add'
  | 'updating'
  | 'targets'
  | 'updated'
  | 'candidates'
  | 'started'
  | 'end'
  | 'setTarget'
  | 'clashSources'
  | 'certain'
>;

/** `isUpdated`: the assignments are used as they are here. Default: where everything goes to one. */
export type DraftOptions = Omit<DraftStart, 'draftId' | 'history'> & { readonly isUpdated?: boolean | undefined };

type Started = Pick<StartedRows, 'uploadId' | 'batchIds'>;

export type Drafts = {
  readonly current: () => Draft | undefined;
  /** Begins a draft in place of the present one. With `AssignmentId` everything goes there. */
  readonly open: (draft: DraftOptions) => Promise<Draft>;
  /** Errors of this and all that follow: `draft/missing`, `draft/stopped`. */
  readonly add: (sources: readonly DraftSource[]) => Promise<Draft>;
  readonly ask: <Name extends Passed>(
    name: Name,
    input: Parameters<ThreadCalls[Name]>[0],
  ) => Promise<Awaited<ReturnType<ThreadCalls[Name]>>>;
  readonly candidates: (query: {
    readonly rowId: number;
    readonly text?: string | undefined;
  }) => Promise<ReturnType<ThreadCalls['candidates']>>;
  /** The files of a row whose FileNames are taken. */
  readonly clashes: (row: { readonly rowId: number }) => Promise<Clashes>;
  /** The files that get another name; see the call of the contract. */
  readonly names: (query: z.output<typeof draftsCalls.names.input>) => Promise<Names>;
  readonly setTarget: (target: { readonly AssignmentId?: string | undefined }) => Promise<Draft>;
  readonly skipUpdate: () => Promise<Draft>;
  /** Errors: those of `startRows`. */
  readonly start: (time: UploadRules) => Promise<Started>;
  readonly discard: () => Promise<void>;
  /** Discards the draft for good. */
  readonly close: () => Promise<void>;
  /** After `close`: whether a drive no longer responds. */
  readonly hangs: () => boolean;
};

type DraftsOptions = {
  /** The module draft-worker.ts in this host. */
  readonly worker: URL;
  readonly cache: Cache;
  readonly rules: RuleStore;
  /** The services of the present connection. Throws without one. */
  readonly connected: () => ConnectionServices;
  /** Called with each change of the draft; undefined: there is none any more. */
  readonly onChange: (draft: Draft | undefined) => void;
  readonly onNotice: (error: DeskError) => void;
  readonly onBug: (error: unknown) => void;
};

type OpenDraft = {
  readonly services: ConnectionServices;
  readonly thread: DraftThread;
  readonly sources: readonly DraftSource[];
  /** Ended with the draft, or (`skipped`) when nobody wants to wait for the service any longer. */
  readonly ending: AbortController;
  readonly skipped: AbortController;
  /** The renames of a question, which is asked for each page of them: the folders are read once. */
  readonly renames: LastAnswer<UploadPreview>;
  draft: Draft;
};

/** More assignments than a person looks through. */
const MOST_FOUND = 50;

/** A person does not look through more. */
const MOST_CLASHES = 1_000;

type Clashes = z.output<typeof draftsCalls.clashes.output>;
type Names = z.output<typeof draftsCalls.names.output>;

/** There is no draft. */
export const createDrafts = (options: DraftsOptions): Drafts => {
  const { worker, cache, rules, connected, onChange, onNotice, onBug } = options;
  let present: OpenDraft | undefined;
  let hangs = false;

  const open = (): OpenDraft => {
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
  };

  /** Nothing depends on the rules so much that it has to fail without them. */
  const withRules = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      if (error instanceof DeskError) onNotice(error);
      else onBug(error);
      return otherwise;
    }
  };
  const confirmed = (connectionId: string): ReadonlyMap<string, string> => {
    const known = withRules(() => rules.list(connectionId), []);
    return new Map(known.map(({ nameKey: key, AssignmentId }) => [key, AssignmentId]));
  };
  /** Remembers what a person decided for these rows. */
  const confirm = (connectionId: string, rows: readonly PlannedRow[]): void => {
    const decided = rows
      .filter(({ isDecided }) => isDecided)
      .map(({ path, upload }) => ({
        nameKey: nameKey(path),
        name: path.slice(path.lastIndexOf('/') + 1),
        AssignmentId: upload.assignmentId,
      }));
    if (decided.length > 0) withRules(() => rules.confirm(connectionId, decided, Date.now()), undefined);
  };
  /** A ledger that cannot be read fails the start of the upload, and says why. */
  const withoutHistory = (error: unknown): DraftHistory => {
    if (!(error instanceof DeskError)) onBug(error);
    return { assignments: [] };
  };

  const readTargets = ({ services, thread, ending, skipped }: OpenDraft, isUpdating: boolean): Promise<void> => {
    const { connectionId, service } = services;
    const signals = { ending: ending.signal, skipped: skipped.signal };
    const known = () => confirmed(connectionId);
    return feedTargets({ cache, connectionId, service, thread, confirmed: known, isUpdating, ...signals, onBug });
  };

  let starting: Promise<Started> | undefined;
  const start = async (time: UploadRules): Promise<Started> => {
    const { thread, services } = open();
    const { rows, uploadId, batchIds, reason } = await startRows(
      services.uploads,
      await thread.call('plan', undefined),
      time,
    );
    confirm(services.connectionId, rows);
    const left = await thread.call('started', {
      rowIds: rows.map(({ rowId }) => rowId),
      assignments: rows.map(({ upload }) => upload.assignmentId),
      reason,
    });
    if (left === undefined) await discard();
    else changed({ thread }, left);
    return { uploadId, batchIds };
  };

  return {
    current: () => present?.draft,
    open: async ({ sources: chosen, isUpdated, ...start }) => {
      const services = connected();
      await discard();
      const sources = distinct([], chosen);
      const thread = startDraftThread({
        worker,
        onDraft: (draft) => changed({ thread }, draft),
        countClashes: async (sources, signal) => (await services.uploads.clashes(sources, undefined, signal)).totals,
        onBug,
        onLost: (error) => {
          if (present?.thread !== thread) return;
          onNotice(error);
          void discard().catch(onBug);
        },
      });
      const history = await services.uploads.history().catch(withoutHistory);
      const target = storedTarget(cache, services.connectionId, start.AssignmentId);
      const draft = await thread.call('open', { ...start, draftId: randomUUID(), history, sources, target });
      const opened = {
        services,
        thread,
        sources,
        ending: new AbortController(),
        skipped: new AbortController(),
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
    },
    add: async (chosen) => {
      const { thread, sources } = open();
      const added = distinct(sources, chosen);
      present = { ...open(), sources: [...sources, ...added] };
      return thread.call('add', added);
    },
    ask: (name, input) => open().thread.call(name, input),
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
    setTarget: async (target) => {
      const opened = open();
      const draft = await opened.thread.call('setTarget', target);
      if (target.AssignmentId === undefined && draft.assignments.total === 0) readTargets(opened, true).catch(onBug);
      return draft;
    },
    skipUpdate: () => {
      const { skipped, thread } = open();
      skipped.abort(new DeskError('app/cancelled', 'the update was skipped'));
      return thread.call('view', undefined);
    },
    start: (time) => {
      // Asked twice at once, the same rows would become two uploads.
      starting ??= start(time).finally(() => {
        starting = undefined;
      });
      return starting;
    },
    discard,
    close: discard,
    hangs: () => hangs,
  };
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

/**
 * Controls an upload in preparation (a draft). A controller has at most one draft at a time. The draft's worker scans
 * the folders and holds the rows; the main thread reads the assignments for the worker and starts the upload.
 */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Handlers } from '../../../contract/calls.ts';
import { isOwnedBy, type Owner } from '../../../contract/connection.ts';
import type { ChosenSum, Draft } from '../../../contract/drafts.ts';
import { DeskError, type ErrorData, fromErrorData, toErrorData } from '../../../contract/errors.ts';
import type { Folder } from '../../../contract/watched-folders.ts';
import { orCancelled } from '../../async/cancel.ts';
import { wallNow } from '../../async/clock.ts';
import { createSerial } from '../../async/lock.ts';
import { functionsBy, type Peer, startWorker } from '../../async/port-calls.ts';
import { keepLastResult, type LastResult } from '../../async/throttle.ts';
import { type AssignmentLists, createAssignmentLists } from '../../cache/assignment-lists.ts';
import type { Cache, ListedProtocol, StoredTarget } from '../../cache/cache.ts';
import { estimate } from '../../cache/offline-walk.ts';
import { REST_MS } from '../../data/end-by-force.ts';
import { userFile } from '../../data/user-file.ts';
import type { FolderName } from '../../matching/match-index.ts';
import { ruleName } from '../../matching/targets.ts';
import type { UploadRules } from '../../uploads/engine/uploads.ts';
import type { FileSearch } from '../../uploads/find/start-search.ts';
import type { LeftOutFolder } from '../../uploads/ledger/ledger.ts';
import { archiveOf, folderName, realPath } from '../../uploads/source/paths.ts';
import { createPatience, isUnresponsive, type Source } from '../../uploads/source/scan.ts';
import type { UploadPreview } from '../../uploads/transfer/names.ts';
import type { ConnectionServices } from '../connection/connections.ts';
import type { Host } from '../host.ts';
import type { DraftStart, MainCalls, PlannedRow, WorkerCalls } from './draft-worker.ts';
import type { DraftSource } from './folder-tree.ts';
import type { RuleStore } from './rules.ts';
import { type KeptDraft, keptDraftPath, readKeptDraft, removeKeptDraft } from './stored-draft.ts';
import type { WantedRules } from './upload-rules.ts';

export type Drafts = ReturnType<typeof createDrafts>;

/** Receives the draft after each change; undefined when it is closed. */
export type EmitDraft = (change: { readonly type: 'draft'; readonly value: Draft | undefined }) => void;

type DraftsOptions = {
  readonly host: Pick<Host, 'home' | 'draftWorker' | 'readWorker' | 'documentAddress'>;
  readonly fileSearch: Pick<FileSearch, 'sentArchives'>;
  readonly cache: Cache;
  readonly rules: RuleStore;
  readonly folders: Pick<Folders, 'sourceOf'>;
  readonly uploadRules: (wanted: WantedRules) => UploadRules;
  readonly connected: () => ConnectionServices;
  readonly emit: EmitDraft;
  readonly onNotice: (error: DeskError) => void;
  readonly onBug: (error: unknown) => void;
};

/**
 * The options of a new draft. `isUpdated`: whether the stored lists are used as they are, without reading from the
 * service. Default: true if everything goes to one assignment. `isReopened`: see `DraftStorage`.
 * `isRecovered`: whether the draft continues one whose worker has crashed.
 */
type DraftOptions = Omit<DraftStart, 'draftId' | 'history' | 'archives' | 'lists' | 'target' | 'storage' | 'rules'> & {
  readonly resumed?: KeptDraft | undefined;
  readonly isReopened?: boolean;
  readonly isRecovered?: boolean;
  readonly isUpdated?: boolean | undefined;
};

/** The present draft. `draft` is absent while it is being opened. */
type OpenDraft = {
  readonly draftId: string;
  readonly owner: Owner;
  readonly services: ConnectionServices;
  readonly worker: DraftWorker;
  readonly ending: AbortController;
  /** The last preview of names, so that the folders are read only once while its pages are requested. */
  readonly preview: LastResult<UploadPreview>;
  draft?: Draft;
  /** The start in progress. */
  starting?: Promise<StartedUpload> | undefined;
  /** Whether the user has discarded the draft. */
  isDiscarded?: boolean;
};

type StartedUpload = { readonly uploadId: string; readonly batchIds: readonly string[] };

/**
 * Creates the controller of the draft. At first, there is no draft. Calls that need one fail with `draft/missing` if
 * there is none, and with `draft/stopped` if its worker has stopped.
 */
export const createDrafts = (options: DraftsOptions) => {
  const { host, cache, folders, connected, emit, onBug } = options;
  const storedDrafts = join(host.home, 'drafts');
  const endInTurn = createSerial();
  let present: OpenDraft | undefined;
  let hangs = false;

  const presentDraft = (): OpenDraft => (present?.draft && present) ?? noDraft();
  const inWorker = () => presentDraft().worker.call;
  const changed = (worker: DraftWorker, draft: Draft): void => {
    if (present?.worker !== worker) return;
    present.draft = draft;
    emit({ type: 'draft', value: draft });
  };
  /**
   * Closes the draft and ends its worker, even while the draft is being opened. `isKept`: whether the stored draft
   * remains, so that it can be continued later. Resolves when this and all earlier drafts have ended.
   */
  const discard = (isKept = true): Promise<void> => {
    const leaving = present;
    present = undefined;
    if (leaving) leaving.isDiscarded = !isKept;
    leaving?.ending.abort(new DeskError('app/cancelled', 'the draft was closed'));
    if (leaving) emit({ type: 'draft', value: undefined });
    return endInTurn(async () => {
      if (leaving === undefined) return;
      if (await leaving.worker.end()) hangs = true;
      // The call rejects if the connection is being closed. The next start of the app then deletes the list of reviewed
      // files.
      await leaving.services.uploads.reviewEnded(leaving.draftId).catch(() => {});
      if (!isKept) await removeKeptDraft(keptDraftPath(storedDrafts, leaving.owner));
    });
  };
  const readTargets = ({ services, worker, ending }: OpenDraft, isUpdating: boolean): void => {
    const { connectionId, service, readAhead } = services;
    const feed = () => feedTargets({ cache, connectionId, service, worker, isUpdating, ending: ending.signal, onBug });
    readAhead.during(feed).catch(onBug);
  };

  const open = async ({ isUpdated, isReopened, isRecovered, resumed, ...start }: DraftOptions): Promise<void> => {
    const services = connected();
    const owner = ownerOf(services);
    const draftId = randomUUID();
    const worker: DraftWorker = startDraftWorker(host.draftWorker, {
      draft: (draft) => changed(worker, draft),
      notice: (error) => options.onNotice(fromErrorData(error)),
      compare: async (group, signal) => (await services.uploads.compare(group, undefined, signal)).sources,
      sentArchives: () => options.fileSearch.sentArchives(services.connectionId),
      onBug,
      onLost: (error) => {
        // While the draft is being opened, the call that opens it reports the error.
        if (present?.worker !== worker || !present.draft) return;
        options.onNotice(error);
        // After a second crash, the stored draft waits for the next start of the app, because it may be the cause.
        const isContinued = start.isReviewed && !isRecovered;
        void discard()
          .then(() => (isContinued ? resumeStored(true) : undefined))
          .catch(onBug);
      },
    });
    const ending = new AbortController();
    const before = discard();
    // The draft is present from now on, so that it can be closed even while it is being opened.
    const opened: OpenDraft = { draftId, owner, services, worker, ending, preview: keepLastResult() };
    present = opened;
    try {
      await before;
      const history = { ...(await historyOf(services, onBug)), sendsInOnePiece: services.sendsInOnePiece() };
      const target = storedTarget(cache, services.connectionId, start.AssignmentId);
      const kept = { path: keptDraftPath(storedDrafts, owner), owner, kept: resumed, isReopened };
      const storage = start.isReviewed ? kept : undefined;
      const [lists, archives] = [join(host.home, 'reviewed'), host.readWorker.href];
      const rulesAt = { path: options.rules.path, connectionId: services.connectionId };
      const whole = { ...start, draftId, history, lists, archives, target, storage, rules: rulesAt };
      ending.signal.throwIfAborted();
      const opening = worker.call.open(whole);
      services.watchRemovals(worker.tell.compareAgain, ending.signal);
      opened.draft = await opening;
      ending.signal.throwIfAborted();
    } catch (error) {
      if (present === opened) await discard();
      throw error;
    }
    emit({ type: 'draft', value: opened.draft });
    readTargets(opened, !(isUpdated ?? start.AssignmentId !== undefined));
  };

  /** Opens a stored draft. If sources are `added`, opens the present draft again with these sources, too. */
  const resume = (kept: KeptDraft, added: readonly DraftSource[] = [], isRecovered = false): Promise<void> => {
    const { sources, AssignmentId, level, nameTemplate, onClash } = kept;
    const all = { sources: [...sources, ...added], isReopened: added.length > 0, isRecovered };
    return open({ ...all, AssignmentId, level, nameTemplate, onClash, isReviewed: true, resumed: kept });
  };

  const startOnce = async (opened: OpenDraft, upload: UploadRules, seen?: ChosenSum): Promise<StartedUpload> => {
    const { worker, services } = opened;
    const uploadId = randomUUID();
    const { rows: planned, leftOutFolders, choices } = await worker.call.plan(seen);
    const { rows, batchIds, reason } = await startRows(opened, planned, { ...upload, uploadId, leftOutFolders });
    try {
      services.watchedFolders.leaveOut(rows);
      options.rules.remember(services.connectionId, { ...choices, rules: rulesOf(rows) }, wallNow());
    } catch (error) {
      // The upload has started nevertheless. Only later drafts lack the decisions about it.
      if (error instanceof DeskError) options.onNotice(error);
      else onBug(error);
    }
    const rowIds = rows.map(({ rowId }) => rowId);
    if (await worker.call.started(rowIds, reason)) await discard(false);
    return { uploadId, batchIds };
  };
  /**
   * Starts one upload of the rows that have an assignment. Errors: those of `startTogether` if no row can be started;
   * `input/invalid` if there is nothing to upload; `draft/changed` if the upload would differ from `seen`.
   */
  const start = async (upload: UploadRules, seen?: ChosenSum): Promise<StartedUpload> => {
    const opened = presentDraft();
    // Two concurrent starts would upload the same rows twice.
    opened.starting ??= startOnce(opened, upload, seen).finally(() => {
      opened.starting = undefined;
    });
    return opened.starting;
  };

  const ownCalls = {
    ...createReviewCalls(cache, presentDraft, host.documentAddress),
    open: ({ folderIds, AssignmentId }) =>
      open({ sources: folderIds.map(folders.sourceOf), AssignmentId, isReviewed: true }),
    add: async ({ folderIds, AssignmentId }) => {
      const sources = folderIds.map(folders.sourceOf);
      const target = storedTarget(cache, presentDraft().services.connectionId, AssignmentId);
      const again = await inWorker().add({ sources, AssignmentId, target });
      if (again) await resume(again, sources);
    },
    setTarget: async (target) => {
      const opened = presentDraft();
      await opened.worker.call.setTarget(target);
      if (target.AssignmentId === undefined && opened.draft?.assignments.total === 0) readTargets(opened, true);
    },
    start: async ({ chosen, ...wanted } = {}) => {
      const started = await start(options.uploadRules(wanted), chosen);
      // The user's decisions may also settle the assignments of folders in watched folders.
      connected().watchedFolders.matchAgain();
      return started;
    },
    discard: () => discard(false),
  } satisfies Partial<Handlers['drafts']>;
  const calls = withServed(ownCalls, inWorker);
  /** Continues the stored draft of the present user, unless another draft is open. Reports errors to the user. */
  const resumeStored = async (isRecovered = false): Promise<void> => {
    try {
      const kept = await readKeptDraft(storedDrafts, ownerOf(connected()));
      // Another user may have signed in while the draft was read.
      if (!kept || !isOwnedBy(kept, ownerOf(connected())) || present) return;
      await resume(kept, [], isRecovered);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (error.code !== 'app/cancelled') options.onNotice(error);
    }
  };
  /**
   * To be called when another user may have signed in. Closes the draft of the previous user; the draft stays stored.
   * `resumes`: whether to continue the stored draft of the present user.
   */
  const userChanged = async (resumes: boolean): Promise<void> => {
    // If no draft is open, `discard` only waits until the previous draft has been closed and stored.
    if (!present || !isOwnedBy(present.owner, ownerOf(connected()))) await discard();
    if (resumes && !present) await resumeStored();
  };
  /** After `discard`, `hangs` returns whether a drive does not respond. */
  return { calls, current: () => present?.draft, open, userChanged, inWorker, start, discard, hangs: () => hangs };
};

const noDraft = (): never => {
  throw new DeskError('draft/missing', 'no upload is being prepared');
};

const ownerOf = ({ connectionId, session }: ConnectionServices): Owner => {
  const { subject } = session.user();
  return { connectionId, ...(subject !== undefined && { subject }) };
};

/**
 * Reads the facts from earlier uploads. Returns none if the ledger cannot be read, because the start of the upload
 * reports that error.
 */
const historyOf = ({ uploads }: ConnectionServices, onBug: (error: unknown) => void): Promise<DraftStart['history']> =>
  uploads.history().catch((error: unknown) => {
    if (!(error instanceof DeskError)) onBug(error);
    return { assignments: [] };
  });

/**
 * Starts a batch for each row. Leaves out rows whose folder cannot be started, for example because it is gone. Returns
 * the started rows, and the reason why others were left out. Makes no further attempt once the draft is closed, because
 * another user may be signed in then. If the draft was discarded meanwhile, cancels what has started, and rejects with
 * `app/cancelled`.
 */
const startRows = async (
  opened: OpenDraft,
  planned: readonly PlannedRow[],
  upload: UploadRules & { readonly uploadId: string; readonly leftOutFolders: readonly LeftOutFolder[] },
) => {
  const { services, ending } = opened;
  const { uploads } = services;
  if (planned.length === 0) throw new DeskError('input/invalid', 'there is nothing to upload');
  let rows = planned;
  let reason: ErrorData | undefined;
  for (;;) {
    ending.signal.throwIfAborted();
    try {
      const batches = await uploads.startTogether({ ...upload, uploads: rows.map((row) => row.upload) });
      if (opened.isDiscarded) {
        await uploads.changeUpload(upload.uploadId, 'cancel');
        ending.signal.throwIfAborted();
      }
      return { batchIds: batches.map(({ batchId }) => batchId), rows, reason };
    } catch (error) {
      if (!(error instanceof DeskError) || error.details.path === undefined) throw error;
      // All folders that cannot be started are left out together, because each attempt examines every folder.
      const refusals = await uploads.refusals(
        rows.map(({ upload: { root, realRoot, identity } }) => ({ root, realRoot, identity })),
      );
      const others = rows.filter((_, index) => refusals[index] === undefined);
      if (others.length === 0 || others.length === rows.length) throw error;
      rows = others;
      reason ??= toErrorData(error);
    }
  }
};

const storedTarget = (cache: Cache, connectionId: string, id: string | undefined): StoredTarget | undefined => {
  const known = id === undefined ? undefined : cache.assignment(connectionId, id);
  return known && { value: JSON.stringify(known.assignment), fetchedAtMs: known.fetchedAtMs };
};

/**
 * Returns all calls: those in `own`, which need the main thread, and for every other name the call that the worker
 * serves.
 */
const withServed = <Own extends Partial<Handlers['drafts']>>(
  own: Own,
  served: () => Omit<Handlers['drafts'], keyof Own>,
): Handlers['drafts'] => {
  type Served = Partial<Record<string, (input: unknown) => unknown>>;
  return functionsBy((name) => own[name as keyof Own] ?? ((input: unknown) => (served() as Served)[name]?.(input)));
};

/** The maximum number of assignments found for a text. A user does not look through more. */
const MOST_FOUND = 50;

/** Creates the calls that show a part of a draft. `open` returns the present draft, and throws if there is none. */
const createReviewCalls = (cache: Cache, open: () => OpenDraft, documentAddress: Host['documentAddress']) =>
  ({
    preview: async (of) => {
      const { picture, isPdf } = await open().worker.call.preview(of);
      return { picture, document: isPdf && documentAddress?.(of) };
    },
    candidates: async ({ rowId, text = '' }) => {
      const { worker, services } = open();
      if (text.trim() === '') return worker.call.candidates({ rowId });
      const { Items, total } = cache.findAssignments(services.connectionId, text, { offset: 0, limit: MOST_FOUND });
      return worker.call.candidates({ rowId, found: { ids: Items.map(({ AssignmentId }) => AssignmentId), total } });
    },
    clashes: async (row) => {
      const { worker, services, ending } = open();
      const group = await worker.call.clashSources(row);
      if (group === undefined) return { clashes: [], total: 0 };
      const { index = 0, ...sources } = group;
      const { clashes, sources: compared } = await services.uploads.compare(sources, index, ending.signal);
      return { clashes, total: compared[index]?.clashes.length ?? 0 };
    },
    names: async ({ rowId, offset, limit }) => {
      const { worker, services, ending, preview } = open();
      const group = await worker.call.clashSources({ rowId });
      if (group === undefined) return { renames: [], total: 0, listed: 0 };
      const { index, ...whole } = group;
      // If there is only one source, the preview of its row is that of the whole draft.
      const wanted = whole.sources.length === 1 ? whole : group;
      const found = await preview(JSON.stringify(wanted), () => services.uploads.preview(wanted, ending.signal));
      const page = found.renames.slice(offset, offset + limit);
      return { renames: page, total: found.renamed, listed: found.renames.length };
    },
  }) satisfies Partial<Handlers['drafts']>;

/**
 * Returns a rule for each row that the user assigned (`isDecided`) and whose folder has a name that rules can use
 * (`ruleName`).
 */
const rulesOf = (rows: readonly PlannedRow[]) =>
  rows
    .filter(({ isDecided }) => isDecided)
    .flatMap(({ upload: { assignmentId: AssignmentId }, ...row }) => {
      const named = ruleName(row);
      return named ? [{ nameKey: named.key, name: named.name, parent: named.parent, AssignmentId }] : [];
    });

type DraftWorker = Pick<Peer<WorkerCalls>, 'call' | 'tell'> & {
  /**
   * Ends the worker, and rejects every open call with `app/cancelled`. Resolves to whether a drive keeps it running.
   */
  readonly end: () => Promise<boolean>;
};

type WorkerOptions = MainCalls & {
  readonly onBug: (error: unknown) => void;
  /** Called when the worker has ended unexpectedly. Choices that it has not stored are lost. */
  readonly onLost: (error: DeskError) => void;
};

/**
 * How long to wait for the worker to end: longer than the worker itself waits for work that hangs (`REST_MS`). A worker
 * that has not ended by then ends with the process.
 */
const END_MS = REST_MS + 1_000;

const startDraftWorker = (module: URL, { onBug, onLost, ...local }: WorkerOptions): DraftWorker => {
  const closed = (): DeskError => new DeskError('app/cancelled', 'the draft was closed');
  const lost = (): DeskError =>
    new DeskError('draft/stopped', 'the thread of the draft has stopped', { retry: 'later' });
  const ended = Promise.withResolvers<boolean>();
  let isEnding = false;
  const { call, tell, end } = startWorker<WorkerCalls>(module, {
    name: 'draft',
    isBackground: true,
    local,
    stopped: () => (isEnding ? closed() : lost()),
    onBug,
    onExit: () => {
      if (!isEnding) onLost(lost());
      ended.resolve(false);
    },
  });
  return {
    call,
    tell,
    end: async () => {
      isEnding = true;
      call.end().catch(() => {});
      const timer = setTimeout(ended.resolve, END_MS, true);
      const hangs = await ended.promise;
      clearTimeout(timer);
      end(closed());
      return hangs;
    },
  };
};

type FeedOptions = Pick<ConnectionServices, 'connectionId' | 'service'> & {
  readonly cache: Cache;
  readonly worker: Pick<Peer<WorkerCalls>, 'call' | 'tell'>;
  /** Whether lists that are missing or old are read from the service. */
  readonly isUpdating: boolean;
  /** Whether reading ends as soon as no unread list can change the match of a folder. Default: false. */
  readonly isEnough?: boolean;
  readonly ending: AbortSignal;
  readonly onBug: (error: unknown) => void;
};

/** The number of lists fetched before the worker is asked again which lists its folders wait for. */
const ASKED_EVERY = 20;

/**
 * Sends the stored lists to the worker and, if `isUpdating`, lists from the service; then the reason if a list is
 * missing.
 */
const feedTargets = async (options: FeedOptions): Promise<void> => {
  const { cache, worker, connectionId, service, isUpdating, ending, onBug } = options;
  const lists = createAssignmentLists({
    cache,
    connectionId,
    service,
    now: wallNow,
    onProgress: (progress) => worker.tell.progress(progress),
  });
  let reason: ErrorData | undefined;
  const notingErrors = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DeskError)) onBug(error);
      else if (!ending.aborted) reason = toErrorData(error);
    }
  };
  const handOver = async (isReading: boolean): Promise<Missing> => {
    const missing: Missing = { unread: new Map(), read: 0, isPartial: true };
    worker.tell.begin({ isReading });
    await notingErrors(async () => {
      for await (const part of lists.targets()) {
        if (ending.aborted) return;
        worker.tell.targets(part);
      }
      for await (const { unread, listed } of lists.unread()) {
        if (ending.aborted) return;
        worker.tell.unread(unread);
        for (const protocol of unread) missing.unread.set(protocol.InspectionProtocolId, protocol);
        missing.read += listed - unread.length;
      }
      missing.isPartial = !lists.isWhole();
    });
    return missing;
  };

  const isWhole = lists.isWhole();
  let missing = await handOver(isUpdating);
  let withoutProjects: DeskError | undefined;
  if (isUpdating && !isWhole) {
    await notingErrors(async () => {
      withoutProjects = await lists.readWhole(ending);
    });
    missing = await handOver(true);
  }
  if (isUpdating && reason === undefined && missing.unread.size > 0) {
    worker.tell.updated({ isPartial: missing.isPartial, isReading: true });
    await notingErrors(() => readMissing(lists, missing, options));
  }
  reason ??= withoutProjects && toErrorData(withoutProjects);
  if (!ending.aborted) worker.tell.updated({ isPartial: missing.isPartial, isReading: false, reason });
};

/**
 * What is missing in the stored lists. `unread`: the protocols whose assignments have to be read; `read`: the number of
 * protocols whose assignments need not be read; `isPartial`: whether the list of protocols may lack some.
 */
type Missing = { readonly unread: Map<string, ListedProtocol>; read: number; isPartial: boolean };

/** Reads the missing lists of assignments, beginning with the lists that a folder waits for. */
const readMissing = async (
  lists: AssignmentLists,
  { unread, read }: Missing,
  { worker, isEnough = false, ending }: FeedOptions,
): Promise<void> => {
  const leftMs = estimate();
  const total = unread.size;
  let done = 0;
  let wanted: readonly string[] = [];
  let requested = 0;
  let isSettled = false;
  const tell = (): void =>
    worker.tell.progress({
      stage: 'assignments',
      read: read + done,
      total: read + total,
      leftMs: leftMs(done, total),
    });
  const next = async (): Promise<ListedProtocol | undefined> => {
    if (requested % ASKED_EVERY === 0) ({ protocols: wanted, isSettled } = await worker.call.wanted(ASKED_EVERY));
    requested += 1;
    if (isEnough && isSettled) return undefined;
    const id = wanted.find((one) => unread.has(one)) ?? unread.keys().next().value;
    const protocol = id === undefined ? undefined : unread.get(id);
    if (id !== undefined) unread.delete(id);
    return protocol;
  };
  tell();
  await lists.readAssignments(
    next,
    ({ InspectionProtocolId }, targets) => {
      done += 1;
      if (targets) worker.tell.read({ InspectionProtocolId, targets });
      tell();
    },
    ending,
  );
};

type MatchingParts = Pick<DraftsOptions, 'host' | 'cache' | 'rules' | 'onBug'>;

/**
 * Creates a function that matches folders without a draft, in a worker that ends with the call, and resolves to the
 * result of `ask`. `target`: the id of an assignment that is known even if no list contains it. Errors:
 * `draft/stopped`, `data/…`, `app/cancelled` once `ending` is aborted.
 */
export const matchFoldersIn =
  ({ host, cache, rules, onBug }: MatchingParts) =>
  async <T>(
    { connectionId, service }: Pick<ConnectionServices, 'connectionId' | 'service'>,
    folders: readonly FolderName[],
    ask: (worker: DraftWorker['call']) => Promise<T>,
    how: Pick<FeedOptions, 'isUpdating' | 'isEnough' | 'ending'> & { readonly target?: string },
  ): Promise<T> => {
    const nothing = {
      draft: () => {},
      notice: () => {},
      compare: async () => [],
      sentArchives: async () => [],
      onLost: () => {},
    };
    const worker = startDraftWorker(host.draftWorker, { onBug, ...nothing });
    try {
      const history = { assignments: [] };
      const place = { path: rules.path, connectionId };
      const target = storedTarget(cache, connectionId, how.target);
      await worker.call.open({ draftId: randomUUID(), history, sources: [], folders, target, rules: place });
      await feedTargets({ cache, connectionId, service, worker, onBug, ...how });
      return await orCancelled(ask(worker.call), how.ending);
    } finally {
      await worker.end();
    }
  };

// The folders and files that were chosen or dropped, and the files that are to be written for users. The renderer gets
// names and opaque ids, but no paths.

export type Folders = ReturnType<typeof createFolders>;

export const createFolders = ({ home, handOver }: Pick<Host, 'home' | 'handOver'>) => {
  const sources = new Map<string, DraftSource>();
  /** What the app has saved for the user. `real`: the real path when it was saved. */
  const saved = new Map<string, { readonly path: string; readonly real: string }>();
  const patience = createPatience();
  const adopt = (source: Omit<DraftSource, 'name'>): Folder => {
    const folderId = randomUUID();
    const name = sourceName(source);
    sources.set(folderId, { ...source, name });
    return { folderId, name };
  };
  return {
    adopt,
    /**
     * Assigns an id to each folder in `paths`, and one id to all files of the same folder. `missing`: whether paths
     * that do not exist are refused. Errors: `upload/file-missing`, `upload/drive-unresponsive`.
     */
    adoptPaths: async (
      paths: readonly string[],
      missing: 'refused' | 'left out' = 'refused',
    ): Promise<readonly Folder[]> => {
      const find = async (path: string): Promise<Stats | undefined> => {
        try {
          return await patience(path, () => stat(path));
        } catch (cause) {
          if (isUnresponsive(cause)) throw cause;
          if (missing === 'left out') return undefined;
          throw new DeskError('upload/file-missing', 'the dropped file does not exist', { cause });
        }
      };
      return (await sourcesOf(paths, find)).map(adopt);
    },
    sourceOf: (folderId: string): DraftSource => {
      const source = sources.get(folderId);
      if (source) return source;
      throw new DeskError('input/invalid', 'there is no such folder', { details: { field: 'folderId' } });
    },
    /**
     * Checks the path of a file that is to be written for the user, and resolves to its real path. A host with
     * `handOver` chooses its own paths, which need no check. Errors: those of `userFile`; `upload/drive-unresponsive`.
     */
    fileToWrite: async (path: string): Promise<string> =>
      handOver ? path : patience(path, () => userFile(path, home)),
    /** Assigns an id to a file or folder that the app has saved for the user. */
    adoptSaved: async (path: string): Promise<string> => {
      const savedId = randomUUID();
      saved.set(savedId, { path, real: await patience(path, () => realPath(path)).catch(() => path) });
      return savedId;
    },
    /**
     * Resolves to the path of what was saved. Errors: `input/invalid`, `upload/file-missing`, `upload/file-linked`,
     * `upload/drive-unresponsive`.
     */
    savedPath: async (savedId: string): Promise<string> => {
      const { path, real } = saved.get(savedId) ?? {};
      if (path === undefined)
        throw new DeskError('input/invalid', 'there is no such file', { details: { field: 'savedId' } });
      const missing = (cause: unknown): never => {
        throw new DeskError('upload/file-missing', 'the file is gone', { details: { path }, cause });
      };
      // Another user may have put a link to a program in the place of what was saved.
      if ((await patience(path, () => realPath(path).catch(missing))) !== real)
        throw new DeskError('upload/file-linked', 'a link took the place of the file', { details: { path } });
      return path;
    },
  };
};

/**
 * Returns the name of a source for users: that of its only file, or of the archive that contains this file; otherwise
 * that of its folder.
 */
const sourceName = ({ root, only = [] }: Source): string => {
  const [file, ...others] = only;
  return file !== undefined && others.length === 0 ? archiveOf(file) : folderName(root);
};

const sourcesOf = async (
  paths: readonly string[],
  find: (path: string) => Promise<Stats | undefined>,
): Promise<readonly Source[]> => {
  const folders = new Set<string>();
  const there: string[] = [];
  for (const path of paths) {
    const found = await find(path);
    if (found?.isDirectory()) folders.add(path);
    if (found) there.push(path);
  }
  const groups = Map.groupBy(there, (path) => (folders.has(path) ? path : `files of ${dirname(path)}`));
  return [...groups.values()].map(([first = '', ...others]) =>
    folders.has(first)
      ? { root: first }
      : { root: dirname(first), only: [first, ...others].map((path) => basename(path)) },
  );
};

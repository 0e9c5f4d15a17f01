/** Uploads: batches that are started, watched, paused, resumed, cancelled and retried. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { isOwnedBy, type Owner } from '../../../contract/connection.ts';
import { DeskError, type ErrorData } from '../../../contract/errors.ts';
import { type Hours, isOpen } from '../../../contract/hours.ts';
import {
  type Batch,
  hasEnded,
  isActive,
  isBeingCancelled,
  isHeldBack,
  ownNameTemplate,
} from '../../../contract/uploads.ts';
import { createThrottle, reporting } from '../../async/throttle.ts';
import { type BatchRow, HELD_BACK, type NewBatch } from '../ledger/batches.ts';
import { everyItem, itemsFrom, RANGE } from '../ledger/items.ts';
import { viewFile } from '../ledger/replaced-files.ts';
import { writeReport } from '../receipts/report.ts';
import { writeReceipt } from '../receipts/write-receipt.ts';
import { contentOf, inTime } from '../source/local-file.ts';
import { locateFile } from '../source/open-file.ts';
import { chosenFolderOf, realRootOf } from '../source/paths.ts';
import { createReviewedList, dropReviewedList, type ReviewedList } from '../source/reviewed-list.ts';
import { assertFolder } from '../source/scan.ts';
import { createContentOf } from '../transfer/own-name.ts';
import { removeFile } from '../transfer/remove-file.ts';
import type { TransferContext } from '../transfer/transfer-context.ts';
import { cancelBatch, type Requeued, requeueFailed, requeueFiles, verifyPart } from './batch-actions.ts';
import { createSupervisor, EVENT_INTERVAL_MS, type SupervisorOptions } from './batch-supervisor.ts';
import { compareFolders, type Naming, previewFolders } from './plan-batch.ts';
import type { PlannedUpload, Upload, UploadRules, Uploads, WholeUpload } from './uploads-api.ts';

type UploadsOptions = Omit<SupervisorOptions, 'onPlanned'> & {
  /** The connection and its signed-in user; without a subject while signed out. */
  readonly owner: () => Owner;
  /** Throws `auth/required` while signed out. */
  readonly assertSignedIn: () => void;
  /** The organisation's, as in `EngineSettings`. */
  readonly hours?: Hours | undefined;
};

/** Maximum number of files in one response. */
const PAGE_FILES = 1_000;
/** Folders that are looked at together before they are uploaded. */
const FOLDERS_AT_ONCE = 32;

/** The uploads of one connection. Nothing runs until it is started. */
export const createUploads = (options: UploadsOptions): Uploads => {
  const access = openAccess(options);
  const { cancelling, notify, supervisor, telling, closing } = access;
  const changes = createChanges(access);
  const begin = ({ id, isHeldBack }: NewBatch): Batch | Promise<Batch> => (isHeldBack ? notify(id) : changes.run(id));
  const startTogether: Uploads['startTogether'] = async ({ uploads, uploadId = randomUUID(), ...rules }) => {
    access.assertSignedIn();
    const added = await access.insert(
      uploads.map((upload) => ({ ...upload, ...rules })),
      uploadId,
    );
    return Promise.all(added.map(begin));
  };
  return {
    ...createViews(access),
    ...changes.calls,
    startTogether,
    start: async ({ uploadId, ...upload }) => {
      const [batch] = await startTogether({ uploads: [upload], uploadId });
      if (!batch) throw new Error('a batch was not added');
      return batch;
    },
    reviewEnded: access.reviewEnded,
    close: async () => {
      closing.abort();
      try {
        await supervisor.close();
        await Promise.allSettled(cancelling.values());
      } finally {
        telling.end();
      }
    },
  };
};

type Access = ReturnType<typeof openAccess>;

/** The state shared by all calls: the rows and views of batches, running batches, and cancellations in progress. */
const openAccess = ({ owner, assertSignedIn, hours = [], ...options }: UploadsOptions) => {
  const { onBatch, onBug } = options;
  /** Numbers of batches whose removed files have changed: thousands are removed one after another. */
  const lessened = new Set<number>();
  const onRemoved = (items: readonly number[]): void => {
    for (const item of items) lessened.add(Math.floor(item / RANGE));
    if (items.length > 0) telling.request();
  };
  const context = { ...options.context, onRemoved };
  const { batches } = context.ledger;
  const { insert, reviewEnded, dropEndedReviews } = createInsertion(context, owner);
  const supervisor = createSupervisor({ ...options, context, onPlanned: dropEndedReviews });
  const cancelling = new Map<string, Promise<Batch>>();
  const closing = new AbortController();

  const rowOf = (id: string): BatchRow => {
    const row = batches.get(id);
    if (!row) throw new DeskError('upload/batch-unknown', 'there is no such batch', { details: { batch: id } });
    return row;
  };
  const get = (id: string): Batch => supervisor.view(rowOf(id));
  /** Empty if a damaged ledger cannot supply the batch's counts. */
  const viewIfReadable = (row: BatchRow): readonly Batch[] => {
    try {
      return [supervisor.view(row)];
    } catch (error) {
      if (!context.ledger.damage) throw error;
      return [];
    }
  };
  const notify = (id: string): Batch => {
    const batch = get(id);
    onBatch(batch);
    return batch;
  };
  const telling = createThrottle(
    () => {
      const rows = batches.numbered([...lessened]);
      lessened.clear();
      // A batch that cannot be read must not prevent reports of the others.
      for (const row of rows) reporting(() => onBatch(supervisor.view(row)), onBug)();
    },
    EVENT_INTERVAL_MS,
    onBug,
  );
  /** The batch, if this connection and user may change it. */
  const ownRow = (id: string): BatchRow => {
    const row = rowOf(id);
    if (isOwnedBy(row, owner())) return row;
    throw new DeskError('upload/other-session', 'the batch belongs to another sign-in', { details: { batch: id } });
  };
  /** Resolves when the batch is neither running nor being cancelled. */
  const atRest = async (id: string): Promise<void> => {
    await supervisor.ended(id);
    await cancelling.get(id)?.catch(() => {});
  };
  const views = { rowOf, ownRow, get, viewIfReadable, notify, atRest };
  const shared = { context, owner, assertSignedIn, hours, onBug, supervisor, cancelling, closing, telling };
  return { ...views, ...shared, insert, reviewEnded };
};

/** Adds batches to the ledger, and drops the lists of reviewed files that none of them needs any more. */
const createInsertion = ({ ledger, now }: TransferContext, owner: () => Owner) => {
  const { batches, commit, lists } = ledger;
  /** Lists of reviewed files that nothing is started from any more. */
  const endedReviews = new Set<string>();
  /** Number of starts whose batches are not in the ledger yet, so that it does not know what they need. */
  let inserting = 0;
  const dropEndedReviews = (): void => {
    if (endedReviews.size === 0 || inserting > 0) return;
    const needed = batches.reviewedLists();
    for (const list of endedReviews) {
      if (needed.has(list)) continue;
      dropReviewedList(lists, list);
      endedReviews.delete(list);
    }
  };
  const reviewEnded = (list: string): void => {
    endedReviews.add(list);
    dropEndedReviews();
  };

  const newBatch = async (
    { only, except, nameTemplate = ownNameTemplate, onClash = 'rename', ...upload }: Upload & UploadRules,
    together: Pick<NewBatch, 'uploadId' | 'createdAtMs' | 'connectionId' | 'subject'>,
    list: () => ReviewedList,
  ): Promise<NewBatch> => {
    const root = resolve(upload.root);
    const realRoot = await realRootOf({ ...upload, root });
    const identity = await assertFolder({ ...upload, root, realRoot });
    const listed = upload.found && list();
    const range = listed?.add({ below: '', identity }, upload.found ?? []);
    const reviewed = listed && range ? { list: listed.id, below: '', ranges: [range] } : upload.reviewed;
    const leavesLater = reviewed !== undefined && upload.takesLater !== true;
    const place = { root, realRoot, identity: upload.identity ?? identity, only, except, reviewed, leavesLater };
    const { assignmentId, clashChoices, schedule, isHeldBack, receipt } = upload;
    const rules = { nameTemplate, onClash, clashChoices, schedule, isHeldBack, receipt };
    return { id: randomUUID(), ...together, ...place, assignmentId, ...rules };
  };
  const insert = async (uploads: readonly (Upload & UploadRules)[], uploadId: string): Promise<readonly NewBatch[]> => {
    const added: NewBatch[] = [];
    // One time for all, so that they are listed in the order given and not in that in which their folders were read. They belong to
    // the user who starts them, even if another one signs in meanwhile.
    const together = { uploadId, createdAtMs: now(), ...owner() };
    let list: ReviewedList | undefined;
    const listOnce = (): ReviewedList => {
      list ??= createReviewedList(lists);
      return list;
    };
    inserting += 1;
    try {
      for (let next = 0; next < uploads.length; next += FOLDERS_AT_ONCE) {
        const some = uploads.slice(next, next + FOLDERS_AT_ONCE);
        added.push(...(await Promise.all(some.map((upload) => newBatch(upload, together, listOnce)))));
      }
      list?.save(true);
      await commit(() => added.forEach(batches.insert));
    } catch (error) {
      list?.discard();
      throw error;
    } finally {
      inserting -= 1;
    }
    list?.close();
    if (list) reviewEnded(list.id);
    else dropEndedReviews();
    return added;
  };
  return { insert, reviewEnded, dropEndedReviews };
};

/** The calls that only read. */
const createViews = ({ context, owner, rowOf, get, viewIfReadable, atRest, closing }: Access) => {
  const { batches, items, knownFiles, replacedFiles, history } = context.ledger;
  const { open, timeouts } = context;
  const namingOf = ({ assignmentId, nameTemplate }: PlannedUpload, signal: AbortSignal): Naming => ({
    template: nameTemplate ?? ownNameTemplate,
    taken: { ledger: context.ledger, assignment: { connectionId: owner().connectionId, assignmentId } },
    contentOf: createContentOf(context, signal),
  });
  return {
    preview: ({ index, ...upload }, signal) => previewFolders(upload.sources, namingOf(upload, signal), signal, index),
    compare: (upload, window, signal) => compareFolders(upload.sources, namingOf(upload, signal), window, signal),
    history: () => {
      const { connectionId } = owner();
      return {
        assignments: history.assignments(connectionId),
        refusedBytes: history.smallestRefused(connectionId),
      };
    },
    list: (connectionId) => batches.list(connectionId).flatMap(viewIfReadable),
    get,
    files: (id, filter) => {
      const { items: found, total } = items.list(rowOf(id).id, filter);
      return { files: found.map((item) => viewFile(item, replacedFiles.of(item.id))), total };
    },
    versions: (id, afterId) =>
      items
        .after(rowOf(id).id, { afterId, limit: PAGE_FILES })
        .map(({ id: itemId, path, state, sizeBytes, modifiedMs, identity, ...item }) => {
          const isThere = (state === 'done' || state === 'skipped') && !item.removed;
          return { id: itemId, path, state, sizeBytes, modifiedMs, identity, ...(isThere && { sha256: item.sha256 }) };
        }),
    placeOf: (id, fileId) => {
      const { root, realRoot } = rowOf(id);
      if (fileId === undefined) return { root, realRoot };
      const [first] = items.after(id, { afterId: 0, limit: 1 });
      const isInBatch = first && Math.floor(fileId / RANGE) === Math.floor(first.id / RANGE);
      const item = isInBatch && items.get(fileId);
      if (!item) throw new DeskError('input/invalid', 'the batch has no such file', { details: { batch: id, fileId } });
      return { root, realRoot, path: item.path };
    },
    locate: (place) => inTime(locateFile(place), timeouts.idleMs, closing.signal),
    errorGroups: (id) => items.errorGroups(rowOf(id).id),
    receipt: (job, path) =>
      writeReceipt(path, job, (id) => ({
        batch: get(id),
        sender: rowOf(id).subject,
        items: (offset, count) => itemsFrom(items, id, offset, count),
        failed: (limit) => items.list(id, { states: ['failed', 'uncertain'], offset: 0, limit }).items,
      })),
    report: (of, path, format) => {
      const reported = (id: string) => ({ batch: get(id), items: everyItem(items, id) });
      const all = typeof of === 'string' ? reported(of) : { upload: of.upload, batches: of.batches.map(reported) };
      return writeReport(path, all, format);
    },
    verify: (id, after, signal) => verifyPart({ items, open, idleMs: timeouts.idleMs }, rowOf(id), after, signal),
    contentOf: (path, signal) => contentOf(open, path, timeouts.idleMs, signal),
    removable: (id, afterId) => {
      const row = rowOf(id);
      const page = items.after(id, { afterId, limit: PAGE_FILES });
      const files = page.flatMap(({ state, removed, key, path, fileName, sizeBytes }) => {
        const isThere = state === 'done' && !removed && key !== undefined;
        const addedAtMs = isThere ? knownFiles.addedAtMs(row, key) : undefined;
        if (key === undefined || addedAtMs === undefined) return [];
        const folder = chosenFolderOf({ root: row.root, path });
        return [{ Key: key, FileName: fileName, path, folder, sizeBytes, addedAtMs }];
      });
      return { files, lastId: page.length < PAGE_FILES ? undefined : page.at(-1)?.id };
    },
    mayHaveArrived: (id) => items.mayHaveArrived(rowOf(id).id),
    knownFiles: (assignmentId) => knownFiles.list({ connectionId: owner().connectionId, assignmentId }),
    ended: async (id) => {
      await atRest(id);
      return get(id);
    },
  } satisfies Partial<Uploads>;
};

/** Whether a batch paused because its user had no session. */
const isOfSession = ({ code }: Pick<ErrorData, 'code'>): boolean =>
  code.startsWith('auth/') || code === 'upload/other-session';

const assertState = (row: BatchRow, ...possible: readonly (BatchRow['state'] | 'cancelling')[]): void => {
  const state = isBeingCancelled(row) ? 'cancelling' : row.state;
  if (possible.includes(state)) return;
  throw new DeskError('upload/batch-state', `not possible while the batch is ${state}`, {
    details: { batch: row.id, state },
  });
};

/** Cancels a batch; further calls join the cancellation in progress. */
const createCancel = ({ context, supervisor, cancelling, closing, rowOf, notify }: Access) => {
  const { batches, commit } = context.ledger;
  const cancelOnce = async (id: string): Promise<Batch> => {
    await commit(() => batches.setCancelling(id));
    notify(id);
    await supervisor.abort(id);
    const row = rowOf(id);
    // Its last files may have settled in the meantime.
    if (isBeingCancelled(row)) await cancelBatch(context, row, closing.signal);
    return notify(id);
  };
  return (id: string): Promise<Batch> => {
    const inProgress = cancelling.get(id) ?? cancelOnce(id).finally(() => cancelling.delete(id));
    cancelling.set(id, inProgress);
    return inProgress;
  };
};

/** The calls that change batches. `run` starts one once a previous run has ended. */
const createChanges = (access: Access) => {
  const { context, owner, assertSignedIn, hours, onBug, supervisor, cancelling } = access;
  const { rowOf, ownRow, get, viewIfReadable, notify, atRest } = access;
  const { ledger, now } = context;
  const { batches, commit } = ledger;
  const cancelOrJoin = createCancel(access);

  /**
   * Starts the batch unless it was paused or cancelled in the meantime. `isWanted`: the user wants it now, which
   * overrules its schedule but not the organisation's hours.
   */
  const run = async (id: string, isWanted = false): Promise<Batch> => {
    await atRest(id);
    // The files that were being sent when it was paused may have been its last ones.
    if (rowOf(id).state === 'finished') return get(id);
    await commit(() => {
      const row = rowOf(id);
      assertState(row, 'scanning', 'running', 'paused');
      if (isWanted && !isOpen(hours, new Date(now()))) {
        batches.setSchedule(id, { hours, ...row.schedule, overruled: false });
        batches.setState(id, 'paused', HELD_BACK);
        return;
      }
      batches.setState(id, row.scanned ? 'running' : 'scanning');
      if (isWanted && row.schedule) batches.setSchedule(id, { ...row.schedule, overruled: true });
    });
    const row = rowOf(id);
    if (isActive(row) && !supervisor.runs(id)) supervisor.begin(row);
    return notify(id);
  };

  /** A run that is ending because there is no session has to end before the batch can continue. */
  const resumeIfInterrupted = async (id: string): Promise<void> => {
    await atRest(id);
    if (supervisor.isClosed()) return;
    const row = rowOf(id);
    if (!isOwnedBy(row, owner())) return;
    if (isBeingCancelled(row)) {
      cancelOrJoin(id).catch((error) => {
        if (!(error instanceof DeskError)) onBug(error);
      });
    } else if (isActive(row) || (row.reason && isOfSession(row.reason))) await run(id);
  };

  const retry = async (id: string, requeue: (batch: BatchRow) => Promise<Requeued>): Promise<Batch> => {
    await cancelling.get(id)?.catch(() => {});
    const row = ownRow(id);
    assertSignedIn();
    assertState(row, 'scanning', 'running', 'paused', 'finished', 'cancelled');
    const requeued = await requeue(row);
    if (requeued.files === 0) return get(id);
    // A run that has not ended picks them up, even at its last moment.
    return !requeued.reopened && supervisor.runs(id) ? notify(id) : run(id, true);
  };

  const pause: Uploads['pause'] = async (id, reason) => {
    // A batch that the app holds back may get another reason.
    const isPausable = (row: BatchRow): boolean => isActive(row) || (reason !== undefined && isHeldBack(row));
    const row = ownRow(id);
    if (!isPausable(row)) assertState(row, 'scanning', 'running');
    supervisor.pause(id);
    await commit(() => {
      // The batch may have finished in the meantime.
      if (!isPausable(rowOf(id))) return;
      batches.setState(id, 'paused', reason);
      // A run that was about to start has started by now, or finds the batch paused.
      supervisor.pause(id);
    });
    return notify(id);
  };
  const resume: Uploads['resume'] = async (id, isDue = false) => {
    const row = ownRow(id);
    assertSignedIn();
    assertState(row, 'scanning', 'running', 'paused');
    return row.state !== 'paused' && supervisor.runs(id) ? get(id) : run(id, !isDue);
  };
  const cancel: Uploads['cancel'] = async (id) => {
    assertState(ownRow(id), 'scanning', 'running', 'paused', 'cancelling');
    return cancelOrJoin(id);
  };
  const retryFailed: Uploads['retryFailed'] = (id) => retry(id, (row) => requeueFailed(ledger, row));
  const addLater: Uploads['addLater'] = async (id) => {
    const row = ownRow(id);
    assertSignedIn();
    assertState(row, 'running', 'paused', 'finished');
    if (!row.leavesLater) return get(id);
    // A run plans its batch once.
    supervisor.pause(id);
    await atRest(id);
    await commit(() => {
      if (batches.takeLater(id)) batches.setState(id, 'scanning');
    });
    return isActive(rowOf(id)) ? run(id, true) : get(id);
  };

  const batchesOf = (uploadId: string): readonly Batch[] => batches.ofUpload(uploadId).flatMap(viewIfReadable);
  const sendFirst: Uploads['sendFirst'] = async (id, ids) => {
    assertState(ownRow(id), 'scanning', 'running', 'paused');
    await commit(() => batches.sendFirst(id, now(), ids));
    supervisor.sendFirst(rowOf(id));
    return notify(id);
  };
  const changes = { pause, resume, cancel, retryFailed, addLater, sendFirst };
  const calls = {
    ...changes,
    ...createWholeUpload(batchesOf, changes),
    retryFiles: (id, ids) => retry(id, (row) => requeueFiles(ledger, row, ids)),
    receiptSaved: async (uploadId) => {
      await commit(() => batches.receiptSaved(uploadId));
      for (const { id } of batches.ofUpload(uploadId)) notify(id);
    },
    setSchedule: async (id, schedule) => {
      ownRow(id);
      await commit(() => batches.setSchedule(id, schedule));
      return notify(id);
    },
    removeFile: ({ AssignmentId, Key }, signal) =>
      removeFile(context, { connectionId: owner().connectionId, assignmentId: AssignmentId }, Key, signal, true),
    resumeInterrupted: async (ids = batches.list(owner().connectionId).map(({ id }) => id)) => {
      await Promise.all(ids.map(resumeIfInterrupted));
    },
  } satisfies Partial<Uploads>;
  return { run, calls };
};

/** The changes of whole uploads: each of their batches that allows one. */
const createWholeUpload = (
  batchesOf: (uploadId: string) => readonly Batch[],
  change: Pick<Uploads, 'pause' | 'resume' | 'cancel' | 'retryFailed' | 'addLater' | 'sendFirst'>,
): WholeUpload => {
  const each = async (
    uploadId: string,
    is: (batch: Batch) => boolean,
    changeOne: (batch: string) => Promise<Batch>,
  ): Promise<void> => {
    const changes = batchesOf(uploadId)
      .filter(is)
      .map(({ batchId }) => changeOne(batchId).catch(unlessChanged));
    for (const one of await Promise.allSettled(changes)) if (one.status === 'rejected') throw one.reason;
  };
  return {
    pauseAll: (id) => each(id, isActive, change.pause),
    resumeAll: (id) => each(id, (batch) => batch.state === 'paused' && !isBeingCancelled(batch), change.resume),
    cancelAll: (id) => each(id, (batch) => !hasEnded(batch), change.cancel),
    retryAllFailed: (id) =>
      each(id, (batch) => batch.failed + (batch.notReplaced ?? 0) > 0 && !isBeingCancelled(batch), change.retryFailed),
    sendAllFirst: (id) => each(id, (batch) => !hasEnded(batch) && !isBeingCancelled(batch), change.sendFirst),
    addAllLater: (id) => each(id, ({ leftOut }) => (leftOut.later ?? 0) > 0, change.addLater),
  };
};

/** A batch may finish, or be changed on its own, before its turn comes. */
const unlessChanged = (error: unknown): void => {
  if (!(error instanceof DeskError) || error.code !== 'upload/batch-state') throw error;
};

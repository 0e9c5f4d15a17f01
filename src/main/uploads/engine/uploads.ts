/** Uploads, as batches. Main calls these functions through `RemoteUploads`, so all data has to be cloneable. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { mapAsync } from 'es-toolkit/array/mapAsync';
import { identity } from 'es-toolkit/function/identity';
import { isOwnedBy, type Owner } from '../../../contract/connection.ts';
import { DeskError, type ErrorData, fromErrorData, onDeskError, toErrorData } from '../../../contract/errors.ts';
import { type Hours, isDue, isOpen } from '../../../contract/hours.ts';
import {
  type Batch,
  type BatchSchedule,
  hasEnded,
  isActive,
  isBeingCancelled,
  isHeldBack,
  type NameTemplate,
  type OnClash,
  ownNameTemplate,
  type UploadFile,
  type UploadStep,
} from '../../../contract/uploads.ts';
import { type ItemFilter, itemsFrom, RANGE } from '../ledger/items.ts';
import type { BeingRemoved } from '../ledger/known-files.ts';
import { type BatchRow, type ClashChoices, HELD_BACK, type LeftOutFolder, type NewBatch } from '../ledger/ledger.ts';
import type { ReportFormat } from '../receipts/report.ts';
import type { ReceiptJob } from '../receipts/write-receipt.ts';
import type { FolderIdentity } from '../source/file-identity.ts';
import { contentOf } from '../source/local-file.ts';
import { type FilePlace, locateFile } from '../source/open-file.ts';
import { chosenFolderOf, type KnownFolder, realRootOf } from '../source/paths.ts';
import {
  assertFolder,
  createPatience,
  createReviewedList,
  dropReviewedList,
  NOTHING_LEFT_OUT,
  type ReviewedList,
  type ScannedFile,
  type Source,
} from '../source/scan.ts';
import { compareFolders, type Naming, type PlannedSource, previewFolders } from '../transfer/names.ts';
import { removeFile } from '../transfer/remove-file.ts';
import type { RemovalRequest, TransferContext } from '../transfer/transfer-context.ts';
import { cancelBatch, requeue, verifyPart } from './batch-actions.ts';
import { createReports, createSupervisor, type SupervisorOptions } from './batch-supervisor.ts';

/** What to upload. By default, files keep their names, and are renamed if their FileName is taken. */
export type Upload = Source & {
  /** The files of the source, if the caller has found them already and they are few. Overrides `reviewed`. */
  readonly found?: readonly ScannedFile[] | undefined;
  /** How many files of the source the review left out (`except`). */
  readonly leftOutInReview?: number | undefined;
  readonly assignmentId: string;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
  readonly clashChoices?: ClashChoices | undefined;
};

/** `isHeldBack`: the schedule forbids the upload now. `receipt`: the format of the receipt that is saved at the end. */
export type UploadRules = Pick<NewBatch, 'schedule' | 'isHeldBack' | 'isPaused' | 'receipt'> & {
  /** Whether files added or changed after the review are uploaded, too, in their state when the upload starts. */
  readonly takesLater?: boolean | undefined;
};

/** Sources to be uploaded to one assignment, in this order, each as a separate batch. */
type PlannedUpload = Pick<Upload, 'assignmentId' | 'nameTemplate'> & { readonly sources: readonly PlannedSource[] };

/** Who is signed in. `reason`: why nobody is signed in, if the service has ended the session. */
export type EngineSession = { readonly signedIn: boolean; readonly reason?: ErrorData | undefined } & Pick<
  Owner,
  'subject'
>;

type UploadsOptions = Omit<SupervisorOptions, 'owner' | 'onPlanned' | 'reports'> & {
  readonly connectionId: string;
  /** The session until `setSession` changes it. */
  readonly session: EngineSession;
  readonly onBatches: Parameters<typeof createReports>[1];
  /** The organisation's hours for uploads. Absent: at any time. */
  readonly hours?: Hours | undefined;
};

/** The maximum number of files that one call of `versions` or `removable` examines. */
const PAGE_FILES = 1_000;
/** The maximum number of folders that are checked concurrently before their upload starts. */
const FOLDERS_AT_ONCE = 32;

/**
 * Creates the uploads of one connection. Calls that take a batch may reject with `upload/batch-unknown` and
 * `upload/other-session`. Calls that change a batch may also reject with `upload/batch-state`.
 */
export const createUploads = (options: UploadsOptions) => {
  const access = openAccess(options);
  const { cancelling, notify, supervisor, reports, closing } = access;
  const views = createViews(access);
  const changes = createChanges(access);
  const begin = ({ id, isHeldBack, isPaused }: NewBatch): Batch | Promise<Batch> =>
    isHeldBack || isPaused ? notify(id) : changes.run(id);
  /**
   * Starts one upload, with a batch for each of `uploads`. If one of these is refused, no batch is added. `uploadId`:
   * the id of a new upload, or of an earlier one to which the batches are added; default: a new id.
   */
  const startTogether = async ({
    uploads,
    leftOutFolders = [],
    uploadId = randomUUID(),
    ...rules
  }: UploadRules & {
    readonly uploads: readonly Upload[];
    readonly leftOutFolders?: readonly LeftOutFolder[];
    readonly uploadId?: string | undefined;
  }): Promise<readonly Batch[]> => {
    access.assertSignedIn();
    const added = await access.insert(
      uploads.map((upload) => ({ ...upload, ...rules })),
      leftOutFolders,
      uploadId,
    );
    return Promise.all(added.map(begin));
  };
  return {
    ...views,
    ...changes.calls,
    startTogether,
    /** Starts a batch for one folder. Errors: those of `assertFolder`, `upload/drive-…`, `auth/…`, `data/…`. */
    start: async (upload: Upload & UploadRules & { readonly uploadId?: string | undefined }): Promise<Batch> => {
      const { uploadId, ...one } = upload;
      const [batch] = await startTogether({ uploads: [one], uploadId });
      if (!batch) throw new Error('a batch was not added');
      return batch;
    },
    /** Whether a call changes nothing in the ledger. Such a call is repeated if the engine dies during it. */
    isRepeatable: (call: string): boolean => Object.hasOwn(views, call),
    /** To be called when no upload will be started from the list of reviewed files with this id. */
    reviewEnded: access.reviewEnded,
    setSession: createSetSession(access),
    setBeingRemoved: (files: BeingRemoved): void =>
      access.context.ledger.knownFiles.setBeingRemoved(access.connectionId, files),
    /** To be called before the result of a call is sent. Reports the batches that the call has changed. */
    tell: reports.tell,
    /** Aborts all work in progress; after the next start of the app, `resumeInterrupted` continues it. */
    close: async (): Promise<void> => {
      closing.abort();
      try {
        await supervisor.close();
        await Promise.allSettled(cancelling.values());
      } finally {
        reports.end();
      }
    },
  };
};

export type Uploads = ReturnType<typeof createUploads>;

type Access = ReturnType<typeof openAccess>;

/** Creates what all calls share: access to batches, the supervisor of their runs, and cancellations in progress. */
const openAccess = ({ connectionId, hours = [], onBatches, ...options }: UploadsOptions) => {
  const { onBug } = options;
  let { session } = options;
  const owner = (): Owner => ({ connectionId, subject: session.subject });
  const replaceSession = (to: EngineSession): void => {
    session = to;
  };
  /** Throws `auth/required` or `auth/expired` while signed out. */
  const assertSignedIn = (): void => {
    const { signedIn, reason } = session;
    if (!signedIn) throw reason ? fromErrorData(reason) : new DeskError('auth/required', 'nobody is signed in');
  };
  const { batches } = options.context.ledger;
  const reports = createReports((id) => get(id), onBatches, onBug);
  const onRemoved = (items: readonly number[]): void => {
    const numbers = new Set(items.map((item) => Math.floor(item / RANGE)));
    for (const { id } of batches.numbered([...numbers])) reports.request(id);
  };
  const context = { ...options.context, onRemoved };
  const closing = new AbortController();
  const insertion = createInsertion(context, owner);
  const { dropEndedReviews } = insertion;
  const supervisor = createSupervisor({ ...options, context, owner, reports, onPlanned: dropEndedReviews });
  const cancelling = new Map<string, Promise<Batch>>();

  const ofOthers = (id: string): DeskError =>
    new DeskError('upload/other-session', 'the batch belongs to another sign-in', { details: { batch: id } });
  /** Returns the batch, which may be that of another user, but not of another connection. */
  const rowOf = (id: string): BatchRow => {
    const row = batches.get(id);
    if (!row) throw new DeskError('upload/batch-unknown', 'there is no such batch', { details: { batch: id } });
    if (row.connectionId !== connectionId) throw ofOthers(id);
    return row;
  };
  const get = (id: string): Batch => supervisor.view(rowOf(id));
  /** Returns the view of the batch in an array, which is empty if a damaged ledger cannot supply the batch's counts. */
  const viewIfReadable = (row: BatchRow): readonly Batch[] => {
    try {
      return [supervisor.view(row)];
    } catch (error) {
      if (!context.ledger.damage) throw error;
      return [];
    }
  };
  /** Returns the batch, or throws `upload/other-session` if this user must not change it. */
  const ownRow = (id: string): BatchRow => {
    const row = rowOf(id);
    if (isOwnedBy(row, owner())) return row;
    throw ofOthers(id);
  };
  /** Why the present session is not allowed to send the batch; undefined if the session is allowed to. */
  const refusal = ({ id }: BatchRow): ErrorData | undefined => {
    try {
      ownRow(id);
      assertSignedIn();
      return undefined;
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      return toErrorData(error);
    }
  };
  /** Resolves when the batch is neither running nor being cancelled. */
  const atRest = async (id: string): Promise<void> => {
    await supervisor.ended(id);
    await cancelling.get(id)?.catch(() => {});
  };
  /** Reports the batch with the error because of which the ledger could not record that the batch was stopped. */
  const unrecorded = (id: string, error: unknown): void => {
    supervisor.unrecorded(id, toErrorData(error));
    reports.notify(id);
  };
  const views = { rowOf, ownRow, refusal, get, viewIfReadable, notify: reports.notify, unrecorded, atRest };
  const shared = {
    context,
    connectionId,
    owner,
    replaceSession,
    assertSignedIn,
    hours,
    onBug,
    supervisor,
    reports,
    cancelling,
    closing,
  };
  return { ...views, ...shared, ...insertion };
};

/** Creates the functions that add batches, and that drop lists of reviewed files that no batch needs any more. */
const createInsertion = ({ ledger, now }: TransferContext, owner: () => Owner) => {
  const { batches, commit, lists } = ledger;
  /** Lists of reviewed files that no further upload will be started from. */
  const endedReviews = new Set<string>();
  /** The number of starts in progress: the ledger does not know yet which lists their batches need. */
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

  const placesOf = createFolderChecks();
  const newBatch = (
    { only, except, nameTemplate = ownNameTemplate, onClash = 'rename', ...upload }: Upload & UploadRules,
    { root, realRoot, identity }: PresentFolder,
    together: Pick<NewBatch, 'uploadId' | 'createdAtMs' | 'connectionId' | 'subject'>,
    list: () => ReviewedList,
  ): NewBatch => {
    const listed = upload.found && list();
    const range = listed?.add({ below: '', identity }, upload.found ?? []);
    const reviewed = listed && range ? { list: listed.id, below: '', ranges: [range] } : upload.reviewed;
    const leavesLater = reviewed !== undefined && upload.takesLater !== true;
    const place = { root, realRoot, identity: upload.identity ?? identity, only, except, reviewed, leavesLater };
    const { assignmentId, clashChoices, schedule, isHeldBack, isPaused, receipt, leftOutInReview: inReview } = upload;
    const rules = { nameTemplate, onClash, clashChoices, schedule, isHeldBack, isPaused, receipt };
    const leftOut = { ...NOTHING_LEFT_OUT, inReview };
    return { id: randomUUID(), ...together, ...place, leftOut, assignmentId, ...rules };
  };
  const insert = async (
    uploads: readonly (Upload & UploadRules)[],
    leftOutFolders: readonly LeftOutFolder[],
    uploadId: string,
  ): Promise<readonly NewBatch[]> => {
    // All batches get the same time, so that they are listed in the given order and not in the order in which their
    // folders were read. All belong to the user who starts them, even if another user signs in meanwhile.
    const together = { uploadId, createdAtMs: now(), ...owner() };
    let list: ReviewedList | undefined;
    const listOnce = (): ReviewedList => {
      list ??= createReviewedList(lists);
      return list;
    };
    inserting += 1;
    try {
      const places = await placesOf(uploads);
      const added = uploads.map((upload, index) => {
        const place = places[index];
        if (place === undefined || place instanceof DeskError) throw place;
        return newBatch(upload, place, together, listOnce);
      });
      list?.save(true);
      await commit(() => {
        added.forEach(batches.insert);
        batches.leaveOut(uploadId, leftOutFolders);
      });
      return added;
    } catch (error) {
      // After a failed flush, the ledger may nevertheless have the batches at the next start, so their list is kept. If
      // no batch needs the list, the next start deletes it.
      if (error instanceof DeskError && error.code === 'data/unsynced') list?.close();
      else list?.discard();
      list = undefined;
      throw error;
    } finally {
      inserting -= 1;
      list?.close();
      if (list) reviewEnded(list.id);
      else dropEndedReviews();
    }
  };
  const refusals = async (uploads: readonly KnownFolder[]): Promise<readonly (ErrorData | undefined)[]> =>
    (await placesOf(uploads)).map((place) => (place instanceof DeskError ? toErrorData(place) : undefined));
  return { insert, refusals, reviewEnded, dropEndedReviews };
};

/** A folder that exists and can be read (`assertFolder`). Its paths are absolute. */
type PresentFolder = Pick<NewBatch, 'root' | 'realRoot'> & { readonly identity: FolderIdentity };

/**
 * Creates a function that looks for folders, and resolves to them in their order. A folder that cannot be uploaded is
 * replaced by its error: one of `assertFolder`, or `upload/drive-unresponsive` for all folders of a drive that does not
 * respond. `close` does not stop the function, so a start in progress still adds its batches, and the next start of the
 * app finds them.
 */
const createFolderChecks = () => {
  const patience = createPatience();
  const find = async (folder: KnownFolder): Promise<PresentFolder> => {
    const realRoot = await realRootOf(folder);
    return { root: folder.root, realRoot, identity: await assertFolder({ ...folder, realRoot }) };
  };
  return async (folders: readonly KnownFolder[]): Promise<readonly (PresentFolder | DeskError)[]> => {
    const all = folders.map((folder) => ({ ...folder, root: resolve(folder.root) }));
    const findInTime = (folder: KnownFolder) => patience(folder.root, () => find(folder)).catch(onDeskError(identity));
    return mapAsync(all, findInTime, { concurrency: FOLDERS_AT_ONCE });
  };
};

/** Creates the calls that change nothing in the ledger. */
const createViews = (access: Access) => {
  const { context, connectionId, refusals, supervisor, rowOf, get, viewIfReadable, atRest, closing } = access;
  const { batches, items, knownFiles, history } = context.ledger;
  const { open, timeouts } = context;
  const patience = createPatience();
  const namingOf = ({ assignmentId, nameTemplate }: PlannedUpload): Naming => ({
    template: nameTemplate ?? ownNameTemplate,
    taken: { ledger: context.ledger, assignment: { connectionId, assignmentId } },
    open: context.open,
    timeouts: context.timeouts,
    patience,
  });
  return {
    /**
     * Resolves to the errors that `start` would have for these folders, in their order; undefined for a folder without
     * an error.
     */
    refusals,
    /** Previews the upload of the sources (`previewFolders`). `index`: the only source to count; absent: all. */
    preview: (upload: PlannedUpload & { readonly index?: number | undefined }, signal: AbortSignal) =>
      previewFolders(upload.sources, namingOf(upload), signal, upload.index),
    compare: (upload: PlannedUpload, listed: number | undefined, signal: AbortSignal) =>
      compareFolders(upload.sources, namingOf(upload), listed, signal),
    /**
     * Facts from earlier uploads. `assignments`: the ids of the assignments that have batches or known files.
     * `refusedBytes`: the size of the smallest file that was too large for the storage.
     */
    history: (): { readonly assignments: readonly string[]; readonly refusedBytes?: number | undefined } => ({
      assignments: history.assignments(connectionId),
      refusedBytes: history.smallestRefused(connectionId),
    }),
    list: (): readonly Batch[] => batches.list(connectionId).flatMap(viewIfReadable),
    get,
    files: (id: string, filter: ItemFilter): { readonly files: readonly UploadFile[]; readonly total: number } => {
      const { items: found, total } = items.list(rowOf(id).id, filter);
      return { files: found.map((item) => supervisor.viewFile(id, item)), total };
    },
    /**
     * The versions of up to `PAGE_FILES` files after the file `afterId`. `sha256`: absent unless the assignment has the
     * content.
     */
    versions: (id: string, afterId: number) =>
      items
        .after(rowOf(id).id, { afterId, limit: PAGE_FILES })
        .map(({ id: itemId, path, state, sizeBytes, modifiedMs, identity, ...item }) => {
          const isThere = (state === 'done' || state === 'skipped') && !item.removed;
          return { id: itemId, path, state, sizeBytes, modifiedMs, identity, ...(isThere && { sha256: item.sha256 }) };
        }),
    /** The batch's folder as it was when the batch was started. */
    folderOf: (id: string): KnownFolder => {
      const { root, realRoot } = rowOf(id);
      return { root, realRoot, identity: batches.folderAt(id, '') };
    },
    /**
     * Returns where a file of the batch was found or, without `fileId`, the batch's folder. Errors: `input/invalid`.
     */
    placeOf: (id: string, fileId: number | undefined): FilePlace => {
      const { root, realRoot } = rowOf(id);
      if (fileId === undefined) return { root, realRoot };
      const [first] = items.after(id, { afterId: 0, limit: 1 });
      const isInBatch = first && Math.floor(fileId / RANGE) === Math.floor(first.id / RANGE);
      const item = isInBatch && items.get(fileId);
      if (!item) throw new DeskError('input/invalid', 'the batch has no such file', { details: { batch: id, fileId } });
      return { root, realRoot, path: item.path };
    },
    /** The present path of a file or folder. Errors: those of `locateFile`; `upload/drive-unresponsive`. */
    locate: (place: FilePlace) => patience(place.root, () => locateFile(place), closing.signal),
    leftOutFolders: (uploadIds: readonly string[]) => batches.leftOutFolders(uploadIds),
    errorGroups: (id: string) => items.errorGroups(rowOf(id).id),
    // Receipts and reports need modules that no upload should wait for, such as those for words and workbooks.
    receipt: async (job: ReceiptJob, path: string) => {
      const { writeReceipt } = await import('../receipts/write-receipt.ts');
      return writeReceipt(path, job, (id) => ({
        batch: get(id),
        sender: rowOf(id).subject,
        items: (offset, count) => itemsFrom(items, id, offset, count),
        failed: (limit) => items.list(id, { states: ['failed', 'uncertain'], offset: 0, limit }).items,
      }));
    },
    report: async (
      of: string | { readonly upload: string; readonly batches: readonly string[] },
      path: string,
      format: ReportFormat,
    ) => {
      const reported = (id: string) => ({ batch: get(id), items: itemsFrom(items, id) });
      const all = typeof of === 'string' ? reported(of) : { upload: of.upload, batches: of.batches.map(reported) };
      const { writeReport } = await import('../receipts/report.ts');
      return writeReport(path, all, format);
    },
    verify: (id: string, after: number, signal: AbortSignal) => verifyPart(context, rowOf(id), after, signal),
    contentOf: (path: string, signal: AbortSignal) => contentOf(open, path, timeouts.idleMs, signal),
    /**
     * Returns those of the `PAGE_FILES` items after `afterId` that were uploaded and are still known to be on the
     * assignment. `lastId` in the result is the `afterId` of the next call; absent at the end.
     */
    removable: (id: string, afterId: number) => {
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
    /** Whether the assignment may hold unsettled files of the batch. Cancelling the batch then needs a session. */
    mayHaveArrived: (id: string) => items.mayHaveArrived(rowOf(id).id),
    knownFiles: (assignmentId: string) => knownFiles.list({ connectionId, assignmentId }),
    ended: async (id: string): Promise<Batch> => {
      await atRest(id);
      return get(id);
    },
  };
};

/** Whether a batch paused because its user had no session. */
const isOfSession = ({ reason }: BatchRow): boolean =>
  reason !== undefined && (reason.code.startsWith('auth/') || reason.code === 'upload/other-session');

const assertState = (row: BatchRow, ...possible: readonly (BatchRow['state'] | 'cancelling')[]): void => {
  const state = isBeingCancelled(row) ? 'cancelling' : row.state;
  if (possible.includes(state)) return;
  throw new DeskError('upload/batch-state', `not possible while the batch is ${state}`, {
    details: { batch: row.id, state },
  });
};

/**
 * Creates a function that cancels a batch. If the batch is already being cancelled, a further call joins that
 * cancellation.
 */
const createCancel = ({ context, supervisor, cancelling, closing, rowOf, notify }: Access) => {
  const { batches, commit } = context.ledger;
  const cancelOnce = async (id: string): Promise<Batch> => {
    await commit(() => batches.setCancelling(id));
    notify(id);
    await supervisor.abort(id);
    const row = rowOf(id);
    // The batch may have ended in the meantime.
    if (isBeingCancelled(row)) await cancelBatch(context, row, closing.signal);
    return notify(id);
  };
  return (id: string): Promise<Batch> => {
    const inProgress = cancelling.get(id) ?? cancelOnce(id).finally(() => cancelling.delete(id));
    cancelling.set(id, inProgress);
    return inProgress;
  };
};

/** Returns a function that replaces the session. The function pauses batches that the new session must not send. */
const createSetSession = (access: Access) => {
  const { context, connectionId, owner, replaceSession, supervisor, refusal, notify, unrecorded } = access;
  const { batches, commit } = context.ledger;
  /** The batches that are in progress or wait for a session, and that the present session is not allowed to send. */
  const refused = () =>
    batches.unfinished(connectionId).flatMap((row) => {
      const reason = isActive(row) || isOfSession(row) ? refusal(row) : undefined;
      return reason ? [{ id: row.id, reason }] : [];
    });
  const pauseRefused = async (before: Owner): Promise<void> => {
    for (const { id } of refused()) supervisor.pause(id);
    const paused = await commit(() => {
      const now = refused();
      for (const { id, reason } of now) {
        batches.setState(id, 'paused', reason);
        // A run may have started before this commit. Runs that start after it find the batch paused.
        supervisor.pause(id);
      }
      return now;
    }).catch(
      onDeskError((error) => {
        const now = refused();
        for (const { id } of now) {
          supervisor.pause(id);
          unrecorded(id, error);
        }
        return now;
      }),
    );
    const changedHands = batches.owners(connectionId).filter((of) => isOwnedBy(of, before) !== isOwnedBy(of, owner()));
    for (const id of new Set([...paused, ...changedHands].map((batch) => batch.id))) notify(id);
  };
  return async (to: EngineSession): Promise<void> => {
    const before = owner();
    replaceSession(to);
    // A ledger that cannot be read stops the batches at their next file.
    await pauseRefused(before).catch(onDeskError(() => {}));
  };
};

/** Who starts a run. The `keeper` of schedules, unlike the rest of the `app`, has already checked all hours. */
type Starter = 'user' | 'app' | 'keeper';

const createChanges = (access: Access) => {
  const { context, connectionId, owner, assertSignedIn, hours, onBug, supervisor, cancelling } = access;
  const { rowOf, ownRow, refusal, get, viewIfReadable, notify, unrecorded, atRest } = access;
  const { ledger, now } = context;
  const { batches, commit } = ledger;
  const cancelOrJoin = createCancel(access);

  /**
   * Whether hours forbid a run now: those of the organisation or, if the app continues a paused batch, those in its
   * schedule.
   */
  const mustWait = ({ state, schedule }: BatchRow, by: Starter): boolean => {
    const moment = new Date(now());
    if (!isOpen(hours, moment)) return true;
    return by === 'app' && state === 'paused' && schedule?.overruled === false && !isDue(schedule, moment);
  };

  /**
   * Starts the batch once its previous run has ended, unless its hours hold it back (`mustWait`). The `user` overrules
   * the batch's schedule.
   */
  const run = async (id: string, by: Starter = 'app'): Promise<Batch> => {
    await atRest(id);
    // The files that were being sent when the batch was paused may have been its last ones.
    if (rowOf(id).state === 'finished') return get(id);
    await commit(() => {
      const row = rowOf(id);
      assertState(row, 'scanning', 'running', 'paused');
      const reason = refusal(row);
      if (reason) return batches.setState(id, 'paused', reason);
      const { schedule } = row;
      if (by !== 'keeper' && mustWait(row, by)) {
        const own = schedule?.hours.length ? schedule.hours : hours;
        batches.setSchedule(id, { ...schedule, hours: own, overruled: false });
        return batches.setState(id, 'paused', HELD_BACK);
      }
      batches.setState(id, row.scanned ? 'running' : 'scanning');
      if (by === 'user' && schedule) batches.setSchedule(id, { ...schedule, overruled: true });
    });
    const row = rowOf(id);
    if (isActive(row) && !supervisor.runs(id)) supervisor.begin(row);
    return notify(id);
  };

  /** Continues the batch if it was interrupted. If a run is still ending, waits for its end first. */
  const resumeIfInterrupted = async (id: string): Promise<void> => {
    await atRest(id);
    if (supervisor.isClosed()) return;
    const row = rowOf(id);
    if (!isOwnedBy(row, owner())) return;
    if (isBeingCancelled(row)) {
      cancelOrJoin(id).catch((error) => {
        if (!(error instanceof DeskError)) onBug(error);
      });
    } else if (isActive(row) || isOfSession(row)) await run(id);
  };

  /** Queues failed files and failed removals again or, with `ids`, only these files, and runs the batch. */
  const retry = async (id: string, by: Starter, ids?: readonly number[]): Promise<Batch> => {
    await cancelling.get(id)?.catch(() => {});
    const row = ownRow(id);
    assertSignedIn();
    assertState(row, 'scanning', 'running', 'paused', 'finished', 'cancelled');
    const requeued = await requeue(ledger, row, ids);
    const { state } = rowOf(id);
    // The user may have paused or cancelled the batch in the meantime.
    if (requeued.files === 0 || state === 'paused' || state === 'cancelled') return get(id);
    // A run that has not ended sends the queued files, even if they were queued at its last moment.
    return !requeued.reopened && supervisor.runs(id) ? notify(id) : run(id, by);
  };

  /**
   * Pauses the batch. `reason`: why the app holds the batch back; absent if the user pauses it. The app cannot hold a
   * batch back if the user has overruled its schedule since the app decided to do so.
   */
  const pause = async (id: string, reason?: ErrorData): Promise<Batch> => {
    const isOverruled = ({ schedule }: BatchRow): boolean =>
      isHeldBack({ reason }) && schedule?.overruled === true && isOpen(hours, new Date(now()));
    // A batch that the app holds back may get another reason.
    const isPausable = (row: BatchRow): boolean =>
      isActive(row) ? !isOverruled(row) : reason !== undefined && isHeldBack(row);
    const row = ownRow(id);
    if (!isPausable(row)) assertState(row);
    // If the app holds the batch back, its run goes on until the commit: before that, a call of the user may overrule
    // the schedule.
    if (reason === undefined) supervisor.pause(id);
    await commit(() => {
      // The batch may have finished in the meantime.
      if (!isPausable(rowOf(id))) return;
      batches.setState(id, 'paused', reason);
      // A run may have started before this commit. Runs that start after it find the batch paused.
      supervisor.pause(id);
    }).catch((error: unknown) => {
      unrecorded(id, error);
      throw error;
    });
    return notify(id);
  };
  /**
   * Resumes the batch. The `user` also overrules its schedule, even if the batch is in progress. Further errors:
   * `auth/…`.
   */
  const resume = async (id: string, by: Starter = 'user'): Promise<Batch> => {
    const row = ownRow(id);
    assertSignedIn();
    assertState(row, 'scanning', 'running', 'paused');
    if (row.state === 'paused' || !supervisor.runs(id)) return run(id, by);
    if (by !== 'user') return get(id);
    const isInProgress = await commit(() => {
      // The batch may have been paused or have finished in the meantime.
      const present = rowOf(id);
      if (isActive(present) && present.schedule) batches.setSchedule(id, { ...present.schedule, overruled: true });
      return isActive(present);
    });
    return isInProgress ? notify(id) : run(id, by);
  };
  /** Cancels the batch; resolves when every file is settled. `resumeInterrupted` continues after an interruption. */
  const cancel = async (id: string): Promise<Batch> => {
    assertState(ownRow(id), 'scanning', 'running', 'paused', 'cancelling');
    return cancelOrJoin(id);
  };
  /** Errors: those of `resume`. */
  const retryFailed = (id: string): Promise<Batch> => retry(id, 'user');
  /** Uploads the files that were left out because they were added after the review. Errors: those of `resume`. */
  const addLater = async (id: string): Promise<Batch> => {
    const row = ownRow(id);
    assertSignedIn();
    assertState(row, 'running', 'paused', 'finished');
    if (!row.leavesLater) return get(id);
    // A run plans its batch only once, so the present run has to end first.
    supervisor.pause(id);
    await atRest(id);
    await commit(() => {
      const present = rowOf(id);
      assertState(present, 'running', 'paused', 'finished');
      if (batches.takeLater(id) === 0) return;
      // A pause during the wait stays: the files are added when the batch is resumed.
      if (present.state !== 'paused' || row.state === 'paused') batches.setState(id, 'scanning');
      batches.receiptAgain(row.uploadId);
    }).catch((error: unknown) => {
      unrecorded(id, error);
      throw error;
    });
    return isActive(rowOf(id)) ? run(id, 'user') : get(id);
  };
  /** Sends the batch, or its files with these ids, before all others. The latest choice goes first. */
  const sendFirst = async (id: string, ids?: readonly number[]): Promise<Batch> => {
    assertState(ownRow(id), 'scanning', 'running', 'paused');
    await commit(() => batches.sendFirst(id, now(), ids));
    supervisor.sendFirst(rowOf(id));
    return notify(id);
  };

  const steps = { pause, resume, cancel, retryFailed, addLater, sendFirst };
  const calls = {
    ...steps,
    /**
     * Takes `step` for each batch of an upload that the step is meant for (`isMeant`). Ignores `upload/batch-state`.
     */
    changeUpload: async (uploadId: string, step: UploadStep): Promise<void> => {
      const found = batches.ofUpload(uploadId).flatMap(viewIfReadable).filter(isMeant[step]);
      const changed = await Promise.allSettled(found.map(({ batchId }) => steps[step](batchId).catch(unlessChanged)));
      for (const one of changed) if (one.status === 'rejected') throw one.reason;
    },
    /** Queues these files again and runs the batch; files that are neither failed nor uncertain stay as they are. */
    retryFiles: (id: string, ids: readonly number[], by: Starter = 'user') => retry(id, by, ids),
    /** Records that the receipt of an upload was saved, or that none will be saved. */
    receiptSaved: async (uploadId: string): Promise<void> => {
      await commit(() => batches.receiptSaved(uploadId));
      for (const { id } of batches.ofUpload(uploadId)) notify(id);
    },
    /** Sets the schedule of a batch. The caller then has to hold the batch back or resume it. */
    setSchedule: async (id: string, schedule: BatchSchedule): Promise<Batch> => {
      ownRow(id);
      await commit(() => batches.setSchedule(id, schedule));
      return notify(id);
    },
    /**
     * Removes a file (API operation 6). With `wantsList`, resolves to the remaining files if the service lists them.
     * There may be tens of thousands, and to pass them on takes longer than the removal itself.
     */
    removeFile: async (
      { AssignmentId, Key, wantsList }: RemovalRequest & { readonly wantsList?: boolean | undefined },
      signal?: AbortSignal,
    ) => {
      const left = await removeFile(context, { connectionId, assignmentId: AssignmentId }, Key, signal, true);
      return wantsList ? left : undefined;
    },
    /** Continues the batches `ids` (absent: all) that were in progress when the app closed, or lacked a session. */
    resumeInterrupted: async (ids?: readonly string[]): Promise<void> => {
      const all = ids ?? batches.unfinished(connectionId).map(({ id }) => id);
      await Promise.all(all.map(resumeIfInterrupted));
    },
  };
  return { run, calls };
};

/** Whether a step that the user takes for a whole upload applies to this batch of the upload. */
const isMeant: Readonly<Record<UploadStep, (batch: Batch) => boolean>> = {
  pause: isActive,
  resume: (batch) => batch.state === 'paused' && !isBeingCancelled(batch),
  cancel: (batch) => !hasEnded(batch),
  retryFailed: (batch) => batch.failed + (batch.notReplaced ?? 0) > 0 && !isBeingCancelled(batch),
  addLater: ({ leftOut }) => (leftOut.later ?? 0) > 0,
  sendFirst: (batch) => !hasEnded(batch) && !isBeingCancelled(batch),
};

/** Ignores the error of a batch that finished, or was changed individually, before its turn came. */
const unlessChanged = (error: unknown): void => {
  if (!(error instanceof DeskError) || error.code !== 'upload/batch-state') throw error;
};

/** Uploads: batches that are started, watched, paused, resumed, cancelled and retried. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Batch, type BatchSchedule, isActive, isBeingCancelled } from '../../../contract/batches.ts';
import { DeskError, type ErrorData } from '../../../contract/errors.ts';
import { type NameTemplate, type OnClash, ownNameTemplate } from '../../../contract/names.ts';
import type { RemovableFile } from '../../../contract/outbox.ts';
import { isOwnedBy, type Owner } from '../../../contract/owner.ts';
import type { AssignmentFiles } from '../../../contract/resources.ts';
import type { ErrorGroup, KnownFile, UploadFile, VerifiedPart } from '../../../contract/upload-files.ts';
import type { BatchRow, ClashChoices, NewBatch } from '../ledger/batches.ts';
import { everyItem, type ItemFilter, itemsFrom } from '../ledger/item-lists.ts';
import { type Item, viewFile } from '../ledger/item-row.ts';
import type { ReceiptJob } from '../receipts/receipt.ts';
import { type ReportFormat, writeReport } from '../receipts/report.ts';
import { writeReceipt } from '../receipts/write-receipt.ts';
import { contentOf } from '../source/in-time.ts';
import { chosenFolderOf, realRootOf } from '../source/paths.ts';
import { assertFolder, type Source } from '../source/scan.ts';
import { createContentOf } from '../transfer/own-name.ts';
import { removeFile } from '../transfer/remove-file.ts';
import { createSupervisor, type SupervisorOptions } from './batch-supervisor.ts';
import { cancelBatch } from './cancel-batch.ts';
import {
  type Clashes,
  type ClashWindow,
  findClashes,
  type Naming,
  type PlannedSource,
  previewFolders,
  type UploadPreview,
} from './plan-names.ts';
import { type Requeued, requeueFailed, requeueFiles } from './retry-batch.ts';
import { verifyPart } from './verify.ts';
import { createWholeUpload, type WholeUpload } from './whole-upload.ts';

type UploadsOptions = SupervisorOptions & {
  /** The connection and who is signed in to it; no subject while nobody is. */
  readonly owner: () => Owner;
  /** Throws `auth/required` when nobody is signed in. */
  readonly assertSignedIn: () => void;
};

/**
 * What to upload. Without `nameTemplate` each file keeps its own name. `onClash`: what happens to files whose FileName is
 * taken (absent: they are renamed), except for those with a choice of their own.
 */
export type Upload = Source & {
  readonly assignmentId: string;
  readonly nameTemplate?: NameTemplate | undefined;
  readonly onClash?: OnClash | undefined;
  readonly clashChoices?: ClashChoices | undefined;
};

/** A file as a batch takes it from the disk. */
export type FileVersion = Pick<Item, 'id' | 'path' | 'sizeBytes' | 'modifiedMs'>;

/** Folders that are uploaded together. `uploadId`: of the upload they belong to; absent: a new one. */
export type UploadsTogether = UploadRules & {
  readonly uploads: readonly Upload[];
  readonly uploadId?: string | undefined;
};

/**
 * `schedule`: when batches may be sent; absent: at any time. `isHeldBack`: not now, so they begin as paused. `receipt`: what
 * the app saves once the upload has ended.
 */
type UploadRules = Pick<NewBatch, 'schedule' | 'isHeldBack' | 'receipt'>;

/** Sources that will be uploaded to one assignment, in this order, each as a batch of its own. */
type PlannedUpload = Pick<Upload, 'assignmentId' | 'nameTemplate'> & { readonly sources: readonly PlannedSource[] };

/**
 * Uploads as the app sees them. They are also called from other threads, so arguments and answers are cloneable, except
 * for a signal in the last place. Errors of all calls that take a batch: `upload/batch-unknown`; of all that change one
 * also `upload/other-session` if it belongs to another connection or user, and `upload/batch-state` if its state does
 * not allow the call.
 */
export type Uploads = WholeUpload & {
  /**
   * What `start` would send of the sources, one after another; with `index` of that one alone. Errors: `upload/folder-…`,
   * the reason of `signal`.
   */
  readonly preview: (
    upload: PlannedUpload & { readonly index?: number | undefined },
    signal: AbortSignal,
  ) => Promise<UploadPreview>;
  /** Files whose FileNames clash; see `findClashes`. Errors: those of `preview`. */
  readonly clashes: (upload: PlannedUpload, window: ClashWindow | undefined, signal: AbortSignal) => Promise<Clashes>;
  /** What earlier uploads of the connection tell. `refusedBytes`: the size of the smallest file that was too large. */
  readonly history: () => { readonly assignments: readonly string[]; readonly refusedBytes?: number | undefined };
  /** Errors: `upload/folder-missing`, `upload/folder-unreadable`, `auth/required`, `data/…`. */
  readonly start: (upload: Upload & UploadRules & Pick<UploadsTogether, 'uploadId'>) => Promise<Batch>;
  /**
   * Starts a batch for each of them, as one upload: all, or none if one cannot be started. A few of them run at once, in
   * this order. Errors: those of `start`.
   */
  readonly startTogether: (together: UploadsTogether) => Promise<readonly Batch[]>;
  readonly list: (connectionId: string) => readonly Batch[];
  readonly get: (batch: string) => Batch;
  readonly files: (
    batch: string,
    filter: ItemFilter,
  ) => { readonly files: readonly UploadFile[]; readonly total: number };
  /** The versions of files that a batch takes, in order: some of those after file `afterId` (0: from the first). */
  readonly versions: (batch: string, afterId: number) => readonly FileVersion[];
  /** Why files of a batch failed, the most frequent reason first. */
  readonly errorGroups: (batch: string) => readonly ErrorGroup[];
  /** Writes a receipt of batches for people; see `writeReceipt`. Errors: `data/unwritable`. */
  readonly receipt: (job: ReceiptJob, path: string) => Promise<void>;
  /** Writes the report of a batch, or of those of an upload, for scripts; see `writeReport`. Errors: `data/unwritable`. */
  readonly report: (
    of: string | { readonly upload: string; readonly batches: readonly string[] },
    path: string,
    format?: ReportFormat,
  ) => Promise<void>;
  /** Compares files on disk with the ledger; see `verifyPart`. Errors: `app/cancelled`. */
  readonly verify: (batch: string, after: number, signal: AbortSignal) => Promise<VerifiedPart>;
  /** Size and sha256 of a file on this computer. Errors: `upload/file-…`, `upload/stalled`, `app/cancelled`. */
  readonly contentOf: (
    path: string,
    signal: AbortSignal,
  ) => Promise<{ readonly sizeBytes: number; readonly sha256: string }>;
  /**
   * The uploaded files of a batch that are still known to be on its assignment: some of those after file `afterId` (0: from
   * the first). `lastId`: how far it looked; absent: to the end.
   */
  readonly removable: (
    batch: string,
    afterId: number,
  ) => {
    readonly files: readonly (RemovableFile & { readonly path: string; readonly sizeBytes: number })[];
    readonly lastId?: number | undefined;
  };
  /** Whether the assignment may hold unsettled files of the batch: cancelling it then needs a session. */
  readonly mayHaveArrived: (batch: string) => boolean;
  /** `reason`: why the app pauses it; absent: a person does. */
  readonly pause: (batch: string, reason?: ErrorData) => Promise<Batch>;
  /**
   * A person resumes it, whatever its schedule says now; or (`isDue`) its time has come. Also: `auth/required`.
   */
  readonly resume: (batch: string, isDue?: boolean) => Promise<Batch>;
  /** The receipt of an upload is saved, or there will be none. */
  readonly receiptSaved: (uploadId: string) => Promise<void>;
  /** Changes when a batch may be sent; the caller holds it back, or resumes it. */
  readonly setSchedule: (batch: string, schedule: BatchSchedule) => Promise<Batch>;
  /**
   * Resolves when every file is settled. If it is interrupted (by a missing session, which is thrown, or because the app
   * closes), `resumeInterrupted` or another `cancel` continues it.
   */
  readonly cancel: (batch: string) => Promise<Batch>;
  /** Queues failed and unknown files again and runs the batch. Errors: those of `resume`. */
  readonly retryFailed: (batch: string) => Promise<Batch>;
  /** The same for these files; those that are neither failed nor unknown stay as they are. */
  readonly retryFiles: (batch: string, ids: readonly number[]) => Promise<Batch>;
  /** The files that this app knows to be on an assignment of the connection. */
  readonly knownFiles: (assignmentId: string) => readonly KnownFile[];
  /**
   * Removes a file from an assignment (interface operation 6); answers the files that the service says are left, if it
   * does. Errors: the service's.
   */
  readonly removeFile: (
    file: { readonly AssignmentId: string; readonly Key: string },
    signal?: AbortSignal,
  ) => Promise<AssignmentFiles | undefined>;
  /**
   * Continues batches that were running or being cancelled when the app closed, or that paused because there was no
   * session: all of them, or these. Resolves when they have started.
   */
  readonly resumeInterrupted: (batches?: readonly string[]) => Promise<void>;
  /** Resolves when the batch is neither running nor being cancelled. */
  readonly ended: (batch: string) => Promise<Batch>;
  /** Aborts what is in progress; the next start continues it. */
  readonly close: () => Promise<void>;
};

/** Files in one answer. */
const PAGE_FILES = 1_000;
/** Folders that are looked at together before they are uploaded. */
const FOLDERS_AT_ONCE = 32;

/** Whether a batch paused because its user had no session. */
const isOfSession = ({ code }: Pick<ErrorData, 'code'>): boolean =>
  code.startsWith('auth/') || code === 'upload/other-session';

/** The uploads of one connection. Nothing runs until it is started. */
export const createUploads = ({ owner, assertSignedIn, ...options }: UploadsOptions): Uploads => {
  const { context, onBatch, onBug } = options;
  const { batches, items, knownFiles, replacedFiles, commit } = context.ledger;
  const verification = { items, open: context.open, idleMs: context.timeouts.idleMs };
  const supervisor = createSupervisor(options);
  /** Cancellations in progress. */
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

  /** The batch, if this connection and user may change it. */
  const ownRow = (id: string): BatchRow => {
    const row = rowOf(id);
    if (isOwnedBy(row, owner())) return row;
    throw new DeskError('upload/other-session', 'the batch belongs to another sign-in', { details: { batch: id } });
  };
  const assertState = (row: BatchRow, ...possible: readonly (BatchRow['state'] | 'cancelling')[]): void => {
    const state = isBeingCancelled(row) ? 'cancelling' : row.state;
    if (possible.includes(state)) return;
    throw new DeskError('upload/batch-state', `not possible while the batch is ${state}`, {
      details: { batch: row.id, state },
    });
  };

  /** Resolves when the batch is neither running nor being cancelled. */
  const atRest = async (id: string): Promise<void> => {
    await supervisor.ended(id);
    await cancelling.get(id)?.catch(() => {});
  };

  /**
   * Starts the batch once a previous run has ended, unless it was paused or cancelled meanwhile. `isWanted`: by a person, now.
   */
  const run = async (id: string, isWanted = false): Promise<Batch> => {
    await atRest(id);
    await commit(() => {
      const row = rowOf(id);
      assertState(row, 'scanning', 'running', 'paused');
      batches.setState(id, row.scanned ? 'running' : 'scanning');
      if (isWanted && row.schedule) batches.setSchedule(id, { ...row.schedule, overruled: true });
    });
    const row = rowOf(id);
    if (isActive(row) && !supervisor.runs(id)) supervisor.begin(row);
    return notify(id);
  };

  const namingOf = ({ assignmentId, nameTemplate }: PlannedUpload, signal: AbortSignal): Naming => ({
    template: nameTemplate ?? ownNameTemplate,
    taken: { ledger: context.ledger, assignment: { connectionId: owner().connectionId, assignmentId } },
    contentOf: createContentOf(context, signal),
  });

  const newBatch = async (
    { root, only, nameTemplate = ownNameTemplate, onClash = 'rename', ...upload }: Upload & UploadRules,
    uploadId: string,
  ): Promise<NewBatch> => {
    const folder = resolve(root);
    await assertFolder(folder);
    const place = { root: folder, realRoot: await realRootOf({ root: folder }), only };
    const { assignmentId, clashChoices, schedule, isHeldBack, receipt } = upload;
    const rules = { nameTemplate, onClash, clashChoices, schedule, isHeldBack, receipt };
    return { id: randomUUID(), uploadId, ...owner(), ...place, assignmentId, ...rules, createdAtMs: context.now() };
  };
  const begin = ({ id, isHeldBack }: NewBatch): Batch | Promise<Batch> => (isHeldBack ? notify(id) : run(id));

  const cancelOnce = async (id: string): Promise<Batch> => {
    await commit(() => batches.setCancelling(id));
    notify(id);
    await supervisor.abort(id);
    const row = rowOf(id);
    // Its last files may have settled meanwhile.
    if (isBeingCancelled(row)) await cancelBatch(context, row, closing.signal);
    return notify(id);
  };
  const cancel = (id: string): Promise<Batch> => {
    const inProgress = cancelling.get(id) ?? cancelOnce(id).finally(() => cancelling.delete(id));
    cancelling.set(id, inProgress);
    return inProgress;
  };

  /** A run that is ending because there is no session has to end before the batch can continue. */
  const resumeIfInterrupted = async (id: string): Promise<void> => {
    await atRest(id);
    if (supervisor.isClosed()) return;
    const row = rowOf(id);
    if (!isOwnedBy(row, owner())) return;
    if (isBeingCancelled(row)) {
      cancel(id).catch((error) => {
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

  const changes: Pick<Uploads, 'pause' | 'resume' | 'cancel' | 'retryFailed'> = {
    pause: async (id, reason) => {
      assertState(ownRow(id), 'scanning', 'running');
      supervisor.pause(id);
      await commit(() => {
        // Unless the batch has finished meanwhile.
        if (!isActive(rowOf(id))) return;
        batches.setState(id, 'paused', reason);
        // A run that was about to start has started by now, or finds the batch paused.
        supervisor.pause(id);
      });
      return notify(id);
    },
    resume: async (id, isDue = false) => {
      const row = ownRow(id);
      assertSignedIn();
      assertState(row, 'scanning', 'running', 'paused');
      return row.state !== 'paused' && supervisor.runs(id) ? get(id) : run(id, !isDue);
    },
    cancel: async (id) => {
      assertState(ownRow(id), 'scanning', 'running', 'paused', 'cancelling');
      return cancel(id);
    },
    retryFailed: (id) => retry(id, (row) => requeueFailed(context.ledger, row)),
  };

  return {
    preview: ({ index, ...upload }, signal) => previewFolders(upload.sources, namingOf(upload, signal), signal, index),
    clashes: (upload, window, signal) => findClashes(upload.sources, namingOf(upload, signal), window, signal),
    history: () => {
      const { connectionId } = owner();
      const { assignments, smallestRefused } = context.ledger.history;
      return { assignments: assignments(connectionId), refusedBytes: smallestRefused(connectionId) };
    },
    start: async ({ uploadId = randomUUID(), ...upload }) => {
      assertSignedIn();
      const batch = await newBatch(upload, uploadId);
      await commit(() => batches.insert(batch));
      return begin(batch);
    },
    startTogether: async ({ uploads, uploadId = randomUUID(), ...rules }) => {
      assertSignedIn();
      const added: NewBatch[] = [];
      for (let next = 0; next < uploads.length; next += FOLDERS_AT_ONCE) {
        const some = uploads.slice(next, next + FOLDERS_AT_ONCE);
        added.push(...(await Promise.all(some.map((upload) => newBatch({ ...upload, ...rules }, uploadId)))));
      }
      await commit(() => added.forEach(batches.insert));
      return Promise.all(added.map(begin));
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
        .map(({ id: itemId, path, sizeBytes, modifiedMs }) => ({ id: itemId, path, sizeBytes, modifiedMs })),
    errorGroups: (id) => items.errorGroups(rowOf(id).id),
    receipt: (job, path) =>
      writeReceipt(path, job, (id) => ({
        batch: get(id),
        sender: rowOf(id).subject,
        items: (offset, count) => itemsFrom(items, id, offset, count),
      })),
    report: (of, path, format) => {
      const reported = (id: string) => ({ batch: get(id), items: everyItem(items, id) });
      const all = typeof of === 'string' ? reported(of) : { upload: of.upload, batches: of.batches.map(reported) };
      return writeReport(path, all, format);
    },
    verify: (id, after, signal) => verifyPart(verification, rowOf(id), after, signal),
    contentOf: (path, signal) => contentOf(context.open, path, context.timeouts.idleMs, signal),
    removable: (id, afterId) => {
      const row = rowOf(id);
      const page = items.after(id, { afterId, limit: PAGE_FILES });
      const files = page.flatMap(({ state, key, path, fileName, sizeBytes }) => {
        const addedAtMs = state === 'done' && key !== undefined ? knownFiles.addedAtMs(row, key) : undefined;
        if (key === undefined || addedAtMs === undefined) return [];
        const folder = chosenFolderOf({ root: row.root, path });
        return [{ Key: key, FileName: fileName, path, folder, sizeBytes, addedAtMs }];
      });
      return { files, lastId: page.length < PAGE_FILES ? undefined : page.at(-1)?.id };
    },
    mayHaveArrived: (id) => items.mayHaveArrived(rowOf(id).id),
    ...changes,
    receiptSaved: async (uploadId) => {
      await commit(() => batches.receiptSaved(uploadId));
      for (const { id } of batches.ofUpload(uploadId)) notify(id);
    },
    setSchedule: async (id, schedule) => {
      ownRow(id);
      await commit(() => batches.setSchedule(id, schedule));
      return notify(id);
    },
    ...createWholeUpload({ ...changes, batchesOf: (id) => batches.ofUpload(id).flatMap(viewIfReadable) }),
    retryFiles: (id, ids) => retry(id, (row) => requeueFiles(context.ledger, row, ids)),
    knownFiles: (assignmentId) => knownFiles.list({ connectionId: owner().connectionId, assignmentId }),
    removeFile: ({ AssignmentId, Key }, signal) =>
      removeFile(context, { connectionId: owner().connectionId, assignmentId: AssignmentId }, Key, signal),
    resumeInterrupted: async (ids = batches.list(owner().connectionId).map(({ id }) => id)) => {
      await Promise.all(ids.map(resumeIfInterrupted));
    },
    ended: async (id) => {
      await atRest(id);
      return get(id);
    },
    close: async () => {
      closing.abort();
      await supervisor.close();
      await Promise.allSettled(cancelling.values());
    },
  };
};

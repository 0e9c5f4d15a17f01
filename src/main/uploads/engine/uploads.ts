/** Uploads as the app sees them: batches that are started, watched, paused, gone on with and given up. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Batch, isBeingCancelled } from '../../../contract/batches.ts';
import { DeskError, type ErrorData } from '../../../contract/errors.ts';
import { type NameTemplate, ownNameTemplate } from '../../../contract/names.ts';
import type { AssignmentFiles } from '../../../contract/resources.ts';
import type { ErrorGroup, KnownFile, UploadFile, VerifiedPart } from '../../../contract/upload-files.ts';
import type { UploadPreview } from '../../../contract/upload-preview.ts';
import { type BatchRow, isOpen } from '../ledger/batches.ts';
import { everyItem } from '../ledger/every-item.ts';
import type { ItemFilter } from '../ledger/item-lists.ts';
import { viewFile } from '../ledger/view-file.ts';
import { realRootOf } from '../source/real-path.ts';
import { assertFolder, type Source } from '../source/scan.ts';
import { createContentOf } from '../transfer/own-name.ts';
import { removeFile } from '../transfer/remove-file.ts';
import type { UploadService } from '../transfer/transfer-context.ts';
import { createSupervisor, type SupervisorOptions } from './batch-supervisor.ts';
import { cancelBatch } from './cancel-batch.ts';
import { previewFolders } from './plan-names.ts';
import { type ReportFormat, writeReport } from './report.ts';
import { type Requeued, requeueFailed, requeueFiles } from './retry-batch.ts';
import { verifyPart } from './verify.ts';

/** Whose uploads these are: a connection (by its key) and, where the access token tells, a user. */
export type Owner = { readonly connection: string; readonly subject: string | undefined };

export type UploadsOptions = Omit<SupervisorOptions, 'serviceOf'> & {
  /** Of the present connection; without a subject while nobody is signed in. */
  readonly owner: () => Owner;
  /** Throws `auth/required` where nobody is signed in. */
  readonly assertSignedIn: () => void;
};

/** What to upload. Absent template: each file under its own name. */
export type Upload = Source & {
  readonly assignmentId: string;
  readonly nameTemplate?: NameTemplate | undefined;
};

/** Sources that are going to be uploaded together, each as a batch of its own. */
export type Uploading = Pick<Upload, 'assignmentId' | 'nameTemplate'> & { readonly sources: readonly Source[] };

/**
 * All of it is called from another thread, too (worker/): arguments and answers are cloneable, but for a signal in
 * the last place. Errors of all that take a batch: `upload/batch-unknown`; of all that change one also
 * `upload/other-session` where it is another connection's or user's, and `upload/batch-state` where it is past that.
 */
export type Uploads = {
  /** What `start` would send of the sources, one after another. Errors: `upload/folder-…`, the reason of `signal`. */
  readonly preview: (upload: Uploading, signal: AbortSignal) => Promise<UploadPreview>;
  /** Errors: `upload/folder-missing`, `upload/folder-unreadable`, `auth/required`, `data/…`. */
  readonly start: (upload: Upload) => Promise<Batch>;
  readonly list: (connection: string) => readonly Batch[];
  readonly get: (batch: string) => Batch;
  readonly files: (
    batch: string,
    filter: ItemFilter,
  ) => { readonly files: readonly UploadFile[]; readonly total: number };
  /** Why files of a batch failed, the most frequent reason first. */
  readonly errorGroups: (batch: string) => readonly ErrorGroup[];
  /** Writes the batch's receipt, as `writeReport` does. Errors: `data/unwritable`. */
  readonly report: (batch: string, path: string, format?: ReportFormat) => Promise<void>;
  /** Holds files on disk against the ledger, as `verifyPart` does. Errors: `app/cancelled`. */
  readonly verify: (batch: string, after: number, signal: AbortSignal) => Promise<VerifiedPart>;
  /** Whether the assignment may hold files of the batch that have no end yet: to cancel it takes a session. */
  readonly mayHaveArrived: (batch: string) => boolean;
  readonly pause: (batch: string) => Promise<Batch>;
  /** Also: `auth/required`. */
  readonly resume: (batch: string) => Promise<Batch>;
  /**
   * Resolves when every file is settled. What breaks it off (no session, which is thrown, or the end of the app) does not
   * end it: `resumeInterrupted` goes on with it, and so does to cancel again.
   */
  readonly cancel: (batch: string) => Promise<Batch>;
  /** Offers failed and uncertain files again, and runs the batch. Errors as `resume`. */
  readonly retryFailed: (batch: string) => Promise<Batch>;
  /** As `retryFailed`, of these files; those that are neither failed nor uncertain stay as they are. */
  readonly retryFiles: (batch: string, ids: readonly number[]) => Promise<Batch>;
  /** What this app knows to be on an assignment of the present connection. */
  readonly knownFiles: (assignmentId: string) => readonly KnownFile[];
  /**
   * Removes a file from an assignment (interface operation 6); answers what the service says is left, if it does.
   * Errors: the service's.
   */
  readonly removeFile: (
    file: { readonly AssignmentId: string; readonly Key: string },
    signal?: AbortSignal,
  ) => Promise<AssignmentFiles | undefined>;
  /**
   * Goes on with what was running or being cancelled when the app ended, or stopped for want of a session: of all
   * batches, or of these. Resolves when they have begun.
   */
  readonly resumeInterrupted: (batches?: readonly string[]) => Promise<void>;
  /** Resolves when the batch neither runs nor is being cancelled (any more). */
  readonly ended: (batch: string) => Promise<Batch>;
  /** Breaks off what runs; the next start goes on with it. */
  readonly close: () => Promise<void>;
};

/** Whether a batch stopped for want of its own user's session. */
const isOfSession = ({ code }: Pick<ErrorData, 'code'>): boolean =>
  code.startsWith('auth/') || code === 'upload/other-session';

/** The uploads of one connection; nothing runs until it is asked for. */
export const createUploads = ({ owner, assertSignedIn, ...options }: UploadsOptions): Uploads => {
  const { context, onBatch, onBug } = options;
  const { batches, items, knownFiles, commit } = context.ledger;
  const verification = { items, open: context.open, idleMs: context.timeouts.idleMs };
  const supervisor = createSupervisor({ ...options, serviceOf: (row) => ownService(row) });
  /** Cancellations that are at work now. */
  const cancelling = new Map<string, Promise<Batch>>();
  const closing = new AbortController();

  const rowOf = (id: string): BatchRow => {
    const row = batches.get(id);
    if (!row) throw new DeskError('upload/batch-unknown', 'there is no such batch', { details: { batch: id } });
    return row;
  };
  const get = (id: string): Batch => supervisor.view(rowOf(id));
  /** Nothing, where a damaged ledger does not give its counts any more. */
  const viewed = (row: BatchRow): readonly Batch[] => {
    try {
      return [supervisor.view(row)];
    } catch (error) {
      if (!context.ledger.damage) throw error;
      return [];
    }
  };
  const told = (id: string): Batch => {
    const batch = get(id);
    onBatch(batch);
    return batch;
  };

  const isOwn = ({ connection, subject }: BatchRow): boolean => {
    const own = owner();
    const sameUser = subject === undefined || own.subject === undefined || subject === own.subject;
    return connection === own.connection && sameUser;
  };

  const assertOwn = (row: BatchRow): void => {
    if (isOwn(row)) return;
    throw new DeskError('upload/other-session', 'the batch belongs to another sign-in', { details: { batch: row.id } });
  };
  /** The batch, if it may be changed from here. */
  const ownRow = (id: string): BatchRow => {
    const row = rowOf(id);
    assertOwn(row);
    return row;
  };
  /** Not for a batch that runs on while somebody else signs in, of which is heard here a moment later. */
  const ownService = (row: BatchRow): UploadService => ({
    signUpload: async (request, options) => {
      assertOwn(row);
      return context.service.signUpload(request, { ...options, subject: row.subject });
    },
    removeFile: async (request, options) => {
      assertOwn(row);
      return context.service.removeFile(request, { ...options, subject: row.subject });
    },
  });

  const assertState = (row: BatchRow, ...possible: readonly (BatchRow['state'] | 'cancelling')[]): void => {
    const state = isBeingCancelled(row) ? 'cancelling' : row.state;
    if (possible.includes(state)) return;
    throw new DeskError('upload/batch-state', `not possible while the batch is ${state}`, {
      details: { batch: row.id, state },
    });
  };

  /** Resolves when the batch neither runs nor is being cancelled. */
  const atRest = async (id: string): Promise<void> => {
    await supervisor.ended(id);
    await cancelling.get(id)?.catch(() => {});
  };

  /** Begins the batch once a run that is coming to its end has ended, if nobody stopped it meanwhile. */
  const run = async (id: string): Promise<Batch> => {
    await atRest(id);
    await commit(() => {
      const row = rowOf(id);
      assertState(row, 'scanning', 'running', 'paused');
      batches.setState(id, row.scanned ? 'running' : 'scanning');
    });
    const row = rowOf(id);
    if (isOpen(row) && !supervisor.runs(id)) supervisor.begin(row);
    return told(id);
  };

  const cancelOnce = async (id: string): Promise<Batch> => {
    await commit(() => batches.setCancelling(id));
    told(id);
    await supervisor.abort(id);
    const row = rowOf(id);
    const ofBatch = { ...context, service: ownService(row) };
    // Its last files may have come to their end meanwhile.
    if (isBeingCancelled(row)) await cancelBatch(ofBatch, row, closing.signal);
    return told(id);
  };
  const cancel = (id: string): Promise<Batch> => {
    const under = cancelling.get(id) ?? cancelOnce(id).finally(() => cancelling.delete(id));
    cancelling.set(id, under);
    return under;
  };

  /** A run that is coming to its end for want of a session has to end before it can be gone on with. */
  const resumeIfInterrupted = async (id: string): Promise<void> => {
    await atRest(id);
    if (supervisor.isClosed()) return;
    const row = rowOf(id);
    if (!isOwn(row)) return;
    if (isBeingCancelled(row)) {
      cancel(id).catch((error) => {
        if (!(error instanceof DeskError)) onBug(error);
      });
    } else if (isOpen(row) || (row.reason && isOfSession(row.reason))) await run(id);
  };

  const retry = async (id: string, requeue: (batch: BatchRow) => Promise<Requeued>): Promise<Batch> => {
    await cancelling.get(id)?.catch(() => {});
    const row = ownRow(id);
    assertSignedIn();
    assertState(row, 'scanning', 'running', 'paused', 'finished', 'cancelled');
    const requeued = await requeue(row);
    if (requeued.files === 0) return get(id);
    // A run that has not ended takes them up, even at its last moment.
    return !requeued.reopened && supervisor.runs(id) ? told(id) : run(id);
  };

  return {
    preview: ({ sources, assignmentId, nameTemplate: template = ownNameTemplate }, signal) => {
      const taken = { ledger: context.ledger, assignment: { connection: owner().connection, assignmentId } };
      return previewFolders(sources, { template, taken, contentOf: createContentOf(context, signal) }, signal);
    },
    start: async ({ root, only, assignmentId, nameTemplate = ownNameTemplate }) => {
      assertSignedIn();
      const folder = resolve(root);
      const id = randomUUID();
      await assertFolder(folder);
      const place = { root: folder, realRoot: await realRootOf({ root: folder }), only };
      const row = { id, ...owner(), ...place, assignmentId, nameTemplate, createdMs: context.now() };
      await commit(() => batches.insert(row));
      return run(id);
    },
    list: (connection) => batches.list(connection).flatMap(viewed),
    get,
    files: (id, filter) => {
      const { items: found, total } = items.list(rowOf(id).id, filter);
      return { files: found.map(viewFile), total };
    },
    errorGroups: (id) => items.errorGroups(rowOf(id).id),
    report: (id, path, format) => writeReport(path, get(id), everyItem(items, id), format),
    verify: (id, after, signal) => verifyPart(verification, rowOf(id), after, signal),
    mayHaveArrived: (id) => items.mayHaveArrived(rowOf(id).id),
    pause: async (id) => {
      assertState(ownRow(id), 'scanning', 'running');
      supervisor.pause(id);
      await commit(() => {
        // Not where the batch has come to its end meanwhile.
        if (!isOpen(rowOf(id))) return;
        batches.setState(id, 'paused');
        // One that was just about to begin has begun by now, or finds itself paused.
        supervisor.pause(id);
      });
      return told(id);
    },
    resume: async (id) => {
      const row = ownRow(id);
      assertSignedIn();
      assertState(row, 'scanning', 'running', 'paused');
      return row.state !== 'paused' && supervisor.runs(id) ? get(id) : run(id);
    },
    cancel: async (id) => {
      assertState(ownRow(id), 'scanning', 'running', 'paused', 'cancelling');
      return cancel(id);
    },
    retryFailed: (id) => retry(id, (row) => requeueFailed(context.ledger, row)),
    retryFiles: (id, ids) => retry(id, (row) => requeueFiles(context.ledger, row, ids)),
    knownFiles: (assignmentId) => knownFiles.list({ connection: owner().connection, assignmentId }),
    removeFile: ({ AssignmentId, Key }, signal) =>
      removeFile(context, { connection: owner().connection, assignmentId: AssignmentId }, Key, signal),
    resumeInterrupted: async (ids = batches.list(owner().connection).map(({ id }) => id)) => {
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

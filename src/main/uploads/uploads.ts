/** Uploads as the app sees them: batches that are started, watched, paused, gone on with and given up. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { DeskError } from '../../contract/errors.ts';
import type { Batch, UploadFile } from '../../contract/models.ts';
import { createSupervisor, type SupervisorOptions } from './batch-supervisor.ts';
import { cancelBatch } from './cancel-batch.ts';
import type { BatchRow } from './ledger/batches.ts';
import type { Item } from './ledger/item-row.ts';
import type { ItemFilter } from './ledger/items.ts';
import { requeueFailed } from './retry-batch.ts';
import { assertFolder } from './scan.ts';
import { viewFile } from './view-file.ts';

/** Whose uploads these are: a connection (by its key) and, where the access token tells, a user. */
export type Owner = { readonly connection: string; readonly subject: string | undefined };

export type UploadsOptions = SupervisorOptions & {
  /** The signed-in owner. Throws `auth/required` where nobody is. */
  readonly owner: () => Owner;
};

/** Errors of all that take a batch: `upload/batch-unknown`, `upload/batch-state` where the batch is past that. */
export type Uploads = {
  /** Errors: `upload/folder-missing`, `upload/folder-unreadable`, `auth/required`, `data/…`. */
  readonly start: (upload: { readonly root: string; readonly assignmentId: string }) => Promise<Batch>;
  readonly list: (connection: string) => readonly Batch[];
  readonly get: (batch: string) => Batch;
  readonly files: (
    batch: string,
    filter: ItemFilter,
  ) => { readonly files: readonly UploadFile[]; readonly total: number };
  /** Every item of a batch with its proof, for a report. */
  readonly items: (batch: string) => IterableIterator<Item>;
  readonly pause: (batch: string) => Promise<Batch>;
  /** Also: `upload/other-session` where the batch is another connection's or user's. */
  readonly resume: (batch: string) => Promise<Batch>;
  readonly cancel: (batch: string) => Promise<Batch>;
  /** Offers failed and uncertain files again, and runs the batch. Errors as `resume`. */
  readonly retryFailed: (batch: string) => Promise<Batch>;
  /** Goes on with what was running when the app ended, or stopped for want of a session. */
  readonly resumeInterrupted: () => void;
  /** Resolves when the batch does not run (any more). */
  readonly ended: (batch: string) => Promise<Batch>;
  /** Breaks off what runs; the next start goes on with it. */
  readonly close: () => Promise<void>;
};

export const createUploads = ({ owner, ...options }: UploadsOptions): Uploads => {
  const { context, onBatch } = options;
  const { batches, items, commit } = context.ledger;
  const supervisor = createSupervisor(options);

  const rowOf = (id: string): BatchRow => {
    const row = batches.get(id);
    if (!row) throw new DeskError('upload/batch-unknown', 'there is no such batch', { details: { batch: id } });
    return row;
  };
  const get = (id: string): Batch => supervisor.view(rowOf(id));
  const told = (id: string): Batch => {
    const batch = get(id);
    onBatch(batch);
    return batch;
  };

  const isOwn = ({ connection, subject }: BatchRow, own: Owner): boolean =>
    connection === own.connection && (subject === undefined || own.subject === undefined || subject === own.subject);

  const assertOwn = (row: BatchRow): void => {
    if (isOwn(row, owner())) return;
    throw new DeskError('upload/other-session', 'the batch belongs to another sign-in', { details: { batch: row.id } });
  };

  const assertState = ({ id, state }: BatchRow, ...possible: readonly BatchRow['state'][]): void => {
    if (possible.includes(state)) return;
    throw new DeskError('upload/batch-state', `not possible while the batch is ${state}`, {
      details: { batch: id, state },
    });
  };

  /** Begins the batch once a run that is coming to its end has ended. */
  const run = async (id: string): Promise<Batch> => {
    await supervisor.ended(id);
    await commit(() => batches.setState(id, rowOf(id).scanned ? 'running' : 'scanning'));
    if (!supervisor.runs(id)) supervisor.begin(rowOf(id));
    return told(id);
  };

  return {
    start: async ({ root, assignmentId }) => {
      const folder = resolve(root);
      const id = randomUUID();
      const row = { id, ...owner(), assignmentId, root: folder, createdMs: context.now() };
      await assertFolder(folder);
      await commit(() => batches.insert(row));
      return run(id);
    },
    list: (connection) => batches.list(connection).map(supervisor.view),
    get,
    files: (id, filter) => {
      const { items: found, total } = items.list(rowOf(id).id, filter);
      return { files: found.map(viewFile), total };
    },
    items: (id) => items.all(rowOf(id).id),
    pause: async (id) => {
      assertState(rowOf(id), 'scanning', 'running');
      supervisor.pause(id);
      await commit(() => batches.setState(id, 'paused'));
      return told(id);
    },
    resume: async (id) => {
      const row = rowOf(id);
      assertOwn(row);
      assertState(row, 'scanning', 'running', 'paused');
      return row.state !== 'paused' && supervisor.runs(id) ? get(id) : run(id);
    },
    cancel: async (id) => {
      assertState(rowOf(id), 'scanning', 'running', 'paused');
      await supervisor.abort(id);
      await cancelBatch(context, rowOf(id));
      return told(id);
    },
    retryFailed: async (id) => {
      const row = rowOf(id);
      assertOwn(row);
      assertState(row, 'running', 'paused', 'finished', 'cancelled');
      await requeueFailed(context.ledger, row);
      return row.state === 'running' && supervisor.runs(id) ? get(id) : run(id);
    },
    resumeInterrupted: () => {
      const own = owner();
      for (const row of batches.list(own.connection)) {
        const interrupted = row.state === 'running' || row.state === 'scanning' || row.reason?.code.startsWith('auth/');
        if (interrupted && isOwn(row, own) && !supervisor.runs(row.id)) supervisor.begin(row);
      }
    },
    ended: async (id) => {
      await supervisor.ended(id);
      return get(id);
    },
    close: supervisor.close,
  };
};

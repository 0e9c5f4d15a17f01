/** The ledger's batches: one row for each upload of a folder to an assignment. */

import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Owner } from '../../../contract/connection.ts';
import { DeskError, ErrorData, toErrorData } from '../../../contract/errors.ts';
import {
  BatchSchedule,
  BatchState,
  LeftOut,
  type NameTemplate,
  OnClash,
  ReceiptFormat,
} from '../../../contract/uploads.ts';
import { absent, storedCount, storedJson, storedTime } from '../../data/sqlite.ts';
import type { FolderIdentity } from '../source/file-identity.ts';
import { ReviewedPart } from '../source/reviewed-list.ts';
import type { FoundFolder } from '../source/scan.ts';
import { RANGE } from './items.ts';
import type { AssignmentRef } from './known-files.ts';

/** Uploaded only to its owner's service, in its owner's session. */
export type BatchRow = Owner & {
  readonly id: string;
  /** The upload it belongs to, shared by all batches started together. */
  readonly uploadId: string;
  readonly assignmentId: string;
  /** Absolute path of the folder. */
  readonly root: string;
  /** Its path without links when the upload was started. Absent if it could not be found. */
  readonly realRoot: string | undefined;
  /** Names of the files in it that were chosen; absent: the whole folder. */
  readonly only: readonly string[] | undefined;
  /** Paths below it of files that are not uploaded. */
  readonly except: readonly string[] | undefined;
  /** The reviewed files that are not queued yet; absent: a scan finds the files. */
  readonly reviewed: ReviewedPart | undefined;
  /** Whether files that were not part of the review are left out. */
  readonly leavesLater: boolean;
  readonly nameTemplate: NameTemplate;
  /** The treatment of files whose FileName is taken, unless `onClashOf` overrides it. */
  readonly onClash: OnClash;
  readonly state: BatchState;
  /** When it may be sent; absent: at any time. */
  readonly schedule: BatchSchedule | undefined;
  /** The receipt that is still to be saved once the upload has ended. */
  readonly receipt: ReceiptFormat | undefined;
  /** Whether the scan of the folder is complete. */
  readonly scanned: boolean;
  readonly reason: ErrorData | undefined;
  readonly leftOut: LeftOut;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | undefined;
  /** When it was chosen to be sent before others; absent: in order. */
  readonly firstAtMs: number | undefined;
};

const Row = z
  .object({
    id: z.string(),
    upload_id: z.string(),
    connection: z.string(),
    subject: absent(z.string()),
    assignment_id: z.string(),
    root: z.string(),
    real_root: absent(z.string()),
    only_names: absent(storedJson(z.array(z.string()))),
    except_paths: absent(storedJson(z.array(z.string()))),
    reviewed: absent(storedJson(ReviewedPart)),
    leaves_later: storedCount,
    name_template: z.string(),
    on_clash: OnClash,
    state: BatchState,
    schedule: absent(storedJson(BatchSchedule)),
    receipt: absent(ReceiptFormat),
    scanned: storedCount,
    reason: absent(storedJson(ErrorData)),
    left_out: storedJson(LeftOut),
    created_ms: storedTime,
    finished_ms: absent(storedTime),
    first_ms: absent(storedTime),
  })
  .transform(
    (row): BatchRow => ({
      id: row.id,
      uploadId: row.upload_id,
      connectionId: row.connection,
      subject: row.subject,
      assignmentId: row.assignment_id,
      root: row.root,
      realRoot: row.real_root,
      only: row.only_names,
      except: row.except_paths,
      reviewed: row.reviewed,
      leavesLater: row.leaves_later === 1,
      nameTemplate: row.name_template,
      onClash: row.on_clash,
      state: row.state,
      schedule: row.schedule,
      receipt: row.receipt,
      scanned: row.scanned === 1,
      reason: row.reason,
      leftOut: row.left_out,
      createdAtMs: row.created_ms,
      finishedAtMs: row.finished_ms,
      firstAtMs: row.first_ms,
    }),
  );

/** The columns of a new batch: the inverse of `Row`. */
const columnsOf = ({ id, isHeldBack, ...batch }: NewBatch) => ({
  id,
  upload_id: batch.uploadId ?? id,
  connection: batch.connectionId,
  subject: batch.subject ?? null,
  assignment_id: batch.assignmentId,
  root: batch.root,
  real_root: batch.realRoot ?? null,
  only_names: jsonOrNull(batch.only),
  except_paths: jsonOrNull(batch.except),
  reviewed: jsonOrNull(batch.reviewed),
  leaves_later: batch.leavesLater ? 1 : 0,
  name_template: batch.nameTemplate,
  on_clash: batch.onClash ?? 'rename',
  schedule: jsonOrNull(batch.schedule),
  receipt: batch.receipt ?? null,
  state: isHeldBack ? 'paused' : 'scanning',
  reason: isHeldBack ? JSON.stringify(HELD_BACK) : null,
  created_ms: batch.createdAtMs,
});

const jsonOrNull = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

/** The user's choices for single files whose FileName is taken, by path. */
export type ClashChoices = Readonly<Record<string, OnClash>>;

/**
 * A batch to be started. Without `uploadId` it becomes a separate upload; without `onClash` its files are renamed.
 * `isHeldBack`: its schedule does not allow it to run now.
 */
export type NewBatch = Owner &
  Pick<BatchRow, 'id' | 'assignmentId' | 'root' | 'nameTemplate' | 'createdAtMs'> &
  Partial<
    Pick<
      BatchRow,
      'uploadId' | 'only' | 'except' | 'realRoot' | 'reviewed' | 'leavesLater' | 'onClash' | 'schedule' | 'receipt'
    >
  > & {
    /** The identity of the folder itself. */
    readonly identity?: FolderIdentity | undefined;
    readonly isHeldBack?: boolean | undefined;
    readonly clashChoices?: ClashChoices | undefined;
  };

export type Batches = {
  readonly insert: (batch: NewBatch) => void;
  readonly get: (id: string) => BatchRow | undefined;
  /** What happens to this file of the batch if its FileName is taken. */
  readonly onClashOf: (batch: Pick<BatchRow, 'id' | 'onClash'>, path: string) => OnClash;
  /** The batches of a connection, oldest first, without those that cannot be read. */
  readonly list: (connectionId: string) => readonly BatchRow[];
  /** The batches of an assignment. */
  readonly ofAssignment: (assignment: AssignmentRef) => readonly BatchRow[];
  /** The batches with these numbers, which are the prefixes of their items' ids. */
  readonly numbered: (numbers: readonly number[]) => readonly BatchRow[];
  /** The batches of an upload. */
  readonly ofUpload: (uploadId: string) => readonly BatchRow[];
  /** Whether every batch can be read, with plausible counts. */
  readonly areReadable: () => boolean;
  /** Has no effect on a batch that is being cancelled. */
  readonly setState: (id: string, state: BatchState, reason?: ErrorData) => void;
  /** Marks the batch as being cancelled, even after a crash, until `setFinished`. Has no effect if it has ended. */
  readonly setCancelling: (id: string) => void;
  readonly setSchedule: (id: string, schedule: BatchSchedule) => void;
  /** No batch of the upload has a receipt to be saved any more. */
  readonly receiptSaved: (uploadId: string) => void;
  /** Everything that was reviewed is queued. */
  readonly setReviewed: (id: string) => void;
  readonly setScanned: (id: string, leftOut: LeftOut) => void;
  /**
   * Includes files that were left out as added later: their folder will be scanned again. Returns whether there were
   * any.
   */
  readonly takeLater: (id: string) => boolean;
  /** Records folders of the batch, unless others were found in their places before. */
  readonly addFolders: (id: string, folders: readonly Pick<FoundFolder, 'below' | 'identity'>[]) => void;
  /** The folder that was found at this place first; `below` as in `FoundFolder`. */
  readonly folderAt: (id: string, below: string) => FolderIdentity | undefined;
  /** The lists that batches still need. */
  readonly reviewedLists: () => ReadonlySet<string>;
  readonly setFinished: (id: string, state: 'finished' | 'cancelled', atMs: number) => void;
  /** The batch is sent before all others from now on; with `files`, only those of its files are. */
  readonly sendFirst: (id: string, atMs: number, files?: readonly number[]) => void;
  /** The later the batch or a queued file of it was chosen to be sent first, the lower; 0 if none was. */
  readonly orderOf: (id: string) => number;
};

/** The batch, unless it cannot be read. */
const readable = (row: unknown): readonly BatchRow[] => {
  const { data } = Row.safeParse(row);
  return data ? [data] : [];
};

/** With more batches, the numbers of their files would not fit. */
const MOST_BATCHES = 2 ** 20;

/** Why a batch is paused whose schedule holds it back. */
export const HELD_BACK = toErrorData(new DeskError('upload/scheduled', 'it is sent at its time', { retry: 'later' }));
const CANCELLING = toErrorData(new DeskError('upload/cancelling', 'the batch is being cancelled', { retry: 'later' }));

/** The batches in `db`, which has been migrated. */
export const createBatches = (db: DatabaseSync): Batches => {
  const insert = db.prepare(
    `INSERT INTO batch (id, upload_id, connection, subject, assignment_id, root, real_root, only_names, except_paths,
       reviewed, leaves_later, name_template, on_clash, schedule, receipt, state, reason, created_ms)
     VALUES (:id, :upload_id, :connection, :subject, :assignment_id, :root, :real_root, :only_names, :except_paths,
       :reviewed, :leaves_later, :name_template, :on_clash, :schedule, :receipt, :state, :reason, :created_ms)`,
  );
  const choose = db.prepare('INSERT INTO clash_choice SELECT number, ?, ? FROM batch WHERE id = ?');
  const choice = db.prepare(
    'SELECT on_clash FROM clash_choice WHERE batch = (SELECT number FROM batch WHERE id = ?) AND path = ?',
  );
  const get = db.prepare('SELECT * FROM batch WHERE id = ?');
  const list = db.prepare('SELECT * FROM batch WHERE connection = ? ORDER BY created_ms, rowid');
  const all = db.prepare('SELECT * FROM batch');
  const ofAssignment = db.prepare(
    'SELECT * FROM batch WHERE connection = ? AND assignment_id = ? ORDER BY created_ms, rowid',
  );
  const ofUpload = db.prepare('SELECT * FROM batch WHERE upload_id = ? ORDER BY created_ms, rowid');
  const numbered = db.prepare('SELECT * FROM batch WHERE number IN (SELECT value FROM json_each(?))');
  for (const statement of [get, list, all, ofAssignment, numbered, ofUpload]) statement.setReadBigInts(true);
  const impossible = db.prepare(
    `SELECT 1 FROM batch WHERE number NOT BETWEEN 1 AND ${MOST_BATCHES} UNION ALL
     SELECT 1 FROM tally WHERE files NOT BETWEEN 0 AND ${RANGE} OR bytes NOT BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} LIMIT 1`,
  );
  const setState = db.prepare(
    `UPDATE batch SET state = ?, reason = ?, finished_ms = NULL
     WHERE id = ? AND (reason IS NULL OR reason ->> 'code' != '${CANCELLING.code}')`,
  );
  const setCancelling = db.prepare(
    `UPDATE batch SET state = 'paused', reason = ? WHERE id = ? AND state IN ('scanning', 'running', 'paused')`,
  );
  const setSchedule = db.prepare('UPDATE batch SET schedule = ? WHERE id = ?');
  const receiptSaved = db.prepare('UPDATE batch SET receipt = NULL WHERE upload_id = ?');
  const setScanned = db.prepare('UPDATE batch SET scanned = 1, left_out = ? WHERE id = ?');
  const setReviewed = db.prepare('UPDATE batch SET reviewed = NULL WHERE id = ?');
  const takeLater = db.prepare('UPDATE batch SET leaves_later = 0, scanned = 0 WHERE id = ? AND leaves_later = 1');
  const addFolder = db.prepare('INSERT OR IGNORE INTO batch_folder SELECT number, ?, ?, ? FROM batch WHERE id = ?');
  const folderAt = db.prepare(
    'SELECT id, born_ms FROM batch_folder WHERE batch = (SELECT number FROM batch WHERE id = ?) AND below = ?',
  );
  const reviewedLists = db.prepare(
    `SELECT DISTINCT reviewed ->> 'list' AS list FROM batch WHERE reviewed IS NOT NULL AND state != 'cancelled'`,
  );
  const sendFirst = db.prepare('UPDATE batch SET first_ms = ? WHERE id = ?');
  const sendFilesFirst = db.prepare(
    `INSERT OR REPLACE INTO first_file SELECT item.id, ? FROM item JOIN batch ON batch.number = item.batch
     WHERE batch.id = ? AND item.id IN (SELECT value FROM json_each(?)) AND item.state != 'done'`,
  );
  const firstAt = db.prepare(
    `SELECT max(coalesce(first_ms, 0), coalesce((SELECT max(at_ms) FROM first_file JOIN item ON item.id = first_file.item
       WHERE first_file.item >= number * ${RANGE} AND first_file.item < (number + 1) * ${RANGE} AND item.state = 'queued'), 0))
     AS at FROM batch WHERE id = ?`,
  );
  const setFinished = db.prepare('UPDATE batch SET state = ?, reason = NULL, finished_ms = ? WHERE id = ?');

  return {
    insert: (batch) => {
      const { id, identity, clashChoices = {} } = batch;
      insert.run(columnsOf(batch));
      if (identity) addFolder.run('', identity.id, identity.bornMs, id);
      for (const [path, onClash] of Object.entries(clashChoices)) choose.run(path, onClash, id);
    },
    get: (id) => {
      const row = get.get(id);
      return row && Row.parse(row);
    },
    onClashOf: ({ id, onClash }, path) => OnClash.optional().parse(choice.get(id, path)?.on_clash) ?? onClash,
    list: (connectionId) => list.all(connectionId).flatMap(readable),
    ofAssignment: ({ connectionId, assignmentId }) => ofAssignment.all(connectionId, assignmentId).flatMap(readable),
    numbered: (numbers) => numbered.all(JSON.stringify(numbers)).flatMap(readable),
    ofUpload: (uploadId) => ofUpload.all(uploadId).flatMap(readable),
    areReadable: () => impossible.get() === undefined && all.all().every((row) => Row.safeParse(row).success),
    setState: (id, state, reason) => {
      setState.run(state, jsonOrNull(reason), id);
    },
    setCancelling: (id) => {
      setCancelling.run(JSON.stringify(CANCELLING), id);
    },
    setSchedule: (id, schedule) => {
      setSchedule.run(JSON.stringify(schedule), id);
    },
    receiptSaved: (uploadId) => {
      receiptSaved.run(uploadId);
    },
    setReviewed: (id) => {
      setReviewed.run(id);
    },
    takeLater: (id) => takeLater.run(id).changes === 1,
    addFolders: (id, folders) => {
      for (const { below, identity } of folders) addFolder.run(below, identity.id, identity.bornMs, id);
    },
    folderAt: (id, below) => {
      const row = folderAt.get(id, below);
      return row && { id: String(row.id), bornMs: Number(row.born_ms) };
    },
    reviewedLists: () => new Set(reviewedLists.all().map(({ list }) => String(list))),
    setScanned: (id, leftOut) => {
      setScanned.run(JSON.stringify(leftOut), id);
    },
    setFinished: (id, state, atMs) => {
      setFinished.run(state, atMs, id);
    },
    sendFirst: (id, atMs, files) => {
      if (files) sendFilesFirst.run(atMs, id, JSON.stringify(files));
      else sendFirst.run(atMs, id);
    },
    orderOf: (id) => -Number(firstAt.get(id)?.at ?? 0),
  };
};

/** What the search reads of ledger.sqlite, over a connection of its own that cannot write. */
import type { DatabaseSync } from 'node:sqlite';
import type { FileState } from '../../../contract/upload-files.ts';
import { openReadOnly, translating } from '../../data/sqlite.ts';
import { RANGE } from '../ledger/item-lists.ts';
import { type Item, nameOfRow, sha256OfRow, toItem, WITH_REMOVAL } from '../ledger/item-row.ts';
import type { AssignmentRef } from '../ledger/known-files.ts';
import { ledgerMigrations } from '../ledger/migrations.ts';

/** A batch as the search knows it. Its files have the numbers from `number * RANGE` on. */
export type BatchFacts = {
  readonly number: number;
  readonly id: string;
  readonly connectionId: string;
  readonly uploadId: string;
  readonly AssignmentId: string;
  readonly root: string;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | undefined;
  readonly files: number;
};

/** What the words of a file are taken from. */
type NamedItem = Pick<Item, 'id' | 'path' | 'fileName' | 'sha256'> & { readonly state: string };

/** A file that only the service named. */
export type ReportedFile = AssignmentRef & { readonly FileName: string; readonly addedAtMs: number };

/** A part of the files of a batch: their numbers from `firstId` up to, but without, `endId`. */
export type ItemRange = { readonly batch: number; readonly firstId: number; readonly endId: number };

export type LedgerView = {
  /** Changes whenever the ledger was written. */
  readonly version: () => number;
  /** The batches that are new or have changed since the last call, each time with those that have not ended. */
  readonly changedBatches: () => readonly BatchFacts[];
  readonly named: (range: ItemRange) => readonly NamedItem[];
  readonly items: (ids: readonly number[]) => readonly Item[];
  readonly idsInStates: (ranges: readonly ItemRange[], states: readonly FileState[]) => readonly number[];
  /** A window of the ids of a batch's files in these states, the latest first. */
  readonly windowInStates: (
    batch: number,
    states: readonly FileState[],
    window: { readonly offset: number; readonly limit: number },
  ) => readonly number[];
  /** Those of `ids` that are in one of the states. */
  readonly idsOfThoseIn: (ids: readonly number[], states: readonly FileState[]) => readonly number[];
  /** The ids of files that were settled, or else queued (`createdAtMs`), in this time. */
  readonly idsAtTime: (range: ItemRange, createdAtMs: number, fromMs: number, beforeMs: number) => readonly number[];
  /** The ids of a batch's files whose hash begins with `sha256` (in lower case). */
  readonly idsWithHash: (range: ItemRange, sha256: string) => readonly number[];
  /** How many files a batch has in these states, by its number; batches without any are left out. */
  readonly filesIn: (states: readonly FileState[]) => ReadonlyMap<number, number>;
  /** Every reported file of a connection, the latest first. */
  readonly reported: (connectionId: string) => readonly ReportedFile[];
  readonly close: () => void;
};

/** Opens the ledger at `path`. Errors: `data/…`. */
export const openLedgerView = (path: string): LedgerView => {
  const db = openReadOnly({ path, migrations: ledgerMigrations });
  try {
    return translating(path, createView(db));
  } catch (error) {
    db.close();
    throw error;
  }
};

const createView = (db: DatabaseSync): LedgerView => {
  const version = db.prepare('PRAGMA data_version');
  const batches = db.prepare(
    `SELECT number, id, connection, upload_id, assignment_id, root, created_ms, finished_ms,
       (SELECT sum(files) FROM tally WHERE tally.batch = batch.number AND tally.state != 'removed') AS files
     FROM batch
     WHERE number > ?1 OR finished_ms IS NULL OR finished_ms >= ?2 OR number IN (SELECT value FROM json_each(?3))
     ORDER BY number`,
  );
  const inRange = 'id >= ? AND id < ?';
  const named = db.prepare(`SELECT id, path, file_name, sha256, digest, state FROM item WHERE ${inRange}`);
  const items = db.prepare(`${WITH_REMOVAL} WHERE id IN (SELECT value FROM json_each(?))`);
  const inStates = db.prepare(
    `SELECT item.id FROM json_each(?) AS part CROSS JOIN json_each(?) AS wanted CROSS JOIN item INDEXED BY item_by_state
       ON item.batch = part.value ->> 'batch' AND item.state = wanted.value
       AND item.id >= part.value ->> 'firstId' AND item.id < part.value ->> 'endId'`,
  );
  const windowInStates = db.prepare(
    `SELECT id FROM item INDEXED BY item_by_state WHERE batch = ? AND state IN (SELECT value FROM json_each(?))
     ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const ofThoseIn = db.prepare(
    `SELECT id FROM item WHERE id IN (SELECT value FROM json_each(?)) AND state IN (SELECT value FROM json_each(?))`,
  );
  const atTime = db.prepare(
    `SELECT id FROM item WHERE ${inRange} AND coalesce(settled_ms, ?) >= ? AND coalesce(settled_ms, ?) < ?`,
  );
  const withHash = db.prepare(
    `SELECT id FROM item WHERE ${inRange} AND (digest BETWEEN ? AND ? OR sha256 >= ? AND sha256 < ?)`,
  );
  const withState = db.prepare(
    `SELECT batch, sum(files) AS files FROM tally WHERE files > 0 AND state IN (SELECT value FROM json_each(?))
     GROUP BY batch`,
  );
  const reported = db.prepare(
    `SELECT assignment_id, file_name, at_ms FROM known_file INDEXED BY known_file_reported
     WHERE connection = ? AND source = 'seen-at-removal' ORDER BY at_ms DESC`,
  );
  const reportedVersion = db.prepare(
    `SELECT count(*) || ' ' || max(at_ms) AS version FROM known_file INDEXED BY known_file_reported
     WHERE connection = ? AND source = 'seen-at-removal'`,
  );

  let lastNumber = 0;
  let lastFinishedMs = 0;
  let open: readonly number[] = [];
  let reportedBefore: { readonly of: string; readonly files: readonly ReportedFile[] } | undefined;
  const idsOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly number[] =>
    rows.map(({ id }) => Number(id));

  return {
    version: () => Number(version.get()?.data_version),
    changedBatches: () => {
      const changed = batches.all(lastNumber, lastFinishedMs, JSON.stringify(open)).map(toFacts);
      lastNumber = changed.reduce((last, { number }) => Math.max(last, number), lastNumber);
      lastFinishedMs = changed.reduce((last, { finishedAtMs = 0 }) => Math.max(last, finishedAtMs), lastFinishedMs);
      open = changed.filter(({ finishedAtMs }) => finishedAtMs === undefined).map(({ number }) => number);
      return changed;
    },
    named: ({ firstId, endId }) =>
      named.all(firstId, endId).map((row) => ({
        id: Number(row.id),
        path: String(row.path),
        fileName: nameOfRow(row),
        sha256: sha256OfRow(row),
        state: String(row.state),
      })),
    items: (ids) => items.all(JSON.stringify(ids)).map(toItem),
    idsInStates: (ranges, states) => idsOf(inStates.all(JSON.stringify(ranges), JSON.stringify(states))),
    windowInStates: (batch, states, { offset, limit }) =>
      idsOf(windowInStates.all(batch, JSON.stringify(states), limit, offset)),
    idsOfThoseIn: (ids, states) => idsOf(ofThoseIn.all(JSON.stringify(ids), JSON.stringify(states))),
    idsAtTime: ({ firstId, endId }, createdAtMs, fromMs, beforeMs) =>
      idsOf(atTime.all(firstId, endId, createdAtMs, fromMs, createdAtMs, beforeMs)),
    idsWithHash: ({ firstId, endId }, sha256) =>
      idsOf(withHash.all(firstId, endId, ...digestsFrom(sha256), sha256, `${sha256}g`)),
    filesIn: (states) =>
      new Map(withState.all(JSON.stringify(states)).map(({ batch, files }) => [Number(batch), Number(files)])),
    reported: (connectionId) => {
      const of = `${connectionId} ${reportedVersion.get(connectionId)?.version}`;
      if (reportedBefore?.of !== of) {
        const files = reported.all(connectionId).map(({ assignment_id, file_name, at_ms }) => ({
          connectionId,
          assignmentId: String(assignment_id),
          FileName: String(file_name),
          addedAtMs: Number(at_ms),
        }));
        reportedBefore = { of, files };
      }
      return reportedBefore.files;
    },
    close: () => db.close(),
  };
};

/** The first and the last digest that begin with these digits. */
const digestsFrom = (hex: string): readonly [Uint8Array, Uint8Array] => [
  Buffer.from(hex.padEnd(64, '0'), 'hex'),
  Buffer.from(hex.padEnd(64, 'f'), 'hex'),
];

const toFacts = (row: Readonly<Record<string, unknown>>): BatchFacts => ({
  number: Number(row.number),
  id: String(row.id),
  connectionId: String(row.connection),
  uploadId: String(row.upload_id),
  AssignmentId: String(row.assignment_id),
  root: String(row.root),
  createdAtMs: Number(row.created_ms),
  finishedAtMs: row.finished_ms === null ? undefined : Number(row.finished_ms),
  files: Number(row.files ?? 0),
});

/** The range of all files of a batch. */
export const wholeBatch = (batch: number): ItemRange => ({ batch, firstId: batch * RANGE, endId: (batch + 1) * RANGE });

/** What the search reads of ledger.sqlite, over a connection of its own that cannot write. */
import type { DatabaseSync } from 'node:sqlite';
import type { FileState, ListedState } from '../../../contract/uploads.ts';
import { openReadOnly, translating } from '../../data/sqlite.ts';
import { type Item, nameOfRow, sha256OfRow, toItem, WITH_REMOVAL } from '../ledger/item-row.ts';
import { RANGE } from '../ledger/items.ts';
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

/** Listed states as items have them. `removed`: whether removed files, whose items are done, are added to those, or left out. */
export type StoredStates = { readonly states: readonly FileState[]; readonly removed?: 'added' | 'out' };

export const storedStates = (listed: readonly ListedState[]): StoredStates => {
  const states = listed.filter((state) => state !== 'removed');
  const isAsked = states.length < listed.length;
  return { states, ...(isAsked !== states.includes('done') && { removed: isAsked ? 'added' : 'out' }) };
};

export type LedgerView = {
  /** Changes whenever the ledger was written. */
  readonly version: () => number;
  /** The batches that are new or have changed since the last call, each time with those that have not ended. */
  readonly changedBatches: () => readonly BatchFacts[];
  readonly named: (range: ItemRange) => readonly NamedItem[];
  readonly items: (ids: readonly number[]) => readonly Item[];
  readonly idsInStates: (ranges: readonly ItemRange[], states: readonly FileState[]) => readonly number[];
  /** A window of the ids of a batch's files that are listed in these states, the latest first. */
  readonly windowInStates: (
    batch: number,
    listed: readonly ListedState[],
    window: { readonly offset: number; readonly limit: number },
  ) => readonly number[];
  /** Those of `ids` that are in one of the states. */
  readonly idsOfThoseIn: (ids: readonly number[], states: readonly FileState[]) => readonly number[];
  /** The ids of removed files. */
  readonly removedIn: (ranges: readonly ItemRange[]) => readonly number[];
  /** The ids of files that were settled, or else queued (`createdAtMs`), in this time. */
  readonly idsAtTime: (range: ItemRange, createdAtMs: number, fromMs: number, beforeMs: number) => readonly number[];
  /** The ids of a batch's files whose hash begins with `sha256` (in lower case). */
  readonly idsWithHash: (range: ItemRange, sha256: string) => readonly number[];
  /** How many files of a batch are listed in these states, by its number; batches without any are left out. */
  readonly filesIn: (listed: readonly ListedState[]) => ReadonlyMap<number, number>;
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
  const named = db.prepare(`SELECT id, path, file_name, digest, state FROM item WHERE ${inRange}`);
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
  // ?3: whether removed files are added, instead of being left out.
  const windowWithRemoved = db.prepare(
    `SELECT id FROM item INDEXED BY item_by_state WHERE batch = ?1 AND state IN (SELECT value FROM json_each(?2))
       AND (?3 OR NOT EXISTS (SELECT 1 FROM removed_file WHERE item = id))
     UNION ALL SELECT item FROM removed_file WHERE ?3 AND item >= ?1 * ${RANGE} AND item < (?1 + 1) * ${RANGE}
     ORDER BY id DESC LIMIT ?4 OFFSET ?5`,
  );
  const hasRemoved = db.prepare(`SELECT 1 FROM tally WHERE batch = ? AND state = 'removed' AND files > 0`);
  const removedIn = db.prepare(
    `SELECT item AS id FROM json_each(?) AS part CROSS JOIN removed_file
       ON item >= part.value ->> 'firstId' AND item < part.value ->> 'endId'`,
  );
  const ofThoseIn = db.prepare(
    `SELECT id FROM item WHERE id IN (SELECT value FROM json_each(?)) AND state IN (SELECT value FROM json_each(?))`,
  );
  const atTime = db.prepare(
    `SELECT id FROM item WHERE ${inRange} AND coalesce(settled_ms, ?) >= ? AND coalesce(settled_ms, ?) < ?`,
  );
  const withHash = db.prepare(`SELECT id FROM item WHERE ${inRange} AND digest BETWEEN ? AND ?`);
  const withState = db.prepare(
    `SELECT batch, sum(files * iif(state = 'removed', ?2, 1)) AS total FROM tally
     WHERE files > 0 AND (state = 'removed' OR state IN (SELECT value FROM json_each(?1))) GROUP BY batch HAVING total > 0`,
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
    windowInStates: (batch, listed, { offset, limit }) => {
      const { states, removed } = storedStates(listed);
      const wanted = JSON.stringify(states);
      return idsOf(
        removed && hasRemoved.get(batch)
          ? windowWithRemoved.all(batch, wanted, removed === 'added' ? 1 : 0, limit, offset)
          : windowInStates.all(batch, wanted, limit, offset),
      );
    },
    removedIn: (ranges) => idsOf(removedIn.all(JSON.stringify(ranges))),
    idsOfThoseIn: (ids, states) => idsOf(ofThoseIn.all(JSON.stringify(ids), JSON.stringify(states))),
    idsAtTime: ({ firstId, endId }, createdAtMs, fromMs, beforeMs) =>
      idsOf(atTime.all(firstId, endId, createdAtMs, fromMs, createdAtMs, beforeMs)),
    idsWithHash: ({ firstId, endId }, sha256) => idsOf(withHash.all(firstId, endId, ...digestsFrom(sha256))),
    filesIn: (listed) => {
      const { states, removed } = storedStates(listed);
      const times = removed === undefined ? 0 : removed === 'added' ? 1 : -1;
      const found = withState.all(JSON.stringify(states), times);
      return new Map(found.map(({ batch, total }) => [Number(batch), Number(total)]));
    },
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

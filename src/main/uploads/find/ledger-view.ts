/** The search's read-only connection to ledger.sqlite. */
import type { DatabaseSync } from 'node:sqlite';
import type { FileQuery } from '../../../contract/files.ts';
import { type FileState, ListedState } from '../../../contract/uploads.ts';
import { createRead, openReadOnly, translating } from '../../data/sqlite.ts';
import { type Item, nameOfRow, RANGE, sha256OfRow, toItem, WITH_REMOVAL } from '../ledger/items.ts';
import { ledgerMigrations } from '../ledger/migrations.ts';
import { archiveKey } from '../source/file-identity.ts';

/** A batch for the search. The ids of its files begin at `number * RANGE`. `finishedAtMs`: null if it has not ended. */
export type BatchFacts = {
  readonly number: number;
  readonly id: string;
  readonly connectionId: string;
  readonly uploadId: string;
  readonly AssignmentId: string;
  readonly root: string;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly files: number;
};

/** The ids of files from `firstId` up to, but not including, `endId`. */
export type IdRange = { readonly firstId: number; readonly endId: number };

type Window = { readonly offset: number; readonly limit: number };

/** The facts of a file that are indexed. */
type NamedItem = Pick<Item, 'id' | 'path' | 'fileName' | 'sha256'> & { readonly state: string };

/** A file that is known only because the service listed it. */
export type ReportedFile = {
  readonly AssignmentId: string;
  readonly FileName: string;
  readonly addedAtMs: number;
};

/** A file that was uploaded, or skipped as already there. `isThere`: no removal is known. `atMs`: ms since 1970. */
type SentContent = Required<Pick<Item, 'sizeBytes'>> & {
  readonly sha256: string;
  readonly identity: Item['identity'];
  readonly AssignmentId: string;
  readonly atMs: number;
  readonly isThere: boolean;
};

/**
 * The conditions that a file has to meet. `sha256`: the beginning of the hash, in lower case. `fromMs`, `beforeMs`:
 * limits, in ms since 1970, of the time when the file was settled or, before that, when its batch was created.
 */
type FileConditions = Pick<FileQuery, 'states' | 'sha256' | 'fromMs' | 'beforeMs'>;

export type LedgerView = ReturnType<typeof createView>;

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

/**
 * The stored states to search for if these states are listed. Removed files are stored as `done`, so `removed` says
 * whether removed files have to be added or left out; absent if neither.
 */
const storedStates = (
  listed: readonly ListedState[],
): { readonly states: readonly FileState[]; readonly removed?: 'added' | 'out' } => {
  const states = listed.filter((state) => state !== 'removed');
  const isListed = states.length < listed.length;
  return { states, ...(isListed !== states.includes('done') && { removed: isListed ? 'added' : 'out' }) };
};

/** If more states than this are wanted, most files probably match (`windowInStates`). */
const FEW_STATES = 4;

type Id = { readonly id: number };

const createView = (db: DatabaseSync) => {
  const read = createRead(db);
  const version = db.prepare('PRAGMA data_version');
  const batches = read<BatchFacts>(
    `SELECT number, id, connection AS connectionId, upload_id AS uploadId, assignment_id AS AssignmentId, root,
       created_ms AS createdAtMs, finished_ms AS finishedAtMs, coalesce(
         (SELECT sum(files) FROM tally WHERE tally.batch = batch.number AND tally.state != 'removed'), 0) AS files
     FROM batch WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number`,
  );
  const ends = read<Pick<BatchFacts, 'number' | 'finishedAtMs'>>(
    'SELECT number, finished_ms AS finishedAtMs FROM batch',
  );
  const inRange = 'id >= ? AND id < ?';
  const named = db.prepare(`SELECT id, path, file_name, digest, state FROM item WHERE ${inRange}`);
  const items = db.prepare(`${WITH_REMOVAL} WHERE id IN (SELECT value FROM json_each(?))`);
  const meets = `iif(removed_file.item IS NULL, item.state, 'removed') IN (SELECT value FROM json_each(?1))
    AND coalesce(settled_ms, created_ms) >= ?2 AND coalesce(settled_ms, created_ms) < ?3
    AND (?4 IS NULL OR digest BETWEEN ?4 AND ?5)`;
  const withFacts =
    'JOIN batch ON batch.number = item.batch LEFT JOIN removed_file ON removed_file.item = item.id WHERE';
  const meeting = read<Id>(
    `SELECT item.id FROM json_each(?6) AS asked CROSS JOIN item ON item.id = asked.value ${withFacts} ${meets}`,
  );
  const allMeeting = read<Id>(
    `SELECT item.id FROM item ${withFacts} item.id >= ?6 * ${RANGE} AND item.id < (?6 + 1) * ${RANGE} AND ${meets}
     ORDER BY item.id DESC LIMIT ?7 OFFSET ?8`,
  );
  const filesIn = read<{ batch: number; total: number }>(
    `SELECT batch, sum(files * iif(state = 'removed', ?2, 1)) AS total FROM tally
     WHERE files > 0 AND (state = 'removed' OR state IN (SELECT value FROM json_each(?1))) GROUP BY batch HAVING total > 0`,
  );
  const windowInStates = read<Id>(
    `SELECT id FROM item INDEXED BY item_by_state WHERE batch = ? AND state IN (SELECT value FROM json_each(?))
     ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const inRangeAndStates = read<Id>(
    `SELECT id FROM item WHERE ${inRange} AND state IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const sentOf = db.prepare(
    `SELECT size_bytes, digest, file_id, changed_ms, settled_ms, assignment_id, removed_file.item IS NULL AS there
     FROM item JOIN batch ON batch.number = item.batch LEFT JOIN removed_file ON removed_file.item = item.id
     WHERE item.state IN ('done', 'skipped') AND digest IS NOT NULL AND batch.connection = ?
       AND size_bytes IN (SELECT value FROM json_each(?))`,
  );
  // If an archive was opened in a review, the archive itself has a path like that of a file in it. The `file_id` of
  // everything with such a path ends with the archive's size (`innerFacts`).
  const sentArchives = db.prepare(
    `SELECT file_id, changed_ms FROM item JOIN batch ON batch.number = item.batch
     WHERE item.state IN ('done', 'skipped') AND digest IS NOT NULL AND batch.connection = ? AND file_id IS NOT NULL
       AND (path LIKE '%.zip' OR path LIKE '%.eml' OR path LIKE '%.msg')
       AND (file_id NOT LIKE '%+%' OR (path LIKE '%.zip' AND file_id LIKE '%+' || size_bytes))
       AND NOT EXISTS (SELECT 1 FROM removed_file WHERE removed_file.item = item.id)`,
  );
  const hasRemoved = db.prepare(`SELECT 1 FROM tally WHERE batch = ? AND state = 'removed' AND files > 0`);
  const ofReported = `FROM known_file INDEXED BY known_file_reported WHERE connection = ? AND source = 'seen-at-removal'`;
  const reported = read<ReportedFile>(
    `SELECT assignment_id AS AssignmentId, file_name AS FileName, at_ms AS addedAtMs ${ofReported} ORDER BY at_ms DESC`,
  );
  const reportedVersion = db.prepare('SELECT changes FROM reported_version WHERE connection = ?');

  /** The `finishedAtMs` of each batch at the last call of `changedBatches`. */
  let endedBefore: ReadonlyMap<number, number | null> = new Map();
  let reportedBefore: { readonly of: string; readonly files: readonly ReportedFile[] } | undefined;
  const idsOf = (rows: readonly Id[]): readonly number[] => rows.map(({ id }) => id);

  return {
    /** A number that changes whenever another connection writes to the ledger. */
    version: (): number => Number(version.get()?.data_version),
    /** Batches by number: those that may have changed since the last call (at first all), and all unfinished ones. */
    changedBatches: (): readonly BatchFacts[] => {
      const ended = new Map(ends.all().map(({ number, finishedAtMs }) => [number, finishedAtMs]));
      const isSame = (number: number): boolean => {
        const before = endedBefore.get(number);
        return before != null && before === ended.get(number);
      };
      const changed = [...ended.keys()].filter((number) => !isSame(number));
      endedBefore = ended;
      return batches.all(JSON.stringify(changed));
    },
    named: ({ firstId, endId }: IdRange): readonly NamedItem[] =>
      named.all(firstId, endId).map((row) => ({
        id: Number(row.id),
        path: String(row.path),
        fileName: nameOfRow(row),
        sha256: sha256OfRow(row),
        state: String(row.state),
      })),
    items: (ids: readonly number[]): readonly Item[] => items.all(JSON.stringify(ids)).map(toItem),
    meeting: (ids: readonly number[], conditions: FileConditions): ReadonlySet<number> =>
      new Set(idsOf(meeting.all(...valuesOf(conditions), JSON.stringify(ids)))),
    /** The ids of a batch's files that meet the conditions, in descending order, at most `limit`. */
    idsMeeting: (batch: number, conditions: FileConditions, limit: number): readonly number[] =>
      idsOf(allMeeting.all(...valuesOf(conditions), batch, limit, 0)),
    /** How many files of each batch are listed in these states, by batch number. Batches without any are absent. */
    filesIn: (listed: readonly ListedState[]): ReadonlyMap<number, number> => {
      const { states, removed } = storedStates(listed);
      const times = removed === undefined ? 0 : removed === 'added' ? 1 : -1;
      const found = filesIn.all(JSON.stringify(states), times);
      return new Map(found.map(({ batch, total }) => [batch, total]));
    },
    /** A window of the ids of a batch's files that are listed in these states, in descending order. */
    windowInStates: (batch: number, listed: readonly ListedState[], { offset, limit }: Window): readonly number[] => {
      const { states, removed } = storedStates(listed);
      // With many states, most files match. Skipping the others is then faster than sorting those that match.
      if (!removed && states.length > FEW_STATES) {
        const range = [batch * RANGE, (batch + 1) * RANGE];
        return idsOf(inRangeAndStates.all(...range, JSON.stringify(states), limit, offset));
      }
      return idsOf(
        removed && hasRemoved.get(batch)
          ? allMeeting.all(...valuesOf({ states: listed }), batch, limit, offset)
          : windowInStates.all(batch, JSON.stringify(states), limit, offset),
      );
    },
    /** The files of these sizes whose content was uploaded or already there. Slow: sizes have no index. */
    sentOf: (connectionId: string, sizes: readonly number[]): readonly SentContent[] =>
      sentOf.all(connectionId, JSON.stringify(sizes)).map((row) => ({
        sizeBytes: Number(row.size_bytes),
        sha256: sha256OfRow(row) ?? '',
        identity: row.file_id === null ? undefined : { id: String(row.file_id), changedMs: Number(row.changed_ms) },
        AssignmentId: String(row.assignment_id),
        atMs: Number(row.settled_ms),
        isThere: row.there === 1,
      })),
    /** The `archiveKey` of each archive that was uploaded as a whole and not removed. Slow: paths have no index. */
    sentArchives: (connectionId: string): readonly string[] =>
      sentArchives.all(connectionId).map(({ file_id, changed_ms }) => {
        const [id = ''] = String(file_id).split('+');
        return archiveKey({ id, changedMs: Number(changed_ms) });
      }),
    /** The reported files of a connection, the latest first; the same array while none of them has changed. */
    reported: (connectionId: string): readonly ReportedFile[] => {
      const of = `${connectionId} ${reportedVersion.get(connectionId)?.changes}`;
      if (reportedBefore?.of !== of) reportedBefore = { of, files: reported.all(connectionId) };
      return reportedBefore.files;
    },
    close: (): void => db.close(),
  };
};

/** The parameters ?1 to ?5 of statements with conditions. A hash that begins with `sha256` lies between ?4 and ?5. */
const valuesOf = ({
  states = ListedState.options,
  sha256,
  fromMs = 0,
  beforeMs = Number.MAX_SAFE_INTEGER,
}: FileConditions) => [
  JSON.stringify(states),
  fromMs,
  beforeMs,
  ...['0', 'f'].map((digit) => (sha256 === undefined ? null : Buffer.from(sha256.padEnd(64, digit), 'hex'))),
];

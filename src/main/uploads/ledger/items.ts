/** The ledger's items: one row a file, written before each step that the outside sees. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { ErrorCode, type ErrorData } from '../../../contract/errors.ts';
import { type ErrorGroup, FileState } from '../../../contract/models.ts';
import type { NameTemplate } from '../../../contract/names.ts';
import type { Count } from '../count.ts';
import { fileNameCandidates, fileNameKey } from '../file-names.ts';
import type { ScannedFile } from '../scan.ts';
import { type Item, toItem } from './item-row.ts';

/** What a batch has in each state. */
export type Tally = Readonly<Record<FileState, Count>>;

export type ItemFilter = {
  readonly states?: readonly FileState[] | undefined;
  /** Only those that failed for this reason. */
  readonly error?: ErrorCode | undefined;
  readonly offset: number;
  readonly limit: number;
};

/** How a file was given up. Key and Url are kept while the storage may hold the file. */
export type Failure = {
  readonly state: 'failed' | 'uncertain';
  readonly error: ErrorData;
  readonly key?: string;
  readonly url?: string;
  readonly unclear: boolean;
};

export type Items = {
  /** Adds files in order, giving each its FileName; passes over and does not answer those that are there already. */
  readonly add: (batch: string, files: readonly ScannedFile[], template?: NameTemplate) => readonly ScannedFile[];
  /** Up to `limit` items that still have to go: interrupted ones first, then in order. */
  readonly toGo: (batch: string, limit: number) => readonly Item[];
  readonly get: (id: number) => Item | undefined;
  readonly list: (batch: string, filter: ItemFilter) => { readonly items: readonly Item[]; readonly total: number };
  /** Up to `limit` items in order, from the one after `id` on (0: the first). */
  readonly after: (batch: string, id: number, limit: number) => readonly Item[];
  readonly tally: (batch: string) => Tally;
  /** How many failed and uncertain items there are of each reason, the most frequent first. */
  readonly errorGroups: (batch: string) => readonly ErrorGroup[];
  /** The ids of failed and uncertain items, in order. */
  readonly failedIds: (batch: string) => readonly number[];

  /** A signature is about to be asked for. */
  readonly signing: (id: number, atMs: number) => void;
  /** A send with this signature is about to begin. */
  readonly sending: (id: number, key: string, url: string) => void;
  readonly done: (id: number, sha256: string, etag: string | undefined, atMs: number) => void;
  readonly skipped: (id: number, sha256: string, atMs: number) => void;
  readonly failed: (id: number, failure: Failure, atMs: number) => void;
  readonly cancelled: (id: number, atMs: number) => void;
  /** Settles what the storage cannot hold, when the batch is cancelled. */
  readonly cancelUntouched: (batch: string, atMs: number) => void;
  /**
   * Queues a failed or uncertain item again, `onDisk` in place of what the scan saw. Answers whether it was one.
   */
  readonly requeue: (id: number, onDisk?: Pick<ScannedFile, 'sizeBytes' | 'modifiedMs'>) => boolean;
};

const TO_GO: readonly FileState[] = ['sending', 'signing', 'queued'];

export const createItems = (db: DatabaseSync): Items => {
  const hasPath = db.prepare('SELECT 1 FROM item WHERE batch = ? AND path = ?');
  const insert = db.prepare(
    `INSERT INTO item (batch, path, file_name, name_key, size_bytes, modified_ms) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (batch, name_key) DO NOTHING`,
  );
  const byId = db.prepare('SELECT * FROM item WHERE id = ?');
  const inState = db.prepare('SELECT * FROM item WHERE batch = ? AND state = ? ORDER BY id LIMIT ?');
  const after = db.prepare('SELECT * FROM item WHERE batch = ? AND id > ? ORDER BY id LIMIT ?');
  const tally = db.prepare(
    'SELECT state, count(*) AS files, sum(size_bytes) AS bytes FROM item WHERE batch = ? GROUP BY state',
  );

  const errorGroups = db.prepare(
    `SELECT error ->> 'code' AS code, count(*) AS files FROM item WHERE batch = ? AND error IS NOT NULL
     GROUP BY code ORDER BY files DESC, code`,
  );
  const failedIds = db.prepare(`SELECT id FROM item WHERE batch = ? AND state IN ('failed', 'uncertain') ORDER BY id`);

  const update = (set: string, where = 'id = ?') => {
    const statement = db.prepare(`UPDATE item SET ${set} WHERE ${where}`);
    return (...values: SQLInputValue[]): number => Number(statement.run(...values).changes);
  };
  const forgotten = 'url = NULL, unclear = 0, error = NULL';
  const signing = update(`state = 'signing', started_ms = coalesce(started_ms, ?), key = NULL, ${forgotten}`);
  const sending = update(`state = 'sending', key = ?, url = ?, attempts = attempts + 1, error = NULL`);
  const done = update(`state = 'done', ${forgotten}, sha256 = ?, etag = ?, settled_ms = ?`);
  const skipped = update(`state = 'skipped', key = NULL, ${forgotten}, sha256 = ?, settled_ms = ?`);
  const failed = update('state = ?, error = ?, key = ?, url = ?, unclear = ?, settled_ms = ?');
  const cancelled = update(`state = 'cancelled', key = NULL, ${forgotten}, settled_ms = ?`);
  const cancelUntouched = update(
    `state = 'cancelled', settled_ms = ?`,
    `batch = ? AND state IN ('queued', 'signing') AND unclear = 0`,
  );
  const requeue = update(
    `state = 'queued', error = NULL, settled_ms = NULL,
     size_bytes = coalesce(?, size_bytes), modified_ms = coalesce(?, modified_ms)`,
    `id = ? AND state IN ('failed', 'uncertain')`,
  );

  const addOne = (batch: string, { path, sizeBytes, modifiedMs }: ScannedFile, template?: NameTemplate): void => {
    for (const name of fileNameCandidates(path, template)) {
      if (insert.run(batch, path, name, fileNameKey(name), sizeBytes, modifiedMs).changes === 1) return;
    }
  };

  return {
    add: (batch, files, template) => {
      const missing = files.filter(({ path }) => !hasPath.get(batch, path));
      for (const file of missing) addOne(batch, file, template);
      return missing;
    },
    toGo: (batch, limit) => {
      const found: Item[] = [];
      for (const state of TO_GO) {
        if (found.length < limit) found.push(...inState.all(batch, state, limit - found.length).map(toItem));
      }
      return found;
    },
    get: (id) => {
      const row = byId.get(id);
      return row && toItem(row);
    },
    list: (batch, { states = FileState.options, error, offset, limit }) => {
      const ofError = error === undefined ? '' : "AND error IS NOT NULL AND error ->> 'code' = ?";
      const where = `batch = ? AND state IN (${states.map(() => '?').join(', ')}) ${ofError}`;
      const values = [batch, ...states, ...(error === undefined ? [] : [error])];
      // The ids come from the index alone: only rows of the window are read, not those before it.
      const ids = `SELECT id FROM item WHERE ${where} ORDER BY id LIMIT ? OFFSET ?`;
      const rows = db.prepare(`SELECT * FROM item WHERE id IN (${ids}) ORDER BY id`);
      const count = db.prepare(`SELECT count(*) AS total FROM item WHERE ${where}`);
      return { items: rows.all(...values, limit, offset).map(toItem), total: Number(count.get(...values)?.total) };
    },
    after: (batch, id, limit) => after.all(batch, id, limit).map(toItem),
    tally: (batch) => {
      const counts = new Map<unknown, Count>();
      for (const row of tally.all(batch)) counts.set(row.state, { files: Number(row.files), bytes: Number(row.bytes) });
      return Object.fromEntries(
        FileState.options.map((state) => [state, counts.get(state) ?? { files: 0, bytes: 0 }]),
      ) as Tally;
    },

    errorGroups: (batch) =>
      errorGroups.all(batch).map(({ code, files }) => ({ code: ErrorCode.parse(code), files: Number(files) })),
    failedIds: (batch) => failedIds.all(batch).map(({ id }) => Number(id)),

    signing: (id, atMs) => void signing(atMs, id),
    sending: (id, key, url) => void sending(key, url, id),
    done: (id, sha256, etag, atMs) => void done(sha256, etag ?? null, atMs, id),
    skipped: (id, sha256, atMs) => void skipped(sha256, atMs, id),
    failed: (id, { state, error, key, url, unclear }, atMs) =>
      void failed(state, JSON.stringify(error), key ?? null, url ?? null, unclear ? 1 : 0, atMs, id),
    cancelled: (id, atMs) => void cancelled(atMs, id),
    cancelUntouched: (batch, atMs) => void cancelUntouched(atMs, batch),
    requeue: (id, onDisk) => requeue(onDisk?.sizeBytes ?? null, onDisk?.modifiedMs ?? null, id) === 1,
  };
};

/** The ledger's items: one row for each file, written before each step with an outside effect. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { DeskError, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import type { FileFacts } from '../source/file-identity.ts';
import { createBatchNumber, createItemLists, type ItemLists, RANGE } from './item-lists.ts';
import type { Item } from './item-row.ts';
import { createItemQueue, type ItemQueue, NAME_TAKEN } from './queue.ts';

/** How a file failed. Key and Url are kept while the storage may hold the file. */
type Failure = {
  readonly state: 'failed' | 'uncertain';
  readonly error: ErrorData;
  readonly key?: string;
  readonly url?: string;
  readonly unclear: boolean;
};

export type Items = ItemLists &
  ItemQueue & {
    /** A signature is about to be requested. */
    readonly signing: (id: number, atMs: number) => void;
    /** Queues an item again whose signature, if there is one, was not used. Others stay as they are. */
    readonly unsigned: (id: number) => void;
    /** A send with this signature is about to start: the item's first attempt, if no signature was recorded as requested. */
    readonly sending: (id: number, key: string, url: string, atMs: number) => void;
    /** Gives an item another name; the storage holds nothing of it. */
    readonly renamed: (id: number, fileName: string) => void;
    /** `isProven`: the storage proved that it has the file. One that was lost before has to be listed. */
    readonly done: (id: number, sha256: string, etag: string | undefined, atMs: number, isProven?: boolean) => void;
    /**
     * An item of the batch that is neither proven nor listed by the service, if the batch has reason to look: it replaces files,
     * or some of its own were lost.
     */
    readonly unlisted: (batch: string) => number | undefined;
    readonly skipped: (id: number, sha256: string, atMs: number) => void;
    /** The same because another file has its name. */
    readonly nameTaken: (id: number, atMs: number) => void;
    readonly failed: (id: number, failure: Failure, atMs: number) => void;
    /**
     * A file that was done did not arrive. It is queued again, with its Key (`keepsKey`), which may still receive it late; or
     * it fails, if it may not be sent again or was lost too often.
     */
    readonly lost: (id: number, how: { readonly keepsKey: boolean; readonly again: boolean }, atMs: number) => void;
    /** How many files of the batch are done after they had been lost. */
    readonly countResent: (batch: string) => number;
    readonly cancelled: (id: number, atMs: number) => void;
    /** Settles up to `limit` items that the storage cannot hold, when the batch is cancelled; answers how many. */
    readonly cancelUntouched: (batch: string, limit: number, atMs: number) => number;
    /**
     * Queues a failed or uncertain item of the batch again, with the facts `onDisk` instead of those of the scan. Answers
     * whether it was one.
     */
    readonly requeue: (batch: string, id: number, onDisk?: FileFacts | undefined) => boolean;
  };

/** How often a file that was lost is sent again automatically. */
const MOST_LOST = 3;

/** The error of a file that was lost too often, as a row has it. */
const NOT_ARRIVED = JSON.stringify(
  toErrorData(new DeskError('upload/not-arrived', 'the service does not list the file', { retry: 'later' })),
);

const inBytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

/** The items in `db`, which has been migrated. */
export const createItems = (db: DatabaseSync): Items => {
  const lists = createItemLists(db);
  const numberOf = createBatchNumber(db);
  const update = (set: string, where = 'id = ?') => {
    const statement = db.prepare(`UPDATE item SET ${set} WHERE ${where}`);
    return (...values: SQLInputValue[]): number => Number(statement.run(...values).changes);
  };
  const putUrl = db.prepare('INSERT OR REPLACE INTO signed_url VALUES (?, ?)');
  const dropUrl = db.prepare('DELETE FROM signed_url WHERE item = ?');
  const setUrl = (id: number, url?: string): void => void (url === undefined ? dropUrl.run(id) : putUrl.run(id, url));
  const forgotten = 'unclear = 0, error = NULL';
  const signing = update(`state = 'signing', started_ms = coalesce(started_ms, ?), key = NULL, ${forgotten}`);
  const unsigned = update(`state = 'queued'`, `id = ? AND state = 'signing'`);
  const sending = update(
    `state = 'sending', started_ms = coalesce(started_ms, ?), key = ?, attempts = attempts + 1, error = NULL`,
  );
  const renamed = update(`file_name = ?, key = NULL, unclear = 0`);
  const done = update(
    `state = 'done', ${forgotten}, digest = ?, etag = ?, settled_ms = ?, unproven = iif(?, lost > 0, 1)`,
  );
  const unlisted = db.prepare(
    `SELECT id FROM item WHERE batch = ?1 AND unproven = 1 AND (
       EXISTS (SELECT 1 FROM item WHERE batch = ?1 AND lost > 0)
       OR EXISTS (SELECT 1 FROM replaced_file WHERE item >= ?1 * ${RANGE} AND item < (?1 + 1) * ${RANGE})) LIMIT 1`,
  );
  const skipped = update(`state = 'skipped', key = NULL, ${forgotten}, digest = ?, settled_ms = ?`);
  const nameTaken = update(`state = 'skipped', key = NULL, unclear = 0, error = ?, settled_ms = ?`);
  const failed = update('state = ?, error = ?, key = ?, unclear = ?, settled_ms = ?');
  const isFinal = `(NOT ? OR lost >= ${MOST_LOST})`;
  const lost = update(
    `state = iif(${isFinal}, 'failed', 'queued'), error = iif(${isFinal}, ?, NULL), settled_ms = iif(${isFinal}, ?, NULL),
     lost = lost + 1, unproven = 0, key = iif(?, key, NULL), unclear = ?, digest = NULL, etag = NULL`,
  );
  const countResent = db.prepare(`SELECT count(*) AS files FROM item WHERE batch = ? AND lost > 0 AND state = 'done'`);
  const cancelled = update(`state = 'cancelled', key = NULL, ${forgotten}, settled_ms = ?`);
  const cancelUntouched = update(
    `state = 'cancelled', settled_ms = ?`,
    `id IN (SELECT id FROM item WHERE batch = ? AND state IN ('queued', 'signing') AND unclear = 0 LIMIT ?)`,
  );
  const dropCancelledUrls = db.prepare(
    `DELETE FROM signed_url WHERE item >= ? AND item < ?
     AND EXISTS (SELECT 1 FROM item WHERE id = signed_url.item AND state = 'cancelled')`,
  );
  const requeue = update(
    `state = 'queued', error = NULL, settled_ms = NULL,
     size_bytes = coalesce(?, size_bytes), modified_ms = coalesce(?, modified_ms),
     file_id = coalesce(?, file_id), changed_ms = coalesce(?, changed_ms)`,
    `id = ? AND batch = ? AND state IN ('failed', 'uncertain')`,
  );

  return {
    ...lists,
    ...createItemQueue(db, lists),
    signing: (id, atMs) => {
      signing(atMs, id);
      setUrl(id);
    },
    unsigned: (id) => void unsigned(id),
    sending: (id, key, url, atMs) => {
      sending(atMs, key, id);
      setUrl(id, url);
    },
    renamed: (id, fileName) => {
      renamed(fileName, id);
      setUrl(id);
    },
    unlisted: (batch) => {
      const id = unlisted.get(numberOf(batch))?.id;
      return id === undefined ? undefined : Number(id);
    },
    done: (id, sha256, etag, atMs, isProven = true) => {
      done(inBytes(sha256), etag ?? null, atMs, isProven ? 1 : 0, id);
      setUrl(id);
    },
    skipped: (id, sha256, atMs) => {
      skipped(inBytes(sha256), atMs, id);
      setUrl(id);
    },
    nameTaken: (id, atMs) => {
      nameTaken(NAME_TAKEN, atMs, id);
      setUrl(id);
    },
    failed: (id, { state, error, key, url, unclear }, atMs) => {
      failed(state, JSON.stringify(error), key ?? null, unclear ? 1 : 0, atMs, id);
      setUrl(id, url);
    },
    lost: (id, { keepsKey, again }, atMs) => {
      const [mayGo, kept] = [again ? 1 : 0, keepsKey ? 1 : 0];
      lost(mayGo, mayGo, NOT_ARRIVED, mayGo, atMs, kept, kept, id);
    },
    countResent: (batch) => Number(countResent.get(numberOf(batch))?.files ?? 0),
    cancelled: (id, atMs) => {
      cancelled(atMs, id);
      setUrl(id);
    },
    cancelUntouched: (id, limit, atMs) => {
      const batch = numberOf(id);
      const count = cancelUntouched(atMs, batch, limit);
      // A file that failed with a signed Url and was queued again still has it.
      dropCancelledUrls.run(batch * RANGE, (batch + 1) * RANGE);
      return count;
    },
    requeue: (id, item, onDisk) => {
      const { sizeBytes = null, modifiedMs = null, identity } = onDisk ?? {};
      return (
        requeue(sizeBytes, modifiedMs, identity?.id ?? null, identity?.changedMs ?? null, item, numberOf(id)) === 1
      );
    },
  };
};

const PAGE_ITEMS = 500;

/** Every item of a batch in order, read in parts, so that writes can happen in between. */
export function* everyItem(items: Items, batch: string): Generator<Item, void> {
  const page = (afterId: number) => items.after(batch, { afterId, limit: PAGE_ITEMS });
  for (let found = page(0); found.length > 0; found = page(found.at(-1)?.id ?? 0)) yield* found;
}

/** Up to `count` items of a batch in order, from the `offset`th on, read in parts. */
export function* itemsFrom(items: Items, batch: string, offset: number, count: number): Generator<Item, void> {
  for (let read = 0; read < count; read += PAGE_ITEMS) {
    const limit = Math.min(PAGE_ITEMS, count - read);
    const { items: found } = items.list(batch, { offset: offset + read, limit });
    yield* found;
    if (found.length < limit) return;
  }
}

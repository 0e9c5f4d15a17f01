/** The files of batches, as rows of the ledger's `item` table: written, listed, and handed out to be sent. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { z } from 'zod';
import { DeskError, ErrorCode, type ErrorData, toErrorData } from '../../../contract/errors.ts';
import { type ErrorGroup, FileState, ListedState } from '../../../contract/uploads.ts';
import { wallNow } from '../../async/clock.ts';
import { storedCount } from '../../data/sqlite.ts';
import { type FileFacts, isOtherVersion } from '../source/file-identity.ts';
import type { NamedFile } from '../source/name-registry.ts';
import { BLOCKS_ONLY, type Item, type Row, storedName, toItem, WITH_REMOVAL } from './item-row.ts';

/** For an unknown batch, the lists are empty. */
type ItemQueue = {
  /**
   * Adds files in order, and returns the ids of those skipped because of a clash, which are settled at `atMs`.
   * Duplicate paths or names are not detected here: the plan of the batch prevents them.
   */
  readonly add: (batch: string, files: readonly NamedFile[], atMs?: number) => readonly number[];
  /** Items whose transfer was interrupted. */
  readonly interrupted: (batch: string) => readonly Item[];
  /** Items that have not started: the large ones, or the others. */
  readonly queued: (batch: string, window: ItemWindow & { readonly large: boolean }) => readonly Item[];
  /** Items that have not started and were chosen to be sent first, the latest choice first. */
  readonly first: (batch: string) => Iterable<Item>;
};

/** The minimum size of a large file. An index of the schema depends on this number. */
export const LARGE_BYTES = 8_388_608;

/** The error of a file that is skipped because of its name, as a row has it. */
const NAME_TAKEN = JSON.stringify(
  toErrorData(new DeskError('upload/name-taken', 'another file on the assignment has this name')),
);

/** The queue over `db`, which has been migrated. */
const createItemQueue = (db: DatabaseSync, lists: Pick<ItemLists, 'list' | 'tally'>): ItemQueue => {
  const numberOf = createBatchNumber(db);
  const itemOf = createItemOf(db);
  const insert = db.prepare(
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, file_id, changed_ms, state, error, settled_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // Names the index explicitly: the planner would use the index of all states and scan every small file to find no
  // large one.
  const queued = (index: string, size: string) =>
    db.prepare(
      `SELECT * FROM item INDEXED BY ${index}
       WHERE batch = ? AND state = 'queued' AND id > ? AND ${size} ORDER BY id LIMIT ?`,
    );
  const queuedLarge = queued('item_large_queued', `size_bytes >= ${LARGE_BYTES}`);
  const queuedSmall = queued('item_by_state', `size_bytes < ${LARGE_BYTES}`);
  const first = db.prepare(
    `SELECT item.* FROM first_file CROSS JOIN item ON item.id = first_file.item
     WHERE first_file.item >= ?1 * ${RANGE} AND first_file.item < (?1 + 1) * ${RANGE} AND state = 'queued'
     ORDER BY at_ms DESC, first_file.item`,
  );

  return {
    add: (id, files, atMs = wallNow()) => {
      const batch = numberOf(id);
      const left: number[] = [];
      let next = batch * RANGE + filesIn(lists.tally(id), FileState.options);
      for (const { path, fileName, sizeBytes, modifiedMs, identity, clash } of files) {
        const isSkipped = clash?.onClash === 'skip';
        if (isSkipped) left.push(next);
        const state = isSkipped ? (['skipped', NAME_TAKEN, atMs] as const) : (['queued', null, null] as const);
        insert.run(
          next,
          batch,
          path,
          storedName(path, fileName),
          sizeBytes,
          modifiedMs,
          identity?.id ?? null,
          identity?.changedMs ?? null,
          ...state,
        );
        next += 1;
      }
      return left;
    },
    interrupted: (id) =>
      lists.list(id, { states: ['sending', 'signing'], offset: 0, limit: Number.MAX_SAFE_INTEGER }).items,
    queued: (id, { afterId, limit, large }) =>
      (large ? queuedLarge : queuedSmall).all(numberOf(id), afterId, limit).map(itemOf),
    first: (id) => first.all(numberOf(id)).values().map(itemOf),
  };
};

type BatchQueue = {
  /**
   * The next file: one that was chosen to be sent first, otherwise a large one if one waits and `largeMayGo`, otherwise a
   * small one, otherwise a large one.
   */
  readonly next: (largeMayGo: boolean) => Item | undefined;
};

/** How many files one query reads from the ledger. */
const WINDOW = 64;

/**
 * Every file once: first those that a previous run left unfinished, then the queued ones, including those added later,
 * until `isPlanned`. Files that the queue has passed and that are queued again are left to another queue.
 */
export const createBatchQueue = (items: ItemQueue, batch: string, isPlanned: () => boolean): BatchQueue => {
  const interrupted = items.interrupted(batch).values();
  /** Files that went before their turn. */
  const gone = new Set<number>();

  /** Takes the next file of this kind. */
  const line = (large: boolean) => {
    let window: readonly Item[] = [];
    let index = 0;
    let afterId = 0;
    let isOver = false;
    const next = (): Item | undefined => {
      if (index === window.length && !isOver) {
        const wasPlanned = isPlanned();
        window = items.queued(batch, { afterId, limit: WINDOW, large });
        index = 0;
        isOver = wasPlanned && window.length === 0;
      }
      const item = window[index];
      if (item) afterId = item.id;
      index += item ? 1 : 0;
      return item && gone.delete(item.id) ? next() : item;
    };
    return { next, hasPassed: (id: number) => id <= afterId };
  };
  const large = line(true);
  const small = line(false);

  const first = (): Item | undefined => {
    for (const item of items.first(batch)) {
      const own = item.sizeBytes >= LARGE_BYTES ? large : small;
      if (gone.has(item.id) || own.hasPassed(item.id)) continue;
      gone.add(item.id);
      return item;
    }
    return undefined;
  };

  return {
    next: (largeMayGo) =>
      interrupted.next().value ??
      first() ??
      (largeMayGo ? (large.next() ?? small.next()) : (small.next() ?? large.next())),
  };
};

/** The outcome of a failed file. Key and Url are kept while the storage may hold the file. */
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
    /**
     * A send with this signature is about to start: the item's first attempt, if no signature was recorded as
     * requested.
     */
    readonly sending: (
      id: number,
      key: string,
      url: string,
      atMs: number,
      how?: { readonly inBlocks: boolean },
    ) => void;
    /** The ids of the blocks of the file that the storage has confirmed for the blob with this signed Url. */
    readonly sentBlocks: (id: number, url: string) => ReadonlySet<string>;
    readonly blockSent: (id: number, url: string, block: string) => void;
    /** The blocks are about to be committed: from now on the storage may hold the file. */
    readonly committing: (id: number) => void;
    /** The storage has discarded the blocks. */
    readonly blocksLost: (id: number) => void;
    /**
     * The failed or uncertain item, under any path, of the version of the file that this item is about, if the storage may hold it under
     * its Key. Only items of the same user and assignment count, and only files with an identity.
     */
    readonly leftUnclear: (id: number) => (Item & { readonly key: string }) | undefined;
    /**
     * Moves the Key of such an item to the item `to`, whose file the storage may hold from now on. Returns false if it has been queued again
     * meanwhile.
     */
    readonly takeKey: (from: Item & { readonly key: string }, to: number) => boolean;
    /** Renames an item whose file the storage does not hold. */
    readonly renamed: (id: number, fileName: string) => void;
    /** `isProven`: the storage proved that it has the file. One that was lost before has to be listed. */
    readonly done: (id: number, sha256: string, etag: string | undefined, atMs: number, isProven?: boolean) => void;
    /**
     * The last item that the service has to list before the batch ends: it lacked it before, or nothing proves it and
     * the batch has reason to look, because it replaces files or some of its own were lost. It may be one of another
     * open batch that was missing on the assignment: this batch may have skipped a file because of it.
     */
    readonly unlisted: (batch: string) => number | undefined;
    readonly skipped: (id: number, sha256: string, atMs: number) => void;
    /** Skips the item because another file has its name. */
    readonly nameTaken: (id: number, atMs: number) => void;
    readonly failed: (id: number, failure: Failure, atMs: number) => void;
    /**
     * Records that a file which was done did not arrive. It is queued again, with its Key (`keepsKey`) if the storage
     * may still receive the file under it; or it fails, if it may not be sent again or was lost too often.
     */
    readonly lost: (id: number, how: { readonly keepsKey: boolean; readonly again: boolean }, atMs: number) => void;
    /** How many files of the batch are done after they had been lost. */
    readonly countResent: (batch: string) => number;
    readonly cancelled: (id: number, atMs: number) => void;
    /** Settles up to `limit` items that the storage cannot hold, for a cancelled batch; returns how many. */
    readonly cancelUntouched: (batch: string, limit: number, atMs: number) => number;
    /**
     * Queues a failed or uncertain item of the batch again, with the facts `onDisk` instead of those of the scan.
     * Returns false for any other item.
     */
    readonly requeue: (batch: string, id: number, onDisk?: FileFacts | undefined) => boolean;
  };

/** How often a file that was lost is sent again automatically. */
const MOST_LOST = 3;

/** The stored form of the error of a file that was lost too often. */
const NOT_ARRIVED = JSON.stringify(
  toErrorData(new DeskError('upload/not-arrived', 'the service does not list the file', { retry: 'later' })),
);

/** The address of a blob: its Url without the signature. */
const blobOf = (url: string): string => url.replace(/[?#].*/s, '');

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
  // An earlier attempt in one request may have arrived, although blocks are sent now.
  const sending = update(
    `state = 'sending', started_ms = coalesce(started_ms, ?1), key = ?2, attempts = attempts + 1, error = NULL,
     unclear = iif(unclear = 1 OR (?3 = ${BLOCKS_ONLY} AND state = 'sending' AND unclear = 0), 1, ?3)`,
    'id = ?4',
  );
  const sentBlocks = db.prepare('SELECT id FROM sent_block WHERE item = ? AND blob = ?');
  const addBlock = db.prepare('INSERT OR REPLACE INTO sent_block (item, id, blob) VALUES (?, ?, ?)');
  // Another blob does not have them, and a file that is sent in one request replaces them.
  const dropBlocks = db.prepare('DELETE FROM sent_block WHERE item = ? AND blob != ?');
  const committing = update('unclear = 1');
  const leftUnclear = db.prepare(
    `SELECT former.* FROM item AS own JOIN batch AS ours ON ours.number = own.batch
       JOIN item AS former INDEXED BY item_left_unclear ON former.file_id = own.file_id
       JOIN batch AS theirs ON theirs.number = former.batch
     WHERE own.id = ? AND former.id != own.id AND former.unclear = 1 AND former.state IN ('failed', 'uncertain')
       AND former.key IS NOT NULL AND former.size_bytes = own.size_bytes AND former.modified_ms = own.modified_ms
       AND theirs.connection = ours.connection AND theirs.assignment_id = ours.assignment_id
       AND theirs.subject IS ours.subject
     ORDER BY former.id DESC LIMIT 1`,
  );
  const giveKey = update(
    'key = NULL, unclear = 0',
    `id = ? AND key = ? AND unclear = 1 AND state IN ('failed', 'uncertain')`,
  );
  const getKey = update('key = ?, unclear = 1');
  const renamed = update(`file_name = ?, key = NULL, unclear = 0`);
  const done = update(
    `state = 'done', ${forgotten}, digest = ?, etag = ?, settled_ms = ?, unproven = iif(?, lost > 0, 1)`,
  );
  const unlisted = db.prepare(
    `SELECT id, unproven FROM item WHERE batch = ?1 AND unproven > 0 AND (unproven = 2
       OR EXISTS (SELECT 1 FROM item WHERE batch = ?1 AND lost > 0)
       OR EXISTS (SELECT 1 FROM replaced_file WHERE item >= ?1 * ${RANGE} AND item < (?1 + 1) * ${RANGE}))
     UNION ALL SELECT item.id, unproven FROM batch AS own JOIN batch AS other USING (connection, assignment_id)
       JOIN item ON item.batch = other.number
       WHERE own.number = ?1 AND other.number != ?1 AND other.state IN ('scanning', 'running', 'paused') AND unproven = 2
     ORDER BY unproven DESC, id DESC LIMIT 1`,
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
    sending: (id, key, url, atMs, how) => {
      const inBlocks = how?.inBlocks;
      sending(atMs, key, inBlocks ? BLOCKS_ONLY : 0, id);
      dropBlocks.run(id, inBlocks ? blobOf(url) : '');
      setUrl(id, url);
    },
    sentBlocks: (id, url) => new Set(sentBlocks.all(id, blobOf(url)).map((row) => String(row.id))),
    blockSent: (id, url, block) => void addBlock.run(id, block, blobOf(url)),
    committing: (id) => void committing(id),
    blocksLost: (id) => void dropBlocks.run(id, ''),
    leftUnclear: (id) => {
      const row = leftUnclear.get(id);
      const item = row && toItem(row);
      return item?.key === undefined ? undefined : { ...item, key: item.key };
    },
    takeKey: ({ id, key }, to) => {
      if (giveKey(id, key) === 0) return false;
      setUrl(id);
      return getKey(key, to) === 1;
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
      const before = lists.get(item);
      const isQueued =
        requeue(sizeBytes, modifiedMs, identity?.id ?? null, identity?.changedMs ?? null, item, numberOf(id)) === 1;
      // An attempt at the earlier content may still arrive at its Key, and would overwrite the present one there.
      if (isQueued && before && onDisk && isOtherVersion(before, onDisk)) setUrl(item);
      return isQueued;
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

type Count = { readonly files: number; readonly bytes: number };

export const sum = (...counts: readonly Count[]): Count => ({
  files: counts.reduce((total, { files }) => total + files, 0),
  bytes: counts.reduce((total, { bytes }) => total + bytes, 0),
});

/** The files of a batch in each state; those that were `removed` are also `done`. */
export type Tally = Readonly<Record<ListedState, Count>>;

export type ItemFilter = {
  /** Files that were `removed` are not listed as `done`. */
  readonly states?: readonly ListedState[] | undefined;
  /** Only those that failed for this reason. */
  readonly error?: ErrorCode | undefined;
  readonly offset: number;
  readonly limit: number;
};

/** The items after `afterId` in order (0: from the first). */
type ItemWindow = { readonly afterId: number; readonly limit: number };

/** For an unknown batch, the functions return the results of a batch without files. */
export type ItemLists = {
  /** Up to `limit` items that still have to be sent: interrupted ones first, then in order. */
  readonly pending: (batch: string, limit: number) => readonly Item[];
  readonly get: (id: number) => Item | undefined;
  /** In order; with several states, in the order of `states`. */
  readonly list: (batch: string, filter: ItemFilter) => { readonly items: readonly Item[]; readonly total: number };
  readonly after: (batch: string, window: ItemWindow) => readonly Item[];
  readonly tally: (batch: string) => Tally;
  /** Ids of the items in state `sending`. */
  readonly sendingIds: (batch: string) => ReadonlySet<number>;
  /** Whether the storage may hold an unsettled item. */
  readonly mayHaveArrived: (batch: string) => boolean;
  /** How many failed and uncertain items there are of each reason, the most frequent first. */
  readonly errorGroups: (batch: string) => readonly ErrorGroup[];
  /** The ids of failed and uncertain items. */
  readonly failedIds: (batch: string, window: ItemWindow) => readonly number[];
};

/** The number of a batch's first file is this many times the batch's. */
export const RANGE = 2 ** 32;

/** A batch has no more numbers than this. */
const FilesOfState = storedCount.pipe(z.int().max(RANGE));

const PENDING: readonly FileState[] = ['sending', 'signing', 'queued'];

const NONE: Count = { files: 0, bytes: 0 };

/** How many files are in these states. */
export const filesIn = (tally: Tally, states: readonly FileState[]): number =>
  states.reduce((total, state) => total + tally[state].files, 0);

/** How many files are listed in this state. */
const listedIn = ({ done, removed, ...tally }: Tally, state: ListedState): number => {
  if (state === 'done') return done.files - removed.files;
  return (state === 'removed' ? removed : tally[state]).files;
};

const totalOf = (tally: Tally, states: readonly ListedState[] | undefined): number =>
  states?.reduce((total, state) => total + listedIn(tally, state), 0) ?? filesIn(tally, FileState.options);

/** The number of a batch, which its files refer to; -1 for an unknown batch. */
export const createBatchNumber = (db: DatabaseSync): ((batch: string) => number) => {
  const number = db.prepare('SELECT number FROM batch WHERE id = ?');
  return (batch) => Number(number.get(batch)?.number ?? -1);
};

/** Makes an item of a row, with its Url if there is one: it is deleted once the file needs it no more. */
export const createItemOf = (db: DatabaseSync): ((row: Row) => Item) => {
  const urlOf = db.prepare('SELECT url FROM signed_url WHERE item = ?');
  return (row) => {
    const item = toItem(row);
    const url = urlOf.get(item.id)?.url;
    return url === undefined ? item : { ...item, url: String(url) };
  };
};

/** The lists over `db`, which has been migrated. */
const createItemLists = (db: DatabaseSync): ItemLists => {
  const numberOf = createBatchNumber(db);
  const itemOf = createItemOf(db);
  const byId = db.prepare(`${WITH_REMOVAL} WHERE id = ?`);
  const inRange = db.prepare(`${WITH_REMOVAL} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`);
  /** The ids come from the index alone: only rows of the window are read, not those before it. */
  const windowOf = (ids: string, select = 'SELECT * FROM item', order: '' | 'DESC' = '') =>
    db.prepare(`${select} WHERE id IN (SELECT id ${ids} ORDER BY id ${order} LIMIT ? OFFSET ?) ORDER BY id`);
  const inState = windowOf('FROM item WHERE batch = ? AND state = ?');
  const ofRemoved = `SELECT item AS id FROM removed_file WHERE item >= ? * ${RANGE} AND item < ? * ${RANGE}`;
  // Both sides come in order from their indexes: to look each file up in the other takes twice as long.
  const notRemovedIn = (order?: 'DESC') =>
    windowOf(`FROM item WHERE batch = ? AND state = 'done' EXCEPT ${ofRemoved}`, undefined, order);
  const [notRemoved, notRemovedFromEnd] = [notRemovedIn(), notRemovedIn('DESC')];
  const removed = windowOf(`FROM (${ofRemoved})`, WITH_REMOVAL);
  const sendingIds = db.prepare(`SELECT id FROM item WHERE batch = ? AND state = 'sending'`);
  const arrivable = db.prepare(
    `SELECT 1 FROM item WHERE batch = ? AND (state = 'sending' OR state IN ('signing', 'queued') AND unclear = 1) LIMIT 1`,
  );
  const tallies = db.prepare('SELECT state, files, bytes FROM tally WHERE batch = ?');
  const ofError = `FROM item WHERE batch = ? AND error IS NOT NULL AND error ->> 'code' = ?
    AND state IN (SELECT value FROM json_each(?))`;
  const withError = windowOf(ofError);
  const countWithError = db.prepare(`SELECT count(*) AS total ${ofError}`);
  const errorGroups = db.prepare(
    `SELECT error ->> 'code' AS code, count(*) AS files FROM item
     WHERE batch = ? AND error IS NOT NULL AND state IN ('failed', 'uncertain')
     GROUP BY code ORDER BY files DESC, code`,
  );
  const failedAfter = (state: string) => `SELECT id FROM item WHERE batch = ?1 AND state = '${state}' AND id > ?2`;
  const failedIds = db.prepare(`${failedAfter('failed')} UNION ALL ${failedAfter('uncertain')} ORDER BY id LIMIT ?3`);

  const tallyOf = (batch: number): Tally => {
    const counts = new Map<unknown, Count>();
    for (const { state, files, bytes } of tallies.all(batch))
      counts.set(state, { files: FilesOfState.parse(files), bytes: storedCount.parse(bytes) });
    return Object.fromEntries(ListedState.options.map((state) => [state, counts.get(state) ?? NONE])) as Tally;
  };

  const fromIndex = (batch: number, index: number, limit: number): readonly Item[] =>
    inRange.all(batch * RANGE + index, (batch + 1) * RANGE, limit).map(itemOf);

  const rowsIn = (batch: number, state: ListedState, tally: Tally, limit: number, skip: number): readonly Row[] => {
    if (state === 'removed') return removed.all(batch, batch + 1, limit, skip);
    if (state !== 'done' || tally.removed.files === 0) return inState.all(batch, state, limit, skip);
    const count = Math.min(limit, listedIn(tally, state) - skip);
    // Stryker disable ArithmeticOperator,ConditionalExpression,EqualityOperator: from either end, the files are the same.
    const after = listedIn(tally, state) - skip - count;
    return after < skip
      ? notRemovedFromEnd.all(batch, batch, batch + 1, count, after)
      : notRemoved.all(batch, batch, batch + 1, count, skip);
    // Stryker restore all
  };

  /** Skips whole states by their counts, and within a state by its index. */
  const inStates = (batch: number, states: readonly ListedState[], offset: number, limit: number): readonly Item[] => {
    const tally = tallyOf(batch);
    const found: Item[] = [];
    let skip = offset;
    for (const state of states) {
      const files = listedIn(tally, state);
      if (skip < files) found.push(...rowsIn(batch, state, tally, limit - found.length, skip).map(itemOf));
      skip = Math.max(0, skip - files);
    }
    return found;
  };

  return {
    pending: (id, limit) => inStates(numberOf(id), PENDING, 0, limit),
    get: (id) => {
      const row = byId.get(id);
      return row && itemOf(row);
    },
    list: (id, { states, error, offset, limit }) => {
      const batch = numberOf(id);
      if (error !== undefined) {
        const values = [batch, error, JSON.stringify(states ?? FileState.options)];
        const items = withError.all(...values, limit, offset).map(itemOf);
        return { items, total: Number(countWithError.get(...values)?.total) };
      }
      return {
        items: states ? inStates(batch, states, offset, limit) : fromIndex(batch, offset, limit),
        total: totalOf(tallyOf(batch), states),
      };
    },
    after: (id, { afterId, limit }) => {
      const batch = numberOf(id);
      return fromIndex(batch, afterId === 0 ? 0 : afterId + 1 - batch * RANGE, limit);
    },
    tally: (id) => tallyOf(numberOf(id)),
    sendingIds: (id) => new Set(sendingIds.all(numberOf(id)).map((row) => Number(row.id))),
    mayHaveArrived: (id) => arrivable.get(numberOf(id)) !== undefined,
    errorGroups: (id) =>
      errorGroups.all(numberOf(id)).map(({ code, files }) => ({ code: ErrorCode.parse(code), files: Number(files) })),
    failedIds: (id, { afterId, limit }) => failedIds.all(numberOf(id), afterId, limit).map((row) => Number(row.id)),
  };
};

/** Adds, lists, updates and queues the files of batches: rows of the ledger's table `item`. */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { pick } from 'es-toolkit/object/pick';
import { z } from 'zod';
import { DeskError, ErrorCode, ErrorData, toErrorData } from '../../../contract/errors.ts';
import { type ErrorGroup, FileState, ListedState, type UploadFile } from '../../../contract/uploads.ts';
import { wallNow } from '../../async/clock.ts';
import { absent, createWrite, storedCount, storedJson, storedTime } from '../../data/sqlite.ts';
import { type FileFacts, type FileIdentity, isOtherVersion } from '../source/file-identity.ts';
import { fileNameKey, type NamedFile } from '../source/file-names.ts';
import { baseName } from '../source/paths.ts';

export type Item = {
  readonly id: number;
  /** The file's path relative to the batch's root, with `/` between names. */
  readonly path: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly identity: FileIdentity | undefined;
  readonly state: FileState;
  readonly key: string | undefined;
  /**
   * The signed URL, a credential that is stored only while it may be needed. Undefined unless the query joins
   * `signed_url`.
   */
  readonly url: string | undefined;
  /** Whether the storage may hold the file under `key`. */
  readonly unclear: boolean;
  /** How many sends were started, in all runs. */
  readonly attempts: number;
  readonly sha256: string | undefined;
  readonly error: ErrorData | undefined;
  /** When the item's first attempt started, in ms since 1970. */
  readonly startedAtMs: number | undefined;
  /** When the item became done, skipped, failed, uncertain or cancelled, in ms since 1970. */
  readonly settledAtMs: number | undefined;
  /** Set for an uploaded file that is no longer on its assignment. Present only if the query joins `removed_file`. */
  readonly removed?: { readonly atMs: number | undefined };
};

type Row = Readonly<Record<string, SQLOutputValue>>;

const text = (value: SQLOutputValue | undefined): string | undefined => (value == null ? undefined : String(value));
const time = (value: SQLOutputValue | undefined): number | undefined =>
  value == null ? undefined : storedTime.parse(value);

/** A FileName as a row stores it: empty if it equals the last part of the path. */
const storedName = (path: string, fileName: string): string => (baseName(path) === fileName ? '' : fileName);

export const nameOfRow = ({ path, file_name }: Row): string => text(file_name) || baseName(String(path));

/** The sha256 of a row with `digest`, in hex; undefined if it is not known. */
export const sha256OfRow = ({ digest }: Row): string | undefined =>
  digest instanceof Uint8Array ? Buffer.from(digest).toString('hex') : undefined;

/** The CRC-32 of a name or a Key as a signed number, which SQLite stores in four bytes. Collisions are possible. */
export const checksum = (text: string): number => crc32(text) | 0;

/** The value of `unclear` for a file of which at most uncommitted blocks were sent. */
const BLOCKS_ONLY = 2;

const JOIN_URL = 'LEFT JOIN signed_url ON signed_url.item = item.id';
const JOIN_REMOVAL = 'LEFT JOIN removed_file ON removed_file.item = item.id';
const REMOVAL = 'removed_file.item IS NOT NULL AS removed, removed_file.at_ms AS removed_ms';

/** Selects items with the removal of their files from the assignment, but without their signed URLs. */
export const WITH_REMOVAL = `SELECT item.*, ${REMOVAL} FROM item ${JOIN_REMOVAL}`;

const WITH_URL = `SELECT item.*, url FROM item ${JOIN_URL}`;
const WITH_BOTH = `SELECT item.*, url, ${REMOVAL} FROM item ${JOIN_URL} ${JOIN_REMOVAL}`;

/** Parses a row as an item. A file in state `sending` may have arrived, unless only uncommitted blocks were sent. */
export const toItem = (row: Row): Item => {
  const state = FileState.parse(row.state);
  const error = text(row.error);
  const fileId = text(row.file_id);
  return {
    id: Number(row.id),
    path: String(row.path),
    fileName: nameOfRow(row),
    sizeBytes: Number(row.size_bytes),
    modifiedMs: Number(row.modified_ms),
    identity: fileId === undefined ? undefined : { id: fileId, changedMs: Number(row.changed_ms) },
    state,
    key: text(row.key),
    url: text(row.url),
    unclear: row.unclear === 1 || (state === 'sending' && row.unclear !== BLOCKS_ONLY),
    attempts: Number(row.attempts),
    sha256: sha256OfRow(row),
    error: error === undefined ? undefined : ErrorData.parse(JSON.parse(error)),
    startedAtMs: time(row.started_ms),
    settledAtMs: time(row.settled_ms),
    ...(row.removed === 1 && { removed: { atMs: time(row.removed_ms) } }),
  };
};

export const listedState = ({ state, removed }: Pick<Item, 'state' | 'removed'>): ListedState =>
  removed ? 'removed' : state;

/** The minimum size of a large file, in bytes. The index `item_large_queued` in the schema contains this number. */
export const LARGE_BYTES = 8_388_608;

const NAME_TAKEN = JSON.stringify(
  toErrorData(new DeskError('upload/name-taken', 'another file on the assignment has this name')),
);

type ItemQueue = Pick<ReturnType<typeof createItemQueue>, 'interrupted' | 'queued' | 'first'>;

/** Creates the calls that add items, and those that read the queues of a batch. An unknown batch has empty queues. */
const createItemQueue = (db: DatabaseSync, lists: Pick<ItemLists, 'list' | 'tally'>) => {
  const numberOf = createBatchNumber(db);
  const insert = db.prepare(
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, file_id, changed_ms, state, error, settled_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // The query names its index: the planner would otherwise use the index of all states, and read the rows of all small
  // files to find the large ones.
  const queued = (index: string, size: string) =>
    db.prepare(
      `SELECT item.*, url FROM item INDEXED BY ${index} ${JOIN_URL}
       WHERE batch = ? AND state = 'queued' AND id > ? AND ${size} ORDER BY id LIMIT ?`,
    );
  const queuedLarge = queued('item_large_queued', `size_bytes >= ${LARGE_BYTES}`);
  const queuedSmall = queued('item_by_state', `size_bytes < ${LARGE_BYTES}`);
  const first = db.prepare(
    `SELECT item.*, url FROM first_file CROSS JOIN item ON item.id = first_file.item ${JOIN_URL}
     WHERE first_file.item >= ?1 * ${RANGE} AND first_file.item < (?1 + 1) * ${RANGE} AND state = 'queued'
     ORDER BY at_ms DESC, first_file.item`,
  );

  return {
    /** Adds files in order. Returns the ids of those skipped because of a clash. Paths and names have to be unique. */
    add: (id: string, files: readonly NamedFile[], atMs = wallNow()): readonly number[] => {
      const batch = numberOf(id);
      const left: number[] = [];
      let next = batch * RANGE + filesIn(lists.tally(id), FileState.options);
      for (const { path, fileName, sizeBytes, modifiedMs, identity, clash } of files) {
        const isSkipped = clash?.onClash === 'skip';
        if (isSkipped) left.push(next);
        const state = isSkipped ? (['skipped', NAME_TAKEN, atMs] as const) : (['queued', null, null] as const);
        const facts = [sizeBytes, modifiedMs, identity?.id ?? null, identity?.changedMs ?? null];
        insert.run(next, batch, path, storedName(path, fileName), ...facts, ...state);
        next += 1;
      }
      return left;
    },
    /** Items in state `sending` or `signing`: at the start of a run, those that an earlier run left unfinished. */
    interrupted: (id: string) =>
      lists.list(id, { states: ['sending', 'signing'], offset: 0, limit: Number.MAX_SAFE_INTEGER }).items,
    /** Queued items after `afterId`, by id: those of at least `LARGE_BYTES` if `large`, otherwise smaller ones. */
    queued: (id: string, { afterId, limit, large }: ItemWindow & { readonly large: boolean }): readonly Item[] =>
      (large ? queuedLarge : queuedSmall).all(numberOf(id), afterId, limit).map(toItem),
    /** Queued items that were chosen to be sent first, the latest choice first. */
    first: (id: string): Iterable<Item> => first.all(numberOf(id)).values().map(toItem),
  };
};

/** The number of queued files that a queue reads from the ledger at a time. */
const WINDOW = 64;

/**
 * Creates a queue of a batch's files: first those that an earlier run left unfinished, then the queued ones.
 * `additions` returns how often files have been added, so that the queue also finds files added during the run.
 */
export const createBatchQueue = (items: ItemQueue, batch: string, additions: () => number) => {
  const interrupted = items.interrupted(batch).values();
  /** The ids of files that `next` returned before their turn. */
  const gone = new Set<number>();

  const line = (large: boolean) => {
    let window: readonly Item[] = [];
    let index = 0;
    let afterId = 0;
    /** The value of `additions()` when the ledger last had no further item. */
    let emptyAfter: number | undefined;
    const next = (): Item | undefined => {
      if (index === window.length && emptyAfter !== additions()) {
        window = items.queued(batch, { afterId, limit: WINDOW, large });
        index = 0;
        if (window.length === 0) emptyAfter = additions();
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
    /**
     * The next file, if any: first the unfinished files, then those chosen to be sent first, then the others. Of the
     * others, large ones come before small ones if `largeMayGo`, otherwise after them.
     */
    next: (largeMayGo: boolean): Item | undefined =>
      interrupted.next().value ??
      first() ??
      (largeMayGo ? (large.next() ?? small.next()) : (small.next() ?? large.next())),
  };
};

/** How a file failed. `key` and `url` are present if the next attempt has to start from them. */
type Failure = {
  readonly state: 'failed' | 'uncertain';
  readonly error: ErrorData;
  readonly key?: string | undefined;
  readonly url?: string | undefined;
  readonly unclear: boolean;
};

export type Items = ReturnType<typeof createItems>;

/** The maximum number of times that a lost file is sent again automatically. */
const MOST_LOST = 3;

const NOT_ARRIVED = JSON.stringify(
  toErrorData(new DeskError('upload/not-arrived', 'the service does not list the file', { retry: 'later' })),
);

/** The address of a blob: its signed URL without the query, which contains the signature. */
const blobOf = (url: string): string => url.replace(/[?#].*/s, '');

export const createItems = (db: DatabaseSync) => {
  const lists = createItemLists(db);
  return { ...lists, ...createItemQueue(db, lists), ...createItemSteps(db), ...createItemEnds(db, lists) };
};

const FORGOTTEN = 'unclear = 0, error = NULL';

/**
 * Prepares writes to an item, whose id is the first parameter. `updateWithoutUrl` also deletes its signed URL, as a
 * trigger does when the item becomes done, skipped or cancelled.
 */
const createItemUpdates = (db: DatabaseSync) => {
  const write = createWrite(db);
  const putUrl = write<[id: number, url: string]>('INSERT OR REPLACE INTO signed_url VALUES (?, ?)');
  const dropUrl = write<[id: number]>('DELETE FROM signed_url WHERE item = ?');
  const update = <Parameters extends readonly SQLInputValue[]>(set: string, also = '') =>
    write<readonly [id: number, ...Parameters]>(`UPDATE item SET ${set} WHERE id = ?1 ${also}`);
  const updateWithoutUrl = <Parameters extends readonly SQLInputValue[]>(set: string) => {
    const change = update<Parameters>(set);
    return (id: number, ...parameters: Parameters): void => {
      change(id, ...parameters);
      dropUrl(id);
    };
  };
  return { write, putUrl, dropUrl, update, updateWithoutUrl };
};

const createItemSteps = (db: DatabaseSync) => {
  const { write, putUrl, dropUrl, update, updateWithoutUrl } = createItemUpdates(db);
  // If an earlier attempt sent the file in one request, the file may have arrived, even if it is now sent in blocks:
  // `unclear` is then 1.
  const sending = update<[atMs: number, key: string, unclear: number]>(
    `state = 'sending', started_ms = coalesce(started_ms, ?2), key = ?3, attempts = attempts + 1, error = NULL,
     unclear = iif(unclear = 1 OR (?4 = ${BLOCKS_ONLY} AND state = 'sending' AND unclear = 0), 1, ?4)`,
  );
  const sentBlocks = db.prepare('SELECT id FROM sent_block WHERE item = ? AND blob = ?');
  const addBlock = db.prepare('INSERT OR REPLACE INTO sent_block (item, id, blob) VALUES (?, ?, ?)');
  // Blocks of another blob cannot be used, and a file that is sent in one request replaces all blocks.
  const dropBlocks = write<[id: number, blob: string]>('DELETE FROM sent_block WHERE item = ? AND blob != ?');
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
  const giveKey = update<[key: string]>(
    'key = NULL, unclear = 0',
    `AND key = ?2 AND unclear = 1 AND state IN ('failed', 'uncertain')`,
  );
  const getKey = update<[key: string]>('key = ?2, unclear = 1');
  return {
    /** Records that a signature is requested, and erases the Key, signed URL and error of earlier attempts. */
    signing: updateWithoutUrl<[atMs: number]>(
      `state = 'signing', started_ms = coalesce(started_ms, ?2), key = NULL, ${FORGOTTEN}`,
    ),
    /**
     * Queues an item in state `signing` again, because its signature was not used. Items in other states do not change.
     */
    unsigned: update(`state = 'queued'`, `AND state = 'signing'`),
    /** Records that a send with this signature is about to start. */
    sending: (id: number, key: string, url: string, atMs: number, how?: { readonly inBlocks: boolean }): void => {
      const inBlocks = how?.inBlocks;
      sending(id, atMs, key, inBlocks ? BLOCKS_ONLY : 0);
      dropBlocks(id, inBlocks ? blobOf(url) : '');
      putUrl(id, url);
    },
    /** The ids of the file's blocks that the storage has confirmed for the blob with this signed URL. */
    sentBlocks: (id: number, url: string): ReadonlySet<string> =>
      new Set(sentBlocks.all(id, blobOf(url)).map((row) => String(row.id))),
    blockSent: (id: number, url: string, block: string): void => void addBlock.run(id, block, blobOf(url)),
    /** Records that the blocks are about to be committed: from now on the storage may hold the file. */
    committing: update('unclear = 1'),
    blocksLost: (id: number): void => void dropBlocks(id, ''),
    /**
     * The newest other item of the same file that failed or is uncertain, and whose file may be stored under its Key;
     * undefined if there is none. Same file: equal `file_id`, size, modification time, connection, user and assignment.
     */
    leftUnclear: (id: number): (Item & { readonly key: string }) | undefined => {
      const row = leftUnclear.get(id);
      const item = row && toItem(row);
      return item?.key === undefined ? undefined : { ...item, key: item.key };
    },
    /** Moves the Key of a `leftUnclear` item to the item `to`. Returns false if the `leftUnclear` item has changed. */
    takeKey: ({ id, key }: Item & { readonly key: string }, to: number): boolean => {
      if (giveKey(id, key) === 0) return false;
      dropUrl(id);
      return getKey(to, key) === 1;
    },
    /** Changes the FileName of an item, and erases its Key and signed URL. The storage must not hold its file. */
    renamed: updateWithoutUrl<[fileName: string]>('file_name = ?2, key = NULL, unclear = 0'),
  };
};

const createItemEnds = (db: DatabaseSync, lists: Pick<ItemLists, 'get'>) => {
  const { write, putUrl, dropUrl, update } = createItemUpdates(db);
  const numberOf = createBatchNumber(db);
  db.function('checksum_of_name', (path, fileName) => checksum(fileNameKey(nameOfRow({ path, file_name: fileName }))));
  db.function('checksum_of_key', (key) => checksum(String(key)));
  const done = update<[sha256: string, etag: string | null, atMs: number, isProven: number]>(
    `state = 'done', ${FORGOTTEN}, digest = unhex(?2), etag = ?3, settled_ms = ?4, unproven = iif(?5, lost > 0, 1),
     name_crc = checksum_of_name(path, file_name), key_crc = checksum_of_key(key)`,
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
  const nameTaken = update<[error: string, atMs: number]>(
    `state = 'skipped', key = NULL, unclear = 0, error = ?2, settled_ms = ?3`,
  );
  const failed = update<[state: string, error: string, key: string | null, unclear: number, atMs: number]>(
    'state = ?2, error = ?3, key = ?4, unclear = ?5, settled_ms = ?6',
  );
  const isFinal = `(NOT ?2 OR lost >= ${MOST_LOST})`;
  const lost = update<[again: number, keepsKey: number, error: string, atMs: number]>(
    `state = iif(${isFinal}, 'failed', 'queued'), error = iif(${isFinal}, ?4, NULL), settled_ms = iif(${isFinal}, ?5, NULL),
     lost = lost + 1, unproven = 0, key = iif(?3, key, NULL), unclear = ?3, digest = NULL, etag = NULL`,
  );
  const countResent = db.prepare(`SELECT count(*) AS files FROM item WHERE batch = ? AND lost > 0 AND state = 'done'`);
  const countNameTaken = db.prepare(
    `SELECT count(*) AS files FROM item
     WHERE batch = ? AND error IS NOT NULL AND error ->> 'code' = 'upload/name-taken' AND state = 'skipped'`,
  );
  const cancelUntouched = write<[atMs: number, batch: number, limit: number]>(
    `UPDATE item SET state = 'cancelled', settled_ms = ? WHERE id IN
       (SELECT id FROM item WHERE batch = ? AND state IN ('queued', 'signing') AND unclear = 0 LIMIT ?)`,
  );
  const requeue = write<readonly (number | string | null)[]>(
    `UPDATE item SET state = 'queued', error = NULL, settled_ms = NULL,
     size_bytes = coalesce(?, size_bytes), modified_ms = coalesce(?, modified_ms),
     file_id = coalesce(?, file_id), changed_ms = coalesce(?, changed_ms)
     WHERE id = ? AND batch = ? AND state IN ('failed', 'uncertain')`,
  );
  return {
    /**
     * Records that the file was stored, and therefore is on the assignment (known-files.ts), with proof if `isProven`.
     * A file that was lost before counts as unproven.
     */
    done: (id: number, sha256: string, etag: string | undefined, atMs: number, isProven = true): void =>
      void done(id, sha256, etag ?? null, atMs, isProven ? 1 : 0),
    /**
     * The id of an item whose file the service has to list before the batch ends; undefined if there is none. Such a
     * file was missing in a list, or is unproven in a batch that replaces files or has lost some. The item may belong
     * to another open batch of the assignment, because this batch may have skipped a file of equal content.
     */
    unlisted: (batch: string): number | undefined => {
      const id = unlisted.get(numberOf(batch))?.id;
      return id === undefined ? undefined : Number(id);
    },
    skipped: update<[sha256: string, atMs: number]>(
      `state = 'skipped', key = NULL, ${FORGOTTEN}, digest = unhex(?2), settled_ms = ?3`,
    ),
    nameTaken: (id: number, atMs: number): void => void nameTaken(id, NAME_TAKEN, atMs),
    failed: (id: number, { state, error, key, url, unclear }: Failure, atMs: number): void => {
      failed(id, state, JSON.stringify(error), key ?? null, unclear ? 1 : 0, atMs);
      if (url === undefined) dropUrl(id);
      else putUrl(id, url);
    },
    /**
     * Records that a file that was done did not arrive. The item is queued if `again` is set and it was lost fewer than
     * `MOST_LOST` times before; otherwise it fails. `keepsKey`: the storage may still receive the file under its Key.
     */
    lost: (
      id: number,
      { keepsKey, again }: { readonly keepsKey: boolean; readonly again: boolean },
      atMs: number,
    ): void => void lost(id, again ? 1 : 0, keepsKey ? 1 : 0, NOT_ARRIVED, atMs),
    /** How many files of the batch are done now, but were lost before. */
    countResent: (batch: string): number => Number(countResent.get(numberOf(batch))?.files ?? 0),
    /** How many files of the batch were skipped because another file has their name. */
    countNameTaken: (batch: string): number => Number(countNameTaken.get(numberOf(batch))?.files ?? 0),
    cancelled: update<[atMs: number]>(`state = 'cancelled', key = NULL, ${FORGOTTEN}, settled_ms = ?2`),
    /** Cancels up to `limit` queued or signing items whose files were certainly not stored; returns how many. */
    cancelUntouched: (id: string, limit: number, atMs: number): number => cancelUntouched(atMs, numberOf(id), limit),
    /** Queues a failed or uncertain item again, with the facts `onDisk` if given. Returns false for any other item. */
    requeue: (id: string, item: number, onDisk?: FileFacts | undefined): boolean => {
      const { sizeBytes = null, modifiedMs = null, identity } = onDisk ?? {};
      const before = lists.get(item);
      const isQueued =
        requeue(sizeBytes, modifiedMs, identity?.id ?? null, identity?.changedMs ?? null, item, numberOf(id)) === 1;
      // The present content must not be sent to the earlier URL: an attempt with the earlier content may still arrive
      // at that URL and overwrite the present content.
      if (isQueued && before && onDisk && isOtherVersion(before, onDisk)) dropUrl(item);
      return isQueued;
    },
  };
};

const PAGE_ITEMS = 500;

/** Yields the items of a batch in order of ids, in pages. Between pages, other code can write to the ledger. */
export function* itemPages(items: Pick<Items, 'after'>, batch: string): Generator<readonly Item[], void> {
  const page = (afterId: number) => items.after(batch, { afterId, limit: PAGE_ITEMS });
  for (let found = page(0); found.length > 0; found = page(found.at(-1)?.id ?? 0)) yield found;
}

/** Yields up to `count` items of a batch in order of ids, without the first `offset`, read page by page. */
export function* itemsFrom(
  items: Items,
  batch: string,
  offset = 0,
  count = Number.POSITIVE_INFINITY,
): Generator<Item, void> {
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

/** The number of files of a batch in each state, and their size. `done` includes the files in `removed`. */
export type Tally = Readonly<Record<ListedState, Count>>;

export type ItemFilter = {
  /** Only files in these states; absent: files in all states. `done` does not include removed files. */
  readonly states?: readonly ListedState[] | undefined;
  readonly error?: ErrorCode | undefined;
  readonly offset: number;
  readonly limit: number;
};

/** Up to `limit` items in order of ids, after `afterId`; 0: from the first item on. */
type ItemWindow = { readonly afterId: number; readonly limit: number };

type ItemLists = ReturnType<typeof createItemLists>;

/** The id of a batch's first file is the number of the batch multiplied by this. */
export const RANGE = 2 ** 32;

const FilesOfState = storedCount.pipe(z.int().max(RANGE));

const PENDING: readonly FileState[] = ['sending', 'signing', 'queued'];

const NONE: Count = { files: 0, bytes: 0 };

const filesIn = (tally: Tally, states: readonly FileState[]): number =>
  states.reduce((total, state) => total + tally[state].files, 0);

/** How many files are listed in this state: `done` does not include removed files. */
const listedIn = ({ done, removed, ...tally }: Tally, state: ListedState): number => {
  if (state === 'done') return done.files - removed.files;
  return (state === 'removed' ? removed : tally[state]).files;
};

const totalOf = (tally: Tally, states: readonly ListedState[] | undefined): number =>
  states?.reduce((total, state) => total + listedIn(tally, state), 0) ?? filesIn(tally, FileState.options);

/** Creates a function that returns the number of a batch (`RANGE`) for its id; -1 for an unknown batch. */
const createBatchNumber = (db: DatabaseSync): ((batch: string) => number) => {
  const number = db.prepare('SELECT number FROM batch WHERE id = ?');
  const known = new Map<string, number>();
  return (batch) => {
    const found = known.get(batch) ?? number.get(batch)?.number;
    if (found === undefined) return -1;
    // A number that was read in a transaction is not cached. The transaction may have added the batch, which can get
    // another number if the transaction is rolled back and repeated.
    if (!db.isTransaction) known.set(batch, Number(found));
    return Number(found);
  };
};

/**
 * Creates the queries that list and count the items of batches. For an unknown batch, they return what they return for
 * a batch without files.
 */
const createItemLists = (db: DatabaseSync) => {
  const numberOf = createBatchNumber(db);
  const byId = db.prepare(`${WITH_BOTH} WHERE id = ?`);
  const inRange = db.prepare(`${WITH_BOTH} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`);
  /** Prepares a query of a window of items. Rows before the window are not read: the ids come from an index. */
  const windowOf = (ids: string, select = WITH_URL, order: '' | 'DESC' = '') =>
    db.prepare(`${select} WHERE id IN (SELECT id ${ids} ORDER BY id ${order} LIMIT ? OFFSET ?) ORDER BY id`);
  const inState = windowOf('FROM item WHERE batch = ? AND state = ?');
  const ofRemoved = `SELECT item AS id FROM removed_file WHERE item >= ? * ${RANGE} AND item < ? * ${RANGE}`;
  // Both sides of EXCEPT come in order from their indexes, which is faster than looking up each file in `removed_file`.
  const notRemovedIn = (order?: 'DESC') =>
    windowOf(`FROM item WHERE batch = ? AND state = 'done' EXCEPT ${ofRemoved}`, undefined, order);
  const [notRemoved, notRemovedFromEnd] = [notRemovedIn(), notRemovedIn('DESC')];
  const removed = windowOf(`FROM (${ofRemoved})`, WITH_BOTH);
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
  const failedIds = db.prepare(`SELECT id FROM item WHERE batch = ? AND state IN ('failed', 'uncertain') ORDER BY id`);

  const tallyOf = (batch: number): Tally => {
    const counts = new Map<unknown, Count>();
    for (const { state, files, bytes } of tallies.all(batch))
      counts.set(state, { files: FilesOfState.parse(files), bytes: storedCount.parse(bytes) });
    return Object.fromEntries(ListedState.options.map((state) => [state, counts.get(state) ?? NONE])) as Tally;
  };

  const fromIndex = (batch: number, index: number, limit: number): readonly Item[] =>
    inRange.all(batch * RANGE + index, (batch + 1) * RANGE, limit).map(toItem);

  const rowsIn = (batch: number, state: ListedState, tally: Tally, limit: number, skip: number): readonly Row[] => {
    if (state === 'removed') return removed.all(batch, batch + 1, limit, skip);
    if (state !== 'done' || tally.removed.files === 0) return inState.all(batch, state, limit, skip);
    const count = Math.min(limit, listedIn(tally, state) - skip);
    // Stryker disable ArithmeticOperator,ConditionalExpression,EqualityOperator: from either end, the files are the
    // same.
    const after = listedIn(tally, state) - skip - count;
    return after < skip
      ? notRemovedFromEnd.all(batch, batch, batch + 1, count, after)
      : notRemoved.all(batch, batch, batch + 1, count, skip);
    // Stryker restore all
  };

  /** Returns up to `limit` items from `offset` on, state by state. The counts tell which states can be skipped. */
  const inStates = (batch: number, states: readonly ListedState[], offset: number, limit: number): readonly Item[] => {
    const tally = tallyOf(batch);
    const found: Item[] = [];
    let skip = offset;
    for (const state of states) {
      const files = listedIn(tally, state);
      if (skip < files) found.push(...rowsIn(batch, state, tally, limit - found.length, skip).map(toItem));
      skip = Math.max(0, skip - files);
    }
    return found;
  };

  return {
    /** Up to `limit` items that still have to be sent: interrupted ones first, then the queued ones. */
    pending: (id: string, limit: number): readonly Item[] => inStates(numberOf(id), PENDING, 0, limit),
    get: (id: number): Item | undefined => {
      const row = byId.get(id);
      return row && toItem(row);
    },
    /**
     * A window of the items of a batch, with the `total` of all that match. Items are in order of ids; with several
     * `states` and no `error`, they come state by state.
     */
    list: (
      id: string,
      { states, error, offset, limit }: ItemFilter,
    ): { readonly items: readonly Item[]; readonly total: number } => {
      const batch = numberOf(id);
      if (error !== undefined) {
        const values = [batch, error, JSON.stringify(states ?? FileState.options)];
        const items = withError.all(...values, limit, offset).map(toItem);
        return { items, total: Number(countWithError.get(...values)?.total) };
      }
      return {
        items: states ? inStates(batch, states, offset, limit) : fromIndex(batch, offset, limit),
        total: totalOf(tallyOf(batch), states),
      };
    },
    after: (id: string, { afterId, limit }: ItemWindow): readonly Item[] => {
      const batch = numberOf(id);
      return fromIndex(batch, afterId === 0 ? 0 : afterId + 1 - batch * RANGE, limit);
    },
    tally: (id: string) => tallyOf(numberOf(id)),
    sendingIds: (id: string): ReadonlySet<number> => new Set(sendingIds.all(numberOf(id)).map((row) => Number(row.id))),
    /** Whether the storage may hold an unsettled file of the batch. */
    mayHaveArrived: (id: string): boolean => arrivable.get(numberOf(id)) !== undefined,
    /** How many failed and uncertain items have each error code, the most frequent code first. */
    errorGroups: (id: string): readonly ErrorGroup[] =>
      errorGroups.all(numberOf(id)).map(({ code, files }) => ({ code: ErrorCode.parse(code), files: Number(files) })),
    /** The ids of failed and uncertain items, in order. */
    failedIds: (id: string): readonly number[] => failedIds.all(numberOf(id)).map((row) => Number(row.id)),
  };
};

// The files on an assignment that items replace. They are released for removal when their items are done.

/**
 * A file that an item replaces, or a check file (`isCheck`), which is uploaded and removed again only because the
 * response to the removal lists the files of the assignment. `planned`: the item is not done yet; `pending`: to be
 * removed; `removed`: removed or gone; `failed`: not removed, because of `error`.
 */
export type ReplacedFile = z.infer<typeof ReplacedRow>;

const ReplacedRow = z
  .object({
    key: z.string(),
    state: z.enum(['planned', 'pending', 'removed', 'failed']),
    error: absent(storedJson(ErrorData)),
    is_check: z.number(),
  })
  .transform(({ is_check, ...row }) => ({ ...row, isCheck: is_check === 1 }));

/**
 * SQL for the column `toRemove`: 1 if the file was replaced and still has to be removed. `key`: SQL for its Key; `of`:
 * the table of the query with the columns `connection` and `assignment_id`, which are compared because several
 * assignments may have the same Key.
 */
export const isToRemove = (key: string, of: string): string =>
  `EXISTS (SELECT 1 FROM replaced_file AS replaced JOIN batch AS by ON by.number = replaced.item / ${RANGE}
     WHERE replaced.key = ${key} AND replaced.state IN ('pending', 'failed')
       AND by.connection = ${of}.connection AND by.assignment_id = ${of}.assignment_id) AS toRemove`;

/** Creates the record of the files that items replace. For an unknown batch, there are none. */
export const createReplacedFiles = (db: DatabaseSync) => {
  const write = createWrite(db);
  const numberOf = createBatchNumber(db);
  const forget = db.prepare('DELETE FROM replaced_file WHERE item = ? AND NOT is_check');
  const plan = db.prepare('INSERT INTO replaced_file (item, key) VALUES (?, ?)');
  const forgetOne = write<[item: number, key: string]>('DELETE FROM replaced_file WHERE item = ? AND key = ?');
  const forgetCheck = db.prepare('DELETE FROM replaced_file WHERE item = ? AND key = ? AND is_check');
  const release = db.prepare(`UPDATE replaced_file SET state = 'pending' WHERE item = ? AND state = 'planned'`);
  const of = db.prepare(
    'SELECT key, state, error, is_check FROM replaced_file WHERE item = ? ORDER BY is_check DESC, key',
  );
  const ofBatch = 'item >= ? AND item < ?';
  const pendingItems = db.prepare(
    `SELECT DISTINCT item FROM replaced_file WHERE state = 'pending' AND ${ofBatch} ORDER BY item LIMIT ?`,
  );
  const settle = db.prepare('UPDATE replaced_file SET state = ?, error = ? WHERE item = ? AND key = ?');
  const countFailed = db.prepare(`SELECT count(*) AS files FROM replaced_file WHERE state = 'failed' AND ${ofBatch}`);
  const retry = db.prepare(
    `UPDATE replaced_file SET state = 'pending', error = NULL WHERE state = 'failed' AND ${ofBatch}`,
  );
  const replacedBy = (item: number): readonly ReplacedFile[] => of.all(item).map((row) => ReplacedRow.parse(row));
  const rangeOf = (batch: string): readonly [number, number] => {
    const number = numberOf(batch);
    return [number * RANGE, (number + 1) * RANGE];
  };

  return {
    /** Plans to replace the files with these Keys when the item is done, and forgets earlier plans for the item. */
    plan: (item: number, keys: readonly string[]): void => {
      forget.run(item);
      for (const key of keys) plan.run(item, key);
    },
    /** Releases the replaced files for removal. To be called in the commit that makes the item done. */
    release: (item: number, ownKey: string): void => {
      // A service may reuse the Key for a file of the same name: the new content has then already overwritten the old
      // content.
      forgetOne(item, ownKey);
      release.run(item);
    },
    /** Records that a check file is about to be stored under this Key. */
    addCheck: write<[item: number, key: string]>(
      `INSERT INTO replaced_file (item, key, state, is_check) VALUES (?, ?, 'pending', 1)`,
    ),
    of: replacedBy,
    /** The item for users, without its Key and signed URL, with the state of the files that it replaces. */
    view: (item: Item): UploadFile => viewFile(item, replacedBy(item.id)),
    /**
     * The ids of up to `limit` items that have files to remove. An item that is not done has only check files to
     * remove.
     */
    pendingItems: (batch: string, limit: number): readonly number[] =>
      pendingItems.all(...rangeOf(batch), limit).map((row) => Number(row.item)),
    removed: (item: number, key: string): void => {
      forgetCheck.run(item, key);
      settle.run('removed', null, item, key);
    },
    /** Records that the replaced file stays, because the item did not arrive. */
    kept: (item: number, key: string): void => void forgetOne(item, key),
    failed: (item: number, key: string, error: ErrorData): void =>
      void settle.run('failed', JSON.stringify(error), item, key),
    /** How many files, check files included, could not be removed for the batch. */
    countFailed: (batch: string): number => Number(countFailed.get(...rangeOf(batch))?.files ?? 0),
    /** Makes the failed removals of the batch pending again; returns how many there were. */
    retry: (batch: string): number => Number(retry.run(...rangeOf(batch)).changes),
  };
};

const viewFile = (item: Item, replaced: readonly ReplacedFile[]): UploadFile => ({
  ...pick(item, ['id', 'path', 'sizeBytes', 'attempts', 'error', 'sha256']),
  FileName: item.fileName,
  state: listedState(item),
  ...(item.settledAtMs !== undefined && { finishedAtMs: item.settledAtMs }),
  ...(item.removed?.atMs !== undefined && { removedAtMs: item.removed.atMs }),
  ...viewReplaced(replaced.filter(({ isCheck }) => !isCheck)),
});

const viewReplaced = (replaced: readonly ReplacedFile[]): Pick<UploadFile, 'replaced'> => {
  if (replaced.length === 0) return {};
  const error = replaced.find((file) => file.error)?.error;
  if (error) return { replaced: { state: 'failed', error } };
  return { replaced: { state: replaced.every(({ state }) => state === 'removed') ? 'removed' : 'pending' } };
};

/** Reads the ledger's items: lists from an index and counts from the tally, however many files a batch has. */

import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { ErrorCode } from '../../../contract/errors.ts';
import { type ErrorGroup, FileState, ListedState } from '../../../contract/uploads.ts';
import { storedCount } from '../../data/sqlite.ts';
import { type Item, type Row, toItem, WITH_REMOVAL } from './item-row.ts';

type Count = { readonly files: number; readonly bytes: number };

/** The sum of all counts. */
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
export type ItemWindow = { readonly afterId: number; readonly limit: number };

/** For an unknown batch, the functions answer as for one without files. */
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

/** They need no Url any more. */
const SETTLED: readonly FileState[] = ['done', 'skipped', 'cancelled'];
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

/** Makes an item of a row, with its Url if that may be needed. */
export const createItemOf = (db: DatabaseSync): ((row: Row) => Item) => {
  const urlOf = db.prepare('SELECT url FROM signed_url WHERE item = ?');
  return (row) => {
    const item = toItem(row);
    if (item.key === undefined || SETTLED.includes(item.state)) return item;
    const url = urlOf.get(item.id)?.url;
    return typeof url === 'string' ? { ...item, url } : item;
  };
};

/** The lists over `db`, which has been migrated. */
export const createItemLists = (db: DatabaseSync): ItemLists => {
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
    const after = listedIn(tally, state) - skip - count;
    return after < skip
      ? notRemovedFromEnd.all(batch, batch, batch + 1, count, after)
      : notRemoved.all(batch, batch, batch + 1, count, skip);
  };

  /** Skips whole states by their counts, and within a state by its index. */
  const inStates = (batch: number, states: readonly ListedState[], offset: number, limit: number): readonly Item[] => {
    const tally = tallyOf(batch);
    const found: Item[] = [];
    let skip = offset;
    for (const state of states) {
      if (found.length === limit) break;
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

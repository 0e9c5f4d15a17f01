/** Limits the size of the cache, and merges the segments of its indexes of words. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { DeskError } from '../../contract/errors.ts';
import { createSingleFlight } from '../async/lock.ts';
import type { Responses } from './responses.ts';
import type { Steps } from './tables.ts';

// The cache is kept within its limit. Above the limit, the responses that were used least recently are removed, then
// the protocols that were fetched longest ago, one connection after another. Data that an offline walk ("Make
// everything available offline") has stored is removed last.

type RemovableResponses = Pick<Responses, 'remove' | 'beingRead'>;

export type RoomOptions = {
  readonly limitBytes: () => number;
  /** Called after the cache was above its limit. Data that was available offline may have been removed. */
  readonly onRoom: () => void;
  readonly onFailure: (error: unknown) => void;
};

/**
 * When the limit is exceeded, data that no offline walk needs is removed down to this share of the limit. Otherwise
 * each further write would have to remove data.
 */
const OTHERS_LEFT = 0.95;

/**
 * At this share of the limit, the offline walk and reading ahead stop adding data, unless data that no walk needs can
 * be removed. Responses in flight have to fit into the rest.
 */
const WHILE_FILLING = 0.97;

/**
 * Creates the functions that limit the size of the cache. `slice` runs steps for a short time once earlier writes have
 * ended, and resolves to true if no steps are left, or if the steps were abandoned.
 */
export const createRoom = (
  db: DatabaseSync,
  responses: RemovableResponses,
  slice: (steps: Steps) => Promise<boolean>,
  { limitBytes, onRoom, onFailure }: RoomOptions,
) => {
  const leastUsed = createLeastUsed(db, responses);
  const making = createSingleFlight(async () => {
    let isAbove = false;
    // The size is measured in a slice, so that writes requested earlier are included.
    const trim = function* (): Steps {
      isAbove ||= leastUsed.usedBytes() > limitBytes();
      yield* leastUsed.trim(limitBytes() * (isAbove ? OTHERS_LEFT : 1), limitBytes());
    };
    try {
      while (!(await slice(trim()))) await setImmediate();
      if (isAbove) onRoom();
    } catch (error) {
      if (!(error instanceof DeskError && error.code === 'app/cancelled')) onFailure(error);
    }
  });

  return {
    /**
     * Removes data in slices between other writes, until the cache is within its limit or nothing is left to remove.
     * Also resolves after a failure; the next call tries again.
     */
    makeRoom: making.run,
    /** Whether data can be added without removing data that an offline walk has stored. */
    hasRoom: (): boolean => leastUsed.usedBytes() < limitBytes() * WHILE_FILLING || leastUsed.hasOthers(),
  };
};

/** The number of protocols that one step removes, in a millisecond or two. */
const PROTOCOLS_AT_ONCE = 5;
/** The number of free pages that one step returns to the system, in a millisecond or two. */
const PAGES_AT_ONCE = 32;

/**
 * Free pages of up to this total size stay in the file for later writes. If the file is larger than the limit, no free
 * pages stay.
 */
const FREE_KEPT_BYTES = 1_000_000;

const createLeastUsed = (db: DatabaseSync, responses: RemovableResponses) => {
  const mergeIndexes = createIndexMerges(db);
  const size = db.prepare(
    `SELECT freelist_count * page_size AS free, page_count * page_size AS total
     FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
  );

  const isOther = 'NOT EXISTS (SELECT 1 FROM keep_all WHERE keep_all.connection = owner.no)';
  const leastOf = (which: string) =>
    `(SELECT no FROM response WHERE connection = owner.no AND no NOT IN (SELECT value FROM json_each(?1)) ${which}
      ORDER BY used_day, no LIMIT 1)`;
  // The list of a single county is stored only when a user requests it, so no offline walk needs it.
  const leastOfOthers = `SELECT ${leastOf('')} FROM connection AS owner WHERE ${isOther} UNION ALL
    SELECT ${leastOf("AND name > 'projects/' AND name < 'projects0'")} FROM connection AS owner`;
  const first = (candidates: string) =>
    db.prepare(`SELECT no, connection, name FROM response WHERE no IN (${candidates}) ORDER BY used_day, no LIMIT 1`);
  const otherResponse = first(leastOfOthers);
  const anyResponse = first(`SELECT ${leastOf('')} FROM connection AS owner`);
  const remains = db.prepare('SELECT no, connection, name FROM response WHERE parts IS NULL LIMIT 1');

  const ownerOfProtocols = (which: string) =>
    db.prepare(
      `SELECT no FROM connection AS owner
       WHERE ${which} AND EXISTS (SELECT 1 FROM protocol WHERE protocol.connection = owner.no) LIMIT 1`,
    );
  const otherOwner = ownerOfProtocols(isOther);
  const anyOwner = ownerOfProtocols('true');
  const oldest = `SELECT row FROM protocol WHERE connection = ? ORDER BY fetched_ms LIMIT ${PROTOCOLS_AT_ONCE}`;
  const removeProtocols = db.prepare(`DELETE FROM protocol WHERE row IN (${oldest})`);
  // Both statements reopen a completed pass. When the offline walk is continued, it fetches the removed data again.
  const reopen = db.prepare('UPDATE keep_all SET running = 1, trimmed = 1 WHERE connection = ?');
  const relist = db.prepare(
    'UPDATE keep_all SET running = 1, trimmed = 1, begun = 0, next_page = NULL WHERE connection = ?',
  );

  /**
   * Returns the bytes of the file that are in use. Free pages do not count, because SQLite reuses them before the file
   * grows.
   */
  const usedBytes = (): number => {
    const { free, total } = size.get() ?? {};
    return Number(total) - Number(free);
  };
  const next = (response: typeof otherResponse) => response.get(JSON.stringify(responses.beingRead()));
  const remove = ({ no, connection, name }: Readonly<Record<string, SQLOutputValue>>): Steps =>
    responses.remove(Number(connection), String(name), Number(no));

  const removeProtocolsOf = (owner: SQLOutputValue): void => {
    relist.run(owner);
    removeProtocols.run(owner);
  };
  const removeUntil = function* (bytes: number, response: typeof otherResponse, owner: typeof otherOwner): Steps {
    while (usedBytes() > bytes) {
      const least = next(response);
      const ownerNo = least ? undefined : owner.get()?.no;
      if (least) {
        if (response === anyResponse) reopen.run(least.connection ?? null);
        yield* remove(least);
      } else if (ownerNo !== undefined) removeProtocolsOf(ownerNo);
      else return;
      yield;
      yield* mergeIndexes();
    }
  };
  const canShrink = (bytes: number): boolean => {
    const { free, total } = size.get() ?? {};
    return Number(free) > FREE_KEPT_BYTES || (Number(free) > 0 && Number(total) > bytes);
  };
  const shrink = function* (bytes: number): Steps {
    for (let before = Number.POSITIVE_INFINITY; canShrink(bytes); ) {
      const free = Number(size.get()?.free);
      // The last step returned no page to the system, as in a file that was created without auto-vacuum.
      if (free >= before) return;
      before = free;
      db.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
      yield;
    }
  };

  return {
    usedBytes,
    /** Whether data that no offline walk needs can be removed. Responses that are being read do not count. */
    hasOthers: (): boolean => next(otherResponse) !== undefined || otherOwner.get() !== undefined,
    /**
     * First removes data that no offline walk needs, down to `othersBytes` in use, and then any data, down to `bytes`
     * in use. Merges the indexes and returns free pages to the system. The caller can stop after any step; a later call
     * continues the work.
     */
    trim: function* (othersBytes: number, bytes: number): Steps {
      for (let one = remains.get(); one; one = remains.get()) yield* remove(one);
      yield* removeUntil(othersBytes, otherResponse, otherOwner);
      yield* removeUntil(bytes, anyResponse, anyOwner);
      yield* mergeIndexes();
      yield* shrink(bytes);
    },
  };
};

// The segments of the indexes of words are merged in small steps. FTS5 itself would merge hundreds of pages in one
// write, which would block the process. FTS5 still does so if the merges here fall far behind.

/** The number of index pages that one merge step writes, in about a millisecond. */
const MERGED_AT_ONCE = 8;

const WORD_INDEXES = ['protocol_words', 'assignment_words'];

const createIndexMerges = (db: DatabaseSync): (() => Steps) => {
  const changes = db.prepare('SELECT total_changes() AS count');
  const merges = WORD_INDEXES.map((index) =>
    db.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${MERGED_AT_ONCE})`),
  );
  const changesOf = (work: () => unknown): number => {
    const before = Number(changes.get()?.count);
    work();
    return Number(changes.get()?.count) - before;
  };
  return function* () {
    for (const merge of merges) {
      // The command itself counts as one change.
      while (changesOf(() => merge.run()) > 1) yield;
    }
  };
};

/**
 * cache.sqlite: the offline data of all connections. The app can do without it, so a file that is damaged, or that a
 * newer app has written, is moved aside and replaced by an empty one.
 */

import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import type { ProtocolTable, ProtocolTableQuery } from '../../contract/protocols.ts';
import {
  AssignmentSummary,
  assignmentName,
  type CachedProtocol,
  type ProtocolPage,
  type ProtocolSummary,
  type Reading,
  type TimeBase,
} from '../../contract/resources.ts';
import type { Found, SearchResults } from '../../contract/search.ts';
import { wallNow } from '../async/clock.ts';
import { isBeyondUse, moveAside, orUnwritable, removeAside, removeDatabase } from '../data/files.ts';
import { openDatabase, orClosed, storedJson, transaction, translated } from '../data/sqlite.ts';
import { cachedProtocol, createProtocols, type ProtocolQuery, protocolSummary } from './protocols.ts';
import { createResponses, type List } from './responses.ts';
import { createSearch, createVocabulary, type SearchWindow, type Vocabulary } from './search.ts';
import {
  type BegunRequest,
  type Connections,
  cacheMigrations,
  createConnections,
  createRequests,
  createSlicer,
  keepFormer,
  protocolOf,
  type Requests,
  rowsOf,
  type Steps,
  untilOutdated,
} from './tables.ts';
import { createRoom, type RoomOptions } from './upkeep.ts';
import { createWorkList } from './work-list.ts';

export type { ProtocolQuery } from './protocols.ts';
export type { BegunRequest } from './tables.ts';

/** The size of a page read from the cache. Offline, the service's page size is unknown. */
const PAGE_SIZE = 50;

type OpenCacheOptions = Partial<RoomOptions> & {
  readonly now?: () => number;
  /**
   * Called if data is unusable. The notice says, for example, which part was left out or where the file was moved to.
   */
  readonly onNotice?: (notice: DeskError) => void;
};

/**
 * Opens the cache at `path`. If the file is unusable, or a later call finds it damaged, it is moved aside and replaced
 * by an empty file. Errors: `data/unwritable`.
 */
export const openCache = (path: string, options: OpenCacheOptions = {}) => {
  const { now = wallNow, onNotice = () => {} } = options;
  const { limitBytes = () => Number.POSITIVE_INFINITY, onRoom = () => {}, onFailure = () => {} } = options;
  const requests = createRequests();
  const open = (): OpenCache => {
    const db = openDatabase({ path, migrations: cacheMigrations, durability: 'normal', shrinks: true });
    return orClosed(db, () => {
      const isRepaired = translated(path, () => forgetUnreadable(db));
      const cache = translated(path, () => createCache(db, path, { now, requests, limitBytes, onRoom, onFailure }));
      if (isRepaired)
        onNotice(
          new DeskError('data/left-out', 'a stored value cannot be read', { details: { part: 'offlineProgress' } }),
        );
      return cache;
    });
  };
  const openAnew = (): OpenCache => {
    try {
      // Files that were moved aside earlier are removed first, because each can be as large as the offline data.
      removeAside(path);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      onNotice(error);
    }
    onNotice(moveAside(path, now()));
    return open();
  };
  const openUsable = (): OpenCache => {
    try {
      return open();
    } catch (error) {
      if (!isBeyondUse(path, error)) throw error;
      return openAnew();
    }
  };
  return rebuilding(path, requests, openUsable, openAnew);
};

/**
 * Passes calls to the current cache. When a call finds damage, `openAnew` opens a new cache, and the call is repeated
 * there; the work of `together` is repeated as a whole. If no new cache can be opened, the next call tries again.
 */
const rebuilding = (path: string, requests: Requests, open: () => OpenCache, openAnew: () => OpenCache) => {
  let cache: OpenCache | undefined;
  let depth = 0;
  const present = (): OpenCache => {
    cache ??= open();
    return cache;
  };

  /**
   * Throws `error` if it is not a `DeskError`. Does nothing if the cache `used` was already replaced. Otherwise
   * replaces `used` if `error` says that it is damaged, and throws any other error. The caller repeats the call on the
   * new cache.
   */
  const recover = (error: unknown, used: OpenCache): void => {
    if (!(error instanceof DeskError)) throw error;
    if (used !== cache) return;
    if (error.code !== 'data/corrupt') throw error;
    cache = undefined;
    used.close();
    cache = openAnew();
  };
  const run = (name: keyof OpenCache, args: readonly unknown[]): unknown => {
    const work = (): unknown =>
      translated(path, () => (present()[name] as (...args: readonly unknown[]) => unknown)(...args));
    const used = present();
    depth += 1;
    try {
      const result = work();
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        recover(error, used);
        return work();
      });
    } catch (error) {
      if (depth > 1) throw error;
      recover(error, used);
      return work();
    } finally {
      depth -= 1;
    }
  };
  const names = Object.keys(present()) as (keyof OpenCache)[];
  const calls = names.map((name) => [name, (...args: readonly unknown[]) => run(name, args)] as const);
  const through = Object.fromEntries(calls) as OpenCache;
  return {
    ...through,
    close: () => cache?.close(),
    /**
     * Removes the offline data of all connections, and damaged files that were moved aside. Responses to requests in
     * flight are not stored. Errors: `data/unwritable`.
     */
    clear: (): void => {
      requests.outdate();
      cache?.close();
      cache = undefined;
      // Removing many rows instead would block the process for seconds, and need disk space for the write-ahead log.
      orUnwritable('the offline data cannot be removed', { file: path }, () => removeDatabase(path));
      removeAside(path);
    },
  };
};

/**
 * Runs `work` and ignores its `DeskError`s. A response that was read stays readable even if it cannot be marked as
 * used, for example on a full disk.
 */
const trying = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
  }
};

type CacheOptions = RoomOptions & { readonly now: () => number; readonly requests: Requests };

export type Cache = ReturnType<typeof openCache>;
type OpenCache = ReturnType<typeof createCache>;

type Rest<Put extends (connectionId: string, ...rest: never[]) => unknown> =
  Parameters<Put> extends [string, ...infer Others] ? Others : never;

const createCache = (db: DatabaseSync, path: string, { now, requests, ...roomOptions }: CacheOptions) => {
  // A query of 200,000 protocols needs more pages than SQLite's default cache of 2 MB holds, so up to 64 MB of the file
  // are mapped into memory. The page cache of 16 MB serves writes, and reads of other pages. A checkpoint every 2 MB
  // delays a commit only briefly.
  db.exec('PRAGMA cache_size = -16384; PRAGMA mmap_size = 67108864; PRAGMA wal_autocheckpoint = 512');
  const connections = createConnections(db);
  const vocabulary = createVocabulary(db);
  const protocols = createProtocols(db, connections, vocabulary);
  const responses = createResponses(db, connections, vocabulary, now);
  const passes = createPasses(db, connections);
  const size = db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()');
  /**
   * Runs several writes in one transaction. Errors: those of `work`, `data/unwritable`, `data/corrupt`,
   * `app/cancelled`.
   */
  const together = <T>(work: () => T): T => translated(path, () => (db.isTransaction ? work() : transaction(db, work)));
  const slicer = createSlicer(together);
  const room = createRoom(db, responses, slicer.slice, roomOptions);
  const run = async (request: BegunRequest, steps: Steps): Promise<void> => {
    await slicer.run(untilOutdated(request, steps));
    void room.makeRoom();
  };

  return {
    ...createFindings(db, connections, vocabulary, protocols.count),
    ...createWorkList(db, connections),
    ...createTargets(db, connections),
    ...room,
    ...passes,
    completePass: (...end: Parameters<typeof passes.completePass>): void => together(() => passes.completePass(...end)),
    /**
     * Begins a request whose response is to be stored. To be called before the request is sent. The result is passed to
     * the call that stores the response; that call stores nothing if `clear` was called in between.
     */
    beginRequest: requests.begin,
    /**
     * Stores a page of protocols, in slices. Only a page of the whole list (no `Query`) changes the order of protocols.
     */
    putProtocols: (request: BegunRequest, ...page: Rest<typeof protocols.put>): Promise<void> =>
      run(request, protocols.put(request.connectionId, ...page)),
    /**
     * Reads page `Page` (from 1) of the stored protocols that match `Query`; undefined if the connection has no stored
     * protocols. `fetchedAtMs`: when the oldest protocol of the page was read; 0 for an empty page.
     */
    protocols: (connectionId: string, { Query = '', Page = 1 }: ProtocolQuery): Reading<ProtocolPage> | undefined => {
      const offset = Math.max(0, Page - 1) * PAGE_SIZE;
      const plain = { filters: {}, availableOffline: false, descending: false };
      const window = { ...plain, text: Query, offset, limit: PAGE_SIZE };
      const { Items, total, cached, fetchedAtMs = 0 } = protocols.table(connectionId, window);
      if (cached === 0) return undefined;
      const items = Items.map(({ availableOffline: _here, fetchedAtMs: _at, ...item }) => item);
      const value = { Items: items, Count: Items.length, TotalCount: total, CurrentPage: Page };
      return { value, unreadable: 0, source: 'cache', fetchedAtMs };
    },
    /**
     * Reads a window of the table of protocols. `unreadable`: how many protocols the current or last offline walk could
     * not read.
     */
    protocolTable: (connectionId: string, query: ProtocolTableQuery, timeBase?: TimeBase): ProtocolTable => ({
      ...protocols.table(connectionId, query, timeBase),
      unreadable: passes.pass(connectionId).unreadable,
    }),
    protocol: protocols.get,
    putResponse: (request: BegunRequest, ...response: Rest<typeof responses.put>): Promise<void> =>
      run(request, responses.put(request.connectionId, ...response)),
    /**
     * Forgets, in slices, the lists of assignments of the protocols that were last seen before `seenBeforeMs`.
     * `request`: the request for the list of protocols, in which these protocols are missing.
     */
    forgetLists: (request: BegunRequest, seenBeforeMs: number): Promise<void> =>
      run(request, responses.removeGone(request.connectionId, seenBeforeMs)),
    /**
     * Reads a stored response, in slices; undefined if it does not exist, has a damaged part, or does not match
     * `schema`.
     */
    response: async <T extends List>(
      connectionId: string,
      name: string,
      schema: z.ZodType<T>,
    ): Promise<Reading<T> | undefined> => {
      const steps = responses.get(connectionId, name, schema);
      const next = () => translated(path, () => steps.next());
      let step = next();
      for (; !step.done; step = next()) await setImmediate();
      const stored = step.value;
      if (stored) trying(() => translated(path, () => responses.use(connectionId, name)));
      return stored;
    },
    assignment: responses.assignment,
    summaryOf: responses.summaryOf,
    nameOf: (connectionId: string, AssignmentId: string): string | undefined => {
      const known = responses.summaryOf(connectionId, AssignmentId);
      return known && assignmentName(known);
    },
    counties: responses.counties,
    putPlanAfter: (request: BegunRequest, ...value: Rest<typeof responses.putPlanAfter>): void => {
      if (!request.isOutdated()) together(() => responses.putPlanAfter(request.connectionId, ...value));
    },
    together,
    sizeBytes: (): number => Number(size.get()?.bytes),
    close: (): void => {
      slicer.abandon();
      db.close();
    },
  };
};

const createFindings = (
  db: DatabaseSync,
  connections: Connections,
  vocabulary: Vocabulary,
  countProtocols: (connectionId: string) => number,
) => {
  const protocols = createSearch(db, 'protocol', vocabulary);
  const assignments = createSearch(db, 'assignment', vocabulary);
  const findAssignments = (
    connectionId: string,
    text: string,
    window: SearchWindow,
  ): SearchResults<AssignmentSummary> => {
    const { rows, total } = assignments(connections.no(connectionId), text, window);
    return { Items: rows.flatMap(({ value }) => storedJson(AssignmentSummary).safeParse(value).data ?? []), total };
  };
  return {
    find: (connectionId: string, text: string, limit: number): Found => {
      const window = { offset: 0, limit };
      const { rows, total } = protocols(connections.no(connectionId), text, window);
      const named = findAssignments(connectionId, text, window);
      return {
        protocols: rows.map(protocolSummary),
        protocolTotal: total,
        assignments: named.Items,
        assignmentTotal: named.total,
        cached: countProtocols(connectionId),
      };
    },
    findProtocols: (connectionId: string, text: string, window: SearchWindow): SearchResults<CachedProtocol> => {
      const { rows, total } = protocols(connections.no(connectionId), text, window);
      return { Items: rows.map(cachedProtocol), total };
    },
    findAssignments,
  };
};

// The stored progress of the offline walk. Each pass has a number, which is stored with every protocol that the pass
// finds in a list. After a pass over the whole list, protocols with lower numbers no longer exist. The details of a
// protocol are its assignments and inspection points.

/**
 * The highest valid number of a connection, pass or page, and the highest valid count of protocols. A higher value
 * means that the file is damaged.
 */
const MOST_COUNTED = 10_000_000;

const LAST_MS = 8.64e15;

/**
 * Removes progress that no pass can have written, such as an impossible number of protocols. The next pass then starts
 * from the beginning. Returns whether progress was removed. Errors: `data/corrupt` if a connection or pass has an
 * impossible number.
 */
const forgetUnreadable = (db: DatabaseSync): boolean => {
  const unusable = db.prepare(`SELECT 1 FROM connection WHERE max(no, pass) > ${MOST_COUNTED} OR min(no, pass) < 0`);
  if (unusable.get()) throw new DeskError('data/corrupt', 'a connection has an impossible number');
  const counts = ['next_page', 'unreadable', 'total'].map((column) => `${column} NOT BETWEEN 0 AND ${MOST_COUNTED}`);
  const forget = db.prepare(
    `DELETE FROM keep_all WHERE ${counts.join(' OR ')} OR completed_ms NOT BETWEEN 0 AND ${LAST_MS}`,
  );
  return forget.run().changes > 0;
};

/**
 * The number of the earlier of two passes: the last one that read a protocol's assignments, and the last one that read
 * its inspection points. 0 if one of these lists is not stored.
 */
const READ = 'min(coalesce(assignments_pass, 0), coalesce(points_pass, 0))';

/**
 * The last pass that read or skipped the details of a protocol. The index `protocol_to_keep` has the same expression.
 */
const DONE = `max(skipped_pass, ${READ})`;

const createPasses = (db: DatabaseSync, connections: Connections) => {
  const get = db.prepare('SELECT * FROM keep_all WHERE connection = ?');
  const begin = db.prepare(
    `INSERT INTO keep_all (connection, running, begun, unreadable, total) VALUES (?, 1, 0, 0, 0)
     ON CONFLICT DO UPDATE SET running = 1, next_page = NULL, begun = 0, unreadable = 0, total = 0`,
  );
  const proceed = db.prepare('UPDATE keep_all SET trimmed = 0 WHERE connection = ?');
  const page = db.prepare(
    `UPDATE keep_all SET begun = 1, next_page = ?, unreadable = unreadable + ?, total = ? WHERE connection = ?`,
  );
  const relist = db.prepare('UPDATE keep_all SET begun = 0, next_page = NULL, unreadable = 0 WHERE connection = ?');
  const end = db.prepare('UPDATE keep_all SET running = 0, completed_ms = ? WHERE connection = ?');
  const seen = db.prepare('SELECT count(*) AS n FROM protocol WHERE connection = ? AND pass = ?');
  const done = db.prepare(`SELECT count(*) AS n FROM protocol WHERE connection = ? AND pass = ? AND ${DONE} >= ?`);
  const skipped = db.prepare(
    `SELECT count(*) AS n FROM protocol WHERE connection = ?1 AND pass = ?2
       AND skipped_pass > 0 AND skipped_pass = ?2 AND ${READ} = 0`,
  );
  const toRead = db.prepare(`SELECT id FROM protocol WHERE connection = ? AND pass = ? AND ${DONE} < ? LIMIT ?`);
  const skip = db.prepare('UPDATE protocol SET skipped_pass = ? WHERE connection = ? AND id = ?');
  const sweep = createSweep(db);

  const pass = (connectionId: string) => {
    const row = get.get(connections.no(connectionId));
    return {
      running: row?.running === 1,
      /** The page to read next; undefined for the first page, and once all pages were read (`listed`). */
      nextPage: row?.next_page == null ? undefined : Number(row.next_page),
      listed: row?.begun === 1 && row.next_page === null,
      unreadable: Number(row?.unreadable ?? 0),
      total: Number(row?.total ?? 0),
      completedAtMs: row?.completed_ms == null ? undefined : Number(row.completed_ms),
      /**
       * Whether data of the pass was removed to keep the cache within its limit after the pass was last begun or
       * continued.
       */
      trimmed: row?.trimmed === 1,
    };
  };

  return {
    /** Returns the state of the current or last pass, without counting protocols. Fast at any size of the cache. */
    pass,
    /** Returns the state of the current or last pass, and counts its protocols. Slower than `pass`. */
    passProgress: (connectionId: string) => {
      const no = connections.no(connectionId);
      const current = connections.pass(connectionId);
      return {
        ...pass(connectionId),
        seen: Number(seen.get(no, current)?.n),
        /** The number of protocols in `seen` whose details this pass has read or skipped. */
        done: Number(done.get(no, current, current)?.n),
        /**
         * The number of protocols in `seen` whose details this pass has skipped, and whose details are not all stored.
         */
        skipped: Number(skipped.get(no, current)?.n),
      };
    },
    beginPass: (connectionId: string): void => {
      const no = connections.no(connectionId);
      proceed.run(no);
      if (get.get(no)?.running === 1) return;
      connections.beginPass(connectionId);
      begin.run(no);
    },
    /**
     * Records that a page was read and stored. `next`: the number of the following page; undefined after the last page.
     */
    pageRead: (
      connectionId: string,
      read: { readonly next: number | undefined; readonly unreadable: number; readonly total: number },
    ): void => void page.run(read.next ?? null, read.unreadable, read.total, connections.no(connectionId)),
    /**
     * Restarts the pass at the first page, because the list changed while it was read, or lacked protocols. The pass
     * gets a new number, because protocols that it has already seen may no longer exist.
     */
    relist: (connectionId: string): void => {
      connections.beginPass(connectionId);
      relist.run(connections.no(connectionId));
    },
    protocolsToRead: (connectionId: string, limit: number): readonly string[] => {
      const current = connections.pass(connectionId);
      return toRead.all(connections.no(connectionId), current, current, limit).map(({ id }) => String(id));
    },
    skipProtocol: (connectionId: string, protocol: string): void =>
      void skip.run(connections.pass(connectionId), connections.no(connectionId), protocol),
    /** Ends the pass. `sweeping`: whether to remove the protocols that the pass did not see. */
    completePass: (connectionId: string, sweeping: boolean, atMs: number): void => {
      if (sweeping) sweep(connections.no(connectionId), connections.pass(connectionId));
      end.run(atMs, connections.no(connectionId));
    },
  };
};

/**
 * Creates a function that removes the protocols last seen before `pass`, their responses, and the assignments that no
 * response lists any more.
 */
const createSweep = (db: DatabaseSync) => {
  const gone = 'SELECT id FROM protocol WHERE connection = ?1 AND pass < ?2';
  const names = `SELECT 'assignments/' || id FROM (${gone}) UNION ALL SELECT 'points/' || id FROM (${gone})`;
  const responses = db.prepare(`DELETE FROM response WHERE connection = ?1 AND name IN (${names})`);
  const listed = db.prepare(`DELETE FROM listed WHERE connection = ?1 AND response IN (${names})`);
  const former = db.prepare(keepFormer());
  const assignments = db.prepare(
    `DELETE FROM assignment WHERE connection = ? AND id NOT IN (SELECT assignment FROM listed WHERE connection = ?)`,
  );
  const protocols = db.prepare('DELETE FROM protocol WHERE connection = ? AND pass < ?');
  return (no: number, pass: number): void => {
    responses.run(no, pass);
    listed.run(no, pass);
    former.run(no);
    assignments.run(no, no);
    protocols.run(no, pass);
  };
};

// Reads the stored assignments and protocols that folders are matched with, in slices.

/**
 * A stored assignment, with fields of its protocol if that is stored. `value`: an AssignmentSummary as JSON, unparsed.
 */
export type StoredTarget = {
  readonly value: string;
  readonly fetchedAtMs: number;
  readonly InspectionProtocolId?: string;
  readonly ZipCode?: string;
  readonly InspectionDate?: number;
};

/**
 * A protocol. `seenAtMs`: when a list last contained it. `readAtMs`: when its list of assignments was read; undefined
 * if that list is not stored. `isCut`: whether the stored list lacks assignments that the service counts, or that could
 * not be read.
 */
export type ListedProtocol = ProtocolSummary & {
  readonly seenAtMs: number;
  readonly readAtMs: number | undefined;
  readonly isCut: boolean;
};

/** A slice of the rows of a table. The next slice begins after the last `row` of this one. */
type Slice<T> = readonly (T & { readonly row: number })[];

/**
 * The maximum number of rows in a slice. The queries have only one lower bound for rows. With two lower bounds, SQLite
 * would use only one, and read all rows from there.
 */
const SLICE_ROWS = 500;

const createTargets = (db: DatabaseSync, connections: Connections) => {
  const targets = db.prepare(
    `SELECT a.row, a.value, a.fetched_ms, p.id AS protocol, p.ZipCode, p.InspectionDate FROM assignment AS a
     LEFT JOIN protocol AS p ON p.connection = a.connection AND p.id = ${protocolOf('a')}
     WHERE a.row > ? AND a.row <= ? ORDER BY a.row LIMIT ${SLICE_ROWS}`,
  );
  // `missing` and `unreadable` are those of the response with the latest `fetched_ms`: in queries with max(), SQLite
  // takes the other columns from the row that has the maximum.
  const missing = `iif(json_valid(response.frame), json_extract(response.frame, '$.TotalCount'), 0) - (
    SELECT count(*) FROM listed WHERE listed.connection = ?1 AND listed.response = response.name)`;
  const lists = db.prepare(
    `SELECT protocol.*, max(response.fetched_ms) AS read_ms, response.unreadable, ${missing} AS missing FROM protocol
     LEFT JOIN response ON response.connection = ?1 AND response.name = 'assignments/' || protocol.id AND response.parts IS NOT NULL
     WHERE protocol.row > ?2 AND protocol.row <= ?3
     GROUP BY protocol.row ORDER BY protocol.row LIMIT ${SLICE_ROWS}`,
  );
  const readAs = db.prepare(
    `SELECT max(fetched_ms) AS at, unreadable, ${missing} AS missing FROM response
     WHERE connection = ?1 AND name = ?2 AND parts IS NOT NULL`,
  );

  return {
    /**
     * Reads the next slice of assignments, in a few milliseconds. The slice begins after row `after`; 0 for the first
     * slice.
     */
    targets: (connectionId: string, after: number): Slice<StoredTarget> => {
      const { first, last } = rowsOf(connections.no(connectionId));
      const rows = targets.all(Math.max(after, first - 1), last);
      return rows.map(({ row, value, fetched_ms, protocol, ZipCode, InspectionDate }) => ({
        row: Number(row),
        value: String(value),
        fetchedAtMs: Number(fetched_ms),
        ...(typeof protocol === 'string' && {
          InspectionProtocolId: protocol,
          ZipCode: String(ZipCode),
          InspectionDate: Number(InspectionDate),
        }),
      }));
    },
    /** Reads the next slice of protocols. The slice begins after row `after`; 0 for the first slice. */
    protocolLists: (connectionId: string, after: number): Slice<ListedProtocol> => {
      const no = connections.no(connectionId);
      const { first, last } = rowsOf(no);
      return lists.all(no, Math.max(after, first - 1), last).map((row) => ({
        ...protocolSummary(row),
        row: Number(row.row),
        seenAtMs: Number(row.fetched_ms),
        readAtMs: row.read_ms === null ? undefined : Number(row.read_ms),
        isCut: Math.max(Number(row.unreadable), Number(row.missing)) > 0,
      }));
    },
    /**
     * Returns when the list `name` was read, and how many of its items are missing or unreadable; undefined if it is
     * not stored.
     */
    readAs: (connectionId: string, name: string) => {
      const { at, unreadable, missing } = readAs.get(connections.no(connectionId), name) ?? {};
      if (at == null) return undefined;
      return { fetchedAtMs: Number(at), missing: Math.max(0, Number(unreadable), Number(missing)) };
    },
  };
};

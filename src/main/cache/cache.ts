/**
 * cache.sqlite: the offline data of each connection. It may be deleted at any time: a damaged file, or one written by a
 * newer app, is moved aside and rebuilt.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import type { ProtocolTable, ProtocolTableQuery } from '../../contract/protocols.ts';
import {
  AssignmentSummary,
  type CachedProtocol,
  type ProtocolPage,
  type Reading,
  reading,
  type TimeBase,
} from '../../contract/resources.ts';
import type { Found, SearchResults } from '../../contract/search.ts';
import { wallNow } from '../async/clock.ts';
import { parseInSlices } from '../async/parse-in-slices.ts';
import { isBeyondUse, moveAside } from '../data/files.ts';
import { openDatabase, storedJson, transaction, translated } from '../data/sqlite.ts';
import { createAnswers, createTargets } from './answers.ts';
import { cachedProtocol, createProtocols, type ProtocolQuery, protocolSummary } from './protocols.ts';
import { createSearch, createVocabulary, type SearchWindow, type Vocabulary } from './search.ts';
import { type Connections, cacheMigrations, createConnections, createSlicer, inTurns, type Steps } from './tables.ts';
import { createRoom, type RoomOptions } from './upkeep.ts';
import { createWorkList } from './work-list.ts';

export type { ProtocolQuery } from './protocols.ts';

/** The size of a page made from the cache. Offline, the service's page size is unknown. */
const PAGE_SIZE = 50;

/** Default: no limit. */
type OpenCacheOptions = Partial<RoomOptions> & {
  readonly now?: () => number;
  /** Called with what could not be used, at the start or later, and where it was moved if it was. */
  readonly onNotice?: (notice: DeskError) => void;
};

/**
 * Opens the cache at `path`. If the file turns out to be unusable, now or in a later call, it is moved aside and rebuilt.
 * Errors: `data/unwritable`.
 */
export const openCache = (path: string, options: OpenCacheOptions = {}): Cache => {
  const { now = wallNow, onNotice = () => {} } = options;
  const { limitBytes = () => Number.POSITIVE_INFINITY, onRoom = () => {}, onFailure = () => {} } = options;
  const open = (): Cache => {
    const db = openDatabase({ path, migrations: cacheMigrations, durability: 'normal', shrinks: true });
    try {
      const isRepaired = translated(path, () => forgetUnreadable(db));
      const cache = translated(path, () => createCache(db, path, { now, limitBytes, onRoom, onFailure }));
      if (isRepaired) onNotice(leftOut('offlineProgress'));
      return cache;
    } catch (error) {
      db.close();
      throw error;
    }
  };
  const openAnew = (): Cache => {
    onNotice(moveAside(path, now()));
    return open();
  };
  try {
    return rebuilding(path, open(), openAnew);
  } catch (error) {
    if (!isBeyondUse(path, error)) throw error;
    return rebuilding(path, openAnew(), openAnew);
  }
};

const leftOut = (part: string): DeskError =>
  new DeskError('data/left-out', 'a stored value cannot be read', { details: { part } });

/**
 * Calls `first` until a call finds damage. Then `openAnew` opens a new cache, which repeats that call and serves all later
 * ones. Work that several calls share (`together`) is repeated as a whole.
 */
const rebuilding = (path: string, first: Cache, openAnew: () => Cache): Cache => {
  let cache = first;
  let depth = 0;

  /** Replaces the damaged cache `used`, unless another call has already done so. Rethrows other errors. */
  const recover = (error: unknown, used: Cache): void => {
    if (!(error instanceof DeskError) || error.code !== 'data/corrupt') throw error;
    if (used !== cache) return;
    used.close();
    cache = openAnew();
  };
  const run = (name: keyof Cache, args: readonly unknown[]): unknown => {
    const work = (): unknown =>
      translated(path, () => (cache[name] as (...args: readonly unknown[]) => unknown)(...args));
    const used = cache;
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
  const names = Object.keys(first) as (keyof Cache)[];
  const calls = names.map((name) => [name, (...args: readonly unknown[]) => run(name, args)] as const);
  return Object.fromEntries(calls) as Cache;
};

const undefinedIfUnfit = (error: unknown): undefined => {
  if (!(error instanceof z.ZodError)) throw error;
};

/** A mark that cannot be written, for example on a full disk, never fails a read. */
const trying = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
  }
};

const TABLES = ['protocol', 'assignment', 'listed', 'plan_after', 'keep_all', 'word'];

type CacheOptions = RoomOptions & { readonly now: () => number };

export type Cache = ReturnType<typeof createCache>;

const createCache = (db: DatabaseSync, path: string, { now, ...roomOptions }: CacheOptions) => {
  // 64 MB of the file are mapped: with 200,000 protocols SQLite would read its default 2 MB of pages again for each query.
  // The page cache of 16 MB is for writes. A checkpoint is part of a commit: at every two megabytes it is short.
  db.exec('PRAGMA cache_size = -16384; PRAGMA mmap_size = 67108864; PRAGMA wal_autocheckpoint = 512');
  const connections = createConnections(db);
  const vocabulary = createVocabulary(db);
  const protocols = createProtocols(db, connections, vocabulary);
  const answers = createAnswers(db, connections, vocabulary, now);
  const passes = createPasses(db, connections);
  const size = db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()');
  /** Runs several writes in one transaction. Errors: `data/unwritable`, `data/corrupt`. */
  const together = <T>(work: () => T): T => translated(path, () => (db.isTransaction ? work() : transaction(db, work)));
  const slicer = createSlicer(together);
  const parts = { connections, answers, onProtocolsRemoved: protocols.removed };
  const room = createRoom(db, path, parts, slicer.slice, roomOptions);
  const run = async (steps: Steps): Promise<void> => {
    await slicer.run(steps);
    void room.makeRoom();
  };

  return {
    ...createFindings(db, connections, vocabulary, protocols.count),
    ...createWorkList(db, connections),
    ...createTargets(db, connections),
    ...room,
    ...passes,
    completePass: (...end: Parameters<typeof passes.completePass>): void => {
      together(() => passes.completePass(...end));
      protocols.removed();
    },
    /** Stores a page of protocols, in slices. Only a page of the whole list (no `Query`) shows their order. */
    putProtocols: (...page: Parameters<typeof protocols.put>): Promise<void> => run(protocols.put(...page)),
    /**
     * One page, counted from 1, of the stored protocols that match the words of `Query`; undefined while none is stored.
     * `fetchedAtMs`: when the oldest protocol of the page was read.
     */
    protocols: (connectionId: string, { Query = '', Page = 1 }: ProtocolQuery): Reading<ProtocolPage> | undefined => {
      if (protocols.isEmpty(connectionId)) return undefined;
      const offset = Math.max(0, Page - 1) * PAGE_SIZE;
      const plain = { filters: {}, availableOffline: false, descending: false };
      const window = { ...plain, text: Query, offset, limit: PAGE_SIZE };
      const { Items, total, fetchedAtMs = 0 } = protocols.table(connectionId, window);
      const items = Items.map(({ availableOffline: _here, fetchedAtMs: _at, ...item }) => item);
      const value = { Items: items, Count: Items.length, TotalCount: total, CurrentPage: Page };
      return { value, unreadable: 0, source: 'cache', fetchedAtMs };
    },
    /** A window of the table of protocols, and how many protocols could not be read when they were listed. */
    protocolTable: (connectionId: string, query: ProtocolTableQuery, timeBase?: TimeBase): ProtocolTable => ({
      ...protocols.table(connectionId, query, timeBase),
      unreadable: passes.pass(connectionId).unreadable,
    }),
    protocol: protocols.get,
    /** Stores the response to another read under its name, in slices. */
    putAnswer: (...answer: Parameters<typeof answers.put>): Promise<void> => run(answers.put(...answer)),
    /** A stored response, read in slices; undefined without one, or if it does not match `schema`. */
    answer: async <T>(connectionId: string, name: string, schema: z.ZodType<T>): Promise<Reading<T> | undefined> => {
      const stored = await inTurns(answers.get(connectionId, name), (step) => translated(path, step));
      if (stored) trying(() => translated(path, () => answers.use(connectionId, name)));
      return stored && parseInSlices(reading(schema), stored).catch(undefinedIfUnfit);
    },
    assignment: answers.assignment,
    counties: answers.counties,
    putPlanAfter: (...value: Parameters<typeof answers.putPlanAfter>): void =>
      together(() => answers.putPlanAfter(...value)),
    together,
    /** The size of the database file of all connections with its free pages, in bytes. */
    sizeBytes: (): number => Number(size.get()?.bytes),
    /** Removes the offline data of a connection and returns the disk space. */
    clear: (connectionId: string): void => {
      slicer.abandon();
      const no = connections.no(connectionId);
      together(() => {
        db.prepare('DELETE FROM answer WHERE connection = ?').run(connectionId);
        for (const table of TABLES) db.prepare(`DELETE FROM ${table} WHERE connection = ?`).run(no);
      });
      protocols.removed();
      vocabulary.forget();
      db.exec('VACUUM');
    },
    close: (): void => {
      slicer.abandon();
      db.close();
    },
  };
};

// The results of a search across several tables.

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
    /** The first `limit` protocols and assignments. */
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

// The stored progress of the offline walk. Every pass has a number, which is stored with each protocol that it sees. A protocol that a
// complete pass did not see no longer exists at the service.

/** More than the number of pages, protocols or passes can ever be. */
const MOST_COUNTED = 10_000_000;

/** The last time that a `Date` can hold. */
const LAST_MS = 8.64e15;

/**
 * Removes progress that no pass can have written, such as an impossible number of protocols; the next pass then starts
 * from the beginning. Returns whether there was any. Errors: `data/corrupt` if a connection has such a number.
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

/** The last pass that has read both the assignments and the inspection points of a protocol. */
const READ = 'min(coalesce(assignments_pass, 0), coalesce(points_pass, 0))';

/** The last pass that read or skipped a protocol's details. The index has the same expression. */
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
       AND skipped_pass > 0 AND skipped_pass = ?2 AND ${READ} < ?2`,
  );
  const toRead = db.prepare(`SELECT id FROM protocol WHERE connection = ? AND pass = ? AND ${DONE} < ? LIMIT ?`);
  const skip = db.prepare('UPDATE protocol SET skipped_pass = ? WHERE connection = ? AND id = ?');
  const sweep = createSweep(db);

  const pass = (connectionId: string) => {
    const row = get.get(connections.no(connectionId));
    return {
      /** The pass has started and is not complete. */
      running: row?.running === 1,
      /** The page to read next; undefined for the first page, and once all were read (`listed`). */
      nextPage: row?.next_page == null ? undefined : Number(row.next_page),
      listed: row?.begun === 1 && row.next_page === null,
      /** How many protocols could not be read. */
      unreadable: Number(row?.unreadable ?? 0),
      /** `TotalCount` of the last page. */
      total: Number(row?.total ?? 0),
      completedAtMs: row?.completed_ms == null ? undefined : Number(row.completed_ms),
      /** Something was removed since the pass was begun or continued, because the cache had reached its limit. */
      trimmed: row?.trimmed === 1,
    };
  };

  return {
    /** Fast at any size of the cache. */
    pass,
    /** Slower than `pass`, because it counts protocols. */
    passProgress: (connectionId: string) => {
      const no = connections.no(connectionId);
      const current = connections.pass(connectionId);
      return {
        ...pass(connectionId),
        /** The number of protocols seen in this pass. */
        seen: Number(seen.get(no, current)?.n),
        /** The number of those that it is done with. */
        done: Number(done.get(no, current, current)?.n),
        /** The number of those among them that it skipped. */
        skipped: Number(skipped.get(no, current)?.n),
      };
    },
    /** Starts a pass, or continues the one in progress. */
    beginPass: (connectionId: string): void => {
      const no = connections.no(connectionId);
      proceed.run(no);
      if (get.get(no)?.running === 1) return;
      connections.beginPass(connectionId);
      begin.run(no);
    },
    /** A page was read and stored. `next`: the page after it; undefined after the last. */
    pageRead: (
      connectionId: string,
      {
        next,
        unreadable,
        total,
      }: { readonly next: number | undefined; readonly unreadable: number; readonly total: number },
    ): void => void page.run(next ?? null, unreadable, total, connections.no(connectionId)),
    /**
     * Restarts at the first page, because protocols moved between pages during the reading. Protocols already seen have
     * to be seen again, since they may no longer exist.
     */
    relist: (connectionId: string): void => {
      connections.beginPass(connectionId);
      relist.run(connections.no(connectionId));
    },
    /** Up to `limit` protocols whose assignments or inspection points this pass has neither read nor skipped. */
    protocolsToRead: (connectionId: string, limit: number): readonly string[] => {
      const current = connections.pass(connectionId);
      return toRead.all(connections.no(connectionId), current, current, limit).map(({ id }) => String(id));
    },
    /** The service refuses the details of a protocol: this pass skips it. */
    skipProtocol: (connectionId: string, protocol: string): void =>
      void skip.run(connections.pass(connectionId), connections.no(connectionId), protocol),
    /** Ends the pass. `sweeping`: removes the protocols that it did not see. */
    completePass: (connectionId: string, sweeping: boolean, atMs: number): void => {
      if (sweeping) sweep(connectionId, connections.no(connectionId), connections.pass(connectionId));
      end.run(atMs, connections.no(connectionId));
    },
  };
};

/** Removes the protocols last seen before `pass`, their responses, and the assignments that no other response lists. */
const createSweep = (db: DatabaseSync) => {
  const gone = 'SELECT id FROM protocol WHERE connection = ?1 AND pass < ?2';
  const names = `SELECT 'assignments/' || id FROM (${gone}) UNION ALL SELECT 'points/' || id FROM (${gone})`;
  const answers = db.prepare(`DELETE FROM answer WHERE connection = ?3 AND name IN (${names})`);
  const listed = db.prepare(`DELETE FROM listed WHERE connection = ?1 AND answer IN (${names})`);
  const assignments = db.prepare(
    `DELETE FROM assignment WHERE connection = ? AND id NOT IN (SELECT assignment FROM listed WHERE connection = ?)`,
  );
  const protocols = db.prepare('DELETE FROM protocol WHERE connection = ? AND pass < ?');
  return (connectionId: string, no: number, pass: number): void => {
    answers.run(no, pass, connectionId);
    listed.run(no, pass);
    assignments.run(no, no);
    protocols.run(no, pass);
  };
};

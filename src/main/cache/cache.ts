/**
 * cache.sqlite: the offline data of each connection. It may be deleted at any time: a damaged file, or one written by a
 * newer app, is moved aside and rebuilt.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Overview } from '../../contract/app.ts';
import { DeskError } from '../../contract/errors.ts';
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
import { createPasses, forgetUnreadable } from './passes.ts';
import { cachedProtocol, createProtocols, type ProtocolQuery, protocolSummary, type Span, spans } from './protocols.ts';
import { createSearch, createVocabulary, type SearchWindow, type Vocabulary } from './search.ts';
import { type Connections, cacheMigrations, createConnections, createSlicer, inTurns, type Steps } from './tables.ts';
import { createRoom, type RoomOptions } from './upkeep.ts';

export type { ProtocolQuery } from './protocols.ts';

/** The size of a page made from the cache. Offline, the service's page size is unknown. */
const PAGE_SIZE = 50;

/** Default: no limit. */
type OpenCacheOptions = Partial<RoomOptions> & {
  readonly now?: () => number;
  /** Called with what could not be used, at the start or later, and where it was moved. */
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

const TABLES = ['protocol', 'assignment', 'listed', 'severity', 'plan_after', 'keep_all', 'word'];

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
    table: protocols.table,
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
    /** The size of the data of all connections, in bytes. */
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

// Reads across several tables: the results of a search, and the counts of the overview.

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
  const statuses = db.prepare(
    `SELECT AssignmentStatus AS value, count(*) AS count FROM assignment WHERE connection = ?
     GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
  const severities = db.prepare(
    'SELECT Severity AS value, sum(points) AS count FROM severity WHERE connection = ? GROUP BY 1 ORDER BY 2 DESC, 1',
  );
  const months = createMonths(db);
  const whole = db.prepare('SELECT count(*) AS count, min(fetched_ms) AS oldest FROM protocol WHERE connection = ?');

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
    overview: (connectionId: string, timeBase: TimeBase): Overview => {
      const no = connections.no(connectionId);
      const { count, oldest } = whole.get(no) ?? {};
      return {
        protocols: Number(count),
        assignmentsByStatus: statuses.all(no).map(countOf),
        pointsBySeverity: severities.all(no).map(countOf),
        protocolsByMonth: months(no, timeBase),
        ...(oldest != null && { oldestFetchedAtMs: Number(oldest) }),
      };
    },
  };
};

const countOf = ({ value, count }: Readonly<Record<string, unknown>>) => ({
  value: String(value),
  count: Number(count),
});

// Counts the cached protocols by month. Each month is one range in the index of dates.

type Months = Overview['protocolsByMonth'];

/** The last time that a `Date` can hold. */
const LAST_MS = 8.64e15;

/** Counts the protocols of connection `no` by month in local time, sorted. Dates that a `Date` cannot hold are left out. */
const createMonths = (db: DatabaseSync): ((no: number, timeBase: TimeBase) => Months) => {
  const within = 'FROM protocol WHERE connection = ? AND InspectionDate >= ? AND InspectionDate < ?';
  const earliest = db.prepare(`SELECT min(InspectionDate) AS date ${within}`);
  const count = db.prepare(`SELECT count(*) AS count ${within}`);

  const monthsOf = (no: number, span: Span): Months => {
    const months: Months[number][] = [];
    const end = Math.min(span.before, LAST_MS / span.unitMs);
    for (let from = Math.max(span.from, -LAST_MS / span.unitMs); ; ) {
      const date = earliest.get(no, from, end)?.date;
      const month = date == null ? undefined : monthAround(Number(date), span);
      if (month === undefined) return months;
      const before = Math.min(end, month.beforeMs / span.unitMs);
      months.push({ ...month, count: Number(count.get(no, from, before)?.count) });
      from = before;
    }
  };
  return (no, timeBase) => {
    const found = spans[timeBase].flatMap((span) => monthsOf(no, span));
    // A month with times in seconds and in milliseconds is still one month.
    const months = Map.groupBy(found, ({ value }) => value);
    return [...months.values()]
      .flatMap(([month, ...same]) =>
        month ? [{ ...month, count: same.reduce((sum, { count }) => sum + count, month.count) }] : [],
      )
      .sort((a, b) => a.fromMs - b.fromMs);
  };
};

/** The bounds in ms of the month that contains `date`; undefined for an invalid date. */
const monthAround = (date: number, { unitMs }: Span) => {
  const day = new Date(date * unitMs);
  const [year, month] = [day.getFullYear(), day.getMonth()];
  const fromMs = new Date(year, month).getTime();
  const beforeMs = new Date(year, month + 1).getTime();
  if (!(fromMs / unitMs <= date && date < beforeMs / unitMs)) return undefined;
  return { value: `${year}-${String(month + 1).padStart(2, '0')}`, fromMs, beforeMs };
};

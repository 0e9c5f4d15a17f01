/**
 * cache.sqlite: the offline data of each connection. It may be deleted at any time: a damaged file, or one written by a
 * newer app, is moved aside and rebuilt.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import {
  AssignmentSummary,
  type CachedProtocol,
  type ProtocolPage,
  type Reading,
  reading,
} from '../../contract/resources.ts';
import type { Found, SearchResults } from '../../contract/search.ts';
import { wallNow } from '../async/clock.ts';
import { parseInSlices } from '../async/parse-in-slices.ts';
import { isBeyondUse, moveAside } from '../data/files.ts';
import { openDatabase, storedJson, transaction, translated } from '../data/sqlite.ts';
import { createAnswers, createTargets } from './answers.ts';
import { createPasses, forgetUnreadable } from './passes.ts';
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

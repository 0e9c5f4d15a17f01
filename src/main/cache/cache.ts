/**
 * cache.sqlite: what was read of the service, per connection, for work without a network. It may be deleted at any
 * time: a damaged one, or one of a newer app, is moved aside and begun anew.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { z } from 'zod';
import { DeskError } from '../../contract/errors.ts';
import type { Reading } from '../../contract/models.ts';
import { type ProtocolPage, ProtocolSummary } from '../../contract/resources.ts';
import { openDatabase, transaction } from '../sqlite.ts';
import { cacheMigrations } from './migrations.ts';

export type Cache = {
  /** Keeps a page of protocols. Only a page of the whole list (no `Query`) tells where they stand in it. */
  readonly putProtocols: (connection: string, page: ProtocolPage, query: ProtocolQuery, atMs: number) => void;
  /**
   * Protocols seen so far, filtered as the service does, as one page counted from 1; undefined before the first was
   * seen. `fetchedAt` is the age of the oldest on it.
   */
  readonly protocols: (connection: string, query: ProtocolQuery) => Reading<ProtocolPage> | undefined;
  /** Keeps the whole answer of another read under its name. */
  readonly putAnswer: (connection: string, name: string, reading: Reading<unknown>) => void;
  /** The kept answer, parsed again; undefined where there is none (any more of that shape). */
  readonly answer: <T>(connection: string, name: string, schema: z.ZodType<T>) => Reading<T> | undefined;
  /** Forgets all that was read over a connection. */
  readonly clear: (connection: string) => void;
  readonly close: () => void;
};

export type ProtocolQuery = { readonly Query?: string | undefined; readonly Page?: number | undefined };

/** The size of a page made from the cache; the service's own is not known without it. */
const PAGE_SIZE = 50;

/** Places keep the order of pages whatever their size is; protocols seen only in searches come last. */
const PAGE_STRIDE = 1_000_000;
const UNPLACED = Number.MAX_SAFE_INTEGER;

/** Opens the cache at `path`; `notice` says that what was there could not be used and where it is now. */
export const openCache = (path: string, now: () => number = Date.now): { cache: Cache; notice?: DeskError } => {
  const open = () => createCache(openDatabase({ path, migrations: cacheMigrations, durability: 'normal' }));
  try {
    return { cache: open() };
  } catch (error) {
    const usable = error instanceof DeskError && (error.code === 'data/corrupt' || error.code === 'data/newer');
    if (!usable) throw error;
    const file = moveAside(path, now());
    return { cache: open(), notice: new DeskError('data/moved-aside', 'the cache was damaged', { details: { file } }) };
  }
};

/** The log and index that belong to the old file go with it; they would spoil the new one. */
const moveAside = (path: string, atMs: number): string => {
  const file = `${path}.damaged-${atMs}`;
  renameSync(path, file);
  for (const part of ['-wal', '-shm']) if (existsSync(path + part)) rmSync(path + part);
  return file;
};

const createCache = (db: DatabaseSync): Cache => {
  const putProtocol = db.prepare(
    `INSERT INTO protocol (connection, id, place, search, value, fetched_ms)
     VALUES (?1, ?2, coalesce(?3, ${UNPLACED}), ?4, ?5, ?6)
     ON CONFLICT DO UPDATE SET place = coalesce(?3, place), search = ?4, value = ?5, fetched_ms = ?6`,
  );
  const where = 'connection = ? AND instr(search, ?) > 0';
  const page = db.prepare(`SELECT value, fetched_ms FROM protocol WHERE ${where} ORDER BY place, id LIMIT ? OFFSET ?`);
  const count = db.prepare(`SELECT count(*) AS total FROM protocol WHERE ${where}`);
  const putAnswer = db.prepare('INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)');
  const answer = db.prepare('SELECT value, unreadable, fetched_ms FROM answer WHERE connection = ? AND name = ?');

  return {
    putProtocols: (connection, { Items, CurrentPage }, { Query }, atMs) =>
      transaction(db, () => {
        for (const [index, item] of Items.entries()) {
          const place = Query ? null : CurrentPage * PAGE_STRIDE + index;
          putProtocol.run(connection, item.InspectionProtocolId, place, searchText(item), JSON.stringify(item), atMs);
        }
      }),
    protocols: (connection, { Query = '', Page = 1 }) => {
      if (count.get(connection, '')?.total === 0) return undefined;
      const text = Query.toLocaleLowerCase();
      const rows = page.all(connection, text, PAGE_SIZE, Math.max(0, Page - 1) * PAGE_SIZE);
      const items = rows
        .map(({ value }) => ProtocolSummary.safeParse(JSON.parse(String(value))))
        .filter(({ success }) => success);
      const Items = items.flatMap(({ data }) => (data ? [data] : []));
      return {
        value: {
          Items,
          Count: Items.length,
          TotalCount: Number(count.get(connection, text)?.total),
          CurrentPage: Page,
        },
        unreadable: rows.length - Items.length,
        source: 'cache',
        fetchedAt: Math.min(...rows.map(({ fetched_ms }) => Number(fetched_ms))),
      };
    },
    putAnswer: (connection, name, { value, unreadable, fetchedAt }) => {
      putAnswer.run(connection, name, JSON.stringify(value), unreadable, fetchedAt);
    },
    answer: (connection, name, schema) => {
      const row = answer.get(connection, name);
      const parsed = row && schema.safeParse(JSON.parse(String(row.value)));
      if (!parsed?.success) return undefined;
      return {
        value: parsed.data,
        unreadable: Number(row?.unreadable),
        source: 'cache',
        fetchedAt: Number(row?.fetched_ms),
      };
    },
    clear: (connection) => {
      for (const table of ['protocol', 'answer'])
        db.prepare(`DELETE FROM ${table} WHERE connection = ?`).run(connection);
    },
    close: () => db.close(),
  };
};

const searchText = ({ Address, City, ZipCode, FacilityId }: ProtocolSummary): string =>
  [Address, City, ZipCode, FacilityId].join('\n').toLocaleLowerCase();

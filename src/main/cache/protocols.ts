/** The cached protocols: kept page by page, read as pages, as a sorted and filtered table, or by id. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { CachedProtocol, ProtocolTable, ProtocolTableQuery } from '../../contract/offline.ts';
import type { ProtocolPage, ProtocolSummary } from '../../contract/resources.ts';
import { type ConnectionRows, rowsOf } from './connection-rows.ts';
import { matchAll, matchWords } from './words.ts';

export type ProtocolQuery = { readonly Query?: string | undefined; readonly Page?: number | undefined };

export type Protocols = {
  /** Keeps a page. Only one of the whole list (no `Query`) tells where its protocols stand in it. */
  readonly put: (connection: string, page: ProtocolPage, query: ProtocolQuery, atMs: number) => void;
  readonly table: (connection: string, query: ProtocolTableQuery) => Omit<ProtocolTable, 'unreadable'>;
  readonly get: (connection: string, id: string) => CachedProtocol | undefined;
  readonly isEmpty: (connection: string) => boolean;
  /** To be told after every other change of the table. */
  readonly changed: () => void;
};

/** Places keep the order of pages whatever their size is; protocols seen only in searches come last. */
const PAGE_STRIDE = 1_000_000;
const UNPLACED = Number.MAX_SAFE_INTEGER;

export const createProtocols = (db: DatabaseSync, connections: ConnectionRows): Protocols => {
  const nextRow = db.prepare('SELECT max(row) AS row FROM protocol WHERE row BETWEEN ? AND ?');
  const upsert = db.prepare(
    `INSERT INTO protocol (row, connection, id, Address, City, ZipCode, FacilityId, InspectionDate, Points, place,
       fetched_ms, pass)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, coalesce(?10, ${UNPLACED}), ?11, ?12)
     ON CONFLICT (connection, id) DO UPDATE SET Address = ?4, City = ?5, ZipCode = ?6, FacilityId = ?7,
       InspectionDate = ?8, Points = ?9, place = coalesce(?10, place), fetched_ms = ?11, pass = ?12`,
  );
  const byId = db.prepare('SELECT * FROM protocol WHERE connection = ? AND id = ?');
  const any = db.prepare('SELECT 1 FROM protocol WHERE connection = ? LIMIT 1');

  const totals = createTotals();

  return {
    changed: totals.forget,
    put: (connection, { Items, CurrentPage }, { Query }, atMs) => {
      totals.forget();
      const no = connections.no(connection);
      const pass = connections.pass(connection);
      const { first, last } = rowsOf(no);
      let row = Number(nextRow.get(first, last)?.row ?? first - 1);
      for (const [index, item] of Items.entries()) {
        const { Address, City, ZipCode, FacilityId, InspectionDate, Points } = item;
        const place = Query ? null : CurrentPage * PAGE_STRIDE + index;
        row += 1;
        const fields = [Address, City, ZipCode, FacilityId, InspectionDate, Points];
        upsert.run(row, no, item.InspectionProtocolId, ...fields, place, atMs, pass);
      }
    },
    table: (connection, query) => {
      const { counted, windowOf } = selection(connections.no(connection), query);
      const total = totals.of(`${counted.sql} ${counted.values}`, () =>
        Number(db.prepare(`SELECT count(*) AS total FROM ${counted.sql}`).get(...counted.values)?.total),
      );
      const { rows, order, values } = windowOf(total);
      const found = db.prepare(
        `SELECT * FROM protocol WHERE row IN (SELECT row FROM (SELECT ${rows} ORDER BY ${order} LIMIT ? OFFSET ?))
         ORDER BY ${order}`,
      );
      const Items = found.all(...values, query.limit, query.offset).map(cachedProtocol);
      const times = Items.map(({ fetchedAt }) => fetchedAt);
      return { Items, total, ...(times.length > 0 && { fetchedAt: Math.min(...times) }) };
    },
    get: (connection, id) => {
      const row = byId.get(connections.no(connection), id);
      return row && cachedProtocol(row);
    },
    isEmpty: (connection) => any.get(connections.no(connection)) === undefined,
  };
};

/** Totals counted since the table last changed: who scrolls asks for the same one again and again. */
const createTotals = () => {
  const known = new Map<string, number>();
  return {
    forget: () => known.clear(),
    of: (selected: string, count: () => number): number => {
      const total = known.get(selected) ?? count();
      if (known.size >= 100) known.clear();
      known.set(selected, total);
      return total;
    },
  };
};

type Selection = {
  /** `sql`: what follows `SELECT count(*) FROM`. */
  readonly counted: { readonly sql: string; readonly values: readonly SQLInputValue[] };
  /** How to read a part of `total` rows. */
  readonly windowOf: (total: number) => Window;
};

type Window = {
  /** What follows `SELECT`; it has `row` and what `order` names. */
  readonly rows: string;
  readonly order: string;
  readonly values: readonly SQLInputValue[];
};

/** So many rows are sorted faster than they are picked out of an index in which they are rare. */
const FEW = 5_000;

/**
 * What is asked for, in SQL. A search bounds the rows to the connection's in the words' index. That index alone counts
 * what has no dates to be looked at, and without a sort it also gives the rows, so that a first letter which a quarter of
 * all have costs little.
 */
const selection = (no: number, query: ProtocolTableQuery): Selection => {
  const { text, filters, from, before, sort = 'place', descending } = query;
  const columns = Object.entries(filters).map(([column, value]) => matchWords(value ?? '', column));
  const match = matchAll([matchWords(text), ...columns]);
  const { first, last } = rowsOf(no);
  const found = match === undefined ? [] : [match, first, last];
  const bounds = [from, before].filter((bound) => bound !== undefined);
  const direction = descending ? 'DESC' : 'ASC';

  const words = 'protocol_words WHERE protocol_words MATCH ? AND rowid BETWEEN ? AND ?';
  const where = (connection: string): string => `protocol WHERE ${[connection, ...conditions].join(' AND ')}`;
  const conditions = [
    ...(match === undefined ? [] : [`row IN (SELECT rowid FROM ${words})`]),
    ...(from === undefined ? [] : ['InspectionDate >= ?']),
    ...(before === undefined ? [] : ['InspectionDate < ?']),
  ];
  const all = { sql: where('connection = ?'), values: [no, ...found, ...bounds] };
  const counted = match !== undefined && bounds.length === 0 ? { sql: words, values: found } : all;
  const windowOf = (total: number): Window => {
    if (counted !== all && sort === 'place') {
      return { rows: `rowid AS row FROM ${words}`, order: `row ${direction}`, values: found };
    }
    // The plus keeps SQLite from the index of the sort: it then begins with the rows that were found.
    const isRare = match !== undefined && total <= FEW;
    const source = isRare ? where('+connection = ?') : all.sql;
    return { rows: `row, ${sort} FROM ${source}`, order: `${sort} ${direction}, row ${direction}`, values: all.values };
  };
  return { counted, windowOf };
};

type Row = Readonly<Record<string, unknown>>;

export const protocolSummary = (row: Row): ProtocolSummary => ({
  Address: String(row.Address),
  City: String(row.City),
  ZipCode: String(row.ZipCode),
  FacilityId: String(row.FacilityId),
  InspectionProtocolId: String(row.id),
  InspectionDate: Number(row.InspectionDate),
  Points: Number(row.Points),
});

const cachedProtocol = (row: Row): CachedProtocol => ({
  ...protocolSummary(row),
  availableOffline: row.assignments_pass !== null && row.points_pass !== null,
  fetchedAt: Number(row.fetched_ms),
});

/** The cached protocols: stored page by page, read as pages, as a sorted and filtered table, or by id. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { ProtocolTable, ProtocolTableQuery } from '../../contract/protocols.ts';
import type { CachedProtocol, TimeBase } from '../../contract/resources.ts';
import { type ProtocolPage, ProtocolSummary } from '../../contract/resources.ts';
import { type ConnectionRows, rowsOf } from './connection-rows.ts';
import { createFoundByService } from './found-by-service.ts';
import type { Steps } from './in-slices.ts';
import { type Part, type Selection, selection } from './protocol-selection.ts';
import { createExactMatches } from './search.ts';
import { createSortedMatches, type Matching } from './sorted-matches.ts';
import type { Vocabulary } from './vocabulary.ts';

export type ProtocolQuery = { readonly Query?: string | undefined; readonly Page?: number | undefined };

export type Protocols = {
  /** Stores a page. Only a page of the whole list (no `Query`) shows the order of its protocols. */
  readonly put: (connectionId: string, page: ProtocolPage, query: ProtocolQuery, atMs: number) => Steps;
  readonly table: (
    connectionId: string,
    query: ProtocolTableQuery,
    timeBase?: TimeBase,
  ) => Omit<ProtocolTable, 'unreadable'>;
  readonly get: (connectionId: string, id: string) => CachedProtocol | undefined;
  readonly isEmpty: (connectionId: string) => boolean;
  readonly count: (connectionId: string) => number;
  /** To be called when rows were removed. */
  readonly removed: () => void;
};

/** The place of a protocol in the list, for pages of any size. Protocols seen only in searches come last. */
const PAGE_STRIDE = 1_000_000;
const UNPLACED = Number.MAX_SAFE_INTEGER;

/** From this many rows on, the order of a sorted table is held in memory. */
const MANY = 5_000;

type Row = Readonly<Record<string, SQLOutputValue>>;
type Found = { readonly rows: readonly Row[]; readonly total: number };

/** The protocols in `db`, which has been migrated. */
export const createProtocols = (db: DatabaseSync, connections: ConnectionRows, vocabulary: Vocabulary): Protocols => {
  const nextRow = db.prepare('SELECT max(row) AS row FROM protocol WHERE row BETWEEN ? AND ?');
  const upsert = db.prepare(
    `INSERT INTO protocol (row, connection, id, Address, City, ZipCode, FacilityId, InspectionDate, Points, place,
       fetched_ms, pass)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, coalesce(?10, ${UNPLACED}), ?11, ?12)
     ON CONFLICT (connection, id) DO UPDATE SET Address = ?4, City = ?5, ZipCode = ?6, FacilityId = ?7,
       InspectionDate = ?8, Points = ?9, place = coalesce(?10, place), fetched_ms = ?11, pass = ?12`,
  );
  const nextRowOf = (no: number): number => {
    const { first, last } = rowsOf(no);
    return Number(nextRow.get(first, last)?.row ?? first - 1) + 1;
  };
  const byId = db.prepare('SELECT * FROM protocol WHERE connection = ? AND id = ?');
  const any = db.prepare('SELECT 1 FROM protocol WHERE connection = ? LIMIT 1');
  const asKept = db.prepare(
    `SELECT 1 FROM protocol WHERE connection = ? AND id = ?
       AND (Address, City, ZipCode, FacilityId, InspectionDate, Points) = (?, ?, ?, ?, ?, ?)`,
  );

  const totals = createTotals();
  const countOf = ({ sql, values }: Part): number =>
    Number(db.prepare(`SELECT count(*) AS total FROM ${sql}`).get(...values)?.total);
  const totalOf = (part: Part): number => totals.of(`${part.sql} ${part.values}`, () => countOf(part));
  const found = createFoundByService(db);
  const sortedMatches = createSortedMatches(db);
  const exactMatches = createExactMatches(db, 'protocol');
  const changed = (): void => {
    totals.forget();
    sortedMatches.forget();
  };
  const byRows = db.prepare('SELECT * FROM protocol WHERE row IN (SELECT value FROM json_each(?))');

  const inOrder = (matching: Matching, query: ProtocolTableQuery): Found => {
    const { rows, total } = sortedMatches.window(matching, query);
    const stored = new Map(byRows.all(JSON.stringify(rows)).map((row) => [Number(row.row), row]));
    return { rows: rows.map((row) => stored.get(row)).filter((row) => row !== undefined), total };
  };
  /** The records that a search lists first. */
  const listedFirst = (no: number, { matchingOf }: Selection, query: ProtocolTableQuery): readonly Row[] => {
    if (query.text === '' || query.sort !== undefined || query.descending) return [];
    const exact = exactMatches(no, query.text);
    if (exact.length === 0) return [];
    const { sql, values } = matchingOf(exact);
    const found = db.prepare(`SELECT * FROM ${sql}`).all(...values);
    const records = new Map(found.map((row) => [Number(row.row), row]));
    return exact.map((row) => records.get(row)).filter((row) => row !== undefined);
  };
  const byIndex = (
    { steady, ...counted }: Matching,
    windowOf: Selection['windowOf'],
    first: readonly Row[],
    { offset, limit }: ProtocolTableQuery,
  ): Found => {
    const total = steady ? totalOf(counted) : countOf(counted);
    const { rows, order, values } = windowOf(
      total,
      first.map(({ row }) => Number(row)),
    );
    const window = db.prepare(
      `SELECT * FROM protocol WHERE row IN (SELECT row FROM (SELECT ${rows} ORDER BY ${order} LIMIT ? OFFSET ?))
       ORDER BY ${order}`,
    );
    const listed = first.slice(offset, offset + limit);
    const rest = window.all(...values, limit - listed.length, Math.max(0, offset - first.length));
    return { rows: [...listed, ...rest], total };
  };

  return {
    removed: () => {
      changed();
      found.forget();
    },
    put: function* (connectionId, { Items, CurrentPage }, { Query }, atMs) {
      for (const [index, item] of Items.entries()) {
        const { Address, City, ZipCode, FacilityId, InspectionDate, Points } = item;
        const no = connections.no(connectionId);
        const place = Query ? null : CurrentPage * PAGE_STRIDE + index;
        const id = item.InspectionProtocolId;
        const fields = [Address, City, ZipCode, FacilityId, InspectionDate, Points];
        // Most protocols that a search returns are already stored, and change neither a total nor an order.
        if (asKept.get(no, id, ...fields) === undefined) {
          changed();
          vocabulary.learn(no, [Address, City, ZipCode, FacilityId]);
        }
        upsert.run(nextRowOf(no), no, id, ...fields, place, atMs, connections.pass(connectionId));
        yield;
      }
      if (Query && found.put(connections.no(connectionId), Query, Items)) changed();
    },
    table: (connectionId, query, timeBase = 'auto') => {
      const no = connections.no(connectionId);
      const foundMore = query.text !== '' && found.has(no, query.text);
      const selected = selection({ no, query, timeBase, foundMore });
      const { whole, counted, windowOf } = selected;
      const cached = totalOf(whole);
      const isNarrowed = counted.sql !== whole.sql;
      // These two also change when a single protocol is read.
      const steady = query.severity === undefined && !query.availableOffline;
      const { sort } = query;
      // A person who sorts a table may search it next. The first window is read once, not with every letter.
      if (sort !== undefined && !isNarrowed && query.offset === 0 && cached >= MANY && !sortedMatches.knows(no, sort)) {
        sortedMatches.learn(no, sort);
      }
      const isHeld = sort !== undefined && isNarrowed && sortedMatches.knows(no, sort);
      const matching = { ...counted, steady };
      const { rows, total } = isHeld
        ? inOrder(matching, query)
        : byIndex(matching, windowOf, listedFirst(no, selected, query), query);
      const Items = rows.map(cachedProtocol);
      const times = Items.map(({ fetchedAtMs }) => fetchedAtMs);
      return { Items, total, cached, ...(times.length > 0 && { fetchedAtMs: Math.min(...times) }) };
    },
    get: (connectionId, id) => {
      const row = byId.get(connections.no(connectionId), id);
      return row && cachedProtocol(row);
    },
    count: (connectionId) => totalOf({ sql: 'protocol WHERE connection = ?', values: [connections.no(connectionId)] }),
    isEmpty: (connectionId) => any.get(connections.no(connectionId)) === undefined,
  };
};

/** Totals counted since the table last changed. Scrolling and typing ask for the same ones repeatedly. */
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

/** A row of the table `protocol` in the interface's shape. Throws `ZodError` for a damaged row. */
export const protocolSummary = (row: Row): ProtocolSummary =>
  ProtocolSummary.parse({
    Address: String(row.Address),
    City: String(row.City),
    ZipCode: String(row.ZipCode),
    FacilityId: String(row.FacilityId),
    InspectionProtocolId: String(row.id),
    InspectionDate: Number(row.InspectionDate),
    Points: Number(row.Points),
  });

/** The same with when it was read and whether it is cached offline. */
export const cachedProtocol = (row: Row): CachedProtocol => ({
  ...protocolSummary(row),
  availableOffline: row.assignments_pass !== null && row.points_pass !== null,
  fetchedAtMs: Number(row.fetched_ms),
});

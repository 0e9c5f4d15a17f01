/**
 * The cached protocols. They are stored page by page, and read by id or as a window of the searched, filtered and
 * sorted table.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { ProtocolTable, ProtocolTableQuery } from '../../contract/protocols.ts';
import {
  type CachedProtocol,
  type ProtocolPage,
  ProtocolSummary,
  secondsBelow,
  type TimeBase,
} from '../../contract/resources.ts';
import {
  beginsWords,
  createExactMatches,
  matchAll,
  matchWords,
  type Part,
  type Row,
  rowsInOrder,
  type Vocabulary,
} from './search.ts';
import { type Connections, createMemory, createVersion, MOST_TOTALS, nextRow, rowsOf, type Steps } from './tables.ts';

export type ProtocolQuery = { readonly Query?: string | undefined; readonly Page?: number | undefined };

/** The place of a protocol is the number of its page times this stride, plus its index in the page. */
const PAGE_STRIDE = 1_000_000;
/** The place of protocols that were seen only in searches, after all other places. */
const UNPLACED = Number.MAX_SAFE_INTEGER;

/** Writes that can change a total. Most updates change none of these fields, and so no total. */
const COUNTED = [
  'INSERT ON main.protocol',
  'DELETE ON main.protocol',
  `UPDATE ON main.protocol
   WHEN (old.Address, old.City, old.ZipCode, old.FacilityId, old.InspectionDate)
     IS NOT (new.Address, new.City, new.ZipCode, new.FacilityId, new.InspectionDate)`,
  'INSERT ON found',
];

export const createProtocols = (db: DatabaseSync, connections: Connections, vocabulary: Vocabulary) => {
  const upsert = db.prepare(
    `INSERT INTO protocol (row, connection, id, Address, City, ZipCode, FacilityId, InspectionDate, Points, place,
       fetched_ms, pass)
     VALUES (${nextRow('protocol')}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, coalesce(?9, ${UNPLACED}), ?10, ?11)
     ON CONFLICT (connection, id) DO UPDATE SET Address = ?3, City = ?4, ZipCode = ?5, FacilityId = ?6,
       InspectionDate = ?7, Points = ?8, place = coalesce(?9, place), fetched_ms = ?10, pass = ?11`,
  );
  const byId = db.prepare('SELECT * FROM protocol WHERE connection = ? AND id = ?');
  const found = createFoundByService(db);
  const version = createVersion(db, 'protocol_version', COUNTED);
  const totals = createMemory<number>(MOST_TOTALS);
  const countOf = ({ sql, values }: Part): number =>
    Number(db.prepare(`SELECT count(*) AS total FROM ${sql}`).get(...values)?.total);
  const totalOf = (part: Part): number =>
    totals.of(`${version()} ${part.sql} ${JSON.stringify(part.values)}`, () => countOf(part));
  const exactMatches = createExactMatches(db, 'protocol');

  /** Returns the exact matches of a search, which are listed first; none if the table is sorted or descending. */
  const listedFirst = (no: number, { text, sort, descending }: ProtocolTableQuery): readonly number[] =>
    text === '' || sort !== undefined || descending ? [] : exactMatches(no, text);

  return {
    /** Stores a page. Only a page of the whole list (no `Query`) sets the places of its protocols. */
    put: function* (
      connectionId: string,
      { Items, CurrentPage }: ProtocolPage,
      { Query }: ProtocolQuery,
      atMs: number,
    ): Steps {
      for (const [index, item] of Items.entries()) {
        const { Address, City, ZipCode, FacilityId, InspectionDate, Points } = item;
        const no = connections.no(connectionId);
        const place = Query ? null : CurrentPage * PAGE_STRIDE + index;
        const id = item.InspectionProtocolId;
        const fields = [Address, City, ZipCode, FacilityId, InspectionDate, Points];
        vocabulary.learn(no, [Address, City, ZipCode, FacilityId]);
        upsert.run(no, id, ...fields, place, atMs, connections.pass(connectionId));
        yield;
      }
      if (Query) found.put(connections.no(connectionId), Query, Items);
    },
    table: (
      connectionId: string,
      query: ProtocolTableQuery,
      timeBase: TimeBase = 'auto',
    ): Omit<ProtocolTable, 'unreadable'> => {
      const no = connections.no(connectionId);
      const foundMore = query.text !== '' && found.has(no, query.text);
      const { whole, counted, matchingOf, windowOf } = selection({ no, query, timeBase, foundMore });
      // Counted each time: storing or removing a protocol's lists changes which protocols are available offline, but
      // not the `version` with which `totalOf` remembers totals.
      const total = query.availableOffline ? countOf(counted) : totalOf(counted);
      const { offset, limit } = query;
      const exact = listedFirst(no, query);
      const first = exact.length === 0 ? [] : rowsInOrder(db, matchingOf(exact), exact);
      const { rows, order, values } = windowOf(
        total,
        first.map(({ row }) => Number(row)),
      );
      const rest = db.prepare(
        `SELECT * FROM protocol WHERE row IN (SELECT row FROM (SELECT ${rows} ORDER BY ${order} LIMIT ? OFFSET ?))
         ORDER BY ${order}`,
      );
      const listed = first.slice(offset, offset + limit);
      const others = rest.all(...values, limit - listed.length, Math.max(0, offset - first.length));
      const Items = [...listed, ...others].map(cachedProtocol);
      const times = Items.map(({ fetchedAtMs }) => fetchedAtMs);
      return { Items, total, cached: totalOf(whole), ...(times.length > 0 && { fetchedAtMs: Math.min(...times) }) };
    },
    get: (connectionId: string, id: string): CachedProtocol | undefined => {
      const row = byId.get(connections.no(connectionId), id);
      return row && cachedProtocol(row);
    },
    count: (connectionId: string): number =>
      totalOf({ sql: 'protocol WHERE connection = ?', values: [connections.no(connectionId)] }),
  };
};

/** Converts a row of the table `protocol` to the API's shape. Throws `ZodError` if the row is damaged. */
export const protocolSummary = (row: Row): ProtocolSummary =>
  ProtocolSummary.parse({ ...row, InspectionProtocolId: row.id });

/** Converts a row of the table `protocol`, and adds its state in the cache. Throws `ZodError` if the row is damaged. */
export const cachedProtocol = (row: Row): CachedProtocol => ({
  ...protocolSummary(row),
  availableOffline: row.assignments_pass !== null && row.points_pass !== null,
  fetchedAtMs: Number(row.fetched_ms),
});

type Window = {
  /** The text after `SELECT`. It selects `row` and the columns of `order`. */
  readonly rows: string;
  readonly order: string;
  readonly values: readonly SQLInputValue[];
};

type SelectionOptions = {
  readonly no: number;
  readonly query: ProtocolTableQuery;
  readonly timeBase: TimeBase;
  readonly foundMore: boolean;
};

/** Up to this number of rows, sorting them is faster than finding them in the index of the sorted column. */
const FEW = 5_000;

const words = 'protocol_words WHERE protocol_words MATCH ? AND rowid BETWEEN ? AND ?';

/**
 * Translates a query of the protocols table into SQL. Only the connection's range of rows is searched in the index of
 * words. If the query filters only by words, and the service found no further protocols, that index alone counts the
 * matches and, without a sort, returns the rows. A search for a single letter is then fast, even if it
 * finds a quarter of all protocols.
 */
const selection = (options: SelectionOptions) => {
  const { no, query } = options;
  const { sort = 'place', descending } = query;
  const matched = matchedBy(options);
  const others = othersOf(options);
  const parts = [...matched.parts, ...others];
  const where = (connection: string, all = parts): Part => ({
    sql: `protocol WHERE ${[connection, ...all.map(({ sql }) => sql)].join(' AND ')}`,
    values: [no, ...all.flatMap((part) => part.values)],
  });
  const byWords = others.length === 0 ? matched.alone : undefined;
  const direction = descending ? 'DESC' : 'ASC';

  const matchingOf = (rows: readonly number[]): Part =>
    where('+connection = ?', [amongRows('IN', rows), ...matched.columns, ...others]);
  /** Returns the query for a window of the matches without the rows `listed`. `total`: the number of all matches. */
  const windowOf = (total: number, listed: readonly number[]): Window => {
    const rest = listed.length === 0 ? [] : [amongRows('NOT IN', listed)];
    if (byWords !== undefined && sort === 'place') {
      const rows = ['rowid AS row FROM', byWords.sql, ...rest.map(({ sql }) => `AND ${sql}`)].join(' ');
      return { rows, order: `row ${direction}`, values: [...byWords.values, ...rest.flatMap(({ values }) => values)] };
    }
    // The pluses prevent SQLite from walking the index of the sorted column. SQLite then starts with the matching rows,
    // which are found in the index of words or in that of the connection's dates.
    const isRare = parts.length > 0 && total <= FEW;
    const isByDate = matched.parts.length === 0 && (query.fromMs !== undefined || query.beforeMs !== undefined);
    const { sql, values } = where(isRare && !isByDate ? '+connection = ?' : 'connection = ?', [...parts, ...rest]);
    const column = isRare && sort !== 'InspectionDate' ? `+${sort}` : sort;
    return { rows: `row, ${sort} FROM ${sql}`, order: `${column} ${direction}, row ${direction}`, values };
  };
  /** In `whole` (all protocols of the connection) and in `counted` (the matches), `sql` is the text after `FROM`. */
  const whole: Part = { sql: 'protocol WHERE connection = ?', values: [no] };
  return { whole, counted: byWords ?? where('connection = ?'), matchingOf, windowOf };
};

const amongRows = (how: 'IN' | 'NOT IN', rows: readonly number[]): Part => ({
  sql: `row ${how} (SELECT value FROM json_each(?))`,
  values: [JSON.stringify(rows)],
});

type Matched = {
  readonly parts: readonly Part[];
  readonly columns: readonly Part[];
  /** The matches in the index of words; absent without words, or if `foundMore`. `sql` follows `FROM`. */
  readonly alone?: Part;
};

/**
 * Returns the conditions of the text and the column filters. Protocols that the service found for the text match as
 * well.
 */
const matchedBy = ({ no, query: { text, filters }, foundMore }: SelectionOptions): Matched => {
  const { first, last } = rowsOf(no);
  const inWords = (match: string): Part => ({ sql: words, values: [match, first, last] });
  const among = ({ sql, values }: Part): Part => ({ sql: `row IN (SELECT rowid FROM ${sql})`, values });
  const columns = matchAll(Object.entries(filters).map(([column, value]) => matchWords(value ?? '', column)));
  const anywhere = matchWords(text);
  const inColumns = columns === undefined ? [] : [among(inWords(columns))];
  if (foundMore && anywhere !== undefined) {
    const { sql, values } = inWords(anywhere);
    const found = {
      sql: `row IN (SELECT rowid FROM ${sql} UNION ALL SELECT row FROM found WHERE connection = ? AND text = ?)`,
      values: [...values, no, text],
    };
    return { parts: [found, ...inColumns], columns: inColumns };
  }
  const match = matchAll([anywhere, columns]);
  if (match === undefined) return { parts: [], columns: [] };
  const alone = inWords(match);
  return { parts: [among(alone)], columns: inColumns, alone };
};

const othersOf = ({ query, timeBase }: SelectionOptions): readonly Part[] => {
  const { fromMs, beforeMs, availableOffline } = query;
  const parts: Part[] = [];
  if (fromMs !== undefined || beforeMs !== undefined) {
    const ranges = rangesOf(timeBase, fromMs, beforeMs);
    const within = ranges.map(() => '(InspectionDate >= ? AND InspectionDate < ?)').join(' OR ');
    parts.push({ sql: `(${within || 'FALSE'})`, values: ranges.flatMap((range) => [range.from, range.before]) });
  }
  if (availableOffline) parts.push({ sql: 'assignments_pass IS NOT NULL AND points_pass IS NOT NULL', values: [] });
  return parts;
};

// Protocols that the service found for a text, but the index of words may miss: the service may search parts of words,
// or fields that the list does not contain. These protocols are forgotten when there are too many texts, after
// protocols were removed, and when the database is closed.

/** The maximum number of texts that are remembered, more than a user usually searches for. */
const MOST_TEXTS = 100;

/** Creates the temporary table `found`. search.ts reads it as well. */
const createFoundByService = (db: DatabaseSync) => {
  db.exec(
    `CREATE TEMP TABLE found (connection INTEGER, text TEXT, row INTEGER, PRIMARY KEY (connection, text, row))
     WITHOUT ROWID;
     -- The numbers of removed rows may be used again.
     CREATE TEMP TRIGGER found_removed AFTER DELETE ON main.protocol BEGIN DELETE FROM found; END`,
  );
  const add = db.prepare(
    'INSERT INTO found SELECT connection, ?, row FROM protocol WHERE connection = ? AND id = ? ON CONFLICT DO NOTHING',
  );
  const any = db.prepare('SELECT 1 FROM found WHERE connection = ? AND text = ? LIMIT 1');
  const texts = db.prepare('SELECT count(DISTINCT text) AS texts FROM found');
  const clear = db.prepare('DELETE FROM found');

  return {
    /** Adds those of `items` that the index of words may not find. */
    put: (no: number, text: string, items: readonly ProtocolSummary[]): void => {
      const more = items.filter(
        ({ Address, City, ZipCode, FacilityId }) => !beginsWords(text, [Address, City, ZipCode, FacilityId]),
      );
      if (more.length > 0 && Number(texts.get()?.texts) >= MOST_TEXTS) clear.run();
      for (const { InspectionProtocolId } of more) add.run(text, no, InspectionProtocolId);
    },
    has: (no: number, text: string): boolean => any.get(no, text) !== undefined,
  };
};

// Conversion of times to numbers in the service's unit, to compare them with a column of service times.

/** Service times from `from` up to but not including `before`, in units of `unitMs` milliseconds. */
type Span = { readonly from: number; readonly before: number; readonly unitMs: number };

const LAST = Number.MAX_VALUE;

/** For each time base, which service times are in seconds and which in milliseconds. */
const spans: Readonly<Record<TimeBase, readonly Span[]>> = {
  auto: [
    { from: -LAST, before: secondsBelow, unitMs: 1000 },
    { from: secondsBelow, before: LAST, unitMs: 1 },
  ],
  seconds: [{ from: -LAST, before: LAST, unitMs: 1000 }],
  milliseconds: [{ from: -LAST, before: LAST, unitMs: 1 }],
};

/**
 * Returns the service times, in the service's unit, from `fromMs` up to but not including `beforeMs` (ms since 1970;
 * undefined: no limit). With `auto` there can be two ranges: one in seconds and one in milliseconds.
 */
export const rangesOf = (
  timeBase: TimeBase,
  fromMs: number | undefined,
  beforeMs: number | undefined,
): readonly Omit<Span, 'unitMs'>[] =>
  spans[timeBase]
    .map(({ from, before, unitMs }) => ({
      from: fromMs === undefined ? from : Math.max(from, fromMs / unitMs),
      before: beforeMs === undefined ? before : Math.min(before, beforeMs / unitMs),
    }))
    .filter(({ from, before }) => from < before);

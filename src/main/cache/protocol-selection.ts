/** Translates a query of the protocols table into SQL. */
import type { SQLInputValue } from 'node:sqlite';
import type { ProtocolTableQuery } from '../../contract/protocols.ts';
import type { TimeBase } from '../../contract/resources.ts';
import { rowsOf } from './connection-rows.ts';
import { rangesOf } from './time-spans.ts';
import { matchAll, matchWords } from './words.ts';

export type Selection = {
  /** All protocols of the connection. `sql` follows `SELECT count(*) FROM`. */
  readonly whole: Part;
  /** The same for the protocols that match the query. */
  readonly counted: Part;
  /** Those of `rows`, which have the words of the text, that match the whole query. */
  readonly matchingOf: (rows: readonly number[]) => Part;
  /** How to read a window of `total` rows, without the rows `listed`. */
  readonly windowOf: (total: number, listed: readonly number[]) => Window;
};

export type Part = { readonly sql: string; readonly values: readonly SQLInputValue[] };

type Window = {
  /** Follows `SELECT`; has `row` and the columns of `order`. */
  readonly rows: string;
  readonly order: string;
  readonly values: readonly SQLInputValue[];
};

type Asked = {
  /** The connection's number. */
  readonly no: number;
  readonly query: ProtocolTableQuery;
  readonly timeBase: TimeBase;
  /** Whether the service found more for the text than the index of words. */
  readonly foundMore: boolean;
};

/** Up to this many rows, sorting them is faster than finding them in the index of the sorted column. */
const FEW = 5_000;

const words = 'protocol_words WHERE protocol_words MATCH ? AND rowid BETWEEN ? AND ?';

/**
 * The query in SQL. A search limits the rows to the connection's range in the index of words. If nothing but words is
 * filtered, that index alone counts the matches and, without a sort, also returns the rows, so a first letter that a
 * quarter of all protocols have costs little.
 */
export const selection = (asked: Asked): Selection => {
  const { no, query } = asked;
  const { sort = 'place', descending } = query;
  const matched = matchedBy(asked);
  const others = othersOf(asked);
  const parts = [...matched.parts, ...others];
  const where = (connection: string, all = parts): Part => ({
    sql: `protocol WHERE ${[connection, ...all.map(({ sql }) => sql)].join(' AND ')}`,
    values: [no, ...all.flatMap((part) => part.values)],
  });
  const byWords = others.length === 0 ? matched.alone : undefined;
  const direction = descending ? 'DESC' : 'ASC';

  const matchingOf = (rows: readonly number[]): Part =>
    where('+connection = ?', [amongRows('IN', rows), ...matched.columns, ...others]);
  const windowOf = (total: number, listed: readonly number[]): Window => {
    const rest = listed.length === 0 ? [] : [amongRows('NOT IN', listed)];
    if (byWords !== undefined && sort === 'place') {
      const rows = ['rowid AS row FROM', byWords.sql, ...rest.map(({ sql }) => `AND ${sql}`)].join(' ');
      return { rows, order: `row ${direction}`, values: [...byWords.values, ...rest.flatMap(({ values }) => values)] };
    }
    // The plus keeps SQLite from using the index of the sorted column, so that it starts with the rows that were found.
    const isRare = matched.parts.length > 0 && total <= FEW;
    const { sql, values } = where(isRare ? '+connection = ?' : 'connection = ?', [...parts, ...rest]);
    return { rows: `row, ${sort} FROM ${sql}`, order: `${sort} ${direction}, row ${direction}`, values };
  };
  const whole = { sql: 'protocol WHERE connection = ?', values: [no] };
  return { whole, counted: byWords ?? where('connection = ?'), matchingOf, windowOf };
};

const amongRows = (how: 'IN' | 'NOT IN', rows: readonly number[]): Part => ({
  sql: `row ${how} (SELECT value FROM json_each(?))`,
  values: [JSON.stringify(rows)],
});

type Matched = {
  readonly parts: readonly Part[];
  /** The condition for the column filters alone, if there are any. */
  readonly columns: readonly Part[];
  /** The index of words, if it alone decides what matches. */
  readonly alone?: Part;
};

/** The condition for the words of the text and of the column filters, and for what the service found. */
const matchedBy = ({ no, query: { text, filters }, foundMore }: Asked): Matched => {
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

/** The conditions of the other filters. */
const othersOf = ({ no, query, timeBase }: Asked): readonly Part[] => {
  const { fromMs, beforeMs, severity, availableOffline } = query;
  const parts: Part[] = [];
  if (fromMs !== undefined || beforeMs !== undefined) {
    const ranges = rangesOf(timeBase, fromMs, beforeMs);
    const within = ranges.map(() => '(InspectionDate >= ? AND InspectionDate < ?)').join(' OR ');
    parts.push({ sql: `(${within || 'FALSE'})`, values: ranges.flatMap((range) => [range.from, range.before]) });
  }
  if (severity !== undefined) {
    const graded = `SELECT substr(answer, length('points/') + 1) FROM severity WHERE connection = ? AND Severity = ?`;
    parts.push({ sql: `id IN (${graded})`, values: [no, severity] });
  }
  if (availableOffline) parts.push({ sql: 'assignments_pass IS NOT NULL AND points_pass IS NOT NULL', values: [] });
  return parts;
};

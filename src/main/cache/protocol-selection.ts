/** From a question about the table of protocols to SQL. */
import type { SQLInputValue } from 'node:sqlite';
import type { ProtocolTableQuery } from '../../contract/protocol-table.ts';
import type { TimeBase } from '../../contract/service-time.ts';
import { rowsOf } from './connection-rows.ts';
import { rangesOf } from './time-spans.ts';
import { matchAll, matchWords } from './words.ts';

export type Selection = {
  /** `sql`: what follows `SELECT count(*) FROM`, for all that the connection has. */
  readonly whole: Part;
  /** The same for what is asked for. */
  readonly counted: Part;
  /** How to read a part of `total` rows. */
  readonly windowOf: (total: number) => Window;
};

export type Part = { readonly sql: string; readonly values: readonly SQLInputValue[] };

export type Window = {
  /** What follows `SELECT`; it has `row` and what `order` names. */
  readonly rows: string;
  readonly order: string;
  readonly values: readonly SQLInputValue[];
};

export type Asked = {
  /** The connection's number. */
  readonly no: number;
  readonly query: ProtocolTableQuery;
  readonly timeBase: TimeBase;
  /** Whether the service found more for the text than its words do here. */
  readonly foundMore: boolean;
};

/** So many rows are sorted faster than they are picked out of an index in which they are rare. */
const FEW = 5_000;

const words = 'protocol_words WHERE protocol_words MATCH ? AND rowid BETWEEN ? AND ?';

/**
 * What is asked for, in SQL. A search bounds the rows to the connection's in the words' index. That index alone counts
 * what has nothing else to be looked at, and without a sort it also gives the rows, so that a first letter which a quarter
 * of all have costs little.
 */
export const selection = (asked: Asked): Selection => {
  const { no, query } = asked;
  const { sort = 'place', descending } = query;
  const matched = matchedBy(asked);
  const others = othersOf(asked);
  const parts = [...matched.parts, ...others];
  const where = (connection: string): string =>
    `protocol WHERE ${[connection, ...parts.map(({ sql }) => sql)].join(' AND ')}`;
  const values = [no, ...parts.flatMap((part) => part.values)];
  const byWords = others.length === 0 ? matched.alone : undefined;
  const direction = descending ? 'DESC' : 'ASC';

  const windowOf = (total: number): Window => {
    if (byWords !== undefined && sort === 'place') {
      return { rows: `rowid AS row FROM ${byWords.sql}`, order: `row ${direction}`, values: byWords.values };
    }
    // The plus keeps SQLite from the index of the sort: it then begins with the rows that were found.
    const isRare = matched.parts.length > 0 && total <= FEW;
    const source = where(isRare ? '+connection = ?' : 'connection = ?');
    return { rows: `row, ${sort} FROM ${source}`, order: `${sort} ${direction}, row ${direction}`, values };
  };
  const whole = { sql: 'protocol WHERE connection = ?', values: [no] };
  return { whole, counted: byWords ?? { sql: where('connection = ?'), values }, windowOf };
};

type Matched = {
  readonly parts: readonly Part[];
  /** The words' index, where it alone says what matches. */
  readonly alone?: Part;
};

/** What the words of the text and of the columns' filters select, and what the service found for the text. */
const matchedBy = ({ no, query: { text, filters }, foundMore }: Asked): Matched => {
  const { first, last } = rowsOf(no);
  const inWords = (match: string): Part => ({ sql: words, values: [match, first, last] });
  const among = ({ sql, values }: Part): Part => ({ sql: `row IN (SELECT rowid FROM ${sql})`, values });
  const columns = matchAll(Object.entries(filters).map(([column, value]) => matchWords(value ?? '', column)));
  const anywhere = matchWords(text);
  if (foundMore && anywhere !== undefined) {
    const { sql, values } = inWords(anywhere);
    const found = {
      sql: `row IN (SELECT rowid FROM ${sql} UNION ALL SELECT row FROM found WHERE connection = ? AND text = ?)`,
      values: [...values, no, text],
    };
    return { parts: columns === undefined ? [found] : [found, among(inWords(columns))] };
  }
  const match = matchAll([anywhere, columns]);
  if (match === undefined) return { parts: [] };
  const alone = inWords(match);
  return { parts: [among(alone)], alone };
};

/** What the other filters select. */
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

/**
 * The matches of a search in sorted order. SQLite would either walk the whole order or sort all matches for each letter
 * typed. Instead the order of the whole table is held in memory, four bytes a row; the matches are marked, and the order
 * is read up to the end of the window.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { ProtocolColumn } from '../../contract/protocols.ts';
import { rowsOf } from './connection-rows.ts';
import type { Part } from './protocol-selection.ts';

type SortedMatches = {
  /** Loads the order of all protocols of connection `no` by `sort`, in place of any other. */
  readonly learn: (no: number, sort: ProtocolColumn) => void;
  readonly knows: (no: number, sort: ProtocolColumn) => boolean;
  /** The rows of a window over `matching` in the order held in memory. */
  readonly window: (matching: Matching, bounds: Bounds) => { readonly rows: readonly number[]; readonly total: number };
  /** To be called when the order or the matches may have changed. */
  readonly forget: () => void;
};

/** `sql` follows `FROM`, with the protocols' rows as `rowid`. `steady`: unchanged until `forget` is called. */
export type Matching = Part & { readonly steady: boolean };
type Bounds = { readonly descending: boolean; readonly offset: number; readonly limit: number };

/** `rows` count from `first`; `highest` of them. */
type Order = { readonly key: string; readonly first: number; readonly rows: Int32Array; readonly highest: number };
type Marked = { readonly marks: Uint8Array; readonly total: number };

/** People also delete letter by letter. */
const MOST_MARKED = 20;

/** Has no order at first. */
export const createSortedMatches = (db: DatabaseSync): SortedMatches => {
  let order: Order | undefined;
  const known = new Map<string, Marked>();

  /** Reads numbers as one text, which is many times faster than one record each. */
  const numbers = (sql: string, values: readonly SQLInputValue[]): readonly number[] =>
    JSON.parse(String(db.prepare(sql).get(...values)?.numbers));

  const mark = ({ sql, values, steady }: Matching, { first, highest }: Order): Marked => {
    const key = `${sql} ${values}`;
    const before = steady ? known.get(key) : undefined;
    if (before !== undefined) return before;
    const matching = numbers(`SELECT json_group_array(rowid - ?) AS numbers FROM ${sql}`, [first, ...values]);
    const marks = new Uint8Array(highest + 1);
    for (const row of matching) marks[row] = 1;
    if (known.size >= MOST_MARKED) known.clear();
    const marked = { marks, total: matching.length };
    if (steady) known.set(key, marked);
    return marked;
  };

  return {
    learn: (no, sort) => {
      const { first } = rowsOf(no);
      // The LIMIT makes SQLite aggregate in the selected order.
      const sorted = `SELECT row FROM protocol WHERE connection = ? ORDER BY ${sort}, row LIMIT -1`;
      const rows = numbers(`SELECT json_group_array(row - ?) AS numbers FROM (${sorted})`, [first, no]);
      const highest = rows.reduce((most, row) => Math.max(most, row), 0);
      order = { key: `${no} ${sort}`, first, rows: Int32Array.from(rows), highest };
      known.clear();
    },
    knows: (no, sort) => order?.key === `${no} ${sort}`,
    window: (matching, { descending, offset, limit }) => {
      if (order === undefined) throw new Error('no order is held');
      const { marks, total } = mark(matching, order);
      const { first, rows } = order;
      const window: number[] = [];
      const last = rows.length - 1;
      for (let step = 0, seen = 0; step <= last && window.length < limit; step += 1) {
        const row = rows[descending ? last - step : step] ?? 0;
        if (marks[row] !== 1) continue;
        seen += 1;
        if (seen > offset) window.push(first + row);
      }
      return { rows: window, total };
    },
    forget: () => {
      order = undefined;
      known.clear();
    },
  };
};

/**
 * The search over one of the cache's tables of records, `protocol` or `assignment`. First come records whose id begins
 * with the text, then those with words that begin like its words, in any order, exact addresses first, then what the
 * service found for it. If these are few, records that match after a mistyped word is corrected follow.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { idBeginnings } from '../../contract/search.ts';
import { rowsOf } from './connection-rows.ts';
import type { Vocabulary } from './vocabulary.ts';
import { matchCorrected, matchExact, matchWords } from './words.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;
export type SearchWindow = { readonly offset: number; readonly limit: number };
type Search = (
  no: number,
  text: string,
  window: SearchWindow,
) => { readonly rows: readonly Row[]; readonly total: number };

/** With fewer matches than this, the person may have mistyped. */
const FEW = 5;
/** The maximum number of records listed for their ids, and for corrected words. */
const MOST_OTHERS = 200;

/** More exact matches than this are no more what was meant than others. */
const MOST_EXACT = 200;

/** The rows of `table` that are listed first for a text, best first: exact addresses, then those with all of its words in full. */
export const createExactMatches = (db: DatabaseSync, table: 'protocol' | 'assignment') => {
  const words = `${table}_words`;
  const matching = db.prepare(
    `SELECT rowid AS row FROM ${words} WHERE ${words} MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?`,
  );
  return (no: number, text: string): readonly number[] => {
    const match = matchExact(text);
    if (match === undefined) return [];
    const { first, last } = rowsOf(no);
    const find = (one: string): readonly number[] =>
      matching.all(one, first, last, MOST_EXACT + 1).map(({ row }) => Number(row));
    const full = find(match.full);
    const atAddress = full.length < 2 ? [] : find(`(${match.full}) AND ${match.address}`);
    return [...new Set([atAddress, full].filter((rows) => rows.length <= MOST_EXACT).flat())];
  };
};

/** Searches over `db`, which has been migrated. `found`: the protocols that the service found, by text. */
export const createSearch = (db: DatabaseSync, table: 'protocol' | 'assignment', vocabulary: Vocabulary): Search => {
  const words = `${table}_words`;
  const rowsIn = (sql: string, ...values: readonly SQLInputValue[]): readonly number[] =>
    db
      .prepare(sql)
      .all(...values)
      .map(({ row }) => Number(row));
  const byId = `SELECT row FROM ${table} WHERE connection = ? AND id >= ? COLLATE NOCASE AND id < ? COLLATE NOCASE LIMIT ?`;
  const matching = `${words} WHERE ${words} MATCH ? AND rowid BETWEEN ? AND ?`;
  const exactMatches = createExactMatches(db, table);
  const whole = db.prepare(`SELECT * FROM ${table} WHERE row IN (SELECT value FROM json_each(?))`);

  const withId = (no: number, text: string): readonly number[] => [
    ...new Set(idBeginnings(text).flatMap((start) => rowsIn(byId, no, start, `${start}\u{10ffff}`, MOST_OTHERS))),
  ];

  /** Records whose words match, without those in `others`. */
  const withWords = (no: number, text: string, others: readonly number[]) => {
    const match = matchWords(text);
    if (match === undefined) return { total: 0, window: () => [] };
    const { first, last } = rowsOf(no);
    const sql = others.length === 0 ? matching : `${matching} AND rowid NOT IN (SELECT value FROM json_each(?))`;
    const values = [match, first, last, ...(others.length === 0 ? [] : [JSON.stringify(others)])];
    const total = Number(db.prepare(`SELECT count(*) AS total FROM ${sql}`).get(...values)?.total);
    return {
      total,
      window: ({ offset, limit }: SearchWindow) =>
        limit > 0 && offset < total
          ? rowsIn(`SELECT rowid AS row FROM ${sql} LIMIT ? OFFSET ?`, ...values, limit, offset)
          : [],
    };
  };

  /** What the service found for `text` and the index of words did not. */
  const foundByService = (no: number, text: string): readonly number[] => {
    if (table !== 'protocol') return [];
    const { first, last } = rowsOf(no);
    const match = matchWords(text);
    const rows = 'SELECT row FROM found WHERE connection = ? AND text = ?';
    if (match === undefined) return rowsIn(`${rows} LIMIT ?`, no, text, MOST_OTHERS);
    return rowsIn(
      `${rows} AND row NOT IN (SELECT rowid FROM ${matching}) LIMIT ?`,
      no,
      text,
      match,
      first,
      last,
      MOST_OTHERS,
    );
  };

  const withCorrectedWords = (no: number, text: string): readonly number[] => {
    const match = matchCorrected(text, (word) => vocabulary.corrections(no, word));
    if (match === undefined) return [];
    const { first, last } = rowsOf(no);
    return rowsIn(`SELECT rowid AS row FROM ${matching} LIMIT ?`, match, first, last, MOST_OTHERS);
  };

  return (no, text, { offset, limit }) => {
    const first = [...new Set([...withId(no, text), ...exactMatches(no, text)])];
    const matched = withWords(no, text, first);
    const exact = first.length + matched.total;
    const others = [...foundByService(no, text), ...(exact < FEW ? withCorrectedWords(no, text) : [])];
    const rest = [...new Set(others)].filter((row) => !first.includes(row));
    const end = offset + limit;
    const rows = [
      ...first.slice(offset, end),
      ...matched.window({
        offset: Math.max(0, offset - first.length),
        limit: Math.min(limit, Math.max(0, end - first.length)),
      }),
      ...rest.slice(Math.max(0, offset - exact), Math.max(0, end - exact)),
    ];
    const records = new Map(whole.all(JSON.stringify(rows)).map((record) => [Number(record.row), record]));
    return {
      rows: rows.map((row) => records.get(row)).filter((record) => record !== undefined),
      total: exact + rest.length,
    };
  };
};

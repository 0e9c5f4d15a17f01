/**
 * The search in the cache's table `protocol` or `assignment`. Records whose id begins with the text come first. Exact
 * addresses and records with all words in full follow, unless there are too many. Then come the records that have, for
 * each word of the text, a word that begins with it, and last the protocols that only the service found. If ids and
 * words match few records, corrected words are tried as well.
 */
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { folded, idBeginnings, leadingAddress, type SearchTerm, searchTerms, wordsIn } from '../../contract/search.ts';
import { createMemory, rowsOf } from './tables.ts';

export type Row = Readonly<Record<string, SQLOutputValue>>;
/** A part of an SQL query, with the values of its parameters. */
export type Part = { readonly sql: string; readonly values: readonly SQLInputValue[] };
export type SearchWindow = { readonly offset: number; readonly limit: number };

/** Reads the records of `SELECT * FROM ${sql}` whose row is among `rows`, in the order of `rows`. */
export const rowsInOrder = (db: DatabaseSync, { sql, values }: Part, rows: readonly number[]): readonly Row[] => {
  const found = db.prepare(`SELECT * FROM ${sql}`).all(...values);
  const records = new Map(found.map((record) => [Number(record.row), record]));
  return rows.map((row) => records.get(row)).filter((record) => record !== undefined);
};

/** Below this number of matches, the user may have mistyped, and corrected words are tried. */
const FEW = 5;
/** The maximum number of rows found by each spelling of an id, by corrected words, or by the service. */
const MOST_OTHERS = 200;

/**
 * The maximum number of exact matches that are listed first. If there are more, the user is hardly more likely to look
 * for them than for other matches.
 */
const MOST_EXACT = 200;

/**
 * Creates a function that finds the rows of `table` with all words of a text in full. Rows whose address begins with
 * the text's `leadingAddress` come first. If more than `MOST_EXACT` rows have all words, only those with such an
 * address are found. If there are also too many of these, none is found.
 */
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

/**
 * Creates a function that finds the rows of `table` whose id begins with a text, at most `MOST_OTHERS` for each of the
 * text's `idBeginnings`.
 */
export const createIdMatches = (db: DatabaseSync, table: 'protocol' | 'assignment') => {
  const byId = db.prepare(
    `SELECT row FROM ${table} WHERE connection = ? AND id >= ? COLLATE NOCASE AND id < ? COLLATE NOCASE LIMIT ${MOST_OTHERS}`,
  );
  return (no: number, text: string): readonly number[] => {
    const rows = idBeginnings(text).flatMap((start) => byId.all(no, start, `${start}\u{10ffff}`));
    return [...new Set(rows.map(({ row }) => Number(row)))];
  };
};

/**
 * Creates the search in `table`. The search returns the records of a window and the total. Protocols that the service
 * found are read from the temporary table `found`, which protocols.ts creates.
 */
export const createSearch = (db: DatabaseSync, table: 'protocol' | 'assignment', vocabulary: Vocabulary) => {
  const words = `${table}_words`;
  const rowsIn = (sql: string, ...values: readonly SQLInputValue[]): readonly number[] =>
    db
      .prepare(sql)
      .all(...values)
      .map(({ row }) => Number(row));
  const matching = `${words} WHERE ${words} MATCH ? AND rowid BETWEEN ? AND ?`;
  const withId = createIdMatches(db, table);
  const exactMatches = createExactMatches(db, table);

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

  const foundByService = (no: number, text: string): readonly number[] => {
    if (table !== 'protocol') return [];
    const { first, last } = rowsOf(no);
    const match = matchWords(text);
    const rows = 'SELECT row FROM found WHERE connection = ? AND text = ?';
    if (match === undefined) return rowsIn(`${rows} LIMIT ?`, no, text, MOST_OTHERS);
    const unmatched = `${rows} AND row NOT IN (SELECT rowid FROM ${matching}) LIMIT ?`;
    return rowsIn(unmatched, no, text, match, first, last, MOST_OTHERS);
  };

  const withCorrectedWords = (no: number, text: string): readonly number[] => {
    const match = matchCorrected(text, (word) => vocabulary.corrections(no, word));
    if (match === undefined) return [];
    const { first, last } = rowsOf(no);
    return rowsIn(`SELECT rowid AS row FROM ${matching} LIMIT ?`, match, first, last, MOST_OTHERS);
  };

  return (no: number, text: string, { offset, limit }: SearchWindow) => {
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
    const where = { sql: `${table} WHERE row IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(rows)] };
    return { rows: rowsInOrder(db, where, rows), total: exact + rest.length };
  };
};

// Translates a search text into FTS5 queries. The indexes of protocols and assignments ignore case and accents
// (unicode61, remove_diacritics). Both have the columns Address, City, ZipCode (empty for assignments) and FacilityId.

type Reading = {
  readonly column?: string | undefined;
  readonly whole?: boolean;
  /** Returns the beginnings of words that the user may have intended, if `word` is mistyped. */
  readonly corrections?: (word: string) => readonly string[];
};

/**
 * Returns the query for records that have, for each word of `text`, a word that begins with it, in `column` or in any
 * column; undefined without words. For house numbers, `numberQuery` has further rules.
 */
export const matchWords = (text: string, column?: string): string | undefined => queryOf(text, { column });

/**
 * Returns the query for records that match only if words of `text` are replaced by their `corrections`; undefined if no
 * word has corrections.
 */
const matchCorrected = (text: string, corrections: (word: string) => readonly string[]): string | undefined => {
  if (wordsIn(text).every((word) => corrections(word).length === 0)) return undefined;
  return `(${queryOf(text, { corrections })}) NOT (${matchWords(text)})`;
};

/**
 * Returns the queries for exact matches; undefined without words. `full` finds records with all words of `text` in
 * full. `address` finds records whose address begins with the `leadingAddress` of `text`.
 */
const matchExact = (text: string): { readonly full: string; readonly address: string } | undefined => {
  const full = queryOf(text, { whole: true });
  return full === undefined ? undefined : { full, address: `Address : ^ "${leadingAddress(text)}"` };
};

/** Joins the queries with AND, without those that are undefined. Returns undefined if all are. */
export const matchAll = (queries: readonly (string | undefined)[]): string | undefined => {
  const asking = queries.filter((query) => query !== undefined);
  return asking.length === 0 ? undefined : asking.join(' AND ');
};

/**
 * Whether every word of `text` begins a word of `fields`. Case is ignored, but accents have to be equal. The index of
 * words can decide differently: it ignores accents, and it has further rules for house numbers (`numberQuery`).
 */
export const beginsWords = (text: string, fields: readonly string[]): boolean => {
  const there = fields.flatMap((field) => wordsIn(field.toLowerCase()));
  return wordsIn(text.toLowerCase()).every((word) => there.some((one) => one.startsWith(word)));
};

const queryOf = (text: string, reading: Reading): string | undefined => {
  const terms = searchTerms(text).map((term) => (term.number ? numberQuery : wordQuery)(term, reading));
  return terms.length === 0 ? undefined : terms.join(' AND ');
};

const anyOf = (queries: readonly string[]): string => {
  const [first, ...others] = new Set(queries);
  return others.length === 0 ? `${first}` : `(${[first, ...others].join(' OR ')})`;
};
const full = (phrase: string): string => anyOf(spellingsOf(phrase).map((one) => `"${one}"`));
/** Reads a last "s" as "ß", too, because "Stras" may be the beginning of "Straße". */
const begun = (phrase: string): string =>
  anyOf([...spellingsOf(phrase), ...spellingsOf(phrase.replace(/(?<!s)s$/i, 'ß'))].map((one) => `"${one}" *`));

const wordQuery = ({ word, spellings }: SearchTerm, { column, whole = false, corrections }: Reading): string => {
  const words = [word, ...(corrections?.(word) ?? [])].map(whole ? full : begun);
  return `${column === undefined ? '' : `${column} : `}${anyOf([...words, ...spellings.map(full)])}`;
};

/** The maximum number of "ss" and "ß" in a phrase that are spelled in both ways. Further ones stay as they are. */
const MOST_SHARP = 3;

/** Returns the phrase with each "ss" and "ß" spelled in both ways, because the tokenizer keeps "ß" as it is. */
const spellingsOf = (phrase: string): readonly string[] => {
  const [first = '', ...rest] = phrase.split(/(ss|ß)/iu);
  const isSharp = (at: number): boolean => at % 2 === 0 && at < 2 * MOST_SHARP;
  return rest.reduce<readonly string[]>(
    (heads, part, at) => heads.flatMap((head) => (isSharp(at) ? ['ss', 'ß'] : [part]).map((one) => `${head}${one}`)),
    [first],
  );
};

const HOUSE_LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * Returns the query for house numbers in addresses. Unless `whole`, "24" finds 24, 24b and 240; "24," with a comma
 * finds only 24 and 24b.
 */
const houseQuery = ({ word, spellings, number }: SearchTerm, whole: boolean): string => {
  const others = spellings.map(full);
  if (whole) return anyOf([full(word), ...others]);
  if (!number?.ended) return anyOf([begun(word), ...others]);
  const lettered = /^\d+$/.test(word) ? HOUSE_LETTERS.map((letter) => full(`${word}${letter}`)) : [];
  return anyOf([full(word), ...others, ...lettered]);
};

/**
 * Returns the query for a number. In a search of all columns, the number has to be in the address if the address has a
 * word that the user typed next to the number. Otherwise "Storgata 24" would find every house in Storgata with a
 * postcode such as 2400.
 */
const numberQuery = (term: SearchTerm, { column, whole = false, corrections }: Reading): string => {
  const { word, spellings, number: { beside = [] } = {} } = term;
  const plain = whole ? full(word) : begun(word);
  const house = houseQuery(term, whole);
  if (column !== undefined) return `${column} : ${column === 'Address' ? house : plain}`;
  if (beside.length === 0) return plain;
  const words = anyOf(beside.flatMap((one) => [one, ...(corrections?.(one) ?? [])]).map(begun));
  return `(${anyOf([plain, ...spellings.map(full)])} NOT (Address : ${words} NOT Address : ${house}))`;
};

export type Vocabulary = ReturnType<typeof createVocabulary>;

/**
 * The maximum number of words of a connection, far more than addresses and customers have. Without a maximum, records
 * of random words could fill the memory.
 */
const MOST_WORDS = 100_000;
const MOST_CORRECTIONS = 8;

/**
 * Creates the vocabulary: the words of the offline data, by connection. Mistyped words are corrected to these words.
 * The words of a connection are loaded into memory at first use.
 */
export const createVocabulary = (db: DatabaseSync) => {
  const all = db.prepare('SELECT text FROM word WHERE connection = ? LIMIT ?');
  const add = db.prepare('INSERT OR IGNORE INTO word VALUES (?, ?)');
  const known = createMemory<Set<string>>();
  const knownTo = (no: number): Set<string> =>
    known.of(String(no), () => new Set(all.all(no, MOST_WORDS).map(({ text }) => String(text))));
  return {
    /** Adds the words of `texts` that `isCorrectable` accepts, up to `MOST_WORDS`. Writes in the open transaction. */
    learn: (no: number, texts: readonly string[]): void => {
      const words = knownTo(no);
      for (const word of texts.flatMap(wordsIn).map(folded)) {
        if (words.has(word) || words.size >= MOST_WORDS || !isCorrectable(word)) continue;
        words.add(word);
        add.run(no, word);
      }
    },
    corrections: (no: number, word: string): readonly string[] => {
      const typed = folded(word);
      if (!isCorrectable(typed)) return [];
      const found = new Set<string>();
      for (const one of knownTo(no)) {
        const corrected = correctedBeginning(typed, one);
        if (corrected !== undefined) found.add(corrected);
        if (found.size >= MOST_CORRECTIONS) break;
      }
      return [...found];
    },
  };
};

// A mistake is one letter that was added, left out or replaced, or two neighbouring letters that were swapped.

/** Whether `word` consists of 4 to 40 letters. Shorter words and numbers are similar to too many other words. */
const isCorrectable = (word: string): boolean => /^\p{L}{4,40}$/u.test(word);

/**
 * Whether `known.slice(knownAt)` begins with `typed.slice(typedAt)`. Makes no copies, because it runs for each known
 * word.
 */
const goesOn = (typed: string, typedAt: number, known: string, knownAt: number): boolean => {
  if (known.length - knownAt < typed.length - typedAt) return false;
  for (let at = typedAt; at < typed.length; at += 1) if (typed[at] !== known[at - typedAt + knownAt]) return false;
  return true;
};

/**
 * Returns the beginning of `known` that is one mistake away from `typed`; both are folded. Returns undefined if there
 * is no such beginning, or if `known` begins with `typed`. The user may still be typing, so a wrong or additional last
 * letter counts only if `known` ends there.
 */
const correctedBeginning = (typed: string, known: string): string | undefined => {
  const { length } = typed;
  let at = 0;
  while (at < length && typed[at] === known[at]) at += 1;
  if (at === length) return undefined;
  if (goesOn(typed, at, known, at + 1)) return known.slice(0, length + 1);
  const endsWell = (knownLength: number): boolean => at < length - 1 || known.length === knownLength;
  if (goesOn(typed, at + 1, known, at + 1) && endsWell(length)) return known.slice(0, length);
  if (goesOn(typed, at + 1, known, at) && endsWell(length - 1)) return known.slice(0, length - 1);
  const isSwapped = typed[at] === known[at + 1] && typed[at + 1] === known[at] && goesOn(typed, at + 2, known, at + 2);
  return isSwapped ? known.slice(0, length) : undefined;
};

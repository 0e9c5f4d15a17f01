/**
 * files.sqlite: the words of the ledger's files. It has nothing that the ledger does not have: a damaged file, or one of
 * another version, is deleted and made again.
 *
 * Files have places from 0 on, in the order in which they were indexed, and 4,096 of them are a block. For each word of a
 * block there is the set of its files, and for short beginnings that many words have. A search goes through the blocks, the
 * newest first, and stops when it has enough.
 */
import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { DeskError } from '../../../contract/errors.ts';
import { type Migrations, openDatabase, transaction, translating } from '../../data/sqlite.ts';
import { addPacked, type Bits, packed } from './bits.ts';

const migrations: Migrations = [
  `
  -- Files of a batch with places next to each other: from first on, from the batch's file start on.
  CREATE TABLE span (
    first INTEGER PRIMARY KEY,
    batch INTEGER NOT NULL,
    start INTEGER NOT NULL,
    files INTEGER NOT NULL
  ) STRICT;

  -- How much of a batch has places, and when it had ended when that was last looked at.
  CREATE TABLE batch (
    number      INTEGER PRIMARY KEY,
    id          TEXT NOT NULL,
    files       INTEGER NOT NULL,
    finished_ms INTEGER
  ) STRICT;

  -- Blocks whose words have to be read again.
  CREATE TABLE stale (block INTEGER PRIMARY KEY) STRICT;

  -- The files of a block that have a word: see bits.ts.
  CREATE TABLE posting (
    block INTEGER NOT NULL,
    word  TEXT NOT NULL,
    files BLOB NOT NULL,
    PRIMARY KEY (block, word)
  ) STRICT, WITHOUT ROWID;
  `,
];

/** Beginnings up to this length have sets of their own in a block where at least this many words begin with them. */
const SHORT = 3;
const MANY_WORDS = 16;

/** The word for a beginning, which nobody can type. */
const beginningWord = (start: string): string => `*${start}`;
const isTyped = (word: string): boolean => /^[\p{L}\p{N}]/u.test(word);

export type Span = {
  readonly first: number;
  readonly batch: number;
  readonly start: number;
  readonly files: number;
};
type IndexedBatch = {
  readonly number: number;
  readonly id: string;
  readonly files: number;
  readonly finishedAtMs: number | undefined;
};

export type IndexStore = {
  /** In the order of their places. */
  readonly spans: () => readonly Span[];
  readonly batches: () => readonly IndexedBatch[];
  /** The newest first. */
  readonly staleBlocks: () => readonly number[];
  readonly addSpan: (span: Span) => void;
  readonly putBatch: (batch: IndexedBatch) => void;
  readonly markStale: (block: number) => void;
  /** Replaces the words of a block, which is then no longer stale. */
  readonly putBlock: (block: number, words: ReadonlyMap<string, readonly number[]>) => void;
  /** Adds the files of a block with words that begin with `start` to `into`. */
  readonly addMatches: (into: Bits, block: number, start: string) => void;
  /** Forgets everything. */
  readonly clear: () => void;
  readonly together: (work: () => void) => void;
  readonly close: () => void;
};

/** Opens the index at `path`. Errors: `data/unwritable`. */
export const openIndexStore = (path: string): IndexStore => {
  try {
    return createStore(openDatabase({ path, migrations, durability: 'normal' }), path);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'data/unwritable') throw error;
    deleteIndex(path);
    return createStore(openDatabase({ path, migrations, durability: 'normal' }), path);
  }
};

/** Deletes the index, which is then made from the ledger again. */
export const deleteIndex = (path: string): void => {
  for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
};

const createStore = (db: DatabaseSync, path: string): IndexStore => {
  // Deleted words need not be overwritten: the ledger still has them.
  db.exec('PRAGMA secure_delete = OFF; PRAGMA cache_size = -16384; PRAGMA mmap_size = 268435456');
  const spans = db.prepare('SELECT * FROM span ORDER BY first');
  const batches = db.prepare('SELECT * FROM batch');
  const staleBlocks = db.prepare('SELECT block FROM stale ORDER BY block DESC');
  const addSpan = db.prepare('INSERT INTO span VALUES (?, ?, ?, ?)');
  const putBatch = db.prepare('INSERT OR REPLACE INTO batch VALUES (?, ?, ?, ?)');
  const markStale = db.prepare('INSERT OR IGNORE INTO stale VALUES (?)');
  const isClean = db.prepare('DELETE FROM stale WHERE block = ?');
  const removeWords = db.prepare('DELETE FROM posting WHERE block = ?');
  const addWord = db.prepare('INSERT INTO posting VALUES (?, ?, ?)');
  const exact = db.prepare('SELECT files FROM posting WHERE block = ? AND word = ?');
  const matches = db.prepare('SELECT files FROM posting WHERE block = ? AND word >= ? AND word < ?');
  const together = (work: () => void): void => transaction(db, work);

  return translating(path, {
    spans: () =>
      spans.all().map((row) => ({
        first: Number(row.first),
        batch: Number(row.batch),
        start: Number(row.start),
        files: Number(row.files),
      })),
    batches: () =>
      batches.all().map((row) => ({
        number: Number(row.number),
        id: String(row.id),
        files: Number(row.files),
        finishedAtMs: row.finished_ms === null ? undefined : Number(row.finished_ms),
      })),
    staleBlocks: () => staleBlocks.all().map(({ block }) => Number(block)),
    addSpan: ({ first, batch, start, files }) => void addSpan.run(first, batch, start, files),
    putBatch: ({ number, id, files, finishedAtMs }) => void putBatch.run(number, id, files, finishedAtMs ?? null),
    markStale: (block) => void markStale.run(block),
    putBlock: (block, words) =>
      together(() => {
        removeWords.run(block);
        for (const [word, files] of words) addWord.run(block, word, packed(files));
        for (const [start, files] of beginningsOf(words)) addWord.run(block, beginningWord(start), packed(files));
        isClean.run(block);
      }),
    addMatches: (into, block, start) => {
      const whole = start.length <= SHORT ? exact.all(block, beginningWord(start)) : [];
      for (const { files } of whole.length > 0 ? whole : matches.all(block, start, `${start}\u{10ffff}`))
        if (files instanceof Uint8Array) addPacked(into, files);
    },
    clear: () => together(() => db.exec('DELETE FROM span; DELETE FROM batch; DELETE FROM stale; DELETE FROM posting')),
    together,
    close: () => db.close(),
  } satisfies IndexStore);
};

/** The files with words that begin with the same short text, where these are many words. */
const beginningsOf = (words: ReadonlyMap<string, readonly number[]>): ReadonlyMap<string, readonly number[]> => {
  const typed = [...words.keys()].filter(isTyped);
  const found = new Map<string, readonly number[]>();
  for (let length = 1; length <= SHORT; length += 1)
    // Half a letter would be stored as the same text as any other half.
    for (const [start, alike] of Map.groupBy(typed, (word) => word.slice(0, length)))
      if (alike.length >= MANY_WORDS && start.isWellFormed())
        found.set(start, [...new Set(alike.flatMap((word) => words.get(word) ?? []))]);
  return found;
};

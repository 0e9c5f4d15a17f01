/**
 * What a search for files reads: the ledger, and files.sqlite, an index of the words of the ledger's files in an FTS5
 * table. The index can be rebuilt from the ledger, so it is deleted if it is damaged. The rowid of a file is the id of
 * its item, so a search in descending order finds the newest uploads first. Values of filters are stored as words, too.
 * Each begins with a character that no other word contains: `=` for a state, `#` for a hash, `@` for an assignment.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { deburr } from 'es-toolkit/string/deburr';
import { DeskError } from '../../../contract/errors.ts';
import type { FileQuery } from '../../../contract/files.ts';
import { type FileState, ListedState } from '../../../contract/uploads.ts';
import { createSingleFlight } from '../../async/lock.ts';
import { removeDatabase } from '../../data/files.ts';
import {
  createRead,
  type Migrations,
  openDatabase,
  openReadOnly,
  orClosed,
  transaction,
  translating,
} from '../../data/sqlite.ts';
import { type Item, nameOfRow, RANGE, sha256OfRow, toItem, WITH_REMOVAL } from '../ledger/items.ts';
import { ledgerMigrations } from '../ledger/migrations.ts';
import { archiveKey } from '../source/file-identity.ts';
import { chosenFolderOf } from '../source/paths.ts';

// The ledger.

/** A batch for the search. The ids of its files begin at `number * RANGE`. `finishedAtMs`: null if it has not ended. */
export type BatchFacts = {
  readonly number: number;
  readonly id: string;
  readonly connectionId: string;
  readonly uploadId: string;
  readonly AssignmentId: string;
  readonly root: string;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly files: number;
};

/** The ids of files from `firstId` up to, but not including, `endId`. */
type IdRange = { readonly firstId: number; readonly endId: number };

type Window = { readonly offset: number; readonly limit: number };

type NamedItem = Pick<Item, 'id' | 'path' | 'fileName' | 'sha256'> & { readonly state: string };

/** A file that is known only because the service listed it. `words`: the `wordList` of its name. */
type ReportedFile = {
  readonly AssignmentId: string;
  readonly FileName: string;
  readonly addedAtMs: number;
  readonly words: string;
};

/**
 * The conditions that a file has to meet. `sha256`: the beginning of the hash, in lower case. `fromMs`, `beforeMs`:
 * limits, in ms since 1970, of the time when the file was settled or, if it is not settled, of the time when its batch
 * was created.
 */
type FileConditions = Pick<FileQuery, 'states' | 'sha256' | 'fromMs' | 'beforeMs'>;

type LedgerView = ReturnType<typeof createView>;

const openLedger = (path: string): LedgerView => {
  const db = openReadOnly({ path, migrations: ledgerMigrations });
  return orClosed(db, () => translating(path, createView(db)));
};

/**
 * Returns the states to search for in the ledger. The ledger stores removed files as `done`, so `removed` says whether
 * removed files have to be added or left out; absent if neither.
 */
const storedStates = (
  listed: readonly ListedState[],
): { readonly states: readonly FileState[]; readonly removed?: 'added' | 'out' } => {
  const states = listed.filter((state) => state !== 'removed');
  const isListed = states.length < listed.length;
  return { states, ...(isListed !== states.includes('done') && { removed: isListed ? 'added' : 'out' }) };
};

/** If more states than this are wanted, most files probably match (`windowInStates`). */
const FEW_STATES = 4;

type Id = { readonly id: number };

const createView = (db: DatabaseSync) => {
  const read = createRead(db);
  const version = db.prepare('PRAGMA data_version');
  const batches = read<BatchFacts>(
    `SELECT number, id, connection AS connectionId, upload_id AS uploadId, assignment_id AS AssignmentId, root,
       created_ms AS createdAtMs, finished_ms AS finishedAtMs, coalesce(
         (SELECT sum(files) FROM tally WHERE tally.batch = batch.number AND tally.state != 'removed'), 0) AS files
     FROM batch WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number`,
  );
  const ends = read<Pick<BatchFacts, 'number' | 'finishedAtMs'>>(
    'SELECT number, finished_ms AS finishedAtMs FROM batch',
  );
  const inRange = 'id >= ? AND id < ?';
  const named = db.prepare(`SELECT id, path, file_name, digest, state FROM item WHERE ${inRange}`);
  const items = db.prepare(`${WITH_REMOVAL} WHERE id IN (SELECT value FROM json_each(?))`);
  const meets = `iif(removed_file.item IS NULL, item.state, 'removed') IN (SELECT value FROM json_each(?1))
    AND coalesce(settled_ms, created_ms) >= ?2 AND coalesce(settled_ms, created_ms) < ?3
    AND (?4 IS NULL OR digest BETWEEN ?4 AND ?5)`;
  const withFacts =
    'JOIN batch ON batch.number = item.batch LEFT JOIN removed_file ON removed_file.item = item.id WHERE';
  const meeting = read<Id>(
    `SELECT item.id FROM json_each(?6) AS asked CROSS JOIN item ON item.id = asked.value ${withFacts} ${meets}`,
  );
  const allMeeting = read<Id>(
    `SELECT item.id FROM item ${withFacts} item.id >= ?6 * ${RANGE} AND item.id < (?6 + 1) * ${RANGE} AND ${meets}
     ORDER BY item.id DESC LIMIT ?7 OFFSET ?8`,
  );
  const filesIn = read<{ batch: number; total: number }>(
    `SELECT batch, sum(files * iif(state = 'removed', ?2, 1)) AS total FROM tally
     WHERE files > 0 AND (state = 'removed' OR state IN (SELECT value FROM json_each(?1))) GROUP BY batch HAVING total > 0`,
  );
  const windowInStates = read<Id>(
    `SELECT id FROM item INDEXED BY item_by_state WHERE batch = ? AND state IN (SELECT value FROM json_each(?))
     ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const inRangeAndStates = read<Id>(
    `SELECT id FROM item WHERE ${inRange} AND state IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const sentOf = db.prepare(
    `SELECT size_bytes, digest, file_id, changed_ms, settled_ms, assignment_id, removed_file.item IS NULL AS there
     FROM item JOIN batch ON batch.number = item.batch LEFT JOIN removed_file ON removed_file.item = item.id
     WHERE item.state IN ('done', 'skipped') AND digest IS NOT NULL AND batch.connection = ?
       AND size_bytes IN (SELECT value FROM json_each(?))`,
  );
  // An archive that was opened in a review is recorded like the files in it, with a path inside the archive. The
  // `file_id` of the archive and of each file in it ends with the archive's size (`innerFacts`), and only the archive
  // itself has that size.
  const sentArchives = db.prepare(
    `SELECT file_id, changed_ms FROM item JOIN batch ON batch.number = item.batch
     WHERE item.state IN ('done', 'skipped') AND digest IS NOT NULL AND batch.connection = ? AND file_id IS NOT NULL
       AND (path LIKE '%.zip' OR path LIKE '%.eml' OR path LIKE '%.msg')
       AND (file_id NOT LIKE '%+%' OR (path LIKE '%.zip' AND file_id LIKE '%+' || size_bytes))
       AND NOT EXISTS (SELECT 1 FROM removed_file WHERE removed_file.item = item.id)`,
  );
  const hasRemoved = db.prepare(`SELECT 1 FROM tally WHERE batch = ? AND state = 'removed' AND files > 0`);
  const ofReported = `FROM known_file INDEXED BY known_file_reported WHERE connection = ? AND source = 'seen-at-removal'`;
  const reported = read<Omit<ReportedFile, 'words'>>(
    `SELECT assignment_id AS AssignmentId, file_name AS FileName, at_ms AS addedAtMs ${ofReported} ORDER BY at_ms DESC`,
  );
  const reportedVersion = db.prepare('SELECT changes FROM reported_version WHERE connection = ?');

  let reportedBefore: { readonly of: string; readonly files: readonly ReportedFile[] } | undefined;
  const idsOf = (rows: readonly Id[]): readonly number[] => rows.map(({ id }) => id);

  return {
    /** A number that changes whenever another database connection writes to the ledger. */
    version: (): number => Number(version.get()?.data_version),
    /** Batches in order of their numbers: those that may differ from the `known` ones, and all unfinished ones. */
    changedBatches: (known: ReadonlyMap<number, BatchFacts>): readonly BatchFacts[] => {
      const isSame = ({ number, finishedAtMs }: Pick<BatchFacts, 'number' | 'finishedAtMs'>): boolean =>
        finishedAtMs !== null && known.get(number)?.finishedAtMs === finishedAtMs;
      const changed = ends.all().filter((batch) => !isSame(batch));
      return batches.all(JSON.stringify(changed.map(({ number }) => number)));
    },
    named: ({ firstId, endId }: IdRange): readonly NamedItem[] =>
      named.all(firstId, endId).map((row) => ({
        id: Number(row.id),
        path: String(row.path),
        fileName: nameOfRow(row),
        sha256: sha256OfRow(row),
        state: String(row.state),
      })),
    items: (ids: readonly number[]): readonly Item[] => items.all(JSON.stringify(ids)).map(toItem),
    meeting: (ids: readonly number[], conditions: FileConditions): ReadonlySet<number> =>
      new Set(idsOf(meeting.all(...valuesOf(conditions), JSON.stringify(ids)))),
    /** The ids of a batch's files that meet the conditions, in descending order, at most `limit`. */
    idsMeeting: (batch: number, conditions: FileConditions, limit: number): readonly number[] =>
      idsOf(allMeeting.all(...valuesOf(conditions), batch, limit, 0)),
    /** How many files of each batch are listed in these states, by batch number. Batches without any are absent. */
    filesIn: (listed: readonly ListedState[]): ReadonlyMap<number, number> => {
      const { states, removed } = storedStates(listed);
      const times = removed === undefined ? 0 : removed === 'added' ? 1 : -1;
      const found = filesIn.all(JSON.stringify(states), times);
      return new Map(found.map(({ batch, total }) => [batch, total]));
    },
    /** A window of the ids of a batch's files that are listed in these states, in descending order. */
    windowInStates: (batch: number, listed: readonly ListedState[], { offset, limit }: Window): readonly number[] => {
      const { states, removed } = storedStates(listed);
      // With many states, most files match. Skipping the others is then faster than sorting those that match.
      if (!removed && states.length > FEW_STATES) {
        const range = [batch * RANGE, (batch + 1) * RANGE];
        return idsOf(inRangeAndStates.all(...range, JSON.stringify(states), limit, offset));
      }
      return idsOf(
        removed && hasRemoved.get(batch)
          ? allMeeting.all(...valuesOf({ states: listed }), batch, limit, offset)
          : windowInStates.all(batch, JSON.stringify(states), limit, offset),
      );
    },
    /**
     * The files of these sizes whose content was uploaded or was already on the assignment. `isThere`: no removal is
     * known; `atMs`: ms since 1970. Slow: sizes have no index.
     */
    sentOf: (connectionId: string, sizes: readonly number[]) =>
      sentOf.all(connectionId, JSON.stringify(sizes)).map((row) => ({
        sizeBytes: Number(row.size_bytes),
        sha256: sha256OfRow(row) ?? '',
        identity: row.file_id === null ? undefined : { id: String(row.file_id), changedMs: Number(row.changed_ms) },
        AssignmentId: String(row.assignment_id),
        atMs: Number(row.settled_ms),
        isThere: row.there === 1,
      })),
    /** The `archiveKey` of each archive that was uploaded as a whole and not removed. Slow: paths have no index. */
    sentArchives: (connectionId: string): readonly string[] =>
      sentArchives.all(connectionId).map(({ file_id, changed_ms }) => {
        const [id = ''] = String(file_id).split('+');
        return archiveKey({ id, changedMs: Number(changed_ms) });
      }),
    /** The reported files of a connection, the latest first. They are read again only once one of them has changed. */
    reported: (connectionId: string): readonly ReportedFile[] => {
      const of = `${connectionId} ${reportedVersion.get(connectionId)?.changes}`;
      if (reportedBefore?.of !== of) {
        const files = reported.all(connectionId).map((file) => ({ ...file, words: wordList(file.FileName) }));
        reportedBefore = { of, files };
      }
      return reportedBefore.files;
    },
    close: (): void => db.close(),
  };
};

/** The parameters ?1 to ?5 of statements with conditions. A hash that begins with `sha256` lies between ?4 and ?5. */
const valuesOf = ({
  states = ListedState.options,
  sha256,
  fromMs = 0,
  beforeMs = Number.MAX_SAFE_INTEGER,
}: FileConditions) => [
  JSON.stringify(states),
  fromMs,
  beforeMs,
  ...['0', 'f'].map((digit) => (sha256 === undefined ? null : Buffer.from(sha256.padEnd(64, digit), 'hex'))),
];

// The tables of the index, and the queries of a search.

// The tokenizer `ascii` does not split the words of `wordsOf`: characters outside of ASCII count as letters.
// No search needs the position of a word, so only the files of each word are stored (detail=none).
const migrations: Migrations = [
  `
  -- How many of a batch's first files are indexed, with the name of its assignment and its finished_ms as they were then.
  -- finished_ms is null if the batch had not ended.
  CREATE TABLE indexed (
    batch       INTEGER PRIMARY KEY,
    id          TEXT NOT NULL,
    files       INTEGER NOT NULL,
    name        TEXT NOT NULL,
    finished_ms INTEGER
  ) STRICT;

  -- All indexed words.
  CREATE TABLE word (text TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  CREATE VIRTUAL TABLE file_words USING fts5 (words, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3',
    tokenize = "ascii tokenchars '=#@-'");
  `,
];

/** The state that is indexed for files of unfinished batches: only the ledger has their exact states. */
const OPEN = 'open';

const HASH_DIGITS = 12;

/** FTS5 indexes the beginnings of words up to this length (`prefix`). */
const SHORT = 3;

/**
 * The maximum number of indexed words that replace a beginning longer than `SHORT`. A search for the beginning itself
 * would read all files that match, and not only those that it returns.
 */
const MOST_WORDS = 400;

/** The conditions of a search, in lower case. */
type Wanted = {
  /** Beginnings of words. */
  readonly words: readonly string[];
  readonly AssignmentId?: string | undefined;
  /** Files of batches that have not ended match, whatever their states. A removed file counts as `done`. */
  readonly states?: readonly ListedState[] | undefined;
  readonly sha256?: string | undefined;
};

/**
 * A batch whose first `files` files are indexed. `finishedAtMs`, `name`: the batch's values when these were indexed.
 */
type Indexed = Pick<BatchFacts, 'number' | 'id' | 'files' | 'finishedAtMs'> & { readonly name: string };

type WordStore = ReturnType<typeof createWordStore>;

const createWordStore = (path: string, db: DatabaseSync) => {
  // Deleted words are not overwritten. That is faster, and most of the words are in the ledger's paths and names
  // anyway.
  db.exec('PRAGMA secure_delete = OFF; PRAGMA cache_size = -16384; PRAGMA mmap_size = 268435456');
  const indexed = createRead(db)<Indexed>(
    'SELECT batch AS number, id, files, name, finished_ms AS finishedAtMs FROM indexed',
  );
  const putBatch = db.prepare('INSERT OR REPLACE INTO indexed VALUES (?, ?, ?, ?, ?)');
  const putFile = db.prepare('INSERT OR REPLACE INTO file_words (rowid, words) VALUES (?, ?)');
  const putWord = db.prepare('INSERT OR IGNORE INTO word VALUES (?)');
  const wordsFrom = db.prepare('SELECT text FROM word WHERE text >= ? AND text < ? LIMIT ?');
  // The ids are selected as one JSON value, because returning separate rows would take most of a search's time.
  const select = (condition: string): string =>
    `SELECT json_group_array(id) AS ids FROM (SELECT rowid AS id FROM file_words
       WHERE file_words MATCH ?1 AND rowid >= ?2 AND rowid < ?3${condition} ORDER BY rowid DESC LIMIT ?4)`;
  const matching = db.prepare(select(''));
  const matchingAmong = db.prepare(select(' AND rowid IN (SELECT value FROM json_each(?5))'));

  const anyOf = (words: readonly string[]): string => `(${words.map((word) => `"${word}"`).join(' OR ')})`;
  const hash = (sha256: string): string => `"#${sha256.slice(0, HASH_DIGITS)}" *`;
  /**
   * The FTS5 expression for words that begin with `start` and, if `start` is eight or more hex digits, for hashes that
   * begin with it.
   */
  const beginning = (start: string): string => {
    const known = start.length > SHORT ? wordsFrom.all(start, `${start}\u{10ffff}`, MOST_WORDS + 1) : [];
    const areListed = start.length > SHORT && known.length <= MOST_WORDS;
    const word = areListed ? anyOf([start, ...known.map(({ text }) => String(text))]) : `"${start}" *`;
    return /^[0-9a-f]{8,}$/.test(start) ? `(${word} OR ${hash(start)})` : word;
  };
  const expressionOf = ({ words, AssignmentId, states, sha256 }: Wanted): string =>
    [
      ...words.map(beginning),
      ...(AssignmentId === undefined ? [] : [`"@${AssignmentId}"`]),
      ...(states ? [anyOf([...states, OPEN].map((state) => `=${state === 'removed' ? 'done' : state}`))] : []),
      ...(sha256 === undefined ? [] : [hash(sha256)]),
    ].join(' AND ');

  return translating(path, {
    indexed: () => indexed.all(),
    /** Stores the words of files, in ascending order of ids, and how many files of their batches are indexed. */
    put: (batches: readonly Indexed[], files: Iterable<readonly [id: number, words: readonly string[]]>): void =>
      transaction(db, () => {
        const all = new Set<string>();
        for (const [id, words] of files) {
          putFile.run(id, words.join(' '));
          for (const word of words) all.add(word);
        }
        for (const word of all) putWord.run(word);
        for (const { number, id, files: count, name, finishedAtMs } of batches)
          putBatch.run(number, id, count, name, finishedAtMs);
      }),
    /**
     * The ids in the range whose files match, in descending order, at most `limit`; if `among` is given, only ids in
     * `among`.
     */
    matching: (wanted: Wanted, { firstId, endId }: IdRange, limit: number, among?: readonly number[]) => {
      const match = expressionOf(wanted);
      const found = among
        ? matchingAmong.get(match, firstId, endId, limit, JSON.stringify(among))
        : matching.get(match, firstId, endId, limit);
      return JSON.parse(String(found?.ids)) as readonly number[];
    },
    clear: (): void =>
      transaction(db, () =>
        db.exec("DELETE FROM indexed; DELETE FROM word; INSERT INTO file_words (file_words) VALUES ('delete-all')"),
      ),
    close: (): void => db.close(),
  });
};

// How the index follows the ledger.

export type FileIndex = ReturnType<typeof createFileIndex>;

/** The maximum number of files that are indexed in one transaction. */
const CHUNK = 4_096;

/**
 * Opens the index, and the ledger for reading. A damaged or newer index is replaced by an empty one. Errors: those of
 * the ledger (`data/…`), and `data/unwritable` of the index.
 */
export const openFileIndex = (indexPath: string, ledgerPath: string): FileIndex => {
  const ledger = openLedger(ledgerPath);
  return orClosed(ledger, () => openIndex(indexPath, ledger));
};

const openIndex = (path: string, ledger: LedgerView): FileIndex => {
  try {
    return openOnce(path, ledger);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'data/unwritable') throw error;
    removeDatabase(path);
    return openOnce(path, ledger);
  }
};

const openOnce = (path: string, ledger: LedgerView): FileIndex => {
  const db = openDatabase({ path, migrations, durability: 'normal' });
  return orClosed(db, () => createFileIndex(createWordStore(path, db), ledger));
};

const createFileIndex = (store: WordStore, ledger: LedgerView) => {
  const batches = new Map<number, BatchFacts>();
  const names = new Map<string, string>();
  const indexed = new Map(store.indexed().map((batch) => [batch.number, batch]));
  /** The numbers of batches that have files to index, or that are not in `indexed`. */
  const stale = new Set<number>();
  let version: number | undefined;

  const nameOf = ({ number, AssignmentId }: BatchFacts): string =>
    names.get(AssignmentId) ?? indexed.get(number)?.name ?? '';
  /** How many of a batch's first files need not be indexed again. */
  const current = (batch: BatchFacts): number => {
    const before = indexed.get(batch.number);
    const isSame = before?.finishedAtMs === batch.finishedAtMs && before?.name === nameOf(batch);
    return before && isSame ? before.files : 0;
  };
  const compare = (batch: BatchFacts): void => {
    if (indexed.has(batch.number) && current(batch) === batch.files) stale.delete(batch.number);
    else stale.add(batch.number);
  };

  function* filesOf(batch: BatchFacts, from: number, end: number): Generator<readonly [number, readonly string[]]> {
    const { root, AssignmentId, finishedAtMs } = batch;
    const shared = wordsOf(`${chosenFolderOf({ root, path: '' })} ${nameOf(batch)}`);
    const firstId = batch.number * RANGE;
    for (const file of ledger.named({ firstId: firstId + from, endId: firstId + end })) {
      const { id, path, fileName, sha256, state } = file;
      const own = wordsOf(path.endsWith(fileName) ? path : `${path} ${fileName}`);
      const filters = [`@${AssignmentId.toLowerCase()}`, `=${finishedAtMs === null ? OPEN : state}`];
      yield [
        id,
        [...new Set([...own, ...shared]), ...filters, ...(sha256 ? [`#${sha256.slice(0, HASH_DIGITS)}`] : [])],
      ];
    }
  }

  const addChunk = (): void => {
    const chunk: { readonly batch: BatchFacts; readonly from: number; readonly end: number }[] = [];
    let left = CHUNK;
    for (const number of [...stale].toSorted((a, b) => b - a)) {
      const batch = batches.get(number);
      if (!batch) continue;
      const from = current(batch);
      const end = Math.min(batch.files, from + left);
      // FTS5 adds rows fastest in ascending order of their ids.
      chunk.unshift({ batch, from, end });
      left -= end - from;
      if (left === 0) break;
    }
    const added = chunk.map(({ batch, end }): Indexed => ({ ...batch, files: end, name: nameOf(batch) }));
    store.put(
      added,
      chunk.values().flatMap(({ batch, from, end }) => filesOf(batch, from, end)),
    );
    for (const batch of added) indexed.set(batch.number, batch);
    for (const { batch } of chunk) compare(batch);
  };
  const updating = createSingleFlight(async () => {
    while (stale.size > 0) {
      addChunk();
      await setImmediate();
    }
  });

  return {
    /** Finds out which batches of the ledger have changed. `update` then indexes their files. */
    look: (): void => {
      const now = ledger.version();
      if (now === version) return;
      const changed = ledger.changedBatches(batches);
      // Whether the batch shows that another ledger has replaced the indexed one.
      const isOther = ({ number, id, files }: BatchFacts): boolean => {
        const before = indexed.get(number);
        return before !== undefined && (before.id !== id || before.files > files);
      };
      if (changed.some(isOther) || (version === undefined && indexed.size > changed.length)) {
        store.clear();
        indexed.clear();
        stale.clear();
      }
      for (const batch of changed) {
        batches.set(batch.number, batch);
        compare(batch);
      }
      version = now;
    },
    /**
     * Records names of assignments. If a name differs from the indexed one, `update` indexes the files of that
     * assignment again.
     */
    setNames: (learned: ReadonlyMap<string, string>): void => {
      for (const [AssignmentId, name] of learned) names.set(AssignmentId, name);
      for (const batch of batches.values()) if (learned.has(batch.AssignmentId)) compare(batch);
    },
    /** Indexes new and changed files, the newest batches first. Other work can run after each `CHUNK` files. */
    update: updating.run,
    /** How many files still have to be indexed, for the first time or again. */
    waiting: (): number => {
      let files = 0;
      for (const number of stale) {
        const batch = batches.get(number);
        if (batch) files += batch.files - current(batch);
      }
      return files;
    },
    /** All batches of the ledger at the last `look`, by number in ascending order. */
    batches: (): ReadonlyMap<number, BatchFacts> => batches,
    /** Whether the index has the final states and hashes of the batch's files. */
    isFinal: ({ number, finishedAtMs }: BatchFacts): boolean => finishedAtMs !== null && !stale.has(number),
    matching: store.matching,
    ledger,
    close: (): void => {
      store.close();
      ledger.close();
    },
  };
};

// The words that find files, in lower case and without accents.

/** The maximum length of a word, in UTF-16 code units. Longer words are cut, in the index and in searches. */
const LONGEST = 40;
/** The maximum number of parts of a word that `wordsOf` uses. Some words, such as hashes, have many parts. */
const MOST_PARTS = 5;

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/**
 * Removes accents, and replaces letters that Unicode does not decompose, such as `ø`. `deburr` does not know the
 * capital `ẞ`.
 */
const withoutAccents = (text: string): string =>
  isPlain(text) ? text : deburr(text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ẞ', 'SS'));

const wordsIn = (text: string): readonly string[] => withoutAccents(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The word in lower case, cut after `LONGEST` code units, but not within a surrogate pair. */
const asStored = (word: string): string =>
  word
    .toLowerCase()
    .slice(0, LONGEST)
    .replace(/[\uD800-\uDBFF]$/, '');

/** Where a word is split: between letters and digits, and between a lower-case letter and a capital. */
const INSIDE = /(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})/u;

/** The words of a search, in order of their probable rarity: long ones first, those with a leading digit last. */
export const typedWords = (text: string): readonly string[] =>
  [...new Set(wordsIn(text).map(asStored))].toSorted((a, b) => rarity(b) - rarity(a));

const rarity = (word: string): number => word.length - (/^\d/.test(word) ? LONGEST : 0);

/** Returns the words that find `text`: for `IMG0123`, the words `img0123`, `0123` and `123`. */
export const wordsOf = (text: string): ReadonlySet<string> => {
  const words = new Set<string>();
  for (const word of wordsIn(text)) {
    for (let parts = word.split(INSIDE).slice(0, MOST_PARTS), at = 0; parts.length > 0; parts = parts.slice(1)) {
      const rest = asStored(word.slice(at));
      words.add(rest);
      if (rest.startsWith('0')) words.add(rest.replace(/^0+(?=.)/, ''));
      at += parts[0]?.length ?? 0;
    }
  }
  return words;
};

/** The words of `text`, each after a space, as one text: searching one text is faster than searching many words. */
export const wordList = (text: string): string => [...wordsOf(text)].map((word) => ` ${word}`).join('');

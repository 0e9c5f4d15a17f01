/**
 * What the tables of cache.sqlite share: numbers of connections and rows, totals, requests, work in slices, the schema.
 */
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { createSerial } from '../async/lock.ts';
import type { Migrations } from '../data/sqlite.ts';

/** Returns the range of row numbers of connection `no`, including `first` and `last`. */
export const rowsOf = (no: number): { readonly first: number; readonly last: number } => ({
  first: no * 2 ** 32,
  last: (no + 1) * 2 ** 32 - 1,
});

export type Connections = ReturnType<typeof createConnections>;

/** Opens the table of connections in `db`. A key is added to the table when it is first used. */
export const createConnections = (db: DatabaseSync) => {
  const add = db.prepare('INSERT INTO connection (key) VALUES (?) ON CONFLICT DO NOTHING');
  const get = db.prepare('SELECT no, pass FROM connection WHERE key = ?');
  const setPass = db.prepare('UPDATE connection SET pass = ? WHERE no = ?');
  const row = (key: string) => {
    const known = get.get(key);
    if (known) return known;
    add.run(key);
    return get.get(key) ?? {};
  };
  const numbers = new Map<string, number>();
  /** Returns the number of a connection. The number never changes. */
  const no = (key: string): number => {
    const known = numbers.get(key) ?? Number(row(key).no);
    // A number that was read in a transaction is not cached. The transaction may have added the connection, which can
    // get another number if the transaction is rolled back.
    if (!db.isTransaction) numbers.set(key, known);
    return known;
  };
  const pass = (key: string): number => Number(row(key).pass);
  return { no, pass, beginPass: (key: string) => void setPass.run(pass(key) + 1, no(key)) };
};

/** The SQL for the next row number of connection `?1` in `table`: one above the highest. */
export const nextRow = (table: 'protocol' | 'assignment'): string =>
  `max(?1 << 32, 1 + coalesce((SELECT max(row) FROM ${table} WHERE row < (?1 + 1) << 32), 0))`;

/**
 * The SQL for the id of the protocol that lists an assignment; null if no stored list of a protocol contains it. `row`:
 * the name of the row of `assignment` in the query.
 */
export const protocolOf = (row: string): string =>
  `(SELECT substr(min(response), length('assignments/') + 1) FROM listed WHERE connection = ${row}.connection
    AND assignment = ${row}.id AND response > 'assignments/' AND response < 'assignments0')`;

/**
 * Creates a function that returns a number, which changes when one of `writes` has changed a row. A write has the form
 * of a trigger's event, such as `INSERT ON main.protocol`. `name`: the name for the temporary table of the number.
 */
export const createVersion = (db: DatabaseSync, name: string, writes: readonly string[]): (() => number) => {
  const triggers = writes.map(
    (write, at) =>
      `CREATE TEMP TRIGGER ${name}_${at} AFTER ${write} BEGIN UPDATE ${name} SET version = version + 1; END;`,
  );
  db.exec(
    `CREATE TEMP TABLE ${name} (version INTEGER NOT NULL); INSERT INTO ${name} VALUES (0); ${triggers.join(' ')}`,
  );
  const get = db.prepare(`SELECT version FROM ${name}`);
  return () => Number(get.get()?.version);
};

/** The maximum number of totals that are remembered. Scrolling and typing request the same totals again. */
export const MOST_TOTALS = 100;

/**
 * Creates a memory of results by their keys. It is emptied by `forget`, and before it would hold more than `most`
 * results.
 */
export const createMemory = <T>(most = Number.POSITIVE_INFINITY) => {
  const known = new Map<string, T>();
  return {
    forget: () => known.clear(),
    of: (key: string, make: () => T): T => {
      const before = known.get(key);
      if (before !== undefined) return before;
      if (known.size >= most) known.clear();
      const made = make();
      known.set(key, made);
      return made;
    },
  };
};

/**
 * A request whose response is to be stored. `isOutdated`: whether the offline data was cleared after the request had
 * begun; the response must then not be stored.
 */
export type BegunRequest = { readonly connectionId: string; readonly isOutdated: () => boolean };

export type Requests = ReturnType<typeof createRequests>;

/**
 * Creates the record of when offline data was cleared. Requests that began before a clearing are outdated. The record
 * has to outlive a cache that is replaced because of damage.
 */
export const createRequests = () => {
  let clearings = 0;
  return {
    begin: (connectionId: string): BegunRequest => {
      const before = clearings;
      return { connectionId, isOutdated: () => clearings !== before };
    },
    outdate: (): void => {
      clearings += 1;
    },
  };
};

/** Runs the steps of a write that stores the response to a request. Stops when the request is outdated. */
export const untilOutdated = function* ({ isOutdated }: BegunRequest, steps: Steps): Steps {
  while (!isOutdated() && steps.next().done !== true) yield;
};

/**
 * SQL that stores the values of a connection's assignments that no response lists any more. `which`: a further
 * condition.
 */
export const keepFormer = (which = 'true'): string =>
  `INSERT OR REPLACE INTO former_assignment (connection, id, value)
   SELECT connection, id, value FROM assignment AS a WHERE connection = ?1 AND ${which}
     AND NOT EXISTS (SELECT 1 FROM listed WHERE listed.connection = ?1 AND listed.assignment = a.id)`;

// Long writes run in slices, so that the process can do other work in between.

/** A write that can be interrupted at each `yield`. Data written before an interruption stays. */
export type Steps = Generator<void, void>;

/** The time after which a slice ends and commits: `WRITE_MS` in `run`, `TRIM_MS` in `slice`. */
const [WRITE_MS, TRIM_MS] = [10, 4];

/**
 * Creates a queue of long writes, which run in slices, one write after the other. `together` runs a slice in one
 * transaction.
 */
export const createSlicer = (together: (work: () => void) => void, now = () => performance.now()) => {
  const inTurn = createSerial();
  let isAbandoned = false;

  const take = (steps: Steps, lengthMs: number): boolean => {
    let isDone = false;
    together(() => {
      const beganMs = now();
      do isDone = steps.next().done === true;
      while (!isDone && now() - beganMs < lengthMs);
    });
    return isDone;
  };

  return {
    /**
     * Runs the steps of a write once earlier calls have ended, each slice in its own transaction. Resolves early after
     * `abandon`. Errors: those of the steps and of `together`.
     */
    run: (steps: Steps): Promise<void> =>
      inTurn(async () => {
        while (!isAbandoned && !take(steps, WRITE_MS)) await setImmediate();
      }),
    /**
     * Runs one short slice of `steps` once earlier calls have ended, and drops the steps after it, so that later writes
     * do not wait for them. Resolves to true if the slice ran all steps, or after `abandon`. Errors: those of the steps
     * and of `together`.
     */
    slice: (steps: Steps): Promise<boolean> => inTurn(async () => isAbandoned || take(steps, TRIM_MS)),
    /** Ends all present and later calls. To be called when the database is closed. */
    abandon: (): void => {
      isAbandoned = true;
    },
  };
};

// The schema of cache.sqlite. Add migrations to the end, and never edit a released one.

export const cacheMigrations: Migrations = [
  `
  -- Rows of a connection have numbers from no << 32 on, so that a search reads only its own part of an index.
  CREATE TABLE connection (
    no   INTEGER PRIMARY KEY,
    key  TEXT NOT NULL UNIQUE,
    pass INTEGER NOT NULL DEFAULT 0 -- the number of the current, or last, pass of the offline walk
  ) STRICT;

  -- Every protocol seen in any list, for lists, sorting and searches without a network.
  CREATE TABLE protocol (
    row            INTEGER PRIMARY KEY,
    connection     INTEGER NOT NULL,
    id             TEXT NOT NULL,
    Address        TEXT NOT NULL COLLATE NOCASE,
    City           TEXT NOT NULL COLLATE NOCASE,
    ZipCode        TEXT NOT NULL COLLATE NOCASE,
    FacilityId     TEXT NOT NULL COLLATE NOCASE,
    InspectionDate REAL NOT NULL,
    Points         REAL NOT NULL,
    place          INTEGER NOT NULL, -- its position in the service's own order when it was last seen
    fetched_ms     INTEGER NOT NULL,
    pass             INTEGER NOT NULL, -- in which it was last seen in a list,
    assignments_pass INTEGER,          -- its assignments were read,
    points_pass      INTEGER,          -- and its inspection points; null: never
    skipped_pass     INTEGER NOT NULL DEFAULT 0 -- and in which the service refused them
  ) STRICT;
  CREATE UNIQUE INDEX protocol_by_id ON protocol (connection, id);
  CREATE INDEX protocol_by_place ON protocol (connection, place);
  CREATE INDEX protocol_by_address ON protocol (connection, Address);
  CREATE INDEX protocol_by_city ON protocol (connection, City);
  CREATE INDEX protocol_by_zip ON protocol (connection, ZipCode);
  CREATE INDEX protocol_by_facility ON protocol (connection, FacilityId);
  CREATE INDEX protocol_by_date ON protocol (connection, InspectionDate);
  CREATE INDEX protocol_by_points ON protocol (connection, Points);
  CREATE INDEX protocol_to_keep ON protocol (connection, pass,
    max(skipped_pass, min(coalesce(assignments_pass, 0), coalesce(points_pass, 0))));
  CREATE INDEX protocol_by_age ON protocol (connection, fetched_ms);
  -- Few protocols are skipped. They are counted with the progress.
  CREATE INDEX protocol_skipped ON protocol (connection, skipped_pass) WHERE skipped_pass > 0;
  -- Ids are searched by their beginnings, ignoring case.
  CREATE INDEX protocol_by_id_beginning ON protocol (connection, id COLLATE NOCASE);

  CREATE TABLE assignment (
    row              INTEGER PRIMARY KEY,
    connection       INTEGER NOT NULL,
    id               TEXT NOT NULL,
    AssignmentStatus TEXT NOT NULL,
    value            TEXT NOT NULL, -- AssignmentSummary as JSON
    fetched_ms       INTEGER NOT NULL,
    -- What assignments are filtered and sorted by; see work-list.ts.
    StartTime        REAL AS (value ->> 'StartTime'),
    Address          TEXT COLLATE NOCASE AS (value ->> 'Address'),
    City             TEXT COLLATE NOCASE AS (value ->> 'City'),
    Performer        TEXT COLLATE NOCASE AS (value ->> 'Performer'),
    Customer         TEXT COLLATE NOCASE AS (trim((value ->> 'FirstName') || ' ' || (value ->> 'LastName')))
  ) STRICT;
  CREATE UNIQUE INDEX assignment_by_id ON assignment (connection, id);
  -- Indexes by which assignments are filtered have the other fields of filters, so that counting reads no JSON.
  CREATE INDEX assignment_by_status ON assignment (connection, AssignmentStatus, StartTime);
  CREATE INDEX assignment_by_start ON assignment (connection, StartTime, AssignmentStatus);
  CREATE INDEX assignment_by_city ON assignment (connection, City, StartTime, AssignmentStatus, Performer);
  CREATE INDEX assignment_by_performer ON assignment (connection, Performer, StartTime, AssignmentStatus);
  CREATE INDEX assignment_by_address ON assignment (connection, Address);
  CREATE INDEX assignment_by_customer ON assignment (connection, Customer);
  CREATE INDEX assignment_by_id_beginning ON assignment (connection, id COLLATE NOCASE);

  -- The responses of the reads other than lists of protocols, by name ('assignments/ID', 'points/ID', 'projects/COUNTY',
  -- 'events'), in parts, so that storing or reading one does not block the process.
  CREATE TABLE response (
    no         INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: a part belongs to one response
    connection INTEGER NOT NULL,
    name       TEXT NOT NULL,
    frame      TEXT NOT NULL, -- the response as JSON, without its items
    parts      INTEGER,       -- null while they are being stored; the last complete one counts
    unreadable INTEGER NOT NULL,
    fetched_ms INTEGER NOT NULL,
    used_day   INTEGER NOT NULL DEFAULT 0 -- the day (from 1970) on which it was last stored or read: see upkeep.ts
  ) STRICT;
  CREATE INDEX response_by_name ON response (connection, name);
  CREATE INDEX response_by_use ON response (connection, used_day, no);
  CREATE INDEX response_incomplete ON response (no) WHERE parts IS NULL;
  CREATE TABLE response_part (
    response INTEGER NOT NULL REFERENCES response ON DELETE CASCADE,
    part   INTEGER NOT NULL, -- from 0
    Items  TEXT NOT NULL,    -- as JSON
    PRIMARY KEY (response, part)
  ) STRICT, WITHOUT ROWID;

  -- Which response names which assignment; one that none names any more is gone.
  CREATE TABLE listed (
    connection INTEGER NOT NULL,
    response     TEXT NOT NULL,
    assignment TEXT NOT NULL,
    PRIMARY KEY (connection, response, assignment)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX listed_by_assignment ON listed (connection, assignment);

  -- The service's response to a plan-after update: there is no operation that reads it.
  CREATE TABLE plan_after (
    connection INTEGER NOT NULL,
    assignment TEXT NOT NULL,
    PlanAfter  REAL NOT NULL,
    at_ms      INTEGER NOT NULL,
    PRIMARY KEY (connection, assignment)
  ) STRICT, WITHOUT ROWID;

  -- The progress of the offline walk. next_page null: all pages were read.
  CREATE TABLE keep_all (
    connection   INTEGER PRIMARY KEY,
    running      INTEGER NOT NULL,
    next_page    INTEGER,
    begun        INTEGER NOT NULL, -- whether the first page was read
    unreadable   INTEGER NOT NULL,
    total        INTEGER NOT NULL, -- TotalCount of the last page
    completed_ms INTEGER,
    trimmed      INTEGER NOT NULL DEFAULT 0 -- whether something that was available offline did not fit, and was removed
  ) STRICT;

  -- The words of four or more letters that were read, as the index of words has them: see search.ts.
  CREATE TABLE word (
    connection INTEGER NOT NULL,
    text       TEXT NOT NULL,
    PRIMARY KEY (connection, text)
  ) STRICT, WITHOUT ROWID;

  CREATE VIRTUAL TABLE protocol_words USING fts5 (Address, City, ZipCode, FacilityId,
    content = '', contentless_delete = 1, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2');
  CREATE TRIGGER protocol_added AFTER INSERT ON protocol BEGIN
    INSERT INTO protocol_words (rowid, Address, City, ZipCode, FacilityId)
    VALUES (new.row, new.Address, new.City, new.ZipCode, new.FacilityId);
  END;
  CREATE TRIGGER protocol_changed AFTER UPDATE OF Address, City, ZipCode, FacilityId ON protocol
  WHEN (old.Address, old.City, old.ZipCode, old.FacilityId) IS NOT (new.Address, new.City, new.ZipCode, new.FacilityId)
  BEGIN
    DELETE FROM protocol_words WHERE rowid = old.row;
    INSERT INTO protocol_words (rowid, Address, City, ZipCode, FacilityId)
    VALUES (new.row, new.Address, new.City, new.ZipCode, new.FacilityId);
  END;
  CREATE TRIGGER protocol_removed AFTER DELETE ON protocol BEGIN
    DELETE FROM protocol_words WHERE rowid = old.row;
  END;

  -- Columns named like those of protocol_words, so that one query searches both.
  CREATE VIRTUAL TABLE assignment_words USING fts5 (Address, City, ZipCode, FacilityId, Others,
    content = '', contentless_delete = 1, prefix = '1 2 3', tokenize = 'unicode61 remove_diacritics 2');
  CREATE VIEW assignment_text AS
  SELECT row, value ->> 'Address' AS Address, value ->> 'City' AS City, value ->> 'FacilityId' AS FacilityId,
    concat_ws(' ', value ->> 'FirstName', value ->> 'LastName', value ->> 'Performer', AssignmentStatus) AS Others
  FROM assignment;
  CREATE TRIGGER assignment_added AFTER INSERT ON assignment BEGIN
    INSERT INTO assignment_words (rowid, Address, City, FacilityId, Others)
    SELECT * FROM assignment_text WHERE row = new.row;
  END;
  CREATE TRIGGER assignment_changed AFTER UPDATE OF value ON assignment WHEN old.value <> new.value BEGIN
    DELETE FROM assignment_words WHERE rowid = old.row;
    INSERT INTO assignment_words (rowid, Address, City, FacilityId, Others)
    SELECT * FROM assignment_text WHERE row = new.row;
  END;
  CREATE TRIGGER assignment_removed AFTER DELETE ON assignment BEGIN
    DELETE FROM assignment_words WHERE rowid = old.row;
  END;

  -- FTS5 would merge hundreds of pages within one write: see upkeep.ts.
  INSERT INTO protocol_words (protocol_words, rank) VALUES ('automerge', 0);
  INSERT INTO assignment_words (assignment_words, rank) VALUES ('automerge', 0);

  -- The last values of assignments that the service does not list any more. Uploads and receipts still name them.
  CREATE TABLE former_assignment (
    no         INTEGER PRIMARY KEY,
    connection INTEGER NOT NULL,
    id         TEXT NOT NULL,
    value      TEXT NOT NULL, -- AssignmentSummary as JSON
    UNIQUE (connection, id)
  ) STRICT;
  CREATE TRIGGER former_assignment_added AFTER INSERT ON former_assignment BEGIN
    DELETE FROM former_assignment WHERE no <= new.no - 20000;
  END;
  `,
];

/**
 * The assignments of the offline data as one table: filtered, sorted, counted as a work list, and joined with their
 * progress. The progress of an assignment is the state of its uploads from this computer, and its plan-after date. The
 * columns that filters compare are in indexes, so counting reads records only if a text is searched for, or if only
 * assignments for projects are wanted. The few assignments with progress are counted separately, and subtracted for a
 * group that excludes them.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { maxBy } from 'es-toolkit/array/maxBy';
import { uniqBy } from 'es-toolkit/array/uniqBy';
import { z } from 'zod';
import {
  type AssignmentColumn,
  type AssignmentFilter,
  AssignmentRow,
  type AssignmentTable,
  type AssignmentTableQuery,
  type AssignmentValues,
  type WorkDays,
  WorkGroup,
  type WorkList,
  type WorkListQuery,
} from '../../contract/assignments.ts';
import { isPending, type OutboxEntry } from '../../contract/offline.ts';
import {
  AssignmentSummary,
  isClosed,
  ProtocolSummary,
  secondsBelow,
  serviceTimeMs,
  type TimeBase,
  type TimeUnit,
} from '../../contract/resources.ts';
import { type Batch, hasEnded, settledFiles } from '../../contract/uploads.ts';
import { storedJson } from '../data/sqlite.ts';
import { rangesOf } from './protocols.ts';
import { createIdMatches, matchWords, type Part } from './search.ts';
import { type Connections, createMemory, createVersion, MOST_TOTALS, protocolOf, rowsOf } from './tables.ts';

export type WorkContext = {
  /**
   * The batches of this computer. An unchanged batch has to be the same object as in the last call; otherwise the
   * progress is stored again.
   */
  readonly batches: readonly Batch[];
  readonly changes: readonly OutboxEntry[];
  readonly timeBase: TimeBase;
  readonly nowMs: number;
};

const MINUTE_MS = 60_000;

/** Up to this number of rows, reading and sorting them is faster than walking an index. */
const FEW = 5_000;

export const createWorkList = (db: DatabaseSync, connections: Connections) => {
  const progress = createProgress(db);
  const counts = createCounts(db);
  const selecting = createSelecting(db, counts);
  const { groupOf, selection, openByDay } = selecting;

  const begin = (no: number, context: WorkContext): void => {
    if (progress.load(no, context)) selecting.forget();
  };
  const totalOf = (of: Selection, { only, except }: Among): number => {
    if (only !== undefined) return counts.count(withProgress(of, only));
    return counts.count(recordsOf(counted(of))) - (except === undefined ? 0 : counts.count(withProgress(of, except)));
  };
  const rowsOfSet = (of: Selection, { only, except }: Among, window: Window): readonly number[] => {
    const { sort, descending, offset, limit, total } = window;
    const read = ({ sql, values }: Part): readonly number[] =>
      counts
        .prepared(`SELECT row FROM ${sql} ORDER BY ${sort} ${descending ? 'DESC' : 'ASC'} LIMIT ? OFFSET ?`)
        .all(...values, limit, offset)
        .map(({ row }) => Number(row));
    if (only !== undefined) return read(withProgress(of, only));
    const index = total > FEW ? sortIndexes[sort] : undefined;
    const { sql, values } = recordsOf(index === undefined ? of : { ...of, indexed: `INDEXED BY ${index}` });
    if (except === undefined) return read({ sql, values });
    const isExcepted = `EXISTS (SELECT 1 FROM progress WHERE progress.id = assignment.id AND (${except}))`;
    return read({ sql: `${sql} AND NOT ${isExcepted}`, values });
  };
  /**
   * Reads the rows of a window, and the total. In a sort by progress, assignments without a value come last, by
   * StartTime.
   */
  const windowOf = (of: Selection, set: Among, { sort, ...bounds }: AssignmentTableQuery) => {
    const known = progressColumns[sort];
    const sets =
      known === undefined
        ? [{ set, sort }]
        : [
            { set: withCondition(set, known.has), sort: known.column },
            { set: withoutCondition(set, known.has), sort: 'StartTime' },
          ];
    const rows: number[] = [];
    let before = 0;
    for (const part of sets) {
      const total = totalOf(of, part.set);
      const [offset, limit] = [Math.max(0, bounds.offset - before), bounds.limit - rows.length];
      if (offset < total && limit > 0) {
        rows.push(...rowsOfSet(of, part.set, { ...bounds, sort: part.sort, offset, limit, total }));
      }
      before += total;
    }
    return { rows, total: before };
  };

  const items = db.prepare(
    `SELECT a.value AS summary, progress.value AS progress, p.*, p.id AS InspectionProtocolId FROM json_each(?) AS wanted
     JOIN assignment AS a ON a.row = wanted.value
     LEFT JOIN progress ON progress.id = a.id
     LEFT JOIN protocol AS p ON p.connection = a.connection AND p.id = ${protocolOf('a')}
     ORDER BY wanted.key`,
  );
  const knownTotal = (no: number): number => counts.count(recordsOf({ no, parts: [], indexed: BY_START }));

  const units = db.prepare(
    `SELECT count(*) AS known, count(*) FILTER (WHERE abs(at) < ${secondsBelow}) AS inSeconds FROM (
       SELECT * FROM (SELECT StartTime AS at FROM assignment WHERE connection = ?1 AND StartTime <> 0 LIMIT ${UNIT_SAMPLE})
       UNION ALL SELECT * FROM (
         SELECT InspectionDate FROM protocol WHERE connection = ?1 AND InspectionDate <> 0 LIMIT ${UNIT_SAMPLE}))`,
  );

  return {
    /**
     * Returns the unit of most of the stored times, judged by up to `UNIT_SAMPLE` assignments and as many protocols.
     * Returns seconds if there are no times.
     */
    timeUnit: (connectionId: string): TimeUnit => {
      const { known, inSeconds } = units.get(connections.no(connectionId)) ?? {};
      return Number(inSeconds) * 2 >= Number(known) ? 'seconds' : 'milliseconds';
    },
    /** Reads a window of the table. Throws `ZodError` if a record is damaged. */
    assignmentTable: (connectionId: string, query: AssignmentTableQuery, context: WorkContext): AssignmentTable => {
      const no = connections.no(connectionId);
      begin(no, context);
      const { parts, ...set } = query.group ? groupOf(no, query.group, query.days, context) : { parts: [] };
      const { rows, total } = windowOf(selection(no, query, context.timeBase, parts), set, query);
      const Items = items.all(JSON.stringify(rows)).map(({ summary, progress: known, ...protocol }) => ({
        ...StoredSummary.parse(summary),
        ...(known === null ? NO_PROGRESS : StoredProgress.parse(known)),
        ...(protocol.id !== null && { protocol: ProtocolSummary.parse(protocol) }),
      }));
      return { Items, total, known: knownTotal(no) };
    },
    workList: (connectionId: string, query: WorkListQuery, context: WorkContext): WorkList => {
      const no = connections.no(connectionId);
      begin(no, context);
      const groups = WorkGroup.options.map((name) => {
        const { parts, ...set } = groupOf(no, name, query.days, context);
        return [name, totalOf(selection(no, query, context.timeBase, parts), set)];
      });
      const days = openByDay(no, query, context.timeBase);
      return { groups: Object.fromEntries(groups), days, known: knownTotal(no) };
    },
    /**
     * Returns the distinct values of each column, sorted, up to `MOST_VALUES` per column. Values that differ only in
     * case appear once. Empty values of City and Performer are left out.
     */
    assignmentValues: (connectionId: string, context: WorkContext): AssignmentValues => {
      const no = connections.no(connectionId);
      begin(no, context);
      return {
        City: selecting.valuesOf(no, 'City').filter(Boolean),
        Performer: selecting.valuesOf(no, 'Performer').filter(Boolean),
        AssignmentStatus: uniqBy(selecting.valuesOf(no, 'AssignmentStatus'), (status) => status.toLowerCase()),
      };
    },
  };
};

/** The maximum number of assignments, and of protocols, whose times are examined for the unit of the service. */
const UNIT_SAMPLE = 1_000;

// Counts are remembered until a write or new progress may have changed one of them.

/** The maximum number of statements that are kept, more than the filters of a user need. */
const MOST_STATEMENTS = 200;

/**
 * Writes that can change a count, or the progress. An update of `fetched_ms` changes neither. For most assignments that
 * are read, this update is the only write, because their values are stored already.
 */
const COUNTED = [
  ...['INSERT ON main.assignment', 'DELETE ON main.assignment', 'UPDATE OF value ON main.assignment'],
  ...['INSERT ON main.listed', 'DELETE ON main.listed'],
  ...['INSERT ON main.plan_after', 'DELETE ON main.plan_after'],
];

const createCounts = (db: DatabaseSync) => {
  const totals = createMemory<number>(MOST_TOTALS);
  const statements = createMemory<StatementSync>(MOST_STATEMENTS);
  /** Keeps prepared statements, because preparing most of them takes longer than running them. */
  const prepared = (sql: string): StatementSync => statements.of(sql, () => db.prepare(sql));
  return {
    prepared,
    count: ({ sql, values }: Part): number =>
      totals.of(`${sql} ${JSON.stringify(values)}`, () =>
        Number(prepared(`SELECT count(*) AS total FROM ${sql}`).get(...values)?.total),
      ),
    forget: totals.forget,
  };
};

type Counts = ReturnType<typeof createCounts>;

const createSelecting = (db: DatabaseSync, { count, prepared, forget }: Counts) => {
  const idMatches = createIdMatches(db, 'assignment');
  const knownValues = createMemory<readonly string[]>();

  const valuesOf = (no: number, column: keyof AssignmentValues): readonly string[] =>
    knownValues.of(`${no} ${column}`, () => distinctValues(db, no, column));
  /**
   * Returns the ranges of StartTime between two bounds. If service times can be in seconds or in milliseconds, the
   * range of a unit that no assignment uses is left out, because an index reads a single range faster.
   */
  const startRanges = (no: number, base: TimeBase, fromMs = 1, beforeMs?: number): readonly Range[] => {
    const hasTime = (range: string): boolean =>
      count({ sql: `(SELECT 1 FROM assignment WHERE connection = ? AND ${range} LIMIT 1)`, values: [no] }) > 0;
    // A StartTime of 0 means that the assignment has no time.
    const ranges = rangesOf(base, Math.max(1, fromMs), beforeMs);
    if (ranges.length === 1) return ranges;
    return ranges.filter(({ from }) =>
      hasTime(from < secondsBelow ? `StartTime > 0 AND StartTime < ${secondsBelow}` : `StartTime >= ${secondsBelow}`),
    );
  };
  const startsIn = (...bounds: Parameters<typeof startRanges>): Part => {
    const ranges = startRanges(...bounds);
    const sql = ranges.map(() => '(StartTime >= ? AND StartTime < ?)').join(' OR ');
    return { sql: `(${sql || 'FALSE'})`, values: ranges.flatMap(({ from, before }) => [from, before]) };
  };
  /** The index of statuses distinguishes case, so the condition has each spelling of `status`. */
  const hasStatus = (no: number, status: string): Part => {
    const spellings = valuesOf(no, 'AssignmentStatus').filter((one) => one.toLowerCase() === status.toLowerCase());
    return among('AssignmentStatus', spellings);
  };
  const isOpen = (no: number): readonly Part[] => {
    const statuses = valuesOf(no, 'AssignmentStatus');
    const open = statuses.filter((status) => !isClosed(status));
    return open.length === statuses.length ? [] : [among('AssignmentStatus', open)];
  };

  const groupOf = (no: number, group: WorkGroup, days: WorkDays, { timeBase, nowMs }: WorkContext): Group => {
    const open = isOpen(no);
    // Rounded down to the minute, so that a repeated query can use the remembered counts.
    const now = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
    switch (group) {
      case 'overdue':
        return { parts: [...open, startsIn(no, timeBase, 1, days.todayMs)], except: `sent > 0 OR plan_ms > ${now}` };
      case 'thisWeek':
        return { parts: [...open, startsIn(no, timeBase, days.thisWeekMs, days.nextWeekMs)] };
      case 'nextWeek':
        return { parts: [...open, startsIn(no, timeBase, days.nextWeekMs, days.laterMs)] };
      case 'planAfterPassed':
        return { parts: open, only: `plan_ms <= ${now} AND sent = 0` };
      case 'troubled':
        return { parts: [], only: 'failed > 0 OR waiting > 0' };
      case 'withoutDocuments':
        return { parts: open, except: 'sent > 0' };
    }
  };

  /**
   * Returns the condition for rows with the words of `text`, or with an id that begins with `text`. Returns undefined
   * if `text` has no words and no id begins with `text`. `isFew`: whether so few rows match that reading their records
   * is faster than walking an index.
   */
  const textPart = (no: number, text: string): { readonly part: Part; readonly isFew: boolean } | undefined => {
    const ids = idMatches(no, text);
    const match = matchWords(text);
    if (match === undefined) return ids.length === 0 ? undefined : { part: among('row', ids), isFew: true };
    const { first, last } = rowsOf(no);
    const words = 'assignment_words WHERE assignment_words MATCH ? AND rowid BETWEEN ? AND ?';
    const values = [match, first, last];
    const rows = `SELECT rowid FROM ${words} UNION ALL SELECT value FROM json_each(?)`;
    return {
      part: { sql: `row IN (${rows})`, values: [...values, JSON.stringify(ids)] },
      isFew: count({ sql: words, values }) <= FEW,
    };
  };

  const selection = (
    no: number,
    filter: Omit<AssignmentFilter, 'group'>,
    base: TimeBase,
    also: readonly Part[],
  ): Selection => {
    const { City, Performer, AssignmentStatus, fromMs, beforeMs } = filter;
    const listed = listedPart(no, filter);
    const text = textPart(no, filter.text);
    const parts = [
      ...(listed ? [listed] : []),
      ...(text ? [text.part] : []),
      ...Object.entries({ City, Performer }).flatMap(([column, value]) =>
        value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }],
      ),
      ...(AssignmentStatus === undefined ? [] : [hasStatus(no, AssignmentStatus)]),
      ...(fromMs === undefined && beforeMs === undefined ? [] : [startsIn(no, base, fromMs, beforeMs)]),
      ...(filter.open ? isOpen(no) : []),
      ...also,
    ];
    const indexed = (): string => {
      if (listed) return 'INDEXED BY assignment_by_id';
      if (text?.isFew) return 'NOT INDEXED';
      if (City !== undefined) return 'INDEXED BY assignment_by_city';
      return Performer === undefined ? BY_START : 'INDEXED BY assignment_by_performer';
    };
    return { no, parts, indexed: indexed() };
  };

  const openByDay = (no: number, query: WorkListQuery, base: TimeBase): readonly number[] => {
    const { dayStarts } = query;
    const starts = { sql: 'StartTime >= day.value ->> 0 AND StartTime < day.value ->> 1', values: [] };
    const { sql, values } = recordsOf(selection(no, query, base, [...isOpen(no), starts]));
    const counts = `SELECT json_group_array((SELECT count(*) FROM ${sql})) AS counts FROM json_each(?) AS day`;
    const bounds = dayStarts.slice(1).map((endMs, day) => startRanges(no, base, dayStarts[day], endMs));
    const mostUnits = Math.max(0, ...bounds.map(({ length }) => length));
    const sums = bounds.map(() => 0);
    for (let unit = 0; unit < mostUnits; unit += 1) {
      const ranges = bounds.map((of) => [of[unit]?.from ?? 0, of[unit]?.before ?? 0]);
      const found = prepared(counts).get(...values, JSON.stringify(ranges));
      for (const [day, open] of StoredCounts.parse(found?.counts).entries()) sums[day] = (sums[day] ?? 0) + open;
    }
    return sums;
  };

  return {
    valuesOf,
    groupOf,
    selection,
    openByDay,
    forget: (): void => {
      forget();
      knownValues.forget();
    },
  };
};

type Range = ReturnType<typeof rangesOf>[number];

/** SQL conditions on the table `progress`. Assignments have to meet `only`, and must not meet `except`. */
type Among = { readonly only?: string; readonly except?: string };

/** The conditions of a group. `parts` applies to the fields of assignments, `only` and `except` to their progress. */
type Group = Among & { readonly parts: readonly Part[] };

/**
 * The assignments of connection `no` that meet all `parts`. `indexed`: the SQL clause that names the index to use, or
 * that forbids indexes.
 */
type Selection = { readonly no: number; readonly parts: readonly Part[]; readonly indexed: string };

type Window = Pick<AssignmentTableQuery, 'descending' | 'offset' | 'limit'> & {
  readonly sort: string;
  readonly total: number;
};

// Each selection names its index. Without statistics of the indexes, SQLite would choose to sort or to read records.

const BY_START = 'INDEXED BY assignment_by_start';

/** Selects the index for a count. A count by status is faster in the index that is sorted by status and StartTime. */
const counted = (of: Selection): Selection =>
  of.indexed === BY_START && of.parts.some(({ sql }) => sql.startsWith('AssignmentStatus'))
    ? { ...of, indexed: 'INDEXED BY assignment_by_status' }
    : of;

const sortIndexes: Readonly<Record<string, string>> = {
  Address: 'assignment_by_address',
  City: 'assignment_by_city',
  Customer: 'assignment_by_customer',
  Performer: 'assignment_by_performer',
  AssignmentStatus: 'assignment_by_status',
};

/** The column of `progress` to sort by, and the condition for rows that have a value in this column. */
const progressColumns: { readonly [Column in AssignmentColumn]?: { readonly column: string; readonly has: string } } = {
  PlanAfter: { column: 'plan_ms', has: 'plan_ms IS NOT NULL' },
  Documents: { column: 'sent', has: 'sent > 0' },
  LastUpload: { column: 'last_ms', has: 'last_ms IS NOT NULL' },
};

const among = (column: string, values: readonly (string | number)[]): Part => ({
  sql: `${column} IN (SELECT value FROM json_each(?))`,
  values: [JSON.stringify(values)],
});

/**
 * Returns the condition for assignments that the service listed for projects, in `County` or anywhere; undefined if
 * `filter` does not restrict them.
 */
const listedPart = (no: number, { projects, County }: Pick<AssignmentFilter, 'projects' | 'County'>) => {
  if (!projects && County === undefined) return undefined;
  const isListed =
    County === undefined ? `response >= 'projects/' AND response < 'projects0'` : 'response = ? COLLATE NOCASE';
  const name = County === undefined ? [] : [`projects/${County}`];
  return { sql: `id IN (SELECT assignment FROM listed WHERE connection = ? AND ${isListed})`, values: [no, ...name] };
};

const recordsOf = ({ no, parts, indexed }: Selection): Part => ({
  sql: `assignment ${indexed} WHERE ${['connection = ?', ...parts.map(({ sql }) => sql)].join(' AND ')}`,
  values: [no, ...parts.flatMap(({ values }) => values)],
});

/**
 * Returns the query for assignments with progress that meet `condition` and all parts of a selection. `sql` follows
 * `FROM`.
 */
const withProgress = ({ parts }: Selection, condition: string): Part => ({
  sql: `progress WHERE ${[`(${condition})`, ...parts.map(({ sql }) => sql)].join(' AND ')}`,
  values: parts.flatMap(({ values }) => values),
});

const withCondition = ({ only = 'TRUE', except = 'FALSE' }: Among, condition: string): Among => ({
  // `except` can be null if the plan-after date is unknown.
  only: `(${only}) AND (${except}) IS NOT TRUE AND ${condition}`,
});

const withoutCondition = ({ only, except = 'FALSE' }: Among, condition: string): Among =>
  only === undefined ? { except: `(${except}) OR ${condition}` } : { only: `(${only}) AND NOT (${condition})` };

/** The maximum number of values per column, more than a user can choose from. */
const MOST_VALUES = 2_000;

/** Returns the distinct values of a column, sorted. Each value takes one step in the index of the column. */
const distinctValues = (db: DatabaseSync, no: number, column: keyof AssignmentValues): readonly string[] =>
  db
    .prepare(
      `WITH RECURSIVE one (text) AS (
         SELECT min(${column}) FROM assignment WHERE connection = ?1
         UNION ALL
         SELECT (SELECT min(${column}) FROM assignment WHERE connection = ?1 AND ${column} > one.text)
         FROM one WHERE one.text IS NOT NULL)
       SELECT text FROM one WHERE text IS NOT NULL LIMIT ${MOST_VALUES}`,
    )
    .all(no)
    .map(({ text }) => String(text));

const StoredCounts = storedJson(z.array(z.int()));
const StoredSummary = storedJson(AssignmentSummary);
const Progress = AssignmentRow.pick({
  sent: true,
  failed: true,
  waiting: true,
  lastUpload: true,
  PlanAfter: true,
  isPlanPending: true,
});
const StoredProgress = storedJson(Progress);

type PendingPlans = ReadonlyMap<string, { readonly PlanAfter?: number | undefined }>;

const pendingPlans = (changes: readonly OutboxEntry[]): PendingPlans =>
  new Map(
    changes.flatMap((entry) =>
      entry.kind === 'plan-after' && isPending(entry) ? [[entry.AssignmentId, { PlanAfter: entry.PlanAfter }]] : [],
    ),
  );

const NO_PROGRESS = { sent: 0, failed: 0, waiting: 0, isPlanPending: false };

const filesOf = (batches: readonly Batch[]) => {
  const sum = (of: (batch: Batch) => number): number => batches.reduce((total, batch) => total + of(batch), 0);
  const atMs = ({ finishedAtMs, createdAtMs }: Batch): number => finishedAtMs ?? createdAtMs;
  const last = maxBy(
    batches.filter(({ uploaded }) => uploaded > 0),
    atMs,
  );
  return {
    sent: sum(({ uploaded, removed = 0 }) => uploaded - removed),
    failed: sum(({ failed, notReplaced = 0 }) => failed + notReplaced),
    waiting: sum((batch) => (hasEnded(batch) ? 0 : batch.files - settledFiles(batch))),
    ...(last && { lastUpload: { batchId: last.batchId, atMs: atMs(last) } }),
  };
};

const isSame = (before: readonly Batch[], batches: readonly Batch[]): boolean =>
  before.length === batches.length && before.every((batch, index) => batch === batches[index]);

/**
 * Creates the table `progress` of assignments with progress. It also has the fields of assignments that filters and
 * sorts use.
 */
const createProgress = (db: DatabaseSync) => {
  db.exec(
    `CREATE TEMP TABLE progress (
       id               TEXT PRIMARY KEY,
       row              INTEGER,
       StartTime        REAL,
       AssignmentStatus TEXT,
       Address          TEXT COLLATE NOCASE,
       City             TEXT COLLATE NOCASE,
       Performer        TEXT COLLATE NOCASE,
       Customer         TEXT COLLATE NOCASE,
       sent             INTEGER,
       failed           INTEGER,
       waiting          INTEGER,
       last_ms          INTEGER,
       plan_ms          INTEGER, -- the plan-after date; null: none is known
       value            TEXT     -- for the row, as JSON
     ) WITHOUT ROWID`,
  );
  const plans = db.prepare('SELECT assignment, PlanAfter FROM plan_after WHERE connection = ?');
  const clear = db.prepare('DELETE FROM progress');
  const add = db.prepare(
    `INSERT INTO progress
     SELECT a.id, row, StartTime, AssignmentStatus, Address, City, Performer, Customer,
       one.value ->> 'sent', one.value ->> 'failed', one.value ->> 'waiting', one.value ->> '$.lastUpload.atMs',
       one.value ->> 'planMs', one.value
     FROM json_each(?) AS one CROSS JOIN assignment AS a ON a.connection = ? AND a.id = one.value ->> 'id'`,
  );
  const version = createVersion(db, 'work_version', COUNTED);
  let loaded: { readonly key: string; readonly batches: readonly Batch[] } | undefined;

  const rowsFor = (no: number, { batches, timeBase }: WorkContext, pending: PendingPlans) => {
    const byAssignment = Map.groupBy(batches, ({ AssignmentId }) => AssignmentId);
    const dates = new Map(plans.all(no).map(({ assignment, PlanAfter }) => [String(assignment), Number(PlanAfter)]));
    return [...new Set([...byAssignment.keys(), ...pending.keys(), ...dates.keys()])].map((id) => {
      const plan = pending.get(id);
      // 0 stands for a cleared date, as in a response of the service.
      const PlanAfter = (plan ? plan.PlanAfter : dates.get(id)) || undefined;
      const planMs = PlanAfter === undefined ? undefined : serviceTimeMs(PlanAfter, timeBase);
      return { id, planMs, PlanAfter, isPlanPending: plan !== undefined, ...filesOf(byAssignment.get(id) ?? []) };
    });
  };
  return {
    /**
     * Stores the progress, unless it is already stored and the offline data has not changed. Returns whether this call
     * stored it.
     */
    load: (no: number, context: WorkContext): boolean => {
      const { batches, changes, timeBase } = context;
      const pending = pendingPlans(changes);
      const key = JSON.stringify([version(), no, timeBase, ...pending]);
      if (loaded?.key === key && isSame(loaded.batches, batches)) return false;
      clear.run();
      add.run(JSON.stringify(rowsFor(no, context, pending)), no);
      loaded = { key, batches };
      return true;
    },
  };
};

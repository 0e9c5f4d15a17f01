/** Reads across several tables: the results of a search, and the counts of the overview. */
import type { DatabaseSync } from 'node:sqlite';
import type { Overview } from '../../contract/app.ts';
import { AssignmentSummary, type CachedProtocol, type TimeBase } from '../../contract/resources.ts';
import type { Found, SearchResults } from '../../contract/search.ts';
import { storedJson } from '../data/stored.ts';
import { cachedProtocol, protocolSummary, type Span, spans } from './protocols.ts';
import type { ConnectionRows } from './rows.ts';
import { createSearch, type SearchWindow, type Vocabulary } from './search.ts';

type FindIn<T> = (connectionId: string, text: string, window: SearchWindow) => SearchResults<T>;

export type Findings = {
  /** The first `limit` of each kind. */
  readonly find: (connectionId: string, text: string, limit: number) => Found;
  readonly findProtocols: FindIn<CachedProtocol>;
  readonly findAssignments: FindIn<AssignmentSummary>;
  readonly overview: (connectionId: string, timeBase: TimeBase) => Overview;
};

/** Searches and counts over `db`, which has been migrated. */
export const createFindings = (
  db: DatabaseSync,
  connections: ConnectionRows,
  vocabulary: Vocabulary,
  cachedOf: (connectionId: string) => number,
): Findings => {
  const protocols = createSearch(db, 'protocol', vocabulary);
  const assignments = createSearch(db, 'assignment', vocabulary);
  const findAssignments: Findings['findAssignments'] = (connectionId, text, window) => {
    const { rows, total } = assignments(connections.no(connectionId), text, window);
    const Items = rows.flatMap(({ value }) => {
      const parsed = storedJson(AssignmentSummary).safeParse(value);
      return parsed.success ? [parsed.data] : [];
    });
    return { Items, total };
  };
  const statuses = db.prepare(
    `SELECT AssignmentStatus AS value, count(*) AS count FROM assignment WHERE connection = ?
     GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
  const severities = db.prepare(
    'SELECT Severity AS value, sum(points) AS count FROM severity WHERE connection = ? GROUP BY 1 ORDER BY 2 DESC, 1',
  );
  const months = createMonths(db);
  const whole = db.prepare('SELECT count(*) AS count, min(fetched_ms) AS oldest FROM protocol WHERE connection = ?');

  return {
    find: (connectionId, text, limit) => {
      const window = { offset: 0, limit };
      const { rows, total } = protocols(connections.no(connectionId), text, window);
      const named = findAssignments(connectionId, text, window);
      return {
        protocols: rows.map(protocolSummary),
        protocolTotal: total,
        assignments: named.Items,
        assignmentTotal: named.total,
        cached: cachedOf(connectionId),
      };
    },
    findProtocols: (connectionId, text, window) => {
      const { rows, total } = protocols(connections.no(connectionId), text, window);
      return { Items: rows.map(cachedProtocol), total };
    },
    findAssignments,
    overview: (connectionId, timeBase) => {
      const no = connections.no(connectionId);
      const { count, oldest } = whole.get(no) ?? {};
      return {
        protocols: Number(count),
        assignmentsByStatus: statuses.all(no).map(countOf),
        pointsBySeverity: severities.all(no).map(countOf),
        protocolsByMonth: months(no, timeBase),
        ...(oldest != null && { oldestFetchedAtMs: Number(oldest) }),
      };
    },
  };
};

const countOf = ({ value, count }: Readonly<Record<string, unknown>>) => ({
  value: String(value),
  count: Number(count),
});

// Counts the cached protocols by month. Each month is one range in the index of dates.

type Months = Overview['protocolsByMonth'];

/** The last time that a `Date` can hold. */
const LAST_MS = 8.64e15;

/** Counts the protocols of connection `no` by month in local time, sorted. Dates that a `Date` cannot hold are left out. */
const createMonths = (db: DatabaseSync): ((no: number, timeBase: TimeBase) => Months) => {
  const within = 'FROM protocol WHERE connection = ? AND InspectionDate >= ? AND InspectionDate < ?';
  const earliest = db.prepare(`SELECT min(InspectionDate) AS date ${within}`);
  const count = db.prepare(`SELECT count(*) AS count ${within}`);

  const monthsOf = (no: number, span: Span): Months => {
    const months: Months[number][] = [];
    const end = Math.min(span.before, LAST_MS / span.unitMs);
    for (let from = Math.max(span.from, -LAST_MS / span.unitMs); ; ) {
      const date = earliest.get(no, from, end)?.date;
      const month = date == null ? undefined : monthAround(Number(date), span);
      if (month === undefined) return months;
      const before = Math.min(end, month.beforeMs / span.unitMs);
      months.push({ ...month, count: Number(count.get(no, from, before)?.count) });
      from = before;
    }
  };
  return (no, timeBase) => {
    const found = spans[timeBase].flatMap((span) => monthsOf(no, span));
    // A month with times in seconds and in milliseconds is still one month.
    const months = Map.groupBy(found, ({ value }) => value);
    return [...months.values()]
      .flatMap(([month, ...same]) =>
        month ? [{ ...month, count: same.reduce((sum, { count }) => sum + count, month.count) }] : [],
      )
      .sort((a, b) => a.fromMs - b.fromMs);
  };
};

/** The bounds in ms of the month that contains `date`; undefined for an invalid date. */
const monthAround = (date: number, { unitMs }: Span) => {
  const day = new Date(date * unitMs);
  const [year, month] = [day.getFullYear(), day.getMonth()];
  const fromMs = new Date(year, month).getTime();
  const beforeMs = new Date(year, month + 1).getTime();
  if (!(fromMs / unitMs <= date && date < beforeMs / unitMs)) return undefined;
  return { value: `${year}-${String(month + 1).padStart(2, '0')}`, fromMs, beforeMs };
};

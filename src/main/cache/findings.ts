/** Reads across several tables: the results of a search, and the counts of the overview. */
import type { DatabaseSync } from 'node:sqlite';
import type { Overview } from '../../contract/app.ts';
import type { CachedProtocol, TimeBase } from '../../contract/resources.ts';
import { AssignmentSummary } from '../../contract/resources.ts';
import type { Found, SearchResults } from '../../contract/search.ts';
import { storedJson } from '../data/stored.ts';
import type { ConnectionRows } from './connection-rows.ts';
import { createMonths } from './months.ts';
import { cachedProtocol, protocolSummary } from './protocols.ts';
import { createSearch, type SearchWindow } from './search.ts';
import type { Vocabulary } from './vocabulary.ts';

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

/** What the cache can tell across its tables: what a search finds, and the counts of the overview. */
import type { DatabaseSync } from 'node:sqlite';
import type { Found, Overview } from '../../contract/offline.ts';
import { AssignmentSummary } from '../../contract/resources.ts';
import type { TimeBase } from '../../contract/service-time.ts';
import { type ConnectionRows, rowsOf } from './connection-rows.ts';
import { createMonths } from './months.ts';
import { protocolSummary } from './protocols.ts';
import { matchWords } from './words.ts';

export type Findings = {
  readonly find: (connection: string, text: string, limit: number) => Found;
  readonly overview: (connection: string, timeBase: TimeBase) => Overview;
};

/** Searches and counts over `db`, which has been migrated. */
export const createFindings = (db: DatabaseSync, connections: ConnectionRows): Findings => {
  const found = (table: string) =>
    db.prepare(
      `SELECT * FROM ${table} WHERE row IN
         (SELECT rowid FROM ${table}_words WHERE ${table}_words MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?)`,
    );
  const protocols = found('protocol');
  const assignments = found('assignment');
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
    find: (connection, text, limit) => {
      const match = matchWords(text);
      if (match === undefined) return { protocols: [], assignments: [] };
      const { first, last } = rowsOf(connections.no(connection));
      const named = assignments.all(match, first, last, limit);
      return {
        protocols: protocols.all(match, first, last, limit).map(protocolSummary),
        assignments: named.flatMap(({ value }) => {
          const parsed = AssignmentSummary.safeParse(JSON.parse(String(value)));
          return parsed.success ? [parsed.data] : [];
        }),
      };
    },
    overview: (connection, timeBase) => {
      const no = connections.no(connection);
      const { count, oldest } = whole.get(no) ?? {};
      return {
        protocols: Number(count),
        assignmentsByStatus: statuses.all(no).map(countOf),
        pointsBySeverity: severities.all(no).map(countOf),
        protocolsByMonth: months(no, timeBase),
        ...(oldest != null && { oldest: Number(oldest) }),
      };
    },
  };
};

const countOf = ({ value, count }: Readonly<Record<string, unknown>>) => ({
  value: String(value),
  count: Number(count),
});

/** The assignments of a connection with what their protocols add to them, and how old the lists are that name them. */
import type { DatabaseSync } from 'node:sqlite';
import { type ConnectionRows, rowsOf } from './connection-rows.ts';

/** `value`: the AssignmentSummary as JSON, for the reader to parse. The rest is of its protocol, where it has one. */
export type StoredTarget = {
  readonly value: string;
  readonly fetchedAtMs: number;
  readonly InspectionProtocolId?: string;
  readonly ZipCode?: string;
  readonly InspectionDate?: number;
};

/** A protocol, and when its assignments were last read. */
type AssignmentListAge = { readonly InspectionProtocolId: string; readonly fetchedAtMs: number | undefined };

/** A few rows. `next`: where to continue; absent after the last ones. */
type Slice<T> = { readonly items: readonly T[]; readonly next?: number };

export type Targets = {
  /** The next assignments, from `after` on (0: the first). Takes a few milliseconds. */
  readonly targets: (connectionId: string, after: number) => Slice<StoredTarget>;
  /** The next protocols, in the same way. */
  readonly assignmentLists: (connectionId: string, after: number) => Slice<AssignmentListAge>;
  /** When the answer with this name was last read. */
  readonly answeredAtMs: (connectionId: string, name: string) => number | undefined;
};

const SLICE_ROWS = 500;

/** The targets in `db`, which has been migrated. */
export const createTargets = (db: DatabaseSync, connections: ConnectionRows): Targets => {
  const targets = db.prepare(
    `SELECT a.row, a.value, a.fetched_ms, p.id AS protocol, p.ZipCode, p.InspectionDate FROM assignment AS a
     LEFT JOIN protocol AS p ON p.connection = a.connection AND p.id = (
       SELECT substr(min(answer), length('assignments/') + 1) FROM listed
       WHERE connection = a.connection AND assignment = a.id AND answer > 'assignments/' AND answer < 'assignments0')
     WHERE a.row > ? AND a.row BETWEEN ? AND ? ORDER BY a.row LIMIT ${SLICE_ROWS}`,
  );
  const lists = db.prepare(
    `SELECT row, id, (
       SELECT max(fetched_ms) FROM answer WHERE connection = ? AND name = 'assignments/' || id AND parts IS NOT NULL
     ) AS fetched_ms FROM protocol WHERE row > ? AND row BETWEEN ? AND ? ORDER BY row LIMIT ${SLICE_ROWS}`,
  );
  const answered = db.prepare(
    'SELECT max(fetched_ms) AS at FROM answer WHERE connection = ? AND name = ? AND parts IS NOT NULL',
  );
  const nextOf = (rows: readonly Readonly<Record<string, unknown>>[]): { next?: number } =>
    rows.length < SLICE_ROWS ? {} : { next: Number(rows.at(-1)?.row) };

  return {
    targets: (connectionId, after) => {
      const { first, last } = rowsOf(connections.no(connectionId));
      const rows = targets.all(after, first, last);
      const items = rows.map(({ value, fetched_ms, protocol, ZipCode, InspectionDate }) => ({
        value: String(value),
        fetchedAtMs: Number(fetched_ms),
        ...(typeof protocol === 'string' && {
          InspectionProtocolId: protocol,
          ZipCode: String(ZipCode),
          InspectionDate: Number(InspectionDate),
        }),
      }));
      return { items, ...nextOf(rows) };
    },
    assignmentLists: (connectionId, after) => {
      const { first, last } = rowsOf(connections.no(connectionId));
      const rows = lists.all(connectionId, after, first, last);
      const items = rows.map(({ id, fetched_ms }) => ({
        InspectionProtocolId: String(id),
        fetchedAtMs: fetched_ms === null ? undefined : Number(fetched_ms),
      }));
      return { items, ...nextOf(rows) };
    },
    answeredAtMs: (connectionId, name) => {
      const { at } = answered.get(connectionId, name) ?? {};
      return at == null ? undefined : Number(at);
    },
  };
};

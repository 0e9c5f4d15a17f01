/** The assignments of a connection with what their protocols add to them, and how old the lists are that name them. */
import type { DatabaseSync } from 'node:sqlite';
import type { ProtocolSummary } from '../../contract/resources.ts';
import { type ConnectionRows, rowsOf } from './rows.ts';

/** `value`: the AssignmentSummary as JSON, for the reader to parse. The rest is of its protocol, where it has one. */
export type StoredTarget = {
  readonly value: string;
  readonly fetchedAtMs: number;
  readonly InspectionProtocolId?: string;
  readonly ZipCode?: string;
  readonly InspectionDate?: number;
};

/** A protocol, when it was last seen in a list, and when its assignments were last read; `isCut`: not all of them could be. */
export type ListedProtocol = Omit<ProtocolSummary, 'Points'> & {
  readonly seenAtMs: number;
  readonly readAtMs: number | undefined;
  readonly isCut: boolean;
};

/** A few rows. `next`: where to continue; absent after the last ones. */
type Slice<T> = { readonly items: readonly T[]; readonly next?: number };

export type Targets = {
  /** The next assignments, from `after` on (0: the first). Takes a few milliseconds. */
  readonly targets: (connectionId: string, after: number) => Slice<StoredTarget>;
  /** The next protocols, in the same way. */
  readonly protocolLists: (connectionId: string, after: number) => Slice<ListedProtocol>;
  /** When the list with this name was last read, and how many of the items that the service counts are missing. */
  readonly answered: (
    connectionId: string,
    name: string,
  ) => { readonly fetchedAtMs: number; readonly missing: number } | undefined;
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
  // With max(), SQLite takes the other columns from the row that has it.
  const missing = `iif(json_valid(answer.frame), json_extract(answer.frame, '$.TotalCount'), 0) - (
    SELECT count(*) FROM listed WHERE listed.connection = ?1 AND listed.answer = answer.name)`;
  const lists = db.prepare(
    `SELECT protocol.*, max(answer.fetched_ms) AS read_ms, answer.unreadable, ${missing} AS missing FROM protocol
     LEFT JOIN answer ON answer.connection = ?2 AND answer.name = 'assignments/' || protocol.id AND answer.parts IS NOT NULL
     WHERE protocol.row > ?3 AND protocol.row BETWEEN ?4 AND ?5
     GROUP BY protocol.row ORDER BY protocol.row LIMIT ${SLICE_ROWS}`,
  );
  const answered = db.prepare(
    `SELECT max(fetched_ms) AS at, unreadable, ${missing} AS missing FROM answer
     WHERE connection = ?2 AND name = ?3 AND parts IS NOT NULL`,
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
    protocolLists: (connectionId, after) => {
      const no = connections.no(connectionId);
      const { first, last } = rowsOf(no);
      const rows = lists.all(no, connectionId, after, first, last);
      const items = rows.map(({ id, Address, City, ZipCode, FacilityId, ...row }) => ({
        ...{ InspectionProtocolId: String(id), Address: String(Address), City: String(City) },
        ...{ ZipCode: String(ZipCode), FacilityId: String(FacilityId), InspectionDate: Number(row.InspectionDate) },
        seenAtMs: Number(row.fetched_ms),
        readAtMs: row.read_ms === null ? undefined : Number(row.read_ms),
        isCut: Math.max(Number(row.unreadable), Number(row.missing)) > 0,
      }));
      return { items, ...nextOf(rows) };
    },
    answered: (connectionId, name) => {
      const { at, unreadable, missing } = answered.get(connections.no(connectionId), connectionId, name) ?? {};
      if (at == null) return undefined;
      return { fetchedAtMs: Number(at), missing: Math.max(0, Number(unreadable), Number(missing)) };
    },
  };
};

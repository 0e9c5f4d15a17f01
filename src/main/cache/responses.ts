/**
 * The stored responses to all reads except those of protocols, by name: `assignments/ID`, `points/ID`,
 * `projects/COUNTY` (`projects/` for all counties), `events`. A response is stored in parts, so that a long one does
 * not block the process. Assignments are also stored as rows, for searches and counts. The response `protocols` has no
 * items: see assignment-lists.ts.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import {
  AssignmentSummary,
  type KnownAssignment,
  type PlanAfterValue,
  type Reading,
} from '../../contract/resources.ts';
import { storedCount, storedJson, storedTime } from '../data/sqlite.ts';
import type { Vocabulary } from './search.ts';
import { type Connections, keepFormer, nextRow, protocolOf, type Steps } from './tables.ts';

export type Responses = ReturnType<typeof createResponses>;

/** A list of the service: an array, or an object with the array in `Items`, next to its counts. */
export type List = readonly unknown[] | { readonly Items: readonly unknown[]; readonly [count: string]: unknown };

type NewList = Pick<Reading<List>, 'value' | 'fetchedAtMs'>;
const NO_ASSIGNMENTS: NewList = { value: [], fetchedAtMs: 0 };

export const itemsOf = (list: List): readonly unknown[] => ('Items' in list ? list.Items : list);

export const withItems = <T extends List>(list: T, items: readonly unknown[]): T =>
  ('Items' in list ? { ...list, Items: items } : items) as T;

const Frame = storedJson(z.union([z.array(z.unknown()), z.looseObject({ Items: z.array(z.unknown()) })]));
const Items = storedJson(z.array(z.unknown()));

export const createResponses = (
  db: DatabaseSync,
  connections: Connections,
  vocabulary: Vocabulary,
  now: () => number,
) => {
  const today = (): number => Math.floor(now() / DAY_MS);
  const parts = createParts(db, today);
  const use = db.prepare('UPDATE response SET used_day = ?1 WHERE connection = ?2 AND name = ?3 AND used_day <> ?1');
  const readIn = {
    assignments: db.prepare('UPDATE protocol SET assignments_pass = ? WHERE connection = ? AND id = ?'),
    points: db.prepare('UPDATE protocol SET points_pass = ? WHERE connection = ? AND id = ?'),
  };
  const putAssignments = createAssignmentLists(db, vocabulary);
  const putItems = function* (no: number, name: string, reading?: NewList): Steps {
    const [kind = ''] = split(name);
    if (kind === 'assignments' || kind === 'projects') yield* putAssignments(no, name, reading);
  };
  const setReadIn = (no: number, name: string, pass: number | null): void => {
    const [kind = '', id = ''] = split(name);
    if (kind === 'assignments' || kind === 'points') readIn[kind].run(pass, no, id);
  };
  const assignment = db.prepare(
    `SELECT value, fetched_ms, PlanAfter, at_ms, ${protocolOf('assignment')} AS protocol FROM assignment
     LEFT JOIN plan_after ON plan_after.connection = assignment.connection AND plan_after.assignment = assignment.id
     WHERE assignment.connection = ? AND id = ?`,
  );
  const summary = db.prepare(
    `SELECT value FROM assignment WHERE connection = ?1 AND id = ?2
     UNION ALL SELECT value FROM former_assignment WHERE connection = ?1 AND id = ?2 LIMIT 1`,
  );
  const counties = db.prepare(
    `SELECT DISTINCT substr(name, length('projects/') + 1) AS county FROM response
     WHERE connection = ?1 AND name > 'projects/' AND name < 'projects0'
       AND EXISTS (SELECT 1 FROM listed WHERE listed.connection = ?1 AND listed.response = response.name)
     ORDER BY county`,
  );
  const putPlanAfter = db.prepare('INSERT OR REPLACE INTO plan_after VALUES (?, ?, ?, ?)');

  const gone = db.prepare(
    `SELECT response.no, response.name FROM protocol
     JOIN response ON response.connection = ?1 AND response.name = 'assignments/' || protocol.id
     WHERE protocol.connection = ?1 AND protocol.fetched_ms < ?2`,
  );
  /** `now`: the present content of the list, if it is known. */
  const remove = function* (no: number, name: string, response: number, now?: NewList): Steps {
    parts.hide(response);
    // If another response of this name is complete, the listed assignments are those of that response.
    if (!parts.has(no, name)) {
      setReadIn(no, name, null);
      yield* putItems(no, name, now);
    }
    yield* parts.remove(response);
  };

  return {
    put: function* (connectionId: string, name: string, reading: Reading<List>): Steps {
      const no = connections.no(connectionId);
      yield* parts.put(no, name, reading, putItems(no, name, reading));
      setReadIn(no, name, connections.pass(connectionId));
    },
    get: <T extends List>(connectionId: string, name: string, schema: z.ZodType<T>) =>
      parts.get(connections.no(connectionId), name, schema),
    /** Marks a response as used today, unless it is already marked. */
    use: (connectionId: string, name: string): void => void use.run(today(), connections.no(connectionId), name),
    beingRead: parts.beingRead,
    /**
     * Removes the response with the number `response`, and the assignments that no other response lists. The caller can
     * stop after any step; a later call continues the removal.
     */
    remove: (no: number, name: string, response: number): Steps => remove(no, name, response),
    /**
     * Removes the lists of assignments of the protocols that were last seen before `seenBeforeMs`: the service no
     * longer has these protocols.
     */
    removeGone: function* (connectionId: string, seenBeforeMs: number): Steps {
      const owner = connections.no(connectionId);
      for (const { no, name } of gone.all(owner, seenBeforeMs))
        yield* remove(owner, String(name), Number(no), NO_ASSIGNMENTS);
    },
    assignment: (connectionId: string, id: string): KnownAssignment | undefined => {
      const row = assignment.get(connections.no(connectionId), id);
      const parsed = row && storedJson(AssignmentSummary).safeParse(row.value);
      if (!parsed?.success) return undefined;
      return {
        assignment: parsed.data,
        ...(row?.protocol != null && { InspectionProtocolId: String(row.protocol) }),
        fetchedAtMs: Number(row?.fetched_ms),
        ...(row?.PlanAfter != null && {
          planAfter: { PlanAfter: Number(row.PlanAfter), respondedAtMs: Number(row.at_ms) },
        }),
      };
    },
    /**
     * Returns the summary of an assignment, even if no response lists it any more; undefined if it is not known.
     */
    summaryOf: (connectionId: string, id: string): AssignmentSummary | undefined => {
      const row = summary.get(connections.no(connectionId), id);
      return row && storedJson(AssignmentSummary).safeParse(row.value).data;
    },
    /** Returns the counties whose stored list of project assignments is not empty, sorted. */
    counties: (connectionId: string): readonly string[] =>
      counties.all(connections.no(connectionId)).map(({ county }) => String(county)),
    putPlanAfter: (connectionId: string, { AssignmentId, PlanAfter }: PlanAfterValue, atMs: number): void => {
      putPlanAfter.run(connections.no(connectionId), AssignmentId, PlanAfter, atMs);
    },
  };
};

const split = (name: string): readonly string[] => {
  const at = name.indexOf('/');
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
};

const DAY_MS = 86_400_000;

/** The maximum number of items in a part. A part is stored or read in a millisecond or two. */
const PART_ITEMS = 500;

/**
 * Creates the storage of responses in parts. A response becomes valid once all of its parts are stored. Older responses
 * of the same name are then removed.
 */
const createParts = (db: DatabaseSync, today: () => number) => {
  const add = db.prepare(
    'INSERT INTO response (connection, name, frame, unreadable, fetched_ms, used_day) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const addPart = db.prepare('INSERT INTO response_part VALUES (?, ?, ?)');
  const finish = db.prepare('UPDATE response SET parts = ? WHERE no = ?');
  const latest = db.prepare(
    `SELECT no, frame, parts, unreadable, fetched_ms FROM response
     WHERE connection = ? AND name = ? AND parts IS NOT NULL ORDER BY no DESC LIMIT 1`,
  );
  const getPart = db.prepare('SELECT Items FROM response_part WHERE response = ? AND part = ?');
  const others = db.prepare('SELECT no FROM response WHERE connection = ? AND name = ? AND no <> ?');
  const removeLastPart = db.prepare(
    'DELETE FROM response_part WHERE response = ?1 AND part = (SELECT max(part) FROM response_part WHERE response = ?1)',
  );
  const remove = db.prepare('DELETE FROM response WHERE no = ?');
  const reads: number[] = [];

  const readParts = function* <T extends List>(
    { no, parts, frame }: { readonly no: number; readonly parts: number; readonly frame: unknown },
    schema: z.ZodType<T>,
  ): Generator<void, T | undefined> {
    const items: unknown[] = [];
    reads.push(no);
    try {
      const stored = Frame.safeParse(frame).data;
      const empty = schema.safeParse(stored).data;
      if (!stored || !empty) return undefined;
      for (let part = 0; part < parts; part += 1) {
        const some = Items.safeParse(getPart.get(no, part)?.Items).data;
        const parsed = some && schema.safeParse(withItems(stored, some)).data;
        if (!parsed) return undefined;
        items.push(...itemsOf(parsed));
        yield;
      }
      return withItems(empty, items);
    } finally {
      reads.splice(reads.indexOf(no), 1);
    }
  };
  const removeParts = function* (no: number): Steps {
    while (removeLastPart.run(no).changes > 0) yield;
    remove.run(no);
  };

  return {
    /** Stores a response. `putItems` stores the items separately, before the response becomes valid. */
    put: function* (
      connection: number,
      name: string,
      { value, unreadable, fetchedAtMs }: Reading<List>,
      putItems: Steps,
    ): Steps {
      const items = itemsOf(value);
      const frame = JSON.stringify(withItems(value, []));
      const no = Number(add.run(connection, name, frame, unreadable, fetchedAtMs, today()).lastInsertRowid);
      yield* putItems;
      let parts = 0;
      for (; parts * PART_ITEMS < items.length; parts += 1) {
        addPart.run(no, parts, JSON.stringify(items.slice(parts * PART_ITEMS, (parts + 1) * PART_ITEMS)));
        yield;
      }
      finish.run(parts, no);
      for (const other of others.all(connection, name, no)) yield* removeParts(Number(other.no));
    },
    has: (connection: number, name: string): boolean => latest.get(connection, name) !== undefined,
    hide: (no: number): void => void finish.run(null, no),
    remove: removeParts,
    beingRead: (): readonly number[] => reads,
    /**
     * Returns the latest complete response; undefined if there is none, or if its frame or one of its parts is missing,
     * is damaged, or does not match `schema`. Throws `ZodError` if the response's time or its count of unreadable items
     * is invalid.
     */
    get: function* <T extends List>(
      connection: number,
      name: string,
      schema: z.ZodType<T>,
    ): Generator<void, Reading<T> | undefined> {
      let row = latest.get(connection, name);
      while (row) {
        const { unreadable, fetched_ms, frame } = row;
        const no = Number(row.no);
        const value = yield* readParts({ no, parts: Number(row.parts), frame }, schema);
        if (value) {
          return {
            value,
            unreadable: storedCount.parse(unreadable),
            source: 'cache',
            fetchedAtMs: storedTime.parse(fetched_ms),
          };
        }
        // A newer response may have replaced this one during the read.
        const later = latest.get(connection, name);
        row = later?.no === row.no ? undefined : later;
      }
      return undefined;
    },
  };
};

/**
 * Creates a function that stores the assignments of a response or, without `reading`, removes them. An assignment stays
 * as long as any response lists it.
 */
const createAssignmentLists = (db: DatabaseSync, vocabulary: Vocabulary) => {
  const named = db.prepare(
    'SELECT assignment FROM listed WHERE connection = ? AND response = ? AND assignment > ? ORDER BY assignment LIMIT 500',
  );
  const unlist = db.prepare('DELETE FROM listed WHERE connection = ? AND response = ? AND assignment = ?');
  const list = db.prepare('INSERT INTO listed VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  // Most assignments have not changed since they were last read. For these, only `fetched_ms` is written, which no
  // index contains.
  const renew = db.prepare('UPDATE assignment SET fetched_ms = ? WHERE connection = ? AND id = ? AND value = ?');
  const upsert = db.prepare(
    `INSERT INTO assignment VALUES (${nextRow('assignment')}, ?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (connection, id) DO UPDATE SET AssignmentStatus = ?3, value = ?4, fetched_ms = ?5`,
  );
  const keepUnlisted = db.prepare(keepFormer('id = ?2'));
  const removeUnlisted = db.prepare(
    `DELETE FROM assignment WHERE connection = ?1 AND id = ?2
       AND NOT EXISTS (SELECT 1 FROM listed WHERE connection = ?1 AND assignment = ?2)`,
  );

  return function* (no: number, response: string, reading?: NewList): Steps {
    const present = new Set<string>();
    const { fetchedAtMs: atMs = 0 } = reading ?? {};
    for (const one of reading ? itemsOf(reading.value) : []) {
      const item = AssignmentSummary.parse(one);
      present.add(item.AssignmentId);
      const { AssignmentId, StartTime: _time, ...texts } = item;
      const value = JSON.stringify(item);
      if (renew.run(atMs, no, AssignmentId, value).changes === 0) {
        upsert.run(no, AssignmentId, item.AssignmentStatus, value, atMs);
        vocabulary.learn(no, Object.values(texts));
      }
      list.run(no, response, AssignmentId);
      yield;
    }
    let rows = named.all(no, response, '');
    while (rows.length > 0) {
      const ids = rows.map(({ assignment }) => String(assignment));
      for (const id of ids.filter((one) => !present.has(one))) {
        unlist.run(no, response, id);
        if (reading) keepUnlisted.run(no, id);
        removeUnlisted.run(no, id);
        yield;
      }
      yield;
      rows = named.all(no, response, ids.at(-1) ?? '');
    }
  };
};

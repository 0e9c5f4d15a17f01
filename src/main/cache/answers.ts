/**
 * The answers of all reads but the protocol list, by name: `assignments/ID`, `points/ID`, `projects/COUNTY`, `events`.
 * Each is stored in parts, so that neither writing nor reading a long one blocks the process. Assignments and severities
 * are stored on their own as well, for searches and counts.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { KnownAssignment, Reading } from '../../contract/resources.ts';
import { AssignmentSummary, InspectionPoint, type PlanAfterValue } from '../../contract/resources.ts';
import { itemsOf, type List, withItems } from '../async/parse-in-slices.ts';
import { storedCount, storedJson, storedTime } from '../data/sqlite.ts';
import type { Steps } from './rows.ts';
import { type ConnectionRows, rowsOf } from './rows.ts';
import type { Vocabulary } from './search.ts';

export type Answers = {
  readonly put: (connectionId: string, name: string, reading: Reading<List>) => Steps;
  /** Marks an answer as used today, unless it has been already. */
  readonly use: (connectionId: string, name: string) => void;
  /** Removes an answer and the assignments that only it lists. May be dropped after any step: another call then continues. */
  readonly remove: (connectionId: string, name: string, no: number) => Steps;
  /** The numbers of the answers that `get` is reading. */
  readonly beingRead: () => readonly number[];
  /** The stored answer, for its schema to parse; undefined without one. */
  readonly get: (connectionId: string, name: string) => Generator<void, Reading<unknown> | undefined>;
  readonly assignment: (connectionId: string, id: string) => KnownAssignment | undefined;
  /** The counties with assignments for projects, sorted. */
  readonly counties: (connectionId: string) => readonly string[];
  readonly putPlanAfter: (connectionId: string, value: PlanAfterValue, atMs: number) => void;
};

/** An answer without its items. */
const Frame = storedJson(z.union([z.array(z.unknown()), z.looseObject({ Items: z.array(z.unknown()) })]));
const Items = storedJson(z.array(z.unknown()));
const PointSeverity = InspectionPoint.pick({ Severity: true });

/** The answers in `db`, which has been migrated. */
export const createAnswers = (
  db: DatabaseSync,
  connections: ConnectionRows,
  vocabulary: Vocabulary,
  now: () => number,
): Answers => {
  const today = (): number => Math.floor(now() / DAY_MS);
  const parts = createParts(db, today);
  const use = db.prepare('UPDATE answer SET used_day = ?1 WHERE connection = ?2 AND name = ?3 AND used_day <> ?1');
  const readIn = {
    assignments: db.prepare('UPDATE protocol SET assignments_pass = ? WHERE connection = ? AND id = ?'),
    points: db.prepare('UPDATE protocol SET points_pass = ? WHERE connection = ? AND id = ?'),
  };
  const keepAssignments = createAssignmentLists(db, vocabulary);
  const keepSeverities = createSeverities(db);
  const keepItems = function* (no: number, name: string, items: readonly unknown[], atMs: number): Steps {
    const [kind = ''] = split(name);
    if (kind === 'assignments' || kind === 'projects') yield* keepAssignments(no, name, items, atMs);
    if (kind === 'points') yield* keepSeverities(no, name, items);
  };
  /** `pass`: in which they were read; null if they are not stored. */
  const setReadIn = (no: number, name: string, pass: number | null): void => {
    const [kind = '', id = ''] = split(name);
    if (kind === 'assignments' || kind === 'points') readIn[kind].run(pass, no, id);
  };
  const assignment = db.prepare(
    `SELECT value, fetched_ms, PlanAfter, at_ms FROM assignment
     LEFT JOIN plan_after ON plan_after.connection = assignment.connection AND plan_after.assignment = assignment.id
     WHERE assignment.connection = ? AND id = ?`,
  );
  const protocolOf = db.prepare(
    `SELECT substr(answer, length('assignments/') + 1) AS id FROM listed
     WHERE connection = ? AND assignment = ? AND answer > 'assignments/' AND answer < 'assignments0' LIMIT 1`,
  );
  const counties = db.prepare(
    `SELECT DISTINCT substr(name, length('projects/') + 1) AS county FROM answer
     WHERE connection = ? AND name > 'projects/' AND name < 'projects0'
       AND EXISTS (SELECT 1 FROM listed WHERE listed.connection = ? AND listed.answer = answer.name)
     ORDER BY county`,
  );
  const putPlanAfter = db.prepare('INSERT OR REPLACE INTO plan_after VALUES (?, ?, ?, ?)');

  return {
    put: function* (connectionId, name, reading) {
      const no = connections.no(connectionId);
      yield* parts.put(connectionId, name, reading, keepItems(no, name, itemsOf(reading.value), reading.fetchedAtMs));
      setReadIn(no, name, connections.pass(connectionId));
    },
    get: parts.get,
    use: (connectionId, name) => {
      use.run(today(), connectionId, name);
    },
    beingRead: parts.beingRead,
    remove: function* (connectionId, name, answer) {
      const no = connections.no(connectionId);
      parts.hide(answer);
      // If a complete answer of this name is there, the listed assignments are its own.
      if (!parts.has(connectionId, name)) {
        setReadIn(no, name, null);
        yield* keepItems(no, name, [], 0);
      }
      yield* parts.remove(answer);
    },
    assignment: (connectionId, id) => {
      const no = connections.no(connectionId);
      const row = assignment.get(no, id);
      const parsed = row && storedJson(AssignmentSummary).safeParse(row.value);
      if (!parsed?.success) return undefined;
      const protocol = protocolOf.get(no, id);
      return {
        assignment: parsed.data,
        ...(protocol && { InspectionProtocolId: String(protocol.id) }),
        fetchedAtMs: Number(row?.fetched_ms),
        ...(row?.PlanAfter != null && {
          planAfter: { PlanAfter: Number(row.PlanAfter), answeredAtMs: Number(row.at_ms) },
        }),
      };
    },
    counties: (connectionId) =>
      counties.all(connectionId, connections.no(connectionId)).map(({ county }) => String(county)),
    putPlanAfter: (connectionId, { AssignmentId, PlanAfter }, atMs) => {
      putPlanAfter.run(connections.no(connectionId), AssignmentId, PlanAfter, atMs);
    },
  };
};

/** Splits `kind/id`; the id may contain slashes. */
const split = (name: string): readonly string[] => {
  const at = name.indexOf('/');
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
};

const DAY_MS = 86_400_000;

/** Items in a part: storing or reading one takes a millisecond or two. */
const PART_ITEMS = 500;

type Parts = Pick<Answers, 'get' | 'beingRead'> & {
  /** `items`: what stores the items on their own. They are stored between the beginning and the end of the answer. */
  readonly put: (connectionId: string, name: string, reading: Reading<List>, items: Steps) => Steps;
  readonly has: (connectionId: string, name: string) => boolean;
  /** An answer that is hidden does not count any more, like one that is not complete yet. */
  readonly hide: (no: number) => void;
  readonly remove: (no: number) => Steps;
};

/** An answer counts once all of its parts are stored. Older answers of the same name are then removed. */
const createParts = (db: DatabaseSync, today: () => number): Parts => {
  const add = db.prepare(
    'INSERT INTO answer (connection, name, frame, unreadable, fetched_ms, used_day) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const addPart = db.prepare('INSERT INTO answer_part VALUES (?, ?, ?)');
  const finish = db.prepare('UPDATE answer SET parts = ? WHERE no = ?');
  const latest = db.prepare(
    `SELECT no, frame, parts, unreadable, fetched_ms FROM answer
     WHERE connection = ? AND name = ? AND parts IS NOT NULL ORDER BY no DESC LIMIT 1`,
  );
  const getPart = db.prepare('SELECT Items FROM answer_part WHERE answer = ? AND part = ?');
  const others = db.prepare('SELECT no FROM answer WHERE connection = ? AND name = ? AND no <> ?');
  const removeLastPart = db.prepare(
    'DELETE FROM answer_part WHERE answer = ?1 AND part = (SELECT max(part) FROM answer_part WHERE answer = ?1)',
  );
  const remove = db.prepare('DELETE FROM answer WHERE no = ?');
  /** Answers that are being read, each as often as it is. */
  const reads: number[] = [];

  /** Undefined where a part is missing or unreadable. */
  const readParts = function* (no: number, parts: number): Generator<void, unknown[] | undefined> {
    const items: unknown[] = [];
    reads.push(no);
    try {
      for (let part = 0; part < parts; part += 1) {
        const stored = Items.safeParse(getPart.get(no, part)?.Items);
        if (!stored.success) return undefined;
        items.push(...stored.data);
        yield;
      }
      return items;
    } finally {
      reads.splice(reads.indexOf(no), 1);
    }
  };
  const removeParts = function* (no: number): Steps {
    while (removeLastPart.run(no).changes > 0) yield;
    remove.run(no);
  };

  return {
    put: function* (connectionId, name, { value, unreadable, fetchedAtMs }, keptItems) {
      const items = itemsOf(value);
      const frame = JSON.stringify(withItems(value, []));
      const no = Number(add.run(connectionId, name, frame, unreadable, fetchedAtMs, today()).lastInsertRowid);
      yield* keptItems;
      let parts = 0;
      for (; parts * PART_ITEMS < items.length; parts += 1) {
        addPart.run(no, parts, JSON.stringify(items.slice(parts * PART_ITEMS, (parts + 1) * PART_ITEMS)));
        yield;
      }
      finish.run(parts, no);
      for (const other of others.all(connectionId, name, no)) yield* removeParts(Number(other.no));
    },
    has: (connectionId, name) => latest.get(connectionId, name) !== undefined,
    hide: (no) => {
      finish.run(null, no);
    },
    remove: removeParts,
    beingRead: () => reads,
    get: function* (connectionId, name) {
      let row = latest.get(connectionId, name);
      while (row) {
        const { no, parts, unreadable, fetched_ms } = row;
        const items = yield* readParts(Number(no), Number(parts));
        const frame = Frame.safeParse(row.frame);
        if (items && frame.success) {
          const value = withItems(frame.data, items);
          return {
            value,
            unreadable: storedCount.parse(unreadable),
            source: 'cache',
            fetchedAtMs: storedTime.parse(fetched_ms),
          };
        }
        // It may have been replaced while it was read.
        const later = latest.get(connectionId, name);
        row = later?.no === no ? undefined : later;
      }
      return undefined;
    },
  };
};

/** An assignment stays as long as an answer contains it. */
const createAssignmentLists = (db: DatabaseSync, vocabulary: Vocabulary) => {
  const named = db.prepare(
    'SELECT assignment FROM listed WHERE connection = ? AND answer = ? AND assignment > ? ORDER BY assignment LIMIT 500',
  );
  const unlist = db.prepare('DELETE FROM listed WHERE connection = ? AND answer = ? AND assignment = ?');
  const list = db.prepare('INSERT INTO listed VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const nextRow = db.prepare('SELECT max(row) AS row FROM assignment WHERE row BETWEEN ? AND ?');
  const upsert = db.prepare(
    `INSERT INTO assignment VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT (connection, id) DO UPDATE SET AssignmentStatus = ?4, value = ?5, fetched_ms = ?6`,
  );
  const removeUnlisted = db.prepare(
    `DELETE FROM assignment WHERE connection = ?1 AND id = ?2
       AND NOT EXISTS (SELECT 1 FROM listed WHERE connection = ?1 AND assignment = ?2)`,
  );

  const nextRowOf = (no: number): number => {
    const { first, last } = rowsOf(no);
    return Number(nextRow.get(first, last)?.row ?? first - 1) + 1;
  };

  return function* (no: number, answer: string, items: readonly unknown[], atMs: number): Steps {
    const present = new Set<string>();
    for (const one of items) {
      const item = AssignmentSummary.parse(one);
      present.add(item.AssignmentId);
      upsert.run(nextRowOf(no), no, item.AssignmentId, item.AssignmentStatus, JSON.stringify(item), atMs);
      list.run(no, answer, item.AssignmentId);
      const { AssignmentId: _id, StartTime: _time, ...texts } = item;
      vocabulary.learn(no, Object.values(texts));
      yield;
    }
    let rows = named.all(no, answer, '');
    while (rows.length > 0) {
      const ids = rows.map(({ assignment }) => String(assignment));
      for (const id of ids.filter((one) => !present.has(one))) {
        unlist.run(no, answer, id);
        removeUnlisted.run(no, id);
        yield;
      }
      yield;
      rows = named.all(no, answer, ids.at(-1) ?? '');
    }
  };
};

const createSeverities = (db: DatabaseSync) => {
  const clear = db.prepare('DELETE FROM severity WHERE connection = ? AND answer = ?');
  const add = db.prepare('INSERT INTO severity VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET points = points + 1');
  return function* (no: number, answer: string, points: readonly unknown[]): Steps {
    clear.run(no, answer);
    for (const point of points) {
      add.run(no, answer, PointSeverity.parse(point).Severity);
      yield;
    }
  };
};

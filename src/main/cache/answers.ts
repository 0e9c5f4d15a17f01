/**
 * Whole answers of the reads beside the protocol list, by name: `assignments/ID`, `points/ID`, `projects/COUNTY`,
 * `events`. What they tell of single assignments and of severities is kept beside them, for searches and counts.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Reading } from '../../contract/models.ts';
import type { KnownAssignment } from '../../contract/offline.ts';
import { AssignmentSummary, InspectionPoint, type PlanAfterValue } from '../../contract/resources.ts';
import { storedCount, storedJson, storedTime } from '../stored.ts';
import { type ConnectionRows, rowsOf } from './connection-rows.ts';
import type { Steps } from './in-slices.ts';
import type { Vocabulary } from './vocabulary.ts';

export type Answers = {
  readonly put: (connection: string, name: string, reading: Reading<unknown>) => Steps;
  /** The kept answer, parsed again; undefined where there is none (any more of that shape). */
  readonly get: <T>(connection: string, name: string, schema: z.ZodType<T>) => Reading<T> | undefined;
  readonly assignment: (connection: string, id: string) => KnownAssignment | undefined;
  /** The counties for which there are assignments for projects, in order. */
  readonly counties: (connection: string) => readonly string[];
  readonly putPlanAfter: (connection: string, value: PlanAfterValue, atMs: number) => void;
};

const List = z.array(z.unknown());
const ItemsOf = z.object({ Items: List });
const PointSeverity = InspectionPoint.pick({ Severity: true });

/** The answers in `db`, which has been migrated. */
export const createAnswers = (db: DatabaseSync, connections: ConnectionRows, vocabulary: Vocabulary): Answers => {
  const put = db.prepare('INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)');
  const get = db.prepare('SELECT value, unreadable, fetched_ms FROM answer WHERE connection = ? AND name = ?');
  const readIn = {
    assignments: db.prepare('UPDATE protocol SET assignments_pass = ? WHERE connection = ? AND id = ?'),
    points: db.prepare('UPDATE protocol SET points_pass = ? WHERE connection = ? AND id = ?'),
  };
  const keepAssignments = createAssignmentLists(db, vocabulary);
  const keepSeverities = createSeverities(db);
  const assignment = db.prepare(
    `SELECT value, fetched_ms, PlanAfter, at_ms FROM assignment
     LEFT JOIN plan_after ON plan_after.connection = assignment.connection AND plan_after.assignment = assignment.id
     WHERE assignment.connection = ? AND id = ?`,
  );
  const counties = db.prepare(
    `SELECT substr(name, length('projects/') + 1) AS county FROM answer
     WHERE connection = ? AND name > 'projects/' AND name < 'projects0'
       AND EXISTS (SELECT 1 FROM listed WHERE listed.connection = ? AND listed.answer = answer.name)
     ORDER BY county`,
  );
  const putPlanAfter = db.prepare('INSERT OR REPLACE INTO plan_after VALUES (?, ?, ?, ?)');

  return {
    put: function* (connection, name, { value, unreadable, fetchedAt }) {
      const no = connections.no(connection);
      const [kind = '', id = ''] = split(name);
      if (kind === 'assignments' || kind === 'projects') {
        yield* keepAssignments(no, name, ItemsOf.parse(value).Items, fetchedAt);
      }
      if (kind === 'points') yield* keepSeverities(no, name, List.parse(value));
      const text = JSON.stringify(value);
      yield;
      put.run(connection, name, text, unreadable, fetchedAt);
      if (kind === 'assignments' || kind === 'points') readIn[kind].run(connections.pass(connection), no, id);
    },
    get: (connection, name, schema) => {
      const row = get.get(connection, name);
      const parsed = row && storedJson(schema).safeParse(row.value);
      if (!parsed?.success) return undefined;
      return {
        value: parsed.data,
        unreadable: storedCount.parse(row?.unreadable),
        source: 'cache',
        fetchedAt: storedTime.parse(row?.fetched_ms),
      };
    },
    assignment: (connection, id) => {
      const row = assignment.get(connections.no(connection), id);
      const parsed = row && storedJson(AssignmentSummary).safeParse(row.value);
      if (!parsed?.success) return undefined;
      return {
        assignment: parsed.data,
        fetchedAt: Number(row?.fetched_ms),
        ...(row?.PlanAfter != null && { planAfter: { PlanAfter: Number(row.PlanAfter), at: Number(row.at_ms) } }),
      };
    },
    counties: (connection) => counties.all(connection, connections.no(connection)).map(({ county }) => String(county)),
    putPlanAfter: (connection, { AssignmentId, PlanAfter }, atMs) => {
      putPlanAfter.run(connections.no(connection), AssignmentId, PlanAfter, atMs);
    },
  };
};

/** `kind/id`; the id may have slashes of its own. */
const split = (name: string): readonly string[] => {
  const at = name.indexOf('/');
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)];
};

/** An assignment stays as long as some answer names it. */
const createAssignmentLists = (db: DatabaseSync, vocabulary: Vocabulary) => {
  const named = db.prepare('SELECT assignment FROM listed WHERE connection = ? AND answer = ?');
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
    for (const { assignment } of named.all(no, answer)) {
      const id = String(assignment);
      if (present.has(id)) continue;
      unlist.run(no, answer, id);
      removeUnlisted.run(no, id);
      yield;
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

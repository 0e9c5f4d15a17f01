/**
 * outbox.sqlite: changes made here that wait for the service. Precious, as nothing else knows of them: a damaged one is
 * left as it is, and changes are then made only while the service can be reached.
 */
import { DeskError, ErrorData, toErrorData } from '../../contract/errors.ts';
import type { OutboxEntry } from '../../contract/offline.ts';
import { openDatabase, translated } from '../sqlite.ts';
import { outboxMigrations } from './migrations.ts';

/** Whose changes these are: a connection (by its key) and, where the access token tells, a user. */
export type OutboxOwner = { readonly connection: string; readonly subject: string | undefined };

/** Without `PlanAfter` the value is to be cleared. */
export type PlanAfterChange = {
  readonly kind: 'plan-after';
  readonly AssignmentId: string;
  readonly PlanAfter?: number | undefined;
};
export type FileRemoval = { readonly kind: 'remove-file'; readonly AssignmentId: string; readonly Key: string };
export type Change = PlanAfterChange | FileRemoval;

/** Errors of all that write: `data/corrupt`, `data/unwritable`. */
export type OutboxStore = {
  /** In the order in which they were made. */
  readonly list: (owner: OutboxOwner) => readonly OutboxEntry[];
  /** Keeps a change at the end, in the place of an earlier one of the same value. */
  readonly put: (owner: OutboxOwner, change: Change, atMs: number) => void;
  /** Forgets an earlier change of the value that `change` is about. */
  readonly supersede: (owner: OutboxOwner, change: Change) => void;
  readonly remove: (id: number) => void;
  readonly refused: (id: number, error: DeskError) => void;
  readonly retry: (id: number) => void;
  /** Why nothing can be kept, if so. */
  readonly damage: DeskError | undefined;
  readonly close: () => void;
};

/** Opens the outbox at `path`. Errors: `data/unwritable`. */
export const openOutboxStore = (path: string): OutboxStore => {
  try {
    return createStore(path, undefined);
  } catch (error) {
    if (!(error instanceof DeskError) || error.code === 'data/unwritable') throw error;
    return createStore(':memory:', error);
  }
};

const createStore = (path: string, damage: DeskError | undefined): OutboxStore => {
  const db = openDatabase({ path, migrations: outboxMigrations, durability: 'full' });
  const mine = 'connection = ?1 AND (subject IS NULL OR ?2 IS NULL OR subject = ?2)';
  const list = db.prepare(`SELECT * FROM entry WHERE ${mine} ORDER BY id`);
  const insert = db.prepare(
    `INSERT OR REPLACE INTO entry (connection, subject, assignment, kind, PlanAfter, file_key, at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const supersede = db.prepare(
    'DELETE FROM entry WHERE connection = ? AND assignment = ? AND kind = ? AND file_key = ?',
  );
  const remove = db.prepare('DELETE FROM entry WHERE id = ?');
  const setError = db.prepare('UPDATE entry SET error = ? WHERE id = ?');
  const write = (work: () => unknown): void => {
    if (damage) throw damage;
    translated(path, work);
  };

  return {
    list: ({ connection, subject }) => list.all(connection, subject ?? null).map(toEntry),
    put: ({ connection, subject }, change, atMs) =>
      write(() => {
        const { kind, AssignmentId } = change;
        insert.run(connection, subject ?? null, AssignmentId, kind, numberOf(change), keyOf(change), atMs);
      }),
    supersede: ({ connection }, change) =>
      write(() => supersede.run(connection, change.AssignmentId, change.kind, keyOf(change))),
    remove: (id) => write(() => remove.run(id)),
    refused: (id, error) => write(() => setError.run(JSON.stringify(toErrorData(error)), id)),
    retry: (id) => write(() => setError.run(null, id)),
    damage,
    close: () => db.close(),
  };
};

const keyOf = (change: Change): string => (change.kind === 'remove-file' ? change.Key : '');
const numberOf = (change: Change): number | null => (change.kind === 'plan-after' ? (change.PlanAfter ?? null) : null);

const toEntry = (row: Readonly<Record<string, unknown>>): OutboxEntry => {
  const entry = {
    id: Number(row.id),
    AssignmentId: String(row.assignment),
    at: Number(row.at_ms),
    ...(row.error != null && { error: ErrorData.parse(JSON.parse(String(row.error))) }),
  };
  if (row.kind === 'remove-file') return { ...entry, kind: 'remove-file', Key: String(row.file_key) };
  return { ...entry, kind: 'plan-after', ...(row.PlanAfter != null && { PlanAfter: Number(row.PlanAfter) }) };
};

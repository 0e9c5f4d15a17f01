/**
 * outbox.sqlite: pending changes, which exist nowhere else. A damaged file is never touched; changes can then be made only
 * while the service is reachable.
 */
import { z } from 'zod';
import { DeskError, ErrorData, toErrorData } from '../../contract/errors.ts';
import type { OutboxEntry } from '../../contract/outbox.ts';
import { isSameUser, type Owner } from '../../contract/owner.ts';
import { openDatabase, translated } from '../data/sqlite.ts';
import { absent, storedCount, storedJson, storedTime } from '../data/stored.ts';
import { outboxMigrations } from './migrations.ts';

/** Without `PlanAfter` the value is cleared. */
export type PlanAfterChange = {
  readonly kind: 'plan-after';
  readonly AssignmentId: string;
  readonly PlanAfter?: number | undefined;
};
export type FileRemoval = { readonly kind: 'remove-file'; readonly AssignmentId: string; readonly Key: string };
export type Change = PlanAfterChange | FileRemoval;

/** Errors of all that write: `data/corrupt`, `data/unwritable`. */
export type OutboxStore = {
  /** In the order in which they were made, without those that cannot be read. */
  readonly list: (owner: Owner) => readonly OutboxEntry[];
  /** Appends a change, and removes an earlier one of the same value. */
  readonly put: (owner: Owner, change: Change, atMs: number) => void;
  /** Removes an earlier change of the same value as `change`. */
  readonly supersede: (owner: Owner, change: Change) => void;
  readonly remove: (id: number) => void;
  readonly refused: (id: number, error: DeskError) => void;
  readonly retry: (id: number) => void;
  /** Why nothing can be stored, if so. */
  readonly damage: DeskError | undefined;
  /** `data/left-out`: some changes cannot be read. They stay in the file as they are, and are not sent. */
  readonly leftOut: DeskError | undefined;
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
  const list = db.prepare('SELECT * FROM entry WHERE connection = ? ORDER BY id');
  const insert = db.prepare(
    `INSERT OR REPLACE INTO entry (connection, subject, assignment, kind, PlanAfter, file_key, at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const supersede = db.prepare(
    'DELETE FROM entry WHERE connection = ? AND assignment = ? AND kind = ? AND file_key = ?',
  );
  const remove = db.prepare('DELETE FROM entry WHERE id = ?');
  const setError = db.prepare('UPDATE entry SET error = ? WHERE id = ?');
  // Otherwise an integer that JavaScript cannot hold would hide all other rows.
  list.setReadBigInts(true);
  const all = db.prepare('SELECT * FROM entry');
  all.setReadBigInts(true);
  const isUnreadable = all.all().some((row) => !Row.safeParse(row).success);
  const leftOut = isUnreadable
    ? new DeskError('data/left-out', 'a change in the outbox cannot be read', {
        details: { part: 'pending changes', file: path },
      })
    : undefined;
  const write = (work: () => unknown): void => {
    if (damage) throw damage;
    translated(path, work);
  };

  return {
    list: (owner) =>
      translated(path, () => list.all(owner.connectionId))
        .filter((row) => isSameUser({ subject: textOf(row.subject) }, owner))
        .flatMap((row) => Row.safeParse(row).data ?? []),
    put: ({ connectionId, subject }, change, atMs) =>
      write(() => {
        const { kind, AssignmentId } = change;
        insert.run(connectionId, subject ?? null, AssignmentId, kind, numberOf(change), keyOf(change), atMs);
      }),
    supersede: ({ connectionId }, change) =>
      write(() => supersede.run(connectionId, change.AssignmentId, change.kind, keyOf(change))),
    remove: (id) => write(() => remove.run(id)),
    refused: (id, error) => write(() => setError.run(JSON.stringify(toErrorData(error)), id)),
    retry: (id) => write(() => setError.run(null, id)),
    damage,
    leftOut,
    close: () => db.close(),
  };
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const keyOf = (change: Change): string => (change.kind === 'remove-file' ? change.Key : '');
const numberOf = (change: Change): number | null => (change.kind === 'plan-after' ? (change.PlanAfter ?? null) : null);

const Row = z
  .object({
    id: storedCount,
    assignment: z.string(),
    kind: z.enum(['plan-after', 'remove-file']),
    PlanAfter: absent(z.number()),
    file_key: z.string(),
    error: absent(storedJson(ErrorData)),
    at_ms: storedTime,
  })
  .transform(({ id, assignment, kind, PlanAfter, file_key, error, at_ms }): OutboxEntry => {
    const entry = { id, AssignmentId: assignment, createdAtMs: at_ms, ...(error && { error }) };
    if (kind === 'remove-file') return { ...entry, kind, Key: file_key };
    return { ...entry, kind, ...(PlanAfter !== undefined && { PlanAfter }) };
  });

/**
 * outbox.sqlite: pending changes, which exist nowhere else. A damaged file is never touched; changes can then be made only
 * while the service is reachable.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isSameUser, type Owner } from '../../contract/connection.ts';
import { DeskError, ErrorData, toErrorData } from '../../contract/errors.ts';
import type { OutboxEntry, RemovableFile } from '../../contract/offline.ts';
import { openDatabase, transaction, translated } from '../data/sqlite.ts';
import { absent, storedCount, storedJson, storedTime } from '../data/stored.ts';
import { outboxMigrations } from './migrations.ts';
import { createRemovals, type Removals } from './removals.ts';

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
  /** The files of removals of several. */
  readonly removals: Removals;
  /** In the order in which they were made, without those that cannot be read. */
  readonly list: (owner: Owner) => readonly OutboxEntry[];
  /** Appends a change, and removes an earlier one of the same value. */
  readonly put: (owner: Owner, change: Change, atMs: number) => void;
  /** Removes an earlier change of the same value as `change`. */
  readonly supersede: (owner: Owner, change: Change) => void;
  readonly remove: (id: number) => void;
  /** Appends the removal of several files; answers its id. */
  readonly putRemoval: (owner: Owner, assignmentId: string, files: readonly RemovableFile[], atMs: number) => number;
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
  const lastId = db.prepare('SELECT last_insert_rowid() AS id');
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
  const write = <T>(work: () => T): T => {
    if (damage) throw damage;
    return translated(path, work);
  };
  const removals = createRemovals(db, write);

  return {
    list: (owner) =>
      translated(path, () => list.all(owner.connectionId))
        .filter((row) => isSameUser({ subject: textOf(row.subject) }, owner))
        .flatMap((row) => {
          const entry = Row.safeParse(row).data;
          if (entry?.kind !== 'remove-files') return entry ?? [];
          return { ...entry, ...translated(path, () => removals.counts(entry.id)) };
        }),
    put: ({ connectionId, subject }, change, atMs) =>
      write(() => {
        const { kind, AssignmentId } = change;
        insert.run(connectionId, subject ?? null, AssignmentId, kind, numberOf(change), keyOf(change), atMs);
      }),
    putRemoval: ({ connectionId, subject }, assignmentId, files, atMs) =>
      write(() =>
        transaction(db, () => {
          insert.run(connectionId, subject ?? null, assignmentId, 'remove-files', null, randomUUID(), atMs);
          const id = Number(lastId.get()?.id);
          removals.add(id, files);
          return id;
        }),
      ),
    removals,
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
    kind: z.enum(['plan-after', 'remove-file', 'remove-files']),
    PlanAfter: absent(z.number()),
    file_key: z.string(),
    error: absent(storedJson(ErrorData)),
    at_ms: storedTime,
  })
  .transform(({ id, assignment, kind, PlanAfter, file_key, error, at_ms }): OutboxEntry => {
    const entry = { id, AssignmentId: assignment, createdAtMs: at_ms, ...(error && { error }) };
    if (kind === 'remove-files') return { ...entry, kind, files: 0, bytes: 0, removed: 0, refused: 0, waiting: 0 };
    if (kind === 'remove-file') return { ...entry, kind, Key: file_key };
    return { ...entry, kind, ...(PlanAfter !== undefined && { PlanAfter }) };
  });

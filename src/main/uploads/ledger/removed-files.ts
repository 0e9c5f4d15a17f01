/** Uploaded files that are no longer on their assignment, and since when. Their items stay done: they did arrive. */
import type { DatabaseSync } from 'node:sqlite';
import { RANGE } from './item-lists.ts';
import type { AssignmentRef } from './known-items.ts';

/** The states of batches that still send files. */
export const UNENDED = `'scanning', 'running', 'paused'`;

/** The item of a lost file, and the Key under which it should have been. */
type LostFile = AssignmentRef & { readonly item: number; readonly key: string };

type RemovedFiles = {
  /**
   * The file of the item is gone, since `atMs` if that is known. `isLost`: it never arrived, or another file took its Key,
   * which only counts while its batch has not ended. Returns whether that is new.
   */
  readonly add: (item: number, how?: { readonly atMs?: number | undefined; readonly isLost?: boolean }) => boolean;
  /** Those that are lost, of a batch; they count as gone no longer. */
  readonly takeLost: (batch: string) => readonly LostFile[];
  /** The files with this Key that are gone were removed `atMs`, unless another time is recorded. Answers their items. */
  readonly date: (assignment: AssignmentRef, key: string, atMs: number) => readonly number[];
  /** The service says that the file with this Key is there after all; answers its item, the last one that was uploaded. */
  readonly restore: (assignment: AssignmentRef, key: string) => number | undefined;
};

/** The removed files in `db`, which has been migrated. */
export const createRemovedFiles = (db: DatabaseSync): RemovedFiles => {
  const add = db.prepare(
    `INSERT INTO removed_file (item, key, at_ms, is_lost)
     SELECT item.id, key, ?1, ?2 AND batch.state IN (${UNENDED}) FROM item JOIN batch ON number = batch
     WHERE item.id = ?3 AND key IS NOT NULL ON CONFLICT DO NOTHING`,
  );
  const lost = db.prepare(
    `SELECT item, key, connection, assignment_id FROM batch
     JOIN removed_file ON item >= number * ${RANGE} AND item < (number + 1) * ${RANGE} WHERE batch.id = ? AND is_lost`,
  );
  const withKey = db.prepare(
    `SELECT item, at_ms FROM removed_file JOIN item ON item.id = removed_file.item JOIN batch ON number = batch
     WHERE removed_file.key = ? AND connection = ? AND assignment_id = ? ORDER BY settled_ms DESC, item DESC`,
  );
  const setTime = db.prepare('UPDATE removed_file SET at_ms = ? WHERE item = ?');
  const forget = db.prepare('DELETE FROM removed_file WHERE item = ?');
  return {
    add: (item, { atMs, isLost = false } = {}) => add.run(atMs ?? null, isLost ? 1 : 0, item).changes === 1,
    takeLost: (batch) => {
      const rows = lost.all(batch);
      for (const { item = null } of rows) forget.run(item);
      return rows.map(({ item, key, connection, assignment_id }) => ({
        item: Number(item),
        key: String(key),
        connectionId: String(connection),
        assignmentId: String(assignment_id),
      }));
    },
    date: ({ connectionId, assignmentId }, key, atMs) => {
      const undated = withKey.all(key, connectionId, assignmentId).filter(({ at_ms }) => at_ms === null);
      for (const { item = null } of undated) setTime.run(atMs, item);
      return undated.map(({ item }) => Number(item));
    },
    restore: ({ connectionId, assignmentId }, key) => {
      const [last] = withKey.all(key, connectionId, assignmentId);
      if (last?.item === undefined) return undefined;
      forget.run(last.item);
      return Number(last.item);
    },
  };
};

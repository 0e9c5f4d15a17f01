/** Uploaded files that are no longer on their assignment, and since when. Their items stay done: they did arrive. */
import type { DatabaseSync } from 'node:sqlite';
import type { AssignmentRef } from './known-files.ts';

type RemovedFiles = {
  /** The file of the item is gone, since `atMs` if that is known. Answers whether that is new. */
  readonly add: (item: number, atMs?: number) => boolean;
  /** The files with this Key that are gone were removed `atMs`, unless another time is recorded. Answers their items. */
  readonly date: (assignment: AssignmentRef, key: string, atMs: number) => readonly number[];
  /** The service says that the file with this Key is there after all; answers its item, the last one that was uploaded. */
  readonly restore: (assignment: AssignmentRef, key: string) => number | undefined;
};

/** The removed files in `db`, which has been migrated. */
export const createRemovedFiles = (db: DatabaseSync): RemovedFiles => {
  const add = db.prepare(
    `INSERT INTO removed_file SELECT id, key, ? FROM item WHERE id = ? AND key IS NOT NULL ON CONFLICT DO NOTHING`,
  );
  const withKey = db.prepare(
    `SELECT item, at_ms FROM removed_file JOIN item ON item.id = removed_file.item JOIN batch ON number = batch
     WHERE removed_file.key = ? AND connection = ? AND assignment_id = ? ORDER BY settled_ms DESC, item DESC`,
  );
  const setTime = db.prepare('UPDATE removed_file SET at_ms = ? WHERE item = ?');
  const forget = db.prepare('DELETE FROM removed_file WHERE item = ?');
  return {
    add: (item, atMs) => add.run(atMs ?? null, item).changes === 1,
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

/** What the ledger tells about earlier uploads of a connection, for those that are being prepared. */
import type { DatabaseSync } from 'node:sqlite';

export type History = {
  /** The assignments that were uploaded to from here, or whose files are known. */
  readonly assignments: (connectionId: string) => readonly string[];
  /** The size, in bytes, of the smallest file that was too large for the storage. */
  readonly smallestRefused: (connectionId: string) => number | undefined;
};

/** The history in `db`, which has been migrated. */
export const createHistory = (db: DatabaseSync): History => {
  // One step in the index for each assignment, however many files it has.
  const assignments = db.prepare(
    `WITH RECURSIVE known (id) AS (
       SELECT min(assignment_id) FROM known_file WHERE connection = ?1
       UNION ALL
       SELECT (SELECT min(assignment_id) FROM known_file WHERE connection = ?1 AND assignment_id > id)
       FROM known WHERE id IS NOT NULL)
     SELECT id FROM known WHERE id IS NOT NULL UNION SELECT assignment_id FROM batch WHERE connection = ?1`,
  );
  const smallest = db.prepare(
    `SELECT min(size_bytes) AS bytes FROM item
     WHERE batch IN (SELECT number FROM batch WHERE connection = ?) AND error ->> 'code' = 'upload/too-large'`,
  );
  return {
    assignments: (connectionId) => assignments.all(connectionId).map(({ id }) => String(id)),
    smallestRefused: (connectionId) => {
      const { bytes } = smallest.get(connectionId) ?? {};
      return bytes == null ? undefined : Number(bytes);
    },
  };
};

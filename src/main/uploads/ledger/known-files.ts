/** What this app knows to be on an assignment. No operation of the interface lists an assignment's files. */
import type { DatabaseSync } from 'node:sqlite';
import type { KnownFile } from '../../../contract/models.ts';
import type { AssignmentFiles } from '../../../contract/resources.ts';

/** An assignment of a connection (by its key). */
export type AssignmentRef = { readonly connection: string; readonly assignmentId: string };

export type UploadedHere = {
  readonly key: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly atMs: number;
};

export type KnownFiles = {
  readonly list: (assignment: AssignmentRef) => readonly KnownFile[];
  readonly uploaded: (assignment: AssignmentRef, file: UploadedHere) => void;
  /**
   * Takes over what a removal answered at a request begun at `askedMs`: what it does not name is gone, except
   * files uploaded since, which the answer could not know.
   */
  readonly answered: (assignment: AssignmentRef, answer: AssignmentFiles, askedMs: number, atMs: number) => void;
  readonly removed: (assignment: AssignmentRef, key: string) => void;
  /** sha256 of files uploaded here, still there, with this FileName and size. */
  readonly twins: (assignment: AssignmentRef, fileName: string, sizeBytes: number) => readonly string[];
};

/** The known files in `db`, which has been migrated. */
export const createKnownFiles = (db: DatabaseSync): KnownFiles => {
  const ofAssignment = 'connection = ? AND assignment_id = ?';
  const list = db.prepare(`SELECT * FROM known_file WHERE ${ofAssignment} ORDER BY file_name, key`);
  const upsert = db.prepare(
    `INSERT INTO known_file (connection, assignment_id, key, file_name, uploaded_by, source, size_bytes, sha256, at_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET
       file_name = excluded.file_name,
       uploaded_by = coalesce(nullif(excluded.uploaded_by, ''), uploaded_by),
       size_bytes = coalesce(excluded.size_bytes, size_bytes),
       sha256 = coalesce(excluded.sha256, sha256),
       at_ms = iif(excluded.source = 'uploaded-here', excluded.at_ms, at_ms),
       source = iif(excluded.source = 'uploaded-here', excluded.source, source)`,
  );
  const forgetOlder = db.prepare(
    `DELETE FROM known_file WHERE ${ofAssignment} AND at_ms < ? AND key NOT IN (SELECT value FROM json_each(?))`,
  );
  const remove = db.prepare(`DELETE FROM known_file WHERE ${ofAssignment} AND key = ?`);
  const twins = db.prepare(
    // Named, for the planner takes the primary key, and would look at every file of the assignment for each new one.
    `SELECT sha256 FROM known_file INDEXED BY known_file_by_name
     WHERE ${ofAssignment} AND file_name = ? AND size_bytes = ? AND sha256 IS NOT NULL`,
  );

  return {
    list: ({ connection, assignmentId }) =>
      list.all(connection, assignmentId).map((row) => ({
        Key: String(row.key),
        FileName: String(row.file_name),
        UploadedBy: String(row.uploaded_by),
        source: row.source === 'uploaded-here' ? 'uploaded-here' : 'seen-at-removal',
        at: Number(row.at_ms),
      })),
    uploaded: ({ connection, assignmentId }, { key, fileName, sizeBytes, sha256, atMs }) => {
      upsert.run(connection, assignmentId, key, fileName, '', 'uploaded-here', sizeBytes, sha256, atMs);
    },
    answered: ({ connection, assignmentId }, { Files }, askedMs, atMs) => {
      forgetOlder.run(connection, assignmentId, askedMs, JSON.stringify(Files.map(({ Key }) => Key)));
      for (const { Key, FileName, UploadedBy } of Files) {
        upsert.run(connection, assignmentId, Key, FileName, UploadedBy, 'seen-at-removal', null, null, atMs);
      }
    },
    removed: ({ connection, assignmentId }, key) => {
      remove.run(connection, assignmentId, key);
    },
    twins: ({ connection, assignmentId }, fileName, sizeBytes) =>
      twins.all(connection, assignmentId, fileName, sizeBytes).map((row) => String(row.sha256)),
  };
};

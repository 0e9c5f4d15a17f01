/**
 * The signed Keys of uploads, and the objects stored under them. The bytes of objects are files in the objects folder,
 * unless they are discarded; everything else is in the database. An object is replaced atomically once all bytes of the
 * new one have arrived.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { AssignmentFiles, PlanAfterValue } from '../../contract/resources.ts';
import type { SampleData } from '../sample/sample-data.ts';

/**
 * The suffix of the files of incomplete objects. If a sandbox is killed, the next start removes its incomplete files.
 */
const partialSuffix = '.partial';

export type StoredObject = {
  readonly Key: string;
  readonly AssignmentId: string;
  readonly FileName: string;
  readonly sizeBytes: number;
  /** The SHA-256 in lower-case hex. */
  readonly sha256: string;
  /** How many times the object was received in full. */
  readonly puts: number;
};

export type UploadStore = ReturnType<typeof createUploadStore>;

/**
 * Opens the store of uploads in `database` and in `folder`. Creates the folder if necessary, and removes incomplete
 * files. `now` returns ms since 1970. `discardsContent`: whether the bytes of objects are not stored.
 */
export const createUploadStore = (
  database: DatabaseSync,
  folder: string,
  now: () => number,
  discardsContent: boolean,
) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (name.endsWith(partialSuffix)) rmSync(join(folder, name));

  const insert = database.prepare('INSERT INTO uploads (key, assignment_id, file_name) VALUES (?, ?, ?)');
  const find = database.prepare('SELECT * FROM uploads WHERE key = ?');
  const update = database.prepare(
    `UPDATE uploads SET size_bytes = ?, sha256 = ?, puts = puts + 1, stored_at_ms = coalesce(stored_at_ms, ?)
     WHERE key = ?`,
  );
  const clear = database.prepare(
    `UPDATE uploads SET size_bytes = NULL, sha256 = NULL, stored_at_ms = NULL
     WHERE key = ? AND assignment_id = ? AND size_bytes IS NOT NULL`,
  );
  const select = database.prepare(
    `SELECT * FROM uploads WHERE size_bytes IS NOT NULL AND (? IS NULL OR assignment_id = ?)
     ORDER BY stored_at_ms, key`,
  );
  // A Key ends in a uuid (see `sign`), which is the name of the file.
  const fileOf = (key: string): string => join(folder, key.slice(key.lastIndexOf('/') + 1));

  const store = async (key: string, body: AsyncIterable<Uint8Array>, sizeBytes: number): Promise<string> => {
    const partial = join(folder, `${randomUUID()}${partialSuffix}`);
    const sha256 = createHash('sha256');
    const md5 = createHash('md5');
    try {
      const file = discardsContent ? undefined : await open(partial, 'wx', 0o600);
      try {
        let receivedBytes = 0;
        for await (const chunk of body) {
          sha256.update(chunk);
          md5.update(chunk);
          await file?.writeFile(chunk);
          receivedBytes += chunk.length;
        }
        if (receivedBytes !== sizeBytes) throw new Error(`received ${receivedBytes} of ${sizeBytes} bytes`);
      } finally {
        await file?.close();
      }
      // The file and its row change in one turn of the event loop. So they always belong to the same upload, even if
      // two uploads to one Key end at the same time.
      if (file) renameSync(partial, fileOf(key));
      update.run(sizeBytes, sha256.digest('hex'), now(), key);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
    return md5.digest('hex');
  };

  return {
    /** Creates a Key. The assignment has no file with this Key until an object is stored under it. */
    sign: (assignmentId: string, fileName: string): string => {
      const key = `assignments/${assignmentId}/${randomUUID()}`;
      insert.run(key, assignmentId, fileName);
      return key;
    },
    fileNameOf: (key: string): string | undefined => {
      const row = find.get(key);
      return row && String(row.file_name);
    },
    /**
     * Stores an object and resolves to its MD5 in hex. Rejects and stores nothing unless exactly `sizeBytes` bytes
     * arrive.
     */
    store,
    /** Removes an object from its assignment. Returns false if the assignment has no such object. */
    remove: (assignmentId: string, key: string): boolean => {
      if (clear.run(key, assignmentId).changes === 0) return false;
      rmSync(fileOf(key), { force: true });
      return true;
    },
    /** Returns all stored objects, or those of one assignment, in the order in which they were first stored. */
    list: (assignmentId?: string): readonly StoredObject[] =>
      select.all(assignmentId ?? null, assignmentId ?? null).map((row) => ({
        Key: String(row.key),
        AssignmentId: String(row.assignment_id),
        FileName: String(row.file_name),
        sizeBytes: Number(row.size_bytes),
        sha256: String(row.sha256),
        puts: Number(row.puts),
      })),
    /** Returns the path of an object's bytes; undefined if the object is unknown or was discarded. */
    pathOf: (key: string): string | undefined =>
      discardsContent || find.get(key)?.size_bytes == null ? undefined : fileOf(key),
  };
};

export type ServiceState = ReturnType<typeof createServiceState>;

/** Opens the changes to the sample data that `database` stores: plan-after values and removed files. */
export const createServiceState = (database: DatabaseSync, sample: SampleData, uploads: UploadStore) => {
  const putPlanAfter = database.prepare('INSERT OR REPLACE INTO plan_after (assignment_id, value) VALUES (?, ?)');
  const clearPlanAfter = database.prepare('DELETE FROM plan_after WHERE assignment_id = ?');
  const allPlanAfter = database.prepare('SELECT * FROM plan_after ORDER BY assignment_id');
  const markRemoved = database.prepare('INSERT OR IGNORE INTO removed_sample_files (key) VALUES (?)');
  const findRemoved = database.prepare('SELECT key FROM removed_sample_files WHERE key = ?');

  const sampleFilesOf = (assignmentId: string) =>
    (sample.assignment(assignmentId)?.files ?? []).filter((file) => findRemoved.get(file.Key) === undefined);

  const removeOne = (assignmentId: string, key: string): boolean => {
    if (uploads.remove(assignmentId, key)) return true;
    if (!sampleFilesOf(assignmentId).some((file) => file.Key === key)) return false;
    markRemoved.run(key);
    return true;
  };

  return {
    /** Returns the AssignmentId as the service writes it (in lower case); undefined if there is no such assignment. */
    assignmentId: (id: string): string | undefined => sample.assignment(id)?.summary.AssignmentId,
    /**
     * Sets the plan-after value of an assignment, or clears it if `value` is undefined. Returns 0 for a cleared value.
     */
    setPlanAfter: (assignmentId: string, value: number | undefined): PlanAfterValue => {
      if (value === undefined) clearPlanAfter.run(assignmentId);
      else putPlanAfter.run(assignmentId, value);
      return { AssignmentId: assignmentId, PlanAfter: value ?? 0 };
    },
    planAfterValues: (): readonly PlanAfterValue[] =>
      allPlanAfter.all().map((row) => ({ AssignmentId: String(row.assignment_id), PlanAfter: Number(row.value) })),
    /** Removes a file and returns the remaining ones; undefined if the assignment does not have the Key. */
    removeFile: (assignmentId: string, key: string): AssignmentFiles | undefined => {
      if (!removeOne(assignmentId, key)) return undefined;
      const uploaded = uploads
        .list(assignmentId)
        .map(({ Key, FileName }) => ({ Key, FileName, UploadedBy: 'CONTRACTOR' }));
      return {
        AssignmentId: assignmentId,
        FacilityId: sample.assignment(assignmentId)?.summary.FacilityId ?? '',
        Files: [...sampleFilesOf(assignmentId), ...uploaded],
      };
    },
  };
};

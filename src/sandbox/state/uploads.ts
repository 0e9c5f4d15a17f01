/**
 * Uploads: signed Keys, and the objects stored under them. Bytes are files in the objects folder, everything else is in
 * the database. An object is replaced atomically once all its bytes have arrived.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { AssignmentFiles, PlanAfterValue } from '../../contract/resources.ts';
import type { SampleData } from '../sample/sample-data.ts';
import { equalSecrets, hmacBase64Url } from './tokens.ts';

const partialSuffix = '.partial';

/** A stored object. */
export type StoredObject = {
  readonly Key: string;
  readonly AssignmentId: string;
  readonly FileName: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** How many times the object was received in full. */
  readonly puts: number;
};

export type UploadStore = {
  /** Creates a Key; no file is listed until an object is stored under it. */
  readonly sign: (assignmentId: string, fileName: string) => string;
  /** FileName of a signed Key; undefined when the Key was never signed. */
  readonly fileNameOf: (key: string) => string | undefined;
  /** Stores an object and resolves to its MD5 in hex. Throws, storing nothing, unless `sizeBytes` bytes arrive. */
  readonly store: (key: string, body: AsyncIterable<Uint8Array>, sizeBytes: number) => Promise<string>;
  /** Removes an object from its assignment; false when no such object is stored there. */
  readonly remove: (assignmentId: string, key: string) => boolean;
  /** All stored objects, or those of one assignment, in the order in which they were first stored. */
  readonly list: (assignmentId?: string) => readonly StoredObject[];
  /** Path of the file with an object's bytes; undefined when none is stored under the Key. */
  readonly pathOf: (key: string) => string | undefined;
};

/** The upload store on a database and an objects folder. Creates the folder if needed and removes partial files. */
export const createUploadStore = (database: DatabaseSync, folder: string, now: () => number): UploadStore => {
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
  // Keys end in a uuid (below), which names the file.
  const fileOf = (key: string): string => join(folder, key.slice(key.lastIndexOf('/') + 1));

  const store: UploadStore['store'] = async (key, body, sizeBytes) => {
    const partial = join(folder, `${randomUUID()}${partialSuffix}`);
    const sha256 = createHash('sha256');
    const md5 = createHash('md5');
    try {
      const file = await open(partial, 'wx', 0o600);
      try {
        let receivedBytes = 0;
        for await (const chunk of body) {
          sha256.update(chunk);
          md5.update(chunk);
          await file.writeFile(chunk);
          receivedBytes += chunk.length;
        }
        if (receivedBytes !== sizeBytes) throw new Error(`received ${receivedBytes} of ${sizeBytes} bytes`);
      } finally {
        await file.close();
      }
      // Both in one turn of the event loop, so that of two uploads to one Key the last one wins entirely.
      renameSync(partial, fileOf(key));
      update.run(sizeBytes, sha256.digest('hex'), now(), key);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
    return md5.digest('hex');
  };

  return {
    sign: (assignmentId, fileName) => {
      const key = `assignments/${assignmentId}/${randomUUID()}`;
      insert.run(key, assignmentId, fileName);
      return key;
    },
    fileNameOf: (key) => {
      const row = find.get(key);
      return row && String(row.file_name);
    },
    store,
    remove: (assignmentId, key) => {
      if (clear.run(key, assignmentId).changes === 0) return false;
      rmSync(fileOf(key), { force: true });
      return true;
    },
    list: (assignmentId = undefined) =>
      select.all(assignmentId ?? null, assignmentId ?? null).map((row) => ({
        Key: String(row.key),
        AssignmentId: String(row.assignment_id),
        FileName: String(row.file_name),
        sizeBytes: Number(row.size_bytes),
        sha256: String(row.sha256),
        puts: Number(row.puts),
      })),
    pathOf: (key) => (find.get(key)?.size_bytes == null ? undefined : fileOf(key)),
  };
};

/** Why a signed URL is refused. */
type SignatureFault = 'missing' | 'mismatch' | 'expired';

/**
 * Signs a method and path until a moment (milliseconds since 1970): HMAC-SHA256 over all three. Returns the query
 * `expires=<seconds since 1970>&signature=<base64url>`.
 */
export const signQuery = (secret: string, method: string, path: string, expiresAtMs: number): string => {
  const expires = String(Math.floor(expiresAtMs / 1000));
  return new URLSearchParams({ expires, signature: signatureOf(secret, method, path, expires) }).toString();
};

/** Checks a signed URL at `nowMs`; undefined if it is valid. A changed expiry is a mismatch. */
export const checkSignature = (
  secret: string,
  request: { readonly method: string; readonly path: string; readonly query: URLSearchParams },
  nowMs: number,
): SignatureFault | undefined => {
  const expires = request.query.get('expires');
  const signature = request.query.get('signature');
  if (expires === null || signature === null) return 'missing';
  if (!equalSecrets(signature, signatureOf(secret, request.method, request.path, expires))) return 'mismatch';
  return Number(expires) * 1000 <= nowMs ? 'expired' : undefined;
};

const signatureOf = (secret: string, method: string, path: string, expires: string): string =>
  hmacBase64Url(secret, [method, path, expires].join('\n'));

// Whose storage the sandbox's resembles: by the query of signed URLs, and by its response to a PUT.

/** `plain` responds with the MD5 as ETag, `bare` with nothing but 200. */
export const StorageDialect = z.enum(['plain', 'bare', 's3', 'google', 'azure']);
export type StorageDialect = z.infer<typeof StorageDialect>;

/** The query of its signed URLs, besides the sandbox's own expiry and signature. Times are ms since 1970. */
export const dialectQuery = (dialect: StorageDialect, nowMs: number, expiresAtMs: number): Record<string, string> => {
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const seconds = String(Math.round((expiresAtMs - nowMs) / 1000));
  switch (dialect) {
    case 'plain':
    case 'bare':
      return {};
    case 's3':
      return { 'X-Amz-Algorithm': 'AWS4-HMAC-SHA256', 'X-Amz-Date': date, 'X-Amz-Expires': seconds };
    case 'google':
      return { 'X-Goog-Algorithm': 'GOOG4-RSA-SHA256', 'X-Goog-Date': date, 'X-Goog-Expires': seconds };
    case 'azure':
      return { sv: '2024-11-04', se: new Date(expiresAtMs).toISOString(), sr: 'b', sp: 'cw', sig: 'as-signature' };
  }
};

/** The status and headers of its response to a PUT of an object with this MD5 (hex). */
export const storedAnswer = (
  dialect: StorageDialect,
  md5: string,
): { readonly status: 200 | 201; readonly headers: Record<string, string> } => {
  const base64 = Buffer.from(md5, 'hex').toString('base64');
  const etag = { ETag: `"${md5}"` };
  switch (dialect) {
    case 'plain':
      return { status: 200, headers: etag };
    case 'bare':
      return { status: 200, headers: {} };
    case 's3':
      return { status: 200, headers: { ...etag, 'x-amz-request-id': randomUUID() } };
    case 'google':
      return { status: 200, headers: { ...etag, 'x-goog-hash': `md5=${base64}`, 'x-goog-generation': '1' } };
    case 'azure': {
      const headers = { ETag: '"0x8D4BCC2E4835CD0"', 'Content-MD5': base64, 'x-ms-request-id': randomUUID() };
      return { status: 201, headers };
    }
  }
};

/** How it refuses a URL that has expired: the code, message and detail of its XML. */
export const expiredError = (dialect: StorageDialect): readonly [code: string, message: string, detail?: string] =>
  dialect === 'azure'
    ? ['AuthenticationFailed', 'Server failed to authenticate the request', 'Signature expired']
    : ['AccessDenied', 'Request has expired'];

export type ServiceState = {
  /** The AssignmentId as the service writes it (lower case); undefined when there is no such assignment. */
  readonly assignmentId: (id: string) => string | undefined;
  /** Sets the plan-after value of an assignment; undefined clears it (returned as 0). */
  readonly setPlanAfter: (assignmentId: string, value: number | undefined) => PlanAfterValue;
  /** All plan-after values that are set. */
  readonly planAfterValues: () => readonly PlanAfterValue[];
  /** Removes a file and returns the remaining ones; undefined if the assignment does not have the Key. */
  readonly removeFile: (assignmentId: string, key: string) => AssignmentFiles | undefined;
};

/** The service's state on a database. */
export const createServiceState = (database: DatabaseSync, sample: SampleData, uploads: UploadStore): ServiceState => {
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
    assignmentId: (id) => sample.assignment(id)?.summary.AssignmentId,
    setPlanAfter: (assignmentId, value) => {
      if (value === undefined) clearPlanAfter.run(assignmentId);
      else putPlanAfter.run(assignmentId, value);
      return { AssignmentId: assignmentId, PlanAfter: value ?? 0 };
    },
    planAfterValues: () =>
      allPlanAfter.all().map((row) => ({ AssignmentId: String(row.assignment_id), PlanAfter: Number(row.value) })),
    removeFile: (assignmentId, key) => {
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

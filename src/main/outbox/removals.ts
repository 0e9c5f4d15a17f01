/** The files of removals of several, and what became of each: what a restart continues with, and the receipt. */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { type DeskError, ErrorData, toErrorData } from '../../contract/errors.ts';
import type { RemovableFile, Removal, RemovedFile } from '../../contract/offline.ts';
import { absent, storedCount, storedJson, storedTime } from '../data/stored.ts';

type Counts = Pick<Removal, 'files' | 'bytes' | 'removed' | 'refused' | 'waiting'>;

/** `id`: the entry's. Errors of all that write: `data/corrupt`, `data/unwritable`. */
export type Removals = {
  readonly add: (id: number, files: readonly RemovableFile[]) => void;
  readonly counts: (id: number) => Counts;
  /** Keys of files that are still to be removed. */
  readonly waiting: (id: number, limit: number) => readonly string[];
  readonly removed: (id: number, Key: string, atMs: number) => void;
  readonly refused: (id: number, Key: string, error: DeskError, atMs: number) => void;
  /** Tries those that were refused once more. */
  readonly retry: (id: number) => void;
  /** Leaves the rest on the assignment. */
  readonly keepRest: (id: number) => void;
  /** Those first that could not be removed. */
  readonly files: (id: number, window: { readonly offset: number; readonly limit: number }) => readonly RemovedFile[];
};

const Row = z
  .object({
    file_key: z.string(),
    FileName: z.string(),
    folder: absent(z.string()),
    size_bytes: absent(storedCount),
    added_ms: absent(storedTime),
    state: z.enum(['waiting', 'removed', 'refused', 'kept']),
    error: absent(storedJson(ErrorData)),
    settled_ms: absent(storedTime),
  })
  .transform(
    ({ file_key, FileName, folder, size_bytes, added_ms, state, error, settled_ms }): RemovedFile => ({
      Key: file_key,
      FileName,
      state,
      ...(folder !== undefined && { folder }),
      ...(size_bytes !== undefined && { sizeBytes: size_bytes }),
      ...(added_ms !== undefined && { addedAtMs: added_ms }),
      ...(error && { error }),
      ...(settled_ms !== undefined && { settledAtMs: settled_ms }),
    }),
  );

/** The removals in `db`, which has been migrated. `write` refuses where nothing can be stored. */
export const createRemovals = (db: DatabaseSync, write: (work: () => void) => void): Removals => {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO removal_file (entry, file_key, FileName, folder, size_bytes, added_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const counts = db.prepare(
    'SELECT state, count(*) AS files, sum(size_bytes) AS bytes FROM removal_file WHERE entry = ? GROUP BY state',
  );
  const waiting = db.prepare(`SELECT file_key FROM removal_file WHERE entry = ? AND state = 'waiting' LIMIT ?`);
  const settle = db.prepare(
    `UPDATE removal_file SET state = ?, error = ?, settled_ms = ? WHERE entry = ? AND file_key = ?`,
  );
  const change = db.prepare('UPDATE removal_file SET state = ?, error = NULL WHERE entry = ? AND state = ?');
  const files = db.prepare(
    `SELECT * FROM removal_file WHERE entry = ? ORDER BY state <> 'refused', folder, FileName, file_key
     LIMIT ? OFFSET ?`,
  );
  files.setReadBigInts(true);

  return {
    add: (id, added) => {
      for (const { Key, FileName, folder, sizeBytes, addedAtMs } of added)
        insert.run(id, Key, FileName, folder ?? null, sizeBytes ?? null, addedAtMs ?? null);
    },
    counts: (id) => {
      const rows = counts.all(id);
      const sum = (name: 'files' | 'bytes', state?: RemovedFile['state']): number =>
        rows.reduce((total, row) => total + (state === undefined || row.state === state ? Number(row[name]) : 0), 0);
      return {
        files: sum('files'),
        bytes: sum('bytes'),
        removed: sum('files', 'removed'),
        refused: sum('files', 'refused'),
        waiting: sum('files', 'waiting'),
      };
    },
    waiting: (id, limit) => waiting.all(id, limit).map(({ file_key }) => String(file_key)),
    removed: (id, Key, atMs) => write(() => void settle.run('removed', null, atMs, id, Key)),
    refused: (id, Key, error, atMs) =>
      write(() => void settle.run('refused', JSON.stringify(toErrorData(error)), atMs, id, Key)),
    retry: (id) => write(() => void change.run('waiting', id, 'refused')),
    keepRest: (id) => write(() => void change.run('kept', id, 'waiting')),
    files: (id, { offset, limit }) => files.all(id, limit, offset).flatMap((row) => Row.safeParse(row).data ?? []),
  };
};

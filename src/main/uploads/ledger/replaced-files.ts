/**
 * The files on an assignment that items of the ledger replace. A replaced file is released for removal by the commit
 * that makes its item done, so that it is not removed before the new file is uploaded.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { ErrorData } from '../../../contract/errors.ts';
import type { UploadFile } from '../../../contract/uploads.ts';
import { absent, createWrite, storedJson } from '../../data/sqlite.ts';
import { createBatchNumber, type Item, listedState, RANGE } from './items.ts';

/**
 * A file that an item replaces, or a check file (`isCheck`, see transfer/remove-replaced.ts). `planned`: the item is
 * not done yet; `pending`: to be removed; `removed`: removed or gone; `failed`: not removed, because of `error`.
 */
export type ReplacedFile = z.infer<typeof Row>;

const Row = z
  .object({
    key: z.string(),
    state: z.enum(['planned', 'pending', 'removed', 'failed']),
    error: absent(storedJson(ErrorData)),
    is_check: z.number(),
  })
  .transform(({ is_check, ...row }) => ({ ...row, isCheck: is_check === 1 }));

/**
 * SQL for the column `toRemove`: 1 if another file replaced this one, which is still to be removed. `key`: SQL for its
 * Key; `of`: the table with its connection and assignment, because several assignments may have the same Key.
 */
export const isToRemove = (key: string, of: string): string =>
  `EXISTS (SELECT 1 FROM replaced_file AS replaced JOIN batch AS by ON by.number = replaced.item / ${RANGE}
     WHERE replaced.key = ${key} AND replaced.state IN ('pending', 'failed')
       AND by.connection = ${of}.connection AND by.assignment_id = ${of}.assignment_id) AS toRemove`;

/** Opens the replaced files in the migrated database `db`. An unknown batch is treated as a batch without files. */
export const createReplacedFiles = (db: DatabaseSync) => {
  const write = createWrite(db);
  const numberOf = createBatchNumber(db);
  const forget = db.prepare('DELETE FROM replaced_file WHERE item = ? AND NOT is_check');
  const plan = db.prepare('INSERT INTO replaced_file (item, key) VALUES (?, ?)');
  const forgetOne = write<[item: number, key: string]>('DELETE FROM replaced_file WHERE item = ? AND key = ?');
  const forgetCheck = db.prepare('DELETE FROM replaced_file WHERE item = ? AND key = ? AND is_check');
  const release = db.prepare(`UPDATE replaced_file SET state = 'pending' WHERE item = ? AND state = 'planned'`);
  const of = db.prepare(
    'SELECT key, state, error, is_check FROM replaced_file WHERE item = ? ORDER BY is_check DESC, key',
  );
  const ofBatch = 'item >= ? AND item < ?';
  const pendingItems = db.prepare(
    `SELECT DISTINCT item FROM replaced_file WHERE state = 'pending' AND ${ofBatch} ORDER BY item LIMIT ?`,
  );
  const settle = db.prepare('UPDATE replaced_file SET state = ?, error = ? WHERE item = ? AND key = ?');
  const countFailed = db.prepare(`SELECT count(*) AS files FROM replaced_file WHERE state = 'failed' AND ${ofBatch}`);
  const retry = db.prepare(
    `UPDATE replaced_file SET state = 'pending', error = NULL WHERE state = 'failed' AND ${ofBatch}`,
  );
  const replacedBy = (item: number): readonly ReplacedFile[] => of.all(item).map((row) => Row.parse(row));
  const rangeOf = (batch: string): readonly [number, number] => {
    const number = numberOf(batch);
    return [number * RANGE, (number + 1) * RANGE];
  };

  return {
    /**
     * Plans to replace the files with these Keys once the item is done, instead of those recorded for the item before.
     */
    plan: (item: number, keys: readonly string[]): void => {
      forget.run(item);
      for (const key of keys) plan.run(item, key);
    },
    /** Releases the replaced files for removal. To be called in the commit that makes the item done. */
    release: (item: number, ownKey: string): void => {
      // A service may reuse the Key for a file of the same name: the new content has then already overwritten the old.
      forgetOne(item, ownKey);
      release.run(item);
    },
    /** Records that a check file is about to be stored under this Key. */
    addCheck: write<[item: number, key: string]>(
      `INSERT INTO replaced_file (item, key, state, is_check) VALUES (?, ?, 'pending', 1)`,
    ),
    of: replacedBy,
    /** The item for users, without its Key and signed URL, with the state of the files that it replaces. */
    view: (item: Item): UploadFile => viewFile(item, replacedBy(item.id)),
    /** The ids of up to `limit` items that have files to remove. Items that are not done only have check files. */
    pendingItems: (batch: string, limit: number): readonly number[] =>
      pendingItems.all(...rangeOf(batch), limit).map((row) => Number(row.item)),
    removed: (item: number, key: string): void => {
      forgetCheck.run(item, key);
      settle.run('removed', null, item, key);
    },
    /** Records that the replaced file stays, because the item did not arrive. */
    kept: (item: number, key: string): void => void forgetOne(item, key),
    failed: (item: number, key: string, error: ErrorData): void =>
      void settle.run('failed', JSON.stringify(error), item, key),
    /** How many files, check files included, could not be removed for the batch. */
    countFailed: (batch: string): number => Number(countFailed.get(...rangeOf(batch))?.files ?? 0),
    /** Makes the failed removals of the batch pending again; returns how many there were. */
    retry: (batch: string): number => Number(retry.run(...rangeOf(batch)).changes),
  };
};

const viewFile = (item: Item, replaced: readonly ReplacedFile[]): UploadFile => ({
  id: item.id,
  path: item.path,
  FileName: item.fileName,
  sizeBytes: item.sizeBytes,
  state: listedState(item),
  attempts: item.attempts,
  ...(item.error && { error: item.error }),
  ...(item.sha256 !== undefined && { sha256: item.sha256 }),
  ...(item.settledAtMs !== undefined && { finishedAtMs: item.settledAtMs }),
  ...(item.removed?.atMs !== undefined && { removedAtMs: item.removed.atMs }),
  ...viewReplaced(replaced.filter(({ isCheck }) => !isCheck)),
});

const viewReplaced = (replaced: readonly ReplacedFile[]): Pick<UploadFile, 'replaced'> => {
  if (replaced.length === 0) return {};
  const error = replaced.find((file) => file.error)?.error;
  if (error) return { replaced: { state: 'failed', error } };
  return { replaced: { state: replaced.every(({ state }) => state === 'removed') ? 'removed' : 'pending' } };
};

/**
 * Files on an assignment that are known from the items they were uploaded as: nothing of them is stored twice. The item has
 * the checksums of its FileName and of its Key while the file counts as being there, and an index for each.
 */
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { fileNameKey } from '../source/file-names.ts';
import { RANGE } from './item-lists.ts';
import { isToRemove } from './replaced-files.ts';

/** An assignment of a connection. */
export type AssignmentRef = { readonly connectionId: string; readonly assignmentId: string };

/** A row with the columns of `known_file`, but without a key of its name. `item`: its id. */
type KnownRow = Readonly<Record<string, unknown>>;

type KnownItems = {
  /** The item is done under this Key and its file is there. Answers false if the ledger has no such item. */
  readonly add: (item: number, key: string, fileName: string) => boolean;
  /** Read row by row as it is iterated. */
  readonly list: (assignment: AssignmentRef) => IterableIterator<KnownRow>;
  /** Up to a thousand of them, those with a greater id, in its order. */
  readonly after: (assignment: AssignmentRef, item: number) => readonly KnownRow[];
  /** Those whose FileName may be this one: other names can have the same checksum. */
  readonly named: (assignment: AssignmentRef, fileName: string) => readonly KnownRow[];
  readonly withKey: (assignment: AssignmentRef, key: string) => readonly KnownRow[];
  /** The ids of those that are there since before `askedMs` and have none of the Keys in this JSON array. */
  readonly unlisted: (assignment: AssignmentRef, askedMs: number, keys: string) => readonly number[];
  /** The file of the item is gone, or recorded in `known_file` from now on. */
  readonly forget: (item: number) => void;
};

/** The checksum of a name or a Key, which SQLite stores in four bytes. Others can have the same. */
export const checksum = (text: string): number => crc32(text) | 0;

/** The known items in `db`, which has been migrated. */
export const createKnownItems = (db: DatabaseSync): KnownItems => {
  const columns = `item.key, coalesce(nullif(file_name, ''), ${BASE_NAME}) AS file_name, '' AS uploaded_by,
    'uploaded-here' AS source, size_bytes, lower(hex(digest)) AS sha256, settled_ms AS at_ms, root, path,
    modified_ms, item.id AS item, upload_id, ${isToRemove('item.key', 'batch')}`;
  const ofAssignment = 'connection = ?1 AND assignment_id = ?2';
  const inBatches = (firstId: string) => `FROM batch CROSS JOIN item
    ON item.id >= ${firstId} AND item.id < (batch.number + 1) * ${RANGE} AND name_crc IS NOT NULL
    WHERE ${ofAssignment}`;
  const inAll = inBatches(`batch.number * ${RANGE}`);
  const by = (column: string) => `FROM item JOIN batch ON number = batch WHERE ${column} = ?3 AND ${ofAssignment}`;
  const add = db.prepare(`UPDATE item SET name_crc = ?, key_crc = ? WHERE id = ? AND state = 'done' AND key = ?`);
  const list = db.prepare(`SELECT ${columns} ${inAll}`);
  const after = db.prepare(
    `SELECT ${columns} ${inBatches(`max(batch.number * ${RANGE}, ?3 + 1)`)} AND batch.number >= ?4
     ORDER BY batch.number, item.id LIMIT 1000`,
  );
  const named = db.prepare(`SELECT ${columns} ${by('name_crc')}`);
  const withKey = db.prepare(`SELECT ${columns} ${by('key_crc')} AND key = ?4`);
  const unlisted = db.prepare(
    `SELECT item.id ${inAll} AND settled_ms < ?3 AND key NOT IN (SELECT value FROM json_each(?4))`,
  );
  const forget = db.prepare('UPDATE item SET name_crc = NULL, key_crc = NULL, unproven = 0 WHERE id = ?');

  return {
    add: (item, key, fileName) => add.run(checksum(fileNameKey(fileName)), checksum(key), item, key).changes === 1,
    list: ({ connectionId, assignmentId }) => list.iterate(connectionId, assignmentId),
    after: ({ connectionId, assignmentId }, item) =>
      after.all(connectionId, assignmentId, item, Math.floor(item / RANGE)),
    named: ({ connectionId, assignmentId }, fileName) =>
      named.all(connectionId, assignmentId, checksum(fileNameKey(fileName))),
    withKey: ({ connectionId, assignmentId }, key) => withKey.all(connectionId, assignmentId, checksum(key), key),
    unlisted: ({ connectionId, assignmentId }, askedMs, keys) =>
      unlisted.all(connectionId, assignmentId, askedMs, keys).map(({ id }) => Number(id)),
    forget: (item) => void forget.run(item),
  };
};

/** What comes after the last `/` of the column `path`. */
const BASE_NAME = `substr(path, 1 + length(rtrim(path, replace(path, '/', ''))))`;

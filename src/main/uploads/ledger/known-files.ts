/** The files that this app knows to be on an assignment. No operation of the interface lists an assignment's files. */
import type { DatabaseSync } from 'node:sqlite';
import type { AssignmentFiles } from '../../../contract/resources.ts';
import type { KnownFile } from '../../../contract/uploads.ts';
import { fileNameKey } from '../source/file-names.ts';
import { chosenFolderOf } from '../source/paths.ts';
import { RANGE } from './item-lists.ts';
import { type AssignmentRef, checksum, createKnownItems } from './known-items.ts';
import { createRemovedFiles, UNENDED } from './removed-files.ts';
import { isToRemove } from './replaced-files.ts';

type UploadedHere = {
  readonly key: string;
  readonly fileName: string;
  /** Where it was on disk: the folder that was chosen, and the path below it. */
  readonly place: { readonly root: string; readonly path: string };
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  readonly sha256: string;
  readonly atMs: number;
  /** The item that it was uploaded as. */
  readonly itemId?: number;
};

/**
 * The facts of a known file that names are compared with; absent facts are unknown. A file that is to be removed because
 * another one replaced it has its name and place only: nothing may rely on its content.
 */
type KnownName = Pick<UploadedHere, 'key' | 'fileName'> &
  Partial<Pick<UploadedHere, 'place' | 'sizeBytes' | 'modifiedMs' | 'sha256'>> & {
    readonly addedAtMs: number;
    /** The upload that it belongs to, if it was uploaded here. */
    readonly uploadId?: string;
    /** The item that it is known from; absent: a row of its own. */
    readonly knownItem?: number;
  };

export type KnownFiles = {
  readonly list: (assignment: AssignmentRef) => readonly KnownFile[];
  /** When the file with this Key became known; undefined if it is not. */
  readonly addedAtMs: (assignment: AssignmentRef, key: string) => number | undefined;
  /** Whether the service has listed a file with this Key, so that it certainly arrived. */
  readonly isListed: (assignment: AssignmentRef, key: string) => boolean;
  /**
   * The items of the batch whose files were uploaded, and have never been listed although they should have been: they did
   * not arrive. Each is answered once. `isKeyTaken`: another file has its Key.
   */
  readonly takeLost: (batch: string) => readonly { readonly item: number; readonly isKeyTaken: boolean }[];
  /** Answers the items whose files are gone because the service gave this one their Key, so that it took their place. */
  readonly uploaded: (assignment: AssignmentRef, file: UploadedHere) => readonly number[];
  /**
   * Records the answer to a removal that was requested at `askedMs`: files it does not list are gone, except those
   * uploaded since, which the answer could not include. What a file that is gone was to replace stays, as with `removed`.
   * Files that were skipped because one that is gone has their content are queued again, where their batch has not ended.
   * Answers the ids of items whose files are gone now, or back.
   */
  readonly answered: (
    assignment: AssignmentRef,
    answer: AssignmentFiles,
    askedMs: number,
    atMs: number,
  ) => readonly number[];
  /**
   * Answers to removals that were requested before `atMs` may still list it: they no longer make it known. What it was to
   * replace and is still there stays: otherwise neither would be left. Answers the ids of the items that it was uploaded as.
   */
  readonly removed: (assignment: AssignmentRef, key: string, atMs: number) => readonly number[];
  /** Files with this FileName, or one that a file system may take for the same. */
  readonly named: (assignment: AssignmentRef, fileName: string) => readonly KnownName[];
  /** Up to a thousand of them, those that come after `last`; without it, the first. */
  readonly after: (assignment: AssignmentRef, last?: KnownName) => readonly KnownName[];
};

/** What was to be replaced stays. Check files never do. */
const KEEP = `DELETE FROM replaced_file WHERE state IN ('pending', 'failed') AND NOT is_check`;

/** Removals are answered long before there are so many others. */
const MOST_GONE = 100_000;

/** The known files in `db`, which has been migrated. */
export const createKnownFiles = (db: DatabaseSync): KnownFiles => {
  const knownItems = createKnownItems(db);
  const removedFiles = createRemovedFiles(db);
  const ofAssignment = 'connection = ? AND assignment_id = ?';
  const uploadId = `(SELECT upload_id FROM batch WHERE number = item / ${RANGE}) AS upload_id`;
  const toRemove = isToRemove('known_file.key', 'known_file');
  const list = db.prepare(`SELECT * FROM known_file WHERE ${ofAssignment}`);
  const upsert = db.prepare(
    `INSERT INTO known_file (connection, assignment_id, key, file_name, uploaded_by, source, size_bytes, sha256, at_ms,
       root, path, modified_ms, item, name_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET
       file_name = excluded.file_name,
       name_key = excluded.name_key,
       uploaded_by = coalesce(nullif(excluded.uploaded_by, ''), uploaded_by),
       size_bytes = coalesce(excluded.size_bytes, size_bytes),
       sha256 = coalesce(excluded.sha256, sha256),
       root = coalesce(excluded.root, root),
       path = coalesce(excluded.path, path),
       modified_ms = coalesce(excluded.modified_ms, modified_ms),
       item = coalesce(excluded.item, item),
       at_ms = iif(excluded.source = 'uploaded-here', excluded.at_ms, at_ms),
       source = iif(excluded.source = 'uploaded-here', excluded.source, source)`,
  );
  const goneSince = `${ofAssignment} AND at_ms < ? AND key NOT IN (SELECT value FROM json_each(?))`;
  const keepReplacedByGone = db.prepare(`${KEEP} AND item IN (SELECT item FROM known_file WHERE ${goneSince})`);
  const forgetOlder = db.prepare(`DELETE FROM known_file WHERE ${goneSince} RETURNING item`);
  const own = db.prepare(`SELECT at_ms, item, file_name FROM known_file WHERE ${ofAssignment} AND key = ?`);
  const remove = db.prepare(`DELETE FROM known_file WHERE ${ofAssignment} AND key = ? RETURNING item`);
  const keepReplaced = db.prepare(`${KEEP} AND item = (SELECT item FROM known_file WHERE ${ofAssignment} AND key = ?)`);
  const keepReplacedBy = db.prepare(`${KEEP} AND item = ?`);
  const queueSkipped = db.prepare(
    `UPDATE item SET state = 'queued', digest = NULL, settled_ms = NULL
     WHERE state = 'skipped' AND error IS NULL
       AND batch IN (SELECT number FROM batch WHERE ${ofAssignment} AND state IN (${UNENDED}))
       AND digest IN (SELECT digest FROM item WHERE id IN (SELECT value FROM json_each(?)))`,
  );
  // Most files have neither their name nor their Key in common with another: these questions cost less than the rows.
  const isKnown = (itemColumn: string, own: string) => {
    const found = db.prepare(
      `SELECT 1 FROM item WHERE ${itemColumn} = ?1
       UNION ALL SELECT 1 FROM known_file ${own} = ?4 AND connection = ?2 AND assignment_id = ?3 LIMIT 1`,
    );
    return ({ connectionId, assignmentId }: AssignmentRef, text: string): boolean =>
      found.get(checksum(text), connectionId, assignmentId, text) !== undefined;
  };
  const isNameKnown = isKnown('name_crc', 'INDEXED BY known_file_by_name WHERE name_key');
  const isKeyKnown = isKnown('key_crc', 'WHERE key');
  const named = db.prepare(
    // The index is named: the planner would choose the primary key and scan every file of the assignment for each new one.
    `SELECT *, ${uploadId}, ${toRemove} FROM known_file INDEXED BY known_file_by_name WHERE ${ofAssignment} AND name_key = ?`,
  );
  const after = db.prepare(
    `SELECT *, ${uploadId}, ${toRemove} FROM known_file WHERE ${ofAssignment} AND key > ? ORDER BY key LIMIT 1000`,
  );

  /** When files were removed. Several are removed at once, and their answers may be older than the removal of others. */
  const gone = new Map<string, number>();

  const putOwn = ({ connectionId, assignmentId }: AssignmentRef, file: UploadedHere): void => {
    const { key, fileName, sizeBytes, sha256, atMs, place, modifiedMs } = file;
    const from = [place.root, place.path, modifiedMs, file.itemId ?? null, fileNameKey(fileName)];
    upsert.run(connectionId, assignmentId, key, fileName, '', 'uploaded-here', sizeBytes, sha256, atMs, ...from);
  };
  const addedAtOwn = ({ connectionId, assignmentId }: AssignmentRef, key: string): number | undefined => {
    const row = own.get(connectionId, assignmentId, key);
    return row && Number(row.at_ms);
  };
  /** From now on, rows of their own have the files with this Key. */
  const moveToOwnRows = (assignment: AssignmentRef, key: string): void => {
    for (const row of knownItems.withKey(assignment, key)) {
      const { root, path, size_bytes, modified_ms, sha256, at_ms, file_name, item } = row;
      putOwn(assignment, {
        key,
        fileName: String(file_name),
        place: { root: String(root), path: String(path) },
        sizeBytes: Number(size_bytes),
        modifiedMs: Number(modified_ms),
        sha256: String(sha256),
        atMs: Number(at_ms),
        itemId: Number(item),
      });
      knownItems.forget(Number(item));
    }
  };

  /** The items of rows that were taken out. Files that others uploaded have none. */
  const itemsOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly number[] =>
    rows.flatMap(({ item }) => (item === null ? [] : [Number(item)]));
  /** Nothing is known of the file of the item any more. */
  const forgetItem = (item: number): void => {
    keepReplacedBy.run(item);
    knownItems.forget(item);
  };

  return {
    list: (assignment) =>
      // Row by row: an assignment may have a million files, and all their rows would need a gigabyte.
      [
        ...Iterator.from(list.iterate(assignment.connectionId, assignment.assignmentId)).map(toKnownFile),
        ...Iterator.from(knownItems.list(assignment)).map(toKnownFile),
      ].sort((a, b) => compare(a.FileName, b.FileName) || compare(a.Key, b.Key)),
    addedAtMs: (assignment, key) => {
      const at = addedAtOwn(assignment, key) ?? knownItems.withKey(assignment, key)[0]?.at_ms;
      return at === undefined ? undefined : Number(at);
    },
    uploaded: (assignment, file) => {
      const { key, fileName, itemId, atMs } = file;
      const isThere = isKeyKnown(assignment, key);
      const items = isThere ? knownItems.withKey(assignment, key) : [];
      const rows = isThere ? own.all(assignment.connectionId, assignment.assignmentId, key) : [];
      const gone = [...items, ...rows].filter(({ item }) => item !== null && Number(item) !== itemId);
      itemsOf(items).forEach(knownItems.forget);
      if (rows.length > 0 || itemId === undefined || !knownItems.add(itemId, key, fileName)) putOwn(assignment, file);
      return gone.flatMap((row) => {
        // A later version of the same file takes its place; one of another name has overwritten it.
        const isLost = fileNameKey(String(row.file_name)) !== fileNameKey(fileName);
        if (isLost) keepReplacedBy.run(Number(row.item));
        return removedFiles.add(Number(row.item), { atMs, isLost }) ? [Number(row.item)] : [];
      });
    },
    isListed: (assignment, key) => addedAtOwn(assignment, key) !== undefined,
    takeLost: (batch) =>
      removedFiles.takeLost(batch).map(({ item, key, ...assignment }) => ({
        item,
        isKeyTaken: addedAtOwn(assignment, key) !== undefined || knownItems.withKey(assignment, key).length > 0,
      })),
    answered: (assignment, { Files }, askedMs, atMs) => {
      const { connectionId, assignmentId } = assignment;
      const listed = JSON.stringify(Files.map(({ Key }) => Key));
      keepReplacedByGone.run(connectionId, assignmentId, askedMs, listed);
      const unlisted = knownItems.unlisted(assignment, askedMs, listed);
      unlisted.forEach(forgetItem);
      const taken = itemsOf(forgetOlder.all(connectionId, assignmentId, askedMs, listed));
      const changed = [
        ...taken.filter((item) => removedFiles.add(item)),
        ...unlisted.filter((item) => removedFiles.add(item, { isLost: true })),
      ];
      if (changed.length > 0) queueSkipped.run(connectionId, assignmentId, JSON.stringify(changed));
      for (const { Key, FileName, UploadedBy } of Files) {
        const goneMs = gone.get(`${connectionId} ${assignmentId} ${Key}`);
        if (goneMs !== undefined && goneMs >= askedMs) continue;
        moveToOwnRows(assignment, Key);
        const back = addedAtOwn(assignment, Key) === undefined ? removedFiles.restore(assignment, Key) : undefined;
        if (back !== undefined) changed.push(back);
        const facts = [null, null, atMs, null, null, null, back ?? null, fileNameKey(FileName)];
        upsert.run(connectionId, assignmentId, Key, FileName, UploadedBy, 'seen-at-removal', ...facts);
      }
      return changed;
    },
    removed: (assignment, key, atMs) => {
      const { connectionId, assignmentId } = assignment;
      if (gone.size >= MOST_GONE) gone.clear();
      gone.set(`${connectionId} ${assignmentId} ${key}`, atMs);
      keepReplaced.run(connectionId, assignmentId, key);
      const items = itemsOf(knownItems.withKey(assignment, key));
      items.forEach(forgetItem);
      for (const item of [...itemsOf(remove.all(connectionId, assignmentId, key)), ...items]) removedFiles.add(item);
      return removedFiles.date(assignment, key, atMs);
    },
    named: (assignment, fileName) => {
      const { connectionId, assignmentId } = assignment;
      const key = fileNameKey(fileName);
      if (!isNameKnown(assignment, key)) return [];
      const items = knownItems.named(assignment, fileName).filter((row) => fileNameKey(String(row.file_name)) === key);
      return [...named.all(connectionId, assignmentId, key).map(toName), ...items.map(toItemName)];
    },
    after: (assignment, last) => {
      const { connectionId, assignmentId } = assignment;
      const own = last?.knownItem === undefined ? after.all(connectionId, assignmentId, last?.key ?? '') : [];
      return own.length > 0 ? own.map(toName) : knownItems.after(assignment, last?.knownItem ?? 0).map(toItemName);
    },
  };
};

const toKnownFile = (row: Readonly<Record<string, unknown>>): KnownFile => ({
  Key: String(row.key),
  FileName: String(row.file_name),
  UploadedBy: String(row.uploaded_by),
  source: row.source === 'uploaded-here' ? 'uploaded-here' : 'seen-at-removal',
  addedAtMs: Number(row.at_ms),
  ...(row.size_bytes !== null && { sizeBytes: Number(row.size_bytes) }),
  ...(typeof row.path === 'string' && { folder: chosenFolderOf({ root: String(row.root), path: row.path }) }),
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const toName = (row: Readonly<Record<string, unknown>>): KnownName => ({
  key: String(row.key),
  fileName: String(row.file_name),
  addedAtMs: Number(row.at_ms),
  ...(typeof row.upload_id === 'string' && { uploadId: row.upload_id }),
  ...(typeof row.path === 'string' && { place: { root: String(row.root), path: row.path } }),
  ...(row.to_remove === 0 && contentOf(row)),
});

const toItemName = (row: Readonly<Record<string, unknown>>): KnownName => ({
  ...toName(row),
  knownItem: Number(row.item),
});

const contentOf = (row: Readonly<Record<string, unknown>>): Pick<KnownName, 'sizeBytes' | 'modifiedMs' | 'sha256'> => ({
  ...(typeof row.size_bytes === 'number' && { sizeBytes: row.size_bytes }),
  ...(typeof row.modified_ms === 'number' && { modifiedMs: row.modified_ms }),
  ...(typeof row.sha256 === 'string' && { sha256: row.sha256 }),
});

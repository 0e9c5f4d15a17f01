/**
 * The files that this app knows to be on an assignment: no operation of the API lists them. Files become known when
 * they are uploaded here, or from the response to a removal, which lists the remaining files. An uploaded file is
 * recorded by its item; a file that a response lists has a row of its own.
 */
import type { DatabaseSync } from 'node:sqlite';
import { sortBy } from 'es-toolkit/array/sortBy';
import type { AssignmentFiles } from '../../../contract/resources.ts';
import type { KnownFile } from '../../../contract/uploads.ts';
import { createRead, createWrite } from '../../data/sqlite.ts';
import { fileNameKey } from '../source/file-names.ts';
import { chosenFolderOf } from '../source/paths.ts';
import { checksum, type Item, isToRemove, RANGE } from './items.ts';

export type AssignmentRef = { readonly connectionId: string; readonly assignmentId: string };

/** The files that users have asked to remove from assignments of one connection. */
export type BeingRemoved = readonly (Pick<AssignmentRef, 'assignmentId'> & { readonly key: string })[];

/** The first two parameters of each statement about an assignment. */
const on = ({ connectionId, assignmentId }: AssignmentRef) => [connectionId, assignmentId] as const;

/** A known file. `source`: `uploaded-here` or `seen-at-removal`; `item`: the id of the item that uploaded it. */
type KnownRow = {
  readonly key: string;
  readonly fileName: string;
  readonly uploadedBy: string;
  readonly source: KnownFile['source'];
  readonly sizeBytes: number | null;
  readonly sha256: string | null;
  readonly atMs: number;
  readonly root: string | null;
  readonly path: string | null;
  readonly modifiedMs: number | null;
  readonly item: number | null;
};

/** A known file whose name is compared. `toRemove`: 1 if the file is to be removed because another one replaced it. */
type NamedRow = KnownRow & { readonly uploadId: string | null; readonly toRemove: number };

const COLUMNS = `key, file_name AS fileName, uploaded_by AS uploadedBy, source, size_bytes AS sizeBytes, sha256,
  at_ms AS atMs, root, path, modified_ms AS modifiedMs, item`;

/** SQL that keeps files on the assignment although they were to be replaced. Check files are still removed. */
const KEEP = `DELETE FROM replaced_file WHERE state IN ('pending', 'failed') AND NOT is_check`;

// Files that are known by the items that uploaded them.

const createKnownItems = (db: DatabaseSync) => {
  const [read, write] = [createRead(db), createWrite(db)];
  const columns = `item.key, coalesce(nullif(file_name, ''), ${BASE_NAME}) AS fileName, '' AS uploadedBy,
    'uploaded-here' AS source, size_bytes AS sizeBytes, lower(hex(digest)) AS sha256, settled_ms AS atMs, root, path,
    modified_ms AS modifiedMs, item.id AS item, upload_id AS uploadId, ${isToRemove('item.key', 'batch')}`;
  const ofAssignment = 'connection = ?1 AND assignment_id = ?2';
  const inBatches = (firstId: string) => `FROM batch CROSS JOIN item
    ON item.id >= ${firstId} AND item.id < (batch.number + 1) * ${RANGE} AND name_crc IS NOT NULL
    WHERE ${ofAssignment}`;
  const inAll = inBatches(`batch.number * ${RANGE}`);
  const by = (column: string) => `FROM item JOIN batch ON number = batch WHERE ${column} = ?3 AND ${ofAssignment}`;
  const list = read<KnownRow>(`SELECT ${columns} ${inAll}`);
  const after = read<NamedRow>(
    `SELECT ${columns} ${inBatches(`max(batch.number * ${RANGE}, ?3 + 1)`)} AND batch.number >= ?4
     ORDER BY batch.number, item.id LIMIT 1000`,
  );
  const named = read<NamedRow>(`SELECT ${columns} ${by('name_crc')}`);
  const withKey = read<KnownRow>(`SELECT ${columns} ${by('key_crc')} AND key = ?4`);
  const unlisted = read<{ item: number; sinceMs: number; isDoubted: number; hasEnded: number }>(
    `SELECT item.id AS item, settled_ms AS sinceMs, unproven = 2 AS isDoubted, batch.state NOT IN (${UNENDED}) AS hasEnded
     ${inAll}
     AND (settled_ms < ?3 OR settled_ms > ?4) AND key NOT IN (SELECT value FROM json_each(?5))`,
  );
  const doubted = read<AssignmentRef & { readonly item: number }>(
    `SELECT item.id AS item, connection AS connectionId, assignment_id AS assignmentId FROM batch JOIN item ON item.batch = number
     WHERE batch.id = ? AND unproven = 2`,
  );

  return {
    /** Reads the files of the assignment row by row, so that not all rows are in memory at once. */
    list: (assignment: AssignmentRef) => list.iterate(...on(assignment)),
    /** At most a thousand files after `item`, in the order of their items. */
    after: (assignment: AssignmentRef, item: number) => after.all(...on(assignment), item, Math.floor(item / RANGE)),
    /** The files that may have this FileName: only checksums are compared, so some may have other names. */
    named: (assignment: AssignmentRef, fileName: string) =>
      named.all(...on(assignment), checksum(fileNameKey(fileName))),
    withKey: (assignment: AssignmentRef, key: string) => withKey.all(...on(assignment), checksum(key), key),
    /**
     * The files whose Keys are not in the JSON array `keys`, and that were added before `askedMs` or, because the clock
     * was set back since, after the present time `atMs`. `isDoubted`: an earlier list lacked the file as well.
     */
    unlisted: (assignment: AssignmentRef, askedMs: number, atMs: number, keys: string) =>
      unlisted.all(...on(assignment), askedMs, atMs, keys),
    /** Records that the service has to list the item's file before its batch ends. */
    doubt: write<[item: number]>('UPDATE item SET unproven = 2 WHERE id = ?'),
    /** The items of the batch that were recorded by `doubt`, each with its assignment. */
    doubted: (batch: string) => doubted.all(batch),
    /** Forgets the item's file, because the file is gone, or because `known_file` records it from now on. */
    forget: write<[item: number]>('UPDATE item SET name_crc = NULL, key_crc = NULL, unproven = 0 WHERE id = ?'),
  };
};

/** The part of the column `path` after the last `/`. */
const BASE_NAME = `substr(path, 1 + length(rtrim(path, replace(path, '/', ''))))`;

const UNENDED = `'scanning', 'running', 'paused'`;

// Known files that have rows of their own, because the service listed them, or because their item does not record
// everything that is known about them.

type RowFacts = KnownFacts & {
  readonly atMs: number;
  readonly itemId: number | undefined;
  /** Who uploaded the file, according to the service; absent if the facts come from an upload of this app. */
  readonly uploadedBy?: string;
};

const createKnownRows = (db: DatabaseSync) => {
  const read = createRead(db);
  const ofAssignment = 'connection = ? AND assignment_id = ?';
  const columns = `${COLUMNS}, (SELECT upload_id FROM batch WHERE number = item / ${RANGE}) AS uploadId,
    ${isToRemove('known_file.key', 'known_file')}`;
  const put = db.prepare(
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
  const list = read<KnownRow>(`SELECT ${COLUMNS} FROM known_file WHERE ${ofAssignment}`);
  const after = read<NamedRow>(
    `SELECT ${columns} FROM known_file WHERE ${ofAssignment} AND key > ? ORDER BY key LIMIT 1000`,
  );
  const named = read<NamedRow>(
    // The index is named: the planner would choose the primary key and scan every file of the assignment for each new
    // one.
    `SELECT ${columns} FROM known_file INDEXED BY known_file_by_name WHERE ${ofAssignment} AND name_key = ?`,
  );
  const withKey = read<KnownRow>(`SELECT ${COLUMNS} FROM known_file WHERE ${ofAssignment} AND key = ?`);
  const keepReplaced = db.prepare(`${KEEP} AND item = (SELECT item FROM known_file WHERE ${ofAssignment} AND key = ?)`);
  const remove = read<Pick<KnownRow, 'item'>>(
    `DELETE FROM known_file WHERE ${ofAssignment} AND key = ? RETURNING item`,
  );
  const unlisted = `${ofAssignment} AND at_ms < ? AND key NOT IN (SELECT value FROM json_each(?))`;
  const keepReplacedByUnlisted = db.prepare(`${KEEP} AND item IN (SELECT item FROM known_file WHERE ${unlisted})`);
  const removeUnlisted = read<Pick<KnownRow, 'item'>>(`DELETE FROM known_file WHERE ${unlisted} RETURNING item`);

  return {
    /** Adds the file, or updates its row with the facts that are known now. */
    put: (assignment: AssignmentRef, { uploadedBy, place, ...file }: RowFacts): void => {
      const { key, fileName, sizeBytes, sha256, atMs, modifiedMs, itemId } = file;
      const source = uploadedBy === undefined ? 'uploaded-here' : 'seen-at-removal';
      const content = [sizeBytes ?? null, sha256 ?? null, atMs];
      const from = [place?.root ?? null, place?.path ?? null, modifiedMs ?? null, itemId ?? null];
      const names = [key, fileName, uploadedBy ?? '', source];
      put.run(...on(assignment), ...names, ...content, ...from, fileNameKey(fileName));
    },
    list: (assignment: AssignmentRef) => list.iterate(...on(assignment)),
    /** At most a thousand files after `key`, in the order of their Keys. */
    after: (assignment: AssignmentRef, key: string) => after.all(...on(assignment), key),
    /** The files with this name. `nameKey`: the result of `fileNameKey`. */
    named: (assignment: AssignmentRef, nameKey: string) => named.all(...on(assignment), nameKey),
    withKey: (assignment: AssignmentRef, key: string) => withKey.get(...on(assignment), key),
    /**
     * Removes the file's row. The files that this file was to replace stay on the assignment. Returns the row's item,
     * if it has one.
     */
    remove: (assignment: AssignmentRef, key: string): readonly number[] => {
      keepReplaced.run(...on(assignment), key);
      return itemsOf(remove.all(...on(assignment), key));
    },
    /**
     * Does what `remove` does for the files that were added before `beforeMs` and whose Keys are not in the JSON array
     * `keys`.
     */
    removeUnlisted: (assignment: AssignmentRef, beforeMs: number, keys: string): readonly number[] => {
      keepReplacedByUnlisted.run(...on(assignment), beforeMs, keys);
      return itemsOf(removeUnlisted.all(...on(assignment), beforeMs, keys));
    },
  };
};

const itemsOf = (rows: readonly Pick<KnownRow, 'item'>[]): readonly number[] => rows.flatMap(({ item }) => item ?? []);

// Uploaded files that are no longer on their assignment.

const createRemovedFiles = (db: DatabaseSync) => {
  const [read, write] = [createRead(db), createWrite(db)];
  const add = db.prepare(
    `INSERT INTO removed_file (item, key, at_ms, is_lost)
     SELECT item.id, key, ?1, ?2 AND batch.state IN (${UNENDED}) FROM item JOIN batch ON number = batch
     WHERE item.id = ?3 AND key IS NOT NULL ON CONFLICT DO NOTHING`,
  );
  const lost = read<AssignmentRef & { readonly item: number; readonly key: string }>(
    `SELECT item, key, connection AS connectionId, assignment_id AS assignmentId FROM batch
     JOIN removed_file ON item >= number * ${RANGE} AND item < (number + 1) * ${RANGE} WHERE batch.id = ? AND is_lost`,
  );
  const withKey = read<{ item: number; atMs: number | null }>(
    `SELECT item, at_ms AS atMs FROM removed_file JOIN item ON item.id = removed_file.item JOIN batch ON number = batch
     WHERE connection = ? AND assignment_id = ? AND removed_file.key = ? ORDER BY settled_ms DESC, item DESC`,
  );
  const setTime = write<[atMs: number, item: number]>('UPDATE removed_file SET at_ms = ? WHERE item = ?');
  const forget = write<[item: number]>('DELETE FROM removed_file WHERE item = ?');
  return {
    /**
     * Records that the item's file is gone, since `atMs` if known. Returns false if that was recorded before, or if the
     * item has no Key. `isLost`: the file never arrived, or another one took its Key. The ledger records `isLost` only
     * while the item's batch has not ended.
     */
    add: (
      item: number,
      { atMs, isLost = false }: { readonly atMs?: number | undefined; readonly isLost?: boolean } = {},
    ): boolean => add.run(atMs ?? null, isLost ? 1 : 0, item).changes === 1,
    /** Returns the items of the lost files of a batch, with their Keys, and no longer counts them as removed. */
    takeLost: (batch: string) => {
      const all = lost.all(batch);
      for (const { item } of all) forget(item);
      return all;
    },
    /** Sets the removal time to `atMs` for the removed files with this Key that have none. Returns their items. */
    date: (assignment: AssignmentRef, key: string, atMs: number): readonly number[] => {
      const undated = withKey.all(...on(assignment), key).filter((removed) => removed.atMs === null);
      for (const { item } of undated) setTime(atMs, item);
      return itemsOf(undated);
    },
    /**
     * Records that the service lists the file with this Key again. Returns the last removed item with this Key, which
     * no longer counts as removed; undefined if there is none.
     */
    restore: (assignment: AssignmentRef, key: string): number | undefined => {
      const [last] = withKey.all(...on(assignment), key);
      if (last) forget(last.item);
      return last?.item;
    },
  };
};

type KnownFacts = {
  readonly key: string;
  readonly fileName: string;
  /** Where the file was on disk: the folder that was chosen, and the path below it. */
  readonly place?: { readonly root: string; readonly path: string };
  readonly sizeBytes?: number;
  readonly modifiedMs?: number;
  readonly sha256?: string;
};

/**
 * A known file to compare with a new one of the same name. Size, time and sha256 are absent if the known file is to be
 * removed.
 */
export type KnownName = KnownFacts & {
  readonly addedAtMs: number;
  /** The upload that the file belongs to, if it was uploaded by this app. */
  readonly uploadId?: string;
  /** The item by which the file is known; absent if the file has a row of its own. */
  readonly knownItem?: number;
};

const createBeingRemoved = () => {
  const keys = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>();
  const none: ReadonlySet<string> = new Set();
  return {
    set: (connectionId: string, files: BeingRemoved): void => {
      const byAssignment = new Map<string, Set<string>>();
      for (const { assignmentId, key } of files)
        byAssignment.set(assignmentId, (byAssignment.get(assignmentId) ?? new Set()).add(key));
      keys.set(connectionId, byAssignment);
    },
    /** The Keys of the files on the assignment that users have asked to remove. */
    of: ({ connectionId, assignmentId }: AssignmentRef) => keys.get(connectionId)?.get(assignmentId) ?? none,
  };
};

/** The maximum number of remembered removals, far more than the responses in flight need. */
const MOST_GONE = 100_000;

export const createKnownFiles = (db: DatabaseSync) => {
  const read = createRead(db);
  const knownItems = createKnownItems(db);
  const knownRows = createKnownRows(db);
  const removedFiles = createRemovedFiles(db);
  const keepReplacedBy = db.prepare(`${KEEP} AND item = ?`);
  const queueSkipped = db.prepare(
    `UPDATE item SET state = 'queued', digest = NULL, settled_ms = NULL
     WHERE state = 'skipped' AND error IS NULL
       AND batch IN (SELECT number FROM batch WHERE connection = ? AND assignment_id = ? AND state IN (${UNENDED}))
       AND digest IN (SELECT digest FROM item WHERE id IN (SELECT value FROM json_each(?)))`,
  );
  const replaced = read<{ key: string }>(
    `SELECT key FROM replaced_file JOIN batch ON number = item / ${RANGE}
     WHERE replaced_file.state IN ('pending', 'failed') AND connection = ? AND assignment_id = ?`,
  );
  // Most files share neither name nor Key with a known file. This check costs less than reading the rows of known
  // files.
  const isKnown = (itemColumn: string, own: string) => {
    const found = db.prepare(
      `SELECT 1 FROM item WHERE ${itemColumn} = ?1 AND id != ?5
       UNION ALL SELECT 1 FROM known_file ${own} = ?4 AND connection = ?2 AND assignment_id = ?3 LIMIT 1`,
    );
    return (assignment: AssignmentRef, text: string, exceptItem = 0): boolean =>
      found.get(checksum(text), ...on(assignment), text, exceptItem) !== undefined;
  };
  const isNameKnown = isKnown('name_crc', 'INDEXED BY known_file_by_name WHERE name_key');
  const isKeyKnown = isKnown('key_crc', 'WHERE key');

  /** When files were removed, by assignment and Key. A concurrent removal's response may still list such a file. */
  const gone = new Map<string, number>();
  const beingRemoved = createBeingRemoved();
  const isBeingRemoved = (assignment: AssignmentRef, key: string): boolean => beingRemoved.of(assignment).has(key);

  /** Moves the files with this Key from their items to rows of their own. */
  const moveToRows = (assignment: AssignmentRef, key: string): void => {
    for (const { fileName, atMs, item, ...row } of knownItems.withKey(assignment, key)) {
      knownRows.put(assignment, { key, fileName, atMs, ...placeOf(row), ...contentOf(row), itemId: item ?? undefined });
      if (item !== null) knownItems.forget(item);
    }
  };
  /** Forgets the item's file. The files that this file was to replace stay. */
  const forgetItem = (item: number): void => {
    keepReplacedBy.run(item);
    knownItems.forget(item);
  };
  /** Whether the service has listed a file with this Key. The file has then certainly arrived. */
  const isListed = (assignment: AssignmentRef, key: string): boolean =>
    knownRows.withKey(assignment, key) !== undefined;
  /**
   * Queues files again that were skipped because one of `items` had uploaded their content: the files of `items` are
   * gone.
   */
  const queueSkippedFor = (assignment: AssignmentRef, items: readonly number[]): void => {
    if (items.length > 0) queueSkipped.run(...on(assignment), JSON.stringify(items));
  };
  /** Records that the files of `items` did not arrive. Returns the items for which this was not recorded before. */
  const notArrived = (items: readonly number[]): readonly number[] => {
    items.forEach(forgetItem);
    return items.filter((item) => removedFiles.add(item, { isLost: true }));
  };

  return {
    list: (assignment: AssignmentRef): readonly KnownFile[] =>
      sortBy(
        [knownRows, knownItems].flatMap((known) => [...Iterator.from(known.list(assignment)).map(toKnownFile)]),
        ['FileName', 'Key'],
      ),
    addedAtMs: (assignment: AssignmentRef, key: string): number | undefined => {
      const row = knownRows.withKey(assignment, key) ?? knownItems.withKey(assignment, key)[0];
      return row?.atMs;
    },
    /** Whether an item other than `item` uploaded the file that is known under this Key. */
    isOfAnother: (assignment: AssignmentRef, key: string, item: number): boolean =>
      itemsOf([...knownItems.withKey(assignment, key), knownRows.withKey(assignment, key) ?? { item: null }]).some(
        (one) => one !== item,
      ),
    /**
     * Returns the items whose files a done item has overwritten at `atMs`, because the service reused their `key`.
     * These files are no longer known.
     */
    overwritten: (
      assignment: AssignmentRef,
      { id, fileName }: Pick<Item, 'id' | 'fileName'>,
      key: string,
      atMs: number,
    ): readonly number[] => {
      if (!isKeyKnown(assignment, key, id)) return [];
      const items = knownItems.withKey(assignment, key).filter(({ item }) => item !== id);
      const row = knownRows.withKey(assignment, key);
      for (const item of itemsOf(items)) knownItems.forget(item);
      // The service has listed this Key, so the file needs no further confirmation. A batch confirms one item at a time
      // (`unlisted` in items.ts), and this item could hide another that does need confirmation.
      if (row) moveToRows(assignment, key);
      return [...items, ...(row ? [row] : [])].flatMap(({ item, fileName: before }) => {
        if (item === null || item === id) return [];
        // A new file of the same name is a later version of the earlier file. A new file of another name has destroyed
        // a different file.
        const isLost = fileNameKey(before) !== fileNameKey(fileName);
        if (isLost) keepReplacedBy.run(item);
        return removedFiles.add(item, { atMs, isLost }) ? [item] : [];
      });
    },
    isListed,
    /**
     * Takes the items of a batch's lost files: a later call does not return them again. `isLast`: the service's list is
     * not read again, so files that were missing from it count as lost, too.
     */
    takeLost: (batch: string, isLast: boolean) => {
      for (const { item, ...assignment } of isLast ? knownItems.doubted(batch) : [])
        queueSkippedFor(assignment, notArrived([item]));
      return removedFiles.takeLost(batch).map(({ item, key, ...assignment }) => ({
        item,
        isKeyTaken: isListed(assignment, key) || knownItems.withKey(assignment, key).length > 0,
      }));
    },
    /**
     * Records the complete list of files in the response to a removal that was requested at `askedMs`. Returns the ids
     * of items whose files are gone now, or are there again. A file that is not listed is gone, unless it was uploaded
     * after `askedMs`. If the file was uploaded less than `lagMs` before `askedMs`, or at a time later than now, the
     * list may be older than the file. The file's batch then looks for the file again; if the batch has ended, the file
     * counts as gone. When a file is gone, the files that it was to replace stay on the assignment. Files that were
     * skipped because of its content are queued again, unless their batch has ended.
     */
    listed: (
      assignment: AssignmentRef,
      { Files }: AssignmentFiles,
      askedMs: number,
      atMs: number,
      lagMs = 0,
    ): readonly number[] => {
      // Files that this app removes may be gone before the responses to their removals arrive. They do not count as
      // lost: otherwise they would be sent again.
      const leaving = [...replaced.all(...on(assignment)).map(({ key }) => key), ...beingRemoved.of(assignment)];
      const keys = JSON.stringify([...new Set([...Files.map(({ Key }) => Key), ...leaving])]);
      const surelyMs = askedMs - lagMs;
      const unlisted: number[] = [];
      for (const { item, sinceMs, isDoubted, hasEnded } of knownItems.unlisted(assignment, askedMs, atMs, keys)) {
        // A list that is requested once a file is in doubt is later than the file's upload, whatever the clock says.
        const isSure = sinceMs > atMs ? isDoubted : sinceMs < surelyMs;
        // A batch that has ended does not look for the file again, so the file counts as gone.
        if (isSure || hasEnded) unlisted.push(item);
        else knownItems.doubt(item);
      }
      const changed = [
        ...knownRows.removeUnlisted(assignment, surelyMs, keys).filter((item) => removedFiles.add(item)),
        ...notArrived(unlisted),
      ];
      queueSkippedFor(assignment, changed);
      const news = newIn(Files, knownRows.list(assignment), knownItems.list(assignment));
      for (const { Key: key, FileName: fileName, UploadedBy: uploadedBy } of news) {
        const goneMs = gone.get([...on(assignment), key].join(' '));
        if (goneMs !== undefined && goneMs >= askedMs) continue;
        moveToRows(assignment, key);
        const itemId = isListed(assignment, key) ? undefined : removedFiles.restore(assignment, key);
        if (itemId !== undefined) changed.push(itemId);
        knownRows.put(assignment, { key, fileName, uploadedBy, atMs, itemId });
      }
      return changed;
    },
    /**
     * Records that the file was removed. Later responses to earlier requests do not restore it. Returns the items whose
     * removal time was not known before.
     */
    removed: (assignment: AssignmentRef, key: string, atMs: number): readonly number[] => {
      if (gone.size >= MOST_GONE) gone.clear();
      gone.set([...on(assignment), key].join(' '), atMs);
      const items = itemsOf(knownItems.withKey(assignment, key));
      items.forEach(forgetItem);
      for (const item of [...knownRows.remove(assignment, key), ...items]) removedFiles.add(item);
      return removedFiles.date(assignment, key, atMs);
    },
    /** Sets which files of a connection users have asked to remove. These files are stored in the outbox only. */
    setBeingRemoved: beingRemoved.set,
    /** Whether a user has asked to remove the file. Uploads must not rely on it, and can reuse its name. */
    isBeingRemoved,
    /** The known files whose FileName has the same `fileNameKey` as this one, without those that are being removed. */
    named: (assignment: AssignmentRef, fileName: string): readonly KnownName[] => {
      const key = fileNameKey(fileName);
      if (!isNameKnown(assignment, key)) return [];
      const items = knownItems.named(assignment, fileName).filter((row) => fileNameKey(row.fileName) === key);
      const all = [...knownRows.named(assignment, key).map(toName), ...items.map(toItemName)];
      return all.filter((known) => !isBeingRemoved(assignment, known.key));
    },
    /** At most a thousand known files after `last`, or from the start, including those that are being removed. */
    after: (assignment: AssignmentRef, last?: KnownName): readonly KnownName[] => {
      const rows = last?.knownItem === undefined ? knownRows.after(assignment, last?.key ?? '') : [];
      return rows.length > 0 ? rows.map(toName) : knownItems.after(assignment, last?.knownItem ?? 0).map(toItemName);
    },
  };
};

/**
 * Returns the files about which a list of the service says more than the known `rows`, or that `items` uploaded. Most
 * lists repeat an earlier one, and writing all of it again would take most of the time of a removal.
 */
const newIn = (
  files: AssignmentFiles['Files'],
  rows: Iterable<KnownRow>,
  items: Iterable<KnownRow>,
): AssignmentFiles['Files'] => {
  const known = new Map(Iterator.from(rows).map((row) => [row.key, row]));
  const uploaded = new Set(Iterator.from(items).map(({ key }) => key));
  return files.filter(({ Key, FileName, UploadedBy }) => {
    const row = known.get(Key);
    const isSame = row?.fileName === FileName && (UploadedBy === '' || UploadedBy === row.uploadedBy);
    return !isSame || uploaded.has(Key);
  });
};

const toKnownFile = ({ key, fileName, uploadedBy, source, atMs, sizeBytes, root, path }: KnownRow): KnownFile => ({
  Key: key,
  FileName: fileName,
  UploadedBy: uploadedBy,
  source,
  addedAtMs: atMs,
  ...(sizeBytes !== null && { sizeBytes }),
  ...(root !== null && path !== null && { folder: chosenFolderOf({ root, path }) }),
});

const toName = ({ key, fileName, atMs, uploadId, toRemove, ...row }: NamedRow): KnownName => ({
  key,
  fileName,
  addedAtMs: atMs,
  ...(uploadId !== null && { uploadId }),
  ...placeOf(row),
  ...(toRemove === 0 && contentOf(row)),
});

const toItemName = (row: NamedRow): KnownName => ({ ...toName(row), knownItem: Number(row.item) });

const placeOf = ({ root, path }: Pick<KnownRow, 'root' | 'path'>): Pick<KnownName, 'place'> =>
  root === null || path === null ? {} : { place: { root, path } };

type Content = 'sizeBytes' | 'modifiedMs' | 'sha256';

const contentOf = ({ sizeBytes, modifiedMs, sha256 }: Pick<KnownRow, Content>): Pick<KnownName, Content> => ({
  ...(sizeBytes !== null && { sizeBytes }),
  ...(modifiedMs !== null && { modifiedMs }),
  ...(sha256 !== null && { sha256 }),
});

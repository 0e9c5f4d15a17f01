/** The queue of a batch in the ledger: the plan adds the files that it finds, and the run takes them meanwhile. */
import type { DatabaseSync } from 'node:sqlite';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { FileState } from '../../../contract/uploads.ts';
import { wallNow } from '../../async/clock.ts';
import type { NamedFile } from '../source/name-registry.ts';
import { createBatchNumber, createItemOf, filesIn, type ItemLists, type ItemWindow, RANGE } from './item-lists.ts';
import { type Item, storedName } from './item-row.ts';

/** For an unknown batch, the lists are empty. */
export type ItemQueue = {
  /**
   * Adds files in order, and answers the ids of those that a clash skips, which are settled `atMs`. Duplicate paths or names
   * are not detected here: the plan of the batch prevents them.
   */
  readonly add: (batch: string, files: readonly NamedFile[], atMs?: number) => readonly number[];
  /** Those whose transfer was interrupted. */
  readonly interrupted: (batch: string) => readonly Item[];
  /** Those that have not started: the large ones, or the others. */
  readonly queued: (batch: string, window: ItemWindow & { readonly large: boolean }) => readonly Item[];
};

/** The minimum size of a large file. An index of the schema depends on this number. */
export const LARGE_BYTES = 8_388_608;

/** The error of a file that is skipped because of its name, as a row has it. */
export const NAME_TAKEN = JSON.stringify(
  toErrorData(new DeskError('upload/name-taken', 'another file on the assignment has this name')),
);

/** The queue over `db`, which has been migrated. */
export const createItemQueue = (db: DatabaseSync, lists: Pick<ItemLists, 'list' | 'tally'>): ItemQueue => {
  const numberOf = createBatchNumber(db);
  const itemOf = createItemOf(db);
  const insert = db.prepare(
    `INSERT INTO item (id, batch, path, file_name, size_bytes, modified_ms, file_id, changed_ms, state, error, settled_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // The index is named: the planner would choose the index of all states and scan every small file to find no large one.
  const queued = (index: string, size: string) =>
    db.prepare(
      `SELECT * FROM item INDEXED BY ${index}
       WHERE batch = ? AND state = 'queued' AND id > ? AND ${size} ORDER BY id LIMIT ?`,
    );
  const queuedLarge = queued('item_large_queued', `size_bytes >= ${LARGE_BYTES}`);
  const queuedSmall = queued('item_by_state', `size_bytes < ${LARGE_BYTES}`);

  return {
    add: (id, files, atMs = wallNow()) => {
      const batch = numberOf(id);
      const left: number[] = [];
      let next = batch * RANGE + filesIn(lists.tally(id), FileState.options);
      for (const { path, fileName, sizeBytes, modifiedMs, identity, clash } of files) {
        if (clash?.onClash === 'skip') left.push(next);
        const state =
          clash?.onClash === 'skip' ? (['skipped', NAME_TAKEN, atMs] as const) : (['queued', null, null] as const);
        insert.run(
          next,
          batch,
          path,
          storedName(path, fileName),
          sizeBytes,
          modifiedMs,
          identity?.id ?? null,
          identity?.changedMs ?? null,
          ...state,
        );
        next += 1;
      }
      return left;
    },
    interrupted: (id) =>
      lists.list(id, { states: ['sending', 'signing'], offset: 0, limit: Number.MAX_SAFE_INTEGER }).items,
    queued: (id, { afterId, limit, large }) =>
      (large ? queuedLarge : queuedSmall).all(numberOf(id), afterId, limit).map(itemOf),
  };
};

type BatchQueue = {
  /** The next file: a large one if one waits and `largeMayGo`, otherwise a small one, otherwise a large one. */
  readonly next: (largeMayGo: boolean) => Item | undefined;
};

/** How many files are read from the ledger at once. */
const WINDOW = 64;

/**
 * Every file once: first those that a previous run left unfinished, then the queued ones, including those added later,
 * until `isPlanned`. Files that the queue has passed and that are queued again are left to another queue.
 */
export const createBatchQueue = (items: ItemQueue, batch: string, isPlanned: () => boolean): BatchQueue => {
  const interrupted = items.interrupted(batch).values();

  /** Takes the next file of this kind. */
  const line = (large: boolean) => {
    let window: readonly Item[] = [];
    let index = 0;
    let afterId = 0;
    let isOver = false;
    return (): Item | undefined => {
      if (index === window.length && !isOver) {
        const wasPlanned = isPlanned();
        window = items.queued(batch, { afterId, limit: WINDOW, large });
        index = 0;
        isOver = wasPlanned && window.length === 0;
      }
      const item = window[index];
      if (item) afterId = item.id;
      index += item ? 1 : 0;
      return item;
    };
  };
  const large = line(true);
  const small = line(false);

  return {
    next: (largeMayGo) => interrupted.next().value ?? (largeMayGo ? (large() ?? small()) : (small() ?? large())),
  };
};

/** The files of a batch that have to go, from the ledger, in the order they are begun. */

import { type ItemLists, LARGE_BYTES } from '../ledger/item-lists.ts';
import type { Item } from '../ledger/item-row.ts';

export type BatchQueue = {
  /** A large file where one waits and may go now, else a small one, else a large one. */
  readonly next: (largeMayGo: boolean) => Item | undefined;
};

/** How many files are looked up in the ledger at once. */
const WINDOW = 64;

/** Whether the file counts as large (8 MiB or more). */
export const isLarge = ({ sizeBytes }: Item): boolean => sizeBytes >= LARGE_BYTES;

/**
 * Every file once: first those that a former run was interrupted in, then the queued ones, also those that are added
 * later, until `isPlanned`. Files behind it that are queued again are for another queue.
 */
export const createBatchQueue = (items: ItemLists, batch: string, isPlanned: () => boolean): BatchQueue => {
  const interrupted = items.interrupted(batch).values();

  /** Looks at the first one that waits, and takes it. */
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

/**
 * Merges the segments of the indexes of words. FTS5 would do so within the writes themselves, hundreds of pages at a time,
 * which blocks the process for longer than a slice may take. Where these merges fall behind, it still does.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Steps } from './in-slices.ts';

/** Few enough to write in a millisecond. */
const PAGES_AT_ONCE = 8;

/** Makes the steps of the merges that are due in `db`. */
export const createIndexMerges = (db: DatabaseSync): (() => Steps) => {
  const changes = db.prepare('SELECT total_changes() AS count');
  const merges = ['protocol_words', 'assignment_words'].map((index) =>
    db.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${PAGES_AT_ONCE})`),
  );
  const changesOf = (work: () => unknown): number => {
    const before = Number(changes.get()?.count);
    work();
    return Number(changes.get()?.count) - before;
  };
  return function* () {
    for (const merge of merges) {
      // The command itself counts as one change.
      while (changesOf(() => merge.run()) > 1) yield;
    }
  };
};

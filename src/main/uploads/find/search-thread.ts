/** The search for files as its thread runs it: an index that follows the ledger, and what it is asked. */
import { DeskError } from '../../../contract/errors.ts';
import type { FoundFiles } from '../../../contract/files.ts';
import { createBatchWords } from './batch-words.ts';
import { createFileIndex } from './file-index.ts';
import type { FindCalls, FindMainCalls } from './find-calls.ts';
import { createFinder } from './find-files.ts';
import { deleteIndex, openIndexStore } from './index-store.ts';
import { openLedgerView } from './ledger-view.ts';

type SearchThread = {
  readonly find: (search: Parameters<FindCalls['find']>[0]) => Promise<FoundFiles>;
  readonly close: () => void;
};

type Names = (asked: Parameters<FindMainCalls['names']>[0]) => Promise<readonly string[]> | readonly string[];

/** A search waits for this many blocks of new files: reading the words of more would be felt. */
const SHORT = 2;
/** Assignments that nobody had read may have been read meanwhile. */
const ASKED_AGAIN_MS = 10_000;

/** Opens the ledger for reading, and the index, which is made again if it is damaged. Errors: `data/…`. */
export const createSearchThread = (paths: Parameters<FindCalls['begin']>[0], askNames: Names): SearchThread => {
  let search = openSearch(paths);
  const names = createNameMemory(askNames);

  const find: SearchThread['find'] = async ({ connectionId, query, complete }) => {
    const { index, finder, batchWords } = search;
    index.look();
    const updated = index.update();
    if (complete || index.staleBlocks() <= SHORT) await updated;
    // The next call reports why it failed.
    else updated.catch(() => {});
    const ofConnection = [...index.batches()].filter((batch) => batch.connectionId === connectionId);
    const ids = new Set(ofConnection.map(({ AssignmentId }) => AssignmentId));
    for (const [id, name] of await names(connectionId, ids)) batchWords.setName(id, name);
    const found = finder(connectionId, query);
    const progress = index.progress();
    return { ...found, ...(progress && { indexing: progress }) };
  };

  return {
    find: async (asked) => {
      try {
        return await find(asked);
      } catch (error) {
        // The ledger says itself what is wrong with it; the index can be made again.
        const isIndex =
          error instanceof DeskError && error.code === 'data/corrupt' && error.details.file === paths.indexPath;
        if (!isIndex) throw error;
        search.close();
        deleteIndex(paths.indexPath);
        search = openSearch(paths);
        return find(asked);
      }
    },
    close: () => search.close(),
  };
};

const openSearch = ({ ledgerPath, indexPath }: Parameters<FindCalls['begin']>[0]) => {
  const ledger = openLedgerView(ledgerPath);
  const store = openIndexStore(indexPath);
  const index = createFileIndex(store, ledger);
  const batchWords = createBatchWords();
  return {
    index,
    batchWords,
    finder: createFinder({ store, index, ledger, batchWords }),
    close: () => {
      store.close();
      ledger.close();
    },
  };
};

/** Asks for names that are not known, again after a while. */
const createNameMemory = (ask: Names) => {
  const known = new Set<string>();
  let askedMs = Number.NEGATIVE_INFINITY;
  let asked = new Set<string>();
  return async (connectionId: string, ids: ReadonlySet<string>): Promise<readonly (readonly [string, string])[]> => {
    const nowMs = performance.now();
    if (nowMs - askedMs > ASKED_AGAIN_MS) {
      asked = new Set();
      askedMs = nowMs;
    }
    const AssignmentIds = [...ids].filter((id) => !known.has(id) && !asked.has(id));
    if (AssignmentIds.length === 0) return [];
    for (const id of AssignmentIds) asked.add(id);
    const names = await ask({ connectionId, AssignmentIds });
    return AssignmentIds.flatMap((id, index) => {
      const name = names[index] ?? '';
      if (name !== '') known.add(id);
      return name === '' ? [] : [[id, name] as const];
    });
  };
};

/** The file search as the main thread calls it. The search runs in a worker (find-worker.ts). */
import { DeskError } from '../../../contract/errors.ts';
import { startWorker } from '../../async/port-calls.ts';
import type { FindCalls, FindMainCalls } from './find-worker.ts';

export type FileSearch = ReturnType<typeof createFileSearch>;

type FileSearchOptions = {
  /** The URL of find-worker.ts. */
  readonly worker: URL;
  readonly paths: Parameters<FindCalls['begin']>[0];
  /** Resolves once there is a ledger. */
  readonly ready: () => Promise<unknown>;
  readonly nameOf: (connectionId: string, AssignmentId: string) => string | undefined;
  readonly onBug: (error: unknown) => void;
};

type SearchWorker = ReturnType<typeof startWorker<FindCalls>> & {
  /** The promise of the worker's `begin`; undefined at first, and after `begin` has failed. */
  begun?: Promise<void> | undefined;
};

/** Creates the file search. A query starts the worker if necessary, and repeats a `begin` that failed. */
export const createFileSearch = ({ worker, paths, ready, nameOf, onBug }: FileSearchOptions) => {
  let current: SearchWorker | undefined;
  let isClosed = false;

  const names: FindMainCalls['names'] = (connectionId, AssignmentIds) =>
    AssignmentIds.map((id) => nameOf(connectionId, id) ?? '');
  const start = (): SearchWorker =>
    startWorker(worker, {
      name: 'search',
      local: { names },
      stopped: () => new DeskError('upload/engine-stopped', 'the search has stopped', { retry: 'later' }),
      onBug,
      onExit: () => {
        current = undefined;
      },
    });

  const begin = async (started: SearchWorker): Promise<void> => {
    try {
      await ready();
      await started.call.begin(paths);
    } catch (error) {
      started.begun = undefined;
      throw error;
    }
  };

  const opened = async (): Promise<SearchWorker['call']> => {
    if (isClosed) throw new DeskError('app/cancelled', 'the app is closing');
    current ??= start();
    const { call } = current;
    current.begun ??= begin(current);
    await current.begun;
    return call;
  };

  return {
    /**
     * Resolves to a window of the files that match. `complete`: waits until every file is in the index. Errors:
     * `data/…`, `upload/engine-stopped`, and `app/cancelled` after `close` or once `signal` is aborted.
     */
    find: async (...search: Parameters<FindCalls['find']>) => (await opened()).find(...search),
    /**
     * Resolves to the files of these sizes whose content was uploaded or was already on the assignment. Errors: those
     * of `find`.
     */
    sent: async (connectionId: string, sizes: readonly number[]) => (await opened()).sent(connectionId, sizes),
    /** Resolves to the `archiveKey` of each archive that was uploaded as a whole. Errors: those of `find`. */
    sentArchives: async (connectionId: string) => (await opened()).sentArchives(connectionId),
    close: async (): Promise<void> => {
      isClosed = true;
      const closing = current;
      if (!closing) return;
      await closing.begun?.then(() => closing.call.close()).catch(onBug);
      // The worker is not terminated, because that may abort the whole process (start-engine.ts).
      closing.thread.unref();
    },
  };
};

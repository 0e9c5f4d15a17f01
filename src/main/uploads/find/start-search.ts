/** The file search as the main thread calls it. The search runs in a worker (find-worker.ts). */
import { Worker } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';
import type { FileQuery } from '../../../contract/files.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import type { FindCalls, FindMainCalls } from './find-worker.ts';

export type FileSearch = ReturnType<typeof createFileSearch>;

type FileSearchOptions = {
  /** The module find-worker.ts in this host. */
  readonly worker: URL;
  readonly paths: Parameters<FindCalls['begin']>[0];
  /** Resolves once there is a ledger. */
  readonly ready: () => Promise<unknown>;
  readonly names: FindMainCalls['names'];
  readonly onBug: (error: unknown) => void;
};

/** `begun`: undefined before the call of `begin`, and after it has failed. */
type SearchWorker = {
  readonly peer: Peer<FindCalls>;
  begun?: Promise<unknown> | undefined;
  readonly retire: () => void;
};

/**
 * Creates the file search. The first query starts its worker. If the worker could not begin, the next query lets it
 * begin again; if the worker has exited, the next query starts another one.
 */
export const createFileSearch = ({ worker, paths, ready, names, onBug }: FileSearchOptions) => {
  let current: SearchWorker | undefined;
  let isClosed = false;

  const start = (): SearchWorker => {
    const thread = new Worker(worker, { name: 'search' });
    const peer = connectPort<FindCalls>(thread, { names }, onBug);
    const started: SearchWorker = { peer, retire: () => thread.unref() };
    thread.on('error', onBug);
    const stopped = new DeskError('upload/engine-stopped', 'the search has stopped', { retry: 'later' });
    thread.once('exit', () => {
      peer.end(stopped);
      if (current === started) current = undefined;
    });
    return started;
  };

  const begin = async (started: SearchWorker): Promise<void> => {
    try {
      await ready();
      await started.peer.call('begin', paths);
    } catch (error) {
      started.begun = undefined;
      throw error;
    }
  };

  const open = async (): Promise<Peer<FindCalls>> => {
    if (isClosed) throw new DeskError('app/cancelled', 'the app is closing');
    current ??= start();
    const started = current;
    started.begun ??= begin(started);
    await started.begun;
    return started.peer;
  };

  return {
    /**
     * Resolves to a window of the files of a connection that match. `complete`: waits until every file of the ledger is
     * in the index. Errors: `data/…`, `upload/engine-stopped`, and `app/cancelled` after `close` or once `signal` is
     * aborted.
     */
    find: async (
      connectionId: string,
      query: FileQuery,
      { complete = false, signal }: { readonly complete?: boolean; readonly signal?: AbortSignal } = {},
    ) => (await open()).call('find', { connectionId, query, complete }, signal),
    /**
     * Resolves to the files of a connection, of these sizes in bytes, whose content was uploaded or was already on the
     * assignment. Errors: `data/…`, `upload/engine-stopped`, and `app/cancelled` after `close` or once `signal` is
     * aborted.
     */
    sent: async (connectionId: string, sizes: readonly number[], signal: AbortSignal) =>
      (await open()).call('sent', { connectionId, sizes }, signal),
    /**
     * Resolves to the `archiveKey` of each archive whose content, as a whole, was uploaded or was already on the
     * assignment, unless its removal is known. Errors: `data/…`, `upload/engine-stopped`, `app/cancelled` after
     * `close`.
     */
    sentArchives: async (connectionId: string) => (await open()).call('sentArchives', { connectionId }),
    close: async (): Promise<void> => {
      isClosed = true;
      const thread = current;
      if (!thread) return;
      await thread.begun?.then(() => thread.peer.call('close', undefined)).catch(onBug);
      // The worker is not terminated, because that may abort the whole process (start-engine.ts).
      thread.retire();
    },
  };
};

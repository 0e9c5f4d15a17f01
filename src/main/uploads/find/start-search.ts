/** Runs the file search in a worker, which starts with the first search. */
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

type SearchWorker = { readonly peer: Peer<FindCalls>; readonly begun: Promise<unknown>; readonly retire: () => void };

/** A search for files in a worker, which the first search starts. The next search replaces a worker that has exited. */
export const createFileSearch = ({ worker, paths, ready, names, onBug }: FileSearchOptions) => {
  let current: SearchWorker | undefined;
  let isClosed = false;

  const start = (): SearchWorker => {
    const thread = new Worker(worker, { name: 'search' });
    const peer = connectPort<FindCalls>(thread, { names }, onBug);
    const begun = ready().then(() => peer.call('begin', paths));
    const started = { peer, begun, retire: () => thread.unref() };
    thread.on('error', onBug);
    const stopped = new DeskError('upload/engine-stopped', 'the search has stopped', { retry: 'later' });
    thread.once('exit', () => {
      peer.end(stopped);
      if (current === started) current = undefined;
    });
    started.begun.catch(() => {
      // The next call tries again.
      if (current === started) current = undefined;
      thread.unref();
    });
    return started;
  };

  const open = async (): Promise<Peer<FindCalls>> => {
    if (isClosed) throw new DeskError('app/cancelled', 'the app is closing');
    current ??= start();
    const { peer, begun } = current;
    await begun;
    return peer;
  };

  return {
    /**
     * The files of a connection that match. With `complete` it waits until every file of the ledger is in the index.
     * Errors: `data/…`, `upload/engine-stopped`, the reason of `signal`.
     */
    find: async (
      connectionId: string,
      query: FileQuery,
      { complete = false, signal }: { readonly complete?: boolean; readonly signal?: AbortSignal } = {},
    ) => (await open()).call('find', { connectionId, query, complete }, signal),
    /** The contents of these sizes that were sent over a connection. Errors: those of `find`. */
    sent: async (connectionId: string, sizes: readonly number[], signal: AbortSignal) =>
      (await open()).call('sent', { connectionId, sizes }, signal),
    /** The archives that were sent as they are: `archiveKey` of each. Errors: those of `find`. */
    sentArchives: async (connectionId: string) => (await open()).call('sentArchives', { connectionId }),
    close: async (): Promise<void> => {
      isClosed = true;
      const thread = current;
      if (!thread) return;
      await thread.begun.then(() => thread.peer.call('close', undefined)).catch(onBug);
      // Not terminated: that may abort the whole process (start-engine.ts).
      thread.retire();
    },
  };
};

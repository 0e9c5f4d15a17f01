/** Runs the file search in a worker, which starts with the first search. */
import { Worker } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';
import type { FileQuery, FoundFiles } from '../../../contract/files.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import type { FindCalls, FindMainCalls } from './find-files.ts';

export type FileSearch = {
  /**
   * The files of a connection that match. With `complete` it waits until every file of the ledger is in the index.
   * Errors: `data/…`, `upload/engine-stopped`, the reason of `signal`.
   */
  readonly find: (
    connectionId: string,
    query: FileQuery,
    options?: { readonly complete?: boolean; readonly signal?: AbortSignal },
  ) => Promise<FoundFiles>;
  /** What was sent of files of these sizes, over a connection. Errors: those of `find`. */
  readonly sent: (
    connectionId: string,
    sizes: readonly number[],
    signal: AbortSignal,
  ) => Promise<ReturnType<FindCalls['sent']>>;
  /** The archives that were sent as they are (`archiveKey`). Errors: those of `find`. */
  readonly sentArchives: (connectionId: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
};

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
export const createFileSearch = ({ worker, paths, ready, names, onBug }: FileSearchOptions): FileSearch => {
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
    find: async (connectionId, query, { complete = false, signal } = {}) =>
      (await open()).call('find', { connectionId, query, complete }, signal),
    sent: async (connectionId, sizes, signal) => (await open()).call('sent', { connectionId, sizes }, signal),
    sentArchives: async (connectionId) => (await open()).call('sentArchives', { connectionId }),
    close: async () => {
      isClosed = true;
      const thread = current;
      if (!thread) return;
      await thread.begun.then(() => thread.peer.call('end', undefined)).catch(onBug);
      // Not terminated: that may abort the whole process (start-engine.ts).
      thread.retire();
    },
  };
};

/** The entry of the thread that searches for files, so that neither an upload nor the window waits for a search. */
import { parentPort } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';
import type { FoundFiles } from '../../../contract/files.ts';
import { orCancelled } from '../../async/cancel.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import type { FindCalls, FindMainCalls } from './find-calls.ts';
import { createSearchThread } from './search-thread.ts';

if (!parentPort) throw new Error('this file runs as a worker thread');
const begin: FindCalls['begin'] = (paths) => {
  const { find, close } = createSearchThread(paths, (asked) => main.call('names', asked));
  const calls: Omit<FindCalls, 'begin'> = {
    find: (search, signal): Promise<FoundFiles> => orCancelled(find(search), signal),
    end: close,
  };
  main.serve(calls);
};
const main: Peer<FindMainCalls> = connectPort(parentPort, { begin }, (error) => {
  // Nothing here is told without an answer.
  throw error instanceof DeskError ? error : new Error('the search has failed', { cause: error });
});

/** The entry of the worker that searches for files, so that neither an upload nor the window waits for a search. */
import { parentPort } from 'node:worker_threads';
import { DeskError } from '../../../contract/errors.ts';
import { orCancelled } from '../../async/cancel.ts';
import { connectPort, type Peer } from '../../async/port-calls.ts';
import { createFileFinder, type FindCalls, type FindMainCalls } from './find-files.ts';

if (!parentPort) throw new Error('this file runs as a worker');
const begin: FindCalls['begin'] = (paths) => {
  const { find, close, ...asked } = createFileFinder(paths, (names) => main.call('names', names));
  const calls: Omit<FindCalls, 'begin'> = {
    find: (search, signal) => orCancelled(find(search), signal),
    ...asked,
    end: close,
  };
  main.serve(calls);
};
const main: Peer<FindMainCalls> = connectPort(parentPort, { begin }, (error) => {
  // Sends no one-way messages, so nothing else fails here.
  throw error instanceof DeskError ? error : new Error('the search has failed', { cause: error });
});

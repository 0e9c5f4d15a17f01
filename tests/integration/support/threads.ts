/**
 * The modules of the app's workers, from the tests' bundle if there is one: loading them from there takes half as long.
 */
import { pathToFileURL } from 'node:url';
import { program } from './runtime.ts';

const module = (path: string): URL => pathToFileURL(program(path));

export const threads = {
  uploadWorker: module('src/main/uploads/engine/engine-worker.ts'),
  readWorker: module('src/main/uploads/source/read-worker.ts'),
  draftWorker: module('src/main/core/drafts/draft-worker.ts'),
  searchWorker: module('src/main/uploads/find/find-worker.ts'),
};

/** The module of the engine with short waits. */
export const workerWithoutBackoff = module('tests/integration/support/worker-without-backoff.ts');

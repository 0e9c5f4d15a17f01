import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import type { Host } from '../host.ts';

/** The absolute path of `path` in `out/`, wherever the bundler put the calling module. */
export const builtPath = (path: string): string => join(app.getAppPath(), 'out', path);

/** The modules of the threads, as they are built. */
export const builtThreads = (): Pick<
  Host,
  'uploadWorker' | 'hashThread' | 'readThread' | 'draftWorker' | 'searchWorker'
> => ({
  uploadWorker: pathToFileURL(builtPath('main/uploads.js')),
  hashThread: pathToFileURL(builtPath('main/hashing.js')),
  readThread: pathToFileURL(builtPath('main/reading.js')),
  searchWorker: pathToFileURL(builtPath('main/search.js')),
  draftWorker: pathToFileURL(builtPath('main/draft.js')),
});

import open from 'open';
import { spawnSample } from './sample-service.ts';

/** The parts of a host that runs the sources on Node. */
export const sourceParts = {
  uploadWorker: new URL('../../uploads/engine/engine-worker.ts', import.meta.url),
  readWorker: new URL('../../uploads/source/read-worker.ts', import.meta.url),
  draftWorker: new URL('../../core/drafts/draft-worker.ts', import.meta.url),
  searchWorker: new URL('../../uploads/find/find-worker.ts', import.meta.url),
  startSample: spawnSample,
  browse: open,
};

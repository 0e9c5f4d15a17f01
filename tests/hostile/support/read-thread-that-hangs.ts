/** Replaces uploads/source/read-worker.ts: a worker that a drive blocks in `open` forever. */
import { openSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => openSync(String(process.env.PIPE_WITHOUT_WRITER), 'r'));

/** The entry of the thread that the upload engine runs in. */
import { parentPort } from 'node:worker_threads';
import { serveEngine } from './serve-engine.ts';

if (!parentPort) throw new Error('this file runs as a worker thread');
serveEngine(parentPort);

/**
 * The worker that hashes large files. It crashes once: at its first message after the file named in DIE_AT has
 * appeared.
 */
import { existsSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const sign = process.env.DIE_AT ?? '';
parentPort?.on('message', () => {
  if (workerData?.serves !== 'hashes' || !existsSync(sign)) return;
  rmSync(sign);
  throw new Error('the thread dies here');
});
await import('../../../src/main/uploads/source/read-worker.ts');

/** The thread that hashes large files, which crashes once when the file named in DIE_AT appears. */
import { existsSync, rmSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

const sign = process.env.DIE_AT ?? '';
parentPort?.on('message', () => {
  if (!existsSync(sign)) return;
  rmSync(sign);
  throw new Error('the thread dies here');
});
await import('../../../src/main/uploads/source/hash-worker.ts');

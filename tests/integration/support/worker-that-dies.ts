/** The upload engine's worker, which crashes once when the file named in DIE_AT appears. */
import { existsSync, rmSync } from 'node:fs';
import '../../../src/main/uploads/engine/engine-worker.ts';

const sign = process.env.DIE_AT ?? '';
setInterval(() => {
  if (!existsSync(sign)) return;
  rmSync(sign);
  throw new Error('the thread dies here');
}, 5);

/** The upload engine's worker, which opens no folder called "held" until the file named in OPEN_AT exists. */
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const sign = process.env.OPEN_AT ?? '';
const { opendir } = fs;
fs.opendir = async (path, options) => {
  while (basename(String(path)) === 'held' && !existsSync(sign)) await setTimeout(5);
  return opendir(path, options);
};
syncBuiltinESMExports();
await import('../../../src/main/uploads/engine/engine-worker.ts');

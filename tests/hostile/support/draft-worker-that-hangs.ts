/** Replaces core/drafts/draft-worker.ts: its worker is blocked by a drive as soon as it opens a folder. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const pipe = String(process.env.PIPE_WITHOUT_WRITER);
const { opendirSync } = fs;
fs.opendirSync = (path, options) => {
  fs.writeFileSync(`${pipe}.opening`, '');
  fs.readFileSync(pipe);
  return opendirSync(path, options);
};
syncBuiltinESMExports();
await import('../../../src/main/core/drafts/draft-worker.ts');

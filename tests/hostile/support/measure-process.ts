/**
 * Loaded before a program (`NODE_OPTIONS=--import …`): leaves in the file named by `MEASURED` what the process took when
 * it ends. `peakMiB` is its greatest resident size, all threads included.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { MEASURED } = process.env;
if (isMainThread && MEASURED !== undefined) {
  process.once('exit', () => {
    writeFileSync(MEASURED, JSON.stringify({ peakMiB: Math.round(process.resourceUsage().maxRSS / 1024) }));
  });
}

/**
 * Loaded before a program (`NODE_OPTIONS=--import …`). When the program ends, writes its use of resources to the file
 * `MEASURED`. `peakMiB`: its maximum resident size, with all threads.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { MEASURED } = process.env;
if (isMainThread && MEASURED !== undefined) {
  process.once('exit', () => {
    writeFileSync(MEASURED, JSON.stringify({ peakMiB: Math.round(process.resourceUsage().maxRSS / 1024) }));
  });
}

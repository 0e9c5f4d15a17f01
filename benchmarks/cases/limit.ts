/** Measures how exactly an upload keeps to a speed limit. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AT_FULL_SPEED, runApp } from '../support/app.ts';
import { writeFiles } from '../support/files.ts';
import { type CaseResult, figure } from '../support/measure.ts';
import { inDirectory, withService } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';
import { type Arrival, startWatchingStorage } from '../support/watching-storage.ts';

const BYTES_PER_SECOND = 2_000_000;
const WINDOW_SECONDS = 10;
const LASTS_SECONDS = 12;

/** The same number of bytes, once in one file and once in many small ones. */
const FOLDERS = [
  { name: 'one file', count: 1, sizeBytes: LASTS_SECONDS * BYTES_PER_SECOND },
  { name: 'small files', count: LASTS_SECONDS * 100, sizeBytes: BYTES_PER_SECOND / 100 },
] as const;

/** Uploads 24 MB twice: in one file, and in 1,200 files. Ignores `quick`. */
export const limit = ({ rounds }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const storage = await startWatchingStorage();
    try {
      return await withService(['--storage-base-url', storage.baseUrl], async ({ sandbox, newAssignment }) => {
        const figures = [];
        for (const { name, count, sizeBytes } of FOLDERS) {
          const root = join(dir, name);
          writeFiles(root, count, sizeBytes);
          const samples: number[] = [];
          for (let round = 0; round < rounds; round += 1) {
            const home = mkdtempSync(join(dir, 'home-'));
            storage.reset();
            const limit = ['--limit-rate', String(BYTES_PER_SECOND), ...AT_FULL_SPEED];
            const command = ['upload', root, '--assignment', newAssignment(), ...limit];
            await runApp({ command, sandbox, home });
            samples.push(furthestOff(storage.arrivals()));
            rmSync(home, { recursive: true });
          }
          figures.push(figure(`${name}: bytes of any ${WINDOW_SECONDS} s off the limit, at most`, '%', samples, 5));
        }
        return { name: 'limit', title: `a limit of ${BYTES_PER_SECOND / 1_000_000} MB/s`, figures };
      });
    } finally {
      storage.close();
    }
  });

/**
 * The largest deviation, in percent, of the bytes that arrived within a window from the bytes that the limit allows.
 */
const furthestOff = (arrivals: readonly Arrival[]): number => {
  const allowed = BYTES_PER_SECOND * WINDOW_SECONDS;
  const lastMs = arrivals.at(-1)?.atMs ?? 0;
  let furthest = Number.NaN;
  let bytes = 0;
  let end = 0;
  for (const first of arrivals) {
    const untilMs = first.atMs + WINDOW_SECONDS * 1000;
    if (untilMs > lastMs) break;
    for (let next = arrivals[end]; next && next.atMs < untilMs; next = arrivals[end]) {
      bytes += next.bytes;
      end += 1;
    }
    const off = Math.abs(bytes / allowed - 1) * 100;
    furthest = Number.isNaN(furthest) ? off : Math.max(furthest, off);
    bytes -= first.bytes;
  }
  return furthest;
};

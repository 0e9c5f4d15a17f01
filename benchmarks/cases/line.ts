/** Uploads over an office's line: what the app makes of it, beside other programs and beside the line alone. */
import { join } from 'node:path';
import { createContenders } from '../support/contenders.ts';
import { writeFiles } from '../support/files.ts';
import type { LineSpec } from '../support/line.ts';
import { checkLine } from '../support/line-check.ts';
import { alternate, type CaseResult, type Contender, figure, median, ratio } from '../support/measure.ts';
import { inDirectory, withLine } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const KB = 1000;
const MB = 1000 * KB;

/** Files of one size. */
type Batch = { readonly count: number; readonly sizeBytes: number };

type Office = {
  readonly line: LineSpec;
  readonly folder: readonly Batch[];
  /** The number at once that each peer is fastest with on this line, found by trying 8, 16, 32, 64, 100 and 128. */
  readonly best: { readonly rclone: number; readonly bareLoop: number };
  readonly goals: { readonly curl?: number; readonly peers?: number; readonly lineAlone: number };
  readonly rounds: number;
};

const lineOf = (roundTripMs: number, mbitPerSecond: number): LineSpec => ({
  roundTripMs,
  bitsPerSecond: mbitPerSecond * MB,
  bufferMs: 250,
});

/** By their letters. */
const OFFICES = {
  a: {
    line: lineOf(60, 100),
    folder: [{ count: 1_500, sizeBytes: 20 * KB }],
    best: { rclone: 64, bareLoop: 64 },
    goals: { curl: 0.8, lineAlone: 1.35 },
    rounds: 3,
  },
  b: {
    line: lineOf(150, 20),
    folder: [{ count: 1_500, sizeBytes: 20 * KB }],
    best: { rclone: 64, bareLoop: 64 },
    goals: { curl: 0.8, lineAlone: 1.35 },
    rounds: 3,
  },
  c: {
    line: lineOf(30, 50),
    folder: [{ count: 300, sizeBytes: 2 * MB }],
    best: { rclone: 8, bareLoop: 8 },
    goals: { peers: 1.05, lineAlone: 1.1 },
    rounds: 1,
  },
  d: {
    line: lineOf(60, 100),
    folder: [{ count: 4, sizeBytes: 64 * MB }],
    best: { rclone: 4, bareLoop: 4 },
    goals: { peers: 1.05, lineAlone: 1.1 },
    rounds: 1,
  },
  e: {
    line: lineOf(20, 5),
    folder: [
      { count: 300, sizeBytes: 10 * KB },
      { count: 10, sizeBytes: 200 * KB },
      { count: 1, sizeBytes: 10 * MB },
    ],
    best: { rclone: 8, bareLoop: 8 },
    goals: { peers: 1.05, lineAlone: 1.1 },
    rounds: 1,
  },
} satisfies Readonly<Record<string, Office>>;

const CURL_PARALLEL = [32, 100] as const;

/** A connection to the service, a signature, a connection to the storage, a PUT: no file is stored sooner. */
const LEAST_ROUND_TRIPS = 4;

/** Measures the line of this letter; with `quick` a tenth of the files, and not the line itself. */
export const lineCase =
  (letter: keyof typeof OFFICES) =>
  ({ rounds, quick }: Scale): Promise<CaseResult> =>
    inDirectory(async (dir) => {
      const office: Office = OFFICES[letter];
      const { line, best, goals } = office;
      const folder = office.folder.map(({ count, sizeBytes }) => ({
        count: quick ? Math.ceil(count / 10) : count,
        sizeBytes,
      }));
      const root = join(dir, 'folder');
      const files = folder.flatMap(({ count, sizeBytes }, index) =>
        writeFiles(join(root, `${index}`), count, sizeBytes),
      );
      const bytes = folder.reduce((sum, { count, sizeBytes }) => sum + count * sizeBytes, 0);
      const check = quick ? [] : await checkLine(line);
      return withLine(dir, line, async (service, storage) => {
        const among = (parallel: number) =>
          createContenders({ dir, root, files, sizeBytes: bytes / files.length, parallel }, service, storage);
        const named = (name: string, { run }: Contender): Contender => ({ name, run });
        const curls = CURL_PARALLEL.map((parallel) => named(`curl, ${parallel} at once`, among(parallel).curl));
        const rclone = named(`rclone, ${best.rclone} transfers (PUT only)`, among(best.rclone).rclone);
        const bareLoop = named(`bare loop, ${best.bareLoop} at once`, among(best.bareLoop).bareLoop);
        const { app } = among(0);
        const contenders = [app, ...curls, rclone, bareLoop];
        const samples = await alternate(contenders, Math.min(rounds, office.rounds));
        const of = (name: string) => samples.get(name) ?? [];
        const fastest = (among: readonly Contender[]) =>
          among.map(({ name }) => of(name)).reduce((a, b) => (median(a) <= median(b) ? a : b));
        const lineAlone = (bytes * 8) / line.bitsPerSecond + (LEAST_ROUND_TRIPS * line.roundTripMs) / 1000;
        return {
          name: `line-${letter}`,
          title: `${letter.toUpperCase()}: ${line.roundTripMs} ms, ${line.bitsPerSecond / MB} Mbit/s, ${folder.map(wordsOf).join(' + ')}`,
          figures: [
            ...contenders.map(({ name }) => figure(name, 's', of(name))),
            { what: 'the line alone', unit: 's', value: lineAlone },
            ratio('app / best curl', of('app'), fastest(curls), goals.curl),
            ratio('app / best peer', of('app'), fastest([...curls, rclone, bareLoop]), goals.peers),
            ratio('app / the line alone', of('app'), [lineAlone], goals.lineAlone),
            ...check,
          ],
        };
      });
    });

const wordsOf = ({ count, sizeBytes }: Batch): string =>
  `${count.toLocaleString('en')} × ${sizeBytes >= MB ? `${sizeBytes / MB} MB` : `${sizeBytes / KB} KB`}`;

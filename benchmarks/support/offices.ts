/** The lines that are measured, what is sent over them, and what is to be reached. */
import { join } from 'node:path';
import { writeFiles } from './files.ts';
import type { LineSpec } from './line.ts';

const KB = 1000;
const MB = 1000 * KB;

/** Files of one size. */
type Batch = { readonly count: number; readonly sizeBytes: number };

export type Office = {
  readonly line: LineSpec;
  readonly folder: readonly Batch[];
  /** The number at once that each peer is fastest with on this line, as `line-peers.ts` finds it. */
  readonly best: { readonly rclone: number; readonly bareLoop: number };
  readonly goals: { readonly curl?: number; readonly peers?: number; readonly lineAlone: number };
  /** Fewer where one takes long: there the line decides, and rounds differ by less than a hundredth. */
  readonly rounds: number;
};

const lineOf = (roundTripMs: number, mbitPerSecond: number): LineSpec => ({
  roundTripMs,
  bitsPerSecond: mbitPerSecond * MB,
  bufferMs: 250,
});

const small = { curl: 0.8, lineAlone: 1.35 } as const;
const large = { peers: 1.05, lineAlone: 1.1 } as const;

/** By the letters of their cases. */
export const OFFICES = {
  a: {
    line: lineOf(60, 100),
    folder: [{ count: 1_500, sizeBytes: 20 * KB }],
    best: { rclone: 64, bareLoop: 64 },
    goals: small,
    rounds: 3,
  },
  b: {
    line: lineOf(150, 20),
    folder: [{ count: 1_500, sizeBytes: 20 * KB }],
    best: { rclone: 64, bareLoop: 64 },
    goals: small,
    rounds: 3,
  },
  c: {
    line: lineOf(30, 50),
    folder: [{ count: 300, sizeBytes: 2 * MB }],
    best: { rclone: 8, bareLoop: 8 },
    goals: large,
    rounds: 1,
  },
  d: {
    line: lineOf(60, 100),
    folder: [{ count: 4, sizeBytes: 64 * MB }],
    best: { rclone: 4, bareLoop: 4 },
    goals: large,
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
    goals: large,
    rounds: 1,
  },
} satisfies Readonly<Record<string, Office>>;

export type Letter = keyof typeof OFFICES;

/** A connection to the service, a signature, a connection to the storage, a PUT: no file is stored sooner. */
const LEAST_ROUND_TRIPS = 4;

/** The seconds that the line alone takes for so many bytes. */
export const secondsOfLine = ({ bitsPerSecond, roundTripMs }: LineSpec, bytes: number): number =>
  (bytes * 8) / bitsPerSecond + (LEAST_ROUND_TRIPS * roundTripMs) / 1000;

/** The bytes of all files. */
export const bytesOf = (folder: readonly Batch[]): number =>
  folder.reduce((sum, { count, sizeBytes }) => sum + count * sizeBytes, 0);

/** Writes an office's files below `dir`, with `share` of each size. */
export const writeFolder = (dir: string, { folder }: Pick<Office, 'folder'>, share = 1) => {
  const root = join(dir, 'folder');
  const part = folder.map(({ count, sizeBytes }) => ({ count: Math.ceil(count * share), sizeBytes }));
  const files = part.flatMap(({ count, sizeBytes }, index) => writeFiles(join(root, `${index}`), count, sizeBytes));
  const bytes = bytesOf(part);
  return { root, files, bytes, sizeBytes: bytes / files.length, words: part.map(wordsOf).join(' + ') };
};

/** A line in words, such as "60 ms, 100 Mbit/s". */
export const wordsOfLine = ({ roundTripMs, bitsPerSecond }: LineSpec): string =>
  `${roundTripMs} ms, ${bitsPerSecond / MB} Mbit/s`;

const wordsOf = ({ count, sizeBytes }: Batch): string =>
  `${count.toLocaleString('en')} × ${sizeBytes >= MB ? `${sizeBytes / MB} MB` : `${sizeBytes / KB} KB`}`;

/** The measured lines, the files that are sent over them, and the goals. */
import { join } from 'node:path';
import { writeFiles } from './files.ts';
import type { LineSpec } from './line.ts';

const KB = 1000;
const MB = 1000 * KB;

/** Files of one size. */
type Batch = { readonly count: number; readonly sizeBytes: number };

export type Office = {
  readonly title: string;
  readonly line: LineSpec;
  /** Whether the service and the storage are reached over TLS. */
  readonly isSecure?: boolean;
  readonly folder: readonly Batch[];
  /** The number of concurrent requests with which each peer is fastest on this line (`line-peers.ts`). */
  readonly best: { readonly rclone: number; readonly bareLoop: number };
  /** The numbers of concurrent requests of curl. If 32 fill the line, more change nothing. */
  readonly curls: readonly number[];
  readonly goals: { readonly curl?: number; readonly peers?: number; readonly lineAlone?: number };
  /** The maximum number of rounds. It is smaller if a round takes long, because the line then determines the time. */
  readonly rounds: number;
};

const lineOf = (roundTripMs: number, mbitPerSecond: number): LineSpec => ({
  roundTripMs,
  bitsPerSecond: mbitPerSecond * MB,
  bufferMs: 250,
});

const large = { peers: 1.05, lineAlone: 1.1 } as const;

const manySmall = {
  folder: [{ count: 1_500, sizeBytes: 20 * KB }],
  curls: [32, 100],
  goals: { curl: 0.8, lineAlone: 1.35 },
} as const;

const lineA = lineOf(60, 100);
const lineC = lineOf(30, 50);

/** The offices by the ends of the names of their cases (`line-a`). */
export const OFFICES = {
  a: {
    ...manySmall,
    title: 'A',
    line: lineA,
    best: { rclone: 96, bareLoop: 96 },
    rounds: 3,
  },
  b: {
    ...manySmall,
    title: 'B',
    line: lineOf(150, 20),
    best: { rclone: 32, bareLoop: 128 },
    rounds: 2,
  },
  c: {
    title: 'C',
    line: lineC,
    folder: [{ count: 100, sizeBytes: 2 * MB }],
    best: { rclone: 8, bareLoop: 8 },
    curls: [32],
    goals: large,
    rounds: 1,
  },
  d: {
    title: 'D',
    line: lineA,
    folder: [{ count: 4, sizeBytes: 64 * MB }],
    best: { rclone: 4, bareLoop: 4 },
    // The folder has only four files.
    curls: [4],
    goals: large,
    rounds: 1,
  },
  e: {
    title: 'E',
    line: lineOf(20, 5),
    folder: [
      { count: 300, sizeBytes: 10 * KB },
      { count: 10, sizeBytes: 200 * KB },
      { count: 1, sizeBytes: 10 * MB },
    ],
    best: { rclone: 8, bareLoop: 8 },
    curls: [32],
    goals: large,
    rounds: 1,
  },
  tls: {
    ...manySmall,
    title: 'A over TLS',
    line: lineA,
    isSecure: true,
    best: { rclone: 96, bareLoop: 96 },
    curls: [100],
    goals: {},
    rounds: 1,
  },
  wifi: {
    title: 'C on a moving laptop',
    line: { ...lineC, jitterMs: 15, pause: { everyMs: 10_000, forMs: 2_000 } },
    folder: [{ count: 40, sizeBytes: 2 * MB }],
    best: { rclone: 8, bareLoop: 8 },
    curls: [32],
    goals: {},
    rounds: 1,
  },
} satisfies Readonly<Record<string, Office>>;

export type OfficeName = keyof typeof OFFICES;

/**
 * The minimum number of round trips before a file is stored: a connection to the service, a signature, a connection to
 * the storage, a PUT.
 */
const LEAST_ROUND_TRIPS = 4;
/** One handshake for each of the two connections. */
const TLS_ROUND_TRIPS = 2;

/** The seconds that the line needs for `bytes`. If the line pauses at times, this is an average. */
export const secondsOfLine = ({ line, isSecure = false }: Office, bytes: number): number => {
  const { bitsPerSecond, roundTripMs, pause } = line;
  const roundTrips = LEAST_ROUND_TRIPS + (isSecure ? TLS_ROUND_TRIPS : 0);
  const awake = pause ? 1 - pause.forMs / pause.everyMs : 1;
  return (bytes * 8) / bitsPerSecond / awake + (roundTrips * roundTripMs) / 1000;
};

export const bytesOf = (folder: readonly Batch[]): number =>
  folder.reduce((sum, { count, sizeBytes }) => sum + count * sizeBytes, 0);

/** Writes an office's files below `dir`. `share`: the share of the files of each size that are written. */
export const writeFolder = (dir: string, { folder }: Pick<Office, 'folder'>, share = 1) => {
  const root = join(dir, 'folder');
  const part = folder.map(({ count, sizeBytes }) => ({ count: Math.ceil(count * share), sizeBytes }));
  const files = part.flatMap(({ count, sizeBytes }, index) => writeFiles(join(root, `${index}`), count, sizeBytes));
  const bytes = bytesOf(part);
  return { root, files, bytes, sizeBytes: bytes / files.length, words: part.map(wordsOf).join(' + ') };
};

/** Describes a line, such as "60 ms, 100 Mbit/s". */
export const wordsOfLine = ({ roundTripMs, bitsPerSecond, jitterMs, pause }: LineSpec): string =>
  [
    `${roundTripMs} ms`,
    ...(jitterMs === undefined ? [] : [`jitter ${jitterMs} ms`]),
    `${bitsPerSecond / MB} Mbit/s`,
    ...(pause ? [`a pause of ${pause.forMs / 1000} s every ${pause.everyMs / 1000} s`] : []),
  ].join(', ');

const wordsOf = ({ count, sizeBytes }: Batch): string =>
  `${count.toLocaleString('en')} × ${sizeBytes >= MB ? `${sizeBytes / MB} MB` : `${sizeBytes / KB} KB`}`;

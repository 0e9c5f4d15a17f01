/**
 * Uploads very many small files. The memory and the write-ahead log must not grow with the number of files, and
 * neither must the time and the ledger's size per file.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AppRun, AT_FULL_SPEED, appArguments, runApp } from '../support/app.ts';
import { type CountingStorage, startCountingStorage } from '../support/counting-storage.ts';
import { writeFiles } from '../support/files.ts';
import { type CaseResult, type Figure, seconds } from '../support/measure.ts';
import { runProgram } from '../support/programs.ts';
import { inDirectory, type Service, withService } from '../support/rig.ts';
import type { Scale } from '../support/scale.ts';

const SIZE_BYTES = 300;
const WAL_INTERVAL_MS = 100;

/** Uploads 10,000, 100,000 and 1,000,000 files of 300 bytes (2,000 and 20,000 with `quick`). Ignores `rounds`. */
export const million = ({ quick }: Scale): Promise<CaseResult> =>
  inDirectory(async (dir) => {
    const sizes = quick ? [2_000, 20_000] : [10_000, 100_000, 1_000_000];
    const storage = await startCountingStorage(SIZE_BYTES);
    try {
      return await withService(['--storage-base-url', storage.baseUrl], async (service) => {
        const uploads: Uploaded[] = [];
        for (const files of sizes) uploads.push(await upload(dir, files, service, storage));
        return {
          name: 'million',
          title: `${sizes.map(count).join(' / ')} × 300 bytes uploaded`,
          figures: figuresOf(uploads),
        };
      });
    } finally {
      storage.close();
    }
  });

type Uploaded = {
  readonly files: number;
  readonly microsecondsPerFile: number;
  readonly cpuMicrosecondsPerFile: number;
  readonly peakMB: number;
  readonly walMB: number;
  readonly ledgerBytesPerFile: number;
  /** The time from the summary to the end of the process. */
  readonly closeSeconds: number;
  /** The time of another process, which starts, opens the ledger, lists the uploads, and ends. */
  readonly openSeconds: number;
};

const upload = async (
  dir: string,
  files: number,
  { sandbox, newAssignment }: Service,
  storage: CountingStorage,
): Promise<Uploaded> => {
  process.stderr.write(`${count(files)} files …\n`);
  const root = join(dir, String(files));
  writeFiles(root, files, SIZE_BYTES);
  const home = mkdtempSync(join(dir, 'home-'));
  const ledger = join(home, 'ledger.sqlite');
  storage.reset();
  let walBytes = 0;
  const timer = setInterval(() => {
    walBytes = Math.max(walBytes, statSync(`${ledger}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  }, WAL_INTERVAL_MS);
  try {
    const run = await runApp({
      command: ['upload', root, '--assignment', newAssignment(), ...AT_FULL_SPEED],
      sandbox,
      home,
    });
    const { files: stored, wrong } = storage.counted();
    if (stored !== files || wrong > 0) throw new Error(`the storage got ${stored} files, and ${wrong} wrong requests`);
    return {
      files,
      microsecondsPerFile: (run.seconds / files) * 1e6,
      cpuMicrosecondsPerFile: (run.cpuSeconds / files) * 1e6,
      peakMB: run.peakBytes / 1e6,
      walMB: walBytes / 1e6,
      ledgerBytesPerFile: statSync(ledger).size / files,
      closeSeconds: run.closeSeconds,
      openSeconds: await seconds(() => listUploads({ sandbox, home })),
    };
  } finally {
    clearInterval(timer);
    rmSync(home, { recursive: true });
    rmSync(root, { recursive: true });
  }
};

const listUploads = (run: Pick<AppRun, 'sandbox' | 'home'>): Promise<void> =>
  runProgram(process.execPath, appArguments({ ...run, command: ['uploads', 'list'] }), {
    PATH: process.env.PATH,
    HOME: run.home,
  });

const figuresOf = (uploads: readonly Uploaded[]): readonly Figure[] => {
  const last = uploads.at(-1);
  if (!last) throw new Error('nothing was uploaded');
  const spread = (of: (uploaded: Uploaded) => number): number =>
    Math.max(...uploads.map(of)) / Math.min(...uploads.map(of));
  return [
    ...uploads.map(
      ({ files, microsecondsPerFile }): Figure => ({
        what: `a file of ${count(files)}`,
        unit: 'µs',
        value: microsecondsPerFile,
      }),
    ),
    {
      what: 'a file of the slowest / of the fastest upload',
      unit: '×',
      value: spread(({ microsecondsPerFile }) => microsecondsPerFile),
      atMost: 1.25,
    },
    {
      what: 'the same in processor time of the app',
      unit: '×',
      value: spread(({ cpuMicrosecondsPerFile }) => cpuMicrosecondsPerFile),
    },
    ...uploads.map(
      ({ files, peakMB }): Figure => ({
        what: `memory with ${count(files)}, Node included, at most`,
        unit: 'MB',
        value: peakMB,
        atMost: 300,
      }),
    ),
    { what: 'ledger, a file of the most', unit: 'bytes', value: last.ledgerBytesPerFile, atMost: 400 },
    { what: 'write-ahead log, at most', unit: 'MB', value: Math.max(...uploads.map(({ walMB }) => walMB)), atMost: 64 },
    {
      what: 'closing after the most, and opening again in a new process',
      unit: 's',
      value: last.closeSeconds + last.openSeconds,
      atMost: 2,
    },
  ];
};

const count = (files: number): string => files.toLocaleString('en');

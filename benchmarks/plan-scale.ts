/**
 * Measures the cost of planning and queueing one file, by the number of files. A list of reviewed files goes through
 * the real plan into a ledger on disk (metadata only). Each number of files has a separate process, and the fastest of
 * three runs counts. Prints one JSON document.
 *
 *     node benchmarks/plan-scale.ts [FILES...]
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownNameTemplate } from '../src/contract/uploads.ts';
import { createKeyedLock } from '../src/main/async/lock.ts';
import { openLedger } from '../src/main/uploads/ledger/ledger.ts';
import { createReviewedList, type Range } from '../src/main/uploads/source/scan.ts';
import { SEND_TIMEOUTS } from '../src/main/uploads/storage/put-file.ts';
import { createKeptRegistries, planBatch } from '../src/main/uploads/transfer/names.ts';

const RUNS = 3;
const FOLDER_FILES = 1000;

type PlanScale = {
  readonly files: number;
  readonly seconds: number;
  readonly microsecondsPerFile: number;
  /** Processor time, which a busy machine or a slow disk does not change. */
  readonly cpuMicrosecondsPerFile: number;
  /** The peak memory of the process, including Node. */
  readonly rssMB: number;
  /** The largest observed size of the ledger's write-ahead log. */
  readonly walMB: number;
  /** The time to list 200 files from the middle: of all files, and of the queued ones. */
  readonly listMs: number;
  readonly listQueuedMs: number;
  readonly tallyMs: number;
};

export const measurePlanScale = (sizes: readonly number[] = [10_000, 100_000, 1_000_000]): readonly PlanScale[] =>
  sizes.map((files) => {
    const runs = Array.from({ length: RUNS }, (): PlanScale => {
      const arguments_ = [fileURLToPath(import.meta.url), '--once', String(files)];
      return JSON.parse(execFileSync(process.execPath, arguments_, { encoding: 'utf8' }));
    });
    return runs.reduce((least, run) => (run.seconds < least.seconds ? run : least));
  });

/**
 * Writes a list of reviewed files, with names like those of a camera. Unlike after a scan, the files of a folder are in
 * no order.
 */
const listSynthetic = (lists: string, count: number) => {
  const list = createReviewedList(lists);
  const ranges: Range[] = [];
  for (let from = 0; from < count; from += FOLDER_FILES) {
    const files = Array.from({ length: Math.min(FOLDER_FILES, count - from) }, (_, index) => {
      const number = from + index;
      const scattered = (number * 7919) % count;
      return {
        path: `IMG_${String(scattered).padStart(7, '0')}.jpg`,
        sizeBytes: 20_000 + (number % 1000),
        modifiedMs: 1_700_000_000_000 + number,
        identity: { id: String(number), changedMs: 1_700_000_000_000 + number },
      };
    });
    const identity = { id: String(from), bornMs: 0 };
    ranges.push(list.add({ below: `protocol ${from / FOLDER_FILES}/`, identity }, files));
  }
  list.save(false);
  list.close();
  return { list: list.id, below: '', ranges };
};

const once = async (files: number): Promise<PlanScale> => {
  const home = mkdtempSync(join(tmpdir(), 'inspection-desk-bench-'));
  const path = join(home, 'ledger.sqlite');
  const ledger = openLedger(path);
  const batch = 'bench';
  let walBytes = 0;
  const signal = new AbortController().signal;
  const insert = { id: batch, connectionId: 'bench', subject: undefined, assignmentId: 'bench', root: home };
  await ledger.commit(() => ledger.batches.insert({ ...insert, nameTemplate: ownNameTemplate, createdAtMs: 0 }));

  const reviewed = listSynthetic(ledger.lists, files);
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const onAdded = (): void => {
    walBytes = Math.max(walBytes, statSync(`${path}-wal`).size);
  };
  // The plan also scans this folder, which stays empty.
  const root = join(home, 'folder');
  mkdirSync(root);
  const row = ledger.batches.get(batch);
  if (!row) throw new Error('the batch was not added');
  const planned = { ...row, root, reviewed, leavesLater: true };
  await planBatch({
    ledger,
    lock: createKeyedLock(),
    batch: planned,
    open: () => Promise.reject(new Error('no file is read')),
    timeouts: SEND_TIMEOUTS,
    registries: createKeptRegistries(() => performance.now()),
    signal,
    onAdded,
  });
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);

  const timed = (work: () => unknown): number => {
    const from = performance.now();
    work();
    return rounded(performance.now() - from);
  };
  const window = { offset: Math.floor(files / 2), limit: 200 };
  const result: PlanScale = {
    files,
    seconds: rounded(seconds),
    microsecondsPerFile: rounded((seconds / files) * 1e6),
    cpuMicrosecondsPerFile: rounded((user + system) / files),
    rssMB: Math.round(process.resourceUsage().maxRSS / 1024),
    walMB: rounded(walBytes / 1e6),
    listMs: timed(() => ledger.items.list(batch, window)),
    listQueuedMs: timed(() => ledger.items.list(batch, { ...window, states: ['sending', 'signing', 'queued'] })),
    tallyMs: timed(() => ledger.items.tally(batch)),
  };
  ledger.close();
  rmSync(home, { recursive: true });
  return result;
};

const rounded = (value: number): number => Math.round(value * 100) / 100;

if (import.meta.main) {
  const [first, ...rest] = process.argv.slice(2);
  const results =
    first === '--once'
      ? await once(Number(rest[0]))
      : {
          machine: cpus()[0]?.model,
          node: process.version,
          results: measurePlanScale(first === undefined ? undefined : [first, ...rest].map(Number)),
        };
  process.stdout.write(`${JSON.stringify(results, null, first === '--once' ? undefined : 2)}\n`);
}

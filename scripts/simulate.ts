/**
 * Runs histories of the app in virtual time (tests/simulation/). Whatever happens, every file has to arrive exactly
 * once. Exits with 1 after the first history in which something is wrong, and prints how to repeat that history.
 *
 *     npm run simulate [-- --histories N] [-- --seed S] [-- --apps] [-- --trace] [-- --plants]
 *     npm run simulate -- --fleet OFFICES [--seed S] [--plot FILE.svg]
 *
 * `--apps` leaves out the histories of the engine alone. `--trace` prints what happened. `--plants` plants faults into
 * the app, one at a time, and prints after how many histories each fault is found; it exits with 1 unless all are found
 * within N histories (100,000 by default). `--fleet` runs many offices through an outage of their service, and prints
 * how many requests the service gets when it returns; 5,000 offices take about an hour and 7 GB.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { runFleet } from '../tests/simulation/fleet.ts';
import { APPS_EVERY, runHistory } from '../tests/simulation/history.ts';
import { PLANTS } from '../tests/simulation/plants.ts';
import { plotFleet } from '../tests/simulation/plot-fleet.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    apps: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    plants: { type: 'boolean', default: false },
    fleet: { type: 'string' },
    plot: { type: 'string' },
  },
});
const [histories = 0, first = 0] = [values.histories ?? (values.plants ? 100_000 : 1_000), values.seed].map(Number);
if (![histories, first].every((value) => Number.isInteger(value) && value >= 0))
  throw new Error('--histories and --seed take whole numbers');

const seedOf = (at: number): number => (values.apps ? (Math.ceil(first / APPS_EVERY) + at) * APPS_EVERY : first + at);

/** Every such history is run a second time, to check that a seed gives the same history each time. */
const TWICE_EVERY = 13;

const AGAIN = 'again: npm run simulate -- --histories 1 --seed';

/**
 * The maximum real time of a history, which usually takes a tenth of a second. A longer history never ends, and its
 * thread cannot be interrupted.
 */
const MOST_REAL_MS = 120_000;

/** Starts a worker that reports the current history and kills this process, unless the next history begins in time. */
const watch = (): { readonly begin: (seed: number) => void; readonly end: () => Promise<unknown> } => {
  const present = new Int32Array(new SharedArrayBuffer(4));
  const wait = `
    const { workerData: present } = require('node:worker_threads');
    for (let seed = present[0]; Atomics.wait(present, 0, seed, ${MOST_REAL_MS}) !== 'timed-out'; ) seed = present[0];
    require('node:fs').writeSync(1, 'seed ' + present[0] + ': WRONG\\n  it does not come to an end in real time\\n');
    require('node:fs').writeSync(1, '${AGAIN} ' + present[0] + ' --trace\\n');
    process.kill(process.pid, 'SIGKILL');`;
  present[0] = seedOf(0);
  const worker = new Worker(wait, { eval: true, execArgv: [], workerData: present });
  const begin = (seed: number): void => {
    Atomics.store(present, 0, seed);
    Atomics.notify(present, 0);
  };
  return { begin, end: () => worker.terminate() };
};

/** The rejections of the app's promises that no code handles. Without this listener, Node would end the process. */
const unheard: unknown[] = [];
process.on('unhandledRejection', (error) => unheard.push(error));

/**
 * Runs histories until something is wrong. Resolves to the seed of the first wrong history; undefined if there is none.
 */
const simulate = async (): Promise<number | undefined> => {
  const { begin, end } = watch();
  await using _ = { [Symbol.asyncDispose]: async () => void (await end()) };
  for (let at = 0; at < histories; at += 1) {
    const seed = seedOf(at);
    begin(seed);
    const { problems, trace, sum } = await runHistory(seed);
    if (values.trace) console.log(trace.join('\n'));
    const isSame = at % TWICE_EVERY > 0 || (await runHistory(seed)).sum === sum;
    const wrong = [
      ...problems,
      ...(isSame ? [] : ['another trace than before']),
      ...unheard.splice(0).map((error) => `not caught: ${error instanceof Error ? error.stack : error}`),
    ];
    if (wrong.length === 0) continue;
    console.log(`seed ${seed}: WRONG\n  ${wrong.join('\n  ')}`);
    return seed;
  }
  return undefined;
};

/**
 * Runs histories in a separate process, because a process loads the app only once. Returns the seed and the first sign
 * of the first wrong history, if there is one.
 */
const runApart = (
  plant: string | undefined,
  args: readonly string[],
): { readonly seed?: string; readonly sign?: string } => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), ...args],
    { env: { ...process.env, INSPECTION_DESK_PLANT: plant }, encoding: 'utf8' },
  );
  if (stderr !== '') throw new Error(`${plant}: ${stderr}`);
  return /^seed (?<seed>\d+): WRONG\n {2}(?<sign>.*)/m.exec(stdout)?.groups ?? {};
};

/** Prints a table of the planted faults: after how many histories each is found, and its first sign. */
const findPlants = (): void => {
  const plants = Object.entries(PLANTS);
  let found = 0;
  console.log('| fault | histories | seed | first sign |\n|---|---:|---:|---|');
  for (const [name, { needsApps }] of plants) {
    const few = ['--histories', String(histories), '--seed', String(first), ...(needsApps ? ['--apps'] : [])];
    const { seed, sign } = runApart(name, few);
    // Without the fault, the same history has to succeed.
    const isFound = seed !== undefined && runApart(undefined, ['--histories', '1', '--seed', seed]).seed === undefined;
    if (isFound) found += 1;
    const tried = needsApps ? Number(seed) / APPS_EVERY - Math.ceil(first / APPS_EVERY) : Number(seed) - first;
    console.log(
      `| ${name} | ${isFound ? `${tried + 1}${needsApps ? ' of whole apps' : ''} | ${seed} | ${sign}` : 'NOT FOUND | | '} |`,
    );
  }
  console.log(`${found} of ${plants.length} planted faults found, within ${histories} histories each`);
  if (found < plants.length) process.exitCode = 1;
};

/** Prints how many requests the service gets when it returns. Exits with 1 if a file is missing or was stored twice. */
const simulateFleet = async (offices: number): Promise<void> => {
  const result = await runFleet(first, offices);
  if (values.plot !== undefined) writeFileSync(values.plot, plotFleet(result));
  const { steady, peak, peakMinute, amplification, firstMs, caughtUpMs, files, problems } = result;
  const minutes = ({ median, last }: { readonly median: number; readonly last: number }): string =>
    `${(median / 60_000).toFixed(1)} minutes (median), ${(last / 60_000).toFixed(1)} (last)`;
  console.log(
    `${offices} offices from seed ${first}: ${files} files, each once; ${steady.toFixed(1)} requests a second before the outage`,
  );
  console.log(`at its return: ${peak.toFixed(2)} times as many in ten seconds, ${peakMinute.toFixed(2)} in a minute`);
  console.log(`requests by those that were answered: ${amplification.toFixed(3)}`);
  console.log(
    `the first file of an office after ${minutes(firstMs)}; all that had waited after ${minutes(caughtUpMs)}`,
  );
  if (problems.length === 0) return;
  console.log(`WRONG\n  ${problems.join('\n  ')}`);
  process.exitCode = 1;
};

if (values.plants) findPlants();
else if (values.fleet !== undefined) await simulateFleet(Number(values.fleet));
else {
  const beganMs = performance.now();
  const wrong = await simulate();
  if (wrong === undefined) {
    const seconds = (performance.now() - beganMs) / 1_000;
    console.log(`${histories} histories from seed ${first}: exactly once, in ${seconds.toFixed(1)} s`);
  } else {
    console.log(`${AGAIN} ${wrong} --trace`);
    process.exitCode = 1;
  }
}

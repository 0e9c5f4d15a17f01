/**
 * Histories of the app in virtual time (tests/simulation/): exactly once, whatever happens. Exits with 1 after the first history in which
 * something is wrong, and prints how to repeat it.
 *
 *   npm run simulate [-- --histories N] [-- --seed S] [-- --trace] [-- --twice] [-- --plants]
 *   npm run simulate -- --fleet OFFICES [--seed S] [--plot FILE.svg]
 *
 * `--trace` prints what happened, `--twice` runs each history twice and compares. `--plants` plants faults into the app, one at a time,
 * and exits with 1 unless each of them is found within N histories (12,000 by default). `--fleet` runs many offices through an outage of
 * their service, and prints how many requests that gets at its return; 5,000 take more than an hour and 5 GB.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { runFleet } from '../tests/simulation/fleet.ts';
import { runHistory } from '../tests/simulation/history.ts';
import { PLANTS } from '../tests/simulation/plants.ts';
import { plotFleet } from '../tests/simulation/plot-fleet.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    trace: { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    plants: { type: 'boolean', default: false },
    fleet: { type: 'string' },
    plot: { type: 'string' },
  },
});
const [histories = 0, first = 0] = [values.histories ?? (values.plants ? 12_000 : 1_000), values.seed].map(Number);
if (![histories, first].every((value) => Number.isInteger(value) && value >= 0))
  throw new Error('--histories and --seed take whole numbers');

/** Before the seed that failed. */
const AGAIN = 'again: npm run simulate -- --histories 1 --seed';

/** A history takes a tenth of a second. One that takes longer than this waits for nothing, and its thread cannot be interrupted. */
const MOST_REAL_MS = 120_000;

/** Reports the history that runs, and kills this process, unless the next one begins in time. */
const watch = (): { readonly begin: (seed: number) => void; readonly end: () => Promise<unknown> } => {
  const present = new Int32Array(new SharedArrayBuffer(4));
  const wait = `
    const { workerData: present } = require('node:worker_threads');
    for (let seed = present[0]; Atomics.wait(present, 0, seed, ${MOST_REAL_MS}) !== 'timed-out'; ) seed = present[0];
    require('node:fs').writeSync(1, 'seed ' + present[0] + ': WRONG\\n  it does not come to an end in real time\\n');
    require('node:fs').writeSync(1, '${AGAIN} ' + present[0] + ' --trace\\n');
    process.kill(process.pid, 'SIGKILL');`;
  present[0] = first;
  const worker = new Worker(wait, { eval: true, execArgv: [], workerData: present });
  const begin = (seed: number): void => {
    Atomics.store(present, 0, seed);
    Atomics.notify(present, 0);
  };
  return { begin, end: () => worker.terminate() };
};

/** Runs histories until something is wrong. Returns the first seed that is, if any. */
const simulate = async (): Promise<number | undefined> => {
  const { begin, end } = watch();
  await using _ = { [Symbol.asyncDispose]: async () => void (await end()) };
  for (let seed = first; seed < first + histories; seed += 1) {
    begin(seed);
    const { problems, trace, sum } = await runHistory(seed);
    if (values.trace) console.log(trace.join('\n'));
    const isSame = !values.twice || (await runHistory(seed)).sum === sum;
    const wrong = [...problems, ...(isSame ? [] : ['another trace than before'])];
    if (wrong.length === 0) continue;
    console.log(`seed ${seed}: WRONG\n  ${wrong.join('\n  ')}`);
    return seed;
  }
  return undefined;
};

/** Each planted fault in a process of its own, since the app is loaded once. */
const findPlants = (): void => {
  let found = 0;
  for (const name of Object.keys(PLANTS)) {
    const args = [
      ...process.execArgv,
      fileURLToPath(import.meta.url),
      '--histories',
      String(histories),
      '--seed',
      String(first),
    ];
    const { stdout } = spawnSync(process.execPath, args, {
      env: { ...process.env, INSPECTION_DESK_PLANT: name },
      encoding: 'utf8',
    });
    const seed = /^seed (\d+): WRONG\n {2}(.*)/m.exec(stdout);
    if (seed) found += 1;
    console.log(
      `${seed ? `found after ${Number(seed[1]) - first + 1}` : 'NOT FOUND'}: ${name} ${seed ? `(${seed[2]})` : ''}`,
    );
  }
  console.log(`${found} of ${Object.keys(PLANTS).length} planted faults found`);
  if (found < Object.keys(PLANTS).length) process.exitCode = 1;
};

/** Prints what the service gets at its return. Exits with 1 if a file is missing or there twice. */
const simulateFleet = async (offices: number): Promise<void> => {
  const result = await runFleet(first, offices);
  if (values.plot !== undefined) writeFileSync(values.plot, plotFleet(result));
  const { steady, peak, peakMinute, amplification, firstMs, caughtUpMs, files, problems } = result;
  const minutes = ({ median, last }: { readonly median: number; readonly last: number }): string =>
    `${(median / 60_000).toFixed(1)} minutes in the middle, ${(last / 60_000).toFixed(1)} at the latest`;
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

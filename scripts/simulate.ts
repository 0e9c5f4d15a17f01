/**
 * Histories of uploads in virtual time (tests/simulation/): exactly once, whatever happens. Exits with 1 after the first history in which
 * something is wrong, and prints how to repeat it.
 *
 *   npm run simulate [-- --histories N] [-- --seed S] [-- --trace] [-- --twice] [-- --plants]
 *
 * `--trace` prints what happened, `--twice` runs each history twice and compares. `--plants` plants faults into the engine, one at a time,
 * and exits with 1 unless each of them is found within N histories (12,000 by default).
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runHistory } from '../tests/simulation/history.ts';
import { PLANTS } from '../tests/simulation/plants.ts';

const { values } = parseArgs({
  options: {
    histories: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    trace: { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    plants: { type: 'boolean', default: false },
  },
});
const [histories = 0, first = 0] = [values.histories ?? (values.plants ? 12_000 : 1_000), values.seed].map(Number);
if (![histories, first].every((value) => Number.isInteger(value) && value >= 0))
  throw new Error('--histories and --seed take whole numbers');

/** Runs histories until something is wrong. Returns the first seed that is, if any. */
const simulate = async (): Promise<number | undefined> => {
  for (let seed = first; seed < first + histories; seed += 1) {
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

/** Each planted fault in a process of its own, since the engine is loaded once. */
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
    const { status, stdout } = spawnSync(process.execPath, args, {
      env: { ...process.env, INSPECTION_DESK_PLANT: name },
      encoding: 'utf8',
    });
    const seed = /^seed (\d+): WRONG\n {2}(.*)/m.exec(stdout);
    if (status === 1 && seed) found += 1;
    console.log(
      `${seed ? `found after ${Number(seed[1]) - first + 1}` : 'NOT FOUND'}: ${name} ${seed ? `(${seed[2]})` : ''}`,
    );
  }
  console.log(`${found} of ${Object.keys(PLANTS).length} planted faults found`);
  if (found < Object.keys(PLANTS).length) process.exitCode = 1;
};

if (values.plants) findPlants();
else {
  const beganMs = performance.now();
  const wrong = await simulate();
  if (wrong === undefined) {
    const seconds = (performance.now() - beganMs) / 1_000;
    console.log(`${histories} histories from seed ${first}: exactly once, in ${seconds.toFixed(1)} s`);
  } else {
    console.log(`again: npm run simulate -- --histories 1 --seed ${wrong} --trace`);
    process.exitCode = 1;
  }
}

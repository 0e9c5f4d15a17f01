/**
 * Cuts the power of a recorded session at any of its system calls, and opens the app on what the disk may hold then: everything it had
 * promised has to hold. Needs strace, so Linux. Exits with 1 after the first state in which something is wrong.
 *
 *   npm run power-cut [-- --states N] [-- --seed S] [-- --all-problems]
 *
 * Each 200 states are those of a session of their own, with the next seed.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCuts } from '../tests/power-cut/run.ts';
import { shareCompileCache } from './compile-cache.mjs';

shareCompileCache();

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'all-problems': { type: 'boolean', default: false },
  },
});
const [states = 0, seed = 0] = [values.states, values.seed].map(Number);
if (![states, seed].every((value) => Number.isInteger(value) && value >= 0))
  throw new Error('--states and --seed take whole numbers');

/** An opened app leaves a thread behind until its process ends, of some 50 MB. */
const MOST_IN_A_PROCESS = 200;

if (states > MOST_IN_A_PROCESS) {
  for (let begun = 0; begun < states; begun += MOST_IN_A_PROCESS) {
    const part = [
      '--states',
      `${Math.min(MOST_IN_A_PROCESS, states - begun)}`,
      '--seed',
      `${seed + begun / MOST_IN_A_PROCESS}`,
    ];
    const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2), ...part];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
    if (status !== 0 && !values['all-problems']) break;
  }
  process.exit();
}

let opened = 0;
let wrong = 0;
const possible = await runCuts({ seed, states }, ({ cut, problems }) => {
  opened += 1;
  if (problems.length > 0) {
    wrong += 1;
    console.log(`state ${opened} (${JSON.stringify(cut)}): WRONG\n  ${problems.join('\n  ')}`);
    if (!values['all-problems']) {
      console.log(`again: npm run power-cut -- --states ${opened} --seed ${seed}`);
      process.exit(1);
    }
  }
});
console.log(`seed ${seed}: ${opened} of ${possible} states of the disk, ${wrong} of them wrong`);
// Threads of the engine may still wait.
process.exit(wrong > 0 ? 1 : 0);

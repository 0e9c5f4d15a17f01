/**
 * Cuts the power of a recorded session at some of its system calls, and opens the app on a possible state of the disk
 * after the cut. Everything that the app had promised has to hold. Needs Linux and strace. Exits with 1 after the first
 * state in which something is wrong.
 *
 *     npm run power-cut [-- --states N] [-- --seed S] [-- --all-problems]
 *
 * With `--failing-calls`, system calls of the session fail instead: N of those that can fail, or one that is named.
 * Needs a C compiler.
 *
 *     npm run power-cut -- --failing-calls N [-- --seed S] [-- --all-problems]
 *     npm run power-cut -- --failing-calls 'write ledger.sqlite-wal 3 ENOSPC once'
 *
 * Every 200 states or calls run in a separate process, with the next seed.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { failureFrom, failureText, runFailures } from '../tests/power-cut/failing-calls.ts';
import { cutPower, recordSession } from '../tests/power-cut/run.ts';
import { bundleCli } from './bundle-cli.mjs';
import { shareCompileCache } from './compile-cache.mjs';

shareCompileCache();
// Makes one bundle for all child processes, which inherit the variable.
process.env.INSPECTION_DESK_TEST_BUNDLE ??= await bundleCli();

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '200' },
    'failing-calls': { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'all-problems': { type: 'boolean', default: false },
  },
});
const { 'failing-calls': calls, 'all-problems': isThorough } = values;
const named = calls !== undefined && /[a-z]/.test(calls) ? failureFrom(calls) : undefined;
const [count = 0, seed = 0] = [named ? 1 : (calls ?? values.states), values.seed].map(Number);
if (![count, seed].every((value) => Number.isInteger(value) && value >= 0))
  throw new Error('--states, --failing-calls and --seed take whole numbers');

/**
 * The number of states or calls that one process tries. An opened app leaves a thread of about 50 MB behind until its
 * process ends.
 */
const MOST_IN_A_PROCESS = 200;

if (count > MOST_IN_A_PROCESS) {
  for (let begun = 0; begun < count; begun += MOST_IN_A_PROCESS) {
    const part = [
      ...[calls === undefined ? '--states' : '--failing-calls', `${Math.min(MOST_IN_A_PROCESS, count - begun)}`],
      ...['--seed', `${seed + begun / MOST_IN_A_PROCESS}`],
    ];
    const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2), ...part];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
    if (status !== 0 && !isThorough) break;
  }
  process.exit();
}

let tried = 0;
let wrong = 0;
const judge = (what: string, problems: readonly string[], again: () => string): void => {
  tried += 1;
  if (problems.length === 0) return;
  wrong += 1;
  console.log(`${what}: WRONG\n  ${problems.join('\n  ')}`);
  if (isThorough) return;
  console.log(`again: npm run power-cut -- ${again()}`);
  process.exit(1);
};

if (calls === undefined) {
  const recording = await recordSession();
  process.on('exit', recording.remove);
  const possible = await cutPower(recording, { seed, states: count }, ({ cut, problems }) =>
    judge(`state ${tried + 1} (${JSON.stringify(cut)})`, problems, () => `--states ${tried} --seed ${seed}`),
  );
  console.log(`seed ${seed}: ${tried} of ${possible} states of the disk, ${wrong} of them wrong`);
} else {
  let said = 0;
  let missed = 0;
  const possible = await runFailures({ seed, wanted: named ? [named] : count }, (result) => {
    const failure = failureText(result.failure);
    if (!result.happened) missed += 1;
    if (result.said.length > 0) said += 1;
    if (named) console.log(`${failure}: ${result.said.join(', ') || 'nothing said'}`);
    judge(failure, result.problems, () => `--failing-calls '${failure}'`);
  });
  console.log(
    `seed ${seed}: ${tried - missed} of ${possible} failures of a call, ${said} of which the app reported, ${wrong} of them wrong`,
  );
}
// Ends the process, although threads of the engine may still wait.
process.exit(wrong > 0 ? 1 : 0);

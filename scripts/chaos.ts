/**
 * Kills processes during uploads while the service fails. Every file must arrive exactly once. Exits with 1 after the
 * first round with a missing or duplicate file, and prints how to repeat that round.
 *
 *     npm run chaos [-- --rounds N] [-- --seed S] [-- --files N]
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runRound } from '../tests/chaos/round.ts';
import { otherRuntime } from '../tests/integration/support/runtime.ts';
import { bundleCli } from './bundle-cli.mjs';
import { shareCompileCache } from './compile-cache.mjs';

shareCompileCache();
// Makes one bundle for all rounds, which inherit the variable.
if (otherRuntime !== undefined) process.env.INSPECTION_DESK_TEST_BUNDLE ??= await bundleCli();

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    files: { type: 'string', default: '500' },
  },
});
const [rounds = 0, first = 0, files = 0] = [values.rounds, values.seed, values.files].map(Number);
if (![rounds, first, files].every((value) => Number.isInteger(value) && value >= 0))
  throw new Error('--rounds, --seed and --files take whole numbers');

const round = async (seed: number): Promise<boolean> => {
  const beganMs = performance.now();
  const { kills, storage, faults, swallowed, problems } = await runRound({ seed, files });
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  const verdict = problems.length === 0 ? 'exactly once' : `WRONG\n  ${problems.join('\n  ')}`;
  const met = `${kills} kills, ${faults} faults, ${swallowed} files swallowed`;
  console.log(`seed ${seed}: ${files} files to a ${storage} storage, ${met}, ${seconds} s: ${verdict}`);
  if (problems.length > 0) console.log(`again: npm run chaos -- --rounds 1 --seed ${seed} --files ${files}`);
  return problems.length === 0;
};

/**
 * Runs a round in its own process. Each round leaves idle workers of the engine behind, which only the end of the
 * process frees.
 */
const roundApart = (seed: number): boolean => {
  const script = fileURLToPath(import.meta.url);
  const options = ['--rounds', '1', '--seed', String(seed), '--files', String(files)];
  return spawnSync(process.execPath, [script, ...options], { stdio: 'inherit' }).status === 0;
};

for (let seed = first; seed < first + rounds; seed += 1) {
  if (rounds === 1 ? await round(seed) : roundApart(seed)) continue;
  process.exitCode = 1;
  break;
}

/**
 * Runs histories of uploads in virtual time, in a separate process whose timers and files are those of the simulation.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { PLANTS } from '../simulation/plants.ts';

const simulate = async (...args: readonly string[]) => {
  const child = spawn(
    process.execPath,
    // The same options as in `npm run simulate`. The large semi-space is for the many short-lived objects of a history.
    [
      ...['--max-semi-space-size=64', '--import', './tests/simulation/replace-modules.ts'],
      ...['scripts/simulate.ts', ...args],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 },
  );
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { status, stdout, stderr };
};

// The first histories find most of the planted faults (docs/reliability.md).
test('whatever happens in 250 histories, each file ends on its assignment exactly once, and a seed gives the same history again', async () => {
  const result = await simulate('--histories', '250', '--seed', '1');
  expect(result).toEqual({ status: 0, stderr: '', stdout: expect.stringContaining('exactly once') });
});

test('after an outage of their service, all offices send everything, and few requests are refused', async () => {
  const result = await simulate('--fleet', '12', '--seed', '2');
  expect(result).toEqual({ status: 0, stderr: '', stdout: expect.stringContaining('each once') });
  const amplification = /answered: ([\d.]+)/.exec(result.stdout)?.[1];
  // With so few offices, chance refuses more requests than with 5,000.
  expect(Number(amplification)).toBeLessThan(1.3);
}, 300_000);

// `npm run simulate -- --plants` checks whether the simulation finds these faults.
test.each(Object.entries(PLANTS))('the fault can be planted: %s', (_, { file, from }) => {
  expect(readFileSync(`src/main/${file}`, 'utf8').split(from)).toHaveLength(2);
});

/** Histories of uploads in virtual time, in a process of their own, whose timers and files are the simulation's. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PLANTS } from '../simulation/plants.ts';

const simulate = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['--import', './tests/simulation/replace-modules.ts', 'scripts/simulate.ts', ...args], {
    encoding: 'utf8',
    timeout: 900_000,
  });

test('whatever happens in 2,000 histories, each file ends on its assignment exactly once', () => {
  const { status, stdout, stderr } = simulate('--histories', '2000', '--seed', '1');
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stderr: '' });
}, 900_000);

test('a seed gives the same history each time', () => {
  const { status, stdout } = simulate('--histories', '100', '--seed', '5000', '--twice');
  expect({ status, stdout }).toMatchObject({ status: 0 });
}, 300_000);

test('after an outage of their service, all offices send everything, and few requests are refused', () => {
  const { status, stdout, stderr } = simulate('--fleet', '12', '--seed', '1');
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stderr: '' });
  const amplification = /answered: ([\d.]+)/.exec(stdout)?.[1];
  // So few offices are refused by chance more often than 5,000.
  expect(Number(amplification)).toBeLessThan(1.3);
}, 300_000);

// `npm run simulate -- --plants` looks whether they are found.
test.each(Object.entries(PLANTS))('the fault can be planted: %s', (_, { file, from }) => {
  expect(readFileSync(`src/main/${file}`, 'utf8').split(from)).toHaveLength(2);
});

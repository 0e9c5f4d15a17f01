/** The power is cut during a session of the app: what it had promised holds afterwards, and each file arrives exactly once. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type CutResult, runCuts } from '../power-cut/run.ts';

const hasStrace = spawnSync('strace', ['-V']).status === 0;

/** Opens the app after so many cuts. `npm run power-cut` opens any number. */
const cut = async (states: number, lies = false) => {
  const results: CutResult[] = [];
  const possible = await runCuts({ seed: 1, states, lies }, (result) => results.push(result));
  return { possible, opened: results.length, wrong: results.filter(({ problems }) => problems.length > 0) };
};

test.skipIf(!hasStrace)(
  'what was promised holds after a power cut at any system call, whatever was not flushed',
  async () => {
    const { possible, opened, wrong } = await cut(60);
    expect({ opened, wrong }).toEqual({ opened: 60, wrong: [] });
    expect(possible).toBeGreaterThan(1_000);
  },
  600_000,
);

test.skipIf(!hasStrace)(
  'a disk that confirms what it does not keep is noticed',
  async () => {
    const { wrong } = await cut(12, true);
    expect(wrong.length).toBeGreaterThan(2);
  },
  600_000,
);

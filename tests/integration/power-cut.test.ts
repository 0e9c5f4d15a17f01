/** The power is cut during a session of the app: what it had promised holds afterwards, and each file arrives exactly once. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { type CutResult, runCuts } from '../power-cut/run.ts';

const hasStrace = spawnSync('strace', ['-V']).status === 0;

/** `npm run power-cut` opens any number. */
const STATES = 60;

test.skipIf(!hasStrace)(
  'what was promised holds after a power cut at any system call, whatever was not flushed',
  async () => {
    const wrong: CutResult[] = [];
    await runCuts({ seed: 1, states: STATES }, (result) => {
      if (result.problems.length > 0) wrong.push(result);
    });
    expect(wrong).toEqual([]);
  },
  600_000,
);

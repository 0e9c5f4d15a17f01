/** Uploads that are killed repeatedly while the service fails: no file is lost and none arrives twice. */
import { expect, onTestFailed, test } from 'vitest';
import { runRound } from '../chaos/round.ts';
import { otherRuntime } from './support/runtime.ts';

/** `npm run chaos` has more files and any number of rounds. */
const FILES = 100;

/** A round starts a dozen processes, one after another. */
const TIMEOUT_MS = 300_000;

/** Each with another kind of storage, which has nothing to do with the system. */
const SEEDS = otherRuntime === undefined ? [1, 2, 3] : [1];

test.each(SEEDS)(
  'chaos round with seed %i: each file arrives exactly once',
  async (seed) => {
    const steps: string[] = [];
    onTestFailed(() => void process.stderr.write(`The round with seed ${seed}: it ${steps.join(', ')}.\n`));
    const { kills, problems } = await runRound({ seed, files: FILES, onStep: (step) => void steps.push(step) });
    expect(problems).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

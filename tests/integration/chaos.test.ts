/** kill -9 in the middle, again and again, while the service fails: nothing is lost, and nothing arrives twice. */
import { expect, test } from 'vitest';
import { runRound } from '../chaos/round.ts';

/** `npm run chaos` has more files and any number of rounds. */
const FILES = 100;

/** A round starts a dozen processes, one after another. */
const TIMEOUT_MS = 300_000;

test.each([1, 2, 3, 4, 5])(
  'a round of chaos with seed %i ends with each file there exactly once',
  async (seed) => {
    const { kills, problems } = await runRound({ seed, files: FILES });
    expect(problems).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

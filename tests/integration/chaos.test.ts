/** Uploads that are killed repeatedly while the service fails: no file is lost and none arrives twice. */
import { expect, onTestFailed, test } from 'vitest';
import { runRound } from '../chaos/round.ts';

/** `npm run chaos` has more files, any number of rounds, and every kind of storage. */
const FILES = 60;

test('chaos round: each file arrives exactly once', async () => {
  const steps: string[] = [];
  onTestFailed(() => void process.stderr.write(`The round: it ${steps.join(', ')}.\n`));
  const { kills, problems } = await runRound({ seed: 1, files: FILES, onStep: (step) => void steps.push(step) });
  expect(problems).toEqual([]);
  expect(kills).toBeGreaterThan(0);
});

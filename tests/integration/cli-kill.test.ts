/** kill -9 in the middle, again and again: nothing is lost, and nothing arrives twice. */
import { expect, test } from 'vitest';
import { cli, ofType, type Spawned, spawnCli } from './support/cli.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { expectStored, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const POINTS = 10;

test('a 100-file upload that is killed at 10 points and resumed each time', async () => {
  const files = manyFiles(100);
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const assignment = sandbox.newAssignment();
  const start = ['upload', makeFolder(files), '--assignment', assignment];

  /** Runs until the given number of files have ended in this run, then kills it: others are on their way. */
  const runUntil = (args: readonly string[], count: number): Promise<Spawned> => {
    let ended = 0;
    return spawnCli(args, options, ({ type }, child) => {
      if (type === 'file') ended += 1;
      if (ended === count) child.kill('SIGKILL');
    });
  };

  for (let point = 0; point < POINTS; point += 1) {
    const run = await runUntil(point === 0 ? start : ['uploads', 'resume'], 3 + (point % 5));
    expect(run.signal, run.stderr).toBe('SIGKILL');
  }
  const last = await spawnCli(['uploads', 'resume'], options);
  expect(last.exitCode, last.stderr).toBe(0);
  expect(ofType(last, 'summary')).toMatchObject([{ files: 100, uploaded: 100, skipped: 0, failed: 0 }]);
  await expectStored(sandbox.control, assignment, files);
});

test('a data directory is free as soon as its process was killed', async () => {
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const args = ['upload', makeFolder(manyFiles(30)), '--assignment', sandbox.newAssignment(), '--limit-rate', '20000'];
  let second: Promise<Spawned> | undefined;
  await spawnCli(args, options, ({ type }, child) => {
    if (type !== 'progress' || second) return;
    second = spawnCli(['uploads'], options);
    void second.then(() => child.kill('SIGKILL'));
  });
  expect(await second).toMatchObject({ exitCode: 5, lines: [{ type: 'error', error: { code: 'data/in-use' } }] });
  expect(await cli(['uploads'], options)).toMatchObject({ exitCode: 0, lines: [{ batches: [{ state: 'running' }] }] });
});

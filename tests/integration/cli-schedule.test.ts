import { beforeEach, expect, test } from 'vitest';
import { type CliOptions, cli, ofType } from './support/cli.ts';
import { withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { expectStored, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
let options: CliOptions;
beforeEach(() => {
  withoutBackoff();
  options = { sandbox: sandbox.address, home: makeDirectory() };
});

test('an upload for later is recorded, whole, until Ctrl-C; "uploads resume" sends it now', async () => {
  const assignment = sandbox.newAssignment();
  const folders = [makeFolder({ 'a.txt': 'a' }), makeFolder({ 'b.txt': 'b' })];
  const at = '2999-01-01T22:00';
  const run = await cli(['upload', ...folders, '--assignment', assignment, '--at', at], options, (line, stop) => {
    if (line.type === 'progress') stop();
  });
  expect(ofType(run, 'progress')[0]).toMatchObject({
    state: 'paused',
    waitsFor: { code: 'upload/scheduled', until: new Date(at).toISOString() },
  });
  // The message says what happens next, and contains no error.
  expect(run.exitCode).toBe(130);
  expect(run.stderr).toMatch(/^Stays scheduled for .*uploads resume /m);
  expect(run.stderr).not.toMatch(/error|0 of 0/);
  expect(await storedOn(sandbox.control, assignment)).toEqual([]);
  const { lines } = await cli(['uploads', 'list'], options);
  expect(lines[0]?.batches).toMatchObject([
    { state: 'paused', root: folders[0] },
    { state: 'paused', root: folders[1] },
  ]);
  expect(await cli(['uploads', 'resume'], options)).toMatchObject({ exitCode: 0 });
  await expectStored(sandbox.control, assignment, { 'a.txt': 'a', 'b.txt': 'b' });
});

test('what is due, or within its hours, is sent at once; what is no time is refused', async () => {
  const assignment = sandbox.newAssignment();
  const folder = makeFolder({ 'a.txt': 'a' });
  const upload = ['upload', folder, '--assignment', assignment];
  const due = [...upload, '--at', '2026-01-01T08:00Z', '--hours', '00:00-12:00,12:00-00:00'];
  expect(await cli(due, options)).toMatchObject({ exitCode: 0 });
  await expectStored(sandbox.control, assignment, { 'a.txt': 'a' });
  const words = { ...options, words: true };
  expect(await cli([...upload, '--at', 'noon'], words)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('22:00'),
  });
  expect(await cli([...upload, '--hours', '18-06'], words)).toMatchObject({ exitCode: 2 });
});

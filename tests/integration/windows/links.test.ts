/** Junctions and alternate streams. The user has not chosen the files behind a junction or in a stream. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type CliOptions, cli } from '../support/cli.ts';
import { makeDirectory, makeFolder } from '../support/folders.ts';
import { otherRuntime } from '../support/runtime.ts';
import { expectStored, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

let assignment: string;
let options: CliOptions;
beforeEach(() => {
  assignment = sandbox.newAssignment();
  options = { sandbox: sandbox.address, home: makeDirectory() };
});

test('a junction is left out, and said so; what it leads to is not sent', async ({ skip }) => {
  skip(otherRuntime !== undefined, 'Wine has no junctions that lstat would know');
  const root = makeFolder({ 'chosen.txt': 'chosen' });
  symlinkSync(makeFolder({ 'secret.txt': 'not chosen' }), join(root, 'elsewhere'), 'junction');
  const upload = await cli(['upload', root, '--assignment', assignment], options);
  expect(upload.exitCode, upload.stderr).toBe(0);
  expect(upload.stderr).toMatch(/left out: .*1 link/);
  await expectStored(sandbox.control, assignment, { 'chosen.txt': 'chosen' });
});

test('a stream beside the content of a file is not sent', async ({ skip }) => {
  skip(otherRuntime !== undefined, 'Wine has no alternate streams: it makes a file of one');
  const root = makeFolder({ 'photo.jpg': 'pixels' });
  writeFileSync(join(root, 'photo.jpg:Zone.Identifier'), '[ZoneTransfer]');
  const upload = await cli(['upload', root, '--assignment', assignment], options);
  expect(upload.exitCode, upload.stderr).toBe(0);
  await expectStored(sandbox.control, assignment, { 'photo.jpg': 'pixels' });
});

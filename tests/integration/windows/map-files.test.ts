/** Map files as Excel writes them on Windows, with the names of folders as Explorer shows them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cli, ofType } from '../support/cli.ts';
import { makeDirectory, makeFolder } from '../support/folders.ts';
import { expectStored, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

test('with semicolons, carriage returns and backslashes, in the code page of the system', async () => {
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const assignment = sandbox.newAssignment();
  const root = makeFolder({ 'Malmö/Källare 2,5/a.pdf': 'a', 'Malmö/left.pdf': 'left' });
  const map = join(makeDirectory(), 'map.csv');
  const rows = `folder;area;assignment\r\nMalmö\\Källare 2,5;2,5;${assignment.toUpperCase()}\r\n`;
  writeFileSync(map, Buffer.from(rows, 'latin1'));
  const run = await cli(['upload', root, '--map', map], options);
  expect(run.exitCode, run.stderr).toBe(1);
  expect(ofType(run, 'match').find(({ decision }) => decision === 'send')).toMatchObject({
    folder: 'Malmö/Källare 2,5',
    assignment,
  });
  await expectStored(sandbox.control, assignment, { 'a.pdf': 'a' });
});

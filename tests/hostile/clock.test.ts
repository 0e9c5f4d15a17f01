/** The app in a separate process, whose clock is set while the app waits. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ofType, spawnCli } from '../integration/support/cli.ts';
import { makeDirectory, makeFolder, manyFiles } from '../integration/support/folders.ts';
import { always, expectStored, once, useSandbox } from '../integration/support/sandbox.ts';
import { createStorage } from '../storages/kinds.ts';

const sandbox = useSandbox();
const bare = useSandbox({ storage: createStorage('bare') });
const clock = new URL('./support/clock-of-file.ts', import.meta.url).href;

test.each([
  ['back', -3_600_000, 'storage-put'],
  ['forwards', 3_600_000, 'storage-put'],
  ['back', -3_600_000, 'sign-upload'],
] as const)('a clock set %s by %i ms during a pause of %s does not stall the upload', async (_, byMs, route) => {
  const files = manyFiles(12);
  const assignment = sandbox.newAssignment();
  const [rule] = [always(route, { type: 'status', status: 503, retryAfterS: 2 })];
  await sandbox.control.faults.add({ ...rule, when: { count: 12 } });
  const clockFile = join(makeDirectory(), 'clock');
  let isSet = false;
  const run = await spawnCli(
    ['upload', makeFolder(files), '--assignment', assignment],
    {
      sandbox: sandbox.address,
      home: makeDirectory(),
      env: { NODE_OPTIONS: `--import=${clock}`, CLOCK_FILE: clockFile },
    },
    ({ type, waitsFor }) => {
      if (isSet || type !== 'progress' || waitsFor === undefined) return;
      isSet = true;
      writeFileSync(clockFile, String(byMs));
    },
  );
  expect(isSet).toBe(true);
  expect(ofType(run, 'summary')).toMatchObject([{ files: 12, uploaded: 12, failed: 0 }]);
  await expectStored(sandbox.control, assignment, files);
});

test('a file that was swallowed is found missing although the clock was set back since', async () => {
  const assignment = bare.newAssignment();
  const home = makeDirectory();
  const upload = ['upload', '--assignment', assignment, '--on-clash', 'replace'];
  await spawnCli([...upload, makeFolder({ 'plan.pdf': 'old' })], { sandbox: bare.address, home });
  await bare.control.faults.add(once('storage-put', { type: 'swallow', headers: { server: 'proxy' } }, 'added.pdf'));
  const clockFile = join(makeDirectory(), 'clock');
  const files = { 'plan.pdf': 'new!', 'added.pdf': 'added' };
  const run = await spawnCli(
    [...upload, makeFolder(files)],
    { sandbox: bare.address, home, env: { NODE_OPTIONS: `--import=${clock}`, CLOCK_FILE: clockFile } },
    ({ type, FileName }) => {
      if (type === 'file' && FileName === 'added.pdf') writeFileSync(clockFile, '-3600000');
    },
  );
  expect(ofType(run, 'summary')).toMatchObject([{ uploaded: 2, failed: 0 }]);
  await expectStored(bare.control, assignment, files);
});

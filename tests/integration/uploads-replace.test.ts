/** A file replaces an earlier one with the same name: the new file is stored before the earlier one is removed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CliProcess, cli, spawnCli } from './support/cli.ts';
import { openSignedIn } from './support/desks.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { always, expectStored, once, silence, silentAnswer, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

const OLD = { 'plan.pdf': 'old', 'same.pdf': 'same' };
const NEW = { 'plan.pdf': 'new!', 'same.pdf': 'same', 'added.pdf': 'added' };

/** Uploads the files of `OLD`, and creates a folder with those of `NEW`. */
const setUp = async () => {
  const assignment = sandbox.newAssignment();
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const { exitCode } = await cli(['upload', makeFolder(OLD), '--assignment', assignment], options);
  expect(exitCode).toBe(0);
  const upload = ['upload', makeFolder(NEW), '--assignment', assignment, '--on-clash', 'replace'];
  const requests = async (route: 'sign-upload' | 'storage-put' | 'remove-file') =>
    (await sandbox.control.stats()).routes[route].requests;
  await sandbox.control.resetStats();
  return { assignment, options, upload, requests };
};

test('the new file takes the place of the earlier one, and a file with the same content is skipped', async () => {
  const { assignment, options, upload } = await setUp();
  const { exitCode, lines } = await cli(upload, options);
  expect(exitCode).toBe(0);
  expect(lines.find(({ path }) => path === 'plan.pdf')).toMatchObject({
    FileName: 'plan.pdf',
    state: 'done',
    replaced: { state: 'removed' },
  });
  expect(lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 2, skipped: 1, failed: 0 });
  await expectStored(sandbox.control, assignment, NEW);
});

// exactly-once.test.ts simulates the death of a process at every step of a replacement. Here, a process is really
// killed.
test('kill -9 when the file has arrived: one of the two is always there, and in the end the new one alone', async () => {
  const { assignment, options, upload, requests } = await setUp();
  await sandbox.control.faults.add(always('storage-put', silentAnswer, 'plan.pdf'));
  const processes: CliProcess[] = [];
  const killed = spawnCli([...upload, '--concurrency', '1'], options, (_, child) => processes.push(child));
  const isThere = async () => (await sandbox.control.faults.list()).some(({ fired }) => fired > 0);
  await expect.poll(isThere).toBe(true);
  await expect.poll(() => requests('storage-put')).toBeGreaterThan(0);
  processes[0]?.kill('SIGKILL');
  expect(await killed).toMatchObject({ signal: 'SIGKILL' });
  const contents = (await storedOn(sandbox.control, assignment)).filter(({ FileName }) => FileName === 'plan.pdf');
  expect(contents.length).toBeGreaterThanOrEqual(1);

  await sandbox.control.faults.clear();
  const { exitCode } = await cli(['uploads', 'resume'], options);
  expect(exitCode).toBe(0);
  await expectStored(sandbox.control, assignment, NEW);
});

test('an earlier file that the service does not remove is shown, and a retry removes it', async () => {
  const { assignment, options, upload } = await setUp();
  await sandbox.control.faults.add(always('remove-file', { type: 'status', status: 403 }));
  const refused = await cli(upload, options);
  expect(refused.exitCode).toBe(1);
  expect(refused.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 2, failed: 0, notReplaced: 1 });
  expect(refused.lines.find(({ path }) => path === 'plan.pdf')).toMatchObject({
    state: 'done',
    replaced: { state: 'failed', error: { code: 'service/forbidden' } },
  });
  await expectStored(sandbox.control, assignment, { ...NEW, 'old/plan.pdf': OLD['plan.pdf'] });

  await sandbox.control.faults.clear();
  const { exitCode, lines } = await cli(['uploads', 'retry'], options);
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).not.toHaveProperty('notReplaced');
  await expectStored(sandbox.control, assignment, NEW);
});

test('an earlier file that somebody else has removed meanwhile is no problem', async () => {
  const { assignment, options, upload } = await setUp();
  await sandbox.control.faults.add(once('remove-file', { type: 'status', status: 404 }));
  expect((await cli(upload, options)).exitCode).toBe(0);
  // The service responded that the file is gone, but still has it.
  await expectStored(sandbox.control, assignment, { ...NEW, 'old/plan.pdf': OLD['plan.pdf'] });
});

test('a cancelled batch still replaces what has arrived, and nothing else', async () => {
  const assignment = sandbox.newAssignment();
  const desk = await openSignedIn({ sandbox: sandbox.address, concurrency: 1 });
  await desk.upload(makeFolder({ 'a.pdf': 'old a', 'b.pdf': 'old b' }), assignment);
  await sandbox.control.faults.add(always('remove-file', silence));
  const root = makeFolder({ 'a.pdf': 'new a', 'b.pdf': 'new b' });
  const { batchId } = await desk.uploads.start({ root, assignmentId: assignment, onClash: 'replace' });
  await desk.when(batchId, ({ uploaded }) => uploaded === 1);
  await expect.poll(async () => (await sandbox.control.stats()).routes['remove-file'].requests).toBe(1);
  await sandbox.control.faults.clear();
  expect(await desk.uploads.cancel(batchId)).toMatchObject({ state: 'cancelled', uploaded: 1, cancelled: 1 });
  await expectStored(sandbox.control, assignment, { 'a.pdf': 'new a', 'b.pdf': 'old b' });
});

test('--on-clash skip sends nothing under a name that is taken, and says so', async () => {
  const { assignment, options, upload } = await setUp();
  const { exitCode, lines } = await cli([...upload.slice(0, -1), 'skip'], options);
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 1, skipped: 2, failed: 0 });
  const skipped = lines.filter(({ type, state }) => type === 'file' && state === 'skipped');
  expect(skipped).toMatchObject([
    { path: 'plan.pdf', error: { code: 'upload/name-taken' } },
    { path: 'same.pdf', sha256: expect.any(String) },
  ]);
  await expectStored(sandbox.control, assignment, { ...OLD, 'added.pdf': 'added' });
  const { lines: shown } = await cli(['uploads', 'list'], options);
  const batches = shown[0]?.batches as readonly { readonly batch: string; readonly upload: string }[];
  expect(batches.every(({ upload }) => typeof upload === 'string')).toBe(true);
  const report = join(makeDirectory(), 'report.json');
  await cli(['uploads', 'report', batches.at(-1)?.batch ?? '', '--out', report], options);
  expect(readFileSync(report, 'utf8')).toContain('upload/name-taken');
});

test('--dry-run says what happens to each name that is taken', async () => {
  const { options, upload } = await setUp();
  const { lines } = await cli([...upload, '--dry-run'], options);
  expect(lines.find(({ path }) => path === 'plan.pdf')).toMatchObject({ FileName: 'plan.pdf', clash: 'replace' });
  expect(lines.find(({ path }) => path === 'same.pdf')).not.toHaveProperty('clash');
});

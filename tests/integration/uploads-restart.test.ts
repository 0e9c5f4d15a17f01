/** The end of the app in the middle of an upload, and what the next start makes of it. */
import { setTimeout } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Batch } from '../../src/contract/models.ts';
import { createTestKeychain, openDesk, openSignedIn, slow, type TestDesk, withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { always, expectStored, once, silence, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const files = manyFiles(40);
const finished = ({ state }: Batch) => state === 'finished';

let assignment: string;
let root: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  root = makeFolder(files);
});

const open = (options = {}) => openSignedIn({ sandbox: sandbox.address, ...options });
const start = async (desk: TestDesk) => (await desk.uploads.start({ root, assignmentId: assignment })).batch;
const holdBack = (...names: readonly string[]) =>
  sandbox.control.faults.add(...names.map((name) => always('storage-put', silence, name)));

test('the next start goes on as soon as the session is there again', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  await holdBack('file-0020', 'file-0021');
  await sandbox.control.faults.add(always('storage-put', { ...silence, in: 'answer' }, 'file-0022'));
  const first = await open({ home, keychain });
  const batch = await start(first);
  await expect
    .poll(async () => (await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName))
    .toContain('file-0022.txt');
  await first.close();
  expect((await storedOn(sandbox.control, assignment)).length).toBeLessThan(40);

  await sandbox.control.faults.clear();
  const second = await openDesk({ sandbox: sandbox.address, home, keychain });
  expect(await second.when(batch, finished)).toMatchObject({ uploaded: 40, failed: 0 });
  await expectStored(sandbox.control, assignment, files);
  const twice = (await storedOn(sandbox.control, assignment)).filter(({ puts }) => puts > 1);
  expect(twice.map(({ FileName }) => FileName)).toContain('file-0022.txt');
});

test.each(['at once', 'after a busy moment'])(
  'a file that meanwhile came by another batch is taken back, %s, and skipped',
  async (when) => {
    const home = makeDirectory();
    root = makeFolder({ 'same.txt': 'same' });
    await sandbox.control.faults.add(always('storage-put', { ...silence, in: 'answer' }));
    const first = await open({ home });
    const interrupted = await start(first);
    await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBe(1);
    await first.close();
    await sandbox.control.faults.clear();

    const second = await open({ home, resumeUploads: false });
    expect(await second.upload(root, assignment)).toMatchObject({ uploaded: 1 });
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(2);
    if (when !== 'at once') {
      await sandbox.control.faults.add(once('remove-file', { type: 'status', status: 503, retryAfterS: 0 }));
    }
    await second.uploads.resume(interrupted);
    expect(await second.uploads.ended(interrupted)).toMatchObject({ state: 'finished', skipped: 1, failed: 0 });
    await expectStored(sandbox.control, assignment, { 'same.txt': 'same' });
  },
);

test('what the person paused stays paused', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const first = await open({ home, keychain });
  const batch = await start(first);
  await first.uploads.pause(batch);
  await first.close();
  const second = await openDesk({ sandbox: sandbox.address, home, keychain });
  expect(second.connected().session.status()).toMatchObject({ state: 'signed-in' });
  expect(await second.uploads.ended(batch)).toMatchObject({ state: 'paused' });
});

test('nothing is told any more once the desk is closed', async () => {
  const desk = await open(slow);
  const batch = await start(desk);
  await desk.when(batch, ({ uploaded }) => uploaded >= 3);
  await desk.close();
  const told = desk.events.length;
  await setTimeout(400);
  expect(desk.events.length).toBe(told);
});

test('a second sign-in while a batch runs begins nothing that outlives the desk', async () => {
  const desk = await open();
  await holdBack('file-0030');
  const batch = await start(desk);
  await desk.when(batch, ({ uploaded }) => uploaded >= 3);
  await desk.signIn();
  await desk.close();
  const { routes } = await sandbox.control.stats();
  await setTimeout(300);
  expect((await sandbox.control.stats()).routes['sign-upload']).toEqual(routes['sign-upload']);
});

test('a close right at the start of a batch leaves it to the next run', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const first = await open({ home, keychain });
  const starting = first.uploads.start({ root, assignmentId: assignment });
  const [{ batch }] = await Promise.all([starting, first.uploads.close()]);
  await first.close();
  const second = await openDesk({ sandbox: sandbox.address, home, keychain });
  expect(await second.when(batch, finished)).toMatchObject({ uploaded: 40 });
  await expectStored(sandbox.control, assignment, files);
});

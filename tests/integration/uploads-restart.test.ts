/** The app closes during an upload: what the closed app no longer does, and what the next start does with the batch. */
import { expect, test } from 'vitest';
import { createTestKeychain, openDesk, slow } from './support/desks.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { always, once, silentAnswer } from './support/sandbox.ts';
import { isFinished, useUpload } from './support/uploads.ts';

const upload = useUpload();
const { sandbox, open, start, holdBack, holdAnswer } = upload;

test('continues as soon as the session is restored', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  await holdBack('file-0020', 'file-0021');
  await holdAnswer('file-0022');
  const first = await open({ home, keychain });
  const batch = await start(first);
  await expect.poll(async () => (await upload.stored()).map(({ FileName }) => FileName)).toContain('file-0022.txt');
  await first.close();
  expect((await upload.stored()).length).toBeLessThan(40);

  await sandbox.control.faults.clear();
  const second = await openDesk({ sandbox: sandbox.address, home, keychain });
  expect(await second.when(batch, isFinished)).toMatchObject({ uploaded: 40, failed: 0 });
  await upload.expectStored();
  const twice = (await upload.stored()).filter(({ puts }) => puts > 1);
  expect(twice.map(({ FileName }) => FileName)).toContain('file-0022.txt');
});

test('removes, when the service is no longer busy, and skips a file that another batch has uploaded since', async () => {
  const home = makeDirectory();
  const root = makeFolder({ 'same.txt': 'same' });
  await sandbox.control.faults.add(always('storage-put', silentAnswer));
  const first = await open({ home });
  const { batchId: interrupted } = await first.uploads.start({ root, assignmentId: upload.assignment });
  await expect.poll(async () => (await upload.stored()).length).toBe(1);
  await first.close();
  await sandbox.control.faults.clear();

  const second = await open({ home, resumeUploads: false });
  expect(await second.upload(root, upload.assignment)).toMatchObject({ uploaded: 1 });
  expect(await upload.stored()).toHaveLength(2);
  await sandbox.control.faults.add(once('remove-file', { type: 'status', status: 503, retryAfterS: 0 }));
  await second.uploads.resume(interrupted);
  expect(await second.uploads.ended(interrupted)).toMatchObject({ state: 'finished', skipped: 1, failed: 0 });
  await upload.expectStored({ 'same.txt': 'same' });
});

test('a paused batch stays paused', async () => {
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

test('a closed desk emits no events', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const desk = await open({ home, keychain, ...slow });
  const batch = await start(desk);
  await desk.when(batch, ({ uploaded }) => uploaded >= 3);
  await desk.close();
  const told = desk.events.length;
  // The rest of the batch takes longer than any wait of the closed desk, which could end with an event.
  const second = await openDesk({ sandbox: sandbox.address, home, keychain });
  await second.when(batch, isFinished);
  expect(desk.events.length).toBe(told);
});

test('a second sign-in during a batch starts nothing that outlives the desk', async () => {
  const desk = await open();
  await holdBack('file-0030');
  const batch = await start(desk);
  await desk.when(batch, ({ uploaded }) => uploaded >= 3);
  await desk.signIn();
  await desk.close();
  const signed = async () => (await sandbox.control.stats()).routes['sign-upload'].requests;
  const before = await signed();
  const next = await open();
  const folder = makeFolder({ 'a.txt': 'a', 'b.txt': 'b' });
  expect(await next.upload(folder, sandbox.newAssignment())).toMatchObject({ uploaded: 2 });
  expect(await signed()).toBe(before + 2);
});

test('closing right at the start of a batch leaves it to the next start', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const first = await open({ home, keychain });
  const starting = start(first);
  const [batch] = await Promise.all([starting, first.uploads.close()]);
  await first.close();
  const second = await openDesk({ sandbox: sandbox.address, home, keychain });
  expect(await second.when(batch, isFinished)).toMatchObject({ uploaded: 40 });
  await upload.expectStored();
});

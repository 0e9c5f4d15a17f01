/** Cancelling a batch: files that may have arrived are removed, despite any interruption. */
import { expect, test } from 'vitest';
import { createTestKeychain, openDesk } from './support/desks.ts';
import { bytes, makeDirectory, makeFolder } from './support/folders.ts';
import { always, once, silence, silentAnswer } from './support/sandbox.ts';
import { stateOf, useUpload } from './support/uploads.ts';

const upload = useUpload();
const { sandbox, files, open, start, holdBack, holdAnswer } = upload;

test('removes files that were being sent, leaves uploaded ones, and never starts the rest', async () => {
  const desk = await open();
  // These files take all four slots, so that no other file begins after the first four.
  await holdBack('large.bin');
  await sandbox.control.faults.add(
    always('storage-put', silentAnswer, 'file-0012'),
    always('sign-upload', silence, 'file-0015'),
    always('sign-upload', silence, 'file-0018'),
  );
  // The file is larger than all buffers between app and storage, so its last byte is never sent.
  const more = makeFolder({ ...files, 'part 0/large.bin': bytes(32 * 1024 * 1024) });
  const { batchId } = await desk.uploads.start({ root: more, assignmentId: upload.assignment });
  await desk.when(batchId, ({ uploaded }) => uploaded === 4);
  // file-0012 is stored, but the app gets no response and cannot know this.
  await expect.poll(async () => (await upload.stored()).map(({ FileName }) => FileName)).toContain('file-0012.txt');
  await expect.poll(() => stateOf(desk, batchId, 'part 0/large.bin')).toBe('sending');
  expect(await desk.uploads.cancel(batchId)).toMatchObject({ state: 'cancelled', uploaded: 4, cancelled: 37 });
  for (const name of ['large.bin', 'file-0012.txt', 'file-0015.txt', 'file-0018.txt', 'file-0021.txt']) {
    expect(await stateOf(desk, batchId, `part 0/${name}`)).toBe('cancelled');
  }
  const done = Object.values(await desk.filesOf(batchId)).filter(({ state }) => state === 'done');
  expect((await upload.stored()).map(({ FileName }) => FileName).sort()).toEqual(
    done.map(({ FileName }) => FileName).sort(),
  );
});

test('retries when the service is busy', async () => {
  const desk = await open();
  await sandbox.control.faults.add(
    always('storage-put', silentAnswer, 'file-0000'),
    once('remove-file', { type: 'status', status: 503, retryAfterS: 0 }),
  );
  const batch = await start(desk);
  await expect.poll(async () => (await upload.stored()).length).toBeGreaterThan(5);
  expect(await desk.uploads.cancel(batch)).toMatchObject({ state: 'cancelled', failed: 0 });
  expect(await stateOf(desk, batch, 'part 0/file-0000.txt')).toBe('cancelled');
  expect((await upload.stored()).map(({ FileName }) => FileName)).not.toContain('file-0000.txt');
});

test('marks a file as uncertain when the service does not remove it', async () => {
  const desk = await open();
  await sandbox.control.faults.add(
    always('storage-put', silentAnswer, 'file-0000'),
    always('remove-file', { type: 'status', status: 403 }),
  );
  const batch = await start(desk);
  await expect.poll(async () => (await upload.stored()).length).toBeGreaterThan(5);
  // Other files that are in flight at this moment cannot be removed either.
  const { state, failed } = await desk.uploads.cancel(batch);
  expect(state).toBe('cancelled');
  expect(failed).toBeGreaterThanOrEqual(1);
  expect((await desk.filesOf(batch))['part 0/file-0000.txt']).toMatchObject({
    state: 'uncertain',
    error: { code: 'service/forbidden' },
  });

  const keysOf = async () =>
    (await upload.stored()).filter(({ FileName }) => FileName === 'file-0000.txt').map(({ Key }) => Key);
  const before = await keysOf();
  expect(before).toHaveLength(1);
  await sandbox.control.faults.clear();
  await desk.uploads.retryFailed(batch);
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', failed: 0 });
  const after = await keysOf();
  expect(after).toHaveLength(1);
  // The retry uses another Key, because the removal of the earlier one may still be in flight.
  expect(after).not.toEqual(before);
});

test('of a paused batch', async () => {
  const desk = await open();
  const batch = await start(desk);
  await desk.uploads.pause(batch);
  await desk.uploads.ended(batch);
  expect(await desk.uploads.cancel(batch)).toMatchObject({ state: 'cancelled', finishedAtMs: expect.any(Number) });
});

test('of a batch that waits to continue after a pause', async () => {
  const desk = await open({ concurrency: 1 });
  await holdAnswer('file-0003');
  const batch = await start(desk);
  await expect.poll(async () => (await upload.stored()).length).toBe(2);
  await desk.uploads.pause(batch);
  const resumed = desk.uploads.resume(batch).catch(({ code }) => code);
  expect(await desk.uploads.cancel(batch)).toMatchObject({ state: 'cancelled' });
  expect(await resumed).toBe('upload/batch-state');
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'cancelled', uploaded: 1, cancelled: 39 });
  expect(await upload.stored()).toHaveLength(1);
});

test('starts nothing meanwhile, and a second cancel changes nothing', async () => {
  const desk = await open({ concurrency: 1 });
  await sandbox.control.faults.add(
    always('sign-upload', { type: 'status', status: 403 }, 'file-0000'),
    always('storage-put', silentAnswer, 'file-0003'),
    once('remove-file', silence),
  );
  const batch = await start(desk);
  await expect.poll(async () => (await upload.stored()).length).toBe(1);
  const cancelled = desk.uploads.cancel(batch);
  await expect.poll(() => stateOf(desk, batch, 'part 0/file-0006.txt')).toBe('cancelled');
  const again = desk.uploads.cancel(batch);
  await expect(desk.uploads.resume(batch)).rejects.toMatchObject({ code: 'upload/batch-state' });
  const interrupted = desk.uploads.resumeInterrupted();
  await sandbox.control.faults.release();
  await Promise.all([again, interrupted]);
  expect(await cancelled).toMatchObject({ state: 'cancelled', uploaded: 0, failed: 1, cancelled: 39 });
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'cancelled', uploaded: 0 });
  expect(await upload.stored()).toEqual([]);
});

test('continues after a restart, and the batch can only be cancelled', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const desk = await open({ concurrency: 1, home, keychain });
  await holdAnswer('file-0003');
  await sandbox.control.faults.add(always('remove-file', silence));
  const batch = await start(desk);
  await expect.poll(async () => (await upload.stored()).length).toBe(2);
  const cancelled = desk.uploads.cancel(batch).catch(({ code }) => code);
  await expect.poll(() => stateOf(desk, batch, 'part 0/file-0006.txt')).toBe('cancelled');
  expect(await desk.uploads.get(batch)).toMatchObject({ state: 'paused', reason: { code: 'upload/cancelling' } });
  await desk.close();
  expect(await cancelled).toBe('app/cancelled');
  expect(desk.notified).toEqual([]);

  const offline = await openDesk({ sandbox: sandbox.address, home, keychain, resumeUploads: false });
  await expect(offline.uploads.resume(batch)).rejects.toMatchObject({ code: 'upload/batch-state' });
  await expect(offline.uploads.retryFailed(batch)).rejects.toMatchObject({ code: 'upload/batch-state' });
  await offline.close();

  await sandbox.control.faults.clear();
  const next = await openDesk({ sandbox: sandbox.address, home, keychain });
  expect(await next.when(batch, ({ state }) => state === 'cancelled')).toMatchObject({ uploaded: 1, cancelled: 39 });
  expect(await upload.stored()).toHaveLength(1);
});

test('waits for the same user’s next session when the session ends', async () => {
  const desk = await open({ concurrency: 1 });
  await holdAnswer('file-0003');
  await sandbox.control.faults.add(always('remove-file', { type: 'status', status: 401 }));
  const batch = await start(desk);
  await expect.poll(async () => (await upload.stored()).length).toBe(2);
  await expect(desk.uploads.cancel(batch)).rejects.toMatchObject({ code: 'auth/expired' });
  expect(await desk.uploads.get(batch)).toMatchObject({ state: 'paused', reason: { code: 'upload/cancelling' } });

  desk.uploads.setSession({ signedIn: true, subject: 'somebody else' });
  await sandbox.control.faults.clear();
  await desk.uploads.resumeInterrupted();
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'paused' });
  await desk.signIn();
  expect(await desk.when(batch, ({ state }) => state === 'cancelled')).toMatchObject({ uploaded: 1, cancelled: 39 });
  expect(await upload.stored()).toHaveLength(1);
});

/** Files are opened and signed before a slot for sending is free. Signatures use separate connections. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { TestDesk } from './support/desks.ts';
import { makeDirectory } from './support/folders.ts';
import { always, once, silence } from './support/sandbox.ts';
import { useUpload } from './support/uploads.ts';

/** More files than there are slots, so that some stay queued while the storage stalls. */
const FILES = 120;
const upload = useUpload(FILES);
const { sandbox, open, start } = upload;

const counts = async () => {
  const { routes } = await sandbox.control.stats();
  return { signed: routes['sign-upload'].succeeded, sent: routes['storage-put'].requests };
};

const ACCEPTED = 10;

/**
 * Starts an upload to a storage that soon stalls every file. Resolves once every slot is taken, and further files are
 * signed.
 */
const startHeldBack = async (desk: TestDesk): Promise<string> => {
  await sandbox.control.faults.add({ ...always('storage-put', silence), when: { after: ACCEPTED } });
  const batch = await start(desk);
  await expect.poll(async () => (await counts()).sent).toBeGreaterThan(ACCEPTED);
  await expect
    .poll(async () => {
      const { signed, sent } = await counts();
      return signed - sent;
    })
    .toBeGreaterThanOrEqual(2);
  return batch;
};

test('a storage that holds all slots up does not hold up signatures, each of which is then used', async () => {
  const desk = await open({ concurrency: 'auto' });
  const batch = await startHeldBack(desk);
  // At most as many files are signed ahead as were sent lately.
  await expect
    .poll(async () => {
      const { signed, sent } = await counts();
      return signed - sent;
    })
    .toBeLessThanOrEqual(ACCEPTED);
  await sandbox.control.faults.release();
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: FILES, failed: 0 });
  expect((await sandbox.control.stats()).routes['sign-upload'].requests).toBe(FILES);
  await upload.expectStored();
});

test('a service that takes its time is asked for many signatures at once, not for one after another', async () => {
  const desk = await open({ concurrency: 'auto' });
  await sandbox.control.faults.add(always('sign-upload', silence));
  const batch = await start(desk);
  await expect.poll(async () => (await sandbox.control.stats()).routes['sign-upload'].requests).toBeGreaterThan(8);
  expect((await counts()).sent).toBe(0);
  await sandbox.control.faults.release();
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: FILES, failed: 0 });
  await upload.expectStored();
});

test('a signature that does not come holds up no other file', async () => {
  const desk = await open({ concurrency: 'auto' });
  await sandbox.control.faults.add(once('sign-upload', silence, 'file-0003'));
  const batch = await start(desk);
  await desk.when(batch, ({ uploaded }) => uploaded === FILES - 1);
  await sandbox.control.faults.release();
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: FILES });
  await upload.expectStored();
});

test('a sign-out pauses at once, while files are being sent; only these finish', async () => {
  const desk = await open({ concurrency: 'auto' });
  const batch = await startHeldBack(desk);
  await desk.when(batch, ({ uploaded }) => uploaded === ACCEPTED);
  const paused = desk.when(batch, ({ state }) => state === 'paused');
  await desk.handlers.session.signOut(undefined);
  // The storage still stalls every file that is being sent.
  expect(await paused).toMatchObject({ uploaded: ACCEPTED, reason: { code: 'auth/required' } });
  await sandbox.control.faults.release();
  const { uploaded, failed } = await desk.uploads.ended(batch);
  expect(failed).toBe(0);
  expect(uploaded).toBeLessThan(FILES);
  expect(await upload.stored()).toHaveLength(uploaded);
  await desk.signIn();
  await desk.when(batch, ({ uploaded }) => uploaded === FILES);
  await upload.expectStored();
});

test('after a pause, files that were only signed are queued, and nothing of them is on the storage', async () => {
  const desk = await open({ concurrency: 'auto' });
  const batch = await startHeldBack(desk);
  await desk.uploads.pause(batch);
  await sandbox.control.faults.release();
  const paused = await desk.uploads.ended(batch);
  expect(paused).toMatchObject({ state: 'paused', failed: 0 });
  const states = Object.values(await desk.filesOf(batch)).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['done', 'queued']));
  expect(await upload.stored()).toHaveLength(paused.uploaded);
  await desk.uploads.resume(batch);
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: FILES, failed: 0 });
  await upload.expectStored();
});

test('cancelling leaves nothing of them either', async () => {
  const desk = await open({ concurrency: 'auto' });
  const batch = await startHeldBack(desk);
  const cancelled = desk.uploads.cancel(batch);
  await sandbox.control.faults.release();
  const { state, uploaded, cancelled: left } = await cancelled;
  expect({ state, files: uploaded + left }).toEqual({ state: 'cancelled', files: FILES });
  // Files whose last bytes were already sent may have been stored.
  expect(await upload.stored()).toHaveLength(uploaded);
});

test('a crash while files are signed ahead leaves each file on the assignment once', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  onTestFinished(() => void vi.unstubAllEnvs());
  const uploadWorker = new URL('./support/worker-that-dies.ts', import.meta.url);
  const desk = await open({ concurrency: 'auto', host: { uploadWorker } });
  const batch = await startHeldBack(desk);
  const ended = desk.uploads.ended(batch);
  await sandbox.control.faults.clear();
  writeFileSync(sign, '');
  expect(await ended).toMatchObject({ state: 'finished', uploaded: FILES, failed: 0 });
  await upload.expectStored();
});

test('the window asks the service while dozens of signatures do not come', async () => {
  const desk = await open({ concurrency: 40 });
  await sandbox.control.faults.add(always('sign-upload', silence));
  const batch = await start(desk);
  const requested = async () => (await sandbox.control.stats()).routes['sign-upload'].requests;
  await expect.poll(requested).toBe(40);
  expect(await desk.handlers.protocols.list({})).toMatchObject({ source: 'service' });
  await sandbox.control.faults.release();
  await desk.uploads.cancel(batch);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { slow } from './support/desks.ts';
import { bytes, makeDirectory, makeFolder } from './support/folders.ts';
import { always } from './support/sandbox.ts';
import { isFinished, stateOf, useUpload } from './support/uploads.ts';

const upload = useUpload();
const { sandbox, files, open, start, holdBack } = upload;

test('files being sent complete, no others start; resume finishes the batch', async () => {
  const desk = await open(slow);
  const batch = await start(desk);
  await desk.when(batch, ({ uploaded }) => uploaded >= 5);
  expect(await desk.uploads.pause(batch)).toMatchObject({ state: 'paused' });
  const paused = await desk.uploads.ended(batch);
  expect(paused).toMatchObject({ state: 'paused', failed: 0 });
  expect(paused).not.toHaveProperty('reason');
  const states = Object.values(await desk.filesOf(batch)).map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(['done', 'queued']));
  expect(await upload.stored()).toHaveLength(paused.uploaded);

  expect(await desk.uploads.resume(batch)).toMatchObject({ state: 'running' });
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 40, failed: 0 });
  await upload.expectStored();
});

test('during the scan', async () => {
  const sign = join(makeDirectory(), 'open');
  vi.stubEnv('OPEN_AT', sign);
  onTestFinished(() => void vi.unstubAllEnvs());
  const desk = await open({ host: { uploadWorker: new URL('./support/worker-that-waits.ts', import.meta.url) } });
  const all = { ...files, 'held/last.txt': 'last' };
  const { batchId, state } = await desk.uploads.start({ root: makeFolder(all), assignmentId: upload.assignment });
  expect(state).toBe('scanning');
  expect(await desk.uploads.pause(batchId)).toMatchObject({ state: 'paused' });
  writeFileSync(sign, '');
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'paused' });
  expect(await desk.uploads.resume(batchId)).toMatchObject({ state: 'scanning' });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', files: 41, uploaded: 41 });
  await upload.expectStored(all);
});

test('resuming right after a pause, and twice, runs the batch once', async () => {
  const desk = await open(slow);
  const batch = await start(desk);
  await desk.when(batch, ({ uploaded }) => uploaded >= 5);
  await desk.uploads.pause(batch);
  await Promise.all([desk.uploads.resume(batch), desk.uploads.resume(batch)]);
  await desk.uploads.resume(batch);
  expect(await desk.when(batch, isFinished)).toMatchObject({ uploaded: 40, failed: 0 });
  await upload.expectStored();
});

test('a batch that waits for another’s slots pauses immediately', async () => {
  const desk = await open({ concurrency: 1 });
  await holdBack('large.jpg');
  const first = await desk.uploads.start({
    root: makeFolder({ 'large.jpg': bytes(1000) }),
    assignmentId: upload.assignment,
  });
  await expect.poll(() => stateOf(desk, first.batchId, 'large.jpg')).toBe('sending');
  const second = await start(desk);
  await desk.when(second, ({ state }) => state === 'running');
  await desk.uploads.pause(second);
  expect(await desk.uploads.ended(second)).toMatchObject({ state: 'paused', uploaded: 0 });
  expect(await desk.uploads.cancel(second)).toMatchObject({ state: 'cancelled', cancelled: 40 });
});

test('a batch that waits for the same file of another is cancelled immediately', async () => {
  const desk = await open();
  await holdBack('same.txt');
  const same = makeFolder({ 'same.txt': 'same' });
  const first = await desk.uploads.start({ root: same, assignmentId: upload.assignment });
  await expect.poll(() => stateOf(desk, first.batchId, 'same.txt')).toBe('sending');
  const second = await desk.uploads.start({ root: same, assignmentId: upload.assignment });
  await desk.when(second.batchId, ({ state }) => state === 'running');
  expect(await desk.uploads.cancel(second.batchId)).toMatchObject({ state: 'cancelled', cancelled: 1 });
  expect(await stateOf(desk, first.batchId, 'same.txt')).toBe('sending');
});

test('a pause at the very end leaves a batch that is either paused with files left or finished', async () => {
  const desk = await open();
  const small = makeFolder({ 'a.txt': 'a' });
  for (let turns = 0; turns < 60; turns += 1) {
    const { batchId } = await desk.uploads.start({ root: small, assignmentId: upload.assignment });
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    await desk.uploads.pause(batchId).catch((error) => expect(error).toMatchObject({ code: 'upload/batch-state' }));
    const { state, uploaded, skipped } = await desk.uploads.ended(batchId);
    if (state === 'paused') expect(uploaded + skipped).toBe(0);
    else expect(state).toBe('finished');
  }
});

test('does not wait for a file that the storage deferred by an hour', async () => {
  const desk = await open();
  await sandbox.control.faults.add(
    always('storage-put', { type: 'status', status: 503, retryAfterS: 3600 }, 'file-0003'),
  );
  const batch = await start(desk);
  await desk.when(batch, ({ uploaded }) => uploaded === 39);
  await desk.uploads.pause(batch);
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'paused', uploaded: 39, failed: 0 });
  await sandbox.control.faults.clear();
  await desk.uploads.resume(batch);
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 40 });
  await upload.expectStored();
});

test('a finished batch can be neither paused, resumed nor cancelled', async () => {
  const desk = await open();
  const { batchId } = await desk.upload(upload.root, upload.assignment);
  const refused = { code: 'upload/batch-state', details: { state: 'finished' } };
  for (const act of ['pause', 'resume', 'cancel'] as const) {
    await expect(desk.uploads[act](batchId)).rejects.toMatchObject(refused);
  }
  const unknown = '00000000-0000-4000-8000-000000000000';
  for (const act of ['pause', 'resume', 'cancel', 'retryFailed', 'ended'] as const) {
    await expect(desk.uploads[act](unknown)).rejects.toMatchObject({ code: 'upload/batch-unknown' });
  }
});

test('keeps the machine awake while files are sent, and notifies about the end', async () => {
  let awake = 0;
  const keepAwake = () => {
    awake += 1;
    return () => {
      awake -= 1;
    };
  };
  const desk = await open({ ...slow, host: { keepAwake } });
  const batch = await start(desk);
  await desk.when(batch, ({ state }) => state === 'running');
  expect(awake).toBe(1);
  await desk.uploads.pause(batch);
  await desk.uploads.ended(batch);
  expect(awake).toBe(0);
  await desk.uploads.resume(batch);
  await desk.uploads.ended(batch);
  expect(awake).toBe(0);
  await expect.poll(() => desk.notified.at(-1)?.body).toMatch(/^40 of 40 files uploaded to /);
});

test('the machine may sleep once another service is in use, although the batch is still in progress', async () => {
  let awake = 0;
  const keepAwake = () => {
    awake += 1;
    return () => {
      awake -= 1;
    };
  };
  const desk = await open({ ...slow, host: { keepAwake } });
  const batch = await start(desk);
  await desk.when(batch, ({ state }) => state === 'running');
  expect(awake).toBe(1);
  const { baseUrl, authUrl } = sandbox.address;
  await desk.handlers.connection.set({ baseUrl, authUrl, clientId: 'another' });
  expect(awake).toBe(0);
});

test('a resume while the last file of a paused batch is sent ends well, as the batch does', async () => {
  const desk = await open();
  await holdBack('last.jpg');
  const root = makeFolder({ 'last.jpg': bytes(1000) });
  const { batchId } = await desk.uploads.start({ root, assignmentId: upload.assignment });
  await expect.poll(() => stateOf(desk, batchId, 'last.jpg')).toBe('sending');
  await desk.uploads.pause(batchId);
  const resumed = desk.uploads.resume(batchId);
  await sandbox.control.faults.release();
  expect(await resumed).toMatchObject({ state: 'finished', uploaded: 1 });
});

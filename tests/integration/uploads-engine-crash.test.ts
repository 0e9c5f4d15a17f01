/** A worker that crashes during a batch is restarted, and the batch continues. */
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openSignedIn, slow, slowDown } from './support/desks.ts';
import { openDraft, whenDraft } from './support/drafts.ts';
import { bytes, makeDirectory, makeFolder, manyFiles, sha256 } from './support/folders.ts';
import { always, expectStored, silence, silentAnswer, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const other = useSandbox();

afterEach(() => void vi.unstubAllEnvs());

test('a running batch continues automatically, and its end is reported to those who wait', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const uploadWorker = new URL('./support/worker-that-dies.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { uploadWorker }, ...slow });
  const assignment = sandbox.newAssignment();
  const files = manyFiles(40);
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  const ended = desk.uploads.ended(batchId);
  await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
  writeFileSync(sign, '');

  expect(await ended).toMatchObject({ state: 'finished', uploaded: 40, failed: 0 });
  await expectStored(sandbox.control, assignment, files);
  expect(readFileSync(join(desk.home, 'logs', 'inspection-desk.log'), 'utf8')).toContain('worker-that-dies.ts');
});

test('a review that was begun before the computer slept starts', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const uploadWorker = new URL('./support/worker-that-dies.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, hasWindow: true, host: { uploadWorker } });
  const files = manyFiles(4);
  await openDraft(desk, [makeFolder(files)], sandbox.newAssignment());
  await whenDraft(desk);
  const lists = join(desk.home, 'reviewed');
  // Makes the lists older than the process, as after a sleep, which the process's uptime does not include.
  const beforeSleep = new Date(Date.now() - 8 * 3_600_000);
  for (const name of readdirSync(lists)) utimesSync(join(lists, name), beforeSleep, beforeSleep);
  writeFileSync(sign, '');
  // Waits for the crash, because a call to a crashing engine would fail.
  await expect.poll(() => readFileSync(join(desk.home, 'logs', 'inspection-desk.log'), 'utf8')).toContain('that-dies');
  const { batchIds } = await desk.drafts.start(desk.uploadRules({}));
  expect(await desk.uploads.ended(batchIds[0] ?? '')).toMatchObject({ state: 'finished', uploaded: 4, failed: 0 });
});

test('a cancellation continues', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const uploadWorker = new URL('./support/worker-that-dies.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { uploadWorker }, concurrency: 1 });
  const assignment = sandbox.newAssignment();
  await sandbox.control.faults.add(always('storage-put', silentAnswer, 'file-0003'), always('remove-file', silence));
  const { batchId } = await desk.uploads.start({ root: makeFolder(manyFiles(40)), assignmentId: assignment });
  await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBe(2);
  const cancelled = desk.uploads.cancel(batchId).catch(({ code }) => code);
  await expect.poll(async () => (await sandbox.control.stats()).routes['remove-file'].requests).toBe(1);
  await sandbox.control.faults.clear();
  writeFileSync(sign, '');

  expect(await cancelled).toBe('upload/engine-stopped');
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'cancelled', uploaded: 1, cancelled: 39 });
  expect(await storedOn(sandbox.control, assignment)).toHaveLength(1);
});

test('a batch of a previous connection does not continue', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const uploadWorker = new URL('./support/worker-that-dies.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { uploadWorker }, ...slow });
  const files = manyFiles(40);
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: sandbox.newAssignment() });
  await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
  const { baseUrl, authUrl, clientId } = other.address;
  await desk.handlers.connection.set({ baseUrl, authUrl, clientId });
  await desk.signIn();
  await sandbox.control.resetStats();
  writeFileSync(sign, '');
  await expect.poll(() => readFileSync(join(desk.home, 'logs', 'inspection-desk.log'), 'utf8')).toContain('that-dies');

  const assignment = other.newAssignment();
  expect(await desk.upload(makeFolder(files), assignment)).toMatchObject({ state: 'finished', uploaded: 40 });
  await expectStored(other.control, assignment, files);
  expect((await sandbox.control.stats()).routes['storage-put'].requests).toBe(0);
});

test('an engine that cannot restart says why, and its batches are reported as stopped', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const uploadWorker = new URL('./support/worker-that-dies.ts', import.meta.url);
  let awake = 0;
  const keepAwake = () => {
    awake += 1;
    return () => {
      awake -= 1;
    };
  };
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { uploadWorker, keepAwake }, ...slow });
  const root = makeFolder(manyFiles(40));
  const { batchId } = await desk.uploads.start({ root, assignmentId: sandbox.newAssignment() });
  await desk.when(batchId, ({ uploaded }) => uploaded >= 1);
  const ledger = join(desk.home, 'ledger.sqlite');
  rmSync(ledger);
  mkdirSync(ledger);
  writeFileSync(sign, '');
  const notices = async () => (await desk.handlers.app.snapshot(undefined)).notices;
  await expect.poll(notices).toMatchObject([{ code: 'data/unwritable' }]);
  const { batches } = await desk.handlers.app.snapshot(undefined);
  expect(batches).toMatchObject([{ batchId, state: 'paused', reason: { code: 'data/unwritable' } }]);
  expect(awake).toBe(0);
});

test('an engine that crashes again and again stays down, and closing the app logs no other error', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const uploadWorker = new URL('./support/worker-that-dies.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { uploadWorker } });
  const log = () => readFileSync(join(desk.home, 'logs', 'inspection-desk.log'), 'utf8');
  await desk.uploads.list();
  for (let crashes = 1; crashes <= 5; crashes += 1) {
    writeFileSync(sign, '');
    await expect.poll(() => log().match(/worker-that-dies/g)?.length).toBe(crashes);
  }
  expect((await desk.handlers.app.snapshot(undefined)).notices).toMatchObject([{ code: 'upload/engine-stopped' }]);
  await expect(desk.uploads.list()).rejects.toMatchObject({ code: 'upload/engine-stopped' });
  const logged = log();
  await desk.handlers.preferences.set({ uploadLimit: { bytesPerSecond: 1_000_000, schedule: [] } });
  await desk.close();
  expect(log()).toBe(logged);
});

test('a crash of the hash thread costs a file one retry', async () => {
  const sign = join(makeDirectory(), 'die');
  vi.stubEnv('DIE_AT', sign);
  const readWorker = new URL('./support/hash-thread-that-dies.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { readWorker } });
  const goOn = await slowDown(desk);
  const assignment = sandbox.newAssignment();
  const files = { 'large.bin': bytes(8_000_000) };
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  await desk.when(batchId, ({ bytesSent }) => bytesSent > 0);
  writeFileSync(sign, '');
  await goOn();

  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 1, failed: 0 });
  expect((await desk.filesOf(batchId))['large.bin']).toMatchObject({ attempts: 2, sha256: sha256(files['large.bin']) });
  await expectStored(sandbox.control, assignment, files);
  expect(readFileSync(join(desk.home, 'logs', 'inspection-desk.log'), 'utf8')).toContain('hash-thread-that-dies.ts');
});

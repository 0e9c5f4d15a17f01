/** Pausing, going on, giving up and trying again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Batch } from '../../src/contract/models.ts';
import { createTestKeychain, openDesk, openSignedIn, slow, type TestDesk, withoutBackoff } from './support/desks.ts';
import { bytes, makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
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
const holdAnswer = (name: string) =>
  sandbox.control.faults.add(always('storage-put', { ...silence, in: 'answer' }, name));
const stateOf = async (desk: TestDesk, batch: string, path: string) => (await desk.filesOf(batch))[path]?.state;

describe('pause and resume', () => {
  test('files on their way come to their end, no other begins; resume finishes', async () => {
    const desk = await open(slow);
    const batch = await start(desk);
    await desk.when(batch, ({ uploaded }) => uploaded >= 5);
    expect(await desk.uploads.pause(batch)).toMatchObject({ state: 'paused' });
    const paused = await desk.uploads.ended(batch);
    expect(paused).toMatchObject({ state: 'paused', failed: 0 });
    expect(paused).not.toHaveProperty('reason');
    const states = Object.values(await desk.filesOf(batch)).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(['done', 'queued']));
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(paused.uploaded);

    expect(await desk.uploads.resume(batch)).toMatchObject({ state: 'running' });
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 40, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });

  test('while the folder is still being read', async () => {
    const sign = join(makeDirectory(), 'open');
    vi.stubEnv('OPEN_AT', sign);
    const desk = await open({ host: { uploadWorker: new URL('./support/worker-that-waits.ts', import.meta.url) } });
    const all = { ...files, 'held/last.txt': 'last' };
    const { batch, state } = await desk.uploads.start({ root: makeFolder(all), assignmentId: assignment });
    expect(state).toBe('scanning');
    expect(await desk.uploads.pause(batch)).toMatchObject({ state: 'paused' });
    writeFileSync(sign, '');
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'paused' });
    expect(await desk.uploads.resume(batch)).toMatchObject({ state: 'scanning' });
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', files: 41, uploaded: 41 });
    await expectStored(sandbox.control, assignment, all);
  });

  test('a resume at once after a pause, and twice, runs the batch once', async () => {
    const desk = await open(slow);
    const batch = await start(desk);
    await desk.when(batch, ({ uploaded }) => uploaded >= 5);
    await desk.uploads.pause(batch);
    await Promise.all([desk.uploads.resume(batch), desk.uploads.resume(batch)]);
    await desk.uploads.resume(batch);
    expect(await desk.when(batch, finished)).toMatchObject({ uploaded: 40, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });

  test('a batch that waits for slots of another pauses without waiting for them', async () => {
    const desk = await open({ concurrency: 1 });
    await holdBack('large.jpg');
    const first = await desk.uploads.start({
      root: makeFolder({ 'large.jpg': bytes(1000) }),
      assignmentId: assignment,
    });
    await expect.poll(() => stateOf(desk, first.batch, 'large.jpg')).toBe('sending');
    const second = await start(desk);
    await desk.when(second, ({ state }) => state === 'running');
    await desk.uploads.pause(second);
    expect(await desk.uploads.ended(second)).toMatchObject({ state: 'paused', uploaded: 0 });
    expect(await desk.uploads.cancel(second)).toMatchObject({ state: 'cancelled', cancelled: 40 });
  });

  test('a batch that waits for the same file of another is given up without waiting for it', async () => {
    const desk = await open();
    await holdBack('same.txt');
    const same = makeFolder({ 'same.txt': 'same' });
    const first = await desk.uploads.start({ root: same, assignmentId: assignment });
    await expect.poll(() => stateOf(desk, first.batch, 'same.txt')).toBe('sending');
    const second = await desk.uploads.start({ root: same, assignmentId: assignment });
    await desk.when(second.batch, ({ state }) => state === 'running');
    expect(await desk.uploads.cancel(second.batch)).toMatchObject({ state: 'cancelled', cancelled: 1 });
    expect(await stateOf(desk, first.batch, 'same.txt')).toBe('sending');
  });

  test('a pause at the very end leaves a batch that is paused with something left, or finished', async () => {
    const desk = await open();
    const small = makeFolder({ 'a.txt': 'a' });
    for (let turns = 0; turns < 60; turns += 1) {
      const { batch } = await desk.uploads.start({ root: small, assignmentId: assignment });
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      await desk.uploads.pause(batch).catch((error) => expect(error).toMatchObject({ code: 'upload/batch-state' }));
      const { state, uploaded, skipped } = await desk.uploads.ended(batch);
      if (state === 'paused') expect(uploaded + skipped).toBe(0);
      else expect(state).toBe('finished');
    }
  });

  test('a file that the storage asked to wait for an hour is not waited for', async () => {
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
    await expectStored(sandbox.control, assignment, files);
  });

  test('what is over can be neither paused, resumed nor cancelled', async () => {
    const desk = await open();
    const { batch } = await desk.upload(root, assignment);
    const refused = { code: 'upload/batch-state', details: { state: 'finished' } };
    for (const act of ['pause', 'resume', 'cancel'] as const) {
      await expect(desk.uploads[act](batch)).rejects.toMatchObject(refused);
    }
    const unknown = '00000000-0000-4000-8000-000000000000';
    for (const act of ['pause', 'resume', 'cancel', 'retryFailed', 'ended'] as const) {
      await expect(desk.uploads[act](unknown)).rejects.toMatchObject({ code: 'upload/batch-unknown' });
    }
  });
});

describe('cancel', () => {
  test('takes back what was on its way, leaves what is done, and never begins the rest', async () => {
    const desk = await open();
    // These take all four slots, so after the first four files no other ever begins.
    await holdBack('large.bin');
    await sandbox.control.faults.add(
      always('storage-put', { ...silence, in: 'answer' }, 'file-0012'),
      always('sign-upload', silence, 'file-0015'),
      always('sign-upload', silence, 'file-0018'),
    );
    // Too much for what lies between app and storage to swallow it: its last byte never goes out.
    const more = makeFolder({ ...files, 'part 0/large.bin': bytes(32 * 1024 * 1024) });
    const { batch } = await desk.uploads.start({ root: more, assignmentId: assignment });
    await desk.when(batch, ({ uploaded }) => uploaded === 4);
    // The answer of file-0012 is held back, so it is stored and the app cannot know.
    await expect
      .poll(async () => (await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName))
      .toContain('file-0012.txt');
    await expect.poll(() => stateOf(desk, batch, 'part 0/large.bin')).toBe('sending');
    expect(await desk.uploads.cancel(batch)).toMatchObject({ state: 'cancelled', uploaded: 4, cancelled: 37 });
    for (const name of ['large.bin', 'file-0012.txt', 'file-0015.txt', 'file-0018.txt', 'file-0021.txt']) {
      expect(await stateOf(desk, batch, `part 0/${name}`)).toBe('cancelled');
    }
    const done = Object.values(await desk.filesOf(batch)).filter(({ state }) => state === 'done');
    expect((await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName).sort()).toEqual(
      done.map(({ FileName }) => FileName).sort(),
    );
  });

  test('tries again where the service is busy', async () => {
    const desk = await open();
    await sandbox.control.faults.add(
      always('storage-put', { ...silence, in: 'answer' }, 'file-0000'),
      once('remove-file', { type: 'status', status: 503, retryAfterS: 0 }),
    );
    const batch = await start(desk);
    await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBeGreaterThan(5);
    expect(await desk.uploads.cancel(batch)).toMatchObject({ state: 'cancelled', failed: 0 });
    expect(await stateOf(desk, batch, 'part 0/file-0000.txt')).toBe('cancelled');
    expect((await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName)).not.toContain(
      'file-0000.txt',
    );
  });

  test('says uncertain where the service does not take it back', async () => {
    const desk = await open();
    await sandbox.control.faults.add(
      always('storage-put', { ...silence, in: 'answer' }, 'file-0000'),
      always('remove-file', { type: 'status', status: 403 }),
    );
    const batch = await start(desk);
    await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBeGreaterThan(5);
    // Others that were on their way in that moment fare no better.
    const { state, failed } = await desk.uploads.cancel(batch);
    expect(state).toBe('cancelled');
    expect(failed).toBeGreaterThanOrEqual(1);
    expect((await desk.filesOf(batch))['part 0/file-0000.txt']).toMatchObject({
      state: 'uncertain',
      error: { code: 'service/forbidden' },
    });

    await sandbox.control.faults.clear();
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', failed: 0 });
    const stored = await storedOn(sandbox.control, assignment);
    expect(stored.filter(({ FileName }) => FileName === 'file-0000.txt')).toHaveLength(1);
  });

  test('of a paused batch', async () => {
    const desk = await open();
    const batch = await start(desk);
    await desk.uploads.pause(batch);
    await desk.uploads.ended(batch);
    expect(await desk.uploads.cancel(batch)).toMatchObject({ state: 'cancelled', finished: expect.any(Number) });
  });

  test('of a batch that waits to go on after a pause', async () => {
    const desk = await open({ concurrency: 1 });
    await sandbox.control.faults.add(always('storage-put', { ...silence, in: 'answer' }, 'file-0003'));
    const batch = await start(desk);
    await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBe(2);
    await desk.uploads.pause(batch);
    const resumed = desk.uploads.resume(batch).catch(({ code }) => code);
    expect(await desk.uploads.cancel(batch)).toMatchObject({ state: 'cancelled' });
    expect(await resumed).toBe('upload/batch-state');
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'cancelled', uploaded: 1, cancelled: 39 });
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(1);
  });

  test('nothing goes on while it is done, and twice is once', async () => {
    const desk = await open({ concurrency: 1 });
    await sandbox.control.faults.add(
      always('sign-upload', { type: 'status', status: 403 }, 'file-0000'),
      always('storage-put', { ...silence, in: 'answer' }, 'file-0003'),
      once('remove-file', silence),
    );
    const batch = await start(desk);
    await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBe(1);
    const cancelled = desk.uploads.cancel(batch);
    await expect.poll(() => stateOf(desk, batch, 'part 0/file-0006.txt')).toBe('cancelled');
    const again = desk.uploads.cancel(batch);
    await expect(desk.uploads.resume(batch)).rejects.toMatchObject({ code: 'upload/batch-state' });
    const interrupted = desk.uploads.resumeInterrupted();
    await sandbox.control.faults.release();
    await Promise.all([again, interrupted]);
    expect(await cancelled).toMatchObject({ state: 'cancelled', uploaded: 0, failed: 1, cancelled: 39 });
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'cancelled', uploaded: 0 });
    expect(await storedOn(sandbox.control, assignment)).toEqual([]);
  });

  test('what the end of the app breaks off is gone on with at the next start, and can be nothing but cancelled', async () => {
    const home = makeDirectory();
    const keychain = createTestKeychain();
    const desk = await open({ concurrency: 1, home, keychain });
    await holdAnswer('file-0003');
    await sandbox.control.faults.add(always('remove-file', silence));
    const batch = await start(desk);
    await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBe(2);
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
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(1);
  });

  test('where the session ends meanwhile it goes on with the next one of that user', async () => {
    const desk = await open({ concurrency: 1 });
    await holdAnswer('file-0003');
    await sandbox.control.faults.add(always('remove-file', { type: 'status', status: 401 }));
    const batch = await start(desk);
    await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBe(2);
    await expect(desk.uploads.cancel(batch)).rejects.toMatchObject({ code: 'auth/expired' });
    expect(await desk.uploads.get(batch)).toMatchObject({ state: 'paused', reason: { code: 'upload/cancelling' } });

    desk.uploads.setSession({ signedIn: true, subject: 'somebody else' });
    await sandbox.control.faults.clear();
    await desk.uploads.resumeInterrupted();
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'paused' });
    await desk.signIn();
    expect(await desk.when(batch, ({ state }) => state === 'cancelled')).toMatchObject({ uploaded: 1, cancelled: 39 });
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(1);
  });
});

describe('retry', () => {
  const fails = { type: 'status', status: 403 } as const;

  test('offers failed files again, of a finished batch', async () => {
    const desk = await open();
    await sandbox.control.faults.add(always('sign-upload', fails, 'file-000'));
    const { batch, ...before } = await desk.upload(root, assignment);
    expect(before).toMatchObject({ state: 'finished', uploaded: 30, failed: 10 });
    await sandbox.control.faults.clear();
    expect(await desk.uploads.retryFailed(batch)).toMatchObject({ state: 'running', failed: 0 });
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 40, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });

  test('offers chosen files again, and leaves the others as they are', async () => {
    const desk = await open();
    await sandbox.control.faults.add(always('sign-upload', fails, 'file-000'));
    const { batch } = await desk.upload(root, assignment);
    await sandbox.control.faults.clear();
    const files = await desk.filesOf(batch);
    const idOf = (path: string): number => files[path]?.id ?? 0;
    const other = await desk.upload(makeFolder({ 'other.txt': 'other' }), sandbox.newAssignment());
    const [foreign] = (await desk.uploads.files(other.batch, { offset: 0, limit: 1 })).files;
    const ids = [idOf('part 0/file-0000.txt'), idOf('part 1/file-0011.txt'), foreign?.id ?? 0, 0];
    expect(await desk.uploads.retryFiles(batch, ids)).toMatchObject({ state: 'running', failed: 9 });
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 31, failed: 9 });
    expect((await desk.filesOf(batch))['part 0/file-0000.txt']).toMatchObject({ state: 'done' });
    // Nothing to do is no reason to run.
    expect(await desk.uploads.retryFiles(batch, ids)).toMatchObject({ state: 'finished', failed: 9 });
  });

  test('offers them again while the batch runs, and the counts stay true', async () => {
    const desk = await open({ concurrency: 2 });
    await sandbox.control.faults.add(
      once('sign-upload', fails, 'file-0000'),
      once('storage-put', silence, 'file-0039'),
    );
    const batch = await start(desk);
    await desk.when(batch, ({ failed, uploaded }) => failed === 1 && uploaded >= 30);
    expect(await desk.uploads.retryFailed(batch)).toMatchObject({ failed: 0 });
    await sandbox.control.faults.release();
    expect(await desk.when(batch, finished)).toMatchObject({ uploaded: 40, failed: 0 });
    for (const event of desk.events) {
      if (event.type !== 'batch') continue;
      const { files: all, uploaded, failed, bytes: total, bytesSent } = event.batch;
      expect(uploaded + failed).toBeLessThanOrEqual(all);
      expect(bytesSent).toBeLessThanOrEqual(total);
    }
    await expectStored(sandbox.control, assignment, files);
  });

  test('at the very end of the batch loses no file', async () => {
    const desk = await open();
    await sandbox.control.faults.add(once('sign-upload', fails, 'file-0000'));
    const batch = await start(desk);
    // Asked for in every turn of the event loop, until one hits the moment in which the batch ends.
    while (!finished(await desk.uploads.get(batch))) {
      await setImmediate();
      await desk.uploads
        .retryFailed(batch)
        .catch((error) => expect(error).toMatchObject({ code: 'upload/batch-state' }));
    }
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 40, failed: 0 });
  });
});

test('a verification ends when another one begins, or it is cancelled', async () => {
  const desk = await open();
  const { batch } = await desk.upload(root, assignment);
  const verify = () => Promise.resolve(desk.handlers.uploads.verify({ batch, after: 0 }));
  const begun = [verify(), verify()];
  desk.handlers.uploads.cancelVerify(undefined);
  for (const one of begun) await expect(one).rejects.toMatchObject({ code: 'app/cancelled' });
  const { files, ...rest } = await verify();
  expect(rest).toEqual({});
  expect(files.map(({ verdict }) => verdict)).toEqual(Array(40).fill('same'));
});

test('the machine stays awake while files go out, and the person hears of the end', async () => {
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
  expect(desk.notified.at(-1)).toMatchObject({ batch, state: 'finished', uploaded: 40 });
});

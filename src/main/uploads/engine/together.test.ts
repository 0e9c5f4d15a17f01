/** Folders that are uploaded together: one upload of many batches. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DeskError, toErrorData } from '../../../contract/errors.ts';
import { createStorageAgent } from '../../net/connector.ts';
import { HELD_BACK } from '../ledger/ledger.ts';
import { addBatch, openTestLedger } from '../ledger/testing/ledger.ts';
import { NOTHING_LEFT_OUT, PATIENCE_MS } from '../source/scan.ts';
import { fakeTimeouts, replaceCalls } from '../source/testing/replaced-calls.ts';
import { scanned } from '../source/testing/scanned.ts';
import { createTestContext } from '../transfer/testing/context.ts';
import type { UploadService } from '../transfer/transfer-context.ts';
import { BATCHES_AT_ONCE } from './batch-supervisor.ts';
import { createUploads } from './uploads.ts';

const CONNECTION = 'connection';

/**
 * Simulates a drive that does not respond: `stat` calls for its paths (`isOn`) wait until `wake` is called. `waiting`:
 * how many calls have had to wait. Timeouts are faked.
 */
const hangDrive = (isOn: (path: string) => boolean) => {
  const woken = Promise.withResolvers<void>();
  let isAwake = false;
  const drive = {
    waiting: 0,
    wake: (): void => {
      isAwake = true;
      woken.resolve();
    },
  };
  const { stat } = replaceCalls({
    stat: (path: string, options: { bigint: true }) => {
      if (isAwake || !isOn(path)) return stat(path, options);
      drive.waiting += 1;
      return woken.promise.then(() => stat(path, options));
    },
  });
  fakeTimeouts();
  return drive;
};

/**
 * Creates a service that does not respond to requests for signatures until `refuse` is called, and then refuses all.
 */
const createStubbornService = () => {
  const refused = new AbortController();
  const error = new DeskError('service/refused', 'no');
  const signUpload: UploadService['signUpload'] = (_request, _subject, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      refused.signal.addEventListener('abort', () => reject(error));
      if (refused.signal.aborted) reject(error);
    });
  return { service: { signUpload, removeFile: async () => undefined }, refuse: () => refused.abort() };
};

/** Creates `count` folders with a file each, and uploads that have not started. */
const setUp = (count: number, now: () => number = Date.now) => {
  const parent = mkdtempSync(join(tmpdir(), 'together-test-'));
  const roots = Array.from({ length: count }, (_, index) => join(parent, `job ${index}`));
  for (const root of roots) {
    mkdirSync(root);
    writeFileSync(join(root, 'a.txt'), root);
  }
  const storage = createStorageAgent();
  const ledger = openTestLedger();
  const { service, refuse } = createStubbornService();
  const uploads = createUploads({
    context: createTestContext({ ledger, service, storage, now }),
    connectionId: CONNECTION,
    session: { signedIn: true, subject: undefined },
    onBatches: () => {},
    onBug: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(async () => {
    await uploads.close();
    await storage.destroy();
    rmSync(parent, { recursive: true });
  });
  const together = roots.map((root, index) => ({ root, assignmentId: `assignment ${index}` }));
  /** Returns the number of batches whose folder was scanned. */
  const begun = () => ledger.batches.list(CONNECTION).filter(({ scanned }) => scanned).length;
  return { parent, ledger, uploads, together, refuse, begun };
};

const COUNT = BATCHES_AT_ONCE + 5;

test('folders that start together are one upload, of which a few run at once until each has ended', async () => {
  const { uploads, together, refuse, begun } = setUp(COUNT);
  const started = await uploads.startTogether({ uploads: together });
  expect(new Set(started.map(({ uploadId }) => uploadId)).size).toBe(1);
  expect(started.map(({ AssignmentId }) => AssignmentId)).toEqual(together.map(({ assignmentId }) => assignmentId));
  await expect.poll(begun).toBe(BATCHES_AT_ONCE);

  refuse();
  for (const { batchId } of started)
    expect(await uploads.ended(batchId)).toMatchObject({ state: 'finished', failed: 1 });
  expect(begun()).toBe(COUNT);
});

test('folders that start together are listed in the order given, even if the clock is set back meanwhile', async () => {
  let nowMs = Date.now();
  const { uploads, together } = setUp(4, () => nowMs--);
  await uploads.startTogether({ uploads: together });
  const listed = uploads.list().map(({ AssignmentId }) => AssignmentId);
  expect(listed).toEqual(together.map(({ assignmentId }) => assignmentId));
});

test('a batch that waits for others can be paused, resumed and cancelled', async () => {
  const { uploads, together, refuse, begun } = setUp(COUNT);
  const started = await uploads.startTogether({ uploads: together });
  await expect.poll(begun).toBe(BATCHES_AT_ONCE);
  const [paused = '', cancelled = '', resumed = ''] = started.slice(BATCHES_AT_ONCE).map(({ batchId }) => batchId);
  for (const id of [paused, resumed]) expect(await uploads.pause(id)).toMatchObject({ state: 'paused' });
  expect(await uploads.cancel(cancelled)).toMatchObject({ state: 'cancelled' });
  expect(await uploads.resume(resumed)).toMatchObject({ state: 'scanning', files: 0 });
  refuse();
  expect(await uploads.ended(resumed)).toMatchObject({ state: 'finished', failed: 1 });
  expect(await uploads.ended(paused)).toMatchObject({ state: 'paused', files: 0 });
});

test('batches are recorded with their schedule, and do not begin while it holds them back', async () => {
  const { ledger, uploads, together, begun } = setUp(2);
  const schedule = { hours: [{ from: '18:00', to: '06:00' }], watchedId: 7, overruled: false };
  const started = await uploads.startTogether({ uploads: together, schedule, isHeldBack: true });
  expect(ledger.batches.list(CONNECTION).map((batch) => [batch.state, batch.schedule])).toEqual([
    ['paused', schedule],
    ['paused', schedule],
  ]);
  expect(started[0]).toMatchObject({ reason: { code: 'upload/scheduled' }, schedule });
  const [{ batchId: due } = { batchId: '' }, { batchId: wanted } = { batchId: '' }] = started;
  expect(await uploads.resume(due, 'keeper')).toMatchObject({ state: 'scanning', schedule });
  expect(await uploads.resume(wanted)).toMatchObject({ schedule: { ...schedule, overruled: true } });
  await expect.poll(begun).toBe(2);
});

test('a batch that the user resumes before its schedule holds it back is not held back any more', async () => {
  const { ledger, uploads, together, begun } = setUp(1);
  const schedule = { hours: [{ from: '18:00', to: '06:00' }], watchedId: 7, overruled: false };
  const [{ batchId } = { batchId: '' }] = await uploads.startTogether({ uploads: together, schedule });
  await expect.poll(begun).toBe(1);
  // The app decides to hold the batch back before it knows that the user resumes the batch.
  const resumed = uploads.resume(batchId);
  const heldBack = uploads.pause(batchId, HELD_BACK).catch(() => {});
  expect(await resumed).toMatchObject({ state: 'running', schedule: { ...schedule, overruled: true } });
  await heldBack;
  expect(ledger.batches.get(batchId)).toMatchObject({ state: 'running', reason: undefined });
});

test('a batch that its schedule holds back while the user resumes it goes on', async () => {
  const { ledger, uploads, together, refuse, begun } = setUp(1);
  const schedule = { hours: [{ from: '18:00', to: '06:00' }], watchedId: 7, overruled: false };
  const [{ batchId } = { batchId: '' }] = await uploads.startTogether({ uploads: together, schedule });
  await expect.poll(begun).toBe(1);
  const heldBack = uploads.pause(batchId, HELD_BACK);
  const resumed = uploads.resume(batchId);
  await heldBack;
  // The run that was paused ends when its last file is refused.
  refuse();
  await resumed;
  expect(ledger.batches.get(batchId)).not.toMatchObject({ state: 'paused' });
});

test('a batch that waits for others begins if only one of its files is sent first', async () => {
  const { ledger, uploads, together, begun } = setUp(COUNT);
  const [{ uploadId } = { uploadId: '' }] = await uploads.startTogether({
    uploads: together.slice(0, BATCHES_AT_ONCE),
  });
  await expect.poll(begun).toBe(BATCHES_AT_ONCE);
  const { root = '' } = together.at(-1) ?? {};
  const { batch, files } = await addBatch(ledger, [scanned('a.txt')], { connectionId: CONNECTION, uploadId, root });
  expect(await uploads.resume(batch)).toMatchObject({ state: 'scanning', files: 1 });
  await uploads.sendFirst(
    batch,
    files.map(({ id }) => id),
  );
  await expect.poll(begun).toBe(BATCHES_AT_ONCE + 1);
});

test('another upload does not wait for the folders of the first', async () => {
  const { uploads, together, begun } = setUp(COUNT);
  await uploads.startTogether({ uploads: together.slice(1) });
  await expect.poll(begun).toBe(BATCHES_AT_ONCE);
  await uploads.startTogether({ uploads: together.slice(0, 1) });
  await expect.poll(begun).toBe(BATCHES_AT_ONCE + 1);
});

test('nothing starts if one of the folders is missing', async () => {
  const { parent, ledger, uploads, together } = setUp(2);
  const missing = { root: join(parent, 'gone'), assignmentId: 'assignment' };
  await expect(uploads.startTogether({ uploads: [...together, missing] })).rejects.toMatchObject({
    code: 'upload/folder-missing',
  });
  expect(ledger.batches.list(CONNECTION)).toEqual([]);
});

test('a folder whose drive does not respond is named, and occupies one thread', async () => {
  const { parent, ledger, uploads, together } = setUp(COUNT);
  const dead = hangDrive((path) => path.startsWith(parent));
  const code = 'upload/drive-unresponsive';
  const [{ root: path } = { root: '' }] = together;
  for (const _ of ['start', 'another start']) {
    const start = uploads.startTogether({ uploads: together });
    const refused = expect(start).rejects.toMatchObject({ code, details: { path } });
    await expect.poll(() => dead.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    await refused;
  }
  const refusals = uploads.refusals(together);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(await refusals).toMatchObject(together.map(({ root }) => ({ code, details: { path: root } })));
  expect(dead.waiting).toBe(1);
  expect(ledger.batches.list(CONNECTION)).toEqual([]);
});

test('previews of folders whose drive does not respond occupy one thread, until it responds', async () => {
  const { parent, uploads, together } = setUp(3);
  const dead = hangDrive((path) => path.startsWith(parent));
  const preview = ({ root }: { readonly root: string }) =>
    uploads.preview({ assignmentId: 'assignment', sources: [{ root }] }, new AbortController().signal);
  for (const one of together) {
    const failed = expect(preview(one)).rejects.toMatchObject({
      code: 'upload/drive-unresponsive',
      details: { path: one.root },
    });
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await failed;
  }
  expect(dead.waiting).toBe(1);
  dead.wake();
  vi.useRealTimers();
  for (const one of together) await expect.poll(() => preview(one).catch(toErrorData)).toMatchObject({ renamed: 0 });
});

test('looks for folders and files on a drive that does not respond occupy one thread', async () => {
  const { parent, uploads, together } = setUp(3);
  const dead = hangDrive((path) => path.startsWith(parent));
  for (const place of together.flatMap(({ root }) => [{ root }, { root, path: 'a.txt' }])) {
    const failed = expect(uploads.locate(place)).rejects.toMatchObject({ code: 'upload/drive-unresponsive' });
    await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await failed;
  }
  expect(dead.waiting).toBe(1);
});

test('a drive that stops responding after its first folder refuses all others at the same time', async () => {
  const { uploads, together } = setUp(100);
  let looks = 0;
  const dead = hangDrive((path) => together.some(({ root }) => root === path) && ++looks > 1);
  const refusals = uploads.refusals(together);
  await expect.poll(() => dead.waiting).toBe(31);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  const [first, ...others] = (await refusals).map((error) => error?.code);
  expect(first).toBeUndefined();
  expect(new Set(others)).toEqual(new Set(['upload/drive-unresponsive']));
});

test('all folders that cannot be started are named together', async () => {
  const { parent, uploads, together } = setUp(2);
  const missing = { root: join(parent, 'gone'), assignmentId: 'assignment' };
  const [first, second] = together;
  if (!first || !second) expect.unreachable();
  rmSync(second.root, { recursive: true });
  const refused = (await uploads.refusals([first, missing, second])).map((error) => error?.code);
  expect(refused).toEqual([undefined, 'upload/folder-missing', 'upload/folder-missing']);
});

test('batches that wait when the app closes stay open, so that the next start resumes them', async () => {
  const { uploads, together, ledger } = setUp(COUNT);
  await uploads.startTogether({ uploads: together });
  await uploads.close();
  expect(new Set(ledger.batches.list(CONNECTION).map(({ state }) => state))).not.toContain('paused');
});

test('a whole upload is paused, resumed, retried and cancelled, and another one is left alone', async () => {
  const { ledger, uploads, together, refuse, begun } = setUp(COUNT);
  const { uploadId: other } = await uploads.start(together[0] ?? expect.unreachable());
  const [{ uploadId } = { uploadId: '' }] = await uploads.startTogether({ uploads: together.slice(1) });
  await expect.poll(begun).toBe(BATCHES_AT_ONCE + 1);
  const states = (id: string) => [...new Set(ledger.batches.ofUpload(id).map(({ state }) => state))];

  await uploads.changeUpload(uploadId, 'pause');
  expect([states(uploadId), states(other)]).toEqual([['paused'], ['running']]);
  // Transfers in progress finish first.
  refuse();
  await uploads.changeUpload(uploadId, 'resume');
  expect(states(uploadId)).not.toContain('paused');
  for (const { id } of ledger.batches.ofUpload(uploadId)) await uploads.ended(id);
  expect(states(uploadId)).toEqual(['finished']);
  await uploads.changeUpload(uploadId, 'retryFailed');
  await uploads.changeUpload(uploadId, 'cancel');
  expect(states(uploadId).filter((state) => state !== 'cancelled' && state !== 'finished')).toEqual([]);
});

test('a batch pauses if its drive does not respond while the real path of its folder is looked up', async () => {
  const { ledger, uploads, together } = setUp(1);
  let realPath = (): Promise<string> => Promise.reject(new Error('EIO'));
  replaceCalls({ realpath: () => realPath() });
  const schedule = { hours: [], overruled: false };
  const [{ batchId } = { batchId: '' }] = await uploads.startTogether({
    uploads: together,
    schedule,
    isHeldBack: true,
  });
  await ledger.commit(() => ledger.batches.setScanned(batchId, NOTHING_LEFT_OUT));
  const hanging = Promise.withResolvers<void>();
  realPath = () => {
    hanging.resolve();
    return new Promise(() => {});
  };
  fakeTimeouts();
  await uploads.resume(batchId);
  await hanging.promise;
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  await expect
    .poll(() => uploads.get(batchId))
    .toMatchObject({ state: 'paused', reason: { code: 'upload/drive-unresponsive' } });
});

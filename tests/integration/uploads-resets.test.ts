/** A network that resets connections instead of refusing them: the upload waits as for an outage. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { openSignedIn, quickProbes, slow, withoutBackoff } from './support/desks.ts';
import { makeFolder, manyFiles } from './support/folders.ts';
import { startResettingNetwork } from './support/resetting-network.ts';
import { always, assignmentsOf, expectStored, once, storedOn } from './support/sandbox.ts';

beforeEach(withoutBackoff);
const files = manyFiles(30);

/**
 * Opens a desk that reaches the storage through a network that resets connections. `behind`: `both` if the desk also
 * reaches the service through this network.
 */
const setUp = async (behind: 'both' | 'storage') => {
  const network = await startResettingNetwork();
  const sandbox = await startSandbox({ consent: 'auto', storageBaseUrl: network.url });
  onTestFinished(() => sandbox.close());
  network.leadTo(sandbox.port);
  const baseUrl = behind === 'both' ? network.url : sandbox.baseUrl;
  const { authUrl, clientId } = sandbox;
  const [assignment = ''] = await assignmentsOf(sandbox);
  const desk = await openSignedIn({ sandbox: { baseUrl, authUrl, clientId }, ...slow, ...quickProbes });
  return { network, desk, assignment, control: createSandboxControl(sandbox) };
};

test.each([
  ['both', 'at-once'],
  ['storage', 'first-bytes'],
] as const)(
  '%s behind resets %s: the batch waits, says since when, and continues; each file once',
  async (behind, when) => {
    const { network, desk, assignment, control } = await setUp(behind);
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
    const beganMs = Date.now();
    network.breakDown(when);
    const waiting = await desk.when(batchId, ({ reason }) => reason !== undefined);
    const { host } = new URL(network.url);
    expect(waiting).toMatchObject({
      state: 'running',
      failed: 0,
      bytesPerSecond: 0,
      reason: { code: 'service/unreachable', details: { host } },
    });
    const side = behind === 'both' ? 'service' : 'storage';
    const { reachability } = await desk.handlers.app.snapshot(undefined);
    expect(reachability[side]).toMatchObject({ state: 'unreachable', host });
    const { sinceMs } = { sinceMs: 0, ...reachability[side] };
    expect(sinceMs).toBeGreaterThanOrEqual(beganMs);

    // Waits longer than all attempts for one file would take.
    const before = network.resets();
    await expect.poll(network.resets).toBeGreaterThan(before + 2);
    expect(await desk.uploads.get(batchId)).toMatchObject({ state: 'running', failed: 0 });
    network.recover();
    const finished = await desk.uploads.ended(batchId);
    expect(finished).toMatchObject({ state: 'finished', uploaded: 30, failed: 0 });
    expect(finished).not.toHaveProperty('reason');
    await expectStored(control, assignment, files);
    await expect
      .poll(async () => (await desk.handlers.app.snapshot(undefined)).reachability[side].state)
      .toBe('online');
  },
);

test('a file stored before the reset is not stored twice, even if its URL has expired', async () => {
  const { network, desk, assignment, control } = await setUp('storage');
  // The storage stores the file, and does not respond until the connection is closed.
  const silentlyStored = { type: 'stall', forMs: 3_600_000, in: 'answer' } as const;
  await control.faults.add(once('storage-put', silentlyStored, 'only.txt'));
  const { batchId } = await desk.uploads.start({ root: makeFolder({ 'only.txt': 'one' }), assignmentId: assignment });
  await expect.poll(async () => (await storedOn(control, assignment)).length).toBe(1);
  await control.faults.add(once('storage-put', { type: 'expired-url' }, 'only.txt'));
  network.breakDown('first-bytes');
  await desk.when(batchId, ({ reason }) => reason !== undefined);
  network.recover();
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 1, failed: 0 });
  await expectStored(control, assignment, { 'only.txt': 'one' });
  expect((await control.stats()).routes['remove-file'].requests).toBe(1);
});

test.each([
  ['storage-put', { type: 'reset', at: 'during-body' }],
  ['sign-upload', { type: 'reset', at: 'after-body' }],
] as const)(
  'a network that passes probes and interrupts every %s by %o: the batch waits, says since when, and continues',
  async (route, effect) => {
    const { desk, assignment, control } = await setUp('both');
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
    await control.faults.add(always(route, effect));
    const waiting = await desk.when(batchId, ({ reason }) => reason !== undefined);
    expect(waiting).toMatchObject({
      state: 'running',
      failed: 0,
      bytesPerSecond: 0,
      reason: { code: 'network/interrupted' },
    });
    const storage = async () => (await desk.handlers.app.snapshot(undefined)).reachability.storage;
    // Waits, because files that were signed earlier may still be stored, and the app then assumes for a moment that the
    // network works again.
    await expect.poll(storage).toMatchObject({ state: 'unreachable', reason: { code: 'network/interrupted' } });

    // Waits for more faults than one file has attempts.
    const fired = async () => (await control.faults.list())[0]?.fired ?? 0;
    const before = await fired();
    await expect.poll(fired).toBeGreaterThan(before + 10);
    expect(await desk.uploads.get(batchId)).toMatchObject({ state: 'running', failed: 0 });
    await control.faults.clear();
    const finished = await desk.uploads.ended(batchId);
    expect(finished).toMatchObject({ state: 'finished', uploaded: 30, failed: 0 });
    expect(finished).not.toHaveProperty('reason');
    await expectStored(control, assignment, files);
    await expect.poll(async () => (await storage()).state).toBe('online');
  },
);

test('an upload that waits for interrupted transfers can be paused; nothing says then that it waits', async () => {
  const { desk, assignment, control } = await setUp('both');
  await control.faults.add(always('storage-put', { type: 'reset', at: 'during-body' }));
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  await desk.when(batchId, ({ reason }) => reason !== undefined);
  await desk.uploads.pause(batchId);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'paused', failed: 0 });
  await expect
    .poll(async () => (await desk.handlers.app.snapshot(undefined)).reachability.storage.state)
    .not.toBe('unreachable');
});

test('when the host answers probes, only the file with repeated resets fails', async () => {
  const { desk, assignment, control } = await setUp('both');
  await control.faults.add(always('storage-put', { type: 'reset', at: 'before-body' }, 'file-0003'));
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 29, failed: 1 });
});

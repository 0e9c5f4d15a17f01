/** A storage that stalls, and one that stores a file after the app has stopped waiting. */
import { describe, expect, test } from 'vitest';
import { isBeingCancelled } from '../../src/contract/uploads.ts';
import { openSignedIn } from './support/desks.ts';
import { bytes, makeFolder } from './support/folders.ts';
import { always, expectStored, once, silence, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
/** The file is larger than the systems' buffers of a connection that nobody reads: 4 and 6 MB on Linux. */
const large = { 'large.jpg': bytes(16 * 1024 * 1024) };
const small = { 'small.txt': 'small' };
const brief = 1_500;
const long = 60_000;

/**
 * The sandbox receives every byte, but stores the file only when the test releases it. By then, no request waits for
 * it.
 */
const storedOnRelease = { type: 'store-late', delayMs: 3_600_000 } as const;

const storeLate = async (assignment: string): Promise<void> => {
  await sandbox.control.faults.release();
  await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBe(1);
};

const open = (timeouts = {}) => openSignedIn({ sandbox: sandbox.address, timeouts });

describe('a storage that stalls', () => {
  test('while the file is sent: sends it again to the same Key', async () => {
    await sandbox.control.faults.add(once('storage-put', { ...silence, afterBytes: 100_000 }));
    const desk = await open({ idleMs: brief });
    const assignment = sandbox.newAssignment();
    const { batchId, ...counts } = await desk.upload(makeFolder(large), assignment);
    expect(counts).toMatchObject({ state: 'finished', uploaded: 1, failed: 0 });
    const file = (await desk.filesOf(batchId))['large.jpg'];
    expect(file).toMatchObject({ state: 'done' });
    // On a busy machine, more than one attempt may stall.
    expect(file?.attempts).toBeGreaterThan(1);
    await expectStored(sandbox.control, assignment, large);
    expect((await sandbox.control.stats()).routes['sign-upload'].requests).toBe(1);
  });

  test('always after the last byte: the file fails with the reason, and a retry stores it once', async () => {
    await sandbox.control.faults.add(always('storage-put', storedOnRelease));
    const desk = await open({ responseMs: brief });
    const assignment = sandbox.newAssignment();
    const { batchId, ...counts } = await desk.upload(makeFolder(small), assignment);
    expect(counts).toMatchObject({ state: 'finished', uploaded: 0, failed: 1 });
    expect((await desk.filesOf(batchId))['small.txt']).toMatchObject({ error: { code: 'upload/unanswered' } });
    await storeLate(assignment);
    await desk.uploads.retryFailed(batchId);
    expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 1, failed: 0 });
    await expectStored(sandbox.control, assignment, small);
  });
});

describe('a file that is stored after its batch was cancelled', () => {
  /** Cancels the upload of a file that the sandbox stores only when the test releases it. */
  const cancelling = async (graceMs: number) => {
    await sandbox.control.faults.add(once('storage-put', storedOnRelease));
    const desk = await open({ graceMs });
    const assignment = sandbox.newAssignment();
    const { batchId: batch } = await desk.uploads.start({ root: makeFolder(small), assignmentId: assignment });
    const fired = async () => (await sandbox.control.faults.list())[0]?.fired;
    await expect.poll(fired).toBe(1);
    const cancelled = desk.uploads.cancel(batch);
    // The tests await `cancelled`. If a test fails before that, the end of the desk makes `cancelled` reject, which
    // must not be reported as an unhandled rejection.
    cancelled.catch(() => {});
    const file = async () => (await desk.filesOf(batch))['small.txt'];
    return { desk, batch, assignment, cancelled, file };
  };

  test('while its answer is awaited: it counts as uploaded', async () => {
    const { desk, batch, assignment, cancelled } = await cancelling(long);
    await desk.when(batch, isBeingCancelled);
    await sandbox.control.faults.release();
    expect(await cancelled).toMatchObject({ state: 'cancelled', uploaded: 1, cancelled: 0 });
    await expectStored(sandbox.control, assignment, small);
  });

  test('a little later: it is found and removed', async () => {
    const { assignment, cancelled, file } = await cancelling(100);
    const removals = async () => (await sandbox.control.stats()).routes['remove-file'].requests;
    await expect.poll(removals).toBeGreaterThan(0);
    await sandbox.control.faults.release();
    await cancelled;
    expect(await file()).toMatchObject({ state: 'cancelled' });
    expect(await storedOn(sandbox.control, assignment)).toEqual([]);
  });

  test('much later: it is uncertain, not cancelled, and a retry settles it', async () => {
    const { desk, batch, assignment, cancelled, file } = await cancelling(100);
    await cancelled;
    expect(await file()).toMatchObject({ state: 'uncertain', error: { code: 'upload/uncertain' } });
    await storeLate(assignment);
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 1, failed: 0 });
    await expectStored(sandbox.control, assignment, small);
  });
});

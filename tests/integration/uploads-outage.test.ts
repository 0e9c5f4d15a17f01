import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Batch } from '../../src/contract/uploads.ts';
import type { DeskOptions } from '../../src/main/core/desk.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createSandboxControl } from '../../src/sandbox/testing/control-client.ts';
import { createTestKeychain, openDesk, openSignedIn, quickProbes, slow, withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { always, assignmentsOf, expectStored, once, silence, useSandbox } from './support/sandbox.ts';
import { isFinished } from './support/uploads.ts';

beforeEach(withoutBackoff);

const files = manyFiles(30);
const isPaused = ({ state }: Batch) => state === 'paused';

describe('the session', () => {
  const sandbox = useSandbox();

  test('an access token that expires midway is refreshed once', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const assignment = sandbox.newAssignment();
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
    await sandbox.control.expireAccessTokens();
    expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
    const { tokenRefreshes, violations } = await sandbox.control.stats();
    expect(tokenRefreshes).toBe(1);
    expect(violations['refresh-token-replayed']).toBe(0);
  });

  test('refuses another user’s sign-in; the batch continues with its own user', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const assignment = sandbox.newAssignment();
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
    await sandbox.control.revokeSessions();
    await desk.uploads.ended(batchId);

    await sandbox.control.become('user-4712');
    const handedOver = desk.when(batchId, ({ reason }) => reason?.code === 'upload/other-session');
    await desk.signIn();
    expect(await handedOver).toMatchObject({ state: 'paused', isOthers: true });
    for (const touch of [desk.uploads.resume, desk.uploads.retryFailed, desk.uploads.cancel]) {
      await expect(touch(batchId)).rejects.toMatchObject({ code: 'upload/other-session' });
    }
    expect(await desk.uploads.get(batchId)).toMatchObject({ state: 'paused' });

    const handedBack = desk.when(batchId, ({ reason }) => reason?.code === 'auth/required');
    await desk.connected().session.signOut();
    expect(await handedBack).toMatchObject({ state: 'paused' });
    expect(await handedBack).not.toHaveProperty('isOthers');
    await sandbox.control.become('user-4711');
    await desk.signIn();
    expect(await desk.when(batchId, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });

  test('a revoked session pauses the batch, and the next sign-in continues it', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const assignment = sandbox.newAssignment();
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
    await sandbox.control.revokeSessions();
    const paused = await desk.uploads.ended(batchId);
    expect(paused).toMatchObject({ state: 'paused', failed: 0, reason: { code: expect.stringMatching(/^auth\//) } });
    expect(paused.uploaded).toBeLessThan(30);
    expect(await desk.handlers.app.snapshot(undefined)).toMatchObject({
      session: { state: 'signed-out', reason: { code: 'auth/expired' } },
    });

    const running = desk.when(batchId, ({ state }) => state === 'running');
    await desk.signIn();
    expect(await running).not.toHaveProperty('reason');
    expect(await desk.when(batchId, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });

  test('a sign-in while files of the revoked session are still being sent continues the batch', async () => {
    await sandbox.control.faults.add(once('storage-put', silence, 'file-0000'));
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const assignment = sandbox.newAssignment();
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
    await sandbox.control.revokeSessions();
    await expect.poll(() => desk.connected().session.status().state).toBe('signed-out');
    await desk.signIn();
    await sandbox.control.faults.release();
    expect(await desk.when(batchId, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });

  test('signing out pauses as well; nothing continues before the next sign-in', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: sandbox.newAssignment() });
    await desk.handlers.session.signOut(undefined);
    expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'paused', reason: { code: 'auth/required' } });
    await expect(desk.uploads.resume(batchId)).rejects.toMatchObject({ code: 'auth/required' });
    await desk.signIn();
    expect(await desk.when(batchId, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
  });

  test('of another user is not used; the batch continues with its own', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const assignment = sandbox.newAssignment();
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
    desk.uploads.setSession({ signedIn: true, subject: 'somebody else' });
    const paused = await desk.uploads.ended(batchId);
    expect(paused).toMatchObject({ state: 'paused', failed: 0, reason: { code: 'upload/other-session' } });
    expect(paused.uploaded).toBeLessThan(30);

    await desk.signIn();
    expect(await desk.when(batchId, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });
});

describe('the service', () => {
  const upload = async (options: DeskOptions = {}) => {
    const stateDir = makeDirectory();
    const first = await startSandbox({ consent: 'auto', stateDir });
    const [assignment = ''] = await assignmentsOf(first);
    const desk = await openSignedIn({
      sandbox: first,
      keychain: createTestKeychain(),
      ...slow,
      ...quickProbes,
      ...options,
    });
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
    await first.close();
    const startAgain = async () => {
      const again = await startSandbox({ consent: 'auto', stateDir, port: first.port });
      onTestFinished(() => again.close());
      return () => expectStored(createSandboxControl(again), assignment, files);
    };
    return { desk, batch: batchId, startAgain };
  };
  const unreachable = { code: 'service/unreachable', retry: 'later' };

  test('disappears midway: the batch waits, says so, and continues automatically; no file fails', async () => {
    const { desk, batch, startAgain } = await upload();
    const waiting = await desk.when(batch, ({ reason }) => reason !== undefined);
    expect(waiting).toMatchObject({ state: 'running', failed: 0, reason: unreachable });
    const expectAllStored = await startAgain();
    const finished = await desk.uploads.ended(batch);
    expect(finished).toMatchObject({ state: 'finished', uploaded: 30, failed: 0 });
    expect(finished).not.toHaveProperty('reason');
    await expectAllStored();
  });

  test('is unreachable for too long: the batch pauses, and resume continues it', async () => {
    const { desk, batch, startAgain } = await upload({ networkPatienceMs: 0 });
    expect(await desk.when(batch, isPaused)).toMatchObject({ failed: 0, reason: unreachable });
    await desk.uploads.resume(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'paused', reason: unreachable });
    const expectAllStored = await startAgain();
    await desk.uploads.resume(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 30, failed: 0 });
    await expectAllStored();
  });

  test('a waiting batch can be paused, resumed and cancelled', async () => {
    const { desk, batch } = await upload();
    await desk.when(batch, ({ reason }) => reason !== undefined);
    await desk.uploads.pause(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'paused', failed: 0 });
    await desk.uploads.resume(batch);
    await desk.when(batch, ({ reason }) => reason !== undefined);
    await desk.uploads.close();
    expect(await desk.uploads.get(batch)).toMatchObject({ state: 'running', failed: 0 });
  });
});

describe('another connection', () => {
  const sandbox = useSandbox();
  const other = useSandbox();

  test('neither continues nor changes the batch, nor reads its files', async () => {
    await sandbox.control.faults.add(always('storage-put', silence, 'file-0003'));
    const assignment = sandbox.newAssignment();
    const home = makeDirectory();
    const mine = await openSignedIn({ sandbox: sandbox.address, home });
    const { batchId } = await mine.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await mine.when(batchId, ({ uploaded }) => uploaded >= 5);
    await mine.close();

    const theirs = await openSignedIn({ sandbox: other.address, home });
    expect((await theirs.handlers.app.snapshot(undefined)).batches).toEqual([]);
    const refused = { code: 'upload/other-session' };
    await expect(theirs.uploads.resume(batchId)).rejects.toMatchObject(refused);
    await expect(theirs.uploads.retryFailed(batchId)).rejects.toMatchObject(refused);
    await expect(theirs.uploads.pause(batchId)).rejects.toMatchObject(refused);
    await expect(theirs.uploads.cancel(batchId)).rejects.toMatchObject(refused);
    await expect(theirs.handlers.files.remove({ batchIds: [batchId], folder: '' })).rejects.toMatchObject(refused);
    await expect(theirs.uploads.files(batchId, { offset: 0, limit: 1 })).rejects.toMatchObject(refused);
    expect((await other.control.stats()).routes['remove-file'].requests).toBe(0);
    await theirs.close();

    await sandbox.control.faults.clear();
    const again = await openDesk({ sandbox: sandbox.address, home });
    await again.signIn();
    expect(await again.when(batchId, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });
});

describe('a gateway in front of the service', () => {
  const sandbox = useSandbox();

  test('that responds 502 while the service restarts: uploads wait, and continue', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...quickProbes });
    const assignment = sandbox.newAssignment();
    await sandbox.control.faults.add(
      always('sign-upload', { type: 'status', status: 502 }),
      always('list-orderable-events', { type: 'status', status: 502 }),
    );
    const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    const waiting = await desk.when(batchId, ({ reason }) => reason !== undefined);
    expect(waiting).toMatchObject({ state: 'running', reason: { code: 'service/unreachable' } });
    const { requests } = (await sandbox.control.stats()).routes['list-orderable-events'];
    await expect
      .poll(async () => (await sandbox.control.stats()).routes['list-orderable-events'].requests)
      .toBeGreaterThan(requests + 20);
    expect(await desk.uploads.get(batchId)).toMatchObject({ state: 'running', failed: 0 });
    await sandbox.control.faults.clear();
    expect(await desk.when(batchId, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { Batch } from '../../src/contract/models.ts';
import { createSandboxControl } from '../../src/sandbox/control-client.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { createTestKeychain, openDesk, openSignedIn, slow, withoutBackoff } from './support/desks.ts';
import { eventually } from './support/eventually.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { always, assignmentsOf, expectStored, once, silence, useSandbox } from './support/sandbox.ts';

beforeEach(withoutBackoff);

const files = manyFiles(30);
/** Slow enough for something to happen in the middle. */
const isPaused = ({ state }: Batch) => state === 'paused';
const isFinished = ({ state }: Batch) => state === 'finished';

describe('the session', () => {
  const sandbox = useSandbox();

  test('an access token that expires in the middle is refreshed once for all', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const assignment = sandbox.newAssignment();
    const { batch } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batch, ({ uploaded }) => uploaded >= 5);
    await sandbox.control.expireAccessTokens();
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
    const { tokenRefreshes, violations } = await sandbox.control.stats();
    expect(tokenRefreshes).toBe(1);
    expect(violations['refresh-token-replayed']).toBe(0);
  });

  test('a session that is revoked pauses the batch, and the next sign-in goes on with it', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const assignment = sandbox.newAssignment();
    const { batch } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batch, ({ uploaded }) => uploaded >= 5);
    await sandbox.control.revokeSessions();
    const paused = await desk.uploads.ended(batch);
    expect(paused).toMatchObject({ state: 'paused', failed: 0, reason: { code: expect.stringMatching(/^auth\//) } });
    expect(paused.uploaded).toBeLessThan(30);
    expect(await desk.handlers.app.snapshot(undefined)).toMatchObject({
      session: { state: 'signed-out', reason: { code: 'auth/expired' } },
    });

    const running = desk.when(batch, ({ state }) => state === 'running');
    await desk.signIn();
    expect(await running).not.toHaveProperty('reason');
    expect(await desk.when(batch, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });

  test('a sign-in while files of the revoked session are still on their way goes on too', async () => {
    await sandbox.control.faults.add(once('storage-put', { type: 'stall', forMs: 1500 }, 'file-0000'));
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const assignment = sandbox.newAssignment();
    const { batch } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batch, ({ uploaded }) => uploaded >= 5);
    await sandbox.control.revokeSessions();
    await eventually(() => desk.connected().session.status().state).toBe('signed-out');
    await desk.signIn();
    expect(await desk.when(batch, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });

  test('signing out pauses too; nothing goes on before somebody signs in', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address, ...slow });
    const { batch } = await desk.uploads.start({ root: makeFolder(files), assignmentId: sandbox.newAssignment() });
    await desk.handlers.session.signOut(undefined);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'paused', reason: { code: 'auth/required' } });
    await expect(desk.uploads.resume(batch)).rejects.toMatchObject({ code: 'auth/required' });
    await desk.signIn();
    expect(await desk.when(batch, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
  });
});

describe('the service', () => {
  test('is gone in the middle: the batch pauses, and goes on when it is there again', async () => {
    const stateDir = makeDirectory();
    const first = await startSandbox({ consent: 'auto', stateDir });
    const [assignment = ''] = await assignmentsOf(first);
    const keychain = createTestKeychain();
    const desk = await openSignedIn({ sandbox: first, keychain, ...slow });
    const { batch } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await desk.when(batch, ({ uploaded }) => uploaded >= 5);
    await first.close();
    const paused = await desk.when(batch, isPaused);
    expect(paused).toMatchObject({ failed: 0, reason: { code: 'service/unreachable', retry: 'later' } });

    await desk.uploads.resume(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'paused', reason: { code: 'service/unreachable' } });

    const again = await startSandbox({ consent: 'auto', stateDir, port: first.port });
    try {
      await desk.uploads.resume(batch);
      expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 30, failed: 0 });
      await expectStored(createSandboxControl(again), assignment, files);
    } finally {
      await again.close();
    }
  });
});

describe('another connection', () => {
  const sandbox = useSandbox();
  const other = useSandbox();

  test('neither goes on with the batch nor touches it', async () => {
    await sandbox.control.faults.add(always('storage-put', silence, 'file-0003'));
    const assignment = sandbox.newAssignment();
    const home = makeDirectory();
    const mine = await openSignedIn({ sandbox: sandbox.address, home });
    const { batch } = await mine.uploads.start({ root: makeFolder(files), assignmentId: assignment });
    await mine.when(batch, ({ uploaded }) => uploaded >= 5);
    await mine.close();

    const theirs = await openSignedIn({ sandbox: other.address, home });
    expect((await theirs.handlers.app.snapshot(undefined)).batches).toEqual([]);
    const refused = { code: 'upload/other-session' };
    await expect(theirs.uploads.resume(batch)).rejects.toMatchObject(refused);
    await expect(theirs.uploads.retryFailed(batch)).rejects.toMatchObject(refused);
    await expect(theirs.uploads.pause(batch)).rejects.toMatchObject(refused);
    await expect(theirs.uploads.cancel(batch)).rejects.toMatchObject(refused);
    expect((await other.control.stats()).routes['remove-file'].requests).toBe(0);
    await theirs.close();

    await sandbox.control.faults.clear();
    const again = await openDesk({ sandbox: sandbox.address, home });
    await again.signIn();
    expect(await again.when(batch, isFinished)).toMatchObject({ uploaded: 30, failed: 0 });
    await expectStored(sandbox.control, assignment, files);
  });
});

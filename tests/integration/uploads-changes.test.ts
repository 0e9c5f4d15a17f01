/** Files that change on disk between the scan and the end of their upload. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openSignedIn, slowDown, type TestDesk, withoutBackoff } from './support/desks.ts';
import { bytes, makeFolder } from './support/folders.ts';
import { always, expectStored, once, silence, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const tree = { 'a first.txt': 'first', 'victim.txt': 'as it was found', 'z last.txt': 'last' };

let assignment: string;
let root: string;
let victim: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  root = makeFolder(tree);
  victim = join(root, 'victim.txt');
});

/** Uploads the folder. Calls `change` after the folder was read, and before the upload of the second file begins. */
const uploadWhile = async (change: () => void): Promise<{ desk: TestDesk; batch: string }> => {
  const desk = await openSignedIn({ sandbox: sandbox.address, concurrency: 1 });
  await sandbox.control.faults.add(once('storage-put', silence, 'a first.txt'));
  const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
  await expect.poll(async () => (await desk.filesOf(batchId))['a first.txt']?.state).toBe('sending');
  change();
  await sandbox.control.faults.release();
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 2, failed: 1 });
  return { desk, batch: batchId };
};

describe('between the scan and the send', () => {
  const becomeFolder = () => {
    rmSync(victim);
    mkdirSync(victim);
  };
  const changes: readonly [string, () => void, string][] = [
    ['grew', () => appendFileSync(victim, ' and more'), 'upload/file-changed'],
    ['became shorter', () => truncateSync(victim, 2), 'upload/file-changed'],
    ['was written with the same size', () => writeFileSync(victim, 'AS IT WAS FOUND'), 'upload/file-changed'],
    ['was touched', () => utimesSync(victim, 1_700_000_000, 1_700_000_000), 'upload/file-changed'],
    ['was removed', () => rmSync(victim), 'upload/file-missing'],
    ['became a folder', becomeFolder, 'upload/file-changed'],
    ['was renamed', () => renameSync(victim, `${victim}.old`), 'upload/file-missing'],
  ];

  test.each(changes)('a file that %s fails with a code of its own, and the others arrive', async (_, change, code) => {
    const { desk, batch } = await uploadWhile(change);
    expect((await desk.filesOf(batch))['victim.txt']).toMatchObject({ state: 'failed', attempts: 0, error: { code } });
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(2);

    rmSync(victim, { recursive: true, force: true });
    writeFileSync(victim, 'as it is now');
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 3, failed: 0 });
    await expectStored(sandbox.control, assignment, { ...tree, 'victim.txt': 'as it is now' });
  });

  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
    'a file that may not be read fails with its own code (skipped for root, who may read everything)',
    async () => {
      const { desk, batch } = await uploadWhile(() => chmodSync(victim, 0));
      expect((await desk.filesOf(batch))['victim.txt']).toMatchObject({ error: { code: 'upload/file-unreadable' } });
    },
  );

  test('a file that is still missing at the retry fails again', async () => {
    const { desk, batch } = await uploadWhile(() => rmSync(victim));
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 2, failed: 1 });
    expect((await desk.filesOf(batch))['victim.txt']).toMatchObject({ error: { code: 'upload/file-missing' } });
  });
});

test('a folder that goes away with its drive pauses the batch, and no file fails', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address, concurrency: 1 });
  await sandbox.control.faults.add(once('storage-put', silence, 'a first.txt'));
  const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
  await expect.poll(async () => (await desk.filesOf(batchId))['a first.txt']?.state).toBe('sending');
  renameSync(root, `${root} away`);
  await sandbox.control.faults.release();
  const paused = await desk.when(batchId, ({ state }) => state === 'paused');
  renameSync(`${root} away`, root);
  expect(paused).toMatchObject({ uploaded: 1, failed: 0, reason: { code: 'upload/folder-missing' } });
  await desk.uploads.resume(batchId);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 3, failed: 0 });
  await expectStored(sandbox.control, assignment, tree);
});

describe('while it is read', () => {
  const content = bytes(4 * 1024 * 1024);

  /** Changes a file after its first bytes were sent. The remaining bytes are sent after the change. */
  const changedWhileSent = async (change: (path: string) => void) => {
    root = makeFolder({ 'large.jpg': content });
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const goOn = await slowDown(desk);
    const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
    await desk.when(batchId, ({ bytesSent }) => bytesSent > 0);
    change(join(root, 'large.jpg'));
    await goOn();
    expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 0, failed: 1 });
    expect((await desk.filesOf(batchId))['large.jpg']).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: { code: 'upload/file-changed' },
    });
    expect(await storedOn(sandbox.control, assignment)).toEqual([]);
    return { desk, batch: batchId };
  };

  test('a growing file never arrives in part; the retry sends its new content', async () => {
    const { desk, batch } = await changedWhileSent((path) => appendFileSync(path, 'more'));
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ uploaded: 1, failed: 0 });
    await expectStored(sandbox.control, assignment, { 'large.jpg': Buffer.concat([content, Buffer.from('more')]) });
  });

  test('a file that is truncated', async () => {
    await changedWhileSent((path) => truncateSync(path, 1000));
  });

  test('a file that is overwritten', async () => {
    await changedWhileSent((path) => writeFileSync(path, bytes(content.length)));
  });
});

test('a file that changed after an unclear attempt replaces what may have arrived', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await sandbox.control.faults.add(always('storage-put', { type: 'reset', at: 'after-body' }, 'victim.txt'));
  const { batchId, ...counts } = await desk.upload(root, assignment);
  expect(counts).toMatchObject({ uploaded: 2, failed: 1 });
  writeFileSync(victim, 'as it is now');
  await sandbox.control.faults.clear();
  await desk.uploads.retryFailed(batchId);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 3, failed: 0 });
  await expectStored(sandbox.control, assignment, { ...tree, 'victim.txt': 'as it is now' });
});

test('counts an unreadable folder below the root', async () => {
  mkdirSync(join(root, 'closed'), { mode: 0 });
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { leftOut } = await desk.upload(root, assignment);
  expect(leftOut.unreadable).toBe(process.getuid?.() === 0 ? 0 : 1);
  chmodSync(join(root, 'closed'), 0o700);
});

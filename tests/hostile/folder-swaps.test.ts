/** Files that are replaced between the scan and the upload. */
import { realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { spawnCli } from '../integration/support/cli.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from '../integration/support/desks.ts';
import { bytes, makeDirectory, makeFolder, sha256 } from '../integration/support/folders.ts';
import { once, silence, storedOn, useSandbox } from '../integration/support/sandbox.ts';
import { makePipe, makeSecret, swapForLink } from './support/hostile-folder.ts';

const sandbox = useSandbox();
const onPosix = describe.skipIf(process.platform === 'win32');
const tree = {
  'a first.txt': 'first',
  'victim.txt': 'honest small file',
  'z/victim.txt': 'honest in a folder',
  'z/large.bin': bytes(600_000),
};

let assignment: string;
let root: string;
let elsewhere: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  root = realpathSync(makeFolder(tree));
  elsewhere = realpathSync(makeDirectory());
});

/** Uploads the folder. Calls `swap` after the folder was read, and before the upload of the second file begins. */
const uploadWhile = async (swap: () => void): Promise<{ desk: TestDesk; batch: string }> => {
  const desk = await openSignedIn({ sandbox: sandbox.address, concurrency: 1 });
  await sandbox.control.faults.add(once('storage-put', silence, 'a first.txt'));
  const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
  await desk.when(batchId, ({ state, files }) => state === 'running' && files === 4);
  await expect.poll(async () => (await desk.filesOf(batchId))['a first.txt']?.state).toBe('sending');
  swap();
  await sandbox.control.faults.release();
  await desk.uploads.ended(batchId);
  return { desk, batch: batchId };
};

const codes = async (desk: TestDesk, batch: string) =>
  Object.fromEntries(
    Object.entries(await desk.filesOf(batch)).map(([path, { state, error }]) => [path, error?.code ?? state]),
  );

/** Expects that the assignment has no content that was not in the folder. */
const expectNothingElse = async () => {
  const honest = new Set(Object.values(tree).map(sha256));
  for (const object of await storedOn(sandbox.control, assignment)) expect(honest).toContain(object.sha256);
};

onPosix('A4: a file swapped for a link', () => {
  test.each(['victim.txt', 'z/victim.txt', 'z/large.bin'])('%s: its target is not sent, nor on retry', async (path) => {
    const victim = join(root, path);
    const secret = makeSecret(elsewhere, victim);
    let putBack = (): void => {};
    const { desk, batch } = await uploadWhile(() => {
      putBack = swapForLink(victim, secret);
    });
    expect(await codes(desk, batch)).toMatchObject({ [path]: 'upload/file-linked', 'a first.txt': 'done' });
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ uploaded: 3, failed: 1 });
    await expectNothingElse();
    putBack();
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ uploaded: 4, failed: 0 });
    await expectNothingElse();
  });

  test('a folder swapped for a link: nothing behind it is sent, nor on retry', async () => {
    for (const name of ['victim.txt', 'large.bin']) makeSecret(elsewhere, join(root, 'z', name), name);
    const { desk, batch } = await uploadWhile(() => {
      renameSync(join(root, 'z'), join(root, '.z'));
      symlinkSync(elsewhere, join(root, 'z'));
    });
    const linked = { 'z/victim.txt': 'upload/file-linked', 'z/large.bin': 'upload/file-linked' };
    expect(await codes(desk, batch)).toMatchObject(linked);
    await desk.uploads.retryFailed(batch);
    await desk.uploads.ended(batch);
    expect(await codes(desk, batch)).toMatchObject(linked);
    await expectNothingElse();
  });

  test('the chosen folder swapped for a link: nothing behind it is sent, nor on retry', async () => {
    for (const path of ['victim.txt', 'z/victim.txt', 'z/large.bin']) {
      const place = join(elsewhere, path);
      makeSecret(join(place, '..'), join(root, path), path.split('/').at(-1));
    }
    const { desk, batch } = await uploadWhile(() => {
      renameSync(root, `${root}-kept`);
      symlinkSync(elsewhere, root);
    });
    onTestFinished(() => rmSync(`${root}-kept`, { recursive: true }));
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ uploaded: 1, failed: 3 });
    await expectNothingElse();
  });

  test('a chosen folder that is a link itself is uploaded', async () => {
    const link = join(elsewhere, 'link');
    symlinkSync(root, link);
    const desk = await openSignedIn({ sandbox: sandbox.address });
    expect(await desk.upload(link, assignment)).toMatchObject({ state: 'finished', uploaded: 4, failed: 0 });
  });

  test('a folder that replaced the chosen one is not verified as uploaded', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
    await desk.uploads.ended(batchId);
    renameSync(root, `${root}-kept`);
    onTestFinished(() => rmSync(`${root}-kept`, { recursive: true }));
    symlinkSync(elsewhere, root);
    writeFileSync(join(elsewhere, 'victim.txt'), 'SECRET');
    const { files } = await desk.uploads.verify(batchId, 0, new AbortController().signal);
    expect(files.map(({ verdict }) => verdict)).toEqual(['missing', 'changed', 'missing', 'missing']);
  });
});

test('A4: an editor that saves by renaming has changed the file, and a retry sends what it saved', async () => {
  const victim = join(root, 'victim.txt');
  const { desk, batch } = await uploadWhile(() => {
    writeFileSync(join(root, '.saved'), 'HONEST SMALL FILE');
    renameSync(join(root, '.saved'), victim);
  });
  expect(await codes(desk, batch)).toMatchObject({ 'victim.txt': 'upload/file-changed' });
  await desk.uploads.retryFailed(batch);
  expect(await desk.uploads.ended(batch)).toMatchObject({ uploaded: 4, failed: 0 });
});

onPosix('A5: a file swapped for a pipe', () => {
  const swap = (): void => {
    for (const path of ['victim.txt', 'z/large.bin']) {
      rmSync(join(root, path));
      makePipe(join(root, path));
    }
  };

  test('fails, and the others arrive', async () => {
    const { desk, batch } = await uploadWhile(swap);
    expect(await codes(desk, batch)).toEqual({
      'a first.txt': 'done',
      'victim.txt': 'upload/file-changed',
      'z/large.bin': 'upload/file-changed',
      'z/victim.txt': 'done',
    });
    await desk.uploads.retryFailed(batch);
    expect(await desk.uploads.ended(batch)).toMatchObject({ uploaded: 2, failed: 2 });
    await desk.close();
    expect(desk.hangs()).toBe(false);
  });

  test('the command line reports it and ends', async () => {
    const options = { sandbox: sandbox.address, home: makeDirectory() };
    await sandbox.control.faults.add(once('storage-put', silence, 'a first.txt'));
    const args = ['upload', root, '--assignment', assignment, '--concurrency', '1'];
    let swapped = false;
    const run = await spawnCli(args, options, (line) => {
      if (line.type !== 'progress' || line.state !== 'running' || line.files !== 4 || swapped) return;
      swapped = true;
      swap();
      void sandbox.control.faults.release();
    });
    expect(run).toMatchObject({ exitCode: 1, signal: null });
    expect(run.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 2, failed: 2 });
  });
});

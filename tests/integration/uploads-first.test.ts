/** "Send first" moves files and folders before everything else that is queued. */
import { expect, test } from 'vitest';
import { createTestKeychain, openDesk } from './support/desks.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { isFinished, useUpload } from './support/uploads.ts';

const upload = useUpload();
const { sandbox, open, start, holdBack } = upload;

const LATER = { 'later-0.txt': '0', 'later-1.txt': '1', 'later-2.txt': '2' };

test('files, and then a folder, are sent first, also after a restart', async () => {
  const [home, keychain] = [makeDirectory(), createTestKeychain()];
  // Only one file is sent at a time, and the first one stalls.
  await holdBack('file-0000');
  const first = await open({ home, keychain, concurrency: 1 });
  const batch = await start(first);
  await first.when(batch, ({ files, state }) => files === 40 && state === 'running');
  const { batchId: folder } = await first.uploads.start({
    root: makeFolder(LATER),
    assignmentId: sandbox.newAssignment(),
  });
  await first.when(folder, ({ files, state }) => files === 3 && state === 'running');
  const files = await first.filesOf(batch);
  const chosen = ['part 0/file-0030.txt', 'part 2/file-0035.txt'].map((path) => files[path]?.id ?? 0);
  await first.uploads.sendFirst(batch, chosen);
  expect(await first.uploads.sendFirst(folder)).toMatchObject({ isFirst: true });
  await first.close();

  await sandbox.control.faults.clear();
  const earlier = new Set((await sandbox.control.objects()).map(({ Key }) => Key));
  // Each file takes a few milliseconds, so that the times at which the files are stored show their order.
  await sandbox.control.faults.add({ match: { route: 'storage-put' }, effect: { type: 'delay', delayMs: 5 } });
  const second = await openDesk({ sandbox: sandbox.address, home, keychain, concurrency: 1 });
  await second.when(batch, isFinished);
  await second.when(folder, isFinished);
  const sent = (await sandbox.control.objects()).filter(({ Key }) => !earlier.has(Key)).map(({ FileName }) => FileName);
  expect(sent).toHaveLength(43);
  // The interrupted file continues at the same time, and the first batch may have begun before the other one.
  expect(sent.slice(0, 7)).toEqual(expect.arrayContaining([...Object.keys(LATER), 'file-0030.txt', 'file-0035.txt']));
  expect(sent.indexOf('file-0030.txt')).toBeLessThan(sent.indexOf('file-0035.txt'));
});

test('a batch beyond those that run at once does not wait for them, if it is sent first', async () => {
  await holdBack('held');
  const desk = await open({ concurrency: 32 });
  const roots = Array.from({ length: 17 }, (_, index) => makeFolder({ [`held-${index}.txt`]: 'held' }));
  roots.push(makeFolder({ 'last.txt': 'last' }));
  const assignmentId = sandbox.newAssignment();
  const batches = await desk.uploads.startTogether({ uploads: roots.map((root) => ({ root, assignmentId })) });
  const last = batches.at(-1)?.batchId ?? '';
  await expect.poll(async () => (await desk.uploads.get(batches[0]?.batchId ?? '')).state).toBe('running');
  expect(await desk.uploads.get(last)).toMatchObject({ state: 'scanning', uploaded: 0 });
  await desk.uploads.sendFirst(last);
  expect(await desk.when(last, isFinished)).toMatchObject({ uploaded: 1 });
  const [first] = batches;
  await desk.uploads.changeUpload(first?.uploadId ?? '', 'sendFirst');
  await expect(desk.uploads.sendFirst(last)).rejects.toMatchObject({ code: 'upload/batch-state' });
});

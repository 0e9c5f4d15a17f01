import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeFolder } from './support/folders.ts';
import { always, once, silence } from './support/sandbox.ts';
import { isFinished, useUpload } from './support/uploads.ts';

const upload = useUpload();
const { sandbox, open, start } = upload;

const fails = { type: 'status', status: 403 } as const;

test('retries the failed files of a finished batch', async () => {
  const desk = await open();
  await sandbox.control.faults.add(always('sign-upload', fails, 'file-000'));
  const { batchId, ...before } = await desk.upload(upload.root, upload.assignment);
  expect(before).toMatchObject({ state: 'finished', uploaded: 30, failed: 10 });
  await sandbox.control.faults.clear();
  expect(await desk.uploads.retryFailed(batchId)).toMatchObject({ state: 'running', failed: 0 });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 40, failed: 0 });
  await upload.expectStored();
});

test('retries chosen files and leaves the others as they are', async () => {
  const desk = await open();
  await sandbox.control.faults.add(always('sign-upload', fails, 'file-000'));
  const { batchId } = await desk.upload(upload.root, upload.assignment);
  await sandbox.control.faults.clear();
  const files = await desk.filesOf(batchId);
  const idOf = (path: string): number => files[path]?.id ?? 0;
  const other = await desk.upload(makeFolder({ 'other.txt': 'other' }), sandbox.newAssignment());
  const [foreign] = (await desk.uploads.files(other.batchId, { offset: 0, limit: 1 })).files;
  const ids = [idOf('part 0/file-0000.txt'), idOf('part 1/file-0011.txt'), foreign?.id ?? 0, 0];
  expect(await desk.uploads.retryFiles(batchId, ids)).toMatchObject({ state: 'running', failed: 9 });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 31, failed: 9 });
  expect((await desk.filesOf(batchId))['part 0/file-0000.txt']).toMatchObject({ state: 'done' });
  // Without a failed file among `ids`, the batch does not run again.
  expect(await desk.uploads.retryFiles(batchId, ids)).toMatchObject({ state: 'finished', failed: 9 });
});

test('retries them while the batch runs, with correct counts', async () => {
  const desk = await open({ concurrency: 2 });
  await sandbox.control.faults.add(once('sign-upload', fails, 'file-0000'), once('storage-put', silence, 'file-0039'));
  const batch = await start(desk);
  await desk.when(batch, ({ failed, uploaded }) => failed === 1 && uploaded >= 30);
  expect(await desk.uploads.retryFailed(batch)).toMatchObject({ failed: 0 });
  await sandbox.control.faults.release();
  expect(await desk.when(batch, isFinished)).toMatchObject({ uploaded: 40, failed: 0 });
  for (const event of desk.events) {
    if (event.type !== 'batches') continue;
    for (const { files: all, uploaded, failed, bytes: total, bytesSent } of event.batches) {
      expect(uploaded + failed).toBeLessThanOrEqual(all);
      expect(bytesSent).toBeLessThanOrEqual(total);
    }
  }
  await upload.expectStored();
});

test('loses no file when retried at the very end of the batch', async () => {
  const desk = await open();
  await sandbox.control.faults.add(once('sign-upload', fails, 'file-0000'));
  const batch = await start(desk);
  // Requests a retry in every turn of the event loop, so that one request coincides with the end of the batch.
  while (!isFinished(await desk.uploads.get(batch))) {
    await setImmediate();
    await desk.uploads.retryFailed(batch).catch((error) => expect(error).toMatchObject({ code: 'upload/batch-state' }));
  }
  await desk.uploads.retryFailed(batch);
  expect(await desk.uploads.ended(batch)).toMatchObject({ state: 'finished', uploaded: 40, failed: 0 });
});

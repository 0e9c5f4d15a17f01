/** Signatures are requested ahead of the slots of the storage, over connections of their own. */
import { expect, test } from 'vitest';
import { always, silence } from './support/sandbox.ts';
import { useUpload } from './support/uploads.ts';

const upload = useUpload();
const { sandbox, open, start } = upload;

test('the window asks the service while dozens of signatures do not come', async () => {
  const desk = await open({ concurrency: 40 });
  await sandbox.control.faults.add(always('sign-upload', silence));
  const batch = await start(desk);
  const requested = async () => (await sandbox.control.stats()).routes['sign-upload'].requests;
  await expect.poll(requested).toBe(40);
  expect(await desk.handlers.protocols.list({})).toMatchObject({ source: 'service' });
  await sandbox.control.faults.release();
  await desk.uploads.cancel(batch);
});

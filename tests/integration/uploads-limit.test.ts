import { expect, test } from 'vitest';
import { openSignedIn } from './support/desks.ts';
import { bytes, makeFolder } from './support/folders.ts';
import { expectStored, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
/** With the lowest limit, these files would take longer than a test may. */
const files = { 'a.bin': bytes(400_000), 'b.bin': bytes(400_000) };

test('applies at once when it changes, also to files being sent', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const assignment = sandbox.newAssignment();
  const { set } = desk.handlers.preferences;
  await set({ uploadLimit: { bytesPerSecond: 1_000, schedule: [] } });
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  await desk.when(batchId, ({ bytesSent }) => bytesSent > 0);
  const { bytesSent } = await desk.uploads.get(batchId);
  expect(bytesSent).toBeLessThan(400_000);

  const always = { from: '00:00', to: '00:00', bytesPerSecond: 1_000_000_000 };
  await set({ uploadLimit: { bytesPerSecond: 1_000, schedule: [always] } });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 2 });
  await expectStored(sandbox.control, assignment, files);
});

test('leaving room is a setting, in working hours unless chosen otherwise', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { set } = desk.handlers.preferences;
  const chosen = async () => (await desk.handlers.app.snapshot(undefined)).preferences?.leaveRoom;
  expect(await chosen()).toBe('working-hours');
  await set({ leaveRoom: 'always' });
  expect(await chosen()).toBe('always');
  const assignment = sandbox.newAssignment();
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 2 });
  await expectStored(sandbox.control, assignment, files);
});

test('given at the start overrides the setting', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address, bytesPerSecond: 1_000_000_000 });
  await desk.handlers.preferences.set({ uploadLimit: { bytesPerSecond: 1_000, schedule: [] } });
  const assignment = sandbox.newAssignment();
  expect(await desk.upload(makeFolder(files), assignment)).toMatchObject({ state: 'finished', uploaded: 2 });
});

import { expect, test } from 'vitest';
import type { Schedule } from '../../src/contract/hours.ts';
import type { MachineState } from '../../src/main/net/machine-changes.ts';
import {
  createTestKeychain,
  openDesk,
  openSignedIn,
  slowDown,
  type TestDesk,
  type TestDeskOptions,
  withoutBackoff,
} from './support/desks.ts';
import { openDraft, startDraft, whenDraft } from './support/drafts.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { expectStored, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const HOUR_MS = 3_600_000;
const tick = { times: { tickMs: 40 } };

const open = (options: TestDeskOptions = {}): Promise<TestDesk> => {
  withoutBackoff();
  return openSignedIn({ sandbox: sandbox.address, watching: tick, ...options });
};
const start = async (desk: TestDesk, root: string, AssignmentId: string, schedule: Schedule) => {
  await openDraft(desk, [root], AssignmentId);
  return startDraft(desk, { schedule });
};

test('an upload that starts later is read and sent at its time, also by the next run of the app', async () => {
  const assignment = sandbox.newAssignment();
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const first = await open({ home, keychain });
  const notBeforeMs = Date.now() + HOUR_MS;
  const batch = await start(first, makeFolder({ 'a.txt': 'a' }), assignment, { notBeforeMs, hours: [] });
  expect(batch).toMatchObject({ state: 'paused', reason: { code: 'upload/scheduled' }, files: 0 });
  expect(batch.schedule).toMatchObject({ notBeforeMs, hours: [] });
  await first.close();

  let nowMs = Date.now();
  const second = await openDesk({
    sandbox: sandbox.address,
    home,
    keychain,
    watching: { ...tick, now: () => nowMs },
  });
  await expect.poll(() => second.connected().session.status().state).toBe('signed-in');
  expect(await second.uploads.get(batch.batchId)).toMatchObject({ state: 'paused', files: 0 });
  nowMs = notBeforeMs;
  await second.when(batch.batchId, ({ state }) => state === 'finished');
  await expectStored(sandbox.control, assignment, { 'a.txt': 'a' });
});

test('the start of a scheduled upload can be changed, to a later time and to hours that have begun', async () => {
  const assignment = sandbox.newAssignment();
  const desk = await open();
  const notBeforeMs = Date.now() + HOUR_MS;
  const { batchId, uploadId } = await start(desk, makeFolder({ 'a.txt': 'a' }), assignment, { notBeforeMs, hours: [] });
  const later = { notBeforeMs: notBeforeMs + HOUR_MS, hours: [] };
  await desk.handlers.uploads.reschedule({ of: { uploadId }, schedule: later });
  expect(await desk.uploads.get(batchId)).toMatchObject({ state: 'paused', schedule: later });
  const allDay = { hours: [{ from: '00:00', to: '00:00' }] };
  await desk.handlers.uploads.reschedule({ of: { batchId }, schedule: allDay });
  await desk.when(batchId, ({ state }) => state === 'finished');
  expect((await desk.uploads.get(batchId)).schedule).toEqual({ ...allDay, overruled: false });
  await expectStored(sandbox.control, assignment, { 'a.txt': 'a' });
});

test('a draft is sent within its hours, held back when they end, and sent at once if a person resumes it', async () => {
  const assignment = sandbox.newAssignment();
  let nowMs = new Date('2026-01-05T20:00').getTime();
  const desk = await open({ watching: { ...tick, now: () => nowMs } });
  const hurry = await slowDown(desk);
  const files = manyFiles(30);
  await openDraft(desk, [makeFolder(files)], assignment);
  await whenDraft(desk);
  const hours = [{ from: '18:00', to: '07:00' }];
  const { uploadId } = await desk.handlers.drafts.start({ schedule: { hours } });
  const batch = async () =>
    (await desk.handlers.app.snapshot(undefined)).batches.find((one) => one.uploadId === uploadId);
  await expect.poll(batch).toMatchObject({ state: 'running' });
  nowMs = new Date('2026-01-06T12:00').getTime();
  await expect.poll(batch).toMatchObject({ state: 'paused', reason: { code: 'upload/scheduled' } });
  await desk.handlers.uploads.resume({ uploadId });
  await expect.poll(batch).toMatchObject({ state: 'running', schedule: { overruled: true } });
  await hurry();
  await expect.poll(batch).toMatchObject({ state: 'finished' });
  await expectStored(sandbox.control, assignment, files);
});

test('without a wish to resume uploads, only those of this run are kept to their times', async () => {
  const assignment = sandbox.newAssignment();
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const later = { notBeforeMs: Date.now() + HOUR_MS, hours: [] };
  const first = await open({ home, keychain });
  const earlier = await start(first, makeFolder({ 'a.txt': 'a' }), assignment, later);
  await first.close();
  let nowMs = Date.now();
  const watching = { ...tick, now: () => nowMs };
  const second = await openDesk({ sandbox: sandbox.address, home, keychain, resumeUploads: false, watching });
  const own = await start(second, makeFolder({ 'b.txt': 'b' }), assignment, later);
  nowMs = later.notBeforeMs;
  await second.when(own.batchId, ({ state }) => state === 'finished');
  expect(await second.uploads.get(earlier.batchId)).toMatchObject({ state: 'paused' });
  expect((await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName)).toEqual(['b.txt']);
});

test('a low battery and a metered connection hold uploads back, unless a person sends them anyway', async () => {
  const assignment = sandbox.newAssignment();
  let machine: MachineState = { isMetered: false };
  const desk = await open({ host: { readMachine: async () => machine } });
  const hurry = await slowDown(desk);
  const files = manyFiles(30);
  await openDraft(desk, [makeFolder(files)], assignment);
  const { batchId } = await startDraft(desk, {});
  const batch = () => desk.uploads.get(batchId);
  await expect.poll(batch).toMatchObject({ state: 'running' });

  machine = { batteryPercent: 18, isMetered: true };
  const low = { code: 'upload/on-battery', details: { percent: 18 } };
  await expect.poll(batch).toMatchObject({ state: 'paused', reason: low });
  machine = { isMetered: true };
  await expect.poll(batch).toMatchObject({ state: 'paused', reason: { code: 'upload/on-metered' } });
  await desk.handlers.preferences.set({ waitOnMetered: false });
  await expect.poll(batch).toMatchObject({ state: 'running', schedule: { overruled: false } });

  machine = { batteryPercent: 17, isMetered: false };
  await expect.poll(batch).toMatchObject({ state: 'paused', reason: { code: 'upload/on-battery' } });
  await desk.handlers.uploads.resume({ batchId });
  await expect.poll(batch).toMatchObject({ state: 'running', schedule: { overruled: true } });
  machine = { isMetered: false };
  await expect.poll(batch).toMatchObject({ state: 'running', schedule: { overruled: false } });
  await hurry();
  await expect.poll(batch).toMatchObject({ state: 'finished' });
  await expectStored(sandbox.control, assignment, files);
});

import { appendFileSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, test, vi } from 'vitest';
import type { WatchedFolder, WatchedRules } from '../../src/contract/watched-folders.ts';
import type { WatchSettings } from '../../src/main/core/connection/connections.ts';
import { zipOf } from './support/archives.ts';
import {
  createTestKeychain,
  openDesk,
  openSignedIn,
  slowDown,
  type TestDesk,
  type TestDeskOptions,
  withoutBackoff,
} from './support/desks.ts';
import { holdFiles, makeDirectory, manyFiles, writeTree } from './support/folders.ts';
import { always, expectStored, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
let assignment: string;
let root: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  root = makeDirectory();
});

const times = { settleMs: 60, scanMs: 400, blindScanMs: 400, missingMs: 100, gatherMs: 500, tickMs: 40 };

const openWatching = (watching: WatchSettings = {}, options: TestDeskOptions = {}): Promise<TestDesk> =>
  openSignedIn({ sandbox: sandbox.address, ...options, watching: { times, ...watching } });

const watchRoot = async (desk: TestDesk, rules: Partial<WatchedRules> = {}, existing = true): Promise<number> => {
  await desk.handlers.watchedFolders.add({
    folderId: desk.adopt({ root }).folderId,
    rules: { AssignmentId: assignment, onClash: 'rename', hours: [], ...rules },
    existing,
  });
  return (await shown(desk))?.watchedId ?? 0;
};

const shown = async ({ handlers }: TestDesk): Promise<WatchedFolder | undefined> =>
  (await handlers.app.snapshot(undefined)).watchedFolders[0];

const uploadedNames = async (): Promise<readonly string[]> =>
  (await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName).sort();

const isIdle = async (desk: TestDesk): Promise<void> => {
  await expect.poll(() => shown(desk)).toMatchObject({ state: 'watching', settling: 0, waiting: 0 });
  await expect
    .poll(async () => (await desk.handlers.app.snapshot(undefined)).batches.every(({ state }) => state === 'finished'))
    .toBe(true);
};

test('a file that is written slowly, in pieces, is sent once, as a whole, when it is still', async () => {
  const desk = await openWatching();
  const file = await open(join(root, 'report.pdf'), 'a');
  await file.write('first part, ');
  // On the clock of the watch, less than the settle time passes between two parts, however long this test takes.
  let nowMs = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  await watchRoot(desk);
  await expect.poll(() => shown(desk)).toMatchObject({ settling: 1 });
  for (const part of ['second part, ', 'third part, ', 'the end']) {
    await file.write(part);
    nowMs += times.settleMs - 10;
    await delay(2 * times.settleMs);
    expect(await uploadedNames()).toEqual([]);
  }
  await file.close();
  clock.mockRestore();
  await expect.poll(uploadedNames).toEqual(['report.pdf']);
  await isIdle(desk);
  await expectStored(sandbox.control, assignment, { 'report.pdf': 'first part, second part, third part, the end' });
});

test('unfinished and hidden files are left alone; a download is sent when it gets its name', async () => {
  const desk = await openWatching();
  await watchRoot(desk);
  writeTree(root, {
    'photos/house.jpg.part': 'pixels',
    'photos/~$letter.docx': 'lock',
    'photos/empty.txt': '',
    '.hidden': 'no',
    'photos/other.jpg': 'other pixels',
  });
  await expect.poll(uploadedNames).toEqual(['other.jpg']);
  renameSync(join(root, 'photos/house.jpg.part'), join(root, 'photos/house.jpg'));
  appendFileSync(join(root, 'photos/empty.txt'), 'not any more');
  await expect.poll(uploadedNames).toEqual(['empty.txt', 'house.jpg', 'other.jpg']);
});

test('a file that another program holds waits until it is released', async () => {
  const { held, openFile } = holdFiles('held.txt');
  const desk = await openWatching({ openFile });
  await watchRoot(desk);
  writeTree(root, { 'held.txt': 'held', 'a/free.txt': 'free' });
  await expect.poll(uploadedNames).toEqual(['free.txt']);
  expect(await shown(desk)).toMatchObject({ settling: 1 });
  held.clear();
  await expect.poll(uploadedNames).toEqual(['free.txt', 'held.txt']);
});

test('a folder that is moved in is sent whole, as one upload with the other folders', async () => {
  const desk = await openWatching();
  await watchRoot(desk);
  const outside = makeDirectory();
  const tree = { 'job/a.txt': 'a', 'job/photos/b.txt': 'b', 'job/photos/deep/c.txt': 'c' };
  writeTree(outside, tree);
  renameSync(join(outside, 'job'), join(root, 'job'));
  await expect.poll(uploadedNames).toEqual(['a.txt', 'b.txt', 'c.txt']);
  await isIdle(desk);
  await expectStored(sandbox.control, assignment, tree);
  const { batches } = await desk.handlers.app.snapshot(undefined);
  expect(new Set(batches.map(({ uploadId }) => uploadId)).size).toBe(1);
});

test('files that lay in the folder are sent only if that is wanted, and a changed one is sent again', async () => {
  writeTree(root, { 'old.txt': 'old', 'job/older.txt': 'older' });
  const desk = await openWatching();
  await watchRoot(desk, {}, false);
  writeTree(root, { 'new.txt': 'new' });
  await expect.poll(uploadedNames).toEqual(['new.txt']);
  writeTree(root, { 'new.txt': 'new, second version', 'old.txt': 'old, changed' });
  await expect.poll(uploadedNames).toEqual(['new (2).txt', 'new.txt', 'old.txt']);
  await isIdle(desk);
});

test('a file that was sent and is renamed or moved is not sent again', async () => {
  const desk = await openWatching();
  await watchRoot(desk);
  writeTree(root, { 'a.txt': 'content of a' });
  await expect.poll(uploadedNames).toEqual(['a.txt']);
  await isIdle(desk);
  mkdirSync(join(root, 'done'));
  renameSync(join(root, 'a.txt'), join(root, 'done/a.txt'));
  writeTree(root, { 'b.txt': 'content of b' });
  await expect.poll(uploadedNames).toEqual(['a.txt', 'b.txt']);
  await isIdle(desk);
  expect((await desk.handlers.app.snapshot(undefined)).batches).toHaveLength(2);
});

test('a file that failed and is renamed is sent under its new name', async () => {
  await sandbox.control.faults.add({
    match: { route: 'sign-upload' },
    when: { count: 1 },
    effect: { type: 'status', status: 403 },
  });
  const desk = await openWatching();
  await watchRoot(desk);
  writeTree(root, { 'a.txt': 'content of a' });
  await isIdle(desk);
  await expect
    .poll(async () => (await desk.handlers.app.snapshot(undefined)).batches.map(({ failed }) => failed))
    .toEqual([1]);
  renameSync(join(root, 'a.txt'), join(root, 'report.txt'));
  await expect.poll(uploadedNames).toEqual(['report.txt']);
});

test('a file that is renamed before its upload has opened it is sent under its new name', async () => {
  const desk = await openWatching({}, { concurrency: 1 });
  const hurry = await slowDown(desk);
  await watchRoot(desk);
  const running = async () =>
    (await desk.handlers.app.snapshot(undefined)).batches.filter(({ state }) => state === 'running').length;
  writeTree(root, { 'first.txt': 'a'.repeat(1_000_000) });
  await expect.poll(running).toBe(1);
  // The file is found, and waits for the first upload.
  writeTree(root, { 'a.txt': 'content of a' });
  await expect.poll(running).toBe(2);
  renameSync(join(root, 'a.txt'), join(root, 'report.txt'));
  await expect.poll(() => shown(desk)).toMatchObject({ settling: 0, waiting: 1 });
  await hurry();
  await expect.poll(uploadedNames).toEqual(['first.txt', 'report.txt']);
});

test('a link to a file that was sent is a file of its own', async () => {
  const desk = await openWatching();
  await watchRoot(desk);
  writeTree(root, { 'a.txt': 'content of a' });
  await expect.poll(uploadedNames).toEqual(['a.txt']);
  await isIdle(desk);
  linkSync(join(root, 'a.txt'), join(root, 'b.txt'));
  await expect.poll(uploadedNames).toEqual(['a.txt', 'b.txt']);
});

test('after a restart nothing is sent twice, and nothing that came meanwhile is lost', async () => {
  const home = makeDirectory();
  const keychain = createTestKeychain();
  const first = await openWatching({}, { home, keychain });
  await watchRoot(first);
  writeTree(root, { 'before.txt': 'before', 'job/before.txt': 'also before' });
  await expect.poll(async () => (await uploadedNames()).length).toBe(2);
  await isIdle(first);
  await first.close();
  writeTree(root, { 'meanwhile.txt': 'meanwhile', 'job/new/meanwhile.txt': 'also meanwhile' });
  const second = await openDesk({ sandbox: sandbox.address, home, keychain, watching: { times } });
  await expect.poll(async () => (await uploadedNames()).length).toBe(4);
  await isIdle(second);
  expect((await second.handlers.app.snapshot(undefined)).batches.map(({ files }) => files)).toEqual([1, 1, 1, 1]);
});

test('while nobody is signed in nothing is sent; the files are sent after the sign-in', async () => {
  const desk = await openWatching();
  await watchRoot(desk);
  await desk.handlers.session.signOut(undefined);
  await expect.poll(() => shown(desk)).toMatchObject({ state: 'signed-out' });
  writeTree(root, { 'a.txt': 'a' });
  await desk.signIn();
  await expect.poll(uploadedNames).toEqual(['a.txt']);
});

test('a folder that is gone is reported, and watched again when it is back', async () => {
  const desk = await openWatching();
  await watchRoot(desk);
  await expect.poll(() => shown(desk)).toMatchObject({ state: 'watching' });
  const away = join(makeDirectory(), 'away');
  renameSync(root, away);
  await expect.poll(() => shown(desk)).toMatchObject({ state: 'missing', reason: { code: 'upload/folder-missing' } });
  writeFileSync(join(away, 'a.txt'), 'a');
  renameSync(away, root);
  await expect.poll(uploadedNames).toEqual(['a.txt']);
  expect(await shown(desk)).toMatchObject({ state: 'watching' });
});

test.each([
  ['nothing', 'upload/folder-missing', 'missing', () => {}],
  // Without the drive, Linux shows the folder that the drive was mounted on, which is usually empty.
  ['an empty folder', 'upload/folder-replaced', 'watching', () => mkdirSync(root)],
])('an upload that a folder loses with its drive, which leaves %s, goes on when it is back', async (...given) => {
  const [, code, state, leave] = given;
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.txt`, `content ${index}`]));
  writeTree(root, files);
  const desk = await openWatching();
  const goOn = await slowDown(desk);
  await watchRoot(desk);
  await expect.poll(async () => (await uploadedNames()).length).toBeGreaterThan(0);
  renameSync(root, `${root}-away`);
  leave();
  await expect.poll(() => desk.uploads.present()).toMatchObject([{ state: 'paused', reason: { code } }]);
  await expect.poll(() => shown(desk)).toMatchObject({ state });
  await goOn();
  rmSync(root, { recursive: true, force: true });
  renameSync(`${root}-away`, root);
  await isIdle(desk);
  await expectStored(sandbox.control, assignment, files);
});

test.each([
  [1, 'finished'],
  [30, 'paused'],
])('%i files that failed because the service did are sent once it works again', async (count, end) => {
  const files = Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, `content ${index}`]));
  writeTree(root, files);
  await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 500 }));
  const desk = await openWatching({ times: { ...times, retryMs: 200 } });
  await watchRoot(desk);
  await expect
    .poll(() => desk.uploads.present().map(({ state, reason }) => `${state} ${reason?.code}`))
    .toContain(end === 'paused' ? 'paused service/failed' : 'finished undefined');
  await sandbox.control.faults.clear();
  await expect.poll(uploadedNames).toHaveLength(count);
  await isIdle(desk);
  await expectStored(sandbox.control, assignment, files);
});

test('a paused folder sends nothing until it is continued; a removed one is not watched any more', async () => {
  const desk = await openWatching();
  const watchedId = await watchRoot(desk);
  const rules = { AssignmentId: assignment, onClash: 'rename', hours: [] } as const;
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: true } });
  writeTree(root, { 'a.txt': 'a' });
  await expect.poll(() => shown(desk)).toMatchObject({ paused: true, waiting: 1 });
  expect(await uploadedNames()).toEqual([]);
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: false } });
  await expect.poll(uploadedNames).toEqual(['a.txt']);
  await desk.handlers.watchedFolders.remove({ watchedId });
  expect(await shown(desk)).toBeUndefined();
});

test('a folder in a watched one, or around it, is refused', async () => {
  const desk = await openWatching();
  await watchRoot(desk);
  mkdirSync(join(root, 'below'));
  const add = (path: string) =>
    desk.handlers.watchedFolders.add({
      folderId: desk.adopt({ root: path }).folderId,
      rules: { onClash: 'rename', hours: [] },
      existing: false,
    });
  for (const path of [root, join(root, 'below'), join(root, '..')]) {
    await expect(add(path)).rejects.toMatchObject({ code: 'watch/overlaps' });
  }
  rmSync(join(root, 'below'), { recursive: true });
  await expect(add(join(root, 'below'))).rejects.toMatchObject({ code: 'upload/folder-missing' });
});

test('of two overlapping folders that are added at the same time, the second is refused', async () => {
  const desk = await openWatching();
  mkdirSync(join(root, 'below'));
  const add = async (path: string) =>
    desk.handlers.watchedFolders.add({
      folderId: desk.adopt({ root: path }).folderId,
      rules: { AssignmentId: assignment, onClash: 'rename', hours: [] },
      existing: false,
    });
  const added = await Promise.allSettled([add(root), add(join(root, 'below'))]);
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(added.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'watch/overlaps' } });
  expect((await desk.handlers.app.snapshot(undefined)).watchedFolders).toHaveLength(1);
});

test('outside its hours nothing is sent, and at the hour everything is', async () => {
  let now = new Date('2026-01-05T12:00').getTime();
  const desk = await openWatching({ now: () => now });
  await watchRoot(desk, { hours: [{ from: '18:00', to: '07:00', days: [1, 2, 3, 4, 5] }] });
  writeTree(root, { 'a.txt': 'a', 'job/b.txt': 'b' });
  await expect
    .poll(() => shown(desk))
    .toMatchObject({ waiting: 2, settling: 0, opensAtMs: new Date('2026-01-05T18:00').getTime() });
  expect(await uploadedNames()).toEqual([]);
  now = new Date('2026-01-05T18:00').getTime();
  await expect.poll(uploadedNames).toEqual(['a.txt', 'b.txt']);
});

test('an upload that its hours end is paused, and resumed when they begin; "Upload now" sends at once', async () => {
  let now = new Date('2026-01-05T20:00').getTime();
  const desk = await openWatching({ now: () => now });
  const watchedId = await watchRoot(desk, { hours: [{ from: '18:00', to: '07:00' }] });
  const hurry = await slowDown(desk);
  const files = manyFiles(40);
  writeTree(join(root, 'job'), files);
  const batch = async () => (await desk.handlers.app.snapshot(undefined)).batches[0];
  await expect.poll(batch).toMatchObject({ state: 'running' });
  now = new Date('2026-01-06T07:00').getTime();
  await expect.poll(batch).toMatchObject({ state: 'paused', reason: { code: 'upload/scheduled' } });
  now = new Date('2026-01-06T18:00').getTime();
  await expect.poll(batch).toMatchObject({ state: 'running' });
  now = new Date('2026-01-07T08:00').getTime();
  await expect.poll(batch).toMatchObject({ state: 'paused' });
  writeTree(root, { 'late.txt': 'late' });
  await expect.poll(() => shown(desk)).toMatchObject({ waiting: 1 });
  await hurry();
  await desk.handlers.watchedFolders.uploadNow({ watchedId });
  await isIdle(desk);
  await expectStored(sandbox.control, assignment, { ...files, 'late.txt': 'late' });
  writeTree(root, { 'late.txt': 'late, second version' });
  await expect.poll(() => shown(desk)).toMatchObject({ waiting: 1, settling: 0 });
});

test('"Upload now" also concerns uploads that the end of the hours has not held back yet', async () => {
  let now = new Date('2026-01-05T20:00').getTime();
  const desk = await openWatching({ now: () => now, times: { ...times, tickMs: 2_000 } });
  const watchedId = await watchRoot(desk, { hours: [{ from: '18:00', to: '07:00' }] });
  const hurry = await slowDown(desk);
  const files = manyFiles(40);
  writeTree(join(root, 'job'), files);
  const batches = async () => (await desk.handlers.app.snapshot(undefined)).batches;
  const running = { state: 'running' };
  await expect.poll(batches).toMatchObject([running, running, running]);
  now = new Date('2026-01-06T07:00').getTime();
  await desk.handlers.watchedFolders.uploadNow({ watchedId });
  const overruled = { state: 'running', schedule: { overruled: true } };
  expect(await batches()).toMatchObject([overruled, overruled, overruled]);
  await hurry();
  await isIdle(desk);
  await expectStored(sandbox.control, assignment, files);
});

test('hours that a folder gets later hold back the upload that it is sending', async () => {
  const now = new Date('2026-01-05T12:00').getTime();
  const desk = await openWatching({ now: () => now });
  const watchedId = await watchRoot(desk);
  const hurry = await slowDown(desk);
  const files = manyFiles(40);
  writeTree(join(root, 'job'), files);
  const batch = async () => (await desk.handlers.app.snapshot(undefined)).batches[0];
  await expect.poll(batch).toMatchObject({ state: 'running' });
  const change = (hours: WatchedRules['hours']) =>
    desk.handlers.watchedFolders.change({
      watchedId,
      rules: { AssignmentId: assignment, onClash: 'rename', hours, paused: false },
    });
  await change([{ from: '18:00', to: '07:00' }]);
  await expect.poll(batch).toMatchObject({ state: 'paused', reason: { code: 'upload/scheduled' } });
  await change([]);
  await hurry();
  await isIdle(desk);
  await expectStored(sandbox.control, assignment, files);
});

test('files of a folder without hours wait for those of the organisation, whose end also holds back its upload', async () => {
  let now = new Date('2026-01-05T12:00').getTime();
  const hours = [{ from: '18:00', to: '07:00' }];
  const desk = await openWatching({ now: () => now }, { host: { policy: { uploads: { hours } } } });
  await slowDown(desk);
  const watchedId = await watchRoot(desk);
  writeTree(join(root, 'job'), manyFiles(40));
  const opensAtMs = new Date('2026-01-05T18:00').getTime();
  await expect.poll(() => shown(desk)).toMatchObject({ state: 'watching', waiting: 40, opensAtMs });
  const batch = async () => (await desk.handlers.app.snapshot(undefined)).batches[0];
  expect(await batch()).toBeUndefined();
  now = opensAtMs;
  await expect.poll(batch).toBeDefined();
  now = new Date('2026-01-06T07:00').getTime();
  await expect
    .poll(batch)
    .toMatchObject({ state: 'paused', reason: { code: 'upload/scheduled' }, schedule: { hours, watchedId } });
});

test('"Upload now" does not concern a version of a file that comes after it', async () => {
  const now = new Date('2026-01-05T12:00').getTime();
  const { held, openFile } = holdFiles();
  const desk = await openWatching({ now: () => now, openFile });
  const hours = [{ from: '18:00', to: '07:00' }];
  const watchedId = await watchRoot(desk, { hours });
  const rules = { AssignmentId: assignment, onClash: 'rename', hours } as const;
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: true } });
  writeTree(root, { 'a.txt': 'a', 'b.txt': 'b' });
  await expect.poll(() => shown(desk)).toMatchObject({ waiting: 2, settling: 0 });
  await desk.handlers.watchedFolders.uploadNow({ watchedId });
  held.add('a.txt');
  writeTree(root, { 'a.txt': 'a, second version' });
  await expect.poll(() => shown(desk)).toMatchObject({ waiting: 1, settling: 1 });
  held.clear();
  await expect.poll(() => shown(desk)).toMatchObject({ waiting: 2, settling: 0 });
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: false } });
  await expect.poll(uploadedNames).toEqual(['b.txt']);
  expect(await shown(desk)).toMatchObject({ waiting: 1, settling: 0 });
});

test('an earlier upload that is retried does not take the newer version of a file that waits', async () => {
  const desk = await openWatching();
  writeTree(root, { 'job/a.txt': 'first version', 'job/b.txt': 'b' });
  await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'b.txt'));
  const { batchId } = await desk.upload(join(root, 'job'), assignment);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 1, failed: 1 });
  await sandbox.control.faults.clear();
  const watchedId = await watchRoot(desk, {}, false);
  const rules = { AssignmentId: assignment, onClash: 'rename', hours: [] } as const;
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: true } });
  writeTree(root, { 'job/a.txt': 'second version, longer' });
  await expect.poll(() => shown(desk)).toMatchObject({ waiting: 1, settling: 0 });
  await desk.handlers.uploads.retryFailed({ batchId });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 2 });
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: false } });
  await expect.poll(uploadedNames).toEqual(['a (2).txt', 'a.txt', 'b.txt']);
});

test('a file that another upload sends before it is complete is not sent again, but its next version is', async () => {
  const desk = await openWatching({ times: { ...times, settleMs: 600_000 } });
  await watchRoot(desk);
  writeTree(root, { 'scan.pdf': 'scan' });
  await expect.poll(() => shown(desk)).toMatchObject({ settling: 1 });
  expect(await desk.upload(root, assignment)).toMatchObject({ state: 'finished', uploaded: 1 });
  await isIdle(desk);
  appendFileSync(join(root, 'scan.pdf'), ', second page');
  await expect.poll(() => shown(desk)).toMatchObject({ settling: 1 });
});

test('a file that waits is sent to the assignment of its folder, although another upload sends it elsewhere', async () => {
  const desk = await openWatching();
  const watchedId = await watchRoot(desk);
  const rules = { AssignmentId: assignment, onClash: 'rename', hours: [] } as const;
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: true } });
  writeTree(root, { 'scan.pdf': 'scan' });
  await expect.poll(() => shown(desk)).toMatchObject({ waiting: 1, settling: 0 });
  const other = sandbox.newAssignment();
  expect(await desk.upload(root, other)).toMatchObject({ state: 'finished', uploaded: 1 });
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: false } });
  await expect.poll(uploadedNames).toEqual(['scan.pdf']);
  await isIdle(desk);
  await expectStored(sandbox.control, other, { 'scan.pdf': 'scan' });
});

/** Resolves to an assignment whose address no other assignment has, and to a folder name that contains this address. */
const unmistakable = async ({ handlers }: TestDesk) => {
  const { value } = await handlers.assignments.projects({});
  const { Items } = value;
  const addresses = Items.map(({ Address, City }) => `${Address} ${City}`);
  const found = Items.find(({ AssignmentStatus }, index) => {
    const address = addresses[index];
    return !/cancel|complete/i.test(AssignmentStatus) && addresses.filter((one) => one === address).length === 1;
  });
  if (!found) throw new Error('every address of the sandbox has several assignments');
  return { id: found.AssignmentId, folder: `${found.Address} ${found.City}` };
};

const watchMatched = (desk: TestDesk): Promise<number> => watchRoot(desk, { AssignmentId: undefined });

test('each job folder goes to its own assignment; what no name speaks for waits', async () => {
  const desk = await openWatching();
  const { id, folder } = await unmistakable(desk);
  assignment = id;
  await watchMatched(desk);
  writeTree(root, { [`${folder}/photos/a.jpg`]: 'a', 'Blue house/b.jpg': 'b' });
  await expect.poll(uploadedNames).toEqual(['a.jpg']);
  await expect.poll(() => shown(desk)).toMatchObject({ toMatch: { files: 1, folders: 1 }, waiting: 0 });
});

test('what waits is matched in a draft, sent once, and its folder is known from then on', async () => {
  const desk = await openWatching();
  const { drafts } = desk.handlers;
  const watchedId = await watchMatched(desk);
  const archive = zipOf({ 'plan.pdf': 'a plan', 'offer.pdf': 'an offer' });
  writeTree(root, { 'Blue house/b.jpg': 'b', 'Blue house/inside/c.jpg': 'c', 'Blue house/offer.zip': archive });
  writeTree(root, { 'Blue house/private.txt': 'private', 'Blue house/setup.exe': 'setup' });
  await expect.poll(() => shown(desk)).toMatchObject({ toMatch: { files: 5, folders: 1 } });
  const folders = await desk.handlers.watchedFolders.toMatch({ watchedId });
  expect(folders.map(({ name }) => name)).toEqual(['Blue house']);
  await drafts.open({ folderIds: folders.map(({ folderId }) => folderId) });
  await expect.poll(() => desk.drafts.current()).toMatchObject({ phase: 'ready' });
  const { rows } = await drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 10 });
  expect(rows.map(({ name, files }) => [name, files])).toEqual([['Blue house', 5]]);
  const [{ rowId = 0 } = {}] = rows;
  await drafts.setFiles({ rowId, paths: ['private.txt'], isIncluded: false });
  await drafts.assign({ rowIds: [rowId], AssignmentId: assignment });
  await drafts.start(undefined);
  const reviewed = ['b.jpg', 'c.jpg', 'offer.pdf', 'plan.pdf'];
  await expect.poll(uploadedNames).toEqual(reviewed);
  await expect.poll(() => shown(desk)).toMatchObject({ toMatch: { files: 0 }, waiting: 0 });
  writeTree(root, { 'Blue house/later/d.jpg': 'd' });
  await expect.poll(uploadedNames).toEqual([...reviewed, 'd.jpg'].sort());
  await isIdle(desk);
  const files = (await desk.handlers.app.snapshot(undefined)).batches.map(({ files: count }) => count);
  expect(files.reduce((sum, count) => sum + count, 0)).toBe(5);
});

test('what is reviewed for later waits for that time, although its folder is known from then on', async () => {
  const desk = await openWatching();
  const { drafts, uploads } = desk.handlers;
  const watchedId = await watchMatched(desk);
  writeTree(root, { 'Blue house/b.jpg': 'b', 'Blue house/c.jpg': 'c' });
  await expect.poll(() => shown(desk)).toMatchObject({ toMatch: { files: 2 } });
  const folders = await desk.handlers.watchedFolders.toMatch({ watchedId });
  await drafts.open({ folderIds: folders.map(({ folderId }) => folderId) });
  await expect.poll(() => desk.drafts.current()).toMatchObject({ phase: 'ready' });
  const { rows } = await drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 10 });
  await drafts.assign({ rowIds: rows.map(({ rowId }) => rowId), AssignmentId: assignment });
  const { uploadId } = await drafts.start({ schedule: { notBeforeMs: Date.now() + 3_600_000 } });
  await expect.poll(() => shown(desk)).toMatchObject({ toMatch: { files: 0 }, waiting: 2 });
  writeTree(root, { 'Red house/d.jpg': 'd' });
  await expect.poll(() => shown(desk)).toMatchObject({ toMatch: { files: 1 }, waiting: 2 });
  const [{ batchId = '' } = {}] = desk.uploads.present().filter((batch) => batch.uploadId === uploadId);
  await uploads.resume({ batchId });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 2 });
  await isIdle(desk);
  expect(desk.uploads.present()).toHaveLength(1);
});

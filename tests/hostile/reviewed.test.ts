/** Files that change between the review of an upload and its start: only reviewed files are sent. */
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { openSignedIn, type TestDesk, withoutBackoff } from '../integration/support/desks.ts';
import { openDraft, rowsOf, startDraft, whenDraft } from '../integration/support/drafts.ts';
import { makeDirectory, makeFolder, sha256, writeTree } from '../integration/support/folders.ts';
import { expectStored, storedOn, useSandbox } from '../integration/support/sandbox.ts';
import { makeSecret } from './support/hostile-folder.ts';

const sandbox = useSandbox();
const onPosix = test.skipIf(process.platform === 'win32');
const tree = { 'a.txt': 'file a', 'job/b.txt': 'file b', 'job/photos/c.txt': 'file c' };

let assignment: string;
let root: string;
let elsewhere: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  root = join(realpathSync(makeFolder({})), 'Jobs');
  writeTree(root, tree);
  elsewhere = realpathSync(makeDirectory());
});

/** Opens a draft of the folder, and waits until it can be reviewed. */
const review = async (): Promise<TestDesk> => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await openDraft(desk, [root], assignment);
  await whenDraft(desk);
  return desk;
};

/** Writes secrets that look like the reviewed files. */
const makeSecrets = (): void => {
  for (const path of Object.keys(tree)) {
    const place = join(elsewhere, path);
    makeSecret(join(place, '..'), join(root, path), path.split('/').at(-1));
  }
};

const swap = (path: string): void => {
  const kept = `${path}-kept`;
  renameSync(path, kept);
  onTestFinished(() => rmSync(kept, { recursive: true, force: true }));
};

const codes = async (desk: TestDesk, batch: string) =>
  Object.fromEntries(
    Object.entries(await desk.filesOf(batch)).map(([path, { state, error }]) => [path, error?.code ?? state]),
  );

/** Expects that the assignment has no content that was not reviewed. */
const expectNothingElse = async () => {
  const honest = new Set(Object.values(tree).map(sha256));
  for (const object of await storedOn(sandbox.control, assignment)) expect(honest).toContain(object.sha256);
};

onPosix('B2: a chosen folder that a link replaced after the review is not started', async () => {
  const desk = await review();
  makeSecrets();
  swap(root);
  symlinkSync(join(elsewhere), root);
  await expect(desk.handlers.drafts.start(undefined)).rejects.toMatchObject({
    code: 'upload/folder-replaced',
    details: { path: root },
  });
  expect(await storedOn(sandbox.control, assignment)).toEqual([]);
  rmSync(root);
  renameSync(`${root}-kept`, root);
  const { batchId } = await startDraft(desk);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 3, failed: 0 });
});

test('B2: a chosen folder that another one replaced after the review is not started', async () => {
  const desk = await review();
  swap(root);
  mkdirSync(root);
  for (const path of Object.keys(tree)) writeTree(root, { [path]: 'secret' });
  await expect(desk.handlers.drafts.start(undefined)).rejects.toMatchObject({ code: 'upload/folder-replaced' });
  expect(await storedOn(sandbox.control, assignment)).toEqual([]);
});

onPosix('B2: a row whose folder a link replaced is held back, and the others start', async () => {
  const other = sandbox.newAssignment();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  makeSecrets();
  rmSync(join(root, 'a.txt'));
  writeTree(root, { 'second/d.txt': 'file d' });
  await openDraft(desk, [root]);
  await whenDraft(desk);
  await desk.handlers.drafts.setLevel({ level: 1 });
  const rows = await rowsOf(desk);
  const idOf = (name: string): number => rows.find((row) => row.name === name)?.rowId ?? expect.unreachable();
  await desk.handlers.drafts.assign({ rowIds: [idOf('job')], AssignmentId: assignment });
  await desk.handlers.drafts.assign({ rowIds: [idOf('second')], AssignmentId: other });
  swap(join(root, 'job'));
  symlinkSync(join(elsewhere, 'job'), join(root, 'job'));
  const batch = await startDraft(desk);
  await desk.uploads.ended(batch.batchId);
  await expectStored(sandbox.control, other, { 'd.txt': 'file d' });
  expect(await storedOn(sandbox.control, assignment)).toEqual([]);
  expect(desk.drafts.current()).toMatchObject({
    counts: { matched: 1 },
    reason: { code: 'upload/folder-replaced' },
  });
});

onPosix('B2: a folder inside a row that a link or another one replaced sends nothing, nor on retry', async () => {
  const desk = await review();
  makeSecrets();
  swap(join(root, 'job/photos'));
  symlinkSync(join(elsewhere, 'job/photos'), join(root, 'job/photos'));
  const { batchId } = await startDraft(desk);
  await desk.uploads.ended(batchId);
  expect(await codes(desk, batchId)).toEqual({
    'a.txt': 'done',
    'job/b.txt': 'done',
    'job/photos/c.txt': 'upload/file-linked',
  });
  rmSync(join(root, 'job/photos'));
  mkdirSync(join(root, 'job/photos'));
  writeFileSync(join(root, 'job/photos/c.txt'), 'secret');
  await desk.uploads.retryFailed(batchId);
  await desk.uploads.ended(batchId);
  expect(await codes(desk, batchId)).toMatchObject({ 'job/photos/c.txt': 'upload/folder-replaced' });
  await expectNothingElse();
  // The user puts the folder back.
  rmSync(join(root, 'job/photos'), { recursive: true });
  renameSync(join(root, 'job/photos-kept'), join(root, 'job/photos'));
  await desk.uploads.retryFailed(batchId);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 3, failed: 0 });
});

test('B2: an upload that continues after a restart knows its folders from the first scan', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { schedule } = { schedule: { notBeforeMs: Date.now() + 3_600_000, hours: [], overruled: false } };
  const { batchId } = await desk.uploads.start({ root, assignmentId: assignment, schedule, isHeldBack: true });
  swap(root);
  mkdirSync(root);
  writeTree(root, { 'a.txt': 'secret' });
  await desk.uploads.resume(batchId);
  expect(await desk.uploads.ended(batchId)).toMatchObject({
    state: 'paused',
    reason: { code: 'upload/folder-replaced' },
    files: 0,
  });
  expect(await storedOn(sandbox.control, assignment)).toEqual([]);
});

test('B17: what was added after the review is counted, and uploaded when a person says so', async () => {
  const desk = await review();
  writeTree(root, { 'late.txt': 'late', 'job/later/d.txt': 'late, too' });
  const { batchId } = await startDraft(desk);
  expect(await desk.uploads.ended(batchId)).toMatchObject({
    state: 'finished',
    files: 3,
    uploaded: 3,
    leftOut: { later: 2 },
  });
  await expectStored(sandbox.control, assignment, tree);
  await desk.handlers.uploads.addLater({ batchId });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', files: 5, uploaded: 5 });
  expect((await desk.uploads.get(batchId)).leftOut.later).toBeUndefined();
  await expectStored(sandbox.control, assignment, { ...tree, 'late.txt': 'late', 'job/later/d.txt': 'late, too' });
});

test('B17: what is added or changed after the review is uploaded where the start says so; what is gone is said', async () => {
  const desk = await review();
  const late = { 'late.txt': 'late', 'job/later/d.txt': 'late, too', 'job/b.txt': 'file b, corrected' };
  writeTree(root, late);
  rmSync(join(root, 'a.txt'));
  const { batchId } = await startDraft(desk, { takesLater: true });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ files: 5, uploaded: 4, failed: 1 });
  expect(await codes(desk, batchId)).toMatchObject({ 'a.txt': 'upload/file-missing', 'job/b.txt': 'done' });
  await expectStored(sandbox.control, assignment, { ...late, 'job/photos/c.txt': 'file c' });
});

onPosix('B2: where the start takes what comes later, a folder that was replaced still sends nothing', async () => {
  const desk = await review();
  makeSecrets();
  renameSync(join(root, 'job'), join(elsewhere, 'kept'));
  mkdirSync(join(root, 'job'));
  writeTree(root, { 'job/b.txt': 'secret', 'late.txt': 'late' });
  const { batchId } = await startDraft(desk, { takesLater: true });
  await desk.uploads.ended(batchId);
  expect(await codes(desk, batchId)).toEqual({
    'a.txt': 'done',
    'late.txt': 'done',
    'job/b.txt': 'upload/folder-replaced',
    'job/photos/c.txt': 'upload/folder-replaced',
  });
  await expectStored(sandbox.control, assignment, { 'a.txt': 'file a', 'late.txt': 'late' });
});

test('B17: a reviewed file that was edited, or is gone, is said by name; a retry sends what is there then', async () => {
  const desk = await review();
  writeFileSync(join(root, 'job/b.txt'), 'file b, corrected');
  rmSync(join(root, 'a.txt'));
  const { batchId } = await startDraft(desk);
  await desk.uploads.ended(batchId);
  expect(await codes(desk, batchId)).toEqual({
    'a.txt': 'upload/file-missing',
    'job/b.txt': 'upload/file-changed',
    'job/photos/c.txt': 'done',
  });
  writeTree(root, { 'a.txt': 'file a again' });
  await desk.uploads.retryFailed(batchId);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 3, failed: 0 });
  await expectStored(sandbox.control, assignment, {
    ...tree,
    'a.txt': 'file a again',
    'job/b.txt': 'file b, corrected',
  });
});

test('B17: rows cut at another level, and single files, send what was reviewed of them', async () => {
  const other = sandbox.newAssignment();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await openDraft(desk, [root]);
  await whenDraft(desk);
  await desk.handlers.drafts.setLevel({ level: 1 });
  const rows = await rowsOf(desk);
  expect(rows.map(({ name, files }) => [name, files])).toEqual([
    ['Jobs', 1],
    ['job', 2],
  ]);
  await desk.handlers.drafts.assign({ rowIds: rows.slice(0, 1).map(({ rowId }) => rowId), AssignmentId: other });
  await desk.handlers.drafts.assign({ rowIds: rows.slice(1).map(({ rowId }) => rowId), AssignmentId: assignment });
  writeTree(root, { 'late.txt': 'late', 'job/photos/late.txt': 'late' });
  await desk.handlers.drafts.start(undefined);
  const batches = await desk.uploads.list();
  await Promise.all(batches.map(({ batchId }) => desk.uploads.ended(batchId)));
  await expectStored(sandbox.control, other, { 'a.txt': 'file a' });
  await expectStored(sandbox.control, assignment, { 'b.txt': 'file b', 'photos/c.txt': 'file c' });
});

test('B17: a draft that ends while its upload starts leaves it what was reviewed', async () => {
  const desk = await review();
  const { draftId } = desk.drafts.current() ?? expect.unreachable();
  const list = readdirSync(join(desk.home, 'reviewed')).find((name) => name.startsWith(draftId));
  const source = { root, assignmentId: assignment };
  const length = statSync(join(desk.home, 'reviewed', list ?? '')).size;
  const reviewed = { list: draftId, below: '', ranges: [[0, length]] as const };
  const started = desk.uploads.startTogether({ uploads: [{ ...source, reviewed }] });
  await desk.uploads.reviewEnded(draftId);
  const [batch] = await started;
  expect(await desk.uploads.ended(batch?.batchId ?? '')).toMatchObject({ state: 'finished', uploaded: 3 });
  await expect.poll(() => existsSync(join(desk.home, 'reviewed', list ?? ''))).toBe(false);
});

test('B17: a list that cannot be deleted does not stop the next upload', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const list = randomUUID();
  mkdirSync(join(desk.home, 'reviewed', `${list}.jsonl`), { recursive: true });
  await desk.uploads.reviewEnded(list);
  expect(await desk.upload(root, assignment)).toMatchObject({ state: 'finished', uploaded: 3 });
});

/**
 * Folders of every kind in the review of an upload: whatever cannot be read is reported, and never stops the review.
 */
import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSignedIn, type TestDesk, withoutBackoff } from '../integration/support/desks.ts';
import { openDraft, rowsOf, whenDraft } from '../integration/support/drafts.ts';
import { makeDirectory, makeFolder } from '../integration/support/folders.ts';
import { expectStored, useSandbox } from '../integration/support/sandbox.ts';

const sandbox = useSandbox();
const onPosix = test.skipIf(process.platform === 'win32');
const open = () => {
  withoutBackoff();
  return openSignedIn({ sandbox: sandbox.address });
};

/** Starts the draft. Resolves when all its files have arrived. */
const start = async (desk: TestDesk): Promise<void> => {
  await desk.handlers.drafts.start(undefined);
  const batches = await desk.uploads.list();
  await Promise.all(batches.map(({ batchId }) => desk.uploads.ended(batchId)));
};

/** Uploads the whole draft to a new assignment. Resolves to the assignment once all files have arrived. */
const startAll = async (desk: TestDesk): Promise<string> => {
  const assignment = sandbox.newAssignment();
  await desk.handlers.drafts.setTarget({ AssignmentId: assignment });
  await start(desk);
  return assignment;
};

/** Creates the folders `d/d/d/…` below `root`. Returns the path of the deepest one. */
const makeLevels = (root: string, levels: number): string => {
  const deepest = join(root, ...Array.from({ length: levels }, () => 'd'));
  mkdirSync(deepest, { recursive: true });
  return deepest;
};

onPosix('links around in circles are counted and not followed', async () => {
  const desk = await open();
  const root = realpathSync(makeFolder({ 'jobs/one/a.txt': 'a', 'jobs/other/b.txt': 'b' }));
  symlinkSync(root, join(root, 'jobs', 'up'));
  symlinkSync('..', join(root, 'jobs', 'one', 'above'));
  symlinkSync(join(root, 'jobs', 'other'), join(root, 'jobs', 'one', 'beside'));
  symlinkSync('self', join(root, 'jobs', 'self'));
  await openDraft(desk, [join(root, 'jobs')]);
  expect(await whenDraft(desk)).toMatchObject({ files: 2, folders: 3, leftOut: { links: 4 } });
  await expectStored(sandbox.control, await startAll(desk), { 'one/a.txt': 'a', 'other/b.txt': 'b' });
});

onPosix('folders too deep for the system are unreadable, and everything above them is sent', async () => {
  const desk = await open();
  const root = realpathSync(makeFolder({ 'job/a.txt': 'a' }));
  const away = makeDirectory();
  const long = 'x'.repeat(200);
  const deep = join(away, ...Array.from({ length: 15 }, () => long));
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, 'b.txt'), 'b');
  const inside = join(root, 'job', ...Array.from({ length: 10 }, () => long));
  mkdirSync(inside, { recursive: true });
  // Both paths together are longer than the system allows.
  renameSync(join(away, long), join(inside, 'more'));
  onTestFinished(() => renameSync(join(inside, 'more'), join(away, long)));

  await openDraft(desk, [root]);
  expect(await whenDraft(desk)).toMatchObject({ files: 1, leftOut: { unreadable: 1 }, counts: { problems: 1 } });
  const [row] = await rowsOf(desk);
  expect(row).toMatchObject({ name: 'job', files: 1, warnings: [{ kind: 'unreadable', files: 1 }] });
  await expectStored(sandbox.control, await startAll(desk), { 'job/a.txt': 'a' });
});

test('300 levels are scanned, cut at any of them, and sent', async () => {
  const desk = await open();
  const root = makeDirectory();
  writeFileSync(join(makeLevels(root, 300), 'deep.txt'), 'deep');
  writeFileSync(join(makeLevels(root, 150), 'middle.txt'), 'middle');
  await openDraft(desk, [root]);
  const draft = await whenDraft(desk);
  expect(draft).toMatchObject({ folders: 301, files: 2, counts: { all: 1 } });
  expect(draft.levels).toHaveLength(301);
  await desk.handlers.drafts.setLevel({ level: 299 });
  expect((await rowsOf(desk)).map(({ files }) => files)).toEqual([1, 1]);
  const prefix = 'd/'.repeat(150);
  await expectStored(sandbox.control, await startAll(desk), {
    [`${prefix}middle.txt`]: 'middle',
    [`${prefix}${prefix}deep.txt`]: 'deep',
  });
});

test.skipIf(process.platform === 'darwin')(
  'names composed and decomposed beside each other are two folders',
  async () => {
    const desk = await open();
    const [composed, decomposed] = ['Gr\u00fcn', 'Gru\u0308n'];
    const root = makeFolder({ [`${composed}/a.txt`]: 'composed', [`${decomposed}/a.txt`]: 'decomposed' });
    await openDraft(desk, [root]);
    await whenDraft(desk);
    const rows = await rowsOf(desk);
    expect(rows.map(({ name }) => name).toSorted()).toEqual([composed, decomposed].toSorted());
    const byName = new Map(rows.map(({ name, rowId }) => [name, rowId]));
    const assignments = [composed, decomposed].map((name) => ({ name, id: sandbox.newAssignment() }));
    for (const { name, id } of assignments)
      await desk.handlers.drafts.assign({ rowIds: [byName.get(name) ?? -1], AssignmentId: id });
    await start(desk);
    const [one, other] = assignments;
    await expectStored(sandbox.control, one?.id ?? '', { 'a.txt': 'composed' });
    await expectStored(sandbox.control, other?.id ?? '', { 'a.txt': 'decomposed' });
  },
);

test('1,000 folders become rows that can be decided at once', async () => {
  const desk = await open();
  const root = makeDirectory();
  for (let index = 0; index < 1_000; index += 1) mkdirSync(join(root, `job ${index}`));
  writeFileSync(join(root, 'job 999', 'a.txt'), 'a');
  await openDraft(desk, [root]);
  expect(await whenDraft(desk)).toMatchObject({
    folders: 1_001,
    files: 1,
    counts: { all: 1_000, undecided: 1, 'left-out': 999 },
  });
  await expectStored(sandbox.control, await startAll(desk), { 'job 999/a.txt': 'a' });
});

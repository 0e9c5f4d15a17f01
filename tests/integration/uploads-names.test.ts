/** FileNames are unique on an assignment across uploads. */
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { UploadFile } from '../../src/contract/uploads.ts';
import { cli } from './support/cli.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from './support/desks.ts';
import { openDraft, whenDraft } from './support/drafts.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { always, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
let assignment: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
});

/** Returns twelve photos. Their names and sizes are the same for every house, but their contents differ. */
const photos = (house: string) =>
  Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`IMG_${index}.jpg`, `photo ${index} of ${house}`]));
const houses = () =>
  ['north', 'south', 'west '].map((house) => makeFolder({ ...photos(house), 'same.txt': 'the same' }));

const start = async (desk: TestDesk, roots: readonly string[]) => {
  const batches: string[] = [];
  for (const root of roots) batches.push((await desk.uploads.start({ root, assignmentId: assignment })).batchId);
  return batches;
};
const finish = (desk: TestDesk, batches: readonly string[]) => Promise.all(batches.map(desk.uploads.ended));
const namesOf = async (desk: TestDesk, batch: string) =>
  Object.values(await desk.filesOf(batch)).map(({ path, FileName }: UploadFile) => `${path} ${FileName}`);
const storedNames = async () => (await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName);

const expectUnique = async (count: number) => {
  const names = await storedNames();
  expect(names).toHaveLength(count);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(count);
};

describe('folders that are uploaded together', () => {
  test('share no FileName and send the same content once, as the preview and a dry run say', async () => {
    const home = makeDirectory();
    const desk = await openSignedIn({ sandbox: sandbox.address, home });
    const roots = houses();
    await openDraft(desk, roots, assignment);
    const draft = await whenDraft(desk);
    const preview = await desk.handlers.drafts.names({ offset: 0, limit: 1000 });
    await desk.handlers.drafts.discard(undefined);
    const dry = await cli(['upload', ...roots, '--assignment', assignment, '--dry-run'], {
      sandbox: sandbox.address,
      home,
    });
    const batches = await start(desk, roots);
    const ended = await finish(desk, batches);
    expect(ended.map(({ uploaded, skipped }) => [uploaded, skipped])).toEqual([
      [13, 0],
      [12, 1],
      [12, 1],
    ]);
    await expectUnique(37);
    const names = (await Promise.all(batches.map((batch) => namesOf(desk, batch)))).flat();
    expect(dry.lines.flatMap(({ type, path, FileName }) => (type === 'file' ? `${path} ${FileName}` : []))).toEqual(
      names,
    );
    expect([draft.files, preview.total]).toEqual([39, 24]);
    const renamed = names.filter((name) => !name.startsWith(`${name.split(' ')[0]} ${name.split(' ')[0]}`));
    expect(preview.renames.map(({ path, FileName }) => `${path} ${FileName}`)).toEqual(renamed);
  });

  test('find everything there when uploaded again, under the same names', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const roots = houses();
    const first = await start(desk, roots);
    await finish(desk, first);
    const again = await start(desk, roots);
    const ended = await finish(desk, again);
    expect(ended.map(({ uploaded, skipped }) => [uploaded, skipped])).toEqual(roots.map(() => [0, 13]));
    for (const [index, batch] of again.entries())
      expect(await namesOf(desk, batch)).toEqual(await namesOf(desk, first[index] ?? ''));
    await expectUnique(37);
  });
});

describe('a FileName that is taken on the assignment', () => {
  test('is not given to other content, which is later found under its own name', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const root = makeFolder({ 'report.pdf': 'first', 'in/plan.pdf': 'plan' });
    await desk.upload(root, assignment);
    writeFileSync(join(root, 'report.pdf'), 'other');
    const { batchId, ...counts } = await desk.upload(root, assignment);
    expect(counts).toMatchObject({ uploaded: 1, skipped: 1 });
    expect(await namesOf(desk, batchId)).toEqual(['report.pdf report (2).pdf', 'in/plan.pdf plan.pdf']);
    expect(await desk.upload(root, assignment)).toMatchObject({ uploaded: 0, skipped: 2 });
    await expectUnique(3);
  });

  test('by a file that a removal reported is not used', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const other = await openSignedIn({ sandbox: sandbox.address });
    await other.upload(makeFolder({ 'REPORT.pdf': 'of another computer' }), assignment);
    await desk.upload(makeFolder({ 'wrong.txt': 'wrong' }), assignment);
    const [wrong] = await desk.uploads.knownFiles(assignment);
    await desk.removeFile(assignment, wrong?.Key ?? '');
    const { batchId } = await desk.upload(makeFolder({ 'report.pdf': 'of this one' }), assignment);
    expect(await namesOf(desk, batchId)).toEqual(['report.pdf report (2).pdf']);
  });

  test('is free again once its file is removed', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const root = makeFolder({ 'report.pdf': 'first' });
    await desk.upload(root, assignment);
    const [report] = await desk.uploads.knownFiles(assignment);
    await desk.removeFile(assignment, report?.Key ?? '');
    const { batchId } = await desk.upload(makeFolder({ 'report.pdf': 'second' }), assignment);
    expect(await namesOf(desk, batchId)).toEqual(['report.pdf report.pdf']);
  });

  test('after planning is replaced by the next one when the file is sent or retried', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const root = makeFolder({ 'report.pdf': 'first' });
    await sandbox.control.faults.add(always('storage-put', { type: 'status', status: 403 }, 'report.pdf'));
    const { batchId, failed } = await desk.upload(root, assignment);
    expect(failed).toBe(1);
    await sandbox.control.faults.clear();
    await desk.upload(makeFolder({ 'report.pdf': 'of another folder' }), assignment);
    await desk.uploads.retryFailed(batchId);
    expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 1, failed: 0 });
    expect(await namesOf(desk, batchId)).toEqual(['report.pdf report (2).pdf']);
    await expectUnique(2);
  });

  test('stays with a file that is retried or only touched', async () => {
    const desk = await openSignedIn({ sandbox: sandbox.address });
    const root = makeFolder({ 'report.pdf': 'first' });
    await desk.upload(root, assignment);
    utimesSync(join(root, 'report.pdf'), 1_000, 1_000);
    expect(await desk.upload(root, assignment)).toMatchObject({ uploaded: 0, skipped: 1 });
    renameSync(join(root, 'report.pdf'), join(root, 'other.pdf'));
    const { batchId } = await desk.upload(root, assignment);
    expect(await namesOf(desk, batchId)).toEqual(['other.pdf other.pdf']);
  });
});

test('known files have their origin, size and time', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const root = makeFolder({ 'report.pdf': 'first', 'in/there/plan.pdf': 'plan' });
  await desk.upload(root, assignment);
  const known = await desk.handlers.assignments.knownFiles({ AssignmentId: assignment });
  expect(known.map(({ FileName, folder, sizeBytes }) => [FileName, folder, sizeBytes])).toEqual([
    ['plan.pdf', `${basename(root)}/in/there`, 4],
    ['report.pdf', basename(root), 5],
  ]);
});

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSignedIn } from './support/desks.ts';
import { bytes, makeDirectory, makeFolder, manyFiles, sha256 } from './support/folders.ts';
import { expectStored, once, silence, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const open = () => openSignedIn({ sandbox: sandbox.address });

test('a folder arrives byte for byte, whatever the names and sizes of its files', async () => {
  const tree = {
    empty: '',
    'one byte.bin': 'x',
    'sizes/just under a part.bin': bytes(256 * 1024 - 1),
    'sizes/a part.bin': bytes(256 * 1024),
    'sizes/just over a part.bin': bytes(256 * 1024 + 1),
    'sizes/large.jpg': bytes(3 * 1024 * 1024),
    'names/with spaces  and %20 & "quotes".pdf': 'spaces',
    'names/ÆØÅ 日本語.docx': 'letters',
    'names/👷🏽‍♀️ on site.jpg': 'emoji',
  };
  const root = makeFolder({ ...tree, 'names/.hidden': 'hidden' });
  const assignment = sandbox.newAssignment();
  const desk = await open();

  const batch = await desk.upload(root, assignment);

  expect(batch).toMatchObject({ state: 'finished', files: 9, uploaded: 9, skipped: 0, failed: 0 });
  expect(batch).toMatchObject({ AssignmentId: assignment, root, leftOut: { hidden: 1 } });
  expect(batch.bytesSent).toBe(batch.bytes);
  const legal = { 'names/with spaces  and %20 & "quotes".pdf': 'with spaces  and %20 & _quotes_.pdf' };
  await expectStored(sandbox.control, assignment, tree, legal);
  const file = (await desk.filesOf(batch.batchId))['sizes/large.jpg'];
  expect(file).toMatchObject({ state: 'done', attempts: 1, sha256: sha256(tree['sizes/large.jpg']) });
  const { violations } = await sandbox.control.stats();
  expect(violations).toMatchObject({ 'bearer-at-storage': 0, 'upload-without-length': 0 });
});

test('the ledger holds a signed Url only while it is needed', async () => {
  const home = makeDirectory();
  const desk = await openSignedIn({ sandbox: sandbox.address, home });
  const holds = () =>
    ['ledger.sqlite', 'ledger.sqlite-wal'].some((name) =>
      readFileSync(join(home, name), 'latin1').includes('signature='),
    );
  await sandbox.control.faults.add(once('storage-put', silence));
  const { batchId } = await desk.uploads.start({
    root: makeFolder(manyFiles(50)),
    assignmentId: sandbox.newAssignment(),
  });
  await expect.poll(holds).toBe(true);
  await sandbox.control.faults.release();
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 50 });
  expect(holds()).toBe(false);
});

test('FileNames are composed (NFC) even if the disk has them decomposed, as on a Mac', async () => {
  const apart = 'Bla\u030ab\u00e6r.jpg';
  const root = makeFolder({ [apart]: 'apart' });
  const assignment = sandbox.newAssignment();
  const desk = await open();
  const { batchId } = await desk.upload(root, assignment);
  expect(Object.keys(await desk.filesOf(batchId))).toEqual([apart]);
  await expectStored(sandbox.control, assignment, { [apart.normalize('NFC')]: 'apart' });
});

test('files with the same name in several folders get different FileNames, also when only case or Unicode form differs', async () => {
  const tree = {
    'a/photo.jpg': '1',
    'b/photo.jpg': '2',
    'b/PHOTO.JPG': '3',
    'b/inside/Photo.jpg': '4',
    'c/pla\u030an.pdf': '5',
    'c/pl\u00e5n.pdf': '6',
  };
  const assignment = sandbox.newAssignment();
  const desk = await open();
  await desk.upload(makeFolder(tree), assignment);
  await expectStored(sandbox.control, assignment, tree, {
    'a/photo.jpg': 'photo.jpg',
    'b/PHOTO.JPG': 'b - PHOTO.JPG',
    'b/inside/Photo.jpg': 'inside - Photo.jpg',
    'b/photo.jpg': 'photo (2).jpg',
    'c/pla\u030an.pdf': 'pl\u00e5n.pdf',
    'c/pl\u00e5n.pdf': 'c - pl\u00e5n.pdf',
  });
});

test('an empty folder finishes immediately', async () => {
  const desk = await open();
  const batch = await desk.upload(makeFolder({}), sandbox.newAssignment());
  expect(batch).toMatchObject({ state: 'finished', files: 0, bytes: 0, finishedAtMs: expect.any(Number) });
});

describe('what is on the assignment already', () => {
  const tree = manyFiles(20);

  test('skips the same folder, and sends only what was added to it', async () => {
    const assignment = sandbox.newAssignment();
    const desk = await open();
    await desk.upload(makeFolder(tree), assignment);
    const more = { ...tree, 'new.txt': 'new' };
    const again = await desk.upload(makeFolder(more), assignment);
    expect(again).toMatchObject({ state: 'finished', files: 21, uploaded: 1, skipped: 20, failed: 0 });
    expect(again.bytesSent).toBe(again.bytes);
    await expectStored(sandbox.control, assignment, more);
  });

  test('on another assignment it is not', async () => {
    const [one, other] = [sandbox.newAssignment(), sandbox.newAssignment()];
    const desk = await open();
    await desk.upload(makeFolder(tree), one);
    expect(await desk.upload(makeFolder(tree), other)).toMatchObject({ uploaded: 20, skipped: 0 });
  });

  test('the same folder dropped twice at the same time arrives once', async () => {
    const assignment = sandbox.newAssignment();
    const root = makeFolder(tree);
    const desk = await open();
    const batches = await Promise.all([desk.upload(root, assignment), desk.upload(root, assignment)]);
    expect(batches.map(({ uploaded, skipped }) => uploaded + skipped)).toEqual([20, 20]);
    expect(batches.reduce((sum, { uploaded }) => sum + uploaded, 0)).toBe(20);
    await expectStored(sandbox.control, assignment, tree);
  });

  test('new content under the same name is another file and gets another name', async () => {
    const assignment = sandbox.newAssignment();
    const desk = await open();
    await desk.upload(makeFolder({ 'a.txt': 'old' }), assignment);
    expect(await desk.upload(makeFolder({ 'a.txt': 'new' }), assignment)).toMatchObject({ uploaded: 1, skipped: 0 });
    expect((await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName)).toEqual([
      'a.txt',
      'a (2).txt',
    ]);
  });

  test('a file removed through the app is uploaded again', async () => {
    const assignment = sandbox.newAssignment();
    const small = { 'a.txt': 'a', 'b.txt': 'b' };
    const root = makeFolder(small);
    const desk = await open();
    await desk.upload(root, assignment);
    const known = await desk.handlers.assignments.knownFiles({ AssignmentId: assignment });
    expect(known.map(({ FileName, source }) => [FileName, source])).toEqual([
      ['a.txt', 'uploaded-here'],
      ['b.txt', 'uploaded-here'],
    ]);

    await desk.removeFile(assignment, known[0]?.Key ?? '');
    const after = await desk.handlers.assignments.knownFiles({ AssignmentId: assignment });
    expect(after.map(({ FileName }) => FileName)).not.toContain('a.txt');
    expect(after.find(({ FileName }) => FileName === 'b.txt')).toMatchObject({
      source: 'uploaded-here',
      UploadedBy: 'CONTRACTOR',
    });

    expect(await desk.upload(root, assignment)).toMatchObject({ uploaded: 1, skipped: 1 });
    await expectStored(sandbox.control, assignment, small);
  });
});

test('leaves out and counts files that are not documents', async () => {
  const root = makeFolder({
    'a.txt': 'a',
    '.hidden': 'x',
    '.git/config': 'x',
    'Thumbs.db': 'x',
    'sub/desktop.ini': 'x',
    'sub/.DS_Store': 'x',
    'sub/~$report.docx': 'x',
  });
  const assignment = sandbox.newAssignment();
  const desk = await open();
  const batch = await desk.upload(root, assignment);
  expect(batch).toMatchObject({ files: 1, leftOut: { hidden: 2, system: 4, links: 0, special: 0, unreadable: 0 } });
  await expectStored(sandbox.control, assignment, { 'a.txt': 'a' });
});

test('a folder that is not there, or is a file, is refused before anything is begun', async () => {
  const desk = await open();
  const root = makeFolder({ 'a.txt': 'a' });
  const assignmentId = sandbox.newAssignment();
  const start = (path: string) => desk.uploads.start({ root: path, assignmentId });
  await expect(start(`${root}/a.txt`)).rejects.toMatchObject({ code: 'upload/not-a-folder' });
  rmSync(root, { recursive: true });
  await expect(start(root)).rejects.toMatchObject({ code: 'upload/folder-missing' });
  expect((await desk.handlers.app.snapshot(undefined)).batches).toEqual([]);
});

test('a verification ends when it is cancelled', async () => {
  const desk = await open();
  const { batchId } = await desk.upload(makeFolder(manyFiles(40)), sandbox.newAssignment());
  const verify = async (signal?: AbortSignal) => desk.handlers.uploads.verify({ batchId, after: 0 }, signal);
  const cancel = new AbortController();
  const begun = verify(cancel.signal);
  cancel.abort();
  await expect(begun).rejects.toMatchObject({ code: 'app/cancelled' });
  const { files, ...rest } = await verify();
  expect(rest).toEqual({});
  expect(files.map(({ verdict }) => verdict)).toEqual(Array(40).fill('same'));
});

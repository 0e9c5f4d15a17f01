/** The disk with the ledger fills up during an upload. The test uses a separate small file system. */
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReviewedList, filesOf, type ScannedFile } from '../../src/main/uploads/source/scan.ts';
import { openSignedIn, slow } from './support/desks.ts';
import { openDraft, rowsOf, whenDraft } from './support/drafts.ts';
import { makeDirectory, makeFolder, manyFiles, mountSmallDisk } from './support/folders.ts';
import { expectStored, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const files = manyFiles(300);

/** Writes a file at `path` until the disk is full. */
const fillDisk = (path: string): void => {
  const fd = openSync(path, 'w');
  try {
    for (let length = 64 * 1024; length >= 1; length = Math.floor(length / 2)) {
      try {
        for (;;) writeSync(fd, Buffer.alloc(length));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(fd);
  }
};

test('the batch pauses with the reason and continues once there is room; each file arrives once', async (context) => {
  const home = makeDirectory();
  if (!mountSmallDisk(home, '8m')) context.skip('no file system can be mounted here');
  const desk = await openSignedIn({ sandbox: sandbox.address, home, ...slow });
  const assignment = sandbox.newAssignment();
  const { batchId } = await desk.uploads.start({ root: makeFolder(files), assignmentId: assignment });
  await desk.when(batchId, ({ uploaded }) => uploaded >= 5);
  const ballast = join(home, 'ballast');
  fillDisk(ballast);
  const stopped = await desk.uploads.ended(batchId);
  expect(stopped).toMatchObject({ state: 'paused', reason: { code: 'data/unwritable' }, failed: 0 });
  rmSync(ballast);
  await desk.uploads.resume(batchId);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', uploaded: 300, failed: 0 });
  await expectStored(sandbox.control, assignment, files);
});

test('a choice in a review that finds no room is reported, and stored once there is some', async (context) => {
  const home = makeDirectory();
  if (!mountSmallDisk(home, '8m')) context.skip('no file system can be mounted here');
  const desk = await openSignedIn({ sandbox: sandbox.address, home, hasWindow: true });
  await openDraft(desk, [makeFolder({ 'a/one.pdf': '1', 'b/two.pdf': '2' })]);
  await whenDraft(desk);
  const stored = (): string =>
    readdirSync(join(home, 'drafts'))
      .map((name) => readFileSync(join(home, 'drafts', name), 'utf8'))
      .join('');
  await expect.poll(stored).toContain('"rows":[{');
  const AssignmentId = sandbox.newAssignment();
  const ballast = join(home, 'ballast');
  fillDisk(ballast);
  const [row] = await rowsOf(desk);
  await desk.handlers.drafts.assign({ rowIds: [row?.rowId ?? 0], AssignmentId });
  const notices = () => desk.events.flatMap((event) => (event.type === 'notice' ? event.notice.code : []));
  await expect.poll(notices).toEqual(['data/unwritable']);
  rmSync(ballast);
  await expect.poll(stored).toContain(AssignmentId);
  expect(notices()).toEqual(['data/unwritable']);
});

test('B17: a list of reviewed files that finds no room continues where it was, once there is some', async (context) => {
  const directory = makeDirectory();
  if (!mountSmallDisk(directory, '8m')) context.skip('no file system can be mounted here');
  const fileAt = (number: number): ScannedFile => ({
    path: `file-${number}.txt`,
    sizeBytes: number,
    modifiedMs: 1,
    identity: { id: `1-${number}`, changedMs: 1 },
  });
  const all = Array.from({ length: 1_000 }, (_, number) => fileAt(number));
  const folder = { below: '', identity: { id: '1-1', bornMs: 0 } };
  const list = createReviewedList(directory);
  list.add(folder, all.slice(0, 10));
  list.save(false);
  const ballast = join(directory, 'ballast');
  fillDisk(ballast);
  truncateSync(ballast, statSync(ballast).size - 4096);
  list.add(folder, all.slice(10, 990));
  expect(() => list.save(true)).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
  rmSync(ballast);
  const [, end] = list.add(folder, all.slice(990));
  list.save(true);
  list.close();
  const reviewed = { list: list.id, below: '', ranges: [[0, end]] as const };
  const read: ScannedFile[] = [];
  for await (const files of filesOf({ root: '/jobs', reviewed }, directory, new AbortController().signal).files)
    read.push(...files);
  expect(read).toEqual(all);
});

test('a list of reviewed files that the system does not read is not called damaged', async () => {
  const directory = makeDirectory();
  const reviewed = { list: 'list', below: '', ranges: [[0, 10]] as const };
  const read = () =>
    filesOf({ root: '/jobs', reviewed }, directory, new AbortController().signal).files[Symbol.asyncIterator]().next();
  await expect(read()).rejects.toMatchObject({ code: 'data/corrupt' });
  // A folder instead of the file can be opened, but not read (EISDIR).
  mkdirSync(join(directory, 'list.jsonl'));
  await expect(read()).rejects.toMatchObject({ code: 'data/unwritable' });
});

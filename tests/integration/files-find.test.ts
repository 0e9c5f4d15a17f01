/** Files of earlier uploads can be found by words, dates and states that users remember, or by the file itself. */

import { existsSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { DeskError } from '../../src/contract/errors.ts';
import { compareFolder } from '../../src/main/core/handlers/compare-folder.ts';
import { factsOf } from '../../src/main/uploads/source/file-identity.ts';
import { cli } from './support/cli.ts';
import { openSignedIn, withoutBackoff } from './support/desks.ts';
import { makeFolder } from './support/folders.ts';
import { useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

test('an uploaded file is found by its name, its folder and the address of its assignment, and says where it is', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  expect(existsSync(join(desk.home, 'cache', 'files.sqlite'))).toBe(false);
  const { Items } = (await desk.handlers.assignments.projects({})).value;
  const assignment = Items.find(({ Address }) => Address !== '');
  if (!assignment) throw new Error('the sandbox has no assignment with an address');
  const root = makeFolder({ 'roof/IMG_0123.jpg': 'a photo', 'notes.txt': 'notes' });
  const { batchId } = await desk.upload(root, assignment.AssignmentId);
  const find = (text: string) => desk.handlers.files.find({ text, offset: 0, limit: 10, complete: false });
  const [found, ...others] = (await find(`${assignment.Address} roof 0123`)).files;
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    path: 'roof/IMG_0123.jpg',
    FileName: 'IMG_0123.jpg',
    state: 'done',
    sizeBytes: 7,
    AssignmentId: assignment.AssignmentId,
    title: expect.stringContaining(assignment.Address),
    batchId,
  });
  expect((await find(assignment.AssignmentId)).total).toBe(2);
});

test('a dropped file is found by its content, whatever its name, and by its name, whatever its content', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  await desk.upload(makeFolder({ 'roof.jpg': 'the roof', 'big.bin': 'x'.repeat(600_000) }), sandbox.newAssignment());
  const other = makeFolder({
    'IMG_1.jpg': 'the roof',
    'roof.jpg': 'another',
    'new.jpg': 'new',
    'copy.bin': 'x'.repeat(600_000),
  });
  const { folderId } = desk.adopt({ root: other, only: ['IMG_1.jpg', 'roof.jpg', 'new.jpg', 'copy.bin'] });
  const answers = await desk.handlers.files.sentBefore({ folderIds: [folderId] });
  expect(answers.map(({ same, alike }) => [same, alike].map((files) => files.map(({ FileName }) => FileName)))).toEqual(
    [
      [['roof.jpg'], []],
      [[], ['roof.jpg']],
      [[], []],
      [['big.bin'], []],
    ],
  );
});

test('a dropped folder is compared with what was sent: all of it, some, or nothing, and what was removed since', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const AssignmentId = sandbox.newAssignment();
  const root = makeFolder({ 'roof.jpg': 'the roof', 'in/big.bin': 'x'.repeat(600_000), 'notes.txt': 'notes' });
  const ask = async (folder: string) => {
    const [answer] = await desk.handlers.files.sentBefore({ folderIds: [desk.adopt({ root: folder }).folderId] });
    return answer?.folder;
  };
  expect(await ask(root)).toEqual({
    files: 3,
    sent: 0,
    removed: 0,
    unread: 0,
    assignments: [],
    neverSent: ['notes.txt', 'roof.jpg', 'in/big.bin'],
  });
  await desk.upload(root, AssignmentId);
  const all = await ask(root);
  expect(all).toMatchObject({ files: 3, sent: 3, neverSent: [], assignments: [{ AssignmentId, files: 3 }] });
  expect(all?.toMs).toBeGreaterThanOrEqual(all?.fromMs ?? Number.NaN);

  // Two files with known content under other names, and a file with new content.
  const other = makeFolder({ 'IMG_1.jpg': 'the roof', 'copy.bin': 'x'.repeat(600_000), 'new.txt': 'other' });
  expect(await ask(other)).toMatchObject({ files: 3, sent: 2, neverSent: ['new.txt'] });
  const [{ Key = '' } = {}] = await desk.handlers.assignments.knownFiles({ AssignmentId });
  await desk.removeFile(AssignmentId, Key);
  expect(await ask(other)).toMatchObject({ sent: 2 });
  expect(await ask(root)).toMatchObject({ sent: 3, removed: 1 });
});

test('files of one size are looked up, not compared with each other; of what was sent twice, what is still there counts', async () => {
  const numbers = Array.from({ length: 300 }, (_, number) => number);
  const root = makeFolder(Object.fromEntries(numbers.map((number) => [`${number}.tif`, String(number).padStart(9)])));
  const contents = new Map(
    numbers.map((number) => {
      const facts = factsOf(statSync(join(root, `${number}.tif`), { bigint: true }));
      // A third of the files are recorded without their identity, so they are read.
      const { identity } = number % 3 === 0 ? { identity: undefined } : facts;
      const sent = { ...facts, identity, sha256: `hash ${number}`, AssignmentId: 'a' };
      return [`${number}.tif` as string, sent] as const;
    }),
  );
  let reads = 0;
  const counted = <T extends object>(one: T): T =>
    new Proxy(one, {
      get: (of, field) => {
        reads += 1;
        return Reflect.get(of, field);
      },
    });
  const compared = await compareFolder(
    { root },
    {
      sent: async () =>
        [...contents.values()].flatMap((one) => [1, 3, 2].map((atMs) => counted({ ...one, atMs, isThere: atMs > 1 }))),
      contentOf: async (path) => contents.get(basename(path)) ?? expect.unreachable(),
      titled: (all) => all.map((one) => ({ ...one, title: 'Mill Street' })),
    },
    new AbortController().signal,
  );
  expect(compared).toEqual({
    files: 300,
    sent: 300,
    unread: 0,
    removed: 0,
    fromMs: 2,
    toMs: 2,
    neverSent: [],
    assignments: [{ AssignmentId: 'a', title: 'Mill Street', files: 300 }],
  });
  expect(reads / numbers.length).toBeLessThan(60);
});

test('a dropped file that cannot be read is refused, and a comparison that is cancelled ends', async () => {
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const root = makeFolder({ 'a.txt': 'a' });
  const missing = desk.adopt({ root, only: ['missing.txt'] }).folderId;
  await expect(desk.handlers.files.sentBefore({ folderIds: [missing] })).rejects.toMatchObject({
    code: 'upload/file-missing',
  });
  writeFileSync(join(root, 'large.bin'), Buffer.alloc(20_000_000));
  const large = desk.adopt({ root, only: ['large.bin'] }).folderId;
  const cancel = new AbortController();
  const comparing = desk.handlers.files.sentBefore({ folderIds: [large] }, cancel.signal);
  cancel.abort(new DeskError('app/cancelled', 'cancelled'));
  await expect(comparing).rejects.toMatchObject({ code: 'app/cancelled' });
});

test('files find lists files by words or by hash, without a session, and exits with 1 if there are none', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const assignment = sandbox.newAssignment();
  await desk.upload(makeFolder({ 'roof/IMG_0123.jpg': 'a photo', 'notes.txt': 'notes' }), assignment);
  await desk.close();
  const run = (...args: readonly string[]) =>
    cli(['files', 'find', ...args], { sandbox: sandbox.address, home: desk.home });
  const { lines, exitCode } = await run('roof', '0123');
  const [found] = lines;
  expect([exitCode, found]).toMatchObject([
    0,
    { total: 1, isMore: false, files: [{ path: 'roof/IMG_0123.jpg', size: 7, state: 'done', assignment }] },
  ]);
  const { sha256, ...others } = (found as { files: { sha256: string }[] }).files[0] ?? { sha256: '' };
  const fields = ['path', 'folder', 'FileName', 'size', 'state', 'assignment', 'batch', 'at'];
  expect(Object.keys(others).sort()).toEqual(fields.sort());
  expect((await run('--sha256', sha256.slice(0, 10))).lines).toMatchObject([{ total: 1 }]);
  expect(await run('nothing')).toMatchObject({ exitCode: 1, lines: [{ files: [], total: 0 }] });
  expect((await run()).exitCode).toBe(2);
  expect((await run('--sha256', 'xyz')).exitCode).toBe(2);
});

/**
 * Files are removed in one change, a few at once, with a receipt for several files. This works offline and across
 * restarts.
 */
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { OutboxEntry } from '../../src/contract/offline.ts';
import type { ListedState } from '../../src/contract/uploads.ts';
import { cli, type OnLine } from './support/cli.ts';
import {
  createTestKeychain,
  openDesk,
  openSignedIn,
  slowDown,
  type TestDesk,
  withoutBackoff,
} from './support/desks.ts';
import { makeFolder, manyFiles } from './support/folders.ts';
import { always, silence, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

const folder = () =>
  makeFolder({
    ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`roof/photos/IMG_${i}.jpg`, `photo ${i}`])),
    'roof/plan.pdf': 'plan',
    'notes.txt': 'notes',
  });
const namesOn = async (assignment: string) =>
  (await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName).toSorted();
const removalOf = ({ connected }: Pick<TestDesk, 'connected'>): OutboxEntry | undefined => connected().outbox.list()[0];
const lastId = ({ connected }: TestDesk): number => connected().outbox.list().at(-1)?.id ?? 0;
/** Returns the Keys of two files: `key`, and a Key that the service does not know. */
const withOther = (key: string): readonly string[] => [key, 'unknown'];
const settled = async (desk: TestDesk, counts: object) =>
  expect.poll(() => removalOf(desk)).toMatchObject({ kind: 'remove-files', waiting: 0, ...counts });

test('all files of a folder of an upload are removed, and nothing else', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const assignment = sandbox.newAssignment();
  const root = folder();
  const { batchId } = await desk.upload(root, assignment);
  const { files } = desk.handlers;
  const name = `${basename(root)}/roof/photos/IMG_0.jpg`;
  expect(await files.removable({ batchIds: [batchId] })).toMatchObject([
    { folder: '', files: 22 },
    { folder: 'roof', files: 21 },
    { folder: 'roof/photos', files: 20, names: expect.arrayContaining([name]) },
  ]);
  await files.remove({ batchIds: [batchId], folder: 'roof/photos' });
  expect(removalOf(desk)).toMatchObject({ kind: 'remove-files', files: 20, AssignmentId: assignment });
  const id = lastId(desk);
  await settled(desk, { removed: 20, refused: 0 });
  expect(await namesOn(assignment)).toEqual(['notes.txt', 'plan.pdf']);
  // Removals are sent concurrently. The list in a response can still contain files that another request removes; they
  // do not come back.
  const known = await desk.handlers.assignments.knownFiles({ AssignmentId: assignment });
  const names = known.map(({ FileName }) => FileName);
  expect(names).toEqual(expect.arrayContaining(['notes.txt', 'plan.pdf']));
  // The responses also list files that the app did not upload, so only the removed ones are looked for.
  expect(names.filter((name) => name.startsWith('IMG_'))).toEqual([]);
  const receipt = await files.removal({ id, offset: 0, limit: 15 });
  expect([receipt.files.length, receipt.total]).toEqual([15, 20]);
  expect((await files.removal({ id, offset: 15, limit: 15 })).files).toHaveLength(5);
  expect(receipt.files[0]).toMatchObject({ state: 'removed', sizeBytes: 7, settledAtMs: expect.any(Number) });
  desk.handlers.outbox.revoke({ id });
  expect(removalOf(desk)).toBeUndefined();
});

test('files of several uploads are removed together, counted by folder, from the assignment of each', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const [a, b] = [sandbox.newAssignment(), sandbox.newAssignment()];
  const batches = [
    await desk.upload(folder(), a),
    await desk.upload(makeFolder({ 'roof/b.txt': 'b', 'c.txt': 'c' }), b),
  ];
  const batchIds = batches.map(({ batchId }) => batchId);
  const { files } = desk.handlers;
  expect(await files.removable({ batchIds })).toMatchObject([
    { folder: '', files: 24 },
    { folder: 'roof', files: 22 },
    { folder: 'roof/photos', files: 20 },
  ]);
  // Only the first upload has files in this folder.
  await files.remove({ batchIds, folder: 'roof/photos' });
  await settled(desk, { removed: 20, refused: 0 });
  await files.remove({ batchIds, folder: 'roof' });
  await expect.poll(() => namesOn(a)).toEqual(['notes.txt']);
  await expect.poll(() => namesOn(b)).toEqual(['c.txt']);
  await expect.poll(() => files.removable({ batchIds })).toMatchObject([{ folder: '', files: 2 }]);
  await expect(files.remove({ batchIds, folder: 'roof' })).rejects.toMatchObject({ code: 'input/invalid' });
});

test('an upload says which of its files were removed since, everywhere and without being asked again', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { batchId, uploadId } = await desk.upload(folder(), sandbox.newAssignment());
  const states = async (states?: readonly ListedState[]) =>
    Object.entries(
      Object.groupBy(
        (await desk.handlers.uploads.files({ batchId, states, offset: 0, limit: 200 })).files,
        ({ state }) => state,
      ),
    ).map(([state, files]) => [state, files.length]);
  const shown = async () =>
    (await desk.handlers.app.snapshot(undefined)).batches.find((one) => one.batchId === batchId);
  expect(await states()).toEqual([['done', 22]]);
  expect((await shown())?.removed).toBeUndefined();

  await desk.handlers.files.remove({ batchIds: [batchId], folder: 'roof/photos' });
  await settled(desk, { removed: 20, refused: 0 });
  await expect.poll(shown).toMatchObject({ files: 22, uploaded: 22, removed: 20 });
  expect(await states()).toEqual(
    expect.arrayContaining([
      ['done', 2],
      ['removed', 20],
    ]),
  );
  expect(await states(['done', 'skipped'])).toEqual([['done', 2]]);
  expect(await states(['removed'])).toEqual([['removed', 20]]);
  const found = await desk.handlers.files.find({ text: '', uploadId, complete: true, offset: 0, limit: 100 });
  expect(found.files.filter(({ state }) => state === 'removed')).toHaveLength(20);
  // Removed files are not compared with the disk, and cannot be removed again.
  const { files } = await desk.handlers.uploads.verify({ batchId, after: 0 });
  expect(files.filter(({ verdict }) => verdict === 'removed')).toHaveLength(20);
  expect(files.filter(({ verdict }) => verdict === 'same')).toHaveLength(2);
  expect((await desk.handlers.files.removable({ batchIds: [batchId] }))[0]).toMatchObject({ folder: '', files: 2 });
  await desk.close();

  const run = (...args: readonly string[]) => cli(['uploads', ...args], { sandbox: sandbox.address, home: desk.home });
  expect((await run('list')).lines).toMatchObject([{ batches: [{ uploaded: 22, removed: 20 }] }]);
  const [report] = (await run('show', batchId)).lines as { files: { state: string; removed?: string }[] }[];
  const gone = report?.files.filter(({ state }) => state === 'removed') ?? [];
  expect(gone).toHaveLength(20);
  expect(gone.every(({ removed = '' }) => Date.parse(removed) > 0)).toBe(true);
});

test('files that cannot be removed are listed with their reasons, and can be tried again', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const assignment = sandbox.newAssignment();
  await desk.upload(makeFolder({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }), assignment);
  const Keys = (await desk.uploads.knownFiles(assignment)).map(({ Key }) => Key);
  await sandbox.control.faults.add({
    match: { route: 'remove-file' },
    when: { count: 1 },
    effect: { type: 'status', status: 422 },
  });
  await desk.handlers.files.remove({ AssignmentId: assignment, Keys });
  const id = lastId(desk);
  await settled(desk, { removed: 2, refused: 1 });
  expect((await desk.handlers.files.removal({ id, offset: 0, limit: 10 })).files[0]).toMatchObject({
    state: 'refused',
    error: { code: 'service/refused' },
  });
  desk.handlers.outbox.retry({ id });
  await settled(desk, { removed: 3, refused: 0 });
  expect(await namesOn(assignment)).toEqual([]);
});

test('a removal waits while the service is away, survives a restart, and the rest of it can be discarded', async () => {
  withoutBackoff();
  const keychain = createTestKeychain();
  const first = await openSignedIn({ sandbox: sandbox.address, keychain });
  const assignment = sandbox.newAssignment();
  const { batchId } = await first.upload(folder(), assignment);
  const fault = always('remove-file', { type: 'reset', at: 'before-body' });
  await sandbox.control.faults.add({ ...fault, when: { after: 6 } });
  await first.handlers.files.remove({ batchIds: [batchId], folder: '' });
  await expect.poll(() => removalOf(first)).toMatchObject({ removed: expect.any(Number), refused: 0 });
  await first.close();
  await sandbox.control.faults.clear();

  const second = await openDesk({ sandbox: sandbox.address, keychain, home: first.home });
  await settled(second, { files: 22, removed: 22, refused: 0 });
  expect(await namesOn(assignment)).toEqual([]);

  const other = await second.upload(folder(), assignment);
  await sandbox.control.faults.add(fault);
  await second.handlers.files.remove({ batchIds: [other.batchId], folder: 'roof' });
  expect(second.connected().outbox.list()).toHaveLength(2);
  const id = lastId(second);
  second.handlers.outbox.revoke({ id });
  await expect.poll(() => second.connected().outbox.list()).toHaveLength(1);
  expect(await namesOn(assignment)).toHaveLength(22);
});

test('files remove takes several keys, a batch, or a folder of it', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const assignment = sandbox.newAssignment();
  const { batchId } = await desk.upload(folder(), assignment);
  const known = await desk.uploads.knownFiles(assignment);
  await desk.close();
  const run = (...args: readonly string[]) =>
    cli(['files', 'remove', ...args], { sandbox: sandbox.address, home: desk.home });
  const keys = known.filter(({ FileName }) => /^(plan|notes)/.test(FileName)).map(({ Key }) => Key);
  expect(await run(assignment, ...keys)).toMatchObject({ exitCode: 0, lines: [{ removed: [{}, {}], failed: [] }] });
  expect((await run('--batch', batchId, '--folder', 'nothing')).lines).toMatchObject([{ removed: [] }]);
  const all = await run('--batch', batchId);
  expect(all.lines.at(-1)).toMatchObject({ AssignmentId: assignment, failed: [] });
  expect((all.lines.at(-1) as { removed: unknown[] }).removed).toHaveLength(20);
  expect(await namesOn(assignment)).toEqual([]);
  expect((await run(assignment)).exitCode).toBe(2);
  expect((await run(assignment, 'key', '--batch', batchId)).exitCode).toBe(2);
});

test('files remove that breaks off says what was removed, and leaves nothing to happen later', async () => {
  withoutBackoff();
  const keychain = createTestKeychain();
  const desk = await openSignedIn({ sandbox: sandbox.address, keychain });
  const assignment = sandbox.newAssignment();
  await desk.upload(makeFolder(manyFiles(12)), assignment);
  const Keys = (await desk.uploads.knownFiles(assignment)).map(({ Key }) => Key);
  await desk.close();
  const run = async (onLine?: OnLine) => {
    const options = { sandbox: sandbox.address, home: desk.home };
    const { exitCode, lines, stderr } = await cli(['files', 'remove', assignment, ...Keys], options, onLine);
    expect(lines).toHaveLength(1);
    const [line] = lines as readonly { removed: { Key: string }[]; failed: unknown[]; waiting: { Key: string }[] }[];
    const keysOf = (files: readonly { Key: string }[] = []) => files.map(({ Key }) => Key).toSorted();
    return { exitCode, line, stderr, removed: keysOf(line?.removed), waiting: keysOf(line?.waiting) };
  };
  const stored = async () => (await storedOn(sandbox.control, assignment)).map(({ Key }) => Key).toSorted();
  const failing = { match: { route: 'remove-file' }, effect: { type: 'status', status: 500 } } as const;
  await sandbox.control.faults.add({ ...failing, when: { after: 5 } });
  const failed = await run();
  expect(failed).toMatchObject({ exitCode: 4, line: { type: 'error', error: { code: 'service/failed' }, failed: [] } });
  expect(failed.stderr).toContain('service/failed');
  expect(failed.removed).toHaveLength(5);
  expect(failed.waiting).toEqual(await stored());

  await sandbox.control.faults.replace({ ...failing, effect: { type: 'reset', at: 'before-body' } });
  const away = await run();
  expect(away).toMatchObject({ exitCode: 4, removed: [], line: { error: { code: 'service/unreachable' } } });
  expect(away.waiting).toHaveLength(12);

  await sandbox.control.faults.clear();
  const later = await openDesk({ sandbox: sandbox.address, keychain, home: desk.home });
  await later.connected().outbox.send();
  expect(later.connected().outbox.list()).toEqual([]);
  expect(await stored()).toHaveLength(7);
  await later.close();
  expect(await run()).toMatchObject({ exitCode: 0, removed: Keys.toSorted(), line: { failed: [], waiting: [] } });
  expect(await stored()).toEqual([]);
});

test('a file that is being removed is uploaded again, under a Key that the removal does not touch', async () => {
  withoutBackoff();
  const keychain = createTestKeychain();
  const first = await openSignedIn({ sandbox: sandbox.address, keychain });
  const AssignmentId = sandbox.newAssignment();
  const root = makeFolder({ 'a.txt': 'single', 'b.txt': 'one of several' });
  await first.upload(root, AssignmentId);
  const before = await first.handlers.assignments.knownFiles({ AssignmentId });
  const [single, several] = ['a.txt', 'b.txt'].map(
    (name) => before.find(({ FileName }) => FileName === name)?.Key ?? '',
  );
  await sandbox.control.faults.add(always('remove-file', { type: 'reset', at: 'before-body' }));
  await first.removeFile(AssignmentId, single ?? '');
  await first.handlers.files.remove({ AssignmentId, Keys: withOther(several ?? '') });
  // A removal that the user has revoked no longer counts.
  first.handlers.outbox.revoke({ id: lastId(first) });
  await expect.poll(() => first.connected().outbox.list()).toMatchObject([{ name: 'a.txt' }]);
  const taken = await first.upload(root, AssignmentId);
  expect(taken).toMatchObject({ uploaded: 1, skipped: 1 });
  await first.handlers.files.remove({ AssignmentId, Keys: withOther(several ?? '') });
  await first.close();

  // Removals that are pending still count after a restart.
  const second = await openDesk({ sandbox: sandbox.address, keychain, home: first.home });
  expect(await second.upload(root, AssignmentId)).toMatchObject({ uploaded: 1, skipped: 1 });
  await sandbox.control.faults.clear();
  await second.connected().outbox.send();
  await expect.poll(() => namesOn(AssignmentId)).toEqual(['a.txt', 'b.txt']);
  const keys = (await storedOn(sandbox.control, AssignmentId)).map(({ Key }) => Key);
  expect(keys).not.toEqual(expect.arrayContaining([single]));
  expect(keys).not.toEqual(expect.arrayContaining([several]));
  expect(await second.upload(root, AssignmentId)).toMatchObject({ uploaded: 0, skipped: 2 });
});

test('a file is uploaded again while the request that removes it is in flight', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const AssignmentId = sandbox.newAssignment();
  const root = makeFolder({ 'a.txt': 'a' });
  await desk.upload(root, AssignmentId);
  const [known] = await desk.handlers.assignments.knownFiles({ AssignmentId });
  await sandbox.control.faults.add(always('remove-file', silence));
  await desk.handlers.files.remove({ AssignmentId, Keys: [known?.Key ?? ''] });
  await expect.poll(async () => (await sandbox.control.faults.list())[0]?.fired).toBe(1);
  expect(await desk.upload(root, AssignmentId)).toMatchObject({ uploaded: 1, skipped: 0 });
  await sandbox.control.faults.release();
  await desk.connected().outbox.send();
  expect(desk.connected().outbox.list()).toEqual([]);
  expect(await namesOn(AssignmentId)).toEqual(['a.txt']);
});

test('a file is uploaded again while its removal, which another user has asked for, is pending', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { session, outbox } = desk.connected();
  const AssignmentId = sandbox.newAssignment();
  const root = makeFolder({ 'a.txt': 'single', 'b.txt': 'one of several' });
  await desk.upload(root, AssignmentId);
  const known = await desk.handlers.assignments.knownFiles({ AssignmentId });
  const [single = '', several = ''] = known.map(({ Key }) => Key);
  await sandbox.control.faults.add(always('remove-file', { type: 'reset', at: 'before-body' }));
  await desk.handlers.files.remove({ AssignmentId, Keys: [single] });
  await desk.handlers.files.remove({ AssignmentId, Keys: withOther(several) });
  await session.signOut();
  await sandbox.control.become('user-4712');
  await desk.signIn();
  expect(outbox.list()).toEqual([]);
  expect(await desk.upload(root, AssignmentId)).toMatchObject({ uploaded: 2, skipped: 0 });
  await sandbox.control.faults.clear();
  await outbox.send();
  expect(await storedOn(sandbox.control, AssignmentId)).toHaveLength(4);

  await sandbox.control.become('user-4711');
  await desk.signIn();
  await outbox.send();
  await expect.poll(() => namesOn(AssignmentId)).toEqual(['a.txt', 'b.txt']);
  const keys = (await storedOn(sandbox.control, AssignmentId)).map(({ Key }) => Key);
  expect(keys.filter((key) => key === single || key === several)).toEqual([]);
});

test('a file whose removal the service rejects counts for its name and content, until the removal is tried again', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address });
  const { outbox } = desk.connected();
  const AssignmentId = sandbox.newAssignment();
  const root = makeFolder({ 'a.txt': 'single', 'b.txt': 'one of several' });
  await desk.upload(root, AssignmentId);
  const known = await desk.handlers.assignments.knownFiles({ AssignmentId });
  const [single = '', several = ''] = known.map(({ Key }) => Key);
  // At first, the removal of the single file is pending. Later, it is rejected.
  await sandbox.control.faults.add(always('remove-file', { type: 'reset', at: 'before-body' }));
  await desk.removeFile(AssignmentId, single);
  await sandbox.control.faults.clear();
  await sandbox.control.faults.add(always('remove-file', { type: 'status', status: 422 }));
  await desk.handlers.files.remove({ AssignmentId, Keys: withOther(several) });
  await outbox.send();
  await expect
    .poll(() => outbox.list())
    .toMatchObject([
      { name: 'a.txt', error: { code: 'service/refused' }, refused: 1, waiting: 0 },
      { files: 2, refused: 2, waiting: 0 },
    ]);
  expect(await desk.upload(root, AssignmentId)).toMatchObject({ uploaded: 0, skipped: 2 });

  await sandbox.control.faults.clear();
  await sandbox.control.faults.add(always('remove-file', { type: 'reset', at: 'before-body' }));
  for (const { id } of outbox.list()) desk.handlers.outbox.retry({ id });
  expect(await desk.upload(root, AssignmentId)).toMatchObject({ uploaded: 2, skipped: 0 });
  await sandbox.control.faults.clear();
  await outbox.send();
  await expect.poll(() => namesOn(AssignmentId)).toEqual(['a.txt', 'b.txt']);
  const keys = (await storedOn(sandbox.control, AssignmentId)).map(({ Key }) => Key);
  expect(keys.filter((key) => key === single || key === several)).toEqual([]);
});

test('a file that was planned before its removal was asked for is looked up again when it is sent', async () => {
  withoutBackoff();
  const desk = await openSignedIn({ sandbox: sandbox.address, concurrency: 1 });
  const AssignmentId = sandbox.newAssignment();
  const root = makeFolder({ 'a.txt': 'a' });
  await desk.upload(root, AssignmentId);
  const [known] = await desk.handlers.assignments.knownFiles({ AssignmentId });
  const hurry = await slowDown(desk);
  const { batchId: first } = await desk.uploads.start({
    root: makeFolder({ 'first.txt': 'a'.repeat(1_000_000) }),
    assignmentId: sandbox.newAssignment(),
  });
  await desk.when(first, ({ bytesSent }) => bytesSent > 0);
  const { batchId } = await desk.uploads.start({ root, assignmentId: AssignmentId });
  await desk.when(batchId, ({ state }) => state === 'running');
  await desk.removeFile(AssignmentId, known?.Key ?? '');
  await hurry();
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 1, skipped: 0 });
  expect(await namesOn(AssignmentId)).toEqual(['a.txt']);
});

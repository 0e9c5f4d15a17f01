/**
 * An upload that is prepared in a draft: folders become rows, rows are assigned, and the files of the started upload
 * arrive.
 */
import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Draft, DraftRow } from '../../src/contract/drafts.ts';
import { type AssignmentSummary, isClosed } from '../../src/contract/resources.ts';
import { openRuleStore } from '../../src/main/core/drafts/rules.ts';
import { jpeg, png, withExif } from '../../src/main/data/testing/pictures.ts';
import { zipOf } from './support/archives.ts';
import {
  createTestKeychain,
  openDesk,
  openSignedIn,
  type TestDesk,
  type TestDeskOptions,
  withoutBackoff,
} from './support/desks.ts';
import { openDraft, rowsOf, whenDraft } from './support/drafts.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { always, expectStored, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const open = (options: TestDeskOptions = {}) => {
  withoutBackoff();
  return openSignedIn({ sandbox: sandbox.address, ...options });
};

/** Resolves to open assignments for projects, each the only one at its address. */
const projectsApart = async (desk: TestDesk, count: number): Promise<readonly AssignmentSummary[]> => {
  const { Items } = (await desk.handlers.assignments.projects({})).value;
  const isApart = ({ Address }: AssignmentSummary): boolean =>
    Items.filter((one) => one.Address === Address).length === 1;
  return Items.filter((one) => isApart(one) && !isClosed(one.AssignmentStatus)).slice(0, count);
};
const folderOf = ({ Address, City }: AssignmentSummary): string => `${Address}, ${City}`;

const rowsInView = async (desk: TestDesk) =>
  (await desk.handlers.drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 50 })).rows;

const jobs = {
  'first/report.pdf': 'the first report',
  'first/photos/1.jpg': 'a photo',
  'second/report.pdf': 'the second report',
  'notes.txt': 'loose',
};

test('folders become rows, which a person gives to assignments; what is started leaves the draft', async () => {
  const desk = await open();
  const [one, other] = [sandbox.newAssignment(), sandbox.newAssignment()];
  const root = makeFolder(jobs);
  await openDraft(desk, [root]);
  const scanned = await whenDraft(desk);
  expect(scanned).toMatchObject({ files: 4, level: 1, counts: { all: 3, undecided: 3 } });

  const rows = await rowsOf(desk);
  const [loose, first, second] = rows.map(({ rowId }) => rowId);
  expect(rows.map(({ name, files }) => [name, files]).slice(1)).toEqual([
    ['first', 2],
    ['second', 1],
  ]);
  expect(rows[0]?.fileNames).toEqual(['notes.txt']);

  const { drafts } = desk.handlers;
  await drafts.assign({ rowIds: [first ?? 0, second ?? 0], AssignmentId: one });
  await drafts.assign({ rowIds: [second ?? 0], AssignmentId: other });
  await drafts.undo(undefined);
  expect(desk.drafts.current()).toMatchObject({ counts: { matched: 2 }, toSend: { files: 3, assignments: 1 } });
  expect(await drafts.clashes({ rowId: second ?? 0 })).toMatchObject({
    clashes: [{ path: 'report.pdf', with: 'this-upload', onClash: 'rename' }],
  });
  await drafts.assign({ rowIds: [second ?? 0], AssignmentId: other });
  await drafts.leaveOut({ rowIds: [loose ?? 0] });

  await drafts.start(undefined);
  expect(desk.drafts.current()).toBeUndefined();
  const batchIds = (await desk.uploads.list()).map(({ batchId }) => batchId);
  for (const batchId of batchIds) await desk.uploads.ended(batchId);
  const receipt = join(makeDirectory(), 'receipt.json');
  const order = { batchIds, format: 'json', listsFiles: true } as const;
  await desk.receipts.saveAt({ ...order, eachAssignment: false }, receipt);
  expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({
    leftOutFolders: [{ path: `${basename(root)}/notes.txt`, files: 1 }],
  });
  // A receipt for a part of the upload, for example for one customer, does not name left-out folders.
  await desk.receipts.saveAt({ ...order, batchIds: batchIds.slice(0, 1), eachAssignment: false }, receipt);
  expect(JSON.parse(readFileSync(receipt, 'utf8'))).not.toHaveProperty('leftOutFolders');
  await expectStored(sandbox.control, one, { 'report.pdf': 'the first report', 'photos/1.jpg': 'a photo' });
  await expectStored(sandbox.control, other, { 'report.pdf': 'the second report' });
});

test('the search in a review finds beginnings of words, whatever their order, case and accents', async () => {
  const desk = await open();
  await openDraft(desk, [makeFolder({ 'Job 3/a.txt': 'a', 'Sjöbergsvägen 3/b.txt': 'b', 'Hauptstraße 3/c.txt': 'c' })]);
  await whenDraft(desk);
  const found = async (text: string) => {
    const query = { filter: 'all', descending: false, offset: 0, limit: 50, text } as const;
    return (await desk.handlers.drafts.rows(query)).rows.map(({ name }) => name);
  };
  expect(await found('job')).toEqual(['Job 3']);
  expect(await found('3 SJOBERG')).toEqual(['Sjöbergsvägen 3']);
  expect(await found('HAUPTSTRASSE')).toEqual(['Hauptstraße 3']);
  expect(await found('berg')).toEqual([]);
});

test('what became certain after a person looked is not sent unseen', async () => {
  const desk = await open();
  const root = makeFolder({ 'jobs/first/report.pdf': 'one', 'jobs/second/report.pdf': 'other' });
  await openDraft(desk, [join(root, 'jobs')]);
  await whenDraft(desk);
  const [first, second] = await rowsOf(desk);
  const { drafts } = desk.handlers;
  const assigned = async (row: DraftRow | undefined) => {
    await drafts.assign({ rowIds: [row?.rowId ?? 0], AssignmentId: sandbox.newAssignment() });
    return desk.drafts.current()?.chosen;
  };
  const seen = await assigned(first);
  const chosen = await assigned(second);
  await expect(drafts.start({ chosen: seen })).rejects.toMatchObject({ code: 'draft/changed' });
  expect(await desk.uploads.list()).toEqual([]);
  expect(desk.drafts.current()).toMatchObject({ counts: { matched: 2 } });
  // The numbers of folders, files and assignments are the same as before, but one folder goes to another assignment.
  const other = await assigned(second);
  await expect(drafts.start({ chosen })).rejects.toMatchObject({ code: 'draft/changed' });
  await drafts.start({ chosen: other });
  expect(desk.drafts.current()).toBeUndefined();
});

test('a draft is named after the chosen folders that are left in it', async () => {
  const desk = await open();
  const root = makeFolder({ 'monday/report.pdf': 'one', 'tuesday/report.pdf': 'other' });
  await openDraft(desk, [join(root, 'monday'), join(root, 'tuesday')]);
  expect(await whenDraft(desk)).toMatchObject({ names: ['monday', 'tuesday'] });
  const [first] = await rowsOf(desk);
  await desk.handlers.drafts.assign({ rowIds: [first?.rowId ?? 0], AssignmentId: sandbox.newAssignment() });
  await desk.handlers.drafts.start(undefined);
  expect(desk.drafts.current()).toMatchObject({ names: ['tuesday'] });
});

test('what was not decided stays, and is never sent with a folder around it', async () => {
  const desk = await open();
  const root = makeFolder({ 'jobs/first/report.pdf': 'one', 'jobs/second/report.pdf': 'other' });
  await openDraft(desk, [join(root, 'jobs')]);
  await whenDraft(desk);
  const [first] = await rowsOf(desk);
  await desk.handlers.drafts.assign({ rowIds: [first?.rowId ?? 0], AssignmentId: sandbox.newAssignment() });
  await desk.handlers.drafts.start(undefined);

  expect(desk.drafts.current()).toMatchObject({ counts: { all: 1, undecided: 1 } });
  await desk.handlers.drafts.setLevel({ level: 0 });
  expect((await rowsOf(desk)).map(({ name }) => name)).toEqual(['second']);
});

test('everything goes to one assignment, as whole folders', async () => {
  const desk = await open();
  const assignment = sandbox.newAssignment();
  await openDraft(desk, [makeFolder(jobs)], assignment);
  await whenDraft(desk);
  expect(await rowsOf(desk)).toMatchObject([{ choice: 'assignment', AssignmentId: assignment, files: 4 }]);
});

test('a folder that names another assignment than the one for everything is warned of', async () => {
  const desk = await open();
  const [one, other] = await projectsApart(desk, 2);
  if (!one || !other) throw new Error('the sandbox has too few assignments');
  const root = makeFolder({ [`${folderOf(other)}/report.pdf`]: 'other' });
  await openDraft(desk, [join(root, folderOf(other))], one.AssignmentId);
  // The first rows already have the details of the assignment.
  await whenDraft(desk);
  expect(await rowsOf(desk)).toMatchObject([{ AssignmentId: one.AssignmentId, assignment: { City: one.City } }]);
  await whenDraft(desk, ({ counts }) => counts.problems === 1);
  const [row] = await rowsOf(desk);
  expect(row?.warnings).toContainEqual(expect.objectContaining({ AssignmentId: other.AssignmentId }));
});

test('the names of files on their assignment are known before the start, page by page', async () => {
  const desk = await open();
  const AssignmentId = sandbox.newAssignment();
  const photos = (of: string) => Object.fromEntries([1, 2, 3].map((index) => [`photo ${index}.jpg`, `${of} ${index}`]));
  const below = (folder: string, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([name, content]) => [`${folder}/${name}`, content]));
  const { drafts } = desk.handlers;
  const both = makeFolder({ ...below('1', photos('one')), ...below('2', { ...photos('two'), 'plan?.pdf': 'plan' }) });
  // The files of the first folder are planned first, because the folders are in the order of their names.
  const roots = [join(both, '1'), join(both, '2')];
  await openDraft(desk, roots, AssignmentId);
  await whenDraft(desk);
  const rows = await rowsOf(desk);
  const [first, second] = roots.map((root) => rows.find(({ name }) => name === basename(root)));
  const all = await drafts.names({ offset: 0, limit: 1000 });
  expect(all).toMatchObject({ total: 4, listed: 4 });
  expect(all.renames.map(({ reason }) => reason).sort()).toEqual(['characters', 'taken', 'taken', 'taken']);
  expect(await drafts.names({ offset: 1, limit: 2 })).toEqual({ ...all, renames: all.renames.slice(1, 3) });
  // The files of the first folder keep their names, because they are planned first.
  expect(await drafts.names({ rowId: first?.rowId, offset: 0, limit: 1000 })).toMatchObject({ total: 0 });
  expect(await drafts.names({ rowId: second?.rowId, offset: 0, limit: 1000 })).toEqual(all);

  await drafts.setNames({ nameTemplate: '{folder} - {name}', onClash: 'skip' });
  expect(await drafts.names({ offset: 0, limit: 1000 })).toMatchObject({ total: 1 });
  await drafts.setTarget({});
  expect(await drafts.names({ offset: 0, limit: 1000 })).toMatchObject({ total: 0 });
});

test('a file that cannot be opened is shown once its row was looked at, until the file is left out', async () => {
  const desk = await open();
  const root = makeFolder({ 'one/locked.pdf': 'locked', 'one/open.pdf': 'open', 'two/plan.pdf': 'plan' });
  await openDraft(desk, [root], sandbox.newAssignment());
  await whenDraft(desk);
  // A link to itself cannot be opened, not even by root.
  rmSync(join(root, 'one', 'locked.pdf'));
  symlinkSync('locked.pdf', join(root, 'one', 'locked.pdf'));
  expect((await rowsInView(desk))[0]?.warnings).toEqual([]);
  await whenDraft(desk, ({ counts }) => counts.problems === 1);
  const [row] = await rowsInView(desk);
  expect(row?.warnings).toEqual([{ kind: 'unreadable', files: 1 }]);
  await desk.handlers.drafts.setFiles({ rowId: row?.rowId ?? 0, paths: ['one/locked.pdf'], isIncluded: false });
  expect((await rowsInView(desk))[0]?.warnings).toEqual([]);
});

test('a draft belongs to its connection', async () => {
  const desk = await open();
  await openDraft(desk, [makeFolder(jobs)]);
  await desk.handlers.connection.set({
    baseUrl: 'http://127.0.0.1:1',
    authUrl: 'http://127.0.0.1:1',
    clientId: 'other',
  });
  expect(await desk.handlers.app.snapshot(undefined)).not.toHaveProperty('draft');
  await expect(async () => desk.handlers.drafts.undo(undefined)).rejects.toMatchObject({ code: 'draft/missing' });
});

test('a draft is closed when another user signs in, and continued once its own user is back', async () => {
  const desk = await open({ hasWindow: true });
  await openDraft(desk, [makeFolder(jobs)], sandbox.newAssignment());
  const { drafts, session } = desk.handlers;
  await sandbox.control.become('user-4712');
  await session.signIn(undefined);
  await expect.poll(() => desk.drafts.current()).toBeUndefined();
  await expect(async () => drafts.start(undefined)).rejects.toMatchObject({ code: 'draft/missing' });
  await sandbox.control.become('user-4711');
  await session.signIn(undefined);
  await expect.poll(() => desk.drafts.current()).toBeDefined();
});

test('what one user was preparing stays stored while another user prepares an upload', async () => {
  const desk = await open({ hasWindow: true });
  const { drafts, session } = desk.handlers;
  const signIn = async (subject: string) => {
    await sandbox.control.become(subject);
    await session.signIn(undefined);
  };
  await signIn('user-4712');
  const root = makeFolder({ 'one/a.txt': 'a', 'other/b.txt': 'b' });
  await openDraft(desk, [join(root, 'one')], sandbox.newAssignment());
  await signIn('user-4711');
  await expect.poll(() => desk.drafts.current()).toBeUndefined();
  await openDraft(desk, [join(root, 'other')], sandbox.newAssignment());
  await signIn('user-4712');
  const names = () => desk.drafts.current()?.names;
  await expect.poll(names).toEqual(['one']);
  await drafts.discard(undefined);
  await signIn('user-4711');
  await expect.poll(names).toEqual(['other']);
});

test('what was begun while nobody was signed in belongs to the next user', async () => {
  const home = makeFolder({});
  const keychain = createTestKeychain();
  const options = { sandbox: sandbox.address, home, keychain, hasWindow: true };
  const first = await openDesk(options);
  await openDraft(first, [makeFolder({ 'a.txt': '' })], sandbox.newAssignment());
  await first.close();

  const again = await openDesk(options);
  await again.signIn();
  await expect.poll(() => again.drafts.current()).toBeDefined();
  await again.handlers.drafts.discard(undefined);
  expect(readdirSync(join(home, 'drafts'))).toEqual([]);
});

test('a draft that is being opened while another user signs in, or the connection changes, is closed', async () => {
  const desk = await open({ hasWindow: true });
  const { drafts, session, connection } = desk.handlers;
  const opening: Promise<unknown>[] = [];
  const begin = (): void => void opening.push(openDraft(desk, [makeFolder(jobs)], sandbox.newAssignment()));
  const expectNone = async () => {
    await Promise.allSettled(opening);
    expect(desk.drafts.current()).toBeUndefined();
    await expect(async () => drafts.start(undefined)).rejects.toMatchObject({ code: 'draft/missing' });
  };
  await sandbox.control.become('user-4712');
  const stop = desk.onEvent((event) => {
    // At this moment, the first user is still signed in.
    if (event.type === 'session' && event.value.state === 'waiting') begin();
  });
  await session.signIn(undefined);
  stop();
  await expectNone();
  await sandbox.control.become('user-4711');

  begin();
  const { baseUrl, authUrl } = sandbox.address;
  await connection.set({ baseUrl, authUrl, clientId: 'another' });
  await expectNone();
});

test('of drafts that are opened at once the last one stays, and one that is discarded meanwhile is not started', async () => {
  const desk = await open();
  const AssignmentId = sandbox.newAssignment();
  const roots = [1, 2].map((index) => makeFolder({ [`${index}.txt`]: '' }));
  const [first, second] = roots.map((root) => openDraft(desk, [root], AssignmentId));
  await expect(first).rejects.toMatchObject({ code: 'app/cancelled' });
  await second;
  expect(await whenDraft(desk)).toMatchObject({ names: [basename(roots[1] ?? '')] });

  await openDraft(desk, [makeFolder(jobs)], AssignmentId);
  await whenDraft(desk);
  const starting = desk.handlers.drafts.start(undefined);
  const refused = expect(starting).rejects.toMatchObject({ code: 'app/cancelled' });
  await desk.handlers.drafts.discard(undefined);
  await refused;
  expect(await desk.uploads.list()).toEqual([]);
});

test('what is started twice at once becomes one upload', async () => {
  const desk = await open();
  const root = makeFolder({ 'jobs/first/report.pdf': 'one' });
  await openDraft(desk, [join(root, 'jobs')]);
  await whenDraft(desk);
  const rowIds = (await rowsOf(desk)).map(({ rowId }) => rowId);
  await desk.handlers.drafts.assign({ rowIds, AssignmentId: sandbox.newAssignment() });
  const started = await Promise.all([1, 2].map(() => desk.handlers.drafts.start(undefined)));
  const batches = await desk.uploads.list();
  expect(batches.map(({ uploadId }) => uploadId)).toEqual([started[0]?.uploadId]);
  expect(started[1]).toEqual(started[0]);
});

test('a draft starts while the start of a discarded one waits for a drive; that upload is then cancelled', async () => {
  const sign = join(makeDirectory(), 'open');
  vi.stubEnv('OPEN_AT', sign);
  onTestFinished(() => void vi.unstubAllEnvs());
  const desk = await open({ host: { uploadWorker: new URL('./support/worker-that-waits.ts', import.meta.url) } });
  const { discard, start } = desk.handlers.drafts;
  const root = makeFolder({ 'held/report.pdf': 'one', 'other/report.pdf': 'two' });
  const openAndStart = async (name: string) => {
    await openDraft(desk, [join(root, name)], sandbox.newAssignment());
    await whenDraft(desk);
    return { started: start(undefined) };
  };
  const first = await openAndStart('held');
  const refused = expect(first.started).rejects.toMatchObject({ code: 'app/cancelled' });
  // The worker has then planned the rows of the first draft, so that its start waits for the drive.
  await desk.drafts.inWorker().matches();
  await discard(undefined);
  const second = await openAndStart('other');
  writeFileSync(sign, '');
  await refused;
  const { uploadId } = await second.started;
  const batches = await desk.uploads.list();
  expect(batches.find((batch) => batch.uploadId === uploadId)).toMatchObject({ root: join(root, 'other') });
  expect(batches.find((batch) => batch.uploadId !== uploadId)).toMatchObject({ state: 'cancelled' });
});

test('folders that are gone are held back; the others become one upload', async () => {
  const desk = await open();
  const root = makeFolder({
    'jobs/first/report.pdf': 'one',
    'jobs/gone/report.pdf': 'other',
    'jobs/lost/report.pdf': 'lost',
    'jobs/third/a.pdf': 'a',
  });
  await openDraft(desk, [join(root, 'jobs')]);
  await whenDraft(desk);
  const rowIds = (await rowsOf(desk)).map(({ rowId }) => rowId);
  await desk.handlers.drafts.assign({ rowIds, AssignmentId: sandbox.newAssignment() });
  for (const name of ['gone', 'lost']) rmSync(join(root, 'jobs', name), { recursive: true });
  const { uploadId } = await desk.handlers.drafts.start(undefined);

  const batches = await desk.uploads.list();
  expect(batches.map((batch) => batch.uploadId)).toEqual([uploadId, uploadId]);
  expect((await rowsOf(desk)).map(({ name }) => name)).toEqual(['gone', 'lost']);
  expect(desk.drafts.current()).toMatchObject({ reason: { code: 'upload/folder-missing' } });
});

test('a folder that was started and is added again is scanned and compared again', async () => {
  const desk = await open();
  const AssignmentId = sandbox.newAssignment();
  const root = makeFolder({ 'jobs/first/a.pdf': 'a', 'jobs/first/b.pdf': 'b', 'jobs/other/c.pdf': 'c' });
  const { drafts } = desk.handlers;
  await openDraft(desk, [join(root, 'jobs')]);
  await whenDraft(desk);
  const [first] = await rowsOf(desk);
  await drafts.assign({ rowIds: [first?.rowId ?? 0], AssignmentId });
  await drafts.start(undefined);
  for (const { batchId } of await desk.uploads.list()) await desk.uploads.ended(batchId);
  writeFileSync(join(root, 'jobs/first/a.pdf'), 'edited');
  writeFileSync(join(root, 'jobs/first/new.pdf'), 'new');

  await drafts.add({ folderIds: [desk.adopt({ root: join(root, 'jobs/first') }).folderId], AssignmentId });
  expect(await whenDraft(desk)).not.toHaveProperty('resumed');
  await expect
    .poll(() => rowsOf(desk))
    .toMatchObject([
      { name: 'other', files: 1, choice: 'undecided' },
      { name: 'first', files: 3, sent: { files: 1 }, AssignmentId },
    ]);
  await drafts.start(undefined);
  for (const { batchId } of await desk.uploads.list()) await desk.uploads.ended(batchId);
  await expectStored(sandbox.control, AssignmentId, {
    'a.pdf': 'a',
    'a (2).pdf': 'edited',
    'b.pdf': 'b',
    'new.pdf': 'new',
  });
});

test('folders are matched by their names, and only certain ones are sent without a question', async () => {
  const desk = await open();
  const [one, other] = await projectsApart(desk, 2);
  if (!one || !other) throw new Error('the sandbox has too few assignments');
  const root = makeFolder({
    [`jobs/${folderOf(one)}/report.pdf`]: 'one',
    [`jobs/${other.FacilityId} photos/report.pdf`]: 'other',
    'jobs/Nowhere Street 1/report.pdf': 'nowhere',
  });
  await openDraft(desk, [join(root, 'jobs')]);
  expect(await whenDraft(desk)).toMatchObject({
    assignments: { read: expect.any(Number), known: expect.any(Number), oldestAtMs: expect.any(Number) },
    counts: { matched: 2, undecided: 1 },
    level: 1,
  });
  const rows = await rowsOf(desk);
  const chosen = Object.fromEntries(rows.map(({ name, AssignmentId, chosenBy }) => [name, [AssignmentId, chosenBy]]));
  expect(chosen).toEqual({
    [folderOf(one)]: [one.AssignmentId, 'match'],
    [`${other.FacilityId} photos`]: [other.AssignmentId, 'match'],
    'Nowhere Street 1': [undefined, undefined],
  });
});

test('a choice that was started is remembered for a folder of that name in the same place, and can be removed', async () => {
  const desk = await open();
  const [one] = await projectsApart(desk, 1);
  const AssignmentId = one?.AssignmentId ?? '';
  const root = makeFolder({
    'jobs/Blue house/a.pdf': 'a',
    'jobs/Red house/b.pdf': 'b',
    'later/Blue house/c.pdf': 'c',
    'later/Red house/d.pdf': 'd',
  });
  const { drafts, rules } = desk.handlers;
  await openDraft(desk, [join(root, 'jobs')]);
  await whenDraft(desk);
  const [house] = await rowsOf(desk);
  await drafts.assign({ rowIds: [house?.rowId ?? 0], AssignmentId });
  await drafts.start(undefined);

  const chosenIn = async (folder: string) => {
    await openDraft(desk, [join(root, folder)]);
    await whenDraft(desk);
    const rows = await rowsOf(desk);
    return Object.fromEntries(rows.map((row) => [row.name, [row.AssignmentId, row.reasons[0]]]));
  };
  expect(await chosenIn('jobs')).toMatchObject({
    'Blue house': [AssignmentId, { signal: 'confirmed', found: 'Blue house' }],
    'Red house': [undefined, undefined],
  });
  expect(await chosenIn('later')).toMatchObject({ 'Blue house': [undefined, undefined] });

  const known = await rules.list(undefined);
  expect(known).toMatchObject([{ name: 'Blue house', AssignmentId, assignment: { AssignmentId } }]);
  const [{ ruleId } = { ruleId: 0 }] = known;
  expect(() => rules.set({ ruleId, AssignmentId: randomUUID() })).toThrow(
    expect.objectContaining({ code: 'input/invalid', details: { field: 'AssignmentId' } }),
  );
  await rules.remove({ ruleId });
  expect(await rules.list(undefined)).toEqual([]);
});

test('the rules that were confirmed last are listed with their assignments, while other calls are answered', async () => {
  const desk = await open();
  const [assignment] = await projectsApart(desk, 1);
  if (!assignment) throw new Error('the sandbox has no assignment at an address of its own');
  const { connectionId } = desk.connected();
  const store = openRuleStore(join(desk.home, 'rules.sqlite'), () => expect.unreachable());
  const chosen = Array.from({ length: 1_020 }, (_, number) => ({
    nameKey: `${number}`,
    name: `Job ${number}`,
    parent: '',
    AssignmentId: number % 2 === 0 ? assignment.AssignmentId : randomUUID(),
  }));
  store.remember(connectionId, { rules: chosen, rows: [], files: [] }, 1);
  store.close();
  let turns = 0;
  const count = (): void => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const listed = await desk.handlers.rules.list(undefined);
  clearImmediate(next);
  expect(listed.map(({ name }) => name)).toEqual(
    chosen
      .toReversed()
      .slice(0, 1_000)
      .map(({ name }) => name),
  );
  expect(listed.filter((rule) => rule.assignment)).toHaveLength(500);
  expect(turns).toBeGreaterThan(3);
});

test('what is on the assignment is not sent again; clashes are warned of, and what is no document is left out', async () => {
  const desk = await open();
  const assignment = sandbox.newAssignment();
  await desk.upload(makeFolder({ 'plan.pdf': 'one', 'same.pdf': 'the same' }), assignment);
  const root = makeFolder({ 'plan.pdf': 'two', 'same.pdf': 'the same', 'empty.txt': '', 'in/setup.exe': 'MZ' });
  await openDraft(desk, [root], assignment);
  const hasClash = (draft: Draft): boolean => draft.counts.problems > 0;
  await whenDraft(desk, (draft) => draft.phase === 'ready' && hasClash(draft));
  await expect.poll(async () => (await rowsOf(desk))[0]?.warnings).toMatchObject([{ kind: 'clash', files: 1 }]);
  const [{ rowId, ...row } = { rowId: 0 }] = await rowsOf(desk);
  const one = (bytes: number) => ({ files: 1, bytes });
  expect(row).toMatchObject({ files: 2, toSend: one(3), sent: one(8), leftOut: { files: 2, bytes: 2 } });
  const { drafts } = desk.handlers;
  expect(await drafts.clashes({ rowId })).toMatchObject({
    clashes: [{ path: 'plan.pdf', FileName: 'plan.pdf', with: 'earlier', onClash: 'rename' }],
    total: 1,
  });
  const { files, total } = await drafts.files({ rowId, offset: 0, limit: 10 });
  expect([total, files.map(({ path, state, unwanted }) => [path, state, unwanted])]).toEqual([
    4,
    [
      ['empty.txt', 'left-out', 'empty'],
      ['plan.pdf', 'clash', undefined],
      ['same.pdf', 'sent', undefined],
      ['in/setup.exe', 'left-out', 'executable'],
    ],
  ]);
  // Without a new file, nothing is started.
  await drafts.setClash({ rowId, onClash: 'skip', paths: ['plan.pdf'] });
  expect(desk.drafts.current()).toMatchObject({
    toSend: { folders: 0, files: 0 },
    chosen: { folders: 1, files: 2 },
    sent: one(8),
    leftOutFiles: { files: 2 },
  });
  await expect(drafts.start(undefined)).rejects.toMatchObject({ code: 'input/invalid' });
  await drafts.setFiles({ rowId, isIncluded: true });
  expect(desk.drafts.current()).toMatchObject({ leftOutFiles: { files: 0 } });
  await drafts.setFiles({ rowId, paths: ['empty.txt'], isIncluded: false });
  await whenDraft(desk, ({ toSend, comparing }) => comparing === 0 && toSend.files === 1);
  await drafts.start(undefined);
  const [, batch] = await desk.uploads.list();
  const reviewed = { hidden: 0, inReview: 1 };
  expect(batch).toMatchObject({ leftOut: reviewed });
  const ended = await desk.uploads.ended(batch?.batchId ?? '');
  expect(ended).toMatchObject({ files: 3, uploaded: 1, skipped: 2, leftOut: reviewed });
  expect((await sandbox.control.objects()).map(({ FileName }) => FileName)).not.toContain('empty.txt');
});

test('files that wait in a paused upload can be sent by another one, and arrive once', async () => {
  const desk = await open();
  const { drafts } = desk.handlers;
  const assignment = sandbox.newAssignment();
  const root = makeFolder({ 'plan.pdf': 'plan', 'photo.jpg': 'photo' });
  await openDraft(desk, [root], assignment);
  await whenDraft(desk);
  await sandbox.control.faults.add(always('sign-upload', { type: 'stall', forMs: 3_600_000 }));
  await drafts.start(undefined);
  const [paused] = await desk.uploads.list();
  await expect.poll(() => desk.uploads.get(paused?.batchId ?? '')).toMatchObject({ state: 'running', files: 2 });
  await desk.uploads.pause(paused?.batchId ?? '');
  await expect.poll(() => desk.uploads.get(paused?.batchId ?? '')).toMatchObject({ state: 'paused' });
  await sandbox.control.faults.clear();
  await openDraft(desk, [root], assignment);
  const ready = ({ phase, comparing }: Draft): boolean => phase === 'ready' && comparing === 0;
  expect(await whenDraft(desk, ready)).toMatchObject({ toSend: { files: 2 }, sent: { files: 0 } });
  await drafts.start(undefined);
  const [, now] = await desk.uploads.list();
  expect(await desk.uploads.ended(now?.batchId ?? '')).toMatchObject({ uploaded: 2 });
  await desk.uploads.resume(paused?.batchId ?? '');
  expect(await desk.uploads.ended(paused?.batchId ?? '')).toMatchObject({ uploaded: 0, skipped: 2 });
  await expectStored(sandbox.control, assignment, { 'plan.pdf': 'plan', 'photo.jpg': 'photo' });
});

test('a file whose removal is asked for after the review has found it on the assignment is sent again', async () => {
  const desk = await open();
  const { drafts, files } = desk.handlers;
  const assignment = sandbox.newAssignment();
  const root = makeFolder({ 'plan.pdf': 'plan' });
  const { batchId } = await desk.upload(root, assignment);
  await desk.uploads.ended(batchId);
  await openDraft(desk, [root], assignment);
  await whenDraft(desk, ({ phase, sent }) => phase === 'ready' && sent.files === 1);
  await sandbox.control.faults.add(always('remove-file', { type: 'reset', at: 'before-body' }));
  await files.remove({ batchIds: [batchId], folder: '' });
  await whenDraft(desk, ({ comparing, toSend }) => comparing === 0 && toSend.files === 1);
  await drafts.start(undefined);
  const [, again] = await desk.uploads.list();
  expect(await desk.uploads.ended(again?.batchId ?? '')).toMatchObject({ uploaded: 1, skipped: 0 });
});

test('a picture of a folder under review is read by its content, up to a size, and no link is followed', async () => {
  const desk = await open();
  const root = makeFolder({ 'job/note.jpg': 'no picture', 'job/link.png': '' });
  writeFileSync(join(root, 'job', 'roof'), png(300, 200));
  writeFileSync(join(root, 'job', 'huge.png'), png(20_000, 20_000));
  writeFileSync(join(root, 'job', 'large.jpg'), Buffer.concat([jpeg(300, 200), Buffer.alloc(16 * 1024 * 1024)]));
  const photo = withExif(jpeg(4_000, 3_000), { isLittle: true, orientation: 6, thumbnail: jpeg(160, 120) });
  writeFileSync(join(root, 'job', 'photos.zip'), zipOf({ 'roof.jpg': photo }));
  await openDraft(desk, [join(root, 'job')], sandbox.newAssignment());
  await whenDraft(desk);
  const [{ rowId } = { rowId: 0 }] = await rowsOf(desk);
  const look = (path: string) => desk.handlers.drafts.preview({ rowId, path });
  expect(await look('roof')).toEqual({ picture: `data:image/png;base64,${png(300, 200).toString('base64')}` });
  for (const path of ['note.jpg', 'huge.png', 'large.jpg']) expect(await look(path), path).toEqual({});
  writeFileSync(join(root, 'job', 'large.jpg'), Buffer.concat([photo, Buffer.alloc(16 * 1024 * 1024)]));
  const small = (path: string) => desk.handlers.drafts.preview({ rowId, path, isSmall: true });
  const thumbnail = withExif(jpeg(160, 120), { isLittle: false, orientation: 6 });
  expect(await small('large.jpg')).toEqual({ picture: `data:image/jpeg;base64,${thumbnail.toString('base64')}` });
  expect(await small('roof')).toEqual(await look('roof'));
  expect(await small('photos.zip//roof.jpg')).toEqual(await small('large.jpg'));
  const hostile = { isLittle: true, orientation: 1, thumbnail: jpeg(60_000, 60_000) };
  writeFileSync(join(root, 'job', 'note.jpg'), withExif(jpeg(4_000, 3_000), hostile));
  expect(await small('note.jpg')).toEqual({});
  writeFileSync(join(root, 'secret.png'), png(1, 1));
  rmSync(join(root, 'job', 'link.png'));
  symlinkSync(join(root, 'secret.png'), join(root, 'job', 'link.png'));
  await expect(look('link.png')).rejects.toMatchObject({ code: 'upload/file-linked' });
  for (const path of ['../secret.png', 'gone.png'])
    await expect(look(path), path).rejects.toMatchObject({ code: 'input/invalid' });
});

test('a PDF of a folder under review is shown in a frame, where the host has one, and nothing else is', async () => {
  const documentAddress = ({ rowId, path }: { readonly rowId: number; readonly path: string }) =>
    `frame:${rowId}/${path}`;
  const desk = await open({ host: { documentAddress } });
  const pdf = Buffer.from('a line before\n%PDF-1.7 …');
  const root = makeFolder({
    'job/report': pdf,
    'job/no.pdf': '<script>',
    'job/late.pdf': `${' '.repeat(1_024)}%PDF-1.7`,
  });
  await openDraft(desk, [join(root, 'job')], sandbox.newAssignment());
  await whenDraft(desk);
  const [{ rowId } = { rowId: 0 }] = await rowsOf(desk);
  expect(await desk.handlers.drafts.preview({ rowId, path: 'report' })).toEqual({ document: `frame:${rowId}/report` });
  expect(Buffer.from((await desk.documentAt({ rowId, path: 'report' })) ?? [])).toEqual(pdf);
  for (const path of ['no.pdf', 'late.pdf']) {
    expect(await desk.handlers.drafts.preview({ rowId, path }), path).toEqual({});
    expect(await desk.documentAt({ rowId, path }), path).toBeUndefined();
  }
  await expect(desk.documentAt({ rowId, path: '../secret.pdf' })).rejects.toMatchObject({ code: 'input/invalid' });
});

test('damaged rules are moved aside at the start, and the app works without them', async () => {
  const home = makeFolder({ 'rules.sqlite': 'not a database' });
  const desk = await openSignedIn({ sandbox: sandbox.address, home });
  expect((await desk.handlers.app.snapshot(undefined)).notices).toMatchObject([{ code: 'data/moved-aside' }]);
  expect(await desk.handlers.rules.list(undefined)).toEqual([]);
  await openDraft(desk, [makeFolder(jobs)]);
  expect(await whenDraft(desk)).toMatchObject({ counts: { all: 3 } });
});

test('an assignment that vanished since the plan keeps its own folder back; the others go', async () => {
  const desk = await open();
  const root = makeFolder({ 'jobs/first/a.pdf': 'a', 'jobs/gone/b.pdf': 'b', 'jobs/third/c.pdf': 'c' });
  await openDraft(desk, [join(root, 'jobs')]);
  await whenDraft(desk);
  const [first, gone, third] = (await rowsOf(desk)).map(({ rowId }) => rowId);
  const { drafts } = desk.handlers;
  const there = sandbox.newAssignment();
  await drafts.assign({ rowIds: [first ?? 0, third ?? 0], AssignmentId: there });
  await drafts.assign({ rowIds: [gone ?? 0], AssignmentId: randomUUID() });
  await drafts.start(undefined);

  const batches = await desk.uploads.list();
  const ended = await Promise.all(batches.map(({ batchId }) => desk.uploads.ended(batchId)));
  const counts = ended.map(({ root, uploaded, failed }) => [basename(root), uploaded, failed]);
  expect(counts).toEqual([
    ['first', 1, 0],
    ['gone', 0, 1],
    ['third', 1, 0],
  ]);
  const [, held] = batches;
  expect(await desk.filesOf(held?.batchId ?? '')).toMatchObject({ 'b.pdf': { error: { code: 'service/not-found' } } });
  await expectStored(sandbox.control, there, { 'a.pdf': 'a', 'c.pdf': 'c' });
});

test('a draft survives the end of the app: folders, choices and what was started; what has changed since is counted', async () => {
  const home = makeFolder({});
  const keychain = createTestKeychain();
  const root = makeFolder({
    'jobs/first/a.pdf': '1',
    'jobs/second/b.pdf': '2',
    'jobs/third/c.pdf': '3',
    'jobs/fourth/d.pdf': '4',
    'jobs/fourth/e.pdf': '5',
    'jobs/loose.txt': '6',
  });
  withoutBackoff();
  const hasWindow = true;
  const first = await openSignedIn({ sandbox: sandbox.address, home, keychain, hasWindow });
  await openDraft(first, [join(root, 'jobs')]);
  await whenDraft(first);
  const idOf = async (desk: TestDesk, name: string) =>
    (await rowsOf(desk)).find((row) => row.name === name || row.fileNames?.[0] === name)?.rowId ?? 0;
  const [AssignmentId, other] = [sandbox.newAssignment(), sandbox.newAssignment()];
  const { drafts } = first.handlers;
  await drafts.assign({ rowIds: [await idOf(first, 'first')], AssignmentId });
  await drafts.start(undefined);
  await drafts.assign({ rowIds: [await idOf(first, 'second')], AssignmentId: other });
  await drafts.leaveOut({ rowIds: [await idOf(first, 'third'), await idOf(first, 'loose.txt')] });
  await drafts.setFiles({ rowId: await idOf(first, 'fourth'), paths: ['e.pdf'], isIncluded: false });
  await first.close();

  writeFileSync(join(root, 'jobs/second/b2.pdf'), 'later');
  const again = await openDesk({ sandbox: sandbox.address, home, keychain, hasWindow });
  await expect.poll(() => again.drafts.current()).toBeDefined();
  const draft = await whenDraft(again);
  expect(draft).toMatchObject({ names: ['jobs'], canUndo: false, resumed: { changed: 1 } });
  const rows = await rowsOf(again);
  expect(rows.map(({ name, fileNames, choice, files }) => [fileNames?.[0] ?? name, choice, files]).sort()).toEqual([
    ['fourth', 'undecided', 1],
    ['loose.txt', 'left-out', 1],
    ['second', 'assignment', 2],
    ['third', 'left-out', 1],
  ]);
  expect(rows.find(({ name }) => name === 'second')).toMatchObject({ AssignmentId: other });

  // A discarded draft does not come back after a restart.
  await again.handlers.drafts.discard(undefined);
  await again.close();
  const last = await openDesk({ sandbox: sandbox.address, home, keychain, hasWindow });
  expect(last.drafts.current()).toBeUndefined();
});

test('a draft whose worker crashes is continued once with the stored choices, and stays stored after a second crash', async () => {
  const crashing: Worker[] = [];
  const add = (worker: Worker): void => void (worker.threadName === 'draft' && crashing.push(worker));
  process.on('worker', add);
  onTestFinished(() => void process.off('worker', add));
  const desk = await open({ hasWindow: true });
  await openDraft(desk, [makeFolder(jobs)]);
  const { draftId } = await whenDraft(desk);
  const [row] = await rowsOf(desk);
  const AssignmentId = sandbox.newAssignment();
  await desk.handlers.drafts.assign({ rowIds: [row?.rowId ?? 0], AssignmentId });
  const folder = join(desk.home, 'drafts');
  const stored = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  await expect.poll(stored).toEqual([expect.stringContaining(AssignmentId)]);

  await crashing.pop()?.terminate();
  await expect.poll(() => desk.drafts.current()?.draftId ?? draftId).not.toBe(draftId);
  expect(await whenDraft(desk)).toMatchObject({ resumed: { changed: 0 }, counts: { undecided: 2 } });
  expect(await rowsOf(desk)).toContainEqual(expect.objectContaining({ AssignmentId }));
  await crashing.pop()?.terminate();
  await expect.poll(() => desk.drafts.current()).toBeUndefined();
  expect(stored()).toEqual([expect.stringContaining(AssignmentId)]);
});

test('while a drive is missing, the choices for other folders hold and are stored, and none are lost', async () => {
  const home = makeFolder({});
  const keychain = createTestKeychain();
  const files = { 'first/a.pdf': '1', 'first/b.pdf': '2', 'second/c.pdf': '3', 'third/d.pdf': '4' };
  const [here, drive] = [makeDirectory(), makeDirectory()];
  for (const [place, name] of [
    [here, 'here'],
    [drive, 'gone'],
  ] as const)
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(place, name, path, '..'), { recursive: true });
      writeFileSync(join(place, name, path), content);
    }
  const openAgain = async (before?: TestDesk) => {
    await before?.close();
    withoutBackoff();
    const desk = await openDesk({ sandbox: sandbox.address, home, keychain, hasWindow: true });
    await expect.poll(() => desk.drafts.current()).toBeDefined();
    await whenDraft(desk);
    return desk;
  };
  const idOf = async (desk: TestDesk, path: string) =>
    (await rowsOf(desk)).find((row) => row.path === path)?.rowId ?? expect.unreachable(path);
  const chosen = async (desk: TestDesk) =>
    Object.fromEntries(
      (await rowsOf(desk)).map(({ path, choice, AssignmentId, files: count }) => [
        path,
        [AssignmentId ?? choice, count],
      ]),
    );

  const first = await open({ home, keychain, hasWindow: true });
  const AssignmentId = sandbox.newAssignment();
  await openDraft(first, [join(here, 'here'), join(drive, 'gone')]);
  await whenDraft(first);
  for (const root of ['here', 'gone']) {
    const { drafts } = first.handlers;
    await drafts.setFiles({ rowId: await idOf(first, `${root}/first`), paths: ['b.pdf'], isIncluded: false });
    await drafts.assign({ rowIds: [await idOf(first, `${root}/first`)], AssignmentId });
    await drafts.leaveOut({ rowIds: [await idOf(first, `${root}/second`)] });
  }
  const all = await chosen(first);
  expect(all).toMatchObject({ 'gone/first': [AssignmentId, 1], 'gone/second': ['left-out', 1] });

  renameSync(join(drive, 'gone'), join(drive, 'away'));
  const without = await openAgain(first);
  expect(await chosen(without)).toEqual({
    ...Object.fromEntries(Object.entries(all).filter(([path]) => path.startsWith('here'))),
    gone: ['left-out', 0],
  });
  await without.handlers.drafts.leaveOut({ rowIds: [await idOf(without, 'here/third')] });

  const still = await openAgain(without);
  expect(await chosen(still)).toMatchObject({ 'here/third': ['left-out', 1] });

  renameSync(join(drive, 'away'), join(drive, 'gone'));
  const again = await openAgain(still);
  expect(await chosen(again)).toEqual({ ...all, 'here/third': ['left-out', 1] });
});

test('a folder around one that is already in the draft brings the rest of it; each file is there once, and choices stay', async () => {
  const home = makeFolder({});
  const keychain = createTestKeychain();
  const desk = await open({ home, keychain, hasWindow: true });
  const [AssignmentId, other] = [sandbox.newAssignment(), sandbox.newAssignment()];
  const root = makeFolder({
    'jobs/A/first/a.pdf': 'of A',
    'jobs/A/second/b.pdf': 'b',
    'jobs/first/c.pdf': 'c',
    'jobs/third/d.pdf': 'd',
  });
  const { drafts } = desk.handlers;
  await openDraft(desk, [join(root, 'jobs/A')]);
  await whenDraft(desk);
  const [first] = await rowsOf(desk);
  await drafts.assign({ rowIds: [first?.rowId ?? 0], AssignmentId });
  await drafts.add({ folderIds: [desk.adopt({ root: join(root, 'jobs') }).folderId] });
  expect(await whenDraft(desk, ({ phase, names }) => phase === 'ready' && names.length === 2)).toMatchObject({
    files: 4,
  });
  const byPath = async (of: TestDesk) =>
    Object.fromEntries((await rowsOf(of)).map((row) => [row.path, row.AssignmentId]));
  const chosen = { 'A/first': AssignmentId, 'A/second': undefined, 'jobs/first': undefined, 'jobs/third': undefined };
  expect(await byPath(desk)).toEqual(chosen);
  await desk.close();

  withoutBackoff();
  const again = await openDesk({ sandbox: sandbox.address, home, keychain, hasWindow: true });
  await expect.poll(() => again.drafts.current()).toBeDefined();
  expect(await whenDraft(again)).toMatchObject({ files: 4, resumed: { changed: 0 } });
  expect(await byPath(again)).toEqual(chosen);

  // An upload of the whole outer folder leaves out the inner folder, too.
  await again.handlers.drafts.setLevel({ level: 0 });
  const whole = (await rowsOf(again)).find(({ path }) => path === 'jobs');
  await again.handlers.drafts.assign({ rowIds: [whole?.rowId ?? 0], AssignmentId: other });
  await again.handlers.drafts.start({ takesLater: true });
  for (const { batchId } of await again.uploads.list()) await again.uploads.ended(batchId);
  await expectStored(sandbox.control, other, { 'first/c.pdf': 'c', 'third/d.pdf': 'd' });
});

test('a folder is added for one assignment; what the draft has of it goes there, too, except where a choice was made', async () => {
  const home = makeFolder({});
  const keychain = createTestKeychain();
  const desk = await open({ home, keychain, hasWindow: true });
  const [AssignmentId, other] = [sandbox.newAssignment(), sandbox.newAssignment()];
  const root = makeFolder({
    'jobs/first/a.pdf': 'a',
    'jobs/second/b.pdf': 'b',
    'jobs/third/c.pdf': 'c',
    'jobs/loose.txt': 'd',
    'apart/e.pdf': 'e',
    'apart/deep/f.pdf': 'f',
  });
  const { drafts } = desk.handlers;
  await openDraft(desk, [join(root, 'jobs')]);
  await whenDraft(desk);
  const byPath = async (of: TestDesk) =>
    Object.fromEntries((await rowsOf(of)).map(({ path, choice, AssignmentId: id }) => [path, id ?? choice]));
  const idOf = async (path: string) => (await rowsOf(desk)).find((row) => row.path === path)?.rowId ?? 0;
  await drafts.assign({ rowIds: [await idOf('jobs/first')], AssignmentId: other });
  await drafts.leaveOut({ rowIds: [await idOf('jobs/third')] });
  const add = (...sources: readonly { readonly root: string; readonly only?: readonly string[] }[]) =>
    drafts.add({ folderIds: sources.map((source) => desk.adopt(source).folderId), AssignmentId });
  await add({ root: join(root, 'apart') });
  const before = { 'jobs/first': other, 'jobs/third': 'left-out', apart: AssignmentId };
  await expect.poll(() => byPath(desk)).toEqual({ jobs: 'undecided', 'jobs/second': 'undecided', ...before });

  await add({ root: join(root, 'jobs', 'second') }, { root: join(root, 'jobs', 'third') });
  await add({ root: join(root, 'jobs'), only: ['loose.txt'] });
  const whole = { jobs: AssignmentId, 'jobs/second': AssignmentId, ...before };
  await expect.poll(() => byPath(desk)).toEqual(whole);
  await desk.close();

  withoutBackoff();
  const again = await openDesk({ sandbox: sandbox.address, home, keychain, hasWindow: true });
  await expect.poll(() => again.drafts.current()).toBeDefined();
  await whenDraft(again);
  expect(await byPath(again)).toEqual(whole);
});

test('once the storage is known to take each file in one piece, the review names the largest file', async () => {
  const desk = await open();
  const assignment = sandbox.newAssignment();
  const folder = makeFolder({ 'note.txt': 'a', 'video.mov': '', 'longer.mov': '' });
  truncateSync(join(folder, 'video.mov'), 300_000_000);
  truncateSync(join(folder, 'longer.mov'), 400_000_000);
  await openDraft(desk, [folder], assignment);
  expect(await whenDraft(desk)).not.toHaveProperty('inOnePiece');
  await desk.handlers.drafts.discard(undefined);

  await desk.upload(makeFolder({ 'a.txt': 'a' }), sandbox.newAssignment());
  await openDraft(desk, [folder], assignment);
  expect(await whenDraft(desk)).toMatchObject({ inOnePiece: { name: 'longer.mov', sizeBytes: 400_000_000 } });
  const [row] = await rowsOf(desk);
  await desk.handlers.drafts.setFiles({ rowId: row?.rowId ?? 0, paths: ['longer.mov'], isIncluded: false });
  expect(await whenDraft(desk)).toMatchObject({ inOnePiece: { name: 'video.mov' } });
});

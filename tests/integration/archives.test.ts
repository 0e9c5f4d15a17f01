/**
 * Archives and mails in a reviewed folder: they are opened as folders and matched, and each of their files is uploaded
 * exactly once.
 */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type AssignmentSummary, isClosed } from '../../src/contract/resources.ts';
import { emlOf, msgOf, zipOf } from './support/archives.ts';
import { spawnCli } from './support/cli.ts';
import { openSignedIn, slowDown, type TestDesk, withoutBackoff } from './support/desks.ts';
import { openDraft, rowsOf, startDraft, whenDraft } from './support/drafts.ts';
import { bytes, makeDirectory, makeFolder, type Tree } from './support/folders.ts';
import { expectStored, useSandbox } from './support/sandbox.ts';
import { isFinished } from './support/uploads.ts';

const sandbox = useSandbox();
const open = () => {
  withoutBackoff();
  return openSignedIn({ sandbox: sandbox.address });
};

const filesIn = async (desk: TestDesk, rowId: number) =>
  (await desk.handlers.drafts.files({ rowId, offset: 0, limit: 100 })).files;

const large = bytes(700_000);
const archive = { 'Photos/1.jpg': 'a photo', 'offer.pdf': large, 'empty.txt': '' };

test.each([false, true])(
  'a zip, an eml and a msg are folders: each file in them is sent, and the mail as it is (%s)',
  async (takesLater) => {
    const desk = await open();
    const assignment = sandbox.newAssignment();
    const mail = emlOf({ subject: 'Offer' }, { 'plan.pdf': 'a plan', 'photo.jpg': large });
    const outlook = msgOf({ subject: 'Report' }, { 'report.pdf': 'a report', 'large.pdf': large });
    const root = makeFolder({
      'job/Offer.zip': zipOf(archive),
      'job/offer.eml': mail,
      'job/report.msg': outlook,
      'job/a.txt': 'a',
    });
    await openDraft(desk, [root], assignment);
    await whenDraft(desk);
    const [row] = await rowsOf(desk);
    const files = await filesIn(desk, row?.rowId ?? 0);
    expect(files.map(({ path, state, unwanted, sizeBytes }) => [path, state, unwanted, sizeBytes])).toEqual([
      ['job/a.txt', 'new', undefined, 1],
      ['job/Offer.zip//Offer.zip', 'left-out', 'opened', expect.any(Number)],
      ['job/Offer.zip//offer.pdf', 'new', undefined, 700_000],
      ['job/Offer.zip//empty.txt', 'left-out', 'empty', 0],
      ['job/Offer.zip//Photos/1.jpg', 'new', undefined, 7],
      ['job/offer.eml//offer.eml', 'new', undefined, mail.length],
      ['job/offer.eml//plan.pdf', 'new', undefined, 6],
      ['job/offer.eml//photo.jpg', 'new', undefined, 700_000],
      ['job/report.msg//report.msg', 'new', undefined, outlook.length],
      ['job/report.msg//report.pdf', 'new', undefined, 8],
      ['job/report.msg//large.pdf', 'new', undefined, 700_000],
    ]);
    const batch = await startDraft(desk, { takesLater });
    expect(await desk.uploads.ended(batch.batchId)).toMatchObject({ uploaded: 9, failed: 0 });
    const sent: Tree = {
      'a.txt': 'a',
      'offer.pdf': large,
      '1.jpg': 'a photo',
      'offer.eml': mail,
      'plan.pdf': 'a plan',
      'photo.jpg': large,
      'report.msg': outlook,
      'report.pdf': 'a report',
      'large.pdf': large,
    };
    await expectStored(sandbox.control, assignment, sent);
    const { uploads } = desk;
    const verified = await uploads.verify(batch.batchId, 0, new AbortController().signal);
    expect(verified.files.every(({ verdict }) => verdict === 'same')).toBe(true);
    const report = join(makeFolder({}), 'report.csv');
    await uploads.report(batch.batchId, report, 'csv');
    expect(readFileSync(report, 'utf8')).toContain('job/Offer.zip › Photos/1.jpg');
    const folders = await desk.handlers.files.removable({ batchIds: [batch.batchId] });
    expect(folders.map(({ folder, files: count }) => [folder, count])).toEqual([
      ['', 9],
      ['job', 9],
      ['job/Offer.zip', 2],
      ['job/Offer.zip//Photos', 1],
      ['job/offer.eml', 3],
      ['job/report.msg', 3],
    ]);
  },
);

test('what a mail is about chooses its assignment; its own name does too', async () => {
  const desk = await open();
  const [one, other] = await twoApart(desk);
  const aboutOne = emlOf(
    { subject: `Report for ${one.Address}, ${one.City}`, from: 'Office <a@example.com>' },
    { 'report.pdf': 'one' },
  );
  const aboutOther = msgOf({ subject: 'Report', from: 'Office' }, { 'report.pdf': 'other' });
  const tree = { '1234.eml': aboutOne, [`${other.Address}, ${other.City}.msg`]: aboutOther, '5.zip': zipOf(archive) };
  const root = makeFolder({ ...tree, 'notes/a.txt': 'a' });
  await openDraft(desk, [root]);
  await whenDraft(desk);
  const rows = await rowsOf(desk);
  const named = (part: string) => rows.find(({ name }) => name.includes(part));
  expect(rows).toHaveLength(4);
  expect(named('Report for')).toMatchObject({
    name: `Report for ${one.Address}, ${one.City} (Office, 2026-05-02)`,
    AssignmentId: one.AssignmentId,
    files: 2,
  });
  expect(named('.msg')).toMatchObject({
    name: `Report (Office) ${other.Address}, ${other.City}.msg`,
    AssignmentId: other.AssignmentId,
  });
  const { rowId = 0 } = named('5.zip') ?? {};
  const assignment = sandbox.newAssignment();
  await desk.handlers.drafts.assign({ rowIds: [rowId], AssignmentId: assignment });
  // The archive itself is sent, and its files are left out.
  const before = await filesIn(desk, rowId);
  await desk.handlers.drafts.setFiles({ rowId, isIncluded: true, paths: ['5.zip//5.zip'] });
  expect((await filesIn(desk, rowId)).map(({ state }) => state)).toEqual(['new', 'left-out', 'left-out', 'left-out']);
  await desk.handlers.drafts.setFiles({ rowId, isIncluded: false, paths: ['5.zip//5.zip'] });
  expect(await filesIn(desk, rowId)).toEqual(before);
  await desk.handlers.drafts.setFiles({ rowId, isIncluded: true, paths: ['5.zip//5.zip'] });
  await desk.handlers.drafts.leaveOut({ rowIds: rows.filter(({ name }) => name === 'notes').map((row) => row.rowId) });
  await desk.handlers.drafts.start(undefined);
  const batches = await desk.uploads.list();
  for (const { batchId } of batches) await desk.uploads.ended(batchId);
  await expectStored(sandbox.control, assignment, { '5.zip': zipOf(archive) });
  await expectStored(sandbox.control, one.AssignmentId, { '1234.eml': aboutOne, 'report.pdf': 'one' });
  const [found] = (await desk.handlers.files.find({ text: '1234 report', complete: true, offset: 0, limit: 10 })).files;
  expect(found).toMatchObject({ FileName: 'report.pdf', folder: `${basename(root)}/1234.eml` });
});

let taken = 0;

/** Resolves to two open assignments, each the only one at its address, that no other test uses. */
const twoApart = async (desk: TestDesk): Promise<readonly [AssignmentSummary, AssignmentSummary]> => {
  const { Items } = (await desk.handlers.assignments.projects({})).value;
  const isApart = ({ Address }: AssignmentSummary) => Items.filter((one) => one.Address === Address).length === 1;
  const [one, other] = Items.filter((item) => isApart(item) && !isClosed(item.AssignmentStatus)).slice(taken);
  taken += 2;
  if (!one || !other) throw new Error('the sandbox has too few assignments');
  return [one, other];
};

test('a dropped archive; one that cannot be opened is a file; one that changes is not sent', async () => {
  const desk = await open();
  const assignment = sandbox.newAssignment();
  const root = makeFolder({ 'a.zip': zipOf({ 'one.txt': 'one', 'two.txt': 'two' }), 'b.zip': 'no zip', 'c.txt': 'c' });
  const folders = await desk.adoptPaths([join(root, 'a.zip'), join(root, 'b.zip')]);
  await desk.handlers.drafts.open({ folderIds: folders.map(({ folderId }) => folderId), AssignmentId: assignment });
  await whenDraft(desk);
  // Reads the rows in view, which opens their files for a moment.
  const inView = async () =>
    (await desk.handlers.drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 50 })).rows;
  await inView();
  await sleep(1_000);
  expect((await inView()).flatMap(({ warnings }) => warnings)).toEqual([{ kind: 'unopened', files: 1 }]);
  const rows = await rowsOf(desk);
  const files = (await Promise.all(rows.map(({ rowId }) => filesIn(desk, rowId)))).flat();
  expect(files.map(({ path, unopened }) => [path, unopened])).toEqual([
    ['b.zip', 'damaged'],
    ['a.zip//a.zip', undefined],
    ['a.zip//one.txt', undefined],
    ['a.zip//two.txt', undefined],
  ]);
  // Replaces the archive with another one of the same length and modification time.
  writeFileSync(join(root, 'a.zip'), zipOf({ 'one.txt': 'ONE', 'two.txt': 'two' }));
  utimesSync(join(root, 'a.zip'), 1, 1);
  await desk.handlers.drafts.start(undefined);
  const batches = await desk.uploads.list();
  for (const { batchId } of batches) await desk.uploads.ended(batchId);
  await expectStored(sandbox.control, assignment, { 'b.zip': 'no zip' });
  const failed = await Promise.all(batches.map(({ batchId }) => desk.filesOf(batchId)));
  expect(Object.assign({}, ...failed)['a.zip//one.txt']?.error?.code).toBe('upload/file-changed');
});

const numbered = (count: number, name: (index: number) => string, sizeBytes = 2_000): Tree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [name(index), `${name(index)}\n`.repeat(sizeBytes / 10)]),
  );

/** The kinds of faults that a file can meet. */
const FAULTS = [
  { route: 'storage-put', effect: { type: 'reset', at: 'during-body' } },
  { route: 'storage-put', effect: { type: 'reset', at: 'after-body' } },
  { route: 'storage-put', effect: { type: 'status', status: 503, retryAfterS: 0 } },
  { route: 'sign-upload', effect: { type: 'reset', at: 'after-body' } },
  { route: 'sign-upload', effect: { type: 'status', status: 500 } },
] as const;

test('an archive that was uploaded as it is, is not uploaded again in parts', async () => {
  const desk = await open();
  const assignment = sandbox.newAssignment();
  const root = makeFolder({ 'a.zip': zipOf({ 'one.txt': 'one' }), 'b.zip': zipOf({ 'two.txt': 'two' }) });
  const chosen = makeFolder({ 'c.zip': zipOf({ 'three.txt': 'three' }) });
  // Uploads the archives as the command line does, without a review.
  const { batchId } = await desk.uploads.start({ root, assignmentId: assignment });
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 2 });
  await openDraft(desk, [chosen], assignment);
  const [first] = (await whenDraft(desk)) && (await rowsOf(desk));
  await desk.handlers.drafts.setFiles({ rowId: first?.rowId ?? 0, isIncluded: true, paths: ['c.zip//c.zip'] });
  const { batchId: other } = await startDraft(desk);
  await desk.uploads.ended(other);

  writeFileSync(join(root, 'b.zip'), zipOf({ 'four.txt': 'four' }));
  await openDraft(desk, [root, chosen], assignment);
  await whenDraft(desk);
  const found = async () => {
    const files = await Promise.all((await rowsOf(desk)).map(({ rowId }) => filesIn(desk, rowId)));
    // Sorts by path: the rows are in the order of their folders, whose names are random.
    const inOrder = files.flat().sort((one, other) => (one.path < other.path ? -1 : 1));
    return inOrder.map(({ path, state, unopened }) => [path, state, unopened]);
  };
  await expect.poll(found).toEqual([
    ['a.zip', 'sent', 'sent'],
    ['b.zip//b.zip', 'left-out', undefined],
    ['b.zip//four.txt', 'new', undefined],
    ['c.zip', 'sent', 'sent'],
  ]);
});

test('of archives that have changed, only the changed files are sent again, in place of their earlier versions', async () => {
  const desk = await open();
  const assignment = sandbox.newAssignment();
  const mail = emlOf({ subject: 'Offer' }, { 'plan.pdf': 'a plan' });
  const folder = makeFolder({
    'job/Offer.zip': zipOf({ '1.jpg': 'one', 'Photos/2.jpg': 'two', 'Photos/3.jpg': 'three' }),
    'job/offer.eml': mail,
    'job/a.txt': 'a',
    'c.zip': zipOf({ '4.jpg': 'four', '5.jpg': 'five' }),
  });
  await openDraft(desk, [folder], assignment);
  await whenDraft(desk);
  const [row] = await rowsOf(desk);
  await desk.handlers.drafts.setFiles({ rowId: row?.rowId ?? 0, isIncluded: true, paths: ['c.zip//c.zip'] });
  const { batchId } = await startDraft(desk);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ uploaded: 7, failed: 0 });
  writeFileSync(
    join(folder, 'job/Offer.zip'),
    zipOf({ '1.jpg': 'ONE', 'Photos/2.jpg': 'TWO', 'Photos/3.jpg': 'three' }),
  );
  writeFileSync(join(folder, 'job/a.txt'), 'A');
  writeFileSync(join(folder, 'c.zip'), zipOf({ '4.jpg': 'FOUR', '5.jpg': 'five' }));

  await desk.handlers.uploads.verify({ batchId, after: 0 });
  const changed = await desk.handlers.folders.changed({ batchIds: [batchId] });
  expect(changed.map(({ name }) => name).sort()).toEqual(['c.zip', 'job']);
  const folderIds = changed.map(({ folderId }) => folderId);
  await desk.handlers.drafts.open({ folderIds });
  await whenDraft(desk);
  const rows = await rowsOf(desk);
  const files = (await Promise.all(rows.map(({ rowId }) => filesIn(desk, rowId)))).flat();
  expect(files.map(({ path }) => path).sort()).toEqual([
    'Offer.zip//1.jpg',
    'Offer.zip//Photos/2.jpg',
    'a.txt',
    'c.zip//c.zip',
  ]);
  await desk.handlers.drafts.start(undefined);
  const batches = await desk.uploads.list();
  for (const batch of batches) await desk.uploads.ended(batch.batchId);
  await expectStored(sandbox.control, assignment, {
    '1.jpg': 'ONE',
    '2.jpg': 'TWO',
    '3.jpg': 'three',
    'offer.eml': mail,
    'plan.pdf': 'a plan',
    'a.txt': 'A',
    'c.zip': zipOf({ '4.jpg': 'FOUR', '5.jpg': 'five' }),
  });
});

test('20 mails, 5 archives and 200 files, with faults and three kills: each inner file arrives once', async () => {
  const home = makeDirectory();
  const desk = await openSignedIn({ sandbox: sandbox.address, home });
  const [one, other] = await twoApart(desk);
  const placeOf = ({ Address, City }: AssignmentSummary): string => `${Address}, ${City}`;
  const jobs = [one, other].map((job, index) => {
    const files = numbered(100, (at) => `photo ${index}-${at}.jpg`);
    const inner = Array.from({ length: index === 0 ? 2 : 3 }, (_, at) => ({
      ...numbered(10, (of) => `in/${index}-${at}-${of}.pdf`, 10_000),
      [`large ${index}-${at}.bin`]: bytes(400_000 + index * 10 + at),
    }));
    const mails = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => {
        const attachments = {
          [`plan ${index}-${at}.pdf`]: `plan ${index}-${at}`,
          [`shot ${index}-${at}.jpg`]: bytes(300_000 + index * 20 + at),
        };
        const about = { subject: `Report for ${placeOf(job)}`, from: 'Office <office@example.com>' };
        return [
          `${index}-${at}.${at % 2 ? 'msg' : 'eml'}`,
          { mail: at % 2 ? msgOf(about, attachments) : emlOf(about, attachments), attachments },
        ];
      }),
    );
    return { job, files, inner, mails };
  });
  const root = makeFolder(
    Object.assign(
      {},
      ...jobs.map(({ job, files, inner, mails }) => ({
        ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`${placeOf(job)}/${name}`, content])),
        ...Object.fromEntries(inner.map((tree, at) => [`${placeOf(job)}/offer ${at}.zip`, zipOf(tree)])),
        ...Object.fromEntries(Object.entries(mails).map(([name, { mail }]) => [name, mail])),
      })),
    ),
  );
  await openDraft(desk, [root]);
  expect(await whenDraft(desk)).toMatchObject({
    counts: { all: 22, matched: 22 },
    toSend: { files: 315, assignments: 2 },
  });
  const names = jobs
    .flatMap(({ files, inner }) => [files, ...inner].flatMap(Object.keys))
    .map((path) => basename(path));
  // Each kind of fault is met by every fortieth file. One fault and three kills cost a file fewer attempts than it has.
  await sandbox.control.faults.add(
    ...FAULTS.flatMap(({ effect, route }, at) =>
      names
        .filter((_, index) => index % 40 === at)
        .map((name) => ({ match: { route, contains: name }, when: { count: 1 }, effect })),
    ),
  );
  // The upload continues in processes that are killed.
  const hurry = await slowDown(desk);
  await desk.handlers.drafts.start(undefined);
  const batchIds = (await desk.uploads.list()).map(({ batchId }) => batchId);
  await hurry();
  await desk.close();
  // Where the processes are killed: among files and archives, among archives, and within a mail. Each kill comes after
  // this number of files.
  const kills = [
    [batchIds[0], 60],
    [batchIds[1], 110],
    [batchIds[2], 1],
  ] as const;
  for (const [batch = '', files] of kills) {
    let left: number = files;
    const { signal } = await spawnCli(
      ['uploads', 'resume', batch],
      { sandbox: sandbox.address, home },
      ({ type }, child) => {
        if (type === 'file') left -= 1;
        if (left === 0) child.kill('SIGKILL');
      },
    );
    expect(signal).toBe('SIGKILL');
  }

  const last = await openSignedIn({ sandbox: sandbox.address, home });
  for (const batchId of batchIds)
    expect(await last.when(batchId, isFinished)).toMatchObject({ state: 'finished', failed: 0 });
  for (const { job, files, inner, mails } of jobs) {
    const sent = [
      files,
      ...inner,
      ...Object.entries(mails).map(([name, { mail, attachments }]) => ({ [name]: mail, ...attachments })),
    ];
    await expectStored(sandbox.control, job.AssignmentId, Object.assign({}, ...sent));
  }
});

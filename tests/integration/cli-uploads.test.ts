/** The commands upload, uploads and files: their output and exit codes. */
import assert from 'node:assert';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { AssignmentList } from '../../src/contract/resources.ts';
import { connectionIdOf } from '../../src/main/settings/resolve-connection.ts';
import { openLedger } from '../../src/main/uploads/ledger/ledger.ts';
import { type CliOptions, cli, consent, type Line, type OnLine, ofType } from './support/cli.ts';
import { withoutBackoff } from './support/desks.ts';
import { bytes, makeDirectory, makeFolder, manyFiles, writeTree } from './support/folders.ts';
import { seen } from './support/runtime.ts';
import { always, expectStored, silentAnswer, storedOn, useSandbox } from './support/sandbox.ts';
import { testOnce } from './support/test-once.ts';

const sandbox = useSandbox();

let assignment: string;
let options: CliOptions;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  options = { sandbox: sandbox.address, home: makeDirectory() };
});

const run = (args: readonly string[], onLine?: OnLine) => cli(args, options, onLine);
const uploadArgs = (root: string) => ['upload', root, '--assignment', assignment];
const batchOf = ({ lines }: { readonly lines: readonly Line[] }) => String(lines.at(-1)?.batch);

/** Presses Ctrl-C as soon as a file has been uploaded. */
const stopAtFirstFile: OnLine = ({ type }, stop) => {
  if (type === 'file') stop();
};

describe('upload', () => {
  testOnce('warns about a completed assignment and a folder named after another address, then uploads', async () => {
    const [page] = (await run(['assignments', '--projects'])).lines;
    const { Items } = AssignmentList.parse(page);
    const closed = Items.find(({ AssignmentStatus }) => AssignmentStatus === 'COMPLETED');
    const other = Items.find(({ Address }) => Address !== closed?.Address && /^\d+ \p{L}{4}/u.test(Address));
    assert(closed && other);
    const root = join(makeDirectory(), `${other.Address}, photos`);
    writeTree(root, { 'a.txt': 'a' });
    const upload = await run(['upload', root, '--assignment', closed.AssignmentId]);
    expect(upload.exitCode, upload.stderr).toBe(0);
    expect(upload.stderr).toContain('warning: the status of this assignment is COMPLETED.');
    expect(upload.stderr).toContain(`contains ${other.Address}, which belongs to ${other.Address}, ${other.City}`);
    expect(new Set(upload.lines.map(({ type }) => type))).toEqual(new Set(['progress', 'file', 'summary']));
    await expectStored(sandbox.control, closed.AssignmentId, { 'a.txt': 'a' });
  });

  test('goes on without warnings if the folders cannot be matched', async () => {
    await run(['assignments', '--projects']);
    const draftWorker = new URL('data:text/javascript,process.exit(1)');
    const root = makeFolder({ 'a.txt': 'a' });
    expect(await cli(uploadArgs(root), { ...options, draftWorker })).toMatchObject({ exitCode: 0 });
    await expectStored(sandbox.control, assignment, { 'a.txt': 'a' });
  });

  test('is not done if it is stopped between two folders', async () => {
    const roots = [makeFolder({ 'a.txt': 'a' }), makeFolder({ 'b.txt': 'b' })];
    const stopped = await run(['upload', ...roots, '--assignment', assignment], ({ type }, stop) => {
      if (type === 'summary') stop();
    });
    expect(stopped).toMatchObject({ exitCode: 130 });
    await expectStored(sandbox.control, assignment, { 'a.txt': 'a' });
  });

  test.each(['read before', 'not read'])('an id in capitals is the same assignment, if it is %s', async (how) => {
    if (how === 'read before') await run(['assignments', '--projects']);
    const root = makeFolder({ 'a.txt': 'a', 'b.txt': 'b' });
    const capitals = assignment.toUpperCase();
    expect((await run(['upload', root, '--assignment', how === 'not read' ? assignment : capitals])).exitCode).toBe(0);
    const again = await run(['upload', root, '--assignment', how === 'not read' ? capitals : assignment]);
    expect(again.lines.at(-1)).toMatchObject({ uploaded: 0, skipped: 2 });
    await expectStored(sandbox.control, assignment, { 'a.txt': 'a', 'b.txt': 'b' });
    writeTree(root, { 'a.txt': 'another a' });
    const planned = await run(['upload', root, '--assignment', capitals, '--on-clash', 'skip', '--dry-run']);
    expect(planned.lines).toContainEqual(expect.objectContaining({ path: 'a.txt', clash: 'skip' }));
    expect((await run(['files', capitals])).lines[0]).toMatchObject({ AssignmentId: assignment, Files: [{}, {}] });
  });

  test('what cannot be read is a failure of the upload, and counted', async () => {
    if (process.platform === 'win32') return;
    const root = makeFolder({ 'job/a.txt': 'a' });
    // The path of the folder is too long for the system. A folder without permission would not do, because root may
    // read it.
    const deep = Array<string>(30).fill('d'.repeat(200));
    const there = process.cwd();
    try {
      process.chdir(join(root, 'job'));
      for (const name of deep) {
        mkdirSync(name);
        process.chdir(name);
      }
    } finally {
      process.chdir(there);
    }
    for (const more of [['--dry-run'], []]) {
      const { exitCode, lines } = await run([...uploadArgs(root), ...more]);
      expect(exitCode).toBe(1);
      const counted = { files: 1, failed: 0 };
      expect(lines.at(-1)).toMatchObject(
        more.length > 0 ? { ...counted, leftOut: { unreadable: 1 } } : { ...counted, uploaded: 1, unreadable: 1 },
      );
    }
    const map = join(makeDirectory(), 'map.csv');
    const upload = async (...more: readonly string[]) => {
      const { exitCode, lines, stderr } = await run(['upload', root, '--map', map, ...more]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('1 unreadable');
      return lines.at(-1);
    };
    writeFileSync(map, `path,assignment\njob,${sandbox.newAssignment()}`);
    expect(await upload('--dry-run')).toMatchObject({ files: 1, leftOut: { unreadable: 1 } });
    expect(await upload()).toMatchObject({ uploaded: 1, unreadable: 1 });
    const { lines: listed } = await run(['uploads', 'list']);
    expect(listed[0]?.batches).toMatchObject([{ unreadable: 1 }, { unreadable: 1 }]);
    // The unreadable folder is next to the uploaded one.
    writeTree(root, { 'sent/b.txt': 'b' });
    writeFileSync(map, `path,assignment\nsent,${sandbox.newAssignment()}`);
    expect(await upload()).toMatchObject({ uploaded: 1, unreadable: 1 });
  });

  test('streams authorize, progress, files and the summary; uploads reports the same later', async () => {
    const files = { 'a/report.pdf': 'one', 'b/report.pdf': 'two', 'empty.txt': '' };
    const root = makeFolder({ ...files, '.hidden': 'x', 'Thumbs.db': 'x' });
    const upload = await run(uploadArgs(root));
    expect(upload.exitCode, upload.stderr).toBe(0);
    expect(upload.stdout).toMatch(/^\{"type":"authorize","url":"http[^"]+"\}\n/);
    const batch = batchOf(upload);
    const counts = { files: 3, uploaded: 3, skipped: 0, failed: 0, bytes: 6 };
    expect(upload.lines.at(-1)).toEqual({ type: 'summary', batch, ...counts, seconds: expect.any(Number) });
    expect(new Set(upload.lines.map(({ type }) => type))).toEqual(new Set(['progress', 'file', 'summary']));
    expect(ofType(upload, 'summary')).toHaveLength(1);
    expect(ofType(upload, 'file').find(({ path }) => path === 'b/report.pdf')).toEqual({
      type: 'file',
      batch,
      path: 'b/report.pdf',
      FileName: 'b - report.pdf',
      size: 3,
      state: 'done',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(upload.stderr).toContain('3 of 3 files uploaded, 0 failed');
    expect(upload.stderr).toContain('left out: 1 hidden, 1 system');
    await expectStored(sandbox.control, assignment, files, { 'b/report.pdf': 'b - report.pdf' });

    const row = {
      batch,
      upload: expect.any(String),
      state: 'finished',
      assignment,
      root: seen(root),
      ...counts,
      created: expect.stringMatching(/Z$/),
    };
    for (const args of [['uploads'], ['uploads', 'list']])
      expect((await run(args)).lines).toEqual([{ batches: [row] }]);
    expect((await run(['uploads', 'show', batch])).lines).toEqual([
      { ...row, files: expect.arrayContaining([expect.objectContaining({ path: 'a/report.pdf', attempts: 1 })]) },
    ]);
  });

  testOnce('several folders: one after another, each with a summary; the worst exit code', async () => {
    await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'bad'));
    const [bad, good] = [makeFolder({ 'bad.txt': 'x' }), makeFolder({ 'good.txt': 'x' })];
    const upload = await run(['upload', bad, good, '--assignment', assignment]);
    expect(upload.exitCode).toBe(1);
    expect(ofType(upload, 'summary')).toMatchObject([{ failed: 1 }, { uploaded: 1, failed: 0 }]);
  });

  testOnce('a folder that is gone when it is recorded keeps no other from being sent', async () => {
    const [one, gone, other] = [
      makeFolder({ '1.txt': '1' }),
      makeFolder({ '2.txt': '2' }),
      makeFolder({ '3.txt': '3' }),
    ];
    const browse = (url: string): void => {
      rmSync(gone, { recursive: true });
      consent(url);
    };
    const ran = await cli(['upload', one, gone, other, '--assignment', assignment], { ...options, browse });
    expect(ran.exitCode).toBe(2);
    expect(ofType(ran, 'error')).toMatchObject([{ error: { code: 'upload/folder-missing', details: { path: gone } } }]);
    await expectStored(sandbox.control, assignment, { '1.txt': '1', '3.txt': '3' });
  });

  testOnce('Ctrl-C leaves a batch for each folder, which resume finishes, and starts no other folder', async () => {
    const files = manyFiles(30);
    const folders = [makeFolder(files), makeFolder({ 'later.txt': 'x' })];
    const stopped = await run(
      ['upload', ...folders, '--assignment', assignment, '--limit-rate', '60000'],
      stopAtFirstFile,
    );
    expect(stopped.exitCode).toBe(130);
    expect(stopped.lines.at(-1)).toMatchObject({ type: 'summary', failed: 0 });
    expect(ofType(stopped, 'summary')).toHaveLength(1);
    expect(stopped.stderr.match(/To continue: uploads resume/g)).toHaveLength(2);
    const left = [{ state: 'running' }, { state: 'paused', files: 0 }];
    expect((await run(['uploads'])).lines).toMatchObject([{ batches: left }]);
    expect(await run(['uploads', 'retry', batchOf(stopped)])).toMatchObject({ exitCode: 0, lines: [] });

    const resumed = await run(['uploads', 'resume']);
    expect(resumed).toMatchObject({ exitCode: 0 });
    expect(ofType(resumed, 'summary')).toMatchObject([{ batch: batchOf(stopped), uploaded: 30 }, { uploaded: 1 }]);
    await expectStored(sandbox.control, assignment, { ...files, 'later.txt': 'x' });
    expect(await run(['uploads', 'resume'])).toMatchObject({ exitCode: 0, stdout: '' });
  });

  testOnce('a session that ends midway: reason, summary, exit 3', async () => {
    const upload = await run([...uploadArgs(makeFolder(manyFiles(120))), '--limit-rate', '60000'], ({ type }) => {
      if (type === 'file') void sandbox.control.revokeSessions();
    });
    expect(upload.exitCode).toBe(3);
    expect(upload.lines.slice(-2)).toMatchObject([
      { type: 'error', error: { code: expect.stringMatching(/^auth\//) } },
      { type: 'summary', failed: 0 },
    ]);
    expect(await run(['uploads', 'resume'])).toMatchObject({ exitCode: 0 });
  });

  test('a dry run lists every file and rename, and changes nothing', async () => {
    options = { ...options, home: join(makeDirectory(), 'not made') };
    const root = makeFolder({ 'a/x.txt': '1', 'b/X.txt': '22', 'b/plan: 2.pdf': '', '.hidden': '' });
    const { exitCode, lines } = await run([...uploadArgs(root), '--dry-run']);
    expect(exitCode).toBe(0);
    expect(lines).toEqual([
      { type: 'file', state: 'planned', path: 'a/x.txt', FileName: 'x.txt', size: 1 },
      { type: 'file', state: 'planned', path: 'b/X.txt', FileName: 'b - X.txt', size: 2, reason: 'taken' },
      { type: 'file', state: 'planned', path: 'b/plan: 2.pdf', FileName: 'plan_ 2.pdf', size: 0, reason: 'characters' },
      {
        type: 'summary',
        batch: null,
        files: 3,
        uploaded: 0,
        skipped: 0,
        failed: 0,
        bytes: 3,
        seconds: 0,
        renamed: 2,
        leftOut: { hidden: 1, system: 0, links: 0, special: 0, unreadable: 0 },
      },
    ]);
    expect(existsSync(options.home)).toBe(false);
    const { stdout } = await cli([...uploadArgs(root), '--dry-run'], { ...options, words: true });
    expect(stdout).toMatch(/^File +FileName +Size +Renamed\na\/x\.txt +x\.txt +1 byte\n/);
    expect(stdout).toContain('b - X.txt    2 bytes  name taken\n');
    expect(stdout).toMatch(/\n3 files, 3 bytes, 2 renamed; left out: 1 hidden,.* unreadable\. Nothing was sent\.\n$/);
    const stopped = await run([...uploadArgs(root), '--dry-run'], (_, stop) => stop());
    expect(stopped.exitCode).toBe(130);
  });

  test('a dry run leaves damaged settings as they are', async () => {
    const root = makeFolder({ 'a.txt': 'a' });
    await run(uploadArgs(root));
    const settings = join(options.home, 'settings.json');
    writeFileSync(settings, '{"connection": ');
    expect(await run([...uploadArgs(root), '--dry-run'])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(settings, 'utf8')).toBe('{"connection": ');
  });

  test('the template puts folders into the names, also after an interruption', async () => {
    const photo = (name: string) => name.padEnd(20_000);
    const files = {
      'Site A/inside/photo.jpg': photo('one'),
      'Site A/photo.jpg': photo('two'),
      'photo.jpg': photo('three'),
    };
    const names = { 'Site A/inside/photo.jpg': 'inside - photo.jpg', 'Site A/photo.jpg': 'Site A - photo.jpg' };
    const args = [...uploadArgs(makeFolder(files)), '--name-template', '{folder} - {name}'];
    const stopped = await run([...args, '--limit-rate', '20000'], stopAtFirstFile);
    expect(stopped.exitCode).toBe(130);
    expect(await run(['uploads', 'resume'])).toMatchObject({ exitCode: 0 });
    await expectStored(sandbox.control, assignment, files, names);
  });

  test('a path of 800 characters becomes a name of 255 bytes with its extension', async () => {
    const folders = Array.from({ length: 9 }, (_, index) => `${index}${'å'.repeat(90)}`).join('/');
    const files = { [`${folders}/photo.jpg`]: 'deep', [`${'å'.repeat(125)}.jpeg`]: 'long' };
    const upload = await run([...uploadArgs(makeFolder(files)), '--name-template', '{path}']);
    expect(upload, upload.stderr).toMatchObject({ exitCode: 0 });
    const names = (await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName);
    expect(names.map((name) => [Buffer.byteLength(name), name.slice(-5)]).sort()).toEqual([
      [255, '.jpeg'],
      [255, 'å.jpg'],
    ]);
    expect(await run(['uploads', 'verify', batchOf(upload)])).toMatchObject({ exitCode: 0 });
  });

  testOnce('in words: the result, and what to do about failures', async () => {
    await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'file-0003'));
    const { exitCode, stdout, stderr } = await cli([...uploadArgs(makeFolder(manyFiles(5))), '--concurrency', 'auto'], {
      ...options,
      words: true,
    });
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('4 of 5 files uploaded, 1 failed');
    expect(stderr).toContain("file-0003.txt: You don't have permission to do this. (service/forbidden)");
    expect(stderr).toMatch(/List all: uploads show \S+ --failed {3}Retry: uploads retry \S+/);
  });
});

describe('uploads', () => {
  testOnce('shows and retries failures', async () => {
    await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'file-0003'));
    const upload = await run(uploadArgs(makeFolder(manyFiles(5))));
    expect(upload.exitCode).toBe(1);
    expect(upload.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 4, failed: 1 });
    expect((await run(['uploads', 'show', batchOf(upload), '--failed'])).lines).toMatchObject([
      { failed: 1, files: [{ FileName: 'file-0003.txt', state: 'failed', error: { code: 'service/forbidden' } }] },
    ]);
    await sandbox.control.faults.clear();
    const retried = await run(['uploads', 'retry']);
    expect(retried).toMatchObject({ exitCode: 0 });
    expect(retried.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 5, failed: 0 });
    for (const args of [
      ['uploads', 'retry'],
      ['uploads', 'retry', batchOf(upload)],
    ]) {
      expect(await run(args)).toMatchObject({ exitCode: 0, stdout: '', stderr: 'No failed files.\n' });
    }
  });

  testOnce('cancel signs in to remove files that were being sent', async () => {
    await sandbox.control.faults.add(always('storage-put', silentAnswer, 'file-0001'));
    const args = [...uploadArgs(makeFolder(manyFiles(10))), '--concurrency', '2'];
    const stopped = await run(args, ({ path }, stop) => {
      if (path === 'part 2/file-0008.txt') stop();
    });
    expect(stopped.exitCode).toBe(130);
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(10);
    const cancelled = await run(['uploads', 'cancel', batchOf(stopped)]);
    expect(cancelled).toMatchObject({ exitCode: 0, lines: [{ state: 'cancelled', uploaded: 9, failed: 0 }] });
    expect(cancelled.stdout).toContain('authorize');
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(9);
    expect(await run(['uploads', 'cancel', batchOf(stopped)])).toMatchObject({
      exitCode: 2,
      lines: [{ type: 'error', error: { code: 'upload/batch-state' } }],
    });
  });

  testOnce('cancel signs in to remove a file that an earlier attempt may have stored', async () => {
    await sandbox.control.faults.add(always('storage-put', { type: 'reset', at: 'after-body' }, 'file-0001'));
    const failed = await run(uploadArgs(makeFolder(manyFiles(3))));
    expect(failed.exitCode).toBe(1);
    // Leaves the batch as if a retry had been interrupted before it reached the file.
    const ledger = openLedger(join(options.home, 'ledger.sqlite'));
    await ledger.commit(() => {
      const ids = ledger.items.failedIds(batchOf(failed));
      for (const id of ids) ledger.items.requeue(batchOf(failed), id);
      ledger.batches.setState(batchOf(failed), 'running');
    });
    ledger.close();
    expect(await run(['uploads', 'cancel', batchOf(failed)])).toMatchObject({
      exitCode: 0,
      lines: [{ state: 'cancelled', uploaded: 2, failed: 0 }],
    });
    expect(await storedOn(sandbox.control, assignment)).toHaveLength(2);
  });

  testOnce('resume continues your own uploads and names those of others', async () => {
    const stopped = await run([...uploadArgs(makeFolder(manyFiles(10))), '--limit-rate', '20000'], stopAtFirstFile);
    const ledger = openLedger(join(options.home, 'ledger.sqlite'));
    await ledger.commit(() =>
      ledger.batches.insert({
        id: '00000000-0000-4000-8000-000000000001',
        connectionId: connectionIdOf(sandbox.address),
        subject: 'somebody else',
        assignmentId: assignment,
        root: '/elsewhere',
        nameTemplate: '{name}',
        createdAtMs: 1,
      }),
    );
    ledger.close();
    const resumed = await run(['uploads', 'resume']);
    expect(resumed.exitCode).toBe(3);
    expect(ofType(resumed, 'error')).toMatchObject([{ error: { code: 'upload/other-session' } }]);
    expect(resumed.lines.at(-1)).toMatchObject({ type: 'summary', batch: batchOf(stopped), uploaded: 10 });
  });

  test('a report is complete, escapes formulas, and names the object keys', async () => {
    await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'failing'));
    const root = makeFolder({ '=cmd.txt': 'x', 'failing.txt': 'y', 'plain, with comma.txt': 'z' });
    const upload = await run(uploadArgs(root));
    const out = join(makeDirectory(), 'report.csv');
    expect(await run(['uploads', 'report', batchOf(upload), '--out', out])).toMatchObject({
      exitCode: 0,
      lines: [{ batch: batchOf(upload), file: out, files: 3 }],
    });
    const rows = readFileSync(out, 'utf8').trimEnd().split('\r\n');
    expect(rows).toHaveLength(4);
    const header = ['file', 'assignment', 'FileName', 'Key', 'size', 'sha256', 'state', 'error', 'attempts', 'started'];
    expect(rows[0]).toBe(`\ufeff"${[...header, 'finished'].join('","')}"`);
    expect(rows[1]).toMatch(
      new RegExp(`^"'=cmd\\.txt","${assignment}","'=cmd\\.txt","\\S+",1,"[0-9a-f]{64}","done","",1,"\\S+Z","\\S+Z"$`),
    );
    expect(rows[2]).toMatch(
      /^"failing\.txt","[^,]+","failing\.txt","",1,"","failed","service\/forbidden",0,"\S+Z","\S+Z"$/,
    );
    expect(rows[3]).toMatch(/^"plain, with comma\.txt",/);
    const json = join(makeDirectory(), 'report.json');
    for (const more of [[], ['--format', 'json']])
      expect(await run(['uploads', 'report', batchOf(upload), '--out', json, ...more])).toMatchObject({ exitCode: 0 });
    const sent = { state: 'done', Key: expect.any(String), sha256: expect.any(String), attempts: 1 };
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
      batch: batchOf(upload),
      assignment,
      root: seen(root),
      uploaded: 2,
      failed: 1,
      files: [{ file: '=cmd.txt', ...sent }, { file: 'failing.txt', Key: null }, { file: 'plain, with comma.txt' }],
    });
    expect(await run(['uploads', 'report', batchOf(upload), '--out', '/no/such/folder/r.csv'])).toMatchObject({
      exitCode: 1,
      lines: [{ type: 'error', error: { code: 'data/unwritable' } }],
    });
  });
});

describe('uploads verify', () => {
  const files = {
    'as it was.txt': 'a',
    'changed.txt': 'b',
    'grown.txt': 'c',
    'sub/missing.txt': 'd',
    'refused.txt': 'e',
  };

  test('says of each file whether it still is as it was uploaded', async () => {
    await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'refused'));
    const root = makeFolder(files);
    const batch = batchOf(await run(uploadArgs(root)));
    writeTree(root, { 'as it was.txt': 'a', 'changed.txt': 'B', 'grown.txt': 'cc' });
    rmSync(join(root, 'sub'), { recursive: true });
    const { exitCode, lines, stdout } = await run(['uploads', 'verify', batch]);
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain('authorize');
    const file = (path: string, verdict: string, state = 'done') => ({ type: 'file', batch, path, state, verdict });
    expect(lines).toMatchObject([
      file('as it was.txt', 'same'),
      file('changed.txt', 'changed'),
      file('grown.txt', 'changed'),
      file('refused.txt', 'not-uploaded', 'failed'),
      file('sub/missing.txt', 'missing'),
      { type: 'summary', batch, files: 5, same: 1, changed: 2, missing: 1, unreadable: 0, notUploaded: 1 },
    ]);
    const words = await cli(['uploads', 'verify', batch], { ...options, words: true });
    expect(words.stdout).toBe('1 of 5 files unchanged, 2 changed, 1 missing, 1 not uploaded\n');
    expect(words.stderr).toContain('changed: changed.txt\n');
  });

  test('exit 0 when the content is unchanged, however many files and whatever their times', async () => {
    const many = { ...manyFiles(150), 'empty.txt': '', 'large.bin': bytes(3_000_000) };
    const root = makeFolder(many);
    const batch = batchOf(await run(uploadArgs(root)));
    for (const path of Object.keys(many)) utimesSync(join(root, path), 1, 1);
    const verified = await run(['uploads', 'verify', batch]);
    expect(verified).toMatchObject({ exitCode: 0 });
    expect(ofType(verified, 'file').map(({ path }) => path)).toEqual(Object.keys(many).sort());
    expect(verified.lines.at(-1)).toMatchObject({ type: 'summary', files: 152, same: 152 });
    expect((await run(['uploads', 'verify', batch], (_, stop) => stop())).exitCode).toBe(130);
  });
});

testOnce('lists and removes files', async () => {
  const root = makeFolder({ 'a.txt': 'a', 'b.txt': 'b' });
  await run(uploadArgs(root));
  const [known] = (await run(['files', assignment])).lines;
  expect(known).toEqual({
    AssignmentId: assignment,
    Files: ['a.txt', 'b.txt'].map((FileName) => ({
      Key: expect.any(String),
      FileName,
      UploadedBy: '',
      source: 'uploaded-here',
      at: expect.any(Number),
      folder: basename(root),
      sizeBytes: 1,
    })),
  });
  const [first] = (known?.Files ?? []) as readonly { readonly Key: string }[];
  const remove = ['files', 'remove', assignment, String(first?.Key)];
  const removed = await run(remove);
  expect(removed).toMatchObject({ exitCode: 0, lines: [{ AssignmentId: assignment, FacilityId: expect.any(String) }] });
  expect((await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName)).toEqual(['b.txt']);
  expect(await run(remove)).toMatchObject({ exitCode: 1, lines: [{ error: { code: 'service/not-found' } }] });
});

/** The command line's contract: shapes, exit codes, precedence, bad input. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unusedAddress } from '../../src/main/net/test-server.ts';
import { type CliRun, ofType, runCli } from './support/cli.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { always, expectStored, once, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const cli = (args: readonly string[], home = makeDirectory()) => runCli(args, { sandbox: sandbox.address, home });

/** The Items of the one document that was printed. */
const itemsOf = <T>({ lines }: Pick<CliRun, 'lines'>): readonly T[] => (lines[0]?.Items ?? []) as readonly T[];

describe('reads print the interface’s shapes', () => {
  test('protocols: a page, a search, all pages joined', async () => {
    const page = await cli(['protocols']);
    expect(page).toMatchObject({ exitCode: 0, lines: [{ Count: 50, TotalCount: 240, CurrentPage: 1 }] });
    const second = await cli(['protocols', '--page', '2', '--query', 'york']);
    expect(second.lines).toMatchObject([{ CurrentPage: 2 }]);
    const all = await cli(['protocols', '--all']);
    expect(all.lines).toMatchObject([{ Count: 240, TotalCount: 240 }]);
    expect(new Set(itemsOf<{ InspectionProtocolId: string }>(all).map((item) => item.InspectionProtocolId)).size).toBe(
      240,
    );
  });

  test('offline: what was read before, without a sign-in; what was not is said', async () => {
    const home = makeDirectory();
    const online = await cli(['protocols', '--all'], home);
    const [{ InspectionProtocolId = '' } = {}] = itemsOf<{ InspectionProtocolId: string }>(online);
    await cli(['assignments', '--protocol', InspectionProtocolId], home);
    await cli(['points', '--protocol', InspectionProtocolId], home);
    await cli(['events'], home);
    const offline = (args: readonly string[]) =>
      runCli([...args, '--offline'], { home, sandbox: { ...sandbox.address } });
    for (const args of [['protocols', '--all'], ['assignments', '--protocol', InspectionProtocolId], ['events']]) {
      const [kept, fresh] = [await offline(args), await cli(args, home)];
      expect(kept).toMatchObject({ exitCode: 0, lines: fresh.lines });
      expect(kept.stdout).not.toContain('authorize');
    }
    expect(await offline(['points', '--protocol', 'another'])).toMatchObject({
      exitCode: 1,
      lines: [{ type: 'error', error: { code: 'cache/missing' } }],
    });
  });

  test('assignments for projects, points, events', async () => {
    expect((await cli(['assignments', '--projects'])).lines).toMatchObject([
      { Items: expect.any(Array), Count: expect.any(Number) },
    ]);
    expect((await cli(['events'])).lines[0]).toEqual(
      expect.arrayContaining([{ EventId: expect.any(String), EventName: expect.any(String) }]),
    );
  });
});

test('plan-after sets and clears', async () => {
  const assignment = sandbox.newAssignment();
  expect((await cli(['plan-after', assignment, '1800000000'])).lines).toEqual([
    { AssignmentId: assignment, PlanAfter: 1_800_000_000 },
  ]);
  expect(await cli(['plan-after', assignment, '--clear'])).toMatchObject({ exitCode: 0 });
  expect(
    (await sandbox.control.planAfterValues()).find(({ AssignmentId }) => AssignmentId === assignment),
  ).toBeUndefined();
});

describe('upload', () => {
  test('streams, sums up last, and tells the same of it later', async () => {
    const home = makeDirectory();
    const assignment = sandbox.newAssignment();
    const files = { 'a/report.pdf': 'one', 'b/report.pdf': 'two', 'empty.txt': '' };
    const root = makeFolder({ ...files, '.hidden': 'x', 'Thumbs.db': 'x' });
    const run = await cli(['upload', root, '--assignment', assignment], home);
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stdout.split('\n')[0]).toContain('"authorize"');
    const { batch } = run.lines.at(-1) ?? {};
    expect(run.lines.at(-1)).toEqual({
      type: 'summary',
      batch,
      files: 3,
      uploaded: 3,
      skipped: 0,
      failed: 0,
      bytes: 6,
      seconds: expect.any(Number),
    });
    expect(ofType(run, 'file')).toHaveLength(3);
    await expectStored(sandbox.control, assignment, files, { 'b/report.pdf': 'b - report.pdf' });

    expect((await cli(['uploads'], home)).lines).toEqual([
      {
        batches: [
          {
            batch,
            state: 'finished',
            assignment,
            root,
            files: 3,
            uploaded: 3,
            skipped: 0,
            failed: 0,
            bytes: 6,
            created: expect.any(String),
          },
        ],
      },
    ]);
    const known = (await cli(['files', assignment], home)).lines[0];
    expect(known).toMatchObject({ AssignmentId: assignment });
    const [first] = (known?.Files ?? []) as readonly { Key: string }[];
    expect((await cli(['files', 'remove', assignment, String(first?.Key)], home)).lines).toMatchObject([
      { AssignmentId: assignment, Files: expect.any(Array) },
    ]);
    expect((await sandbox.control.objects()).filter(({ AssignmentId }) => AssignmentId === assignment)).toHaveLength(2);
  });

  test('failures: exit 1, shown, tried again', async () => {
    const home = makeDirectory();
    await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'file-0003'));
    const root = makeFolder(manyFiles(5));
    const assignment = sandbox.newAssignment();
    const run = await cli(['upload', root, '--assignment', assignment], home);
    expect(run).toMatchObject({ exitCode: 1 });
    expect(run.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 4, failed: 1 });
    const { batch } = run.lines.at(-1) ?? {};
    const shown = await cli(['uploads', 'show', String(batch), '--failed'], home);
    expect(shown.lines).toMatchObject([
      { batch, files: [{ FileName: 'file-0003.txt', state: 'failed', error: { code: 'service/forbidden' } }] },
    ]);
    await sandbox.control.faults.clear();
    const retried = await cli(['uploads', 'retry'], home);
    expect(retried).toMatchObject({ exitCode: 0 });
    expect(retried.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 5, failed: 0 });
  });

  test('a report takes no cell for a formula', async () => {
    const home = makeDirectory();
    const root = makeFolder({ '=cmd.txt': 'x', 'plain, with comma.txt': 'y' });
    const { lines } = await cli(['upload', root, '--assignment', sandbox.newAssignment()], home);
    const out = join(makeDirectory(), 'report.csv');
    expect(await cli(['uploads', 'report', String(lines.at(-1)?.batch), '--out', out], home)).toMatchObject({
      exitCode: 0,
    });
    const text = readFileSync(out, 'utf8');
    expect(text.split('\r\n')[0]).toBe('\ufefffile,assignment,FileName,Key,size,sha256,state,error,attempts,finished');
    expect(text).toContain("'=cmd.txt");
    expect(text).toContain('"plain, with comma.txt"');
  });

  test('a dry run leaves no trace', async () => {
    const home = makeDirectory();
    const root = makeFolder({ 'a/x.txt': '1', 'b/x.txt': '22' });
    const run = await cli(['upload', root, '--assignment', sandbox.newAssignment(), '--dry-run'], home);
    expect(run.lines).toMatchObject([
      { type: 'file', path: 'a/x.txt', FileName: 'x.txt' },
      { type: 'file', path: 'b/x.txt', FileName: 'b - x.txt' },
      { type: 'summary', files: 2, uploaded: 0, bytes: 3 },
    ]);
    expect((await cli(['uploads'], home)).lines).toEqual([{ batches: [] }]);
  });

  test('Ctrl-C leaves what uploads resume finishes, and cancel gives up', async () => {
    const home = makeDirectory();
    const files = manyFiles(30);
    const assignment = sandbox.newAssignment();
    let stopped = false;
    const slow = ['upload', makeFolder(files), '--assignment', assignment, '--limit-rate', '30000'];
    const run = await runCli(slow, {
      sandbox: sandbox.address,
      home,
      onLine: ({ type }, child) => {
        if (type === 'file' && !stopped) stopped = child.kill('SIGINT');
      },
    });
    expect(run.exitCode).toBe(130);
    expect(run.lines.at(-1)).toMatchObject({ type: 'summary', failed: 0 });
    const resumed = await cli(['uploads', 'resume'], home);
    expect(resumed).toMatchObject({ exitCode: 0 });
    await expectStored(sandbox.control, assignment, files);
    expect(await cli(['uploads', 'cancel', String(run.lines.at(-1)?.batch)], home)).toMatchObject({
      exitCode: 2,
      lines: [{ error: { code: 'upload/batch-state' } }],
    });
  });
});

describe('what is wrong is said in one line, with its exit code', () => {
  const assignment = '00000000-0000-4000-8000-000000000000';

  test.each([
    [['bogus'], 2, 'input/invalid'],
    [['protocols', '--bogus'], 2, 'input/invalid'],
    [['protocols', '--page', 'x'], 2, 'input/invalid'],
    [['assignments'], 2, 'input/invalid'],
    [['plan-after', assignment], 2, 'input/invalid'],
    [['plan-after', 'not-a-uuid', '1'], 2, 'input/invalid'],
    [['upload', '/no/such/folder', '--assignment', assignment], 2, 'upload/folder-missing'],
    [['upload', '.', '--assignment', 'not-a-uuid'], 2, 'input/invalid'],
    [['upload', '.'], 2, 'input/invalid'],
    [['upload', '.', '--match'], 2, 'app/unsupported'],
    [['upload', '.', '--map', 'x.csv'], 2, 'app/unsupported'],
    [['doctor'], 2, 'app/unsupported'],
    [['uploads', 'show', assignment], 2, 'upload/batch-unknown'],
    [['uploads', 'report', assignment], 2, 'input/invalid'],
  ])('%j', async (args, exitCode, code) => {
    await sandbox.control.resetStats();
    const run = await cli(args);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr.trim().split('\n').at(-1)).toContain(`(${code})`);
    const { routes } = await sandbox.control.stats();
    expect(
      Object.values(routes).reduce((sum, { requests }) => sum + requests, 0) -
        routes.authorize.requests -
        routes.token.requests,
    ).toBe(0);
  });

  test('no connection, an insecure one, a service that is not there', async () => {
    const home = makeDirectory();
    expect(await runCli(['protocols'], { home })).toMatchObject({
      exitCode: 2,
      lines: [{ error: { code: 'connection/missing' } }],
    });
    const insecure = { baseUrl: 'http://example.com', authUrl: 'http://example.com', clientId: 'x' };
    expect(await runCli(['protocols'], { home, sandbox: insecure })).toMatchObject({
      exitCode: 2,
      lines: [{ error: { code: 'connection/insecure' } }],
    });
    const gone = await unusedAddress();
    expect(
      await runCli(['protocols'], { home, sandbox: { baseUrl: gone, authUrl: gone, clientId: 'x' } }),
    ).toMatchObject({
      exitCode: 4,
      lines: [{ error: { code: 'service/unreachable' } }],
    });
  });

  test('a refused sign-in', async () => {
    await sandbox.control.faults.add(once('token', { type: 'status', status: 400 }));
    expect(await cli(['protocols'])).toMatchObject({ exitCode: 3, lines: [{ error: { code: 'auth/failed' } }] });
  });

  test('answers that are none', async () => {
    await sandbox.control.faults.add(always('list-orderable-events', { type: 'malformed-json' }));
    expect(await cli(['events'])).toMatchObject({ exitCode: 1, lines: [{ error: { code: 'service/malformed' } }] });
  });

  test('a data directory that is a file', async () => {
    const home = join(makeDirectory(), 'file');
    writeFileSync(home, '');
    expect(await cli(['status'], home)).toMatchObject({ exitCode: 1, lines: [{ error: { code: 'data/unwritable' } }] });
  });

  test('damaged settings and cache are moved aside, and said', async () => {
    const home = makeDirectory();
    for (const file of ['settings.json', 'cache.sqlite'])
      writeFileSync(join(home, file), 'not what it should be '.repeat(99));
    const run = await cli(['protocols'], home);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.stderr.match(/data\/moved-aside/g)).toHaveLength(2);
    expect(await readdir(home)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('settings.corrupt'),
        expect.stringContaining('cache.sqlite.damaged'),
      ]),
    );
  });

  test('a damaged ledger is left as it is: reading goes on, uploads are refused', async () => {
    const home = makeDirectory();
    const ledger = join(home, 'ledger.sqlite');
    writeFileSync(ledger, 'not what it should be '.repeat(99));
    const before = await readFile(ledger);
    expect(await cli(['events'], home)).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('data/corrupt') });
    const upload = await cli(['upload', makeFolder({ a: 'a' }), '--assignment', sandbox.newAssignment()], home);
    expect(upload).toMatchObject({ exitCode: 1, lines: [{ error: { code: 'data/corrupt' } }] });
    expect(await readFile(ledger)).toEqual(before);
  });
});

test('an option wins over the environment, and that over the settings', async () => {
  const home = makeDirectory();
  const gone = await unusedAddress();
  expect(await cli(['login'], home)).toMatchObject({ exitCode: 0 });
  const settings = await runCli(['status'], { home });
  expect(settings.lines).toMatchObject([{ connection: { baseUrl: sandbox.address.baseUrl } }]);
  const env = { INSPECTION_DESK_BASE_URL: gone };
  expect((await runCli(['status'], { home, env })).lines).toMatchObject([{ connection: { baseUrl: gone } }]);
  const option = await runCli(['status'], { home, env, sandbox: sandbox.address });
  expect(option.lines).toMatchObject([{ connection: { baseUrl: sandbox.address.baseUrl } }]);
});

/** Every error is reported in one line with its code, and leads to the documented exit code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unusedAddress } from '../../src/main/net/testing/server.ts';
import { cli } from './support/cli.ts';
import { openDesk } from './support/desks.ts';
import { makeDirectory, makeFolder } from './support/folders.ts';
import { seen } from './support/runtime.ts';
import { always, once, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
const run = (args: readonly string[], home = makeDirectory()) => cli(args, { sandbox: sandbox.address, home });
const refused = (code: string) => ({ type: 'error', error: expect.objectContaining({ code }) });
const unknown = '00000000-0000-4000-8000-000000000000';

describe('arguments, before any request', () => {
  test.each([
    [['bogus'], 'input/invalid'],
    [['protocols', '--bogus'], 'input/invalid'],
    [['protocols', 'too many'], 'input/invalid'],
    [['protocols', '--page', 'x'], 'input/invalid'],
    [['protocols', '--page', '1', '--all'], 'input/invalid'],
    [['assignments'], 'input/invalid'],
    [['points'], 'input/invalid'],
    [['plan-after', unknown], 'input/invalid'],
    [['plan-after', unknown, '1', '--clear'], 'input/invalid'],
    [['plan-after', unknown, 'soon'], 'input/invalid'],
    [['plan-after', 'not-a-uuid', '1'], 'input/invalid'],
    [['files', 'not-a-uuid'], 'input/invalid'],
    [['files', 'remove', 'not-a-uuid', 'key'], 'input/invalid'],
    [['files', 'remove', unknown, '--batch', unknown], 'input/invalid'],
    // An empty value, as from an unset variable, must not stand for the current folder, or for all files of an upload.
    [['files', 'remove', unknown, ''], 'input/invalid'],
    [['files', 'remove', '--batch', unknown, '--folder', ''], 'input/invalid'],
    [['files', 'remove', '--batch', unknown, '--folder', '/'], 'input/invalid'],
    [['upload', '', '--assignment', unknown], 'input/invalid'],
    [['upload', '.', '', '--match'], 'input/invalid'],
    [['watch', '', '--assignment', unknown], 'input/invalid'],
    [['watch', 'remove', ''], 'input/invalid'],
    // Nor must an empty value stand for all counties, or for the scope in the settings.
    [['assignments', '--county', ''], 'input/invalid'],
    [['status', '--scope', ''], 'input/invalid'],
    [['upload', '/no/such/folder', '--assignment', unknown], 'upload/folder-missing'],
    [['upload', 'package.json', '--assignment', unknown], 'upload/not-a-folder'],
    [['upload', '.', '--assignment', 'not-a-uuid'], 'input/invalid'],
    [['upload', '.'], 'input/invalid'],
    [['upload', '--assignment', unknown], 'input/invalid'],
    [['upload', '.', '--assignment', unknown, '--concurrency', '0'], 'input/invalid'],
    [['upload', '.', '--assignment', unknown, '--concurrency', '99'], 'input/invalid'],
    [['upload', '.', '--assignment', unknown, '--limit-rate', 'fast'], 'input/invalid'],
    [['upload', '.', '--assignment', unknown, '--limit-rate', '1'], 'input/invalid'],
    [['upload', '.', '--assignment', unknown, '--name-template', '{date}'], 'input/invalid'],
    [['upload', '.', '--match', '--assignment', unknown], 'input/invalid'],
    [['upload', '.', '--match', '--min-certainty', '2'], 'input/invalid'],
    [['upload', '.', '--match', '--level', 'deep'], 'input/invalid'],
    [['upload', '.', '--match', '--level', '1001'], 'input/invalid'],
    [['upload', '/no/such/folder', '--match', '--level', '1000'], 'upload/folder-missing'],
    [['upload', '.', '--map', '/no/such/file.csv'], 'input/invalid'],
    [['upload', '/no/such/folder', '--match'], 'upload/folder-missing'],
    [['uploads', 'bogus'], 'input/invalid'],
    [['uploads', 'list', 'too many'], 'input/invalid'],
    [['uploads', 'show', unknown], 'upload/batch-unknown'],
    [['uploads', 'resume', unknown], 'upload/batch-unknown'],
    [['uploads', 'retry', unknown], 'upload/batch-unknown'],
    [['uploads', 'report', unknown], 'input/invalid'],
    [['uploads', 'report', unknown, '--out', 'x', '--format', 'xml'], 'input/invalid'],
    [['uploads', 'verify', unknown], 'upload/batch-unknown'],
    [['status', '--token-store', 'paper'], 'input/invalid'],
  ])('%j', async (args, code) => {
    const { exitCode, lines, stdout, stderr } = await run(args);
    expect(exitCode).toBe(2);
    expect(lines).toEqual([refused(code)]);
    expect(stdout).not.toContain('authorize');
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(`(${code})`);
    expect((await sandbox.control.stats()).routes.authorize.requests).toBe(0);
  });

  test('a number out of its range: the range is named', async () => {
    const upload = ['upload', '.', '--assignment', unknown];
    expect((await run([...upload, '--concurrency', '99'])).stderr).toContain('from 1 to 64, or auto');
    expect((await run([...upload, '--limit-rate', '1'])).stderr).toContain('from 1000 to 10000000000');
  });

  test('an empty value: the option or argument is named', async () => {
    expect((await run(['assignments', '--county', ''])).stderr).toContain('--county is empty');
    expect((await run(['upload', '.', '', '--match'])).stderr).toContain('<folder> is empty');
  });

  test('help and version exit with 0; no arguments show the help', async () => {
    for (const args of [['--help'], ['upload', '--help'], ['--version']]) {
      expect(await cli(args, { home: makeDirectory(), words: true })).toMatchObject({ exitCode: 0, stderr: '' });
    }
    const nothing = await cli([], { home: makeDirectory(), words: true });
    expect(nothing).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('Usage:') });
  });
});

describe('the connection', () => {
  test('none: exit 2, with the options to give', async () => {
    expect(await cli(['protocols'], { home: makeDirectory() })).toMatchObject({
      exitCode: 2,
      lines: [refused('connection/missing')],
      stderr: expect.stringContaining('--base-url'),
    });
  });

  test.each([
    ['http://example.com', 'connection/insecure'],
    ['example.com', 'input/invalid'],
    ['ftp://127.0.0.1', 'input/invalid'],
  ])('%s: exit 2', async (address, code) => {
    const insecure = { baseUrl: address, authUrl: address, clientId: 'x' };
    for (const command of ['protocols', 'status']) {
      const refusal = await cli([command], { home: makeDirectory(), sandbox: insecure });
      expect(refusal).toMatchObject({ exitCode: 2, lines: [refused(code)] });
      expect(refusal.stderr).toMatch(/^error: [^\n]+\n$/);
    }
    const examined = await cli(['doctor'], { home: makeDirectory(), sandbox: insecure });
    expect(examined.stderr).toMatch(/^error: [^\n]+\n$/);
    expect(examined.lines[0]?.checks).toContainEqual(
      expect.objectContaining({ check: 'connection', state: 'failed', error: expect.objectContaining({ code }) }),
    );
  });

  test('an unreachable service: exit 4, without retries', async () => {
    const gone = unusedAddress();
    const nobody = { baseUrl: gone, authUrl: gone, clientId: 'x' };
    for (const args of [['login'], ['protocols'], ['upload', makeFolder({}), '--assignment', unknown]]) {
      expect(await cli(args, { home: makeDirectory(), sandbox: nobody })).toMatchObject({
        exitCode: 4,
        lines: [refused('service/unreachable')],
      });
    }
  });
});

describe('the sign-in', () => {
  test('denied by the user: exit 3', async () => {
    const browse = (url: string): void => {
      const { redirect_uri = '', state = '' } = Object.fromEntries(new URL(url).searchParams);
      // The command may end before its response has arrived.
      fetch(`${redirect_uri}?${new URLSearchParams({ error: 'access_denied', state })}`).catch(() => {});
    };
    const { exitCode, lines } = await cli(['protocols'], { home: makeDirectory(), sandbox: sandbox.address, browse });
    expect([exitCode, lines]).toEqual([3, [refused('auth/denied')]]);
  });

  test('refused by the token endpoint: exit 3', async () => {
    await sandbox.control.faults.add(once('token', { type: 'status', status: 400 }));
    expect(await run(['protocols'])).toMatchObject({ exitCode: 3, lines: [refused('auth/failed')] });
  });

  test('stopped by Ctrl-C while waiting: exit 130', async () => {
    const options = { home: makeDirectory(), sandbox: sandbox.address, browse: () => {} };
    const { exitCode, lines } = await cli(['protocols'], options, ({ type }, stop) => {
      if (type === 'authorize') stop();
    });
    expect([exitCode, lines]).toEqual([130, [refused('app/cancelled')]]);
  });
});

test('malformed answers: exit 1', async () => {
  await sandbox.control.faults.add(always('list-orderable-events', { type: 'malformed-json' }));
  expect(await run(['events'])).toMatchObject({ exitCode: 1, lines: [refused('service/malformed')] });
});

describe('the data directory', () => {
  test('is a file: exit 1', async () => {
    const home = join(makeDirectory(), 'file');
    writeFileSync(home, '');
    expect(await run(['status'], home)).toMatchObject({ exitCode: 1, lines: [refused('data/unwritable')] });
  });

  test('has a file instead of its log folder: exit 1, and releases the directory', async () => {
    const home = makeDirectory();
    writeFileSync(join(home, 'logs'), '');
    for (let time = 0; time < 2; time += 1) {
      expect(await run(['status'], home)).toMatchObject({ exitCode: 1, lines: [refused('data/unwritable')] });
    }
  });

  test('is in use: exit 5', async () => {
    const desk = await openDesk();
    expect(await run(['status'], desk.home)).toMatchObject({ exitCode: 5, lines: [refused('data/in-use')] });
    await desk.close();
    expect(await run(['status'], desk.home)).toMatchObject({ exitCode: 0 });
  });

  test('with damaged settings and cache: moves them aside and names them', async () => {
    const home = makeDirectory();
    mkdirSync(join(home, 'cache'));
    for (const file of ['settings.json', 'cache/cache.sqlite']) {
      writeFileSync(join(home, file), 'not what it should be '.repeat(99));
    }
    const { exitCode, stderr } = await run(['protocols'], home);
    expect(exitCode).toBe(0);
    const names = (await readdir(home, { recursive: true })).map((path) => basename(path));
    const aside = names.filter((name) => /^(settings\.corrupt|cache\.sqlite\.damaged)/.test(name));
    expect(aside).toHaveLength(2);
    for (const name of aside) expect(stderr).toContain(name);
    expect(stderr.match(/\(data\/moved-aside\)/g)).toHaveLength(2);
  });

  test('with a damaged ledger: leaves it unchanged, still reads, refuses uploads', async () => {
    const home = makeDirectory();
    const ledger = join(home, 'ledger.sqlite');
    writeFileSync(ledger, 'not what it should be '.repeat(99));
    const before = await readFile(ledger);
    const events = await run(['events'], home);
    expect(events).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('data/corrupt') });
    expect(events.stderr).toContain(seen(ledger));
    expect(await run(['uploads'], home)).toMatchObject({ exitCode: 0, lines: [{ batches: [] }] });
    const upload = await run(['upload', makeFolder({ a: 'a' }), '--assignment', sandbox.newAssignment()], home);
    expect(upload).toMatchObject({ exitCode: 1, lines: [refused('data/corrupt')] });
    expect(await readFile(ledger)).toEqual(before);
  });

  test('with a folder instead of its ledger: exit 1', async () => {
    const home = makeDirectory();
    mkdirSync(join(home, 'ledger.sqlite'));
    expect(await run(['status'], home)).toMatchObject({ exitCode: 1, lines: [refused('data/unwritable')] });
  });
});

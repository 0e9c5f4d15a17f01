/** The output of `upload` for users: progress, failures, summary. */
import { beforeEach, expect, test } from 'vitest';
import { type CliOptions, cli, type Line } from './support/cli.ts';
import { withoutBackoff } from './support/desks.ts';
import { bytes, makeDirectory, makeFolder } from './support/folders.ts';
import { always, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();

let assignment: string;
let options: CliOptions;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  options = { sandbox: sandbox.address, home: makeDirectory(), words: true };
});

const upload = (root: string, more: readonly string[] = [], extra: Partial<CliOptions> = {}) =>
  cli(['upload', root, '--assignment', assignment, ...more], { ...options, ...extra });

/** Returns the lines for users, without the request to sign in. Replaces times and ids, which vary. */
const linesOf = ({ stderr }: { readonly stderr: string }): readonly string[] =>
  stderr
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d+\.\d s/g, 'N s')
    .split('\n')
    .filter((line) => !/^To sign in|^http/.test(line));

test('a successful upload prints one line', async () => {
  const root = makeFolder({ 'a.txt': 'one', 'b/c.txt': 'three', '.hidden': 'x', 'Thumbs.db': 'x' });
  const run = await upload(root);
  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  const leftOut = 'left out: 1 hidden, 1 system, 0 links, 0 pipes, sockets or devices, 0 unreadable';
  expect(linesOf(run)).toEqual([`2 of 2 files uploaded, 0 failed, 8 bytes in N s; ${leftOut}`, '']);
});

test('the lines of each folder follow its path if there are several folders', async () => {
  const roots = [makeFolder({ 'a.txt': 'a' }), makeFolder({ 'b.txt': 'b', 'c.txt': 'c' })];
  const run = await upload(roots[0] ?? '', roots.slice(1));
  const uploaded = (text: string) => `${text} uploaded, 0 failed, `;
  expect(linesOf(run)).toEqual([
    `${roots[0]}:`,
    expect.stringContaining(uploaded('1 of 1 file')),
    `${roots[1]}:`,
    expect.stringContaining(uploaded('2 of 2 files')),
    '',
  ]);
});

test('counts files that were already there and does not send them again', async () => {
  const root = makeFolder({ 'a.txt': 'one', 'b.txt': 'two' });
  await upload(root);
  const run = await upload(root);
  expect(run.exitCode).toBe(0);
  expect(linesOf(run)).toEqual(['0 of 2 files uploaded, 2 skipped, 0 failed, 6 bytes in N s', '']);
});

test('lists up to ten failures with their reasons and what to do next', async () => {
  await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 403 }, 'bad'));
  const names = Array.from({ length: 12 }, (_, at) => `bad-${String(at).padStart(2, '0')}.txt`);
  const run = await upload(
    makeFolder({ ...Object.fromEntries(names.map((name) => [name, name])), 'good.txt': 'good' }),
  );
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  const lines = linesOf(run);
  expect(lines[0]).toMatch(/^1 of 13 files uploaded, 12 failed, /);
  expect(lines.slice(1, 11)).toEqual(
    names.slice(0, 10).map((name) => expect.stringMatching(new RegExp(`^  ${name}: .+\\. \\(service/forbidden\\)$`))),
  );
  expect(lines.slice(11)).toEqual(['List all: uploads show ID --failed   Retry: uploads retry ID', '']);
});

test('redraws one progress line on a terminal and removes it at the end', async () => {
  const root = makeFolder({ 'a.bin': bytes(200_000), 'b.bin': bytes(200_000) });
  const run = await upload(root, ['--limit-rate', '400000'], { columns: 100 });
  expect(run.exitCode).toBe(0);
  const [, ...drawn] = run.stderr.split('\r\u001b[K');
  const end = drawn.pop();
  expect(end).toMatch(/^2 of 2 files uploaded, 0 failed, 400 kB in \d+\.\d s\n$/);
  expect(drawn.length).toBeGreaterThan(0);
  const progress =
    /^[█░]{24} [0-2]\/2 files {2}\d+(?:\.\d)? (?:bytes?|kB) of 400 kB(?: {2}\d+(?:\.\d)? (?:bytes?|kB|MB)\/s)?$/;
  const reading = /^Scanning the folder: \d files found, \d processed$/;
  expect(drawn.filter((line) => !progress.test(line) && !reading.test(line))).toEqual([]);
  expect(drawn.filter((line) => /\d (?:bytes?|kB|MB)\/s$/.test(line))).not.toEqual([]);
});

test('fits the progress line into a narrow terminal', async () => {
  const run = await upload(makeFolder({ 'a.bin': bytes(200_000) }), ['--limit-rate', '400000'], { columns: 30 });
  const drawn = run.stderr.split('\r\u001b[K').slice(1, -1);
  expect(drawn.filter((line) => line.length > 29)).toEqual([]);
});

test('an upload stopped by Ctrl-C says how to continue it', async () => {
  const root = makeFolder({ 'a.bin': bytes(2_000_000) });
  let stopped = false;
  // With `--json`, a line says when the first bytes have been sent.
  const args = ['upload', root, '--assignment', assignment, '--limit-rate', '100000'];
  const run = await cli(args, { ...options, words: false }, ({ type, bytesSent }: Line, stop) => {
    if (type === 'progress' && Number(bytesSent) > 0) {
      stopped = true;
      stop();
    }
  });
  expect(stopped).toBe(true);
  expect(run.exitCode).toBe(130);
  expect(linesOf(run).slice(-3)).toEqual([
    '0 of 1 file uploaded, 0 failed, 2 MB in N s',
    'Stopped. To continue: uploads resume ID',
    '',
  ]);
});

test('reports the end of the session before the count and what to do next', async () => {
  await sandbox.control.faults.add(always('sign-upload', { type: 'status', status: 401 }));
  const run = await upload(makeFolder({ 'a.txt': 'one' }));
  expect(run.exitCode).toBe(3);
  const [reason, count, end] = linesOf(run);
  expect(reason).toMatch(/^error: .+ \(auth\/\w+\)$/);
  expect(count).toBe('0 of 1 file uploaded, 0 failed, 3 bytes in N s');
  expect(end).toBe('Stopped. To continue: uploads resume ID');
});

test('says when there is nothing to resume or to retry', async () => {
  await upload(makeFolder({ 'a.txt': 'one' }));
  expect(await cli(['uploads', 'resume'], options)).toMatchObject({ exitCode: 0, stderr: 'No unfinished uploads.\n' });
  expect(await cli(['uploads', 'retry'], options)).toMatchObject({ exitCode: 0, stderr: 'No failed files.\n' });
});

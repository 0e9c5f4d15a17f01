/** The command line in the desktop app, for offices that have installed nothing else. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { findElectron } from '../../scripts/electron-binary.mjs';
import { DoctorReport } from '../../src/contract/doctor.ts';
import { startConnectProxy } from '../../src/main/net/testing/proxies.ts';
import { createSampleData } from '../../src/sandbox/sample/sample-data.ts';
import { problemOf } from './support/hosts-here.ts';
import { makeFolder } from './support/make-folder.ts';
import { pdfPages } from './support/pdf-text.ts';
import { decideOverHttp } from './support/person.ts';
import { openSection, signIn } from './support/steps.ts';
import { expect, test } from './support/test.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Ended = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** Runs a command to its end, and consents to every sign-in that it requests. */
const run = async (
  args: readonly string[],
  onLine: (line: string, stop: () => void) => void = () => {},
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => {
  const executable = findElectron()?.path ?? '';
  const child = spawn(executable, ['--no-sandbox', root, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const lines: string[] = [];
  // Sends only one Ctrl-C, because a second one would end the program immediately.
  const stop = (): void => {
    if (!child.killed) child.kill('SIGINT');
  };
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    if (line.startsWith('{"type":"authorize"')) void consent(JSON.parse(line).url);
    onLine(line, stop);
  });
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { exitCode, stdout: lines.join('\n'), stderr };
};

/** The id of an assignment of a service with the usual number of protocols. */
const assignment = createSampleData(1, 24).projectAssignments(undefined).Items[0]?.AssignmentId ?? '';

const consent = async (url: string): Promise<void> => {
  await fetch(await decideOverHttp(url, 'allow'));
};

test.beforeEach(({ host }, info) => {
  const problem = problemOf(host);
  info.skip(problem !== undefined, problem);
});

test('a password in HTTPS_PROXY is used, although Chromium leaves it out, and the variable is named', async ({
  home,
}) => {
  await using proxy = await startConnectProxy({ password: 'jo:s3cret', leadsTo: () => ({ host: '127.0.0.1', port }) });
  const port = Number(new URL(`http://${proxy.name}`).port);
  const service = [
    '--base-url',
    'https://service.invalid',
    '--auth-url',
    'https://service.invalid',
    '--client-id',
    'x',
  ];
  const args = ['--home', home, '--token-store', 'memory', '--json', ...service, 'doctor'];
  const env = { HTTPS_PROXY: `http://jo:s3cret@${proxy.name}`, NO_PROXY: '', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const { stdout, stderr } = await run(args, undefined, env);
  const { checks } = DoctorReport.parse(JSON.parse(stdout));
  const found = (name: string) => checks.find(({ check }) => check === name);
  expect(found('proxy')?.found).toEqual({
    word: 'proxyByVariable',
    values: { proxy: proxy.name, variable: 'HTTPS_PROXY' },
  });
  expect(found('network connection')?.ok).toBe(true);
  expect(found('certificate checks')?.state).toBe('warning');
  // The password is sent only after the proxy has asked for it.
  expect(proxy.logins[0]).toBeUndefined();
  expect(proxy.logins).toContain(`Basic ${Buffer.from('jo:s3cret').toString('base64')}`);
  expect(stdout + stderr).not.toContain('s3cret');
});

test('runs commands without a window, with their exit codes; a data directory that cannot be made matters only to commands that need one', async ({
  home,
}) => {
  const file = join(home, 'file');
  await writeFile(file, '');
  const status = await run(['status', '--json', '--home', join(file, 'data')]);
  expect(status.stderr).toContain('(data/unwritable)');
  expect(status.exitCode, status.stderr).toBe(1);
  expect(JSON.parse(status.stdout)).toMatchObject({ type: 'error', error: { code: 'data/unwritable' } });
  expect(await run(['--version', '--home', join(file, 'data')])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+$/),
  });
});

test('uploads a folder, resumes after Ctrl-C, each file arrives once, and the receipt as PDF has every name as it is', async ({
  home,
  sandbox,
  control,
}) => {
  const folder = join(home, 'Elveveien <b>97');
  const hashes = [...(await makeFolder(folder, 60))];
  const names = ['=1+1.txt', '<script>document.body.remove()<script>.txt', 'Ärende å ß.txt'];
  for (const name of names) {
    await writeFile(join(folder, name), name);
    hashes.push(createHash('sha256').update(name).digest('hex'));
  }
  const { baseUrl, authUrl, clientId } = sandbox;
  const common = ['--home', join(home, 'data'), '--token-store', 'memory', '--no-browser', '--json'];
  const connection = ['--base-url', baseUrl, '--auth-url', authUrl, '--client-id', clientId];
  const upload = ['upload', folder, '--assignment', assignment, '--limit-rate', '100000'];
  const stopped = await run([...upload, ...common, ...connection], (line, stop) => {
    if (line.startsWith('{"type":"file"')) stop();
  });
  expect(stopped.exitCode, stopped.stderr).toBe(130);
  const resumed = await run(['uploads', 'resume', ...common, ...connection]);
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect((await control.objects()).map(({ sha256 }) => sha256).sort()).toEqual(hashes.sort());

  const { batch } = JSON.parse(resumed.stdout.split('\n').at(-1) ?? '');
  const out = join(home, 'receipt.pdf');
  const report = await run(['uploads', 'report', batch, '--out', out, '--list-files', ...common, ...connection]);
  expect(report, report.stderr).toMatchObject({ exitCode: 0 });
  // The PDF may break a text anywhere, so spaces are ignored.
  const pages = pdfPages(await readFile(out)).map((text) => text.replaceAll(/\s/g, ''));
  expect(pages[0]).toContain(`Page1of${pages.length}`);
  for (const text of [...names, 'Elveveien <b>97']) expect(pages.join('')).toContain(text.replaceAll(' ', ''));
  expect(pages.at(-1)).toMatch(/[0-9a-f]{64}/);
});

test('commands beside the open window: it runs each, and shows the upload', async ({ desk, home, control }) => {
  const { page } = desk;
  await signIn(desk);
  await openSection(page, 'Uploads');
  // The commands get the connection and everything else from the open app.
  const json = async (...args: readonly string[]) => {
    const { stdout, stderr, exitCode } = await run([...args, '--home', home, '--no-browser', '--json']);
    expect(exitCode, stderr).toBe(0);
    return JSON.parse(stdout.split('\n').at(-1) ?? '');
  };
  const hashes = await makeFolder(join(home, 'North'), 8);
  const { batch } = await json('upload', join(home, 'North'), '--assignment', assignment);
  const uploads = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await expect(uploads.filter({ hasText: 'North' })).toContainText('Finished');
  expect((await control.objects()).map(({ sha256 }) => sha256).sort()).toEqual(hashes);
  const out = join(home, '..', `${batch}.pdf`);
  expect((await json('uploads', 'report', batch, '--out', out)).file).toBe(out);
  expect(pdfPages(await readFile(out)).join('')).toContain('Upload receipt');
});

/**
 * The deb as in an office: installed by root, used by a user without administrator rights on a desktop that is neither
 * GNOME nor KDE, and removed again. Each test needs the results of the tests before it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { dropFolder } from '../e2e/support/drop-folder.ts';
import { openAssignment, startUpload } from '../e2e/support/steps.ts';
import { manyFiles, writeTree } from '../integration/support/folders.ts';
import { always, expectStored, silence, useSandbox } from '../integration/support/sandbox.ts';
import { createDesktopUser, type DesktopUser, whyNoDesktopUser } from './support/desktop-user.ts';
import { openPage } from './support/open-page.ts';
import { canMakeDeb, canRunPacked, packToRun } from './support/pack.ts';

const problem =
  whyNoDesktopUser() ??
  (canRunPacked ? undefined : 'there is no Electron') ??
  (canMakeDeb ? undefined : 'CUSTOM_FPM_PATH names no fpm');

const installed = (name: string, work: () => Promise<void>): void =>
  test(name, async ({ skip }) => {
    skip(problem !== undefined, problem);
    await work();
  });

const sandbox = useSandbox();
let user: DesktopUser;
let before: ReadonlySet<string>;

/**
 * The policy that docs/it-guide.md recommends to administrators. With it, the browser returns to the app without
 * asking.
 */
const browserPolicy = '/etc/chromium/policies/managed/inspection-desk-test.json';

afterAll(() => {
  if (problem !== undefined) return;
  user?.remove();
  rmSync(browserPolicy, { force: true });
  apt('purge', 'inspection-desk');
});

/** Returns all files and folders that a package or its scripts could leave behind. */
const systemFiles = (): ReadonlySet<string> => {
  // Leaves out the folders of dpkg, of apt and of the system.
  const ours = ['/var/lib/dpkg', '/var/lib/apt', '/var/cache', '/var/log'].flatMap((path) => ['-path', path, '-o']);
  const args = ['/etc', '/opt', '/usr', '/var', '-xdev', '(', ...ours, '-false', ')', '-prune', '-o', '-print'];
  return new Set(
    execFileSync('find', args, { encoding: 'utf8', maxBuffer: 2 ** 28 })
      .trim()
      .split('\n'),
  );
};

const connection = (): readonly string[] => {
  const { baseUrl, authUrl, clientId } = sandbox.address;
  return ['--base-url', baseUrl, '--auth-url', authUrl, '--client-id', clientId];
};

type RunOptions = {
  /** Whether the command's environment contains the display. Default: yes. */
  readonly display?: boolean;
  /** Whether the output is read. Default: yes. */
  readonly readers?: boolean;
  /** Called with each line of standard output. */
  readonly onLine?: (line: string, child: ChildProcess) => void;
};

/** Runs a command as the user, to its end. */
const run = async (args: readonly string[], { display = true, readers = true, onLine }: RunOptions = {}) => {
  const [program, ...others] = user.command(['inspection-desk', ...args], display);
  const child = spawn(program, others, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    if (!readers) child[name].destroy();
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  createInterface(child.stdout).on('line', (line) => onLine?.(line, child));
  const [exitCode, signal] = await once(child, 'close');
  return { exitCode, ...(signal && { signal }), ...output };
};

/** Runs apt-get without questions. There is output only if it fails. */
const apt = (command: string, name: string): void =>
  void execFileSync('apt-get', [command, '-qq', '-y', '--no-install-recommends', name], {
    stdio: 'pipe',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

installed('a sign-in returns from the browser through xdg-open, and a folder is uploaded in the window', async () => {
  const { output } = await packToRun({ target: 'deb' });
  const deb = join(output, readdirSync(output).find((name) => name.endsWith('.deb')) ?? '');
  const depends = execFileSync('dpkg-deb', ['-f', deb, 'Depends'], { encoding: 'utf8' });
  apt('satisfy', depends);
  user = await createDesktopUser();
  const handlers = [{ protocol: 'com.inspectiondesk.app', allowed_origins: [new URL(sandbox.address.authUrl).origin] }];
  mkdirSync(dirname(browserPolicy), { recursive: true });
  writeFileSync(browserPolicy, JSON.stringify({ AutoLaunchProtocolsFromOrigins: handlers }));
  before = systemFiles();
  apt('install', deb);

  const { page, quit } = await openPage(user.command(['inspection-desk', ...connection()]), {});
  await page.getByRole('button', { name: 'Sign in' }).filter({ visible: true }).click();
  await openAssignment(page);
  const folder = join(user.home, 'Photos');
  writeTree(folder, manyFiles(20));
  await dropFolder(page, page.getByRole('heading', { level: 1 }).filter({ visible: true }), folder);
  await startUpload(page);
  await page.getByText('20 uploaded', { exact: true }).filter({ visible: true }).waitFor();
  expect(await sandbox.control.objects()).toHaveLength(20);
  await quit();
});

installed('the commands’ standard error is for people, with a display and without one', async () => {
  for (const display of [true, false]) {
    const version = { exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' };
    expect(await run(['--version'], { display })).toEqual(version);
    expect(await run(['status', '--json', ...connection()], { display })).toMatchObject({ exitCode: 0, stderr: '' });
  }
  // Without a command, the program would open a window if there were a display.
  expect(await run([], { display: false })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Usage: /),
  });

  // The command uses the session of the window, which is stored in the keyring.
  const folders = Array.from({ length: 15 }, (_, at) => `folder ${at}`);
  for (const name of folders) writeTree(join(user.home, 'Jobs', name), manyFiles(2));
  const map = join(user.home, 'map.csv');
  writeFileSync(map, ['path,assignment', ...folders.map((name) => `${name},${sandbox.newAssignment()}`)].join('\n'));
  const upload = await run(['upload', join(user.home, 'Jobs'), '--map', map, '--json', ...connection()]);
  expect(upload).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"uploaded":30,') });
  const own: RegExp =
    /^warning: “Jobs\/folder \d+” goes to an assignment with the status [A-Z_]+\.$|^30 of 30 files uploaded/;
  expect(
    upload.stderr
      .trimEnd()
      .split('\n')
      .filter((line: string) => !own.test(line)),
  ).toEqual([]);

  const receipt = join(user.home, 'receipt.pdf');
  const uploads = JSON.parse((await run(['uploads', '--json', ...connection()])).stdout);
  const report = ['uploads', 'report', uploads.batches[0].batch, '--out', receipt, ...connection()];
  expect(await run(report, { display: false })).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readFileSync(receipt, 'latin1')).toMatch(/^%PDF-/);
});

installed('only the languages of the app are packed, and the copyright is where Debian has it', async () => {
  expect(readdirSync('/opt/Inspection Desk/locales').sort()).toEqual(['de.pak', 'en-US.pak', 'sv.pak']);
  expect(readFileSync('/usr/share/doc/inspection-desk/copyright', 'utf8')).toMatch(/^MIT License\n/);
});

installed('a command ends when its output cannot be written any more', async () => {
  const lost = { exitCode: 141 };
  for (const args of [['status', '--json', ...connection()], ['bogus', '--json'], ['--help']])
    expect(await run(args, { readers: false }), args[0]).toMatchObject(lost);

  const folder = join(user.home, 'More');
  writeTree(folder, manyFiles(30));
  const assignment = sandbox.newAssignment();
  await sandbox.control.faults.add(always('storage-put', silence, 'file-0029'));
  const upload = ['upload', folder, '--assignment', assignment];
  const resume = ['uploads', 'resume'];
  const stopReading = (name: 'stdout' | 'stderr') => (line: string, child: ChildProcess) => {
    if (!line.startsWith('{"type":"progress"') || child[name]?.destroyed) return;
    child[name]?.destroy();
    // Nothing is written to standard error before the end, so a closed standard error is noticed only after a signal.
    if (name === 'stderr') child.kill('SIGTERM');
  };
  for (const [args, name] of [
    [upload, 'stdout'],
    [resume, 'stderr'],
  ] as const) {
    const stopped = await run([...args, '--json', ...connection()], { onLine: stopReading(name) });
    expect(stopped, stopped.stderr).toMatchObject(lost);
  }
  await sandbox.control.faults.clear();
  expect(await run(['uploads', 'resume', ...connection()])).toMatchObject({ exitCode: 0 });
  await expectStored(sandbox.control, assignment, manyFiles(30));
});

installed('what its removal leaves is the user’s data, and nothing else', async () => {
  apt('remove', 'inspection-desk');
  expect([...systemFiles()].filter((path) => !before.has(path))).toEqual([]);
  const named = execFileSync('find', [user.home, '-iname', '*inspection*', '-prune'], { encoding: 'utf8' });
  expect(named.trim().split('\n')).toEqual([join(user.home, '.config/Inspection Desk')]);
  // The data that docs/it-guide.md lists.
  const data = [
    'cache',
    'crashes',
    'ledger.sqlite',
    'lock.sqlite',
    'logs',
    'outbox.sqlite',
    'rules.sqlite',
    'settings.json',
  ];
  expect(readdirSync(named.trim())).toEqual(expect.arrayContaining([...data, 'tokens', 'watched.sqlite']));
});

/** Tests that need a separate process: signals, closed pipes, a clean exit, the sandbox command. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CliProcess, cli, type Spawned, spawnCli } from './support/cli.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { onWindows, otherRuntime } from './support/runtime.ts';
import { always, expectStored, silence, silentAnswer, storedOn, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox({ protocols: 240 });
const main = fileURLToPath(new URL('../../src/main/hosts/headless/main.mjs', import.meta.url));

/** A program that runs a command, and ends only when nothing keeps its process alive. */
const ENDS_AT_REST = `
  import { runInProcess } from '${new URL('run-cli.ts', pathToFileURL(main))}';
  import { sourceParts } from '${new URL('../shared/source-parts.ts', pathToFileURL(main))}';
  process.exitCode = await runInProcess(process.argv.slice(1), sourceParts);
`;

test('a finished command keeps nothing open that would hold up its process', async () => {
  const home = makeDirectory();
  // In the desktop app, the process also has to end without help. On Node, the command line ends its process itself,
  // except on Windows.
  const own = onWindows
    ? {}
    : { command: [process.execPath, '--input-type=module', '-e', ENDS_AT_REST, '--'] as const };
  const listed = await spawnCli(['protocols'], { sandbox: sandbox.address, home, ...own });
  expect(listed).toMatchObject({ exitCode: 0, lines: [{ TotalCount: 240 }] });
  expect(listed.stderr).toBe('');
  expect(await spawnCli(['bogus'], { home, ...own })).toMatchObject({ exitCode: 2, lines: [{ type: 'error' }] });
});

test.for(['SIGINT', 'SIGHUP'] as const)('%s ends an upload, which resume finishes', async (signal, { skip }) => {
  skip(onWindows, 'Windows sends a process no signals; what Ctrl-C does is tested on Linux');
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const files = manyFiles(30);
  const assignment = sandbox.newAssignment();
  const args = ['upload', makeFolder(files), '--assignment', assignment];
  await sandbox.control.faults.add(always('storage-put', silence, 'file-0029'));
  let sent = false;
  const stopped = await spawnCli(args, options, ({ type }, child) => {
    if (type === 'file' && !sent) sent = child.kill(signal);
  });
  expect(stopped).toMatchObject({ exitCode: 130, signal: null });
  expect(stopped.lines.at(-1)).toMatchObject({ type: 'summary', failed: 0 });
  await sandbox.control.faults.clear();
  expect(await cli(['uploads', 'resume'], options)).toMatchObject({ exitCode: 0 });
  await expectStored(sandbox.control, assignment, files);
});

test('resume completes a cancellation that was killed', async () => {
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const assignment = sandbox.newAssignment();
  await sandbox.control.faults.add(always('storage-put', silentAnswer, 'file-0003'), always('remove-file', silence));
  const upload = ['upload', makeFolder(manyFiles(30)), '--assignment', assignment, '--concurrency', '1'];
  await spawnCli(upload, options, async ({ type }, child) => {
    if (type !== 'file') return;
    await expect.poll(async () => (await storedOn(sandbox.control, assignment)).length).toBe(2);
    child.kill('SIGKILL');
  });
  const { lines } = await cli(['uploads'], options);
  const batch = JSON.stringify(lines).match(/"batch":"([^"]+)"/)?.[1] ?? '';

  const stats = async () => (await sandbox.control.stats()).routes['remove-file'].requests;
  const child = Promise.withResolvers<CliProcess>();
  const cancelling = spawnCli(['uploads', 'cancel', batch], options, (_, process) => child.resolve(process));
  await expect.poll(stats).toBe(1);
  (await child.promise).kill('SIGKILL');
  expect(await cancelling).toMatchObject({ signal: 'SIGKILL' });
  await sandbox.control.faults.clear();

  const { routes } = await sandbox.control.stats();
  const resumed = await cli(['uploads', 'resume'], options);
  expect(resumed).toMatchObject({ exitCode: 0 });
  expect(resumed.lines.at(-1)).toMatchObject({ type: 'summary', batch, uploaded: 1, failed: 0 });
  expect((await sandbox.control.stats()).routes['storage-put']).toEqual(routes['storage-put']);
  expect(await storedOn(sandbox.control, assignment)).toHaveLength(1);
  const after = await cli(['uploads'], options);
  expect(after.lines[0]).toMatchObject({ batches: [{ batch, state: 'cancelled' }] });
});

describe.skipIf(otherRuntime !== undefined)('output that nobody reads any more ends the command', () => {
  test.for(['stdout', 'stderr'] as const)(
    'in an upload, when the reader of %s goes; resume finishes',
    async (name, { skip }) => {
      skip(onWindows && name === 'stderr', 'Windows sends a process no signals');
      const options = { sandbox: sandbox.address, home: makeDirectory() };
      const files = manyFiles(30);
      const assignment = sandbox.newAssignment();
      const folder = makeFolder(files);
      await sandbox.control.faults.add(always('storage-put', silence, 'file-0029'));
      let sent = false;
      const lost = await spawnCli(['upload', folder, '--assignment', assignment], options, ({ type }, child) => {
        if (type !== 'file' || sent) return;
        child[name].destroy();
        // Nothing is written to standard error before the end, so a closed standard error is noticed only after a
        // signal.
        sent = name === 'stdout' || child.kill('SIGTERM');
      });
      expect(lost).toMatchObject({ exitCode: 141, signal: null });
      await sandbox.control.faults.clear();
      expect(await cli(['uploads', 'resume'], options)).toMatchObject({ exitCode: 0 });
      await expectStored(sandbox.control, assignment, files);
    },
  );

  /**
   * Resolves to the exit code of a command with these outputs (standard output and standard error). `null`: a pipe
   * without a reader.
   */
  const exitCodeTo = async (args: readonly string[], ...outputs: readonly ['pipe' | null | number, null | number]) => {
    const stdio = ['ignore' as const, ...outputs.map((output) => output ?? 'pipe')];
    const child = spawn(process.execPath, [main, ...args, '--home', makeDirectory()], { stdio });
    for (const [at, stream] of [child.stdout, child.stderr].entries()) if (outputs[at] === null) stream?.destroy();
    return (await once(child, 'exit'))[0];
  };

  test.for([['--help'], ['bogus'], ['bogus', '--json'], ['status', '--json'], ['sandbox', '--port', '0']])(
    'whatever it prints: %j',
    async (args) => expect(await exitCodeTo(args, null, null)).toBe(141),
  );

  test.skipIf(!existsSync('/dev/full'))('on a full disk', async () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    expect(await exitCodeTo(['status', '--json'], full, null)).toBe(141);
    expect(await exitCodeTo(['bogus'], 'pipe', full)).toBe(141);
  });

  test.skipIf(onWindows)('but nothing is lost on descriptors that were closed on purpose', () => {
    const closed = ['-c', 'exec "$@" <&- >&- 2>&-', 'sh', process.execPath, main, '--home', makeDirectory()];
    expect(spawnSync('sh', [...closed, 'status', '--json'])).toMatchObject({ status: 0 });
    expect(spawnSync('sh', [...closed, 'bogus'])).toMatchObject({ status: 2 });
  });
});

test('the sandbox command serves until it is stopped', async () => {
  const child = spawn(process.execPath, [main, 'sandbox', '--port', '0', '--protocols', '5'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { baseUrl } = JSON.parse(String(line));
  expect((await fetch(`${baseUrl}/contractor/orderable-events`)).status).toBe(401);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a command runs in the one that has the data directory, which is free once that is killed', async () => {
  const options = { sandbox: sandbox.address, home: makeDirectory() };
  const args = ['upload', makeFolder(manyFiles(30)), '--assignment', sandbox.newAssignment()];
  await sandbox.control.faults.add(always('storage-put', silence, 'file-0029'));
  let second: Promise<Spawned> | undefined;
  await spawnCli(args, options, ({ type }, child) => {
    if (type !== 'progress' || second) return;
    second = spawnCli(['uploads'], options);
    void second.then(() => child.kill('SIGKILL'));
  });
  expect(await second).toMatchObject({ exitCode: 0, lines: [{ batches: [{ state: 'running' }] }] });
  expect(await cli(['uploads'], options)).toMatchObject({ exitCode: 0, lines: [{ batches: [{ state: 'running' }] }] });
});

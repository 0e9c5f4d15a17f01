/**
 * Commands that run in the process that has opened the data directory: their output, and what remains when the command
 * or the process ends.
 */
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runOnDesk } from '../../src/main/hosts/headless/run-cli.ts';
import { serveCommands } from '../../src/main/hosts/shared/command-channel.ts';
import { sourceParts } from '../../src/main/hosts/shared/source-parts.ts';
import type { FaultRule } from '../../src/sandbox/faults/fault-plan.ts';
import { type CliOptions, cli, ofType, spawnCli } from './support/cli.ts';
import { openDesk, slow, withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFolder, manyFiles } from './support/folders.ts';
import { onWindows, otherRuntime } from './support/runtime.ts';
import { always, expectStored, silence, storedOn, useSandbox } from './support/sandbox.ts';
import { threads } from './support/threads.ts';

const sandbox = useSandbox();

/** Opens an app that is signed in. `beside` in the result: the options of commands that run beside the app. */
const openApp = async (options: Parameters<typeof openDesk>[0] = {}) => {
  const desk = await openDesk({ sandbox: sandbox.address, ...options });
  const bugs: unknown[] = [];
  const host = { home: desk.home, parts: { ...sourceParts, ...threads }, policy: {}, tokenStore: 'memory' } as const;
  const commands = await serveCommands(
    desk.home,
    (request, io) => runOnDesk(request, io, desk, host),
    (error) => bugs.push(error),
  );
  onTestFinished(async () => {
    await commands.close();
    expect(bugs).toEqual([]);
  });
  await desk.signIn();
  const beside: CliOptions = { home: desk.home, sandbox: sandbox.address, isHandedOver: true };
  return { desk, commands, beside };
};

const socketOf = (home: string): string => join(home, 'command.sock');
const keyOf = (home: string): string => join(home, 'command.key');

test('an upload by a command shows in the app at once, and the other way round; both work at the same time', async () => {
  const { desk, beside } = await openApp(slow);
  const [ofApp, ofCommand] = [sandbox.newAssignment(), sandbox.newAssignment()];
  const files = manyFiles(20);
  const { batchId } = await desk.uploads.start({ root: makeFolder(manyFiles(20)), assignmentId: ofApp });
  const folder = makeFolder(files);
  // The path is relative to the command's working directory.
  const args = ['upload', basename(folder), '--assignment', ofCommand];
  const uploading = cli(args, { ...beside, cwd: dirname(folder) });
  const listing = cli(['uploads'], beside);
  expect(await listing).toMatchObject({ exitCode: 0, lines: [{ batches: [{ batch: batchId }, ...[]] }] });
  const ended = await uploading;
  expect(ended, ended.stderr).toMatchObject({ exitCode: 0 });
  // The command prints only the files of its own upload.
  expect(
    ofType(ended, 'file')
      .map(({ path }) => path)
      .sort(),
  ).toEqual(Object.keys(files).sort());
  expect(new Set(ended.lines.map(({ batch }) => batch)).size).toBe(1);
  const own = ended.lines.at(-1)?.batch;
  expect(
    desk.events.some((event) => event.type === 'batches' && event.batches.some((one) => one.batchId === own)),
  ).toBe(true);
  await expectStored(sandbox.control, ofCommand, files);
  expect(await desk.uploads.ended(batchId)).toMatchObject({ state: 'finished', failed: 0 });
});

test('what a command finds changed can be sent again by the app', async () => {
  const { desk, beside } = await openApp();
  const root = makeFolder({ 'a.txt': 'a', 'b.txt': 'b' });
  const { batchId } = await desk.upload(root, sandbox.newAssignment());
  writeFileSync(join(root, 'b.txt'), 'changed');
  expect(await cli(['uploads', 'verify', batchId], beside)).toMatchObject({ exitCode: 1 });
  expect(await desk.handlers.folders.changed({ batchIds: [batchId] })).toMatchObject([{ name: 'b.txt' }]);
});

test('Ctrl-C pauses the upload of the command only, which resume finishes; words are in its language', async () => {
  const { desk, beside } = await openApp(slow);
  const files = manyFiles(30);
  const assignment = sandbox.newAssignment();
  const other = await desk.uploads.start({ root: makeFolder(manyFiles(30)), assignmentId: sandbox.newAssignment() });
  const args = ['upload', makeFolder(files), '--assignment', assignment];
  const terminal = { ...beside, env: { LANG: 'de_DE.UTF-8' }, columns: 60 };
  const stopped = await cli(args, terminal, ({ type }, stop) => {
    if (type === 'file') stop();
  });
  expect(stopped, stopped.stderr).toMatchObject({ exitCode: 130 });
  const drawn = stopped.stderr.split('\r\u001b[K').slice(1, -1);
  expect(drawn.some((line) => line.includes('Dateien'))).toBe(true);
  expect(Math.max(...drawn.map((line) => line.length))).toBeLessThan(60);
  expect(stopped.stderr).toContain('Fortsetzen mit: uploads resume');
  expect(desk.uploads.present().find(({ batchId }) => batchId === other.batchId)?.state).not.toBe('paused');
  const batch = String(stopped.lines.at(-1)?.batch);
  expect((await desk.uploads.get(batch)).state).toBe('paused');
  expect(await cli(['uploads', 'resume', batch], beside)).toMatchObject({ exitCode: 0 });
  await expectStored(sandbox.control, assignment, files);
});

test('ends when the app quits, whose next start continues the upload', async () => {
  const { desk, commands, beside } = await openApp(slow);
  const files = manyFiles(30);
  const assignment = sandbox.newAssignment();
  let quitting: Promise<void> | undefined;
  const left = await cli(['upload', makeFolder(files), '--assignment', assignment], beside, ({ type }) => {
    if (type === 'file') quitting ??= commands.close().then(desk.close);
  });
  await quitting;
  expect(left).toMatchObject({ exitCode: 130 });
  expect(left.lines.at(-1)).toMatchObject({ type: 'error', error: { code: 'app/ended' } });
  const again = await openDesk({ sandbox: sandbox.address, home: desk.home });
  const finished = again.when(String(left.lines[0]?.batch), ({ state }) => state === 'finished');
  await again.signIn();
  expect(await finished).toMatchObject({ uploaded: 30, failed: 0 });
  await expectStored(sandbox.control, assignment, files);
});

test('a watch ends as every command does when the app quits', async () => {
  const { commands, beside } = await openApp();
  const args = ['watch', makeFolder({}), '--assignment', sandbox.newAssignment()];
  let quitting: Promise<void> | undefined;
  const left = await cli(args, beside, ({ type }) => {
    if (type === 'watching') quitting ??= commands.close();
  });
  await quitting;
  expect(left).toMatchObject({ exitCode: 130 });
  expect(left.lines.at(-1)).toMatchObject({ type: 'error', error: { code: 'app/ended' } });
});

test('a watch does not run in a command that watches no folders', async () => {
  const { beside } = await openApp({ resumeUploads: false });
  const args = ['watch', makeFolder({}), '--assignment', sandbox.newAssignment()];
  const watched = await cli(args, beside, ({ type }, stop) => {
    if (type === 'watching') stop();
  });
  expect(watched).toMatchObject({ exitCode: 5, lines: [{ type: 'error', error: { code: 'data/in-use' } }] });
  expect(watched.stderr).toContain('Run this command again when the other one has ended');
});

test('signs the app in, and watches folders with it until Ctrl-C', async () => {
  const { desk, beside } = await openApp();
  await desk.connected().session.signOut();
  const folder = makeFolder({ 'a.txt': 'a' });
  const args = ['watch', folder, '--assignment', sandbox.newAssignment()];
  const watched = await cli(args, beside, ({ type }, stop) => {
    if (type === 'watching') stop();
  });
  expect(watched, watched.stderr).toMatchObject({ exitCode: 0 });
  const { session, watchedFolders } = await desk.handlers.app.snapshot(undefined);
  expect(session.state).toBe('signed-in');
  expect(watchedFolders).toMatchObject([{ path: folder }]);
  expect(await cli(['logout'], beside)).toMatchObject({ exitCode: 0 });
  expect((await desk.handlers.app.snapshot(undefined)).session.state).toBe('signed-out');
});

test('matches in a draft of its own: the one of the window stays as it is', async () => {
  const { desk, beside } = await openApp();
  const { folderId } = desk.adopt({ root: makeFolder(manyFiles(3)) });
  await desk.handlers.drafts.open({ folderIds: [folderId], AssignmentId: sandbox.newAssignment() });
  const before = desk.drafts.current()?.draftId;
  const dry = await cli(['upload', makeFolder({ 'a/x.txt': 'x' }), '--match', '--dry-run'], beside);
  expect(ofType(dry, 'summary'), dry.stderr).toMatchObject([{ upload: null }]);
  expect(desk.drafts.current()?.draftId).toBe(before);
});

test('a plan-after date of a command replaces a pending one of the window, or is an error and leaves it pending', async () => {
  withoutBackoff();
  const { desk, beside } = await openApp();
  const { handlers } = desk;
  const [protocol] = (await handlers.protocols.list({})).value.Items;
  const { InspectionProtocolId = '' } = protocol ?? {};
  const [listed] = (await handlers.protocols.assignments({ InspectionProtocolId })).value.Items;
  const { AssignmentId = '' } = listed ?? {};
  const down: FaultRule = { match: { route: 'any' }, effect: { type: 'reset', at: 'before-body' } };
  const isWaiting = async (PlanAfter: number) =>
    (await handlers.assignments.planAfter({ AssignmentId, PlanAfter })).waiting;
  const atService = async () =>
    (await sandbox.control.planAfterValues()).find((value) => value.AssignmentId === AssignmentId)?.PlanAfter;
  const set = ['plan-after', AssignmentId, '2000000000'];
  await sandbox.control.faults.add(down);
  expect(await isWaiting(1_900_000_000)).toBe(true);
  await sandbox.control.faults.clear();
  expect(await cli(set, beside)).toMatchObject({ exitCode: 0, lines: [{ AssignmentId, PlanAfter: 2_000_000_000 }] });
  await expect.poll(() => desk.connected().outbox.list()).toEqual([]);
  expect(await atService()).toBe(2_000_000_000);
  expect(await handlers.assignments.get({ AssignmentId })).toMatchObject({ planAfter: { PlanAfter: 2_000_000_000 } });

  await sandbox.control.faults.add(down);
  expect(await isWaiting(2_100_000_000)).toBe(true);
  expect(await cli(set, beside)).toMatchObject({ exitCode: 4, lines: [{ error: { code: 'service/unreachable' } }] });
  expect(desk.connected().outbox.list()).toMatchObject([{ AssignmentId, PlanAfter: 2_100_000_000 }]);
});

test('a file that a command is removing is uploaded again, and Ctrl-C keeps the files that are not removed yet', async () => {
  withoutBackoff();
  const { desk, beside } = await openApp();
  const assignment = sandbox.newAssignment();
  const root = makeFolder(manyFiles(9));
  await desk.upload(root, assignment);
  const Keys = (await desk.uploads.knownFiles(assignment)).map(({ Key }) => Key);
  const [single = '', ...others] = Keys;
  await sandbox.control.faults.add(always('remove-file', silence));
  const removing = cli(['files', 'remove', assignment, single], beside);
  await expect.poll(() => desk.connected().outbox.leaving(assignment).size).toBe(1);
  expect(await desk.upload(root, assignment)).toMatchObject({ uploaded: 1, skipped: 8 });
  await sandbox.control.faults.release();
  expect(await removing).toMatchObject({ exitCode: 0, lines: [{ AssignmentId: assignment }] });

  await sandbox.control.faults.add(always('remove-file', silence));
  const interrupt = new AbortController();
  const interrupted = cli(['files', 'remove', assignment, ...others], { ...beside, signal: interrupt.signal });
  await expect.poll(() => desk.connected().outbox.leaving(assignment).size).toBe(8);
  interrupt.abort();
  const { exitCode, lines } = await interrupted;
  expect({ exitCode, lines }).toMatchObject({ exitCode: 130, lines: [{ error: { code: 'app/cancelled' } }] });
  expect(lines[0]?.waiting).toHaveLength(8);
  await sandbox.control.faults.release();
  await desk.connected().outbox.send();
  expect(desk.connected().outbox.list()).toEqual([]);
  // Requests that were in flight are not revoked.
  expect((await storedOn(sandbox.control, assignment)).length).toBeGreaterThanOrEqual(5);
});

test('what would be another service or another time zone is refused; a limit of the command applies', async () => {
  const { desk, beside } = await openApp();
  const refused = { exitCode: 5, lines: [{ type: 'error', error: { code: 'data/in-use' } }] };
  const other = { ...sandbox.address, clientId: 'another' };
  expect(await spawnCli(['uploads'], { ...beside, sandbox: other })).toMatchObject(refused);
  expect(await spawnCli(['uploads'], { ...beside, env: { TZ: 'Asia/Tokyo' } })).toMatchObject(refused);
  expect(desk.uploads.present()).toEqual([]);
  const args = ['upload', makeFolder({ 'a.bin': 'a'.repeat(60_000) }), '--assignment', sandbox.newAssignment()];
  const { lines } = await cli([...args, '--limit-rate', '40000'], beside);
  expect(lines.at(-1)).toMatchObject({ uploaded: 1 });
  expect(Number(lines.at(-1)?.seconds)).toBeGreaterThan(0.5);
});

describe('the channel', () => {
  /** Sends `parts` to the app. Resolves to everything that the app sends until it closes the connection. */
  const say = (home: string, ...parts: readonly string[]): Promise<string> =>
    new Promise((resolve) => {
      let said = '';
      const socket: Socket = connect(socketOf(home), () => {
        for (const part of parts) socket.write(part);
      });
      socket.on('data', (data) => (said += data)).on('error', () => resolve(said));
      socket.on('close', () => resolve(said));
    });
  const hello = `${JSON.stringify({ nonce: 'a'.repeat(64) })}\n`;

  test.skipIf(onWindows)('is for its user alone, and is gone with the app', async () => {
    const { desk, commands } = await openApp();
    for (const path of [socketOf(desk.home), keyOf(desk.home)]) expect(statSync(path).mode & 0o777).toBe(0o600);
    await commands.close();
    for (const path of [socketOf(desk.home), keyOf(desk.home)]) expect(existsSync(path)).toBe(false);
  });

  test('takes as many arguments and as wide a terminal as a system has', async () => {
    const { beside } = await openApp();
    const paths = Array.from({ length: 30_000 }, (_, index) => `${index}`);
    expect(await cli(['upload', ...paths], { ...beside, columns: 100_000 })).toMatchObject({ exitCode: 2 });
  });

  test.skipIf(onWindows)('hangs up on a wrong key, a message that is none, and one that is too long', async () => {
    const { desk, beside } = await openApp();
    // With fake timers, the app cannot close the connection because of its time limit.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const wrong = await say(
      desk.home,
      hello,
      `${JSON.stringify({ proof: 'b'.repeat(64) })}\n`,
      '{"args":["status"]}\n',
    );
    // The app has sent only its own proof.
    expect(wrong).toMatch(/^\{"nonce":"[0-9a-f]{64}","proof":"[0-9a-f]{64}"\}\n$/);
    for (const message of ['x\n', '{}\n', '[]\n', 'null\n', '\u0000', `${'{"nonce":"'.padEnd(2_000, 'a')}`])
      expect(await say(desk.home, message, '\n')).toBe('');
    expect(await say(desk.home, 'a'.repeat(10_000_000))).toBe('');
    for (const begun of ['', hello, hello.slice(0, 9)]) {
      const killed = connect(socketOf(desk.home), () => killed.write(begun, () => killed.destroy()));
      await once(killed, 'close');
    }
    vi.useRealTimers();
    expect(await cli(['uploads'], beside)).toMatchObject({ exitCode: 0 });
  });

  test.skipIf(onWindows)(
    'is not used with a key that others could read, or that the other end does not know',
    async () => {
      const { desk, beside, commands } = await openApp();
      chmodSync(keyOf(desk.home), 0o644);
      const briefly = { ...beside, signal: AbortSignal.timeout(1_000) };
      expect((await cli(['uploads'], briefly)).exitCode).not.toBe(0);
      await commands.close();
      let heard = '';
      const interrupt = new AbortController();
      const squatter = createServer((socket) => {
        socket.on('data', (data) => {
          // The command has connected again, although the response was wrong.
          if (heard !== '') interrupt.abort();
          heard += data;
          socket.write(`${JSON.stringify({ nonce: 'c'.repeat(64), proof: 'd'.repeat(64) })}\n`);
        });
      }).listen(socketOf(desk.home));
      onTestFinished(() => void squatter.close());
      writeFileSync(keyOf(desk.home), 'e'.repeat(64), { mode: 0o600 });
      expect((await cli(['uploads'], { ...beside, signal: interrupt.signal })).exitCode).not.toBe(0);
      expect(heard).toMatch(/^(\{"nonce":"[0-9a-f]{64}"\}\n)+$/);
      expect(heard).not.toContain(readFileSync(keyOf(desk.home), 'utf8'));
    },
  );
});

describe.skipIf(otherRuntime !== undefined)('kill', () => {
  // When its terminal is closed, a command gets SIGHUP.
  test.for(['SIGKILL', 'SIGHUP'] as const)('of the command, by %s: its upload goes on in the app', async (signal) => {
    const { desk, beside } = await openApp(slow);
    const assignment = sandbox.newAssignment();
    const files = manyFiles(20);
    const args = ['upload', makeFolder(files), '--assignment', assignment];
    // The command runs in a process of its own, and gets the token store and the service from the app.
    const killed = await spawnCli(args, { home: desk.home, sandbox: sandbox.address }, ({ type }, child) => {
      if (type === 'progress') child.kill(signal);
    });
    expect(killed.lines.map(({ type }) => type)).not.toContain('summary');
    const [batch] = desk.uploads.present();
    expect(await desk.uploads.ended(batch?.batchId ?? '')).toMatchObject({ state: 'finished', failed: 0 });
    await expectStored(sandbox.control, assignment, files);
    expect(await cli(['uploads'], beside)).toMatchObject({ exitCode: 0 });
  });

  test('of the process that runs it: the command says so, and the next one finishes its upload', async () => {
    const options = { sandbox: sandbox.address, home: makeDirectory() };
    const [first, second] = [sandbox.newAssignment(), sandbox.newAssignment()];
    const files = manyFiles(20);
    await sandbox.control.faults.add(always('storage-put', silence, 'file-0019'));
    let served: ReturnType<typeof spawnCli> | undefined;
    await spawnCli(['upload', makeFolder(files), '--assignment', first], options, (line, app) => {
      if (line.type !== 'file') return;
      served ??= spawnCli(['upload', makeFolder(files), '--assignment', second], options, ({ type }) => {
        if (type === 'file') app.kill('SIGKILL');
      });
    });
    const ended = await served;
    expect(ended, ended?.stderr).toMatchObject({ exitCode: 130 });
    expect(ended?.lines.at(-1)).toMatchObject({ type: 'error', error: { code: 'app/ended' } });
    await sandbox.control.faults.clear();
    const resumed = await cli(['uploads', 'resume'], options);
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    for (const assignment of [first, second]) await expectStored(sandbox.control, assignment, files);
  });
});

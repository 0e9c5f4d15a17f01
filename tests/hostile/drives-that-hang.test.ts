/**
 * Drives that never respond. A thread that waits in a system call cannot be stopped, and Node waits for its threads.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFolders } from '../../src/main/core/drafts/drafts.ts';
import { PATIENCE_MS } from '../../src/main/uploads/source/scan.ts';
import { cli, spawnCli } from '../integration/support/cli.ts';
import { openSignedIn } from '../integration/support/desks.ts';
import { openDraft } from '../integration/support/drafts.ts';
import { makeDirectory, makeFolder, mountHungDrive } from '../integration/support/folders.ts';
import { expectStored, useSandbox } from '../integration/support/sandbox.ts';
import { makePipe } from './support/hostile-folder.ts';

const sandbox = useSandbox();
const tree = { 'one.txt': 'one', 'two.txt': 'two' };
const program = fileURLToPath(new URL('./support/cli-that-hangs.ts', import.meta.url));

const hanging = (part: 'readWorker' | 'uploadWorker') => {
  const pipe = join(makeDirectory(), 'pipe');
  makePipe(pipe);
  const env = { PIPE_WITHOUT_WRITER: pipe, HANGING_PART: part };
  return { sandbox: sandbox.address, home: makeDirectory(), program, env };
};

describe.skipIf(process.platform === 'win32')('A5: the command line ends', () => {
  test('at Ctrl-C, while the read thread hangs; the ledger is intact, and resume finishes', async () => {
    const options = hanging('readWorker');
    const assignment = sandbox.newAssignment();
    const args = ['upload', makeFolder(tree), '--assignment', assignment];
    let sent = false;
    const run = await spawnCli(args, options, ({ type, state }, child) => {
      // Sends only one SIGINT, because a second one would end the process immediately.
      if (type === 'progress' && state === 'running' && !sent) sent = child.kill('SIGINT');
    });
    expect(run).toMatchObject({ exitCode: 130, signal: null });
    expect(run.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 0 });
    const { program: _, ...honest } = options;
    expect(await cli(['uploads', 'resume'], honest)).toMatchObject({ exitCode: 0 });
    await expectStored(sandbox.control, assignment, tree);
  });

  test('with the usual exit code, when everything is done but a file is still open', async () => {
    const assignment = sandbox.newAssignment();
    const run = await spawnCli(['upload', makeFolder(tree), '--assignment', assignment], hanging('uploadWorker'));
    expect(run).toMatchObject({ exitCode: 0, signal: null });
    expect(run.lines.at(-1)).toMatchObject({ type: 'summary', uploaded: 2, failed: 0 });
    await expectStored(sandbox.control, assignment, tree);
  });

  test('after a refusal, too', async () => {
    const run = await spawnCli(['uploads', 'show', '00000000-0000-4000-8000-000000000000'], hanging('uploadWorker'));
    expect(run).toMatchObject({ exitCode: 2, signal: null });
  });
});

test.skipIf(process.platform === 'win32')('A5: a review of such a drive is discarded, and the app closes', async () => {
  const pipe = join(makeDirectory(), 'pipe');
  makePipe(pipe);
  vi.stubEnv('PIPE_WITHOUT_WRITER', pipe);
  onTestFinished(() => void vi.unstubAllEnvs());
  const draftWorker = new URL('./support/draft-worker-that-hangs.ts', import.meta.url);
  const desk = await openSignedIn({ sandbox: sandbox.address, host: { draftWorker } });
  await openDraft(desk, [makeFolder(tree)]);
  await expect.poll(() => existsSync(`${pipe}.opening`)).toBe(true);
  // Makes the drive respond at the end, because this process waits for its threads.
  onTestFinished(() => writeFileSync(pipe, ''));
  const view = desk.handlers.drafts.rows({ filter: 'all', descending: false, offset: 0, limit: 50 });
  await Promise.all([desk.close(), expect(view).rejects.toMatchObject({ code: 'app/cancelled' })]);
  expect(desk.hangs()).toBe(true);
});

test('A5: what is dropped from such a drive is refused, and other folders are taken', async (context) => {
  const drive = makeDirectory();
  const respond = mountHungDrive(drive);
  if (!respond) return context.skip('no file system can be mounted here');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { adoptPaths, fileToWrite, adoptSaved, savedPath } = createFolders({ home: makeDirectory() });
  // More calls than Node's pool has threads (four), as when a user drops the files again and again.
  const dropped = Array.from({ length: 6 }, () => adoptPaths([drive]).catch(({ code }) => code));
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect(await Promise.all(dropped)).toEqual(dropped.map(() => 'upload/drive-unresponsive'));
  expect(await adoptPaths([import.meta.dirname])).toMatchObject([{ name: 'hostile' }]);
  // If the system passes paths to the app, missing ones are left out, but a drive that does not respond is reported.
  const given = [import.meta.dirname, join(import.meta.dirname, 'not there')];
  expect(await adoptPaths(given, 'left out')).toMatchObject([{ name: 'hostile' }]);
  await expect(adoptPaths([drive], 'left out')).rejects.toMatchObject({ code: 'upload/drive-unresponsive' });
  // Receipts and exports do not wait for the drive either.
  const receipt = join(drive, 'Jobs', 'receipt.pdf');
  for (const call of [fileToWrite(receipt), adoptSaved(receipt).then(savedPath)])
    await expect(call).rejects.toMatchObject({ code: 'upload/drive-unresponsive' });
});

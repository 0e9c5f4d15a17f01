import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type CliOptions, cli, ofType } from './support/cli.ts';
import { openSignedIn, withoutBackoff } from './support/desks.ts';
import { makeDirectory, makeFolder, writeTree } from './support/folders.ts';
import { expectStored, useSandbox } from './support/sandbox.ts';

const sandbox = useSandbox();
let options: CliOptions;
beforeEach(() => {
  withoutBackoff();
  options = { sandbox: sandbox.address, home: makeDirectory() };
});

test('a folder is watched until Ctrl-C, stays on the list, and its new files are uploaded', async () => {
  const assignment = sandbox.newAssignment();
  const root = makeFolder({ 'old.txt': 'old' });
  let isAdded = false;
  const run = await cli(['watch', root, '--assignment', assignment], options, (line, stop) => {
    if (line.type === 'watching' && line.state === 'watching' && !isAdded) {
      isAdded = true;
      writeTree(root, { 'job/new.txt': 'new' });
    }
    if (line.type === 'summary') stop();
  });
  expect(run.exitCode).toBe(0);
  expect(ofType(run, 'watching')[0]).toMatchObject({ folder: root, assignment, toMatch: { files: 0, folders: 0 } });
  expect(ofType(run, 'file')).toMatchObject([{ path: 'new.txt', state: 'done' }]);
  expect(ofType(run, 'summary')).toMatchObject([{ files: 1, uploaded: 1, failed: 0 }]);
  await expectStored(sandbox.control, assignment, { 'new.txt': 'new' });

  const { lines } = await cli(['watch', 'list'], options);
  expect(lines).toEqual([
    { folders: [expect.objectContaining({ folder: root, assignment, onClash: 'rename', hours: [], paused: false })] },
  ]);
  expect(await cli(['watch', 'remove', root], options)).toMatchObject({ exitCode: 0, lines: [{ folder: root }] });
  expect(await cli(['watch', 'remove', root], options)).toMatchObject({ exitCode: 2 });
  expect(await cli(['watch'], options)).toMatchObject({ exitCode: 2 });
});

test('watching a folder of the list again changes its rules', async () => {
  const root = makeDirectory();
  const link = join(makeDirectory(), 'link');
  symlinkSync(root, link, 'junction');
  const watch = (folder: string, ...rules: readonly string[]) =>
    cli(['watch', folder, ...rules], options, (line, stop) => {
      if (line.type === 'watching') stop();
    });
  await watch(root, '--match', '--hours', '18:00-06:00');
  const [first] = (await cli(['watch', 'list'], { ...options, words: true })).stdout.split('\n').slice(1);
  expect(first).toMatch(/by name\s+18:00-06:00/);
  const assignment = sandbox.newAssignment();
  // The command also accepts a link to the folder, and names in another case on systems that ignore case.
  await watch(link, '--assignment', assignment, '--on-clash', 'replace');
  expect((await cli(['watch', 'list'], options)).lines).toMatchObject([
    { folders: [{ folder: root, assignment, onClash: 'replace', hours: [] }] },
  ]);
  expect(await cli(['watch', 'remove', join(link, 'other')], options)).toMatchObject({ exitCode: 2 });
  expect(await cli(['watch', 'remove', link], options)).toMatchObject({ exitCode: 0, lines: [{ folder: root }] });
});

test('a folder that is paused in the window is watched, and said to be paused', async () => {
  const root = makeFolder({ 'a.txt': 'a' });
  const desk = await openSignedIn({ sandbox: sandbox.address, home: options.home });
  const rules = { AssignmentId: sandbox.newAssignment(), onClash: 'rename', hours: [] } as const;
  await desk.handlers.watchedFolders.add({ folderId: desk.adopt({ root }).folderId, rules, existing: true });
  const [{ watchedId = 0 } = {}] = desk.snapshot().watchedFolders;
  await desk.handlers.watchedFolders.change({ watchedId, rules: { ...rules, paused: true } });
  await desk.close();
  const run = await cli(['watch'], options, (line, stop) => {
    if (line.type === 'watching' && line.waiting === 1) stop();
  });
  expect(ofType(run, 'watching').at(-1)).toMatchObject({ state: 'watching', paused: true, waiting: 1 });
  expect(run.stderr).toContain(`${root}: watching, paused, 1 file waiting`);
});

test('a folder without a target, or a target without a folder, is refused', async () => {
  for (const args of [
    ['watch', makeDirectory()],
    ['watch', '--match'],
  ]) {
    expect(await cli(args, options)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--assignment') });
  }
});

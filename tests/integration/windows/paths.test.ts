/** Places of folders on Windows, and names of files that Windows itself does not allow. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type CliOptions, type CliRun, cli } from '../support/cli.ts';
import { makeDirectory, makeFolder, sha256, type Tree, writeTree } from '../support/folders.ts';
import { inPrefix, otherRuntime } from '../support/runtime.ts';
import { expectStored, storedOn, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
const files = { 'a.txt': 'a', 'Kök 2/å ä ö.txt': 'umlauts', 'Kök 2/b.txt': 'b' };

let assignment: string;
let options: CliOptions;
beforeEach(() => {
  assignment = sandbox.newAssignment();
  options = { sandbox: sandbox.address, home: makeDirectory() };
});

const upload = (root: string): Promise<CliRun> => cli(['upload', root, '--assignment', assignment], options);

/** Creates a folder on drive C:. Returns its path on this machine (`path`) and on Windows (`root`). */
const onDriveC = (): { readonly path: string; readonly root: string } => {
  const drive = otherRuntime === undefined ? 'C:\\' : inPrefix('drive_c');
  const path = mkdtempSync(join(drive, 'inspection-desk-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return { path, root: `C:\\${path.split(/[\\/]/).at(-1)}` };
};

test.each([
  ['on a drive', (root: string) => root],
  ['on a drive, with slashes and one at the end', (root: string) => `${root.replaceAll('\\', '/')}/`],
  ['by a path that Windows takes as it is', (root: string) => `\\\\?\\${root}`],
])('uploads a folder %s, and continues it later', async (_, named) => {
  const { path, root } = onDriveC();
  writeTree(path, files);
  const done = await upload(named(root));
  expect(done.exitCode, done.stderr).toBe(0);
  await expectStored(sandbox.control, assignment, files);
  writeTree(path, { 'later.txt': 'later' });
  const again = await upload(root);
  expect(again.lines.at(-1)).toMatchObject({ uploaded: 1, skipped: 3, failed: 0 });
});

test('keeps its data on a drive, in a folder with spaces and letters of other alphabets', async () => {
  const { root } = onDriveC();
  options = { ...options, home: `${root}\\Jens Øster Data` };
  expect(await upload(makeFolder(files))).toMatchObject({ exitCode: 0 });
  expect((await cli(['uploads'], options)).lines).toMatchObject([{ batches: [{ state: 'finished', uploaded: 3 }] }]);
});

test('paths over 260 characters, also below a folder whose own path is as long', async () => {
  const { path, root } = onDriveC();
  const deep = Array.from({ length: 6 }, (_, at) => `${at} ${'n'.repeat(60)}`);
  const tree: Tree = { [`${deep.join('/')}/photo.jpg`]: 'deep', 'top.txt': 'top' };
  writeTree(path, tree);
  expect(await upload(root)).toMatchObject({ exitCode: 0 });
  await expectStored(sandbox.control, assignment, tree);
  assignment = sandbox.newAssignment();
  const below = [root, ...deep].join('\\');
  expect(below.length).toBeGreaterThan(300);
  expect(await upload(below)).toMatchObject({ exitCode: 0 });
  await expectStored(sandbox.control, assignment, { 'photo.jpg': 'deep' });
});

describe.runIf(otherRuntime !== undefined)('names that only the other system lets a file have', () => {
  test('devices, dots and spaces at the end: sent under names that Windows can have', async () => {
    const tree = { CON: 'device', 'aux.txt': 'device', 'LPT1.pdf': 'device', 'dot.': 'dot', 'space ': 'space' };
    const root = makeFolder(tree);
    const done = await upload(root);
    expect(done.exitCode, done.stderr).toBe(0);
    const names = { CON: 'CON_', 'aux.txt': 'aux_.txt', 'LPT1.pdf': 'LPT1_.pdf', 'dot.': 'dot', 'space ': 'space' };
    await expectStored(sandbox.control, assignment, tree, names);
    const batch = String(done.lines.at(-1)?.batch);
    expect(await cli(['uploads', 'verify', batch], options)).toMatchObject({ exitCode: 0 });
  });

  test('twins that differ in case only are both sent, each with its content', async () => {
    const tree = { 'plan.txt': 'small letters', 'PLAN.TXT': 'capitals' };
    const done = await upload(makeFolder(tree));
    expect(done.exitCode, done.stderr).toBe(0);
    const stored = await storedOn(sandbox.control, assignment);
    expect(stored.map((object) => object.sha256).sort()).toEqual(Object.values(tree).map(sha256).sort());
    expect(new Set(stored.map(({ FileName }) => FileName.toLowerCase())).size).toBe(2);
  });

  test('a folder named like a device', async () => {
    const root = makeDirectory();
    mkdirSync(join(root, 'NUL'));
    writeTree(root, { 'NUL/a.txt': 'a' });
    expect(await upload(root)).toMatchObject({ exitCode: 0 });
    await expectStored(sandbox.control, assignment, { 'NUL/a.txt': 'a' });
  });
});

test('a share of a server that is not there is refused in words', async () => {
  const refused = await upload('\\\\localhost\\no-such-share\\photos');
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.lines.at(-1)).toMatchObject({ error: { code: 'upload/folder-missing' } });
});

describe.runIf(otherRuntime !== undefined)('a share of a server', () => {
  const server = 'inspection-desk-test';
  beforeEach(() => {
    const share = inPrefix(`dosdevices/unc/${server}/photos`);
    writeTree(share, files);
    onTestFinished(() => rmSync(inPrefix(`dosdevices/unc/${server}`), { recursive: true }));
  });

  test.each([
    ['its name', `\\\\${server}\\photos`],
    ['a folder in it', `\\\\${server}\\photos\\Kök 2`],
    ['the path that Windows takes as it is', `\\\\?\\UNC\\${server}\\photos`],
  ])('is uploaded by %s', async (_, root) => {
    const done = await upload(root);
    expect(done.exitCode, done.stderr).toBe(0);
    const { 'a.txt': _top, ...below } = files;
    await expectStored(sandbox.control, assignment, root.endsWith('2') ? below : files);
  });
});

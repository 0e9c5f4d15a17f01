/** Watched folders with links that replace folders while files wait, and with files that look like uploaded ones. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { WatchedRules } from '../../src/contract/watched-folders.ts';
import type { WatchSettings } from '../../src/main/core/connection/connections.ts';
import { openSignedIn, type TestDesk, withoutBackoff } from '../integration/support/desks.ts';
import { holdFiles, makeDirectory, type Tree, writeTree } from '../integration/support/folders.ts';
import { expectStored, storedOn, useSandbox } from '../integration/support/sandbox.ts';
import { makeSecret } from './support/hostile-folder.ts';

const sandbox = useSandbox();
const onPosix = test.skipIf(process.platform === 'win32');
/** A folder on a disk. The usual temporary folder may be in memory, where no inode number is used twice. */
const DISK = existsSync('/var/tmp') ? '/var/tmp' : undefined;
let assignment: string;
let root: string;
let elsewhere: string;
beforeEach(() => {
  withoutBackoff();
  assignment = sandbox.newAssignment();
  root = realpathSync(makeDirectory(DISK));
  elsewhere = realpathSync(makeDirectory(DISK));
});

const times = { settleMs: 60, scanMs: 300, blindScanMs: 300, missingMs: 100, gatherMs: 60_000, tickMs: 40 };
const evening = [{ from: '18:00', to: '07:00' }] as const;
const noon = new Date('2026-01-05T12:00').getTime();
const night = new Date('2026-01-05T20:00').getTime();

/** Opens a desk that watches the folder. `clock`: the time of day for its schedule. */
const watch = async (
  rules: Partial<WatchedRules> = {},
  clock = { now: night },
  existing = true,
  watching: WatchSettings = {},
) => {
  const desk = await openSignedIn({ sandbox: sandbox.address, watching: { times, now: () => clock.now, ...watching } });
  await desk.handlers.watchedFolders.add({
    folderId: desk.adopt({ root }).folderId,
    rules: { AssignmentId: assignment, onClash: 'rename', hours: [], ...rules },
    existing,
  });
  return desk;
};

const shown = async ({ handlers }: TestDesk) => (await handlers.app.snapshot(undefined)).watchedFolders[0];
const names = async (): Promise<readonly string[]> =>
  (await storedOn(sandbox.control, assignment)).map(({ FileName }) => FileName).sort();
const batchesOf = async ({ handlers }: TestDesk) => (await handlers.app.snapshot(undefined)).batches;

/** Waits until no file waits or is being sent. */
const isIdle = async (desk: TestDesk): Promise<void> => {
  await expect.poll(() => shown(desk)).toMatchObject({ state: 'watching', settling: 0, waiting: 0 });
  await expect.poll(async () => (await batchesOf(desk)).every(({ state }) => state === 'finished')).toBe(true);
};

/** Waits until the folder has been scanned again: the scan finds a new file `mark`, which is sent. */
const isScanned = async (desk: TestDesk, mark: string): Promise<void> => {
  writeFileSync(join(root, mark), mark);
  await expect.poll(names).toContain(mark);
  await isIdle(desk);
};

/** Replaces the folder `job` with a link to a stranger's folder that looks the same. */
const swapJob = (): void => {
  makeSecret(elsewhere, join(root, 'job/a.txt'), 'a.txt');
  writeFileSync(join(elsewhere, 'stranger.txt'), 'SECRET');
  renameSync(join(root, 'job'), join(root, '.kept'));
  symlinkSync(elsewhere, join(root, 'job'));
};

onPosix(
  'B3: a folder that a link replaces while its files wait for the hours sends nothing from behind it',
  async () => {
    const clock = { now: noon };
    const desk = await watch({ hours: evening }, clock);
    writeTree(root, { 'job/a.txt': 'file a', 'job/b.txt': 'file b' });
    await expect.poll(() => shown(desk)).toMatchObject({ waiting: 2, settling: 0 });
    swapJob();
    clock.now = night;
    await isScanned(desk, 'mark.txt');
    expect(await names()).toEqual(['mark.txt']);
    // The user puts the folder back.
    unlinkSync(join(root, 'job'));
    renameSync(join(root, '.kept'), join(root, 'job'));
    await expect.poll(names).toEqual(['a.txt', 'b.txt', 'mark.txt']);
  },
);

onPosix('B3: a folder that a link replaces while another file of it is held sends nothing from behind it', async () => {
  const { held, openFile } = holdFiles('held.txt');
  const desk = await watch({}, undefined, true, { openFile });
  writeTree(root, { 'job/a.txt': 'file a', 'job/deep/held.txt': '0' });
  await expect.poll(() => shown(desk)).toMatchObject({ waiting: 1, settling: 1 });
  swapJob();
  held.clear();
  await isScanned(desk, 'mark.txt');
  // A file behind the link changes, and the system may report the change.
  appendFileSync(join(elsewhere, 'stranger.txt'), '!');
  await isScanned(desk, 'another mark.txt');
  expect(await names()).toEqual(['another mark.txt', 'mark.txt']);
});

onPosix('B3: the watched folder itself that a link replaces counts as missing', async () => {
  const desk = await watch();
  await isScanned(desk, 'mark.txt');
  renameSync(root, `${root}-kept`);
  onTestFinished(() => rmSync(`${root}-kept`, { recursive: true, force: true }));
  writeFileSync(join(elsewhere, 'stranger.txt'), 'SECRET');
  symlinkSync(elsewhere, root);
  await expect.poll(() => shown(desk)).toMatchObject({ state: 'missing', reason: { code: 'upload/folder-replaced' } });
  expect(await names()).toEqual(['mark.txt']);
});

/** A time that `utimes` can restore exactly. */
const BEFORE = new Date('2026-01-02T03:04:05Z');

/** Writes files with the modification time `BEFORE`. */
const put = (tree: Tree): void => {
  writeTree(root, tree);
  for (const path of Object.keys(tree)) utimesSync(join(root, path), BEFORE, BEFORE);
};

/** Writes other content of the same length, and restores the modification time. */
const rewrite = (path: string, content: string): void => {
  writeFileSync(path, content);
  utimesSync(path, BEFORE, BEFORE);
};

test('a file that is changed in place, and whose time is put back, is sent', async () => {
  const desk = await watch();
  put({ 'a.txt': 'first content' });
  await expect.poll(names).toEqual(['a.txt']);
  await isIdle(desk);
  rewrite(join(root, 'a.txt'), 'other content');
  await expect.poll(names).toEqual(['a (2).txt', 'a.txt']);
  await isIdle(desk);
  await expectStored(sandbox.control, assignment, { 'a.txt': 'first content', 'a (2).txt': 'other content' });
});

const NOT_REUSED = 'this file system gives no number twice';

/**
 * Creates a file with the inode number, size and modification time of a deleted one. Returns whether the file system
 * allows this.
 */
const reuse = (deleted: string, path: string, content: string): boolean => {
  const before = statSync(deleted);
  rmSync(deleted);
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    writeFileSync(path, content);
    if (statSync(path).ino === before.ino) {
      utimesSync(path, BEFORE, BEFORE);
      return true;
    }
    renameSync(path, join(elsewhere, `used ${attempt}`));
  }
  return false;
};

test.for(['a.txt', 'new.txt'])(
  'a new file with number, size and time of a deleted one is sent: %s',
  async (name, { skip }) => {
    const desk = await watch();
    put({ 'a.txt': 'first content' });
    await expect.poll(names).toEqual(['a.txt']);
    await isIdle(desk);
    skip(!reuse(join(root, 'a.txt'), join(root, name), 'other content'), NOT_REUSED);
    await expect.poll(names).toEqual([name === 'a.txt' ? 'a (2).txt' : 'new.txt', 'a.txt'].sort());
  },
);

test('a new file with number, size and time of one that was not to be sent is sent', async ({ skip }) => {
  put({ 'old.txt': 'first content' });
  const desk = await watch({}, undefined, false);
  await isIdle(desk);
  skip(!reuse(join(root, 'old.txt'), join(root, 'new.txt'), 'other content'), NOT_REUSED);
  await expect.poll(names).toEqual(['new.txt']);
});

test('rights, links, backups and copies in place do not send a file twice', async () => {
  put({ 'old.txt': 'not to be sent' });
  const desk = await watch({}, undefined, false);
  const contents = { 'a.txt': 'file a', 'job/b.txt': 'file b', 'job/c.txt': 'file c' };
  put(contents);
  await expect.poll(names).toEqual(['a.txt', 'b.txt', 'c.txt']);
  await isIdle(desk);
  const uploads = (await batchesOf(desk)).length;
  chmodSync(join(root, 'a.txt'), 0o600);
  chmodSync(join(root, 'old.txt'), 0o600);
  linkSync(join(root, 'job/b.txt'), join(elsewhere, 'backup.txt'));
  rewrite(join(root, 'job/c.txt'), 'file c');
  // Replaces a file as a restored backup does: with a copy that has the same content and modification time.
  const copy = join(elsewhere, 'copy.txt');
  writeFileSync(copy, readFileSync(join(root, 'a.txt')));
  utimesSync(copy, BEFORE, BEFORE);
  renameSync(copy, join(root, 'a.txt'));
  await isScanned(desk, 'mark.txt');
  await isScanned(desk, 'another mark.txt');
  expect(await names()).toEqual(['a.txt', 'another mark.txt', 'b.txt', 'c.txt', 'mark.txt']);
  expect(await batchesOf(desk)).toHaveLength(uploads + 2);
  // The records of these files are up to date, so a later change is noticed.
  rewrite(join(root, 'job/c.txt'), 'FILE C');
  await expect.poll(names).toContain('c (2).txt');
});

test('a renamed file is not sent again, whatever its rights', async () => {
  const desk = await watch();
  put({ 'a.txt': 'file a' });
  await expect.poll(names).toEqual(['a.txt']);
  await isIdle(desk);
  mkdirSync(join(root, 'done'));
  renameSync(join(root, 'a.txt'), join(root, 'done/a.txt'));
  chmodSync(join(root, 'done/a.txt'), 0o600);
  await isScanned(desk, 'mark.txt');
  expect(await names()).toEqual(['a.txt', 'mark.txt']);
});

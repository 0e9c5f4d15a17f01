import { Dir, Dirent, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import {
  assertFolder,
  createQuickCalls,
  leftOutByName,
  type ScanListeners,
  type ScannedFile,
  type Source,
  scanFolder,
} from './scan.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'scan-test-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (...paths: readonly string[]) => {
  for (const path of paths) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), path);
  }
};
const all = async (groups: AsyncIterable<readonly ScannedFile[]>): Promise<readonly ScannedFile[]> => {
  const found: ScannedFile[] = [];
  for await (const files of groups) found.push(...files);
  return found;
};
describe.each([
  ['asynchronously', undefined],
  ['synchronously', createQuickCalls()],
])('%s', (_, call) => {
  const scanOf = (source: Source, signal?: AbortSignal, listeners?: ScanListeners) =>
    scanFolder(source, signal, { ...listeners, ...(call && { call }) });
  const scan = async (signal?: AbortSignal) => {
    const { files, leftOut } = scanOf({ root }, signal);
    return { files: await all(files), leftOut: leftOut() };
  };

  test('finds every file below the folder, in the same order each time, as it is on disk', async () => {
    write('b.txt', 'a/z.txt', 'a/b/c.txt', 'Z.txt', 'å.txt');
    const { files } = await scan();
    expect(files.map(({ path }) => path)).toEqual(['Z.txt', 'b.txt', 'å.txt', 'a/z.txt', 'a/b/c.txt']);
    expect(files[4]).toEqual({
      path: 'a/b/c.txt',
      sizeBytes: 9,
      modifiedMs: expect.any(Number),
      identity: expect.anything(),
    });
    expect((await scan()).files).toEqual(files);
  });

  test('B17: a folder is not called unreadable because what was found in it cannot be recorded', async () => {
    write('a.txt');
    const full = new DeskError('data/unwritable', 'no room');
    const onFolder = (): void => {
      throw full;
    };
    const { files, leftOut } = scanOf({ root }, undefined, { onFolder });
    await expect(all(files)).rejects.toBe(full);
    expect(leftOut().unreadable).toBe(0);
  });

  test('a file that a network drive lists twice is found once', async () => {
    write('a.txt', 'b.txt', 'deep/c.txt');
    const { readSync } = Dir.prototype;
    const repeated = new WeakMap<Dir, Dirent>();
    const readTwice = (folder: Dir): Dirent | null => {
      const again = repeated.get(folder);
      const entry = again ?? readSync.call(folder);
      if (again) repeated.delete(folder);
      else if (entry) repeated.set(folder, entry);
      return entry;
    };
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(Dir.prototype, 'readSync').mockImplementation(function (this: Dir) {
      return readTwice(this);
    });
    vi.spyOn(Dir.prototype, 'read').mockImplementation(async function (this: Dir) {
      return readTwice(this);
    });
    expect((await scan()).files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'deep/c.txt']);
  });

  test('leaves out and counts hidden files, system files and links, and does not enter hidden folders', async () => {
    write('a.txt', '.hidden', '.git/config', 'THUMBS.DB', 'Desktop.ini', '.DS_Store', '~$letter.docx', 'x/~$y');
    symlinkSync(join(root, 'a.txt'), join(root, 'link.txt'));
    symlinkSync(root, join(root, 'circle'));
    symlinkSync('/nowhere', join(root, 'broken'));
    const { files, leftOut } = await scan();
    expect(files.map(({ path }) => path)).toEqual(['a.txt']);
    expect(leftOut).toEqual({ hidden: 2, system: 5, links: 3, special: 0, unreadable: 0 });
  });

  test('leaves out the recycle bins of drives, and what systems and network storages keep beside the files', async () => {
    write(
      'a.txt',
      '$RECYCLE.BIN/S-1-5/$RJ4.jpg',
      'x/@eaDir/a.jpg/SYNOPHOTO_THUMB_XL.jpg',
      '#recycle/b.jpg',
      'ehthumbs.db',
    );
    write('System Volume Information/tracking.log', '__MACOSX/a.txt', 'Network Trash Folder/c.jpg', 'Recycle/d.jpg');
    const { files, leftOut } = await scan();
    expect(files.map(({ path }) => path)).toEqual(['a.txt', 'Recycle/d.jpg']);
    expect(leftOut).toEqual({ hidden: 0, system: 7, links: 0, special: 0, unreadable: 0 });
    // The name of a folder's icon on macOS. On Windows a file cannot have this name, so no such file is written.
    expect(leftOutByName('Icon\r')).toBe('system');
  });

  test('files and folders that Windows lists as links, as those of OneDrive, are what lstat says', async () => {
    write('photo.jpg', 'Site A/report.pdf', '.hidden');
    symlinkSync(join(root, 'photo.jpg'), join(root, 'link.jpg'));
    symlinkSync(root, join(root, 'circle'));
    vi.spyOn(Dirent.prototype, 'isFile').mockReturnValue(false);
    vi.spyOn(Dirent.prototype, 'isDirectory').mockReturnValue(false);
    vi.spyOn(Dirent.prototype, 'isSymbolicLink').mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const { files, leftOut } = await scan();
    expect(files.map(({ path }) => path)).toEqual(['photo.jpg', 'Site A/report.pdf']);
    expect(leftOut).toEqual({ hidden: 1, system: 0, links: 2, special: 0, unreadable: 0 });
  });

  test('a folder that disappears before its turn is counted', async () => {
    write('a/1.txt', 'b/2.txt', 'c/3.txt');
    const { files, leftOut } = scanOf({ root });
    expect((await files.next()).value).toMatchObject([{ path: 'a/1.txt' }]);
    rmSync(join(root, 'b'), { recursive: true });
    expect((await all(files)).map(({ path }) => path)).toEqual(['c/3.txt']);
    expect(leftOut().unreadable).toBe(1);
  });

  test('A4: a folder that becomes a link during the scan is not followed', async () => {
    write('root/a/1.txt', 'root/b/2.txt', 'outside/2.txt');
    const { files, leftOut } = scanOf({ root: join(root, 'root') });
    expect((await files.next()).value).toMatchObject([{ path: 'a/1.txt' }]);
    rmSync(join(root, 'root', 'b'), { recursive: true });
    symlinkSync(join(root, 'outside'), join(root, 'root', 'b'));
    expect(await all(files)).toEqual([]);
    expect(leftOut()).toMatchObject({ links: 1, unreadable: 0 });
  });

  test.each([
    ['directly', 'a/c/2.txt'],
    ['further', 'a/b/c/2.txt'],
    ['much further', 'a/b/c/d/2.txt'],
  ])('A4: folders %s below one that becomes a link during the scan are not followed', async (_, below) => {
    write('root/a/1.txt', `root/${below}`, `outside/${below}`, 'outside/a/b/1.txt');
    const folders = below.split('/').slice(0, -1);
    // Each folder contains a file, so that the scan yields, and can be paused, in each folder.
    folders.forEach((__, index) => void write(`root/${folders.slice(0, index + 1).join('/')}/1.txt`));
    const { files, leftOut } = scanOf({ root: join(root, 'root') });
    for (let level = 1; level < folders.length; level += 1) await files.next();
    renameSync(join(root, 'root', 'a'), join(root, 'away'));
    symlinkSync(join(root, 'outside', 'a'), join(root, 'root', 'a'));
    expect(await all(files)).toEqual([]);
    expect(leftOut()).toMatchObject({ links: 1, unreadable: 0 });
  });

  test('a chosen folder that is a link itself is scanned, with the folders in it', async () => {
    write('real/a/b/1.txt');
    symlinkSync(join(root, 'real'), join(root, 'chosen'));
    const { files, leftOut } = scanOf({ root: join(root, 'chosen') });
    expect((await all(files)).map(({ path }) => path)).toEqual(['a/b/1.txt']);
    expect(leftOut().links).toBe(0);
  });

  test('A4: a folder that became a link does not count as the chosen one', async () => {
    write('root/a.txt', 'outside/a.txt');
    const chosen = join(root, 'root');
    rmSync(chosen, { recursive: true });
    symlinkSync(join(root, 'outside'), chosen);
    await expect(assertFolder({ root: chosen, realRoot: chosen })).rejects.toMatchObject({
      code: 'upload/folder-replaced',
    });
    expect(await all(scanOf({ root: chosen, realRoot: chosen }).files)).toEqual([]);
  });

  test('stops with its signal', async () => {
    write('a.txt', 'b.txt');
    await expect(scan(AbortSignal.abort())).rejects.toThrow(/aborted/);
  });

  test('the root has to be a folder', async () => {
    write('a.txt');
    await expect(assertFolder({ root })).resolves.toMatchObject({ id: expect.any(String) });
    await expect(assertFolder({ root: join(root, 'a.txt') })).rejects.toMatchObject({ code: 'upload/not-a-folder' });
    await expect(assertFolder({ root: join(root, 'none') })).rejects.toMatchObject({
      code: 'upload/folder-missing',
      details: { path: join(root, 'none') },
    });
  });

  test('of some files of a folder, nothing else is scanned', async () => {
    write('a.txt', 'b.txt', 'c/a.txt');
    const found = [];
    for await (const group of scanOf({ root, only: ['b.txt', 'c', 'gone.txt'] }).files) found.push(...group);
    expect(found.map(({ path }) => path)).toEqual(['b.txt']);
  });

  test('of some files in an archive, nothing else is scanned; unopened, the archive is none of them', async () => {
    write('a.zip', 'b.zip', 'c.txt');
    const files = ['a.zip', '1.jpg', 'in/2.jpg', 'in/3.jpg'].map((path) => ({ path, sizeBytes: 1 }));
    const listArchive = async () => ({ files, leftOut: { hidden: 1, system: 0, links: 0 } });
    const source = { root, only: ['c.txt', 'a.zip//in/2.jpg', 'a.zip//a.zip'] };
    const { files: inside, leftOut } = scanOf(source, undefined, { listArchive });
    const found = (await all(inside)).map(({ path, isOpened }) => [path, isOpened]);
    expect(found).toEqual([
      ['c.txt', undefined],
      ['a.zip//a.zip', undefined],
      ['a.zip//in/2.jpg', undefined],
    ]);
    expect(leftOut().hidden).toBe(0);
    expect((await all(scanOf(source).files)).map(({ path }) => path)).toEqual(['c.txt']);
  });
});

/**
 * Makes `calls` calls one after another, and returns how each was made: `now` (synchronously) or `later`. `blockMs`:
 * the duration of a synchronous call; `restMs`: that of the work before each call.
 */
const waysOf = async (call: ReturnType<typeof createQuickCalls>, calls: number, blockMs: number, restMs = 0) => {
  const ways: string[] = [];
  const block = (ms: number): void => {
    for (const beganMs = performance.now(); performance.now() - beganMs < ms; );
  };
  const now = () => {
    block(blockMs);
    return 'now';
  };
  for (let at = 0; at < calls; at += 1) {
    block(restMs);
    ways.push(await call(now, () => setImmediate('later')));
  }
  return ways;
};

test('a drive is called synchronously only while it is fast', async () => {
  const ways = await waysOf(createQuickCalls(), 104, 0.2);
  expect(ways).toEqual([...Array(3).fill('now'), ...Array(100).fill('later'), 'now']);
});

test('synchronous calls give other work of the thread its turns', async () => {
  let turns = 0;
  const turn = setInterval(() => (turns += 1), 1);
  onTestFinished(() => clearInterval(turn));
  await waysOf(createQuickCalls(), 200, 0, 1);
  expect(turns).toBeGreaterThan(10);
});

test('the files of a large folder come by name', async () => {
  const names = Array.from({ length: 12_000 }, (_, index) => `${String((index * 7919) % 12_000).padStart(5, '0')}.jpg`);
  for (const name of names) writeFileSync(join(root, name), '');
  const found = (await all(scanFolder({ root }).files)).map(({ path }) => path);
  expect(found.length).toBe(12_000);
  expect(found.every((path, index) => index === 0 || (found[index - 1] ?? '') < path)).toBe(true);
});

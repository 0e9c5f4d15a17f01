/**
 * Files that were replaced since the scan, by links, pipes or other files, and files that other programs have locked.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  type BigIntStats,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as files from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { differenceFrom, type Expected, factsOf, folderIdentityOf, isOneFile, isSameFolder } from './file-identity.ts';
import { openInPlace, openPatiently } from './open-file.ts';
import { isBelow, plainPath, readFlags } from './paths.ts';
import { readAtOnce } from './read-worker.ts';
import { createTestOpen } from './testing/hasher.ts';

const onPosix = test.skipIf(process.platform === 'win32');
const open = createTestOpen();

let root: string;
let outside: string;
let victim: string;
let expected: Expected;
beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'in-place-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  root = join(folder, 'root');
  outside = join(folder, 'outside');
  victim = join(root, 'in', 'victim.txt');
  // Both files have the same name, size and time. Only their path and identity distinguish them.
  for (const place of [join(root, 'in'), outside]) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'victim.txt'), place === outside ? 'secret' : 'honest');
    utimesSync(join(place, 'victim.txt'), 1_000, 1_000);
  }
  expected = { ...factsOf(lstatSync(victim, { bigint: true })), within: root };
});

/** Reads `victim` with `open` and with `readAtOnce`. Returns the two results: the content, or why it was not read. */
const readBoth = async (of: Expected = expected) => {
  const patiently = await open(victim, of).then(
    ({ whole }) => whole?.toString(),
    (error) => error.code,
  );
  const atOnce = readAtOnce({ path: victim, expected: of });
  return [patiently, atOnce && Buffer.from(atOnce.whole).toString()];
};

test('A4: a file in its place is read', async () => {
  expect(await readBoth()).toEqual(['honest', 'honest']);
});

onPosix('A4: a link in the place of the file is not followed, wherever it leads', async () => {
  for (const target of [join(outside, 'victim.txt'), join(root, 'in', 'other.txt')]) {
    renameSync(victim, join(root, 'in', 'other.txt'));
    symlinkSync(target, victim);
    expect(await readBoth()).toEqual(['upload/file-linked', undefined]);
    expect(await readBoth({ ...expected, identity: undefined, within: undefined })).toEqual([
      'upload/file-linked',
      undefined,
    ]);
    renameSync(join(root, 'in', 'other.txt'), victim);
  }
});

onPosix('A4: nothing is read through a link in the place of the folder, also where nothing else tells it', async () => {
  rmSync(join(root, 'in'), { recursive: true });
  symlinkSync(outside, join(root, 'in'));
  const { sizeBytes, modifiedMs } = expected;
  expect(await readBoth({ sizeBytes, modifiedMs, within: root })).toEqual(['upload/file-linked', undefined]);
});

onPosix('A4: nothing is read through a link in the place of the chosen folder itself', async () => {
  mkdirSync(join(outside, 'in'));
  renameSync(join(outside, 'victim.txt'), join(outside, 'in', 'victim.txt'));
  rmSync(root, { recursive: true });
  symlinkSync(outside, root);
  expect(await readBoth()).toEqual(['upload/file-linked', undefined]);
});

describe('A4: on a system that does not reveal the path of an open file', () => {
  const nowhere = () => undefined;
  const readThere = async (of: Expected) => {
    const patiently = await openInPlace(victim, root, undefined, nowhere).then(
      (handle) => handle.close().then(() => 'open'),
      (error) => error.code,
    );
    return [patiently, readAtOnce({ path: victim, expected: of }, nowhere) !== undefined];
  };

  test('a file in its place is read', async () => {
    expect(await readThere(expected)).toEqual(['open', true]);
  });

  onPosix('nothing is read through a link in the place of the folder', async () => {
    rmSync(join(root, 'in'), { recursive: true });
    symlinkSync(outside, join(root, 'in'));
    const { sizeBytes, modifiedMs } = expected;
    expect(await readThere({ sizeBytes, modifiedMs, within: root })).toEqual(['upload/file-linked', false]);
  });
});

test('A4: another file of the same name, size and time has changed', async () => {
  rmSync(victim);
  linkSync(join(outside, 'victim.txt'), victim);
  expect(await readBoth()).toEqual(['upload/file-changed', undefined]);
});

describe('A4: a file is the same', () => {
  test.each([
    ['where only its rights or its name changed', { changedMs: 9 }, undefined],
    ['on a drive that renumbers its files, or was mounted again', { id: '3-44' }, undefined],
    ['but not where another one took its place', { id: '1-8', changedMs: 9 }, 'another file took its place'],
  ])('%s', (_, changed, difference) => {
    const found = lstatSync(victim, { bigint: true });
    const facts = factsOf(found);
    expect(differenceFrom({ ...facts, identity: { ...facts.identity, ...changed } }, found)).toBe(difference);
  });

  test('by numbers that a double cannot hold, and by its times as Node has them', () => {
    const stats = lstatSync(victim, { bigint: true });
    const one = factsOf({ ...stats, ino: 2n ** 60n + 1n });
    const other = factsOf({ ...stats, ino: 2n ** 60n + 2n });
    expect(one.identity.id).not.toBe(other.identity.id);
    const { size, mtimeMs, ctimeMs } = lstatSync(victim);
    expect(one).toMatchObject({ sizeBytes: size, modifiedMs: mtimeMs, identity: { changedMs: ctimeMs } });
  });

  test.each([-1_500_000_001n, -1n, 0n, 1n, 1_795_310_451_750_891_612n])('at %i ns', (mtimeNs) => {
    const seconds = mtimeNs / 1_000_000_000n - (mtimeNs % 1_000_000_000n < 0n ? 1n : 0n);
    const found = factsOf({ ...lstatSync(victim, { bigint: true }), mtimeNs });
    expect(found.modifiedMs).toBe(Number(seconds) * 1000 + Number(mtimeNs - seconds * 1_000_000_000n) / 1e6);
  });
});

describe('A5: a path that is no longer a file is neither read nor awaited', () => {
  onPosix('a pipe without a writer', async () => {
    rmSync(victim);
    execFileSync('mkfifo', [victim]);
    expect(await readBoth()).toEqual(['upload/file-changed', undefined]);
  });

  onPosix('a socket', async () => {
    rmSync(victim);
    const server = createServer().listen(victim);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    expect(await readBoth()).toEqual(['upload/file-changed', undefined]);
  });

  test('a folder', async () => {
    rmSync(victim);
    mkdirSync(victim);
    expect(await readBoth()).toEqual(['upload/file-changed', undefined]);
  });
});

describe('A4: on Windows, which has no such flags', () => {
  test('a file is opened for reading', () => {
    expect(readFlags({ O_RDONLY: 0 })).toBe(0);
    expect(readFlags({ O_RDONLY: 0, O_NOFOLLOW: 4, O_NONBLOCK: 8, O_NOCTTY: 16 })).toBe(28);
  });

  test('places are compared without the prefix that takes a path as it is', () => {
    expect(plainPath('\\\\?\\C:\\Documents\\a')).toBe('C:\\Documents\\a');
    expect(plainPath('\\\\?\\UNC\\server\\share\\a')).toBe('\\\\server\\share\\a');
    expect(plainPath('/Documents/a')).toBe('/Documents/a');
    expect(isBelow('C:\\Documents', 'C:\\Documents\\a', win32)).toBe(true);
    expect(isBelow('C:\\', 'C:\\a', win32)).toBe(true);
    expect(isBelow('C:\\Documents', 'C:\\Documents of others\\a', win32)).toBe(false);
  });

  onPosix('what was opened has to be what lies at the place, which is no link', () => {
    symlinkSync(victim, join(root, 'link'));
    const at = (path: string) => lstatSync(path, { bigint: true });
    expect(isOneFile(at(victim), at(victim))).toBe(true);
    expect(isOneFile(at(victim), at(join(outside, 'victim.txt')))).toBe(false);
    expect(isOneFile(at(join(root, 'link')), at(join(root, 'link')))).toBe(false);
  });
});

test('B2: a folder is the same by its number or its age; on Windows these are the file id and the creation time', () => {
  // Facts as on Windows: the serial number of the volume, and a file id with more digits than a double can hold.
  const stats = { dev: 3_735_928_559n, ino: 18_446_744_073_709_551_615n, birthtimeNs: 1_700_000_000_123_456_700n };
  const folder = folderIdentityOf(stats as BigIntStats);
  expect(folder.id).toBe('3735928559-18446744073709551615');
  const other = (changes: Partial<typeof stats>) => folderIdentityOf({ ...stats, ...changes } as BigIntStats);
  expect(isSameFolder(folder, other({ birthtimeNs: 1n }))).toBe(true);
  expect(isSameFolder(folder, other({ dev: 7n }))).toBe(true);
  expect(isSameFolder(folder, other({ ino: 18_446_744_073_709_551_614n, birthtimeNs: 1n }))).toBe(false);
});

const here = fileURLToPath(import.meta.url);

/** Creates a disk on which another program locks the file for `times` attempts. */
const held = (times: number, code: string) => {
  let tries = 0;
  const openFile: typeof files.open = async (path, flags) => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error('held'), { code });
    return files.open(path, flags);
  };
  return { openFile, tries: () => tries };
};

test.each(['EBUSY', 'EPERM', 'EAGAIN'])(
  'a file that is locked (%s) for a moment is opened afterwards',
  async (code) => {
    const disk = held(2, code);
    const handle = await openPatiently(here, disk.openFile);
    expect((await handle.stat()).isFile()).toBe(true);
    await handle.close();
    expect(disk.tries()).toBe(3);
  },
);

test('a file that stays locked fails as locked', async () => {
  const disk = held(100, 'EBUSY');
  const locked = { code: 'upload/file-locked', details: { cause: 'EBUSY' } };
  await expect(openPatiently(here, disk.openFile)).rejects.toMatchObject(locked);
  expect(disk.tries()).toBe(4);
});

test('access that stays denied is not the lock of another program', async () => {
  const disk = held(100, 'EPERM');
  const denied = { code: 'upload/file-unreadable', details: { cause: 'EPERM' } };
  await expect(openPatiently(here, disk.openFile)).rejects.toMatchObject(denied);
  expect(disk.tries()).toBe(4);
});

test.each([
  ['ENOENT', 'upload/file-missing'],
  ['ENOTDIR', 'upload/file-missing'],
  ['EACCES', 'upload/file-unreadable'],
  ['EIO', 'upload/file-unreadable'],
])('a file that cannot be opened because of %s is not retried', async (cause, code) => {
  const disk = held(100, cause);
  await expect(openPatiently(here, disk.openFile)).rejects.toMatchObject({ code });
  expect(disk.tries()).toBe(1);
});

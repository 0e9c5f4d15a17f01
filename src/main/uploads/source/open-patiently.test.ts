import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openPatiently } from './open-patiently.ts';

const here = fileURLToPath(import.meta.url);

/** A disk on which another program locks the file for `times` attempts. */
const held = (times: number, code: string) => {
  let tries = 0;
  const openFile: typeof open = async (path, flags) => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error('held'), { code });
    return open(path, flags);
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

import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cleanStaging, createStaging } from './run-preview.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'staging-'));
});
afterEach(() => rm(root, { recursive: true }));

const body = (text: string) => new Response(text).body;

test('stores folders as they were sent', async () => {
  const staging = createStaging(root);
  const id = await staging.open();
  await staging.add(id, 'Photos/floor 1/å.jpg', body('jpeg'));
  await staging.add(id, 'Photos/empty.txt', null);
  await staging.add(id, 'Reports/a.pdf', body('pdf'));
  const folders = await staging.folders(id);
  expect([...folders].sort()).toEqual([join(root, id, 'Photos'), join(root, id, 'Reports')]);
  expect(await readFile(join(root, id, 'Photos', 'floor 1', 'å.jpg'), 'utf8')).toBe('jpeg');
  expect(await readFile(join(root, id, 'Photos', 'empty.txt'), 'utf8')).toBe('');
});

test.skipIf(process.platform === 'win32')('accepts names that only Windows does not allow', async () => {
  const staging = createStaging(root);
  const id = await staging.open();
  await staging.add(id, 'Photos/10:30 \\ roof.jpg', body('jpeg'));
  expect(await readdir(join(root, id, 'Photos'))).toEqual(['10:30 \\ roof.jpg']);
});

test.each([
  '',
  'file without a folder.txt',
  '/etc/passwd',
  'Photos/../../etc/passwd',
  'Photos/./a.txt',
  'Photos//a.txt',
  'Photos/',
  ...(process.platform === 'win32' ? ['..\\a/b.txt', 'C:/Windows/a.txt'] : []),
  'Photos/a\0.txt',
])('refuses the path %j', async (path) => {
  const staging = createStaging(root);
  const id = await staging.open();
  await expect(staging.add(id, path, body('x'))).rejects.toMatchObject({ code: 'input/invalid' });
  expect(await readdir(join(root, id))).toEqual([]);
});

/** Creates a stream that never ends. */
const endless = () =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1000)),
  });

test('A16: refuses files, folders and numbers of files beyond its limits', async () => {
  const staging = createStaging(root, { fileBytes: 2000, totalBytes: 3000, files: 3 });
  const id = await staging.open();
  const refused = (limit: string) => ({ code: 'preview/too-large', details: { limit } });
  await expect(staging.add(id, 'Photos/endless.jpg', endless())).rejects.toMatchObject(refused('fileSize'));
  await staging.add(id, 'Photos/a.jpg', body('x'.repeat(2000)));
  await expect(staging.add(id, 'Photos/b.jpg', body('x'.repeat(1001)))).rejects.toMatchObject(refused('totalSize'));
  expect(await readdir(join(root, id, 'Photos'))).toEqual(['a.jpg']);
  await staging.add(id, 'Photos/c.jpg', body('x'.repeat(1000)));
  await staging.add(await staging.open(), 'Photos/d.jpg', body(''));
  await expect(staging.add(id, 'Photos/e.jpg', body(''))).rejects.toMatchObject(refused('fileCount'));
});

test('A16: removes a file that the browser stopped sending', async () => {
  const staging = createStaging(root);
  const id = await staging.open();
  const cut = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('gone')),
  });
  await expect(staging.add(id, 'Photos/a.jpg', cut)).rejects.toMatchObject({ code: 'data/unwritable' });
  await staging.add(id, 'Photos/a.jpg', body('jpeg'));
  expect(await readFile(join(root, id, 'Photos', 'a.jpg'), 'utf8')).toBe('jpeg');
});

test.each(['Photos/a.jpg', 'Photos/a.jpg/b.jpg', `Photos/${'x'.repeat(300)}`])(
  'A16: refuses the name %s, which no other file can have',
  async (path) => {
    const staging = createStaging(root);
    const id = await staging.open();
    await staging.add(id, 'Photos/a.jpg', body('jpeg'));
    await expect(staging.add(id, path, body('x'))).rejects.toMatchObject({ code: 'input/invalid' });
    expect(await readFile(join(root, id, 'Photos', 'a.jpg'), 'utf8')).toBe('jpeg');
  },
);

test('accepts only ids that it has issued', async () => {
  const staging = createStaging(root);
  await expect(staging.add('..', 'Photos/a.txt', body('x'))).rejects.toMatchObject({ code: 'input/invalid' });
  await expect(staging.folders('nothing')).rejects.toMatchObject({ code: 'input/invalid' });
});

test('removes copies that are a day old and no longer needed', async () => {
  const staging = createStaging(root);
  const [needed, old, fresh] = [await staging.open(), await staging.open(), await staging.open()];
  for (const id of [needed, old, fresh]) await staging.add(id, 'Photos/a.jpg', body('jpeg'));
  const nowMs = Date.now();
  for (const id of [needed, old]) await utimes(join(root, id), 0, (nowMs - 25 * 3_600_000) / 1000);
  await cleanStaging(root, [join(root, needed, 'Photos')], nowMs);
  expect((await readdir(root)).sort()).toEqual([needed, fresh].sort());
  await cleanStaging(join(root, 'not there'), [], nowMs);
});

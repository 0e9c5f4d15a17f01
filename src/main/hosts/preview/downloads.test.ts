import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDownloads } from './downloads.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'downloads-'));
});
afterEach(() => rm(root, { recursive: true }));

test('hands out a file once, and then removes it', async () => {
  const downloads = createDownloads(root);
  const path = await downloads.place('Protocols å.csv');
  await writeFile(path, 'City');
  const id = downloads.offer(path);
  const taken = await downloads.take(id);
  expect(taken?.name).toBe('Protocols å.csv');
  expect(Buffer.from(taken?.bytes ?? []).toString()).toBe('City');
  expect(await downloads.take(id)).toBeUndefined();
  expect(await readdir(root)).toEqual([]);
});

test('hands out only what was offered', async () => {
  const downloads = createDownloads(root);
  await writeFile(await downloads.place('secret.csv'), 'x');
  for (const id of ['', '..', 'secret.csv', ...(await readdir(root))]) expect(await downloads.take(id)).toBeUndefined();
});

test('stays below its root, whatever the name is', async () => {
  expect((await createDownloads(root).place('../../x.csv')).startsWith(root)).toBe(true);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolders } from './drafts.ts';

const drop = async (...names: readonly string[]) => {
  const root = mkdtempSync(join(tmpdir(), 'dropped-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['photos', 'plans']) {
    mkdirSync(join(root, folder));
    for (const file of ['a.jpg', 'b.jpg']) writeFileSync(join(root, folder, file), '');
  }
  const { adoptPaths, sourceOf } = createFolders({ home: '/home' });
  const folders = await adoptPaths(names.map((name) => join(root, name)));
  return folders.map(({ folderId, name }) => {
    const source = sourceOf(folderId);
    return { ...source, root: source.root.slice(root.length + 1), name };
  });
};

test('adopts a folder as a whole, and files together with others of the same folder', async () => {
  expect(await drop('photos/b.jpg', 'plans', 'photos/a.jpg', 'plans/a.jpg')).toEqual([
    { root: 'photos', only: ['b.jpg', 'a.jpg'], name: 'photos' },
    { root: 'plans', name: 'plans' },
    { root: 'plans', only: ['a.jpg'], name: 'a.jpg' },
  ]);
});

test('a drive, which has no name, is called by its path', () => {
  const { root } = parse(process.cwd());
  expect(createFolders({ home: '/home' }).adopt({ root }).name).toBe(root);
});

test('reports what no longer exists', async () => {
  await expect(drop('photos', 'gone.jpg')).rejects.toMatchObject({ code: 'upload/file-missing' });
});

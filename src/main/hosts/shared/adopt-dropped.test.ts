import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../../uploads/source/scan.ts';
import { adoptDropped } from './adopt-dropped.ts';

const drop = async (...names: readonly string[]) => {
  const root = mkdtempSync(join(tmpdir(), 'dropped-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ['photos', 'plans']) {
    mkdirSync(join(root, folder));
    for (const file of ['a.jpg', 'b.jpg']) writeFileSync(join(root, folder, file), '');
  }
  const adopted: Source[] = [];
  const adopt = (source: Source) => {
    adopted.push({ ...source, root: source.root.slice(root.length + 1) });
    return { folderId: String(adopted.length), name: '' };
  };
  const folders = await adoptDropped(
    adopt,
    names.map((name) => join(root, name)),
  );
  expect(folders).toHaveLength(adopted.length);
  return adopted;
};

test('adopts a folder as a whole, and files together with others of the same folder', async () => {
  expect(await drop('photos/b.jpg', 'plans', 'photos/a.jpg', 'plans/a.jpg')).toEqual([
    { root: 'photos', only: ['b.jpg', 'a.jpg'] },
    { root: 'plans' },
    { root: 'plans', only: ['a.jpg'] },
  ]);
});

test('reports what no longer exists', async () => {
  await expect(drop('photos', 'gone.jpg')).rejects.toMatchObject({ code: 'upload/file-missing' });
});

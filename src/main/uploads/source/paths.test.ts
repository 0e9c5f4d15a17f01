import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { chosenFolderOf, driveOf, localPath, splitInner } from './paths.ts';

const deep = Array.from({ length: 30 }, (_, index) => `a folder ${index}`).join('/');

test.each([
  ['C:\\Documents', 'a/b.txt', '\\\\?\\C:\\Documents\\a\\b.txt'],
  ['C:\\Documents', `${deep}/b.txt`, `\\\\?\\C:\\Documents\\${deep.replaceAll('/', '\\')}\\b.txt`],
  ['\\\\server\\share\\docs', 'a/b.txt', '\\\\?\\UNC\\server\\share\\docs\\a\\b.txt'],
  ['\\\\?\\C:\\Documents', 'a.txt', '\\\\?\\C:\\Documents\\a.txt'],
  ['C:\\Documents', 'a/b.zip//in/c.txt', '\\\\?\\C:\\Documents\\a\\b.zip//in/c.txt'],
])('on Windows %s and %s', (root, path, full) => expect(localPath(root, path, win32)).toBe(full));

test('elsewhere as it is', () => expect(localPath('/docs', 'a\\b/c.txt', posix)).toBe('/docs/a\\b/c.txt'));

test('a file in an archive has the path of the archive and its own', () => {
  expect(localPath('/docs', 'a/b.zip//in/c.txt', posix)).toBe('/docs/a/b.zip//in/c.txt');
  expect(splitInner('/docs/a/b.zip//in/c.txt')).toEqual({ archive: '/docs/a/b.zip', inner: 'in/c.txt' });
  expect(splitInner('//server/share/a.txt')).toBeUndefined();
  expect(chosenFolderOf({ root: '/docs', path: 'b.zip//c.txt' })).toBe('docs/b.zip');
  expect(chosenFolderOf({ root: '/docs', path: 'b.zip//in/c.txt' })).toBe('docs/b.zip › in');
});

test.each([
  [win32, 'Z:\\jobs\\one', 'z:\\'],
  [win32, '\\\\Server\\share\\jobs', '\\\\server\\share\\'],
  [posix, '/Volumes/Jobs/one/two', '/Volumes/Jobs'],
  [posix, '/jobs', '/jobs'],
])('the drive of a folder, case %#', (system, path, drive) => expect(driveOf(path, system)).toBe(drive));

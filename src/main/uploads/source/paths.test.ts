import { posix, win32 } from 'node:path';
import { expect, test } from 'vitest';
import { localPath } from './paths.ts';

const deep = Array.from({ length: 30 }, (_, index) => `a folder ${index}`).join('/');

test.each([
  ['C:\\Documents', 'a/b.txt', '\\\\?\\C:\\Documents\\a\\b.txt'],
  ['C:\\Documents', `${deep}/b.txt`, `\\\\?\\C:\\Documents\\${deep.replaceAll('/', '\\')}\\b.txt`],
  ['\\\\server\\share\\docs', 'a/b.txt', '\\\\?\\UNC\\server\\share\\docs\\a\\b.txt'],
  ['\\\\?\\C:\\Documents', 'a.txt', '\\\\?\\C:\\Documents\\a.txt'],
])('on Windows %s and %s', (root, path, full) => expect(localPath(root, path, win32)).toBe(full));

test('elsewhere as it is', () => expect(localPath('/docs', 'a\\b/c.txt', posix)).toBe('/docs/a\\b/c.txt'));

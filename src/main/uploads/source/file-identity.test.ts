import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isCloudOnlyAt } from './file-identity.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloud-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fileOf = (content: string, sizeBytes = content.length): string => {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  truncateSync(path, sizeBytes);
  return path;
};

test('a file with a size that occupies nothing is in the cloud, on Windows and macOS', async () => {
  const path = fileOf('', 1_000_000);
  expect(await isCloudOnlyAt(path, 'win32')).toBe(true);
  expect(await isCloudOnlyAt(path, 'darwin')).toBe(true);
  expect(await isCloudOnlyAt(path, 'linux')).toBe(false);
});

test('a file of up to 64 KiB that macOS has compressed is not', async () => {
  expect(await isCloudOnlyAt(fileOf('', 65_536), 'darwin')).toBe(false);
});

test.each([
  ['a file that is here', 'x'.repeat(100_000)],
  ['a small file, which may be kept in the table of the drive', 'x'],
  ['an empty file', ''],
])('%s is not', async (_, content) => {
  expect(await isCloudOnlyAt(fileOf(content), 'win32')).toBe(false);
  expect(await isCloudOnlyAt(fileOf(content), 'darwin')).toBe(false);
});

test('a file that is gone is not', async () => {
  expect(await isCloudOnlyAt(join(folder, 'gone'), 'win32')).toBe(false);
});

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCacheFolder } from './cache-folder.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('takes over the offline data of an earlier version, with its log, and drops its browser files', () => {
  for (const name of ['cache.sqlite', 'cache.sqlite-wal', 'files.sqlite', 'ledger.sqlite'])
    writeFileSync(join(home, name), name);
  mkdirSync(join(home, 'browser'));
  writeFileSync(join(home, 'browser', 'Cookies'), '');
  const { folder, offlineData } = openCacheFolder(home);
  expect(readFileSync(offlineData, 'utf8')).toBe('cache.sqlite');
  expect(readdirSync(folder).sort()).toEqual(['cache.sqlite', 'cache.sqlite-wal', 'files.sqlite']);
  expect(readdirSync(home).sort()).toEqual(['cache', 'ledger.sqlite']);
});

test('goes on where it was interrupted, and keeps what is there', () => {
  mkdirSync(join(home, 'cache'));
  writeFileSync(join(home, 'cache', 'cache.sqlite-wal'), 'moved before');
  writeFileSync(join(home, 'cache.sqlite'), 'left behind');
  const { offlineData } = openCacheFolder(home);
  expect(readFileSync(offlineData, 'utf8')).toBe('left behind');
  rmSync(join(home, 'cache', 'cache.sqlite-wal'));
  for (const name of ['cache.sqlite', 'cache.sqlite-wal'])
    writeFileSync(join(home, name), 'of an earlier version that was used again');
  const { folder } = openCacheFolder(home);
  expect(readdirSync(folder)).toEqual(['cache.sqlite']);
  expect(readFileSync(offlineData, 'utf8')).toBe('left behind');
});

test('names the folder if it cannot be made', () => {
  writeFileSync(join(home, 'cache'), 'a file');
  expect(() => openCacheFolder(home)).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
  expect(existsSync(join(home, 'cache'))).toBe(true);
});

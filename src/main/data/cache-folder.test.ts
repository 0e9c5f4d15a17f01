import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCacheFolder } from './cache-folder.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

test('names the folder if it cannot be made', () => {
  writeFileSync(join(home, 'cache'), 'a file');
  expect(() => openCacheFolder(home)).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
  expect(existsSync(join(home, 'cache'))).toBe(true);
});

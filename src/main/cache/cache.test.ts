import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProtocolTableQuery } from '../../contract/offline.ts';
import { openCache } from './cache.ts';

const HEADER_BYTES = 100;

test('a page that is damaged while the app runs is named as what it is', () => {
  const home = mkdtempSync(join(tmpdir(), 'cache-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = join(home, 'cache.sqlite');
  openCache(path).cache.close();
  const { cache } = openCache(path);
  onTestFinished(() => cache.close());
  const content = readFileSync(path);
  content.fill(0xff, HEADER_BYTES);
  writeFileSync(path, content, { flag: 'r+' });
  const damaged = expect.objectContaining({ code: 'data/corrupt' });
  expect(() => cache.table('c', ProtocolTableQuery.parse({}))).toThrow(damaged);
  expect(() => cache.passes.get('c')).toThrow(damaged);
});

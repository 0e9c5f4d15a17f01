import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { DeskError } from '../../contract/errors.ts';
import { ProtocolTableQuery } from '../../contract/protocols.ts';
import { openCache } from './cache.ts';

const HEADER_BYTES = 100;

/** Where a cache can be, in a folder that is removed when the test has ended. */
const newPath = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'cache-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return join(home, 'cache.sqlite');
};

/** A cache at 5 ms after 1970, and what it reports. */
const openWatched = (path: string) => {
  const notices: DeskError[] = [];
  const cache = openCache(path, { onNotice: (notice) => notices.push(notice), now: () => 5 });
  onTestFinished(() => cache.close());
  return { cache, notices };
};

/** Another program writes `statement`. */
const damage = (path: string, statement: string): void => {
  const other = new DatabaseSync(path);
  other.exec(statement);
  other.close();
};

test('A3: a cache that is damaged while the app runs is moved aside, reported, and rebuilt', () => {
  const path = newPath();
  openCache(path).close();
  const { cache, notices } = openWatched(path);
  const content = readFileSync(path);
  content.fill(0xff, HEADER_BYTES);
  writeFileSync(path, content, { flag: 'r+' });
  expect(cache.protocolTable('c', ProtocolTableQuery.parse({}))).toMatchObject({ Items: [], cached: 0 });
  expect(notices).toMatchObject([{ code: 'data/moved-aside', details: { file: `${path}.damaged-5` } }]);
  cache.beginPass('c');
  expect(cache.passProgress('c')).toMatchObject({ running: true, seen: 0 });
});

test('A3: a long write that meets the damage is repeated in the new cache', async () => {
  const path = newPath();
  const { cache, notices } = openWatched(path);
  cache.beginPass('c');
  damage(path, 'UPDATE connection SET pass = 1 << 62');
  await cache.putAnswer(cache.beginRequest('c'), 'events', {
    value: ['x'],
    unreadable: 0,
    source: 'service',
    fetchedAtMs: 1,
  });
  await cache.putAnswer(cache.beginRequest('c'), 'points/a', {
    value: [],
    unreadable: 0,
    source: 'service',
    fetchedAtMs: 1,
  });
  expect(await cache.answer('c', 'points/a', z.array(z.string()))).toMatchObject({ value: [] });
  expect(notices).toMatchObject([{ code: 'data/moved-aside' }]);
});

test('A3: a value that cannot be read replaces the cache, even within a series of calls', async () => {
  const path = newPath();
  const { cache, notices } = openWatched(path);
  cache.beginPass('c');
  damage(path, 'UPDATE keep_all SET total = 1 << 62');
  const read = cache.together(() => {
    cache.putPlanAfter(cache.beginRequest('c'), { AssignmentId: 'a', PlanAfter: 1 }, 1);
    return cache.pass('c');
  });
  expect(read).toMatchObject({ running: false, total: 0 });
  expect(notices).toMatchObject([{ code: 'data/moved-aside' }]);
});

test('A3: discards and reports impossible progress, and keeps the rest of the cache', () => {
  const path = newPath();
  const first = openCache(path);
  first.beginPass('c');
  first.putPlanAfter(first.beginRequest('c'), { AssignmentId: 'a', PlanAfter: 1 }, 1);
  first.close();
  for (const total of ['4503599627370496', '1 << 62', '-1']) {
    damage(path, `INSERT OR REPLACE INTO keep_all VALUES (1, 1, NULL, 1, 0, ${total}, NULL, 0)`);
    const notices: DeskError[] = [];
    const cache = openCache(path, { onNotice: (notice) => notices.push(notice) });
    expect(notices).toMatchObject([{ code: 'data/left-out' }]);
    expect(cache.pass('c')).toMatchObject({ running: false, total: 0 });
    cache.close();
  }
});

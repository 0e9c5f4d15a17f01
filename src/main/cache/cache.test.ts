import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { DeskError } from '../../contract/errors.ts';
import { ProtocolTableQuery } from '../../contract/protocols.ts';
import { openCache } from './cache.ts';

const HEADER_BYTES = 100;

const newPath = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'cache-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return join(home, 'cache.sqlite');
};

/** Opens a cache whose clock shows 5 ms after 1970, and collects its notices. */
const openWatched = (path: string) => {
  const notices: DeskError[] = [];
  const cache = openCache(path, { onNotice: (notice) => notices.push(notice), now: () => 5 });
  onTestFinished(() => cache.close());
  return { cache, notices };
};

const damage = (path: string, statement: string): void => {
  const other = new DatabaseSync(path);
  other.exec(statement);
  other.close();
};

test('a damaged cache that could not be replaced at first is replaced by the next call', () => {
  const path = newPath();
  openCache(path).close();
  let blocks = true;
  const cache = openCache(path, {
    // Called after earlier damaged files were removed, and before this file is moved aside.
    now: () => {
      if (blocks) mkdirSync(`${path}.damaged-5/in the way`, { recursive: true });
      return 5;
    },
  });
  onTestFinished(() => cache.close());
  const content = readFileSync(path).fill(0xff, HEADER_BYTES);
  writeFileSync(path, content, { flag: 'r+' });
  const table = () => cache.protocolTable('c', ProtocolTableQuery.parse({}));
  expect(table).toThrow(expect.objectContaining({ code: 'data/unwritable' }));
  blocks = false;
  expect(table()).toMatchObject({ Items: [], cached: 0 });
});

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
  await cache.putResponse(cache.beginRequest('c'), 'events', {
    value: ['x'],
    unreadable: 0,
    source: 'service',
    fetchedAtMs: 1,
  });
  await cache.putResponse(cache.beginRequest('c'), 'points/a', {
    value: [],
    unreadable: 0,
    source: 'service',
    fetchedAtMs: 1,
  });
  expect(await cache.response('c', 'points/a', z.array(z.string()))).toMatchObject({ value: [] });
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

test('A3: a cache that was moved aside is removed by the next one, and when the offline data is cleared', () => {
  const path = newPath();
  writeFileSync(path, 'Anna Berg, Storgatan 4');
  writeFileSync(`${path}.damaged-4`, 'Anna Berg, Storgatan 4');
  writeFileSync(`${path}.copy`, 'of somebody else');
  const files = () => readdirSync(dirname(path)).filter((name) => !/-(wal|shm)$/.test(name));
  const { cache, notices } = openWatched(path);
  expect(notices).toMatchObject([{ code: 'data/moved-aside', details: { file: `${path}.damaged-5` } }]);
  expect(files()).toEqual(['cache.sqlite', 'cache.sqlite.copy', 'cache.sqlite.damaged-5']);
  cache.clear();
  expect(files()).toEqual(['cache.sqlite.copy']);
});

test.each([1, 1_000])(
  'nothing of %d protocols of each connection is left in the files once the offline data was cleared',
  async (count) => {
    const path = newPath();
    const { cache } = openWatched(path);
    const store = async (connectionId: string, word: string): Promise<void> => {
      const begun = cache.beginRequest(connectionId);
      const ids = Array.from({ length: count }, (_, index) => `${word}-${index}`);
      const place = { Address: `${word} Street`, City: word, FacilityId: word };
      const protocols = ids.map((id) => ({
        ...place,
        ZipCode: word,
        InspectionDate: 1,
        Points: 0,
        InspectionProtocolId: id,
      }));
      const others = { AssignmentStatus: 'Planned', FirstName: word, LastName: word, Performer: word, StartTime: 1 };
      const assignments = ids.map((id) => ({ ...place, ...others, AssignmentId: id }));
      const frame = { Count: count, TotalCount: count, CurrentPage: 1 };
      await cache.putProtocols(begun, { Items: protocols, ...frame }, {}, 1);
      const value = { Items: assignments, ...frame };
      await cache.putResponse(begun, `assignments/${word}`, {
        value,
        unreadable: 0,
        source: 'service',
        fetchedAtMs: 1,
      });
      await cache.makeRoom();
    };
    const connections = ['left', 'present'];
    for (const one of connections) await store(one, 'Zebra');
    cache.clear();
    for (const one of connections) {
      expect(cache.find(one, 'zeb', 10)).toMatchObject({ protocolTotal: 0, assignmentTotal: 0 });
      await store(one, 'Linden');
      expect(cache.find(one, 'lind', 10)).toMatchObject({ protocolTotal: count, assignmentTotal: count });
    }
    const files = [path, `${path}-wal`].map((file) => readFileSync(file, 'latin1').toLowerCase()).join();
    expect(['zebra', 'linden'].filter((word) => files.includes(word))).toEqual(['linden']);
  },
);

test('a read and a write that clearing the offline data interrupts do not fail', async () => {
  const { cache } = openWatched(newPath());
  const begun = cache.beginRequest('c');
  const value = Array.from({ length: 5_000 }, (_, number) => `event ${number}`);
  const response = { value, unreadable: 0, source: 'service', fetchedAtMs: 1 } as const;
  await cache.putResponse(begun, 'events', response);
  const reading = cache.response('c', 'events', z.array(z.string()));
  const writing = cache.putResponse(begun, 'events', response);
  cache.clear();
  expect(await reading).toBeUndefined();
  await writing;
  expect(await cache.response('c', 'events', z.array(z.string()))).toBeUndefined();
});

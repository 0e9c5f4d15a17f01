import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { AssignmentList, type AssignmentSummary, type ProtocolSummary } from '../../contract/resources.ts';
import { openCache } from './cache.ts';

const DAY_MS = 86_400_000;
const Texts = z.array(z.string());
/** A list of about 100 kB, which is stored in one part. */
const texts = Array.from({ length: 100 }, () => 'x'.repeat(1_000));

const setUp = (prepare: (path: string) => void = () => {}) => {
  const home = mkdtempSync(join(tmpdir(), 'room-'));
  const at = { ms: 100 * DAY_MS, limitBytes: Number.POSITIVE_INFINITY, rooms: 0 };
  const path = join(home, 'cache.sqlite');
  prepare(path);
  const failures: unknown[] = [];
  const open = () =>
    openCache(path, {
      now: () => at.ms,
      limitBytes: () => at.limitBytes,
      onRoom: () => {
        at.rooms += 1;
      },
      onFailure: (error) => failures.push(error),
    });
  const cache = open();
  onTestFinished(() => {
    cache.close();
    rmSync(home, { recursive: true });
    expect(failures).toEqual([]);
  });
  const put = (connection: string, name: string, value: readonly string[] = texts) =>
    cache.putResponse(cache.beginRequest(connection), name, {
      value,
      unreadable: 0,
      source: 'service',
      fetchedAtMs: at.ms,
    });
  const left = async (connection: string, names: readonly string[]) => {
    const found = await Promise.all(names.map((name) => cache.response(connection, name, Texts)));
    return names.filter((_, index) => found[index] !== undefined);
  };
  return { cache, at, put, left, path, open, failures };
};

const names = (count: number) => Array.from({ length: count }, (_, n) => `other/${n}`);

const assignment = (n: number): AssignmentSummary => ({
  AssignmentId: `A${n}`,
  AssignmentStatus: 'PENDING',
  StartTime: n,
  Address: `Street ${n}`,
  City: 'York',
  FacilityId: `F${n}`,
  FirstName: 'Customer',
  LastName: `Name ${n}`,
  Performer: 'Somebody',
});

test('above the limit, what was used least recently goes first, and the rest can be read', async () => {
  const { cache, at, put, left } = setUp();
  for (const name of names(30)) await put('c', name);
  at.ms += DAY_MS;
  for (const used of ['other/0', 'other/7']) await cache.response('c', used, Texts);
  at.limitBytes = 2_000_000;
  await cache.makeRoom();
  const rest = await left('c', names(30));
  expect(rest.slice(0, 2)).toEqual(['other/0', 'other/7']);
  expect(rest.slice(2)).toEqual(names(30).slice(32 - rest.length));
  expect(rest.length).toBeGreaterThan(10);
  expect(cache.sizeBytes()).toBeLessThanOrEqual(at.limitBytes);
  expect(at.rooms).toBe(1);
});

test('stays within the limit while it is filled', async () => {
  const { cache, at, put, left } = setUp();
  at.limitBytes = 2_000_000;
  for (const name of names(60)) await put('c', name);
  await cache.makeRoom();
  expect(cache.sizeBytes()).toBeLessThanOrEqual(at.limitBytes);
  expect(await left('c', ['other/0', 'other/59'])).toEqual(['other/59']);
});

test('what was made available offline stays as long as it fits, and as much of it as fits', async () => {
  const { cache, at, put, left } = setUp();
  cache.beginPass('kept');
  for (const name of names(10)) await put('kept', name);
  cache.pageRead('kept', { next: undefined, unreadable: 0, total: 0 });
  cache.completePass('kept', true, at.ms);
  at.ms += DAY_MS;
  for (const name of names(10)) await put('other', name);
  await put('kept', 'projects/York', []);
  expect(cache.hasRoom()).toBe(true);
  at.limitBytes = 1_300_000;
  await cache.makeRoom();
  expect(await left('kept', names(10))).toEqual(names(10));
  expect(cache.pass('kept')).toMatchObject({ running: false });
  at.limitBytes = 720_000;
  await cache.makeRoom();
  expect(await left('other', names(10))).toEqual([]);
  expect(await left('kept', ['projects/York'])).toEqual([]);
  const rest = await left('kept', names(10));
  expect(rest).toEqual(names(10).slice(10 - rest.length));
  expect(rest.length).toBeGreaterThan(3);
  // The pass is open again, so it can be continued once the cache has room.
  expect(cache.pass('kept')).toMatchObject({ running: true, listed: true });
  expect(cache.hasRoom()).toBe(false);
  at.limitBytes = 2_000_000;
  expect(cache.hasRoom()).toBe(true);
});

test('whatever is stored and read, what was made available offline is not removed while it fits', async () => {
  const step = fc.record({
    connection: fc.constantFrom('kept', 'other'),
    name: fc.integer({ min: 0, max: 11 }),
    isRead: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const { cache, at, put, left } = setUp();
      cache.beginPass('kept');
      at.limitBytes = 2_000_000;
      const stored = new Set<string>();
      for (const { connection, name, isRead } of steps) {
        at.ms += DAY_MS / 3;
        if (isRead) await cache.response(connection, `other/${name}`, Texts);
        else await put(connection, `other/${name}`);
        if (!isRead && connection === 'kept') stored.add(`other/${name}`);
      }
      await cache.makeRoom();
      expect(cache.sizeBytes()).toBeLessThanOrEqual(at.limitBytes);
      expect(await left('kept', [...stored])).toEqual([...stored]);
    }),
    { numRuns: 15 },
  );
});

test('removes the assignments that only a removed list names, and the count of its points', async () => {
  const { cache, at } = setUp();
  const list = (...items: readonly number[]) => {
    const Items = items.map(assignment);
    return { Items, Count: Items.length, TotalCount: Items.length, CurrentPage: 1 };
  };
  const put = (name: string, value: ReturnType<typeof list>) =>
    cache.putResponse(cache.beginRequest('c'), name, { value, unreadable: 0, source: 'service', fetchedAtMs: at.ms });
  await put('assignments/P1', list(1, 2, ...Array.from({ length: 2_000 }, (_, n) => 10 + n)));
  at.ms += DAY_MS;
  await put('assignments/P2', list(2, 3));
  at.limitBytes = cache.sizeBytes() * 0.5;
  await cache.makeRoom();
  expect(await cache.response('c', 'assignments/P1', AssignmentList)).toBeUndefined();
  expect(await cache.response('c', 'assignments/P2', AssignmentList)).toMatchObject({ value: { Count: 2 } });
  expect(['A1', 'A2', 'A3'].map((id) => cache.assignment('c', id)?.assignment.AssignmentId)).toEqual([
    ...[undefined, 'A2', 'A3'],
  ]);
  expect(cache.findAssignments('c', 'Customer', { offset: 0, limit: 5 })).toMatchObject({ total: 2 });
});

test('removes protocols once no response is left, and the list can be read again', async () => {
  const { cache, at } = setUp();
  const Items = Array.from(
    { length: 3_000 },
    (_, n): ProtocolSummary => ({
      Address: `Street ${n} of some length`,
      City: `City ${n}`,
      ZipCode: `${n}`,
      FacilityId: `F${n}`,
      InspectionProtocolId: `P${n}`,
      InspectionDate: n,
      Points: 0,
    }),
  );
  for (let page = 1; page <= 3; page += 1) {
    at.ms += 1;
    const part = Items.slice((page - 1) * 1_000, page * 1_000);
    await cache.putProtocols(
      cache.beginRequest('c'),
      { Items: part, Count: 1_000, TotalCount: 3_000, CurrentPage: page },
      {},
      at.ms,
    );
  }
  for (const name of ['points/P2999', 'assignments/P2999'])
    await cache.putResponse(cache.beginRequest('c'), name, {
      value: [],
      unreadable: 0,
      source: 'service',
      fetchedAtMs: at.ms,
    });
  expect(cache.protocol('c', 'P2999')).toMatchObject({ availableOffline: true });
  at.limitBytes = cache.sizeBytes() * 0.8;
  await cache.makeRoom();
  expect(cache.protocol('c', 'P0')).toBeUndefined();
  expect(cache.protocol('c', 'P2999')).toMatchObject({ availableOffline: false });
  expect(cache.sizeBytes()).toBeLessThanOrEqual(at.limitBytes);
});

test('a response that is being read is not removed', async () => {
  const { cache, at, put } = setUp();
  const long = Array.from({ length: 5_000 }, (_, n) => `${n}`.padStart(100));
  await put('c', 'other/long', long);
  at.limitBytes = 100_000;
  const [read] = await Promise.all([cache.response('c', 'other/long', Texts), cache.makeRoom()]);
  expect(read?.value).toEqual(long);
  await cache.makeRoom();
  expect(await cache.response('c', 'other/long', Texts)).toBeUndefined();
});

test('a cache that is closed while room is made reports no failure', async () => {
  const { at, put, open, failures } = setUp();
  for (const name of names(200)) await put('c', name);
  at.limitBytes = 100_000;
  const closing = open();
  const making = closing.makeRoom();
  closing.close();
  await making;
  expect(failures).toEqual([]);
});

test('what an interrupted write has left is removed, below the limit, too', async () => {
  const { cache, put, left, path } = setUp();
  await put('c', 'other/1');
  const other = new DatabaseSync(path);
  const { no } =
    other
      .prepare(
        "INSERT INTO response (connection, name, frame, unreadable, fetched_ms) VALUES (1, 'other/1', '[]', 0, 1) RETURNING no",
      )
      .get() ?? {};
  other.prepare("INSERT INTO response_part VALUES (?, 0, '[]')").run(Number(no));
  await cache.makeRoom();
  expect(other.prepare('SELECT count(*) AS parts FROM response_part WHERE response = ?').get(Number(no))).toEqual({
    parts: 0,
  });
  other.close();
  expect(await left('c', ['other/1'])).toEqual(['other/1']);
});

/** Empties the write-ahead log of the database, and returns the size of the database file. */
const fileBytes = (path: string): number => {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return statSync(path).size;
};

test('returns disk space to the system', async () => {
  const { cache, at, put, path } = setUp();
  for (const name of names(30)) await put('c', name);
  const before = fileBytes(path);
  at.limitBytes = 1_000_000;
  await cache.makeRoom();
  expect(fileBytes(path)).toBeLessThan(before / 2);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { AssignmentList, OrderableEvent } from '../../contract/resources.ts';
import { openCache } from './cache.ts';
import type { List } from './responses.ts';

const Events = z.array(OrderableEvent);

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'responses-'));
  path = join(home, 'cache.sqlite');
});
afterEach(() => rmSync(home, { recursive: true }));

const events = (count: number, name = 'Event') =>
  Array.from({ length: count }, (_, n) => ({ EventId: `E${n}`, EventName: `${name} ${n}` }));

const assignments = (count: number) => {
  const Items = Array.from({ length: count }, (_, n) => ({
    AssignmentId: `A${n}`,
    FacilityId: 'F',
    FirstName: '',
    LastName: '',
    Performer: '',
    AssignmentStatus: 'Planned',
    Address: '',
    City: '',
    StartTime: n,
  }));
  return { Items, Count: count, TotalCount: count };
};

const readAs = <T extends List>(value: T, fetchedAtMs = 1) =>
  ({ value, unreadable: 2, source: 'service', fetchedAtMs }) as const;

test.each([0, 1, 500, 501, 1_700])('a response of %i items comes back as it was', async (count) => {
  const cache = openCache(path);
  await cache.putResponse(cache.beginRequest('c'), 'events', readAs(events(count)));
  await cache.putResponse(cache.beginRequest('c'), 'projects/', readAs(assignments(count)));
  expect(await cache.response('c', 'events', Events)).toEqual({ ...readAs(events(count)), source: 'cache' });
  expect(await cache.response('c', 'projects/', AssignmentList)).toEqual({
    ...readAs(assignments(count)),
    source: 'cache',
  });
  expect(await cache.response('c', 'points/x', Events)).toBeUndefined();
  expect(await cache.response('c', 'events', AssignmentList)).toBeUndefined();
  cache.close();
});

test('reading a response while it is replaced returns the old or the new one', async () => {
  const cache = openCache(path);
  await cache.putResponse(cache.beginRequest('c'), 'events', readAs(events(5_000, 'Old')));
  const reading = cache.response('c', 'events', Events);
  await cache.putResponse(cache.beginRequest('c'), 'events', readAs(events(100, 'New')));
  const names = (await reading)?.value.map(({ EventName }) => EventName.split(' ')[0]) ?? [];
  expect([5_000, 100]).toContain(names.length);
  expect(new Set(names).size).toBe(1);
  cache.close();
});

test('a partly stored response is ignored, and removed with the next one', async () => {
  const cache = openCache(path);
  await cache.putResponse(cache.beginRequest('c'), 'events', readAs(events(1_000, 'Old')));
  cache.close();
  const db = new DatabaseSync(path);
  db.exec(`INSERT INTO response (connection, name, frame, unreadable, fetched_ms) VALUES (1, 'events', '[]', 0, 2);
    INSERT INTO response_part VALUES (last_insert_rowid(), 0, '[]')`);
  const opened = openCache(path);
  expect(await opened.response('c', 'events', Events)).toMatchObject({ fetchedAtMs: 1, value: { length: 1_000 } });
  await opened.putResponse(opened.beginRequest('c'), 'events', readAs(events(3), 4));
  expect(await opened.response('c', 'events', Events)).toMatchObject({ fetchedAtMs: 4, value: { length: 3 } });
  expect(
    db.prepare('SELECT (SELECT count(*) FROM response) AS a, (SELECT count(*) FROM response_part) AS p').get(),
  ).toEqual({ a: 1, p: 1 });
  db.close();
  opened.close();
});

test('an assignment names the protocol whose list has it', async () => {
  const cache = openCache(path);
  await cache.putResponse(cache.beginRequest('c'), 'projects/York', readAs(assignments(2)));
  expect(cache.assignment('c', 'A0')?.InspectionProtocolId).toBeUndefined();
  await cache.putResponse(cache.beginRequest('c'), 'assignments/P/1', readAs(assignments(1)));
  expect(cache.assignment('c', 'A0')?.InspectionProtocolId).toBe('P/1');
  expect(cache.assignment('c', 'A1')?.InspectionProtocolId).toBeUndefined();
  cache.close();
});

test('an assignment that no list names any more is found by its id only, until the offline data is cleared', async () => {
  const cache = openCache(path);
  const put = (list: ReturnType<typeof assignments>, connectionId = 'c') =>
    cache.putResponse(cache.beginRequest(connectionId), 'projects/', readAs(list));
  const [one] = assignments(1).Items;
  if (!one) throw new Error('no assignment');
  await put(assignments(1), 'other');
  await put({ Items: [{ ...one, Address: 'Mill Street 1' }], Count: 1, TotalCount: 1 });
  await put(assignments(0));
  expect(cache.nameOf('c', 'A0')).toBe('Mill Street 1');
  expect(cache.summaryOf('c', 'A0')).toMatchObject({ Address: 'Mill Street 1' });
  expect(cache.assignment('c', 'A0')).toBeUndefined();
  expect(cache.find('c', 'mill', 10)).toMatchObject({ assignmentTotal: 0 });
  await put({ Items: [{ ...one, Address: 'Mill Street 2' }], Count: 1, TotalCount: 1 });
  expect(cache.nameOf('c', 'A0')).toBe('Mill Street 2');
  cache.clear();
  expect(cache.summaryOf('c', 'A0')).toBeUndefined();
  cache.close();
});

test('the unit of the service is that of most times that were read', async () => {
  const cache = openCache(path);
  const put = (...times: readonly number[]) => {
    const [one] = assignments(1).Items;
    const Items = times.map((StartTime, n) => ({ ...one, AssignmentId: `A${n}`, StartTime }));
    const value = { Items, Count: Items.length, TotalCount: Items.length };
    return cache.putResponse(cache.beginRequest('c'), 'projects/', readAs(value));
  };
  expect(cache.timeUnit('c')).toBe('seconds');
  // In seconds, the last date of .NET (year 9999) is a number so large that it counts as milliseconds.
  await put(0, 1_800_000_000, 1_800_000_000, 253_402_300_799);
  expect(cache.timeUnit('c')).toBe('seconds');
  await put(0, 0, 1_800_000_000_000);
  expect(cache.timeUnit('c')).toBe('milliseconds');
  expect(cache.timeUnit('other')).toBe('seconds');
  cache.close();
});

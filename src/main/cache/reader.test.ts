import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeskError } from '../../contract/errors.ts';
import { type Cache, openCache } from './cache.ts';
import { createReader, createTryToStore, type Reader, type ServiceReads } from './reader.ts';

const page = { Items: [], Count: 0, TotalCount: 0, CurrentPage: 1 };
const service: ServiceReads = {
  listProtocols: async () => ({ value: page, unreadable: 0 }),
  listAssignments: async () => ({ value: page, unreadable: 0 }),
  listInspectionPoints: async () => ({ value: [], unreadable: 0 }),
  listProjectAssignments: async () => ({ value: page, unreadable: 0 }),
  listOrderableEvents: async () => ({ value: [{ EventId: 'e', EventName: 'Event' }], unreadable: 0 }),
};

let home: string;
let cache: Cache;
let other: DatabaseSync;
let reader: Reader;
let noted: DeskError[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'reader-'));
  const path = join(home, 'cache.sqlite');
  cache = openCache(path);
  other = new DatabaseSync(path);
  noted = [];
  const tryToStore = createTryToStore((error) => noted.push(error));
  reader = createReader({ cache, connectionId: 'c', service, now: () => 7, tryToStore });
});
afterEach(() => {
  other.close();
  cache.close();
  rmSync(home, { recursive: true });
});

test('a failure to store never fails the read, and is logged once until storing works again', async () => {
  other.exec('BEGIN IMMEDIATE');
  expect(await reader.orderableEvents()).toMatchObject({ source: 'service', value: [{ EventId: 'e' }] });
  expect(await reader.protocols({})).toMatchObject({ source: 'service', value: page });
  expect(noted).toMatchObject([{ code: 'data/unwritable' }]);

  other.exec('ROLLBACK');
  await reader.orderableEvents();
  expect(await reader.orderableEvents({ offline: true })).toMatchObject({ source: 'cache', fetchedAtMs: 7 });
  other.exec('BEGIN IMMEDIATE');
  await reader.projects(undefined);
  other.exec('ROLLBACK');
  expect(noted).toHaveLength(2);
});

test('a response that arrives after the offline data was cleared is not stored', async () => {
  const held = Promise.withResolvers<void>();
  const listOrderableEvents: ServiceReads['listOrderableEvents'] = async () => {
    await held.promise;
    return service.listOrderableEvents();
  };
  const late = createReader({
    cache,
    connectionId: 'c',
    service: { ...service, listOrderableEvents },
    now: () => 7,
    tryToStore: createTryToStore((error) => noted.push(error)),
  });
  const reading = late.orderableEvents();
  cache.clear();
  held.resolve();
  expect(await reading).toMatchObject({ source: 'service', value: [{ EventId: 'e' }] });
  // Clearing has replaced the file.
  other.close();
  other = new DatabaseSync(join(home, 'cache.sqlite'));
  expect(other.prepare('SELECT count(*) AS stored FROM response').get()).toEqual({ stored: 0 });
  await late.orderableEvents();
  expect(await late.orderableEvents({ offline: true })).toMatchObject({ source: 'cache' });
  expect(noted).toEqual([]);
});

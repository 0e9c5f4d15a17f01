import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProtocolColumn, ProtocolTableQuery } from '../../contract/protocols.ts';
import type { ProtocolSummary, TimeBase } from '../../contract/resources.ts';
import { type Cache, openCache } from './cache.ts';
import type { List } from './responses.ts';

let home: string;
let cache: Cache;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cache-'));
  cache = openCache(join(home, 'cache.sqlite'));
});
afterEach(() => {
  cache.close();
  rmSync(home, { recursive: true });
});

const protocol = (id: string, fields: Partial<ProtocolSummary> = {}): ProtocolSummary => ({
  Address: `${id} High Street`,
  City: 'York',
  ZipCode: 'YO1',
  FacilityId: id,
  InspectionProtocolId: id,
  InspectionDate: 1_700_000_000,
  Points: 0,
  ...fields,
});

const put = (Items: ProtocolSummary[], Query?: string) =>
  cache.putProtocols(
    cache.beginRequest('c'),
    { Items, Count: Items.length, TotalCount: Items.length, CurrentPage: 1 },
    { Query },
    1,
  );

const table = (query: Partial<ProtocolTableQuery>, timeBase?: TimeBase) =>
  cache.protocolTable('c', ProtocolTableQuery.parse(query), timeBase);
const idsOf = (query: Partial<ProtocolTableQuery>, timeBase?: TimeBase): readonly string[] =>
  table(query, timeBase).Items.map(({ InspectionProtocolId }) => InspectionProtocolId);

describe('matches that the service found for a text', () => {
  beforeEach(async () => {
    await put([protocol('a'), protocol('b', { City: 'Leeds' }), protocol('c')]);
    // The service also finds texts inside words, and in fields that the list does not contain.
    await put([protocol('b', { City: 'Leeds' }), protocol('d', { City: 'Hereford' })], 'eed');
  });

  test('appear for this text, in any order and with filters, and for no other text', async () => {
    expect(table({ text: 'eed' })).toMatchObject({ total: 2, cached: 4 });
    expect(idsOf({ text: 'eed', sort: 'City' })).toEqual(['d', 'b']);
    expect(idsOf({ text: 'eed', sort: 'City', descending: true })).toEqual(['b', 'd']);
    expect(idsOf({ text: 'eed', filters: { City: 'here' } })).toEqual(['d']);
    expect(table({ text: 'ee' })).toMatchObject({ Items: [], total: 0 });
  });

  test('are listed once together with those found by words', async () => {
    await put([protocol('b', { City: 'Leeds' }), protocol('a')], 'york');
    expect(idsOf({ text: 'york' })).toEqual(['a', 'c', 'b']);
    expect(idsOf({ text: 'york', filters: { City: 'l' } })).toEqual(['b']);
    expect(idsOf({ text: 'york', offset: 2 })).toEqual(['b']);
    expect(table({ text: 'york' }).total).toBe(3);
  });

  test('are forgotten when rows are removed', async () => {
    cache.clear();
    await put([protocol('x')]);
    expect(idsOf({ text: 'eed' })).toEqual([]);
  });
});

test('counts only new protocols of a page, per connection', async () => {
  await put([protocol('a'), protocol('b')]);
  expect(table({}).cached).toBe(2);
  await put([protocol('b', { City: 'Leeds' }), protocol('c'), protocol('c')]);
  expect(table({}).cached).toBe(3);
  await put([protocol('a'), protocol('d')], 'High');
  expect(table({}).cached).toBe(4);
  expect(cache.protocolTable('other', ProtocolTableQuery.parse({})).cached).toBe(0);
  cache.clear();
  await put([protocol('a')]);
  expect(table({}).cached).toBe(1);
});

test('totals include the changes of each page', async () => {
  const day = 1_700_000_000;
  const bounds = { fromMs: day * 1000, beforeMs: (day + 86_400) * 1000 };
  await put([protocol('a'), protocol('b')]);
  expect(table({ text: 'leeds' }).total).toBe(0);
  expect(table(bounds).total).toBe(2);
  await put([protocol('a')]);
  expect(table({ text: 'leeds' }).total).toBe(0);
  await put([protocol('a', { City: 'Leeds' }), protocol('b', { InspectionDate: 0 })]);
  expect(table({ text: 'leeds' }).total).toBe(1);
  expect(table(bounds).total).toBe(1);
  // The service finds these protocols one after the other, for a text that begins none of their words.
  await put([protocol('a', { City: 'Leeds' })], 'eed');
  expect(table({ text: 'eed' }).total).toBe(1);
  await put([protocol('b', { InspectionDate: 0 })], 'eed');
  expect(table({ text: 'eed' }).total).toBe(2);
});

test('sorts the matches of a search in a large table by any column, few matches and many', async () => {
  const streets = ['Öland', 'oland', 'Mill', 'Station', 'Church'];
  const cities = ['York', 'Leeds', 'leeds', 'Ålesund'];
  const many = Array.from({ length: 6000 }, (_, index) =>
    protocol(`p${index}`, {
      Address: `${(index * 7919) % 997} ${streets[index % streets.length]} Street`,
      City: cities[(index * 31) % cities.length] ?? '',
      InspectionDate: (index * 7) % 5000,
      Points: index % 13,
    }),
  );
  await put(many);
  /**
   * Returns the ids of the protocols in `many` that `isFound` accepts, in the order in which SQLite sorts NOCASE texts.
   */
  const sorted = (sort: ProtocolColumn, isFound: (one: ProtocolSummary) => boolean): readonly string[] => {
    const by = (one: ProtocolSummary): string | number =>
      typeof one[sort] === 'string' ? one[sort].replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : one[sort];
    return many
      .filter(isFound)
      .toSorted((one, other) => (by(one) < by(other) ? -1 : Number(by(one) > by(other))))
      .map(({ InspectionProtocolId }) => InspectionProtocolId);
  };
  const searches: readonly (readonly [Partial<ProtocolTableQuery>, (one: ProtocolSummary) => boolean])[] = [
    [{ text: 'mill' }, ({ Address }) => Address.includes('Mill')],
    [{ text: 'str' }, () => true],
    [{ fromMs: 3_000_000, beforeMs: 4_000_000 }, ({ InspectionDate }) => Math.floor(InspectionDate / 1000) === 3],
    [{ fromMs: 0 }, () => true],
  ];
  for (const sort of ProtocolColumn.options)
    for (const [search, isFound] of searches) {
      const found = sorted(sort, isFound);
      expect(idsOf({ ...search, sort, limit: 50 })).toEqual(found.slice(0, 50));
      expect(idsOf({ ...search, sort, offset: 700, limit: 50 })).toEqual(found.slice(700, 750));
      const back = idsOf({ ...search, sort, descending: true, offset: 700, limit: 50 });
      expect(back).toEqual(found.toReversed().slice(700, 750));
    }
});

test('date bounds in ms apply to dates in any unit', async () => {
  const day = Date.UTC(2026, 2, 5);
  await put([
    protocol('seconds', { InspectionDate: day / 1000 }),
    protocol('ms', { InspectionDate: day }),
    protocol('later', { InspectionDate: day / 1000 + 86_400 }),
    protocol('none', { InspectionDate: 0 }),
  ]);
  const bounds = { fromMs: day, beforeMs: day + 86_400_000 };
  expect(idsOf(bounds)).toEqual(['seconds', 'ms']);
  expect(idsOf({ fromMs: day })).toEqual(['seconds', 'ms', 'later']);
  expect(idsOf({ ...bounds, sort: 'InspectionDate' })).toEqual(['seconds', 'ms']);
  expect(idsOf(bounds, 'milliseconds')).toEqual(['ms']);
  expect(idsOf({ fromMs: day, beforeMs: day })).toEqual([]);
});

test('filters protocols by whether they are available offline', async () => {
  const read = (name: string, value: List) =>
    cache.putResponse(cache.beginRequest('c'), name, { value, unreadable: 0, source: 'service', fetchedAtMs: 1 });
  await put([protocol('a'), protocol('b/1')]);
  await read('points/a', []);
  await read('points/b/1', []);
  expect(table({ availableOffline: true }).total).toBe(0);
  await read('assignments/a', { Items: [], Count: 0, TotalCount: 0 });
  expect(idsOf({ availableOffline: true })).toEqual(['a']);
});

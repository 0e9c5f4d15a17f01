import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProtocolTableQuery } from '../../contract/protocols.ts';
import type { ProtocolSummary } from '../../contract/resources.ts';
import { type Cache, openCache } from './cache.ts';

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

const protocol = (id: number): ProtocolSummary => ({
  Address: `Street ${id}`,
  City: 'Town',
  ZipCode: '1000',
  FacilityId: `F${id}`,
  InspectionProtocolId: `p${id}`,
  InspectionDate: 1_700_000_000 + id,
  Points: id,
});

const page = (ids: readonly number[], TotalCount: number) => ({
  Items: ids.map(protocol),
  Count: ids.length,
  TotalCount,
  CurrentPage: 1,
});

const cached = (connectionId: string, text = ''): readonly string[] =>
  cache
    .protocolTable(connectionId, ProtocolTableQuery.parse({ text, limit: 1000 }))
    .Items.map(({ InspectionProtocolId }) => InspectionProtocolId)
    .sort();

const names = (ids: Iterable<number>): readonly string[] => [...ids].map((id) => `p${id}`).sort();

const ids = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 8 });
const step = fc.oneof(
  fc.record({ type: fc.constant('begin' as const) }),
  fc.record({ type: fc.constant('page' as const), ids }),
  fc.record({ type: fc.constant('search' as const), ids }),
  fc.record({ type: fc.constant('relist' as const) }),
  fc.record({ type: fc.constant('end' as const), whole: fc.boolean() }),
);

/**
 * Creates the expected state of one connection: the protocols in the cache, and those that the current pass has seen.
 */
const createModel = () => ({ here: new Set<number>(), seen: new Set<number>(), running: false });

test('protocols no longer listed are removed after a complete pass, never after a partial one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b'), step), { maxLength: 40 }), async (steps) => {
      const models = { a: createModel(), b: createModel() };
      cache.clear();
      for (const [connectionId, one] of steps) {
        const model = models[connectionId];
        if (one.type === 'begin') {
          if (!model.running) model.seen.clear();
          model.running = true;
          cache.beginPass(connectionId);
        } else if (one.type === 'relist') {
          model.seen.clear();
          cache.relist(connectionId);
        } else if (one.type === 'end') {
          if (!model.running) continue;
          model.running = false;
          if (one.whole) model.here = new Set(model.seen);
          cache.completePass(connectionId, one.whole, 1);
        } else {
          for (const id of one.ids) {
            model.here.add(id);
            model.seen.add(id);
          }
          await cache.putProtocols(
            cache.beginRequest(connectionId),
            page(one.ids, 13),
            one.type === 'search' ? { Query: 'x' } : {},
            1,
          );
        }
        for (const each of ['a', 'b'] as const) {
          expect(cached(each)).toEqual(names(models[each].here));
          expect(cached(each, 'town')).toEqual(names(models[each].here));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a protocol is removed with its responses, and with assignments that no other response names', async () => {
  const assignment = (AssignmentId: string) => ({
    AssignmentId,
    FacilityId: 'F',
    AssignmentStatus: 'PENDING',
    FirstName: 'Åsa',
    LastName: 'Berg',
    Address: 'Street 1',
    City: 'Town',
    Performer: 'P',
    StartTime: 1,
  });
  const list = (...of: readonly string[]) => ({
    value: { Items: of.map(assignment), Count: of.length, TotalCount: of.length },
    unreadable: 0,
    source: 'service' as const,
    fetchedAtMs: 1,
  });
  await cache.putProtocols(cache.beginRequest('a'), page([1, 2], 2), {}, 1);
  await cache.putResponse(cache.beginRequest('a'), 'assignments/p1', list('gone', 'shared'));
  await cache.putResponse(cache.beginRequest('a'), 'projects/', list('shared'));
  expect(cache.find('a', 'asa', 10).assignments).toHaveLength(2);

  cache.beginPass('a');
  await cache.putProtocols(cache.beginRequest('a'), page([2], 1), {}, 2);
  cache.completePass('a', true, 3);
  expect(cached('a')).toEqual(['p2']);
  expect(cache.find('a', 'asa', 10).assignments.map(({ AssignmentId }) => AssignmentId)).toEqual(['shared']);
  expect(cache.assignment('a', 'gone')).toBeUndefined();
});

test('finds a changed protocol by its new words only', async () => {
  await cache.putProtocols(cache.beginRequest('a'), page([1], 1), {}, 1);
  await cache.putProtocols(
    cache.beginRequest('a'),
    { ...page([], 1), Items: [{ ...protocol(1), City: 'Malmö' }] },
    {},
    2,
  );
  expect(cached('a', 'malmo')).toEqual(['p1']);
  expect(cached('a', 'town')).toEqual([]);
});

test('counts the protocols that a walk could not read', () => {
  expect(cache.pass('a').unreadable).toBe(0);
  cache.beginPass('a');
  cache.pageRead('a', { next: 2, unreadable: 2, total: 9 });
  cache.pageRead('a', { next: undefined, unreadable: 1, total: 9 });
  expect(cache.pass('a').unreadable).toBe(3);
  expect(cache.passProgress('a').unreadable).toBe(3);
  expect(cache.pass('b').unreadable).toBe(0);
});

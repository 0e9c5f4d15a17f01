import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCache } from './cache.ts';
import { createKeepAll } from './keep-all.ts';
import type { ServiceReads } from './reader.ts';

const PAGE = 2;

/** A service that lists `ids`, two a page; `before` is called before each page is made. */
const setUp = (ids: string[], before: (page: number, ids: string[]) => void) => {
  const home = mkdtempSync(join(tmpdir(), 'keep-all-'));
  const { cache } = openCache(join(home, 'cache.sqlite'));
  onTestFinished(() => {
    cache.close();
    rmSync(home, { recursive: true });
  });
  const nothing = async () => ({ value: { Items: [], Count: 0, TotalCount: 0, CurrentPage: 1 }, unreadable: 0 });
  const service: ServiceReads = {
    listProtocols: async ({ Page = 1 }) => {
      before(Page, ids);
      const Items = ids.slice((Page - 1) * PAGE, Page * PAGE).map((InspectionProtocolId) => ({
        ...{ Address: '', City: '', ZipCode: '', FacilityId: '', InspectionDate: 1, Points: 0 },
        InspectionProtocolId,
      }));
      return {
        value: { Items, Count: Items.length, TotalCount: ids.length, CurrentPage: Page },
        unreadable: 0,
      };
    },
    listAssignments: nothing,
    listProjectAssignments: nothing,
    listInspectionPoints: async () => ({ value: [], unreadable: 0 }),
    listOrderableEvents: async () => ({ value: [], unreadable: 0 }),
  };
  const bugs: unknown[] = [];
  const keep = (): Promise<void> =>
    new Promise((resolve) => {
      const all = createKeepAll({
        cache,
        connection: 'connection',
        service,
        onStatus: ({ state }) => state !== 'running' && resolve(),
        onBug: (error) => bugs.push(error),
        now: () => 5,
      });
      all.start();
    });
  const kept = () => ids.filter((id) => cache.protocol('connection', id) !== undefined);
  return { keep, kept, bugs, cache };
};

test('a protocol that another one’s end moved to a page already read stays', async () => {
  let isMoved = false;
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const { keep, kept, bugs } = setUp([...ids], (page, present) => {
    if (page !== 2 || !isMoved || present.length < ids.length) return;
    present.shift();
  });
  await keep();
  isMoved = true;
  await keep();
  expect(bugs).toEqual([]);
  expect(kept()).toEqual(['b', 'c', 'd', 'e', 'f']);
});

test('a list that changes each time it is read removes nothing', async () => {
  const { keep, cache } = setUp(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], (page, present) => {
    if (page === 2) present.shift();
  });
  for (let pass = 0; pass < 2; pass += 1) await keep();
  for (const id of ['a', 'h']) expect(cache.protocol('connection', id)).toBeDefined();
});

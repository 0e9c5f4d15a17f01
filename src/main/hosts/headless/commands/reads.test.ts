import { expect, test } from 'vitest';
import { DeskError } from '../../../../contract/errors.ts';
import type { ProtocolPage, Reading } from '../../../../contract/resources.ts';
import { joinPages, pointsWith } from './reads.ts';

const page = (CurrentPage: number, ids: readonly string[], { TotalCount = 1_000_000, unreadable = 0 } = {}) => {
  const plain = { Address: 'A', City: '', ZipCode: '', FacilityId: '', InspectionDate: 1, Points: 0 };
  const Items = ids.map((InspectionProtocolId) => ({ ...plain, InspectionProtocolId }));
  const value: ProtocolPage = { Items, Count: Items.length, TotalCount, CurrentPage };
  return { value, unreadable, source: 'service', fetchedAtMs: 1 } satisfies Reading<ProtocolPage>;
};
/** Returns the ids of all protocols, and the fields of the joined page. */
const read = async (...pages: Parameters<typeof joinPages>) => {
  const { items, joined } = joinPages(...pages);
  const ids: string[] = [];
  for await (const { InspectionProtocolId } of items()) ids.push(InspectionProtocolId);
  return { ids, ...joined() };
};
const endless = { code: 'service/endless' };

test('joins pages until all are read or one is empty', async () => {
  const TotalCount = 3;
  const whole = await read(page(0, ['a'], { TotalCount }), async (n) => page(n, [`b${n}`], { TotalCount }));
  expect(whole).toMatchObject({ ids: ['a', 'b1', 'b2'], value: { Count: 3, TotalCount: 3, CurrentPage: 0 } });
  expect(whole.cut).toBeUndefined();
  expect(await read(page(1, ['a']), async (n) => page(n, []))).toMatchObject({ ids: ['a'], value: { Count: 1 } });
});

test('a list whose length changes while it is read ends where its newest page says', async () => {
  const asked: number[] = [];
  const shorter = await read(page(1, ['a', 'b'], { TotalCount: 4 }), async (n) => {
    asked.push(n);
    return page(n, ['c'], { TotalCount: 3 });
  });
  expect(shorter).toMatchObject({ ids: ['a', 'b', 'c'], value: { Count: 3, TotalCount: 3 } });
  expect(asked).toEqual([2]);
  const longer = await read(page(1, ['a'], { TotalCount: 2 }), async (n) => page(n, [`b${n}`], { TotalCount: 3 }));
  expect(longer).toMatchObject({ ids: ['a', 'b2', 'b3'], value: { Count: 3, TotalCount: 3 } });
});

test('a protocol that comes again, because another was added before it, is left out', async () => {
  const asked: number[] = [];
  const joined = await read(page(1, ['a', 'b'], { TotalCount: 3 }), async (n) => {
    asked.push(n);
    return page(n, ['b', 'c'], { TotalCount: 4 });
  });
  expect(joined).toMatchObject({ ids: ['a', 'b', 'c'], value: { Count: 3, TotalCount: 4 } });
  expect(joined.cut).toBeUndefined();
  expect(asked).toEqual([2]);
});

test('A10: a page is requested after the one before it has been consumed', async () => {
  const asked: number[] = [];
  const { items } = joinPages(page(1, ['a1', 'a2']), async (n) => {
    asked.push(n);
    return page(n, [`b${n}`]);
  });
  const protocols = items();
  await protocols.next();
  await protocols.next();
  expect(asked).toEqual([]);
  await protocols.next();
  expect(asked).toEqual([2]);
});

test('A10: a repeated page ends the list, which is reported', async () => {
  const joined = await read(page(1, ['a', 'b']), async () => page(1, ['b', 'a']));
  expect(joined).toMatchObject({ ids: ['a', 'b'], cut: endless });
});

test.each([
  { pages: 5, protocols: 1000 },
  { pages: 1000, protocols: 5 },
])('A10: an endless list is cut at its limits: %j', async (most) => {
  const joined = await read(page(1, ['p1']), async (n) => page(n, [`p${n}`]), most);
  expect(joined.ids).toHaveLength(5);
  expect(joined.cut).toMatchObject(endless);
});

test('A10: a list of unreadable pages ends, too', async () => {
  const most = { pages: 5, protocols: 1000 };
  const joined = await read(page(1, []), async (n) => page(n, [], { unreadable: 1 }), most);
  expect(joined).toMatchObject({ unreadable: 4, cut: endless });
});

test('a page that fails ends the list there; the pages before it count', async () => {
  const joined = await read(page(1, ['a']), async () => {
    throw new DeskError('service/failed', 'the service reported an error');
  });
  expect(joined).toMatchObject({ ids: ['a'], value: { Count: 1 }, cut: { code: 'service/failed' } });
});

const point = (texts: object) => ({
  ProtocolInspectionPointId: 'roof-1',
  InspectionPointName: '',
  ProductType: '',
  Category: '',
  Answer: '',
  SpecificReference: '',
  Severity: '',
  Description: '',
  HasImage: false,
  ...texts,
});
const roof = point({ InspectionPointName: 'Roof', Description: 'Trägt nicht, crack in tile', Severity: 'Major' });
const door = point({ InspectionPointName: 'Door', Answer: 'OK', Category: 'Inside' });

test('points are found by beginnings of words of any text, whatever case and accents', () => {
  const found = (text: string) => pointsWith([roof, door], text);
  expect(found('TRAGT roo')).toEqual([roof]);
  expect(found('maj')).toEqual([roof]);
  expect(found('inside ok')).toEqual([door]);
  expect(found('roof door')).toEqual([]);
  // Ids are not searched.
  expect(found('roof-1')).toEqual([]);
  expect(found(' - ')).toEqual([roof, door]);
});

import { expect, test } from 'vitest';
import type { Reading } from '../../contract/models.ts';
import type { ProtocolPage } from '../../contract/resources.ts';
import { joinPages } from './join-pages.ts';

const page = (CurrentPage: number, ids: readonly string[], { TotalCount = 1_000_000, unreadable = 0 } = {}) => {
  const plain = { Address: 'A', City: '', ZipCode: '', FacilityId: '', InspectionDate: 1, Points: 0 };
  const Items = ids.map((InspectionProtocolId) => ({ ...plain, InspectionProtocolId }));
  const value: ProtocolPage = { Items, Count: Items.length, TotalCount, CurrentPage };
  return { value, unreadable, source: 'service', fetchedAt: 1 } satisfies Reading<ProtocolPage>;
};
const idsOf = ({ value }: Reading<ProtocolPage>) => value.Items.map((item) => item.InspectionProtocolId);
const endless = { code: 'service/endless' };

test('pages are joined until all are there, or one is empty', async () => {
  const whole = await joinPages(page(0, ['a'], { TotalCount: 3 }), async (n) => page(n, [`b${n}`]));
  expect(idsOf(whole)).toEqual(['a', 'b1', 'b2']);
  expect(whole.cut).toBeUndefined();
  expect(idsOf(await joinPages(page(1, ['a']), async (n) => page(n, [])))).toEqual(['a']);
});

test('A10: a page that comes again ends the list, and it is said', async () => {
  const joined = await joinPages(page(1, ['a', 'b']), async () => page(1, ['b', 'a']));
  expect(idsOf(joined)).toEqual(['a', 'b']);
  expect(joined.cut).toMatchObject(endless);
});

test.each([
  { pages: 5, protocols: 1000, characters: 100_000 },
  { pages: 1000, protocols: 5, characters: 100_000 },
  { pages: 1000, protocols: 1000, characters: 13 },
])('A10: a list without an end is cut at its bounds: %j', async (most) => {
  const joined = await joinPages(page(1, ['p1']), async (n) => page(n, [`p${n}`]), most);
  expect(joined.value.Items).toHaveLength(5);
  expect(joined.cut).toMatchObject(endless);
});

test('A10: pages that cannot be read end, too', async () => {
  const most = { pages: 5, protocols: 1000, characters: 1000 };
  const joined = await joinPages(page(1, []), async (n) => page(n, [], { unreadable: 1 }), most);
  expect(joined).toMatchObject({ unreadable: 4, cut: endless });
});

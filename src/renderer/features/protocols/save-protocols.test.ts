import { expect, it } from 'vitest';
import type { CachedProtocol } from '../../../contract/resources.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { protocolSheet } from './save-protocols.tsx';

speakEnglish();

const row = (index: number): CachedProtocol => ({
  Address: `Road ${index}`,
  City: '',
  ZipCode: '',
  FacilityId: '',
  InspectionProtocolId: `p${index}`,
  InspectionDate: index === 0 ? 0 : 1_735_689_600,
  Points: index,
  availableOffline: false,
  fetchedAtMs: 1,
});

it('has every row once, however many calls they take', async () => {
  const all = Array.from({ length: 2500 }, (_, index) => row(index));
  const sheet = await protocolSheet(async (offset, limit) => ({
    rows: all.slice(offset, offset + limit),
    total: 2500,
  }));
  expect(sheet.rows.map((cells) => cells.at(-1))).toEqual(all.map((protocol) => protocol.InspectionProtocolId));
  expect(sheet.rows[0]?.[4]).toBe('');
  expect(sheet.rows[1]?.[4]).toBe('2025-01-01');
});

it('ends if rows disappear while it reads', async () => {
  const sheet = await protocolSheet(async (offset) => ({ rows: offset === 0 ? [row(1)] : [], total: 9 }));
  expect(sheet.rows).toHaveLength(1);
});

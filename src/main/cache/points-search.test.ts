import { expect, test } from 'vitest';
import { pointsWith } from './points-search.ts';

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
  // An id is no text of a person.
  expect(found('roof-1')).toEqual([]);
  expect(found(' - ')).toEqual([roof, door]);
});

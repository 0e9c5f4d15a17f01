import { expect, it } from 'vitest';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { groupPoints } from './protocol-page.tsx';

speakEnglish();

const point = (id: string, Category: string): InspectionPoint => ({
  ProtocolInspectionPointId: id,
  InspectionPointName: id,
  ProductType: '',
  Category,
  Answer: '',
  SpecificReference: '',
  Severity: '',
  Description: '',
  HasImage: false,
});

it('groups points by category in the order of the service', () => {
  const groups = groupPoints([point('1', 'Roof'), point('2', ''), point('3', 'Roof'), point('4', 'Fire')]);
  expect(groups.map(({ name, points }) => [name, points.length])).toEqual([
    ['Roof', 2],
    ['No category', 1],
    ['Fire', 1],
  ]);
});

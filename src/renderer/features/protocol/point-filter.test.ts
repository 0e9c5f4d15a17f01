import { expect, it } from 'vitest';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { choicesOf, everyPoint, filterPoints } from './point-filter.ts';

const point = (more: Partial<InspectionPoint>): InspectionPoint => ({
  ProtocolInspectionPointId: '1',
  InspectionPointName: '',
  ProductType: '',
  Category: '',
  Answer: '',
  SpecificReference: '',
  Severity: '',
  Description: '',
  HasImage: false,
  ...more,
});

const points = [
  point({ Severity: 'Low', Answer: 'No' }),
  point({ Severity: 'High', Answer: 'No', HasImage: true }),
  point({ Severity: 'High', Answer: 'Yes' }),
];

it('offers the values of the points, the most frequent first', () => {
  expect(choicesOf(points, 'Severity')).toEqual(['High', 'Low']);
  expect(choicesOf(points, 'Answer')).toEqual(['No', 'Yes']);
});

it('matches what meets every condition', () => {
  expect(filterPoints(points, everyPoint)).toEqual(points);
  expect(filterPoints(points, { ...everyPoint, severity: 'High', answer: 'No' })).toEqual([points[1]]);
  expect(filterPoints(points, { ...everyPoint, withPicture: true })).toEqual([points[1]]);
  expect(filterPoints(points, { ...everyPoint, severity: '' })).toEqual([]);
});

it('finds the words of a point, without capitals and marks', () => {
  const roof = point({ InspectionPointName: 'Dach', Description: 'Über der Tür undicht', SpecificReference: 'R-17' });
  const found = (text: string) => filterPoints([...points, roof], { ...everyPoint, text });
  expect(found('uber TUR')).toEqual([roof]);
  expect(found(' r-17 dach ')).toEqual([roof]);
  expect(found('dach fenster')).toEqual([]);
  expect(found('  ')).toHaveLength(4);
});

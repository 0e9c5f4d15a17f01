import { expect, it } from 'vitest';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { choicesOf, everyPoint, filterPoints, remarksOf } from './protocol-page.tsx';

const point = (Severity: string, Description = ''): InspectionPoint => ({
  ProtocolInspectionPointId: `${Severity}/${Description}`,
  InspectionPointName: '',
  ProductType: '',
  Category: '',
  Answer: '',
  SpecificReference: '',
  Severity,
  Description,
  HasImage: false,
});

const severitiesOf = (points: readonly InspectionPoint[]) => remarksOf(points).map(({ Severity }) => Severity);

it('sorts the worst first, a word that is not known after medium, and keeps the order of the service otherwise', () => {
  const shuffled = ['LOW', 'K2', 'MEDIUM', 'Major', 'CRITICAL', 'high', 'Warning'].map((word) => point(word));
  expect(severitiesOf(shuffled)).toEqual(['CRITICAL', 'Major', 'high', 'MEDIUM', 'Warning', 'K2', 'LOW']);
});

it.each(['', ' ', 'INFO', 'Note', 'Observation', 'OK', 'none', 'Ingen', 'Hinweis'])(
  'takes severity “%s” alone for no remark, but any description',
  (severity) => {
    expect(remarksOf([point(severity), point(severity, ' \n')])).toEqual([]);
    const described = point(severity, 'Door is held open.');
    expect(remarksOf([described])).toEqual([described]);
  },
);

const answered = (more: Partial<InspectionPoint>): InspectionPoint => ({
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
  answered({ Severity: 'Low', Answer: 'No' }),
  answered({ Severity: 'High', Answer: 'No', HasImage: true }),
  answered({ Severity: 'High', Answer: 'Yes' }),
];

it('offers the values of the points, sorted', () => {
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
  const roof = answered({
    InspectionPointName: 'Dach',
    Description: 'Über der Tür undicht',
    SpecificReference: 'R-17',
  });
  const found = (text: string) => filterPoints([...points, roof], { ...everyPoint, text });
  expect(found('uber TUR')).toEqual([roof]);
  expect(found(' r-17 dach ')).toEqual([roof]);
  expect(found('dach fenster')).toEqual([]);
  expect(found('  ')).toHaveLength(4);
});

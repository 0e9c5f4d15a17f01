import { expect, it } from 'vitest';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { remarksOf } from './inspection-points.tsx';

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

import { expect, it } from 'vitest';
import type { InspectionPoint } from '../../../contract/resources.ts';
import { gravityOf } from '../../domain/protocols/severity.ts';
import { groupPoints } from './group-points.ts';

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
  expect(groups.map(({ category, points }) => [category, points.length])).toEqual([
    ['Roof', 2],
    ['No category', 1],
    ['Fire', 1],
  ]);
});

it('knows usual words for severity and admits what it does not know', () => {
  expect(gravityOf('HIGH')).toBe('grave');
  expect(gravityOf('Moderate')).toBe('moderate');
  expect(gravityOf('low')).toBe('slight');
  expect(gravityOf('OK')).toBe('none');
  expect(gravityOf('K2')).toBe('unknown');
  expect(gravityOf('')).toBe('unknown');
});

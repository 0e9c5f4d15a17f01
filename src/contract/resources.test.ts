import { expect, test } from 'vitest';
import { assignmentName, serviceTimeMs, timeUnitOf } from './resources.ts';

const summary = { Address: '12 Mill Street', City: 'York', FacilityId: 'F-1', FirstName: 'Anna', LastName: 'Berg' };

test('names an assignment by its place and its customer', () => {
  expect(assignmentName(summary)).toBe('12 Mill Street, York · Anna Berg');
  expect(assignmentName({ ...summary, FirstName: '', City: '' })).toBe('12 Mill Street · Berg');
  expect(assignmentName({ ...summary, Address: '', City: '', FirstName: '', LastName: '' })).toBe('F-1');
});

test.each([
  [1_735_689_600, 'auto', 1_735_689_600_000],
  [1_735_689_600_000, 'auto', 1_735_689_600_000],
  [-86_400, 'auto', -86_400_000],
  [-62_135_596_800, 'auto', -62_135_596_800_000],
  [-62_135_596_800_000, 'auto', -62_135_596_800_000],
  [1_735_689_600, 'milliseconds', 1_735_689_600],
  [173_568_960_000, 'seconds', 173_568_960_000_000],
] as const)('%d, read as %s, is %d ms', (raw, base, ms) => {
  expect(serviceTimeMs(raw, base)).toBe(ms);
});

test('tells seconds from milliseconds at 1e11', () => {
  expect(timeUnitOf(1e11 - 1, 'auto')).toBe('seconds');
  expect(timeUnitOf(1e11, 'auto')).toBe('milliseconds');
});

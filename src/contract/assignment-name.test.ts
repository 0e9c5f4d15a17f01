import { expect, test } from 'vitest';
import { assignmentName } from './assignment-name.ts';

const summary = { Address: '12 Mill Street', City: 'York', FacilityId: 'F-1', FirstName: 'Anna', LastName: 'Berg' };

test('names an assignment by its place and its customer', () => {
  expect(assignmentName(summary)).toBe('12 Mill Street, York · Anna Berg');
  expect(assignmentName({ ...summary, FirstName: '', City: '' })).toBe('12 Mill Street · Berg');
  expect(assignmentName({ ...summary, Address: '', City: '', FirstName: '', LastName: '' })).toBe('F-1');
});

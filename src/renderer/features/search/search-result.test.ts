import { expect, it } from 'vitest';
import type { Batch } from '../../../contract/batches.ts';
import type { AssignmentSummary } from '../../../contract/resources.ts';
import { assignmentResult, findBatches, protocolResult } from './search-result.ts';

const assignment: AssignmentSummary = {
  AssignmentId: 'a1',
  FacilityId: 'F-1',
  AssignmentStatus: 'PENDING',
  FirstName: 'Anna',
  LastName: 'Lindqvist',
  Address: 'Harbour Street 1',
  City: 'Lund',
  Performer: '',
  StartTime: 0,
};

it('finds uploads by their folder, newest first', () => {
  const batch = (root: string, createdAtMs: number, AssignmentId = 'a1') =>
    ({ root, createdAtMs, AssignmentId }) as Batch;
  const batches = [batch('/a/Photos', 1), batch('/a/Photos 2', 2), batch('/a/Scans', 3)];
  expect(findBatches(batches, 'photos').map(({ root }) => root)).toEqual(['/a/Photos 2', '/a/Photos']);
});

it('finds uploads by the id of their assignment', () => {
  const batch = (AssignmentId: string) => ({ root: '/a/Photos', createdAtMs: 1, AssignmentId }) as Batch;
  const batches = [batch('3F2A-11'), batch('9b00-22')];
  expect(findBatches(batches, '{3f2a-11}')).toEqual([batches[0]]);
  expect(findBatches(batches, '9b0')).toEqual([]);
});

it('gives each result a title and a detail that tells it apart', () => {
  expect(assignmentResult(assignment)).toMatchObject({ title: 'Harbour Street 1', detail: 'Lund · Anna Lindqvist' });
  const protocol = {
    Address: '',
    City: 'Lund',
    ZipCode: '222',
    FacilityId: 'F-2',
    InspectionProtocolId: 'p',
    InspectionDate: 0,
    Points: 0,
  };
  expect(protocolResult(protocol)).toMatchObject({ title: 'F-2', detail: '222 Lund', kind: 'protocols' });
});

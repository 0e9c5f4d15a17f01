import { expect, it } from 'vitest';
import type { AssignmentSummary } from '../../../contract/resources.ts';
import type { Batch } from '../../../contract/uploads.ts';
import { serviceTimeText } from '../../domain/texts.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { assignmentResult, findBatches, foundIn, protocolResult } from './search-results.tsx';

speakEnglish();

const assignment: AssignmentSummary = {
  AssignmentId: 'a1',
  FacilityId: 'F-1',
  AssignmentStatus: 'PENDING',
  FirstName: 'Anna',
  LastName: 'Lindqvist',
  Address: 'Harbour Street 1',
  City: 'Lund',
  Performer: '',
  StartTime: 1_795_000_000,
};

it('finds uploads by their folder, newest first', () => {
  const batch = (root: string, createdAtMs: number, AssignmentId = 'a1') =>
    ({ root, createdAtMs, AssignmentId }) as Batch;
  const batches = [batch('/a/Photos', 1), batch('/a/Photos 2', 2), batch('/a/Scans', 3)];
  expect(findBatches(batches, 'photos').map(({ root }) => root)).toEqual(['/a/Photos 2', '/a/Photos']);
  expect(findBatches([{ ...batch('/a/Mails', 4), only: 'Harbour Road.eml' }], 'harbour')).toHaveLength(1);
  const places = ['/a/Sjöbergsvägen 3', '/a/Job 3'].map((root) => batch(root, 5));
  const found = (text: string) => findBatches(places, text).map(({ root }) => root);
  expect(['job', '3, SJOBERG', 'berg', '#'].map(found)).toEqual([['/a/Job 3'], ['/a/Sjöbergsvägen 3'], [], []]);
});

it('finds uploads by the id of their assignment', () => {
  const batch = (AssignmentId: string) => ({ root: '/a/Photos', createdAtMs: 1, AssignmentId }) as Batch;
  const batches = [batch('3F2A-11'), batch('9b00-22')];
  expect(findBatches(batches, '{3f2a-11}')).toEqual([batches[0]]);
  expect(findBatches(batches, '9b0')).toEqual([]);
});

it('gives each result a title and a detail that tells it apart', () => {
  expect(assignmentResult(assignment, 'lund')).toMatchObject({
    title: 'Harbour Street 1',
    details: [
      { text: 'Lund', isSearched: true },
      { text: 'Anna Lindqvist', isSearched: true },
      { text: serviceTimeText(1_795_000_000, 'day'), isSearched: false },
      { text: 'Pending', isSearched: false },
    ],
  });
  const protocol = {
    Address: '',
    City: 'Lund',
    ZipCode: '222',
    FacilityId: 'F-2',
    InspectionProtocolId: 'p',
    InspectionDate: 0,
    Points: 0,
  };
  expect(protocolResult(protocol, 'lund')).toMatchObject({
    title: 'F-2',
    details: [{ text: '222 Lund', isSearched: true }],
    kind: 'protocols',
  });
});

const found = {
  Address: '24 Mill Street',
  City: 'Bristol',
  ZipCode: 'BS9 1BA',
  FacilityId: 'FAC-241187',
  Points: 3,
  InspectionProtocolId: 'f0c21b7a-1111-4222-8333-944455556666',
};
const reasons = (searched: string, shown = ['24 Mill Street', 'Bristol']) =>
  foundIn(found, shown, searched).map(({ name, value }) => `${name}: ${value}`);

it('a hit on a field that is not shown names the field', () => {
  expect(reasons('mill 241187')).toEqual(['Facility: FAC-241187']);
  expect(reasons('FAC-24')).toEqual(['Facility: FAC-241187']);
  expect(reasons('bristol bs9')).toEqual(['Postcode: BS9 1BA']);
  expect(reasons('bs9 fac')).toEqual(['Postcode: BS9 1BA', 'Facility: FAC-241187']);
  const byId = [`Protocol ID: ${found.InspectionProtocolId}`];
  for (const id of ['f0c2', ' {F0C21B7A-1111} ', 'f0c21b7a11114222']) expect(reasons(id)).toEqual(byId);
  expect(assignmentResult({ ...assignment, FacilityId: 'FAC-9' }, 'fac-9').foundIn).toEqual([
    { name: 'Facility', value: 'FAC-9', searched: 'fac-9' },
  ]);
});

it('a hit on what is shown needs no other reason', () => {
  for (const text of ['mill street', '24 MILL, bristol', 'míll']) expect(reasons(text)).toEqual([]);
  expect(reasons('bs9', ['24 Mill Street', 'BS9 1BA Bristol'])).toEqual([]);
  // No field explains these matches: the search has corrected "mlil", which is in no field as it was typed, and "1187"
  // begins no word.
  expect(reasons('mlil')).toEqual([]);
  expect(reasons('1187')).toEqual([]);
});

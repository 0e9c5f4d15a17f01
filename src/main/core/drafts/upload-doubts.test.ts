import { describe, expect, test } from 'vitest';
import type { AssignmentSummary } from '../../../contract/resources.ts';

import { searchesFor, uploadDoubts } from './upload-doubts.ts';

const assignment = (of: Partial<AssignmentSummary>): AssignmentSummary => ({
  ...{ AssignmentId: '11111111-1111-4111-8111-111111111111', FacilityId: 'FAC-100001', AssignmentStatus: 'PENDING' },
  ...{ FirstName: 'Anna', LastName: 'Berg', Address: '12 Mill Street', City: 'York', Performer: '', StartTime: 0 },
  ...of,
});

const target = assignment({});
const other = assignment({
  AssignmentId: '22222222-2222-4222-8222-222222222222',
  FacilityId: 'FAC-200002',
  Address: '106 Station Road',
  City: 'Leeds',
  FirstName: 'Lars',
  LastName: 'Dahl',
});
const doubts = (folder: string, to: AssignmentSummary = target, others: readonly AssignmentSummary[] = [other]) =>
  uploadDoubts(folder, to, others);

describe('the status of an assignment', () => {
  test.each(['CANCELLED', 'CANCELED', 'COMPLETED', 'Completed', 'CLOSED', 'ARCHIVED'])('questions %s', (status) => {
    expect(doubts('Photos', assignment({ AssignmentStatus: status }))).toEqual([
      { kind: 'status', AssignmentStatus: status },
    ]);
  });

  test.each(['PENDING', 'IN_PROGRESS', 'PLANNED', 'NOT_COMPLETED', 'PARTIALLY_DONE', 'X17', ''])(
    '%s, known or not, is not',
    (status) => {
      expect(doubts('Photos', assignment({ AssignmentStatus: status }))).toEqual([]);
    },
  );
});

describe('a folder whose name points to another assignment', () => {
  test.each([
    ['106 Station Road', '106 Station Road'],
    ['Station Road 106', '106 Station Road'],
    ['2026-11 Station Road 106, photos of the roof', '106 Station Road'],
    ['station_road_106', '106 Station Road'],
    ['FAC-200002 photos', 'FAC-200002'],
    ['22222222-2222-4222-8222-222222222222', '22222222-2222-4222-8222-222222222222'],
  ])('questions %s', (folder, found) => {
    expect(doubts(folder)).toEqual([
      {
        kind: 'other-assignment',
        AssignmentId: other.AssignmentId,
        name: '106 Station Road, Leeds · Lars Dahl',
        found,
      },
    ]);
  });

  test.each([
    'Photos',
    'Station Road',
    'Station Road 1060',
    'Station Road 106B',
    '106 photos of Station Road',
    'Old Station Road',
    'Photos 106',
    'FAC-2000021',
    '200002',
    // It names this one as well.
    'From 106 Station Road to 12 Mill Street',
    'FAC-100001 Station Road 106',
  ])('%s is not', (folder) => {
    expect(doubts(folder)).toEqual([]);
  });

  test('folds accents and case', () => {
    const nordic = assignment({
      AssignmentId: 'nordic-1',
      FacilityId: '',
      Address: 'Bjørnstads vei 59',
      City: 'Bergen',
    });
    expect(doubts('BJØRNSTADS VEI 59', target, [nordic])).toHaveLength(1);
    const cafe = assignment({ AssignmentId: 'cafe-1', FacilityId: '', Address: '7 Café Lane' });
    expect(doubts('7 Cafe\u0301 Lane', target, [cafe])).toHaveLength(1);
  });

  test('treats an assignment at the same address as the same place', () => {
    expect(doubts('12 Mill Street', target, [assignment({ AssignmentId: 'another', City: 'Leeds' })])).toEqual([]);
  });

  test.each(['', '12', 'Mill Street', 'C 4', '12 Mill Street 14', 'FAC'])('finds no street in “%s”', (Address) => {
    expect(
      doubts('12 Mill Street 14 C 4', assignment({ Address: '' }), [assignment({ AssignmentId: 'x', Address })]),
    ).toEqual([]);
  });
});

test('looks for numbers with one and two of the words beside them, and for ids', () => {
  expect(searchesFor('Station Road 106 - FAC-200002')).toEqual({
    ids: ['FAC-200002'],
    texts: ['road 106', 'station road 106', 'fac 106', 'fac 200002'],
  });
});

import { describe, expect, test } from 'vitest';
import type { AssignmentSummary } from '../../../contract/resources.ts';
import { Settings } from '../../settings/schema.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import { findUploadDoubts, uploadRules } from './upload-rules.ts';

const night = [{ from: '18:00', to: '06:00' }];
const noon = [{ from: '12:00', to: '13:00' }];
const moment = new Date('2026-03-10T12:30');
const settings = (managed: SettingsStore['managed'] = []) => ({
  get: () => Settings.parse({ uploads: { hours: night } }),
  managed,
});

test('the hours of the settings count where none are wanted, and those of the organisation always', () => {
  expect(uploadRules({}, settings(), moment)).toMatchObject({ schedule: { hours: night }, isHeldBack: true });
  expect(uploadRules({ schedule: { hours: noon } }, settings(), moment)).toMatchObject({
    schedule: { hours: noon },
    isHeldBack: false,
  });
  expect(uploadRules({ schedule: { hours: [] } }, settings(), moment)).toEqual({});
  const managed = settings(['uploads.hours']);
  expect(uploadRules({ schedule: { hours: [] } }, managed, moment)).toMatchObject({
    schedule: { hours: night },
    isHeldBack: true,
  });
});

test('a time without hours keeps those of the settings', () => {
  const notBeforeMs = moment.getTime() - 1;
  expect(uploadRules({ schedule: { notBeforeMs } }, settings(), moment).schedule).toMatchObject({
    notBeforeMs,
    hours: night,
  });
});

test('the receipt of the settings is saved unless another one, or none, is wanted', () => {
  const usual = { get: () => Settings.parse({ uploads: { receipt: 'xlsx' } }), managed: [] };
  expect(uploadRules({}, usual, moment)).toEqual({ receipt: 'xlsx' });
  expect(uploadRules({ receipt: 'csv' }, usual, moment)).toEqual({ receipt: 'csv' });
  expect(uploadRules({ receipt: 'none' }, usual, moment)).toEqual({});
});

const assignment = (of: Partial<AssignmentSummary>): AssignmentSummary => ({
  AssignmentId: '11111111-1111-4111-8111-111111111111',
  FacilityId: 'FAC-100001',
  AssignmentStatus: 'PENDING',
  FirstName: 'Anna',
  LastName: 'Berg',
  Address: '12 Mill Street',
  City: 'York',
  Performer: '',
  StartTime: 0,
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

/** Returns the doubts about uploading `folder` if each search finds `others`, and the texts that were searched for. */
const doubtsOf = (folder: string, to: AssignmentSummary, others: readonly AssignmentSummary[]) => {
  const searched: string[] = [];
  const cache = {
    assignment: (_: string, id: string) => {
      const assignment = [to, ...others].find(({ AssignmentId }) => AssignmentId === id);
      return assignment && { assignment, fetchedAtMs: 1 };
    },
    findAssignments: (_: string, text: string) => {
      searched.push(text);
      return { Items: others.map((found) => ({ ...found, fetchedAtMs: 1 })), total: others.length };
    },
  };
  return { doubts: findUploadDoubts(cache, 'connection', { folder, AssignmentId: to.AssignmentId }), searched };
};
const doubts = (folder: string, to: AssignmentSummary = target, others: readonly AssignmentSummary[] = [other]) =>
  doubtsOf(folder, to, others).doubts;

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
    // The name also contains the address of the target itself.
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
  const { searched } = doubtsOf('Station Road 106 - FAC-200002', target, []);
  expect(searched).toEqual(['road 106', 'station road 106', 'fac 106', 'fac 200002', 'FAC-200002']);
});

import { expect, test } from 'vitest';
import { certainAssignment } from './assignment-level.ts';
import { createMatchIndex } from './match-index.ts';
import type { MatchTarget, Rules } from './targets.ts';
import { rulesFor } from './testing/sample-targets.ts';

const target = (AssignmentId: string, address: string, city: string, customer: string): MatchTarget => ({
  AssignmentId,
  FacilityId: '',
  AssignmentStatus: 'Open',
  Address: address,
  City: city,
  FirstName: customer,
  LastName: '',
  Performer: '',
  StartTime: 0,
});

const index = createMatchIndex([
  target('11111111-1111-4111-8111-111111111111', 'Elveveien 97', 'Bergen', 'Kari'),
  target('22222222-2222-4222-8222-222222222222', 'Elveveien 79', 'Bergen', 'Ola'),
  target('33333333-3333-4333-8333-333333333333', 'Storgata 5', 'Oslo', 'Anna'),
  target('44444444-4444-4444-8444-444444444444', 'Storgata 5', 'Oslo', 'Berit'),
]);
const assignmentOf = (path: string, rules: Rules = new Map()) => certainAssignment(index, { path }, { rules });

test('a folder in a job folder belongs to the job, whatever it is called', () => {
  for (const path of ['Inbox/Elveveien 97 Bergen', 'Inbox/Elveveien 97 Bergen/Kitchen/before']) {
    expect(assignmentOf(path)).toBe('11111111-1111-4111-8111-111111111111');
  }
});

test('a folder that speaks for something else is not decided by the folder above it', () => {
  expect(assignmentOf('Inbox/Elveveien 97 Bergen/Storgata 5 Oslo')).not.toBe('11111111-1111-4111-8111-111111111111');
});

test('what nothing speaks for, and what is not clear, is not decided', () => {
  expect(assignmentOf('Inbox/Misc')).toBeUndefined();
  expect(assignmentOf('Inbox/Storgata 5 Oslo')).toBeUndefined();
  expect(assignmentOf('Inbox/Storgata 5 Oslo/Kitchen')).toBeUndefined();
});

test('a choice that was confirmed for the job folder counts for the folders in it', () => {
  const rules = rulesFor({ path: 'Storgata 5 Oslo', AssignmentId: '44444444-4444-4444-8444-444444444444' });
  expect(assignmentOf('Inbox/Storgata 5 Oslo/Kitchen', rules)).toBe('44444444-4444-4444-8444-444444444444');
});

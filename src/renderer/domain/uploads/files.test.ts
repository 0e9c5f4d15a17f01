import { expect, test } from 'vitest';
import { cellOf } from '../../ui/data-table/use-picks.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { fileState, foundFileDetails, foundFilePlace, foundStateName } from './files.tsx';

speakEnglish();

test('a file in progress is copied and exported as queued while its upload waits, as its row says', () => {
  expect(cellOf(fileState(false), { state: 'sending' })).toBe(foundStateName('queued'));
  expect(cellOf(fileState(true), { state: 'sending' })).toBe(foundStateName('sending'));
  expect(cellOf(fileState(true), { state: 'sending', isWaiting: true })).toBe('Waiting to retry');
  expect(cellOf(fileState(false), { state: 'done' })).toBe(foundStateName('done'));
});

test('a search shows a file in progress as queued, because nothing says whether its upload waits', () => {
  const file = { path: 'a.pdf', FileName: 'a.pdf', AssignmentId: 'a', addedAtMs: 0 };
  expect(foundFileDetails({ ...file, state: 'sending' })).toContain(foundStateName('queued'));
});

test('a file that was not uploaded because its name is taken says so, and leads to its upload, not to the other file', () => {
  const file = {
    path: 'a.pdf',
    FileName: 'a.pdf',
    AssignmentId: 'a',
    addedAtMs: 0,
    batchId: 'b',
    state: 'skipped',
  } as const;
  const taken = { ...file, error: 'upload/name-taken' } as const;
  expect(foundFileDetails(taken)).toContain('Name taken');
  expect(foundFilePlace(taken)).toEqual({ name: 'batch', batch: 'b' });
  expect(foundFileDetails(file)).toContain('Skipped');
  expect(foundFilePlace(file)).toMatchObject({ name: 'assignment', AssignmentId: 'a' });
  expect(cellOf(fileState(true), { state: 'skipped', error: { code: 'upload/name-taken' } })).toBe('Name taken');
});

import { describe, expect, test } from 'vitest';
import { scanned } from '../source/testing/scanned.ts';
import type { Ledger } from './ledger.ts';
import { addBatch, openTestLedger } from './testing/ledger.ts';

const assignment = { connectionId: 'connection', assignmentId: 'assignment' };
const uploaded = (key: string, atMs: number, fileName = `${key}.jpg`) => ({
  key,
  fileName,
  place: { root: '/Site A', path: `photos/${key}.jpg` },
  sizeBytes: 10,
  modifiedMs: 1.5,
  sha256: `hash of ${key}`,
  atMs,
});
const answer = (...Files: { Key: string; FileName: string; UploadedBy: string }[]) => ({
  AssignmentId: 'assignment',
  FacilityId: 'f',
  Files,
});
const seen = (Key: string) => ({ Key, FileName: `${Key}.jpg`, UploadedBy: 'CUSTOMER' });
const known = ({ knownFiles }: Ledger) =>
  knownFiles.list(assignment).map(({ Key, source, UploadedBy }) => [Key, source, UploadedBy]);

test('files uploaded here are known, on their assignment and connection only', async () => {
  const ledger = openTestLedger();
  await ledger.commit(() => ledger.knownFiles.uploaded(assignment, uploaded('a', 1)));
  expect(ledger.knownFiles.list(assignment)).toEqual([
    {
      Key: 'a',
      FileName: 'a.jpg',
      UploadedBy: '',
      source: 'uploaded-here',
      addedAtMs: 1,
      sizeBytes: 10,
      folder: 'Site A/photos',
    },
  ]);
  expect(ledger.knownFiles.list({ ...assignment, assignmentId: 'other' })).toEqual([]);
  expect(ledger.knownFiles.list({ ...assignment, connectionId: 'other' })).toEqual([]);
});

test.each(['here', 'by another computer'])(
  'when a replacement is removed %s, what it should have replaced stays',
  async (where) => {
    const ledger = openTestLedger();
    const { replacedFiles, knownFiles } = ledger;
    const { batch, files } = await addBatch(ledger, [scanned('a.jpg')]);
    const [{ id } = { id: 0 }] = files;
    const error = { code: 'service/refused', message: 'no', retry: 'never', details: {} } as const;
    await ledger.commit(() => {
      knownFiles.uploaded(assignment, uploaded('old', 1));
      replacedFiles.plan(id, ['old']);
      ledger.items.done(id, 'hash of new', undefined, 2);
      replacedFiles.release(id, 'new');
      knownFiles.uploaded(assignment, { ...uploaded('new', 2), itemId: id });
      replacedFiles.failed(id, 'old', error);
      if (where === 'here') knownFiles.removed(assignment, 'new', 3);
      else knownFiles.answered(assignment, answer(seen('old')), 3, 4);
    });
    expect(await ledger.commit(() => replacedFiles.retry(batch))).toBe(0);
    expect([replacedFiles.pendingItems(batch, 1), replacedFiles.countFailed(batch)]).toEqual([[], 0]);
    expect(known(ledger).map(([key]) => key)).toEqual(['old']);
  },
);

describe('the answer to a removal', () => {
  test('adds the files it lists, removes the others, and records who uploaded them', async () => {
    const ledger = openTestLedger();
    await ledger.commit(() => {
      ledger.knownFiles.uploaded(assignment, uploaded('a', 1));
      ledger.knownFiles.uploaded(assignment, uploaded('gone', 1));
      ledger.knownFiles.answered(assignment, answer(seen('a'), seen('b')), 5, 6);
    });
    expect(known(ledger)).toEqual([
      ['a', 'uploaded-here', 'CUSTOMER'],
      ['b', 'seen-at-removal', 'CUSTOMER'],
    ]);
    expect(ledger.knownFiles.named(assignment, 'a.jpg').map(({ sha256 }) => sha256)).toEqual(['hash of a']);
  });

  test('does not remove files that arrived after the request', async () => {
    const ledger = openTestLedger();
    await ledger.commit(() => {
      ledger.knownFiles.uploaded(assignment, uploaded('later', 7));
      ledger.knownFiles.answered(assignment, answer(), 5, 8);
    });
    expect(known(ledger)).toEqual([['later', 'uploaded-here', '']]);
  });

  test('may list a file before this app knows that it arrived; it still counts as uploaded here', async () => {
    const ledger = openTestLedger();
    await ledger.commit(() => {
      ledger.knownFiles.answered(assignment, answer(seen('a')), 5, 6);
      ledger.knownFiles.uploaded(assignment, uploaded('a', 7));
    });
    expect(known(ledger)).toEqual([['a', 'uploaded-here', 'CUSTOMER']]);
    expect(ledger.knownFiles.named(assignment, 'a.jpg').map(({ sha256 }) => sha256)).toEqual(['hash of a']);
  });
});

test('files are found by name while they are there, with their content if it is known', async () => {
  const ledger = openTestLedger();
  await ledger.commit(() => {
    ledger.knownFiles.uploaded(assignment, uploaded('a', 1, 'same.jpg'));
    ledger.knownFiles.uploaded(assignment, uploaded('b', 1, 'same.jpg'));
    ledger.knownFiles.answered(
      assignment,
      answer({ Key: 'c', FileName: 'same.jpg', UploadedBy: 'X' }, seen('d')),
      0,
      2,
    );
  });
  expect(ledger.knownFiles.named(assignment, 'same.jpg').map(({ sha256 }) => sha256)).toEqual([
    'hash of a',
    'hash of b',
    undefined,
  ]);
  await ledger.commit(() => ledger.knownFiles.removed(assignment, 'a', 0));
  expect(ledger.knownFiles.named(assignment, 'same.jpg').map(({ key }) => key)).toEqual(['b', 'c']);
});

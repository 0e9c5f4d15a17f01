import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../contract/drafts.ts';
import { sampleDraftRow as row } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { onePieceText, restText, undecidedText } from './review.tsx';
import {
  amountLines,
  amountsText,
  parentOf,
  reasonText,
  rowCertainty,
  rowName,
  targetText,
  warningText,
  whyText,
} from './review-table.tsx';

speakEnglish();

const noClashes = { rename: 0, skip: 0, replace: 0 };
const AssignmentId = '00000000-0000-4000-8000-0000000000a1';

describe('a row in words', () => {
  it.each([
    [{ certainty: 0.99 }, 'certain'],
    [{ certainty: 0.8 }, 'likely'],
    [{ certainty: 0.3 }, 'unsure'],
    [{ certainty: 0 }, 'none'],
    [{}, 'none'],
    [{ choice: 'assignment', chosenBy: 'match', certainty: 0.99 }, 'certain'],
    [{ choice: 'assignment', chosenBy: 'person', certainty: 0.1 }, 'person'],
    [{ choice: 'assignment', chosenBy: 'map' }, 'map'],
    [{ choice: 'left-out', chosenBy: 'person', certainty: 0.99 }, 'leftOut'],
  ] as const)('says how certain its assignment is: %o', (change, certainty) => {
    expect(rowCertainty({ ...row, ...change })).toBe(certainty);
  });

  it('names a folder, and loose files by the first of them', () => {
    expect([rowName(row), parentOf(row)]).toEqual(['Elveveien 97', 'Jobs 2026']);
    const loose = { ...row, path: 'Jobs 2026', name: 'Jobs 2026', fileNames: ['a.pdf', 'b.pdf', 'c.pdf'] };
    expect([rowName(loose), parentOf(loose)]).toEqual(['a.pdf and 2 more', 'Jobs 2026']);
    const single = { ...row, path: 'a.pdf', fileNames: ['a.pdf'], files: 1 };
    expect([rowName(single), parentOf(single)]).toEqual(['a.pdf', '']);
    expect(rowName({ ...loose, fileNames: ['a.pdf'], files: 1 })).toBe('a.pdf');
  });

  it('says what speaks for and against an assignment', () => {
    expect(reasonText({ signal: 'address', found: 'Elveveien 97' })).toBe('“Elveveien 97” is its address.');
    expect(reasonText({ signal: 'house-number', found: '97', against: true })).toBe('The number “97” differs.');
  });

  it('says which assignment a row has, and why, in sentences', () => {
    const reasons = [
      { signal: 'address', found: 'Elveveien 97' },
      { signal: 'city', found: 'Oslo', against: true },
    ] as const;
    const why = '“Elveveien 97” is its address. The city “Oslo” differs.';
    expect(whyText({ ...row, AssignmentId, reasons })).toBe(`Assignment ${AssignmentId}. ${why}`);
    expect(whyText({ ...row, reasons })).toBe(why);
  });

  it('says what to look at again', () => {
    expect(warningText({ kind: 'empty', files: 2 })).toBe('2 files are empty.');
    expect(
      warningText({ kind: 'other-assignment', AssignmentId, name: 'Elveveien 97, Oslo', found: 'Elveveien 97' }),
    ).toBe('The name contains “Elveveien 97”, which belongs to Elveveien 97, Oslo.');
  });

  it('says what one piece means for a file that takes long', () => {
    const video = { name: 'roof.mov', sizeBytes: 4_000_000_000 };
    expect(onePieceText(video, 1_250_000)).toBe(
      '“roof.mov” (4 GB) takes about 53 minutes at the speed of recent uploads and is sent in one piece. ' +
        'If the connection is lost meanwhile, it starts over.',
    );
    expect(onePieceText(video, 100_000_000)).toBe('');
    expect(onePieceText(video, undefined)).toBe(
      '“roof.mov” (4 GB) is sent in one piece. If the connection is lost meanwhile, it starts over.',
    );
    expect(onePieceText({ ...video, sizeBytes: 300_000_000 }, undefined)).toBe('');
  });

  it('asks for decisions once all folders have been matched', () => {
    const counts = { all: 3, undecided: 2, matched: 1, 'left-out': 0, problems: 0, new: 3 };
    const nothing = { files: 0, bytes: 0 };
    const chosen = { folders: 1, files: 2, bytes: 2, assignments: 2, pairs: '' };
    const clashes = { rename: 1, skip: 0, replace: 0 };
    const found = { chosen, sent: nothing, clashes: noClashes, leftOutFiles: nothing, comparing: 0 };
    const noneLeftOut = { hidden: 0, system: 0, links: 0, special: 0, unreadable: 0 };
    const leftOut = { ...noneLeftOut, hidden: 1 };
    const rest = (phase: Draft['phase'], isComparing = false): string =>
      [undecidedText({ phase, counts }), restText({ phase, isComparing, leftOut, ...found })].filter(Boolean).join(' ');
    expect(rest('updating')).toBe('Always left out: 1 hidden file.');
    expect(rest('ready', true)).toContain('Comparing folder names with other assignments… ');
    expect(rest('ready')).toBe('2 folders need an assignment. Always left out: 1 hidden file.');
    const renaming = { phase: 'ready', isComparing: false, leftOut: noneLeftOut, ...found, clashes } as const;
    expect(restText(renaming)).toBe('1 name taken, file will be renamed.');
    // If everything goes to one assignment, the list of new names says how many files will be renamed.
    expect(restText({ ...renaming, chosen: { ...chosen, assignments: 1 } })).toBe('');
  });

  it('calls files new only beside files that were sent before, and says no size of empty ones', () => {
    const nothing = { files: 0, bytes: 0 };
    const lines = (toSend: number, sent: number, leftOut: number): string => {
      const { first, second } = amountLines({
        ...row,
        toSend: { files: toSend, bytes: 100 },
        sent: { files: sent, bytes: 100 },
        leftOut: { files: leftOut, bytes: 0 },
      });
      return `${first}, ${second}`;
    };
    expect(lines(4, 8, 1)).toBe('4 new, 8 already sent');
    expect(lines(0, 8, 0)).toBe('Nothing new, 8 already sent');
    expect(lines(12, 0, 1)).toBe('12 files, 1 left out');
    expect(lines(0, 0, 1)).toBe('0 files, 1 left out');
    const counted = { toSend: { ...nothing, folders: 0, assignments: 0 }, sent: nothing, clashes: noClashes };
    expect(amountsText({ ...counted, leftOutFiles: { files: 6, bytes: 0 } })).toBe('6 files left out');
    expect(amountsText({ ...counted, leftOutFiles: { files: 6, bytes: 1000 } })).toBe('6 files left out, 1 kB');
    const clashes = { rename: 32, skip: 1, replace: 2 };
    expect(amountsText({ ...counted, clashes, leftOutFiles: nothing })).toBe(
      '32 names taken, files will be renamed · 1 name taken, file will be skipped · ' +
        '2 names taken, earlier files will be replaced',
    );
  });

  it('names an assignment that was never read by its id', () => {
    expect(targetText({ AssignmentId })).toBe(`Assignment ${AssignmentId}`);
    expect(targetText({})).toBe('');
  });
});

import { expect, test } from 'vitest';
import type { Verdict, VerifiedFile } from '../../../contract/uploads.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { differingCount, nothingVerified, verificationText, withPart } from './verify-dialog.tsx';

speakEnglish();

const file = (verdict: Verdict): VerifiedFile => ({
  path: 'a/b.txt',
  FileName: 'b.txt',
  state: 'done',
  sizeBytes: 1,
  verdict,
});
const partOf = (...verdicts: readonly Verdict[]) => ({ files: verdicts.map(file) });

test('says in words what became of the files', () => {
  const same = withPart(nothingVerified, partOf('same'));
  expect(verificationText(same)).toBe('The file is unchanged.');
  expect(verificationText(withPart(same, partOf('same')))).toBe('All 2 files are unchanged.');
  const others = withPart(same, partOf('missing', 'changed', 'missing', 'not-uploaded'));
  expect(verificationText(others)).toBe('1 of 5 files unchanged. 1 changed, 2 missing, 1 not uploaded.');
  expect(verificationText(withPart(nothingVerified, partOf('unreadable')))).toBe(
    '0 of 1 file unchanged. 1 unreadable.',
  );
  const removed = withPart(same, partOf('removed', 'removed'));
  expect(verificationText(removed)).toBe('1 of 3 files unchanged. 2 no longer on the assignment.');
  expect([differingCount(removed), removed.differing]).toEqual([0, []]);
});

test('lists what differs, in order, up to what anybody reads', () => {
  let verification = withPart(nothingVerified, partOf('same', 'missing', 'changed'));
  expect(verification.differing.map(({ verdict }) => verdict)).toEqual(['missing', 'changed']);
  const many = partOf(...Array.from({ length: 6_000 }, () => 'missing' as const));
  for (let part = 0; part < 3; part += 1) verification = withPart(verification, many);
  expect(verification.differing).toHaveLength(10_000);
  expect(differingCount(verification)).toBe(18_002);
});

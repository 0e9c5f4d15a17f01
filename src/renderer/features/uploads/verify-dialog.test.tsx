// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { DeskError } from '../../../contract/errors.ts';
import type { Verdict, VerifiedFile, VerifiedPart } from '../../../contract/uploads.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { differingCount, nothingVerified, useVerification, verificationText, withPart } from './verify-dialog.tsx';

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

const pageOf = (next?: number): VerifiedPart => ({
  files: [file('same')],
  ...(next !== undefined && { next }),
});
test('verifies part after part until the last', async () => {
  const { render } = await createTestWindow({
    uploads: { verify: ({ after }) => pageOf(after < 20 ? after + 10 : undefined) },
  });
  const { result } = render(() => useVerification(sampleBatch.batchId), undefined);
  expect(result.current).toMatchObject({ verification: { done: 0 }, busy: true, error: undefined });
  await waitFor(() =>
    expect(result.current).toMatchObject({ verification: { done: 3 }, busy: false, error: undefined }),
  );
});

test('keeps what was verified before an error', async () => {
  const { render } = await createTestWindow({
    uploads: {
      verify: ({ after }) => {
        if (after > 0) throw new DeskError('upload/folder-missing', 'gone');
        return pageOf(10);
      },
    },
  });
  const { result } = render(() => useVerification(sampleBatch.batchId), undefined);
  await waitFor(() => expect(result.current.error?.code).toBe('upload/folder-missing'));
  expect(result.current).toMatchObject({ verification: { done: 1 }, busy: false });
});

test('stops verifying when it is closed, and begins from the start the next time', async () => {
  const asked: number[] = [];
  let last: AbortSignal | undefined;
  const { render } = await createTestWindow({
    uploads: {
      verify: ({ after }, signal) => {
        asked.push(after);
        last = signal;
        return after === 0 ? pageOf(10) : new Promise(() => {});
      },
    },
  });
  const first = render(() => useVerification(sampleBatch.batchId), undefined);
  await waitFor(() => expect(asked).toEqual([0, 10]));
  first.unmount();
  await waitFor(() => expect(last?.aborted).toBe(true));
  render(() => useVerification(sampleBatch.batchId), undefined);
  await waitFor(() => expect(asked).toEqual([0, 10, 0, 10]));
});

// @vitest-environment happy-dom

import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Draft, DraftRow, DraftWarning } from '../../../contract/drafts.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { sampleDraftRow } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { useDoubts } from './review.tsx';

speakEnglish();

const AssignmentId = '00000000-0000-4000-8000-0000000000b2';
const status: DraftWarning = { kind: 'status', AssignmentStatus: 'CLOSED' };
const other: DraftWarning = { kind: 'other-assignment', AssignmentId, name: 'Mill Street', found: 'mill' };

const rowOf = (name: string, warnings: readonly DraftWarning[]): DraftRow => ({
  ...sampleDraftRow,
  path: name,
  name,
  choice: 'assignment',
  warnings,
});
const draftOf = (change: Partial<Draft>) =>
  ({ counts: { all: 2, undecided: 0, matched: 2, 'left-out': 0, problems: 2, new: 2 }, ...change }) as Draft;

it('says once what holds for all folders, names the folder where it does not, and knows nothing before the answer', async () => {
  const answer = Promise.withResolvers<{ rows: readonly DraftRow[]; total: number }>();
  const { render } = await createTestWindow({ drafts: { rows: () => answer.promise } });
  const { result } = render(() => useDoubts(draftOf({ AssignmentId })), undefined);
  expect(result.current).toBeUndefined();
  await act(async () =>
    answer.resolve({
      rows: [rowOf('one', [status, { kind: 'empty', files: 1 }]), rowOf('two', [status, other])],
      total: 2,
    }),
  );
  await waitFor(() => expect(result.current).toHaveLength(2));
  expect(result.current?.[0]?.title).toContain('Closed');
  expect(result.current?.[1]?.title).toContain('two');
});

it('knows nothing while names are still being compared', async () => {
  const { render } = await createTestWindow({ drafts: {} });
  const counts = { all: 1, undecided: 0, matched: 1, 'left-out': 0, problems: 0, new: 1 };
  const draft = draftOf({ AssignmentId, isComparing: true, counts });
  expect(render(() => useDoubts(draft), undefined).result.current).toBeUndefined();
  const compared = { ...draft, isComparing: false };
  expect(render(() => useDoubts(compared), undefined).result.current).toEqual([]);
});

it('asks nothing where each folder has an assignment of its own', async () => {
  const { render, called } = await createTestWindow({ drafts: {} });
  expect(render(() => useDoubts(draftOf({})), undefined).result.current).toEqual([]);
  expect(called).not.toContain('drafts.rows');
});

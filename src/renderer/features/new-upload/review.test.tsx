// @vitest-environment happy-dom

import { act, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Draft, DraftRow, DraftWarning } from '../../../contract/drafts.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { sampleDraftRow } from '../../testing/sample-draft-row.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { nextUndecided, useDoubts } from './review.tsx';

const readFrom = (choices: readonly DraftRow['choice'][]) => async (offset: number, limit: number) => ({
  rows: choices.slice(offset, offset + limit).map((choice) => ({ choice })),
  total: choices.length,
});

it('finds the first row without a decision from a position on, and continues at the beginning', async () => {
  const choice = fc.constantFrom('undecided', 'assignment', 'left-out');
  await fc.assert(
    fc.asyncProperty(fc.array(choice, { maxLength: 900 }), fc.nat(1000), async (choices, from) => {
      const after = choices.findIndex((each, index) => index >= from && each === 'undecided');
      const any = choices.indexOf('undecided');
      const expected = after >= 0 ? after : any >= 0 ? any : undefined;
      expect(await nextUndecided(readFrom(choices), from)).toBe(expected);
    }),
    { numRuns: 50 },
  );
});

it('asks for parts of a long list', async () => {
  const limits: number[] = [];
  const read = readFrom([...Array.from({ length: 700 }, () => 'assignment' as const), 'undecided']);
  const found = await nextUndecided((offset, limit) => {
    limits.push(limit);
    return read(offset, limit);
  }, 0);
  expect(found).toBe(700);
  expect(Math.max(...limits)).toBe(200);
});

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

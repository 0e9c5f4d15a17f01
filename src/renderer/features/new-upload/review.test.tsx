// @vitest-environment happy-dom

import { waitFor } from '@testing-library/react';
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
const draftOf = (change: Partial<Draft>) => ({ doubts: 2, isComparing: false, ...change }) as Draft;

it('says once what holds for all folders, and names the folder where it does not', async () => {
  const rows = [rowOf('one', [status, { kind: 'empty', files: 1 }]), rowOf('two', [status, other])];
  const { render } = await createTestWindow({ drafts: { rows: () => ({ rows, total: 2 }) } });
  const { result } = render(() => useDoubts(draftOf({ AssignmentId })), undefined);
  await waitFor(() => expect(result.current).toHaveLength(2));
  expect(result.current[0]?.title).toContain('Closed');
  expect(result.current[1]?.title).toContain('two');
});

it('asks nothing where each folder has an assignment of its own', async () => {
  const { render, called } = await createTestWindow({ drafts: {} });
  expect(render(() => useDoubts(draftOf({})), undefined).result.current).toEqual([]);
  expect(called).not.toContain('drafts.rows');
});

// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AssignmentSummary, ProtocolSummary } from '../../../contract/resources.ts';
import { emptySnapshot } from '../../testing/fake-bridge.ts';
import { createTestWindow } from '../../testing/render-query.tsx';
import { sampleBatch } from '../../testing/sample-batch.ts';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { useSearch } from './use-search.ts';

speakEnglish();

const protocol = { Address: 'Mill Street 1', FacilityId: 'F1', ZipCode: '', City: '' } as ProtocolSummary;
const assignment = { Address: 'Mill Street 2', AssignmentId: 'a', City: '', Performer: '' } as AssignmentSummary;

const windowWith = (protocols: readonly ProtocolSummary[], assignments: readonly AssignmentSummary[]) =>
  createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, batches: [{ ...sampleBatch, root: '/photos/mill street' }] }) },
    search: {
      find: () => ({
        protocols: [...protocols],
        protocolTotal: protocols.length,
        assignments: [...assignments],
        assignmentTotal: assignments.length,
      }),
    },
  });

it('lists protocols, assignments and uploads, and then where to continue', async () => {
  const { render } = await windowWith([protocol], [assignment]);
  const { result, rerender } = render(useSearch, 'mill');
  await waitFor(() => expect(result.current).toMatchObject({ searched: 'mill', total: 3 }));
  expect(result.current.results.map(({ kind }) => kind)).toEqual([
    'protocols',
    'assignments',
    'uploads',
    'more',
    'more',
  ]);
  rerender('');
  expect(result.current).toEqual({ results: [], total: 0, searched: '' });
});

it('lists nothing to continue with if nothing was found', async () => {
  const { render } = await windowWith([], []);
  const { result } = render(useSearch, 'bridge');
  await waitFor(() => expect(result.current).toEqual({ results: [], total: 0, searched: 'bridge' }));
});

// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AssignmentList, AssignmentSummary, Reading } from '../../contract/resources.ts';
import type { KnownFile } from '../../contract/uploads.ts';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { sampleBatch } from '../testing/sample-batch.ts';
import { useAssignment, useCounties, useKnownFiles, useProjects } from './assignments.ts';

const { AssignmentId } = sampleBatch;
const list: Reading<AssignmentList> = {
  value: { Items: [], Count: 0, TotalCount: 0 },
  unreadable: 0,
  source: 'service',
  fetchedAtMs: 1,
};
const fileOf = (Key: string) => ({ Key, FileName: Key }) as KnownFile;

it('knows a new county as soon as its list has been read', async () => {
  const seen: string[] = [];
  const { render } = await createTestWindow({
    assignments: {
      projects: ({ County = 'Kent', offline }) => {
        if (!offline && !seen.includes(County)) seen.push(County);
        return list;
      },
      counties: () => [...seen],
    },
  });
  const { result, rerender } = render((county: string) => ({ list: useProjects(county), counties: useCounties() }), '');
  await waitFor(() => expect(result.current.counties.value).toEqual(['Kent']));
  rerender('York');
  await waitFor(() => expect(result.current.counties.value).toEqual(['Kent', 'York']));
});

it('reads the files of an assignment again after a removal and after an upload', async () => {
  let files = [fileOf('k1'), fileOf('k2')];
  const { render, desk, emit } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, batches: [sampleBatch] }) },
    assignments: {
      knownFiles: () => files,
      removeFile: ({ Key }) => {
        files = files.filter((file) => file.Key !== Key);
        return { AssignmentId, FacilityId: '', Files: [], waiting: false };
      },
    },
  });
  const { result } = render(() => useKnownFiles(AssignmentId), undefined);
  await waitFor(() => expect(result.current.value).toHaveLength(2));
  await act(async () => void (await desk.assignments.removeFile({ AssignmentId, Key: 'k1' })));
  await waitFor(() => expect(result.current.value?.map(({ Key }) => Key)).toEqual(['k2']));
  files = [...files, fileOf('k3')];
  act(() => emit({ type: 'batches', revision: 2, batches: [{ ...sampleBatch, uploaded: 1 }] }));
  await waitFor(() => expect(result.current.value?.map(({ Key }) => Key)).toEqual(['k2', 'k3']));
});

it('reads an assignment again when a pending change was sent', async () => {
  let answeredAtMs = 1;
  const change = { id: 1, kind: 'plan-after', AssignmentId, PlanAfter: 5, createdAtMs: 1, attempts: 0 } as const;
  const { render, emit } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, outbox: [change] }) },
    assignments: {
      get: () => ({ assignment: {} as AssignmentSummary, fetchedAtMs: 1, planAfter: { PlanAfter: 5, answeredAtMs } }),
    },
  });
  const { result } = render(() => useAssignment(AssignmentId), undefined);
  await waitFor(() => expect(result.current.value?.planAfter?.answeredAtMs).toBe(1));
  answeredAtMs = 2;
  act(() => emit({ type: 'outbox', revision: 2, outbox: [] }));
  await waitFor(() => expect(result.current.value?.planAfter?.answeredAtMs).toBe(2));
});

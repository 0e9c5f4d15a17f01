// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { AssignmentList, AssignmentSummary, Reading } from '../../contract/resources.ts';
import type { KnownFile, ListedState, UploadFile, VerifiedPart } from '../../contract/uploads.ts';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { sampleBatch } from '../testing/sample-batch.ts';
import { workDaysAround } from '../words/dates.ts';
import { useAssignment, useProjects, useVerifiedFiles } from './calls.ts';
import { useCallQuery, useCalls, useWindowQuery } from './query.tsx';

const { AssignmentId } = sampleBatch;
const list: Reading<AssignmentList> = {
  value: { Items: [], Count: 0, TotalCount: 0 },
  unreadable: 0,
  source: 'service',
  fetchedAtMs: 1,
};
const knownFile = (Key: string) => ({ Key, FileName: Key }) as KnownFile;

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
  const { result, rerender } = render(
    (county: string) => ({ list: useProjects(county), counties: useCallQuery(useCalls().assignments.counties()) }),
    '',
  );
  await waitFor(() => expect(result.current.counties.value).toEqual(['Kent']));
  rerender('York');
  await waitFor(() => expect(result.current.counties.value).toEqual(['Kent', 'York']));
});

it('reads the files of an assignment again after a removal and after an upload', async () => {
  let files = [knownFile('k1'), knownFile('k2')];
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
  const { result } = render(
    () => useCallQuery(useCalls().assignments.knownFiles({ AssignmentId: AssignmentId })),
    undefined,
  );
  await waitFor(() => expect(result.current.value).toHaveLength(2));
  await act(async () => void (await desk.assignments.removeFile({ AssignmentId, Key: 'k1' })));
  await waitFor(() => expect(result.current.value?.map(({ Key }) => Key)).toEqual(['k2']));
  files = [...files, knownFile('k3')];
  act(() => emit({ type: 'batches', revision: 2, batches: [{ ...sampleBatch, uploaded: 1 }] }));
  await waitFor(() => expect(result.current.value?.map(({ Key }) => Key)).toEqual(['k2', 'k3']));
});

it('reads an assignment again when a pending change was sent', async () => {
  let respondedAtMs = 1;
  const change = { id: 1, kind: 'plan-after', AssignmentId, PlanAfter: 5, createdAtMs: 1, attempts: 0 } as const;
  const { render, emit } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, outbox: [change] }) },
    assignments: {
      get: () => ({ assignment: {} as AssignmentSummary, fetchedAtMs: 1, planAfter: { PlanAfter: 5, respondedAtMs } }),
    },
  });
  const { result } = render(() => useAssignment(AssignmentId), undefined);
  await waitFor(() => expect(result.current.value?.planAfter?.respondedAtMs).toBe(1));
  respondedAtMs = 2;
  act(() => emit({ type: 'outbox', revision: 2, value: [] }));
  await waitFor(() => expect(result.current.value?.planAfter?.respondedAtMs).toBe(2));
});

it('counts again once everything is available offline', async () => {
  let known = 1;
  const days = workDaysAround(0);
  const groups = { overdue: 0, thisWeek: 0, nextWeek: 0, planAfterPassed: 0, troubled: 0, withoutDocuments: 0 };
  const { render, emit } = await createTestWindow({
    assignments: { workList: () => ({ groups, days: [], known }) },
  });
  const { result } = render(() => useCallQuery(useCalls().assignments.workList({ days, dayStarts: [] })), undefined);
  await waitFor(() => expect(result.current.value?.known).toBe(1));
  known = 240;
  act(() => emit({ type: 'offline', revision: 2, value: { ...emptySnapshot.offline, completedAtMs: 5 } }));
  await waitFor(() => expect(result.current.value?.known).toBe(240));
});

it('measures the offline data again when it was cleared', async () => {
  let sizeBytes = 5_000;
  const { render, desk } = await createTestWindow({
    cache: {
      size: () => ({ sizeBytes }),
      clear: () => {
        sizeBytes = 0;
      },
    },
  });
  const { result } = render(() => useCallQuery(useCalls().cache.size()), undefined);
  await waitFor(() => expect(result.current.value?.sizeBytes).toBe(5_000));
  await act(() => desk.cache.clear());
  await waitFor(() => expect(result.current.value?.sizeBytes).toBe(0));
});

it('reads the rules again when one was changed, and when one or all were removed', async () => {
  let rules = [1, 2, 3].map((ruleId) => ({ ruleId, name: `house ${ruleId}`, AssignmentId, confirmedAtMs: ruleId }));
  const { render, desk } = await createTestWindow({
    rules: {
      list: () => ({ rules, total: rules.length }),
      set: (change) => {
        rules = rules.map((rule) => (rule.ruleId === change.ruleId ? { ...rule, ...change } : rule));
      },
      remove: ({ ruleIds }) => {
        rules = rules.filter(({ ruleId }) => !ruleIds.includes(ruleId));
      },
      clear: () => {
        rules = [];
      },
    },
  });
  const { result } = render(() => useCallQuery(useCalls().rules.list({})), undefined);
  await waitFor(() => expect(result.current.value?.total).toBe(3));
  const other = '00000000-0000-4000-8000-0000000000c3';
  await act(async () => desk.rules.set({ ruleId: 3, AssignmentId: other }));
  await waitFor(() => expect(result.current.value?.rules[2]?.AssignmentId).toBe(other));
  await act(async () => desk.rules.remove({ ruleIds: [2] }));
  await waitFor(() => expect(result.current.value?.rules.map(({ ruleId }) => ruleId)).toEqual([1, 3]));
  await act(async () => desk.rules.clear());
  await waitFor(() => expect(result.current.value?.total).toBe(0));
});

const { batchId } = sampleBatch;

const useBatchFiles = (states?: readonly ListedState[]) =>
  useWindowQuery('files', ({ uploads }, window) => uploads.files({ batchId, ...(states && { states }), ...window }));

const uploadedFile = (id: number): UploadFile => ({
  id,
  path: `${id}.jpg`,
  FileName: `${id}.jpg`,
  sizeBytes: 1,
  state: 'done',
  attempts: 1,
});

it('reads the files around those in view, of the states that are asked for', async () => {
  const asked: unknown[] = [];
  const { render } = await createTestWindow({
    uploads: {
      files: (input) => {
        asked.push(input);
        const rows = Array.from({ length: input.limit }, (_, index) => uploadedFile(input.offset + index));
        return { files: rows, total: 1000 };
      },
    },
  });
  const { result } = render(() => useBatchFiles(['failed']), undefined);
  await waitFor(() => expect(result.current.count).toBe(1000));
  expect(result.current.rowAt(3)?.id).toBe(3);
  expect(result.current.rowAt(500)).toBeUndefined();
  act(() => result.current.onRange(500, 510));
  await waitFor(() => expect(result.current.rowAt(500)?.id).toBe(500));
  expect(asked.at(-1)).toEqual({ batchId, states: ['failed'], offset: 450, limit: 100 });
  expect((await result.current.read(900, 2)).rows.map(({ id }) => id)).toEqual([900, 901]);
});

it('reads the files and the reasons again when their batch changes', async () => {
  let failed = 0;
  const { render, emit } = await createTestWindow({
    app: { snapshot: () => ({ ...emptySnapshot, batches: [sampleBatch] }) },
    uploads: {
      files: () => ({ files: [], total: failed }),
      errorGroups: () => [{ code: 'upload/stalled', files: failed }],
    },
  });
  const { result } = render(
    () => ({
      files: useBatchFiles(),
      groups: useCallQuery(useCalls().uploads.errorGroups({ batchId: batchId })),
    }),
    undefined,
  );
  await waitFor(() => expect(result.current.groups.value).toEqual([{ code: 'upload/stalled', files: 0 }]));
  failed = 2;
  act(() => emit({ type: 'batches', revision: 2, batches: [{ ...sampleBatch, failed }] }));
  await waitFor(() => expect(result.current.files.count).toBe(2));
  await waitFor(() => expect(result.current.groups.value).toEqual([{ code: 'upload/stalled', files: 2 }]));
});

const partOf = (next?: number): VerifiedPart => ({
  files: [{ ...uploadedFile(1), verdict: 'same' }],
  ...(next !== undefined && { next }),
});
const count = (sum: number, { files }: VerifiedPart): number => sum + files.length;

it('verifies part after part until the last', async () => {
  const { render } = await createTestWindow({
    uploads: { verify: ({ after }) => partOf(after < 20 ? after + 10 : undefined) },
  });
  const { result } = render(() => useVerifiedFiles(batchId, 0, count), undefined);
  expect(result.current).toMatchObject({ sum: 0, busy: true, error: undefined });
  await waitFor(() => expect(result.current).toMatchObject({ sum: 3, busy: false, error: undefined }));
});

it('keeps what was verified before an error', async () => {
  const { render } = await createTestWindow({
    uploads: {
      verify: ({ after }) => {
        if (after > 0) throw new DeskError('upload/folder-missing', 'gone');
        return partOf(10);
      },
    },
  });
  const { result } = render(() => useVerifiedFiles(batchId, 0, count), undefined);
  await waitFor(() => expect(result.current.error?.code).toBe('upload/folder-missing'));
  expect(result.current).toMatchObject({ sum: 1, busy: false });
});

it('stops verifying when it is closed, and begins from the start the next time', async () => {
  const asked: number[] = [];
  const { render, called } = await createTestWindow({
    uploads: {
      verify: ({ after }) => {
        asked.push(after);
        return after === 0 ? partOf(10) : new Promise(() => {});
      },
      cancelVerify: () => {},
    },
  });
  const first = render(() => useVerifiedFiles(batchId, 0, count), undefined);
  await waitFor(() => expect(asked).toEqual([0, 10]));
  first.unmount();
  await waitFor(() => expect(called).toContain('uploads.cancelVerify'));
  render(() => useVerifiedFiles(batchId, 0, count), undefined);
  await waitFor(() => expect(asked).toEqual([0, 10, 0, 10]));
});

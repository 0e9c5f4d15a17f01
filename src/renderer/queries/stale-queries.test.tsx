// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Reachability } from '../../contract/connection.ts';
import { DeskError, toErrorData } from '../../contract/errors.ts';
import type { AssignmentList, AssignmentSummary, Reading } from '../../contract/resources.ts';
import type { KnownFile } from '../../contract/uploads.ts';
import { emptySnapshot } from '../testing/fake-bridge.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { sampleBatch } from '../testing/sample-batch.ts';
import { workDaysAround } from '../words/dates.ts';
import { useCallQuery, useCalls, useReadingQuery, useWindowQuery } from './query.tsx';

const useProjects = (County = '') =>
  useReadingQuery<AssignmentList>(({ assignments }, how) =>
    assignments.projects({ ...how, ...(County !== '' && { County }) }),
  );

const useAssignment = (AssignmentId: string) => useCallQuery(useCalls().assignments.get({ AssignmentId }));

const a1 = '11111111-1111-4111-8111-111111111111';

const batch = { ...sampleBatch, AssignmentId: a1, uploaded: 1 };

const countOf = (called: readonly string[], name: string): number => called.filter((one) => one === name).length;

it('reads what an upload has changed again, and nothing else', async () => {
  const { render, emit, called } = await createTestWindow({
    assignments: { knownFiles: () => [], counties: () => [] },
    uploads: { errorGroups: () => [] },
  });
  render(() => {
    useCallQuery(useCalls().assignments.knownFiles({ AssignmentId: a1 }));
    useCallQuery(useCalls().assignments.knownFiles({ AssignmentId: 'a2' }));
    useCallQuery(useCalls().uploads.errorGroups({ batchId: batch.batchId }));
    useCallQuery(useCalls().assignments.counties());
  }, undefined);
  await waitFor(() => expect(called).toHaveLength(5));
  emit({ type: 'batches', revision: 2, batches: [batch] });
  await waitFor(() => expect(countOf(called, 'uploads.errorGroups')).toBe(2));
  await waitFor(() => expect(countOf(called, 'assignments.knownFiles')).toBe(3));
  // The last of many changes leads to a refresh, too.
  emit({ type: 'batches', revision: 3, batches: [{ ...batch, failed: 1 }] });
  emit({ type: 'batches', revision: 4, batches: [{ ...batch, failed: 2 }] });
  await waitFor(() => expect(countOf(called, 'uploads.errorGroups')).toBe(3));
  // No more files have arrived.
  expect(countOf(called, 'assignments.knownFiles')).toBe(3);
  expect(countOf(called, 'assignments.counties')).toBe(1);
});

it('reads what a finished walk has changed again', async () => {
  const { render, emit, called } = await createTestWindow({
    assignments: { values: () => ({ City: [], Performer: [], AssignmentStatus: [] }) },
    cache: { size: () => ({ sizeBytes: 1 }) },
  });
  render(() => {
    useCallQuery(useCalls().assignments.values());
    useCallQuery(useCalls().cache.size());
  }, undefined);
  await waitFor(() => expect(called).toHaveLength(3));
  const { offline } = emptySnapshot;
  emit({ type: 'offline', revision: 2, value: { ...offline, state: 'running' } });
  emit({ type: 'offline', revision: 3, value: { ...offline, completedAtMs: 5 } });
  await waitFor(() => expect(called).toHaveLength(5));
});

it('reads the protocols and assignments in view again when main has stored others', async () => {
  const { render, emit, desk, called } = await createTestWindow({
    assignments: { get: () => expect.fail('not asked here') },
    protocols: {
      table: () => ({ Items: [], total: 0, cached: 0, unreadable: 0 }),
      assignments: () => list,
      inspectionPoints: () => ({ ...list, value: [] }),
    },
  });
  render(() => {
    useAssignment(a1);
    useCallQuery(useCalls().protocols.table({}));
  }, undefined);
  const counts = () => [countOf(called, 'protocols.table'), countOf(called, 'assignments.get')];
  await waitFor(() => expect(counts()).toEqual([1, 1]));
  await act(async () => void (await desk.protocols.assignments({ InspectionProtocolId: 'p' })));
  await waitFor(() => expect(counts()).toEqual([2, 2]));
  await act(async () => void (await desk.protocols.inspectionPoints({ InspectionProtocolId: 'p' })));
  await waitFor(() => expect(counts()).toEqual([3, 2]));
  act(() => emit({ type: 'offline', revision: 2, value: { ...emptySnapshot.offline, available: 1 } }));
  await waitFor(() => expect(counts()).toEqual([4, 3]));
});

it('reads what a call has changed again, before the call answers', async () => {
  const files = ['one', 'two'];
  const { render, desk } = await createTestWindow({
    assignments: {
      knownFiles: () =>
        files.map((Key) => ({ Key, FileName: Key, UploadedBy: '', source: 'uploaded-here', addedAtMs: 1 })),
    },
    files: { remove: () => void files.shift() },
  });
  const { result } = render(() => useCallQuery(useCalls().assignments.knownFiles({ AssignmentId: a1 })), undefined);
  await waitFor(() => expect(result.current.value).toHaveLength(2));
  await desk.files.remove({ AssignmentId: a1, Keys: ['one'] });
  await waitFor(() => expect(result.current.value).toHaveLength(1));
});

it('reads the rows of a draft again when proposals were accepted, before the call answers', async () => {
  const { render, desk, called } = await createTestWindow({
    drafts: { rows: () => ({ rows: [], total: 0 }), accept: () => ({ accepted: 1, left: 0 }) },
  });
  render(() => useCallQuery(useCalls().drafts.rows({ filter: 'all' })), undefined);
  await waitFor(() => expect(countOf(called, 'drafts.rows')).toBe(1));
  await desk.drafts.accept({ rowIds: [1] });
  expect(countOf(called, 'drafts.rows')).toBe(2);
});

it('reads pending changes of an assignment again once they are sent', async () => {
  const { render, emit, called } = await createTestWindow({
    assignments: { get: () => expect.fail('not asked here') },
  });
  render(() => useAssignment(a1), undefined);
  await waitFor(() => expect(countOf(called, 'assignments.get')).toBe(1));
  emit({ type: 'outbox', revision: 2, value: [{ id: 1, AssignmentId: a1, createdAtMs: 1, kind: 'plan-after' }] });
  await waitFor(() => expect(countOf(called, 'assignments.get')).toBe(2));
});

it('forgets all answers when the service is another one', async () => {
  const { render, emit, client } = await createTestWindow({ assignments: { counties: () => ['York'] } });
  const { unmount } = render(() => useCallQuery(useCalls().assignments.counties()), undefined);
  await waitFor(() => expect(client.getQueryData(['assignments.counties'])).toEqual(['York']));
  unmount();
  emit({
    type: 'connection',
    revision: 2,
    value: { baseUrl: 'https://two.example', authUrl: 'https://two.example', clientId: 'c', sample: false },
  });
  expect(client.getQueryCache().getAll()).toEqual([]);
});

it('asks again once the service can be reached, where it could not', async () => {
  const unreachable = new DeskError('service/unreachable', 'no');
  const state = { isDown: true };
  const { render, emit } = await createTestWindow({
    assignments: {
      projects: ({ offline }) => {
        if (offline) throw new DeskError('cache/missing', 'nothing');
        if (state.isDown) throw unreachable;
        return { value: { Items: [], Count: 0, TotalCount: 0 }, unreadable: 0, source: 'service', fetchedAtMs: 1 };
      },
    },
  });
  const reachability = (service: Reachability['service']): Reachability => ({ service, storage: { state: 'unknown' } });
  const { result } = render(() => useProjects(), undefined);
  await waitFor(() => expect(result.current.error?.code).toBe('service/unreachable'));
  const trouble = { host: 'one.example', sinceMs: 1, reason: toErrorData(unreachable) };
  emit({ type: 'reachability', revision: 2, value: reachability({ state: 'unreachable', ...trouble }) });
  state.isDown = false;
  emit({ type: 'reachability', revision: 3, value: reachability({ state: 'online' }) });
  await waitFor(() => expect(result.current).toMatchObject({ value: { source: 'service' }, error: undefined }));
});

const answer = (source: 'service' | 'cache'): Reading<AssignmentList> => ({
  value: { Items: [], Count: 0, TotalCount: 0 },
  unreadable: 0,
  source,
  fetchedAtMs: 1,
});

/** Shows a page with the result of the first call. The test decides when the service responds to the next one. */
const setUp = async (first: () => Reading<AssignmentList>) => {
  const answers = [first];
  let next: PromiseWithResolvers<Reading<AssignmentList>> | undefined;
  const { render } = await createTestWindow({
    assignments: {
      projects: ({ offline }) => {
        if (offline) throw new DeskError('cache/missing', 'nothing');
        const given = answers.shift();
        if (given !== undefined) return given();
        next = Promise.withResolvers();
        return next.promise;
      },
    },
  });
  const seen: ReturnType<typeof useProjects>[] = [];
  const { result } = render(() => {
    const state = useProjects();
    seen.push(state);
    return state;
  }, undefined);
  await waitFor(() => expect(result.current.busy).toBe(false));
  const settled = seen.length;
  return {
    result,
    online: () => dispatchEvent(new Event('online')),
    asked: () => next,
    /** The number of renders of the page since the result of the first call was shown. */
    drawn: () => seen.length - settled,
  };
};

const unreachable = (): never => {
  throw new DeskError('service/unreachable', 'no');
};

it.each([
  { shown: 'offline data', first: () => answer('cache') },
  { shown: 'an error', first: unreachable },
])('asks again for $shown, and nothing is drawn before the answer', async ({ first }) => {
  const { result, online, asked, drawn } = await setUp(first);
  online();
  await waitFor(() => expect(asked()).toBeDefined());
  expect(drawn()).toBe(0);
  await act(async () => asked()?.resolve(answer('service')));
  await waitFor(() => expect(result.current).toMatchObject({ value: { source: 'service' }, error: undefined }));
});

it('shows what the next attempt failed with', async () => {
  const { result, online, asked } = await setUp(() => answer('cache'));
  online();
  await waitFor(() => expect(asked()).toBeDefined());
  await act(async () => asked()?.reject(new DeskError('service/failed', 'no')));
  await waitFor(() => expect(result.current.error?.code).toBe('service/failed'));
  expect(result.current).toMatchObject({ value: { source: 'cache' }, busy: false });
});

it('drops its answer when somebody has asked meanwhile', async () => {
  const { result, online, asked } = await setUp(() => answer('cache'));
  online();
  await waitFor(() => expect(asked()).toBeDefined());
  const quiet = asked();
  act(() => result.current.reload());
  await waitFor(() => expect(asked()).not.toBe(quiet));
  await act(async () => quiet?.resolve({ ...answer('service'), fetchedAtMs: 7 }));
  await act(async () => asked()?.resolve({ ...answer('service'), fetchedAtMs: 9 }));
  await waitFor(() => expect(result.current.value?.fetchedAtMs).toBe(9));
});

it('asks nothing where the service has answered', async () => {
  const { online, asked } = await setUp(() => answer('service'));
  online();
  await act(async () => {});
  expect(asked()).toBeUndefined();
});

const { AssignmentId, batchId } = sampleBatch;
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
    },
    files: {
      remove: () => {
        files = files.slice(1);
      },
    },
  });
  const { result } = render(
    () => useCallQuery(useCalls().assignments.knownFiles({ AssignmentId: AssignmentId })),
    undefined,
  );
  await waitFor(() => expect(result.current.value).toHaveLength(2));
  await act(async () => void (await desk.files.remove({ AssignmentId, Keys: ['k1'] })));
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
      list: () => rules,
      set: (change) => {
        rules = rules.map((rule) => (rule.ruleId === change.ruleId ? { ...rule, ...change } : rule));
      },
      remove: (removed) => {
        rules = rules.filter(({ ruleId }) => ruleId !== removed.ruleId);
      },
      clear: () => {
        rules = [];
      },
    },
  });
  const { result } = render(() => useCallQuery(useCalls().rules.list()), undefined);
  await waitFor(() => expect(result.current.value).toHaveLength(3));
  const other = '00000000-0000-4000-8000-0000000000c3';
  await act(async () => desk.rules.set({ ruleId: 3, AssignmentId: other }));
  await waitFor(() => expect(result.current.value?.[2]?.AssignmentId).toBe(other));
  await act(async () => desk.rules.remove({ ruleId: 2 }));
  await waitFor(() => expect(result.current.value?.map(({ ruleId }) => ruleId)).toEqual([1, 3]));
  await act(async () => desk.rules.clear());
  await waitFor(() => expect(result.current.value).toEqual([]));
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
      files: useWindowQuery('files', ({ uploads }, window) => uploads.files({ batchId, ...window })),
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

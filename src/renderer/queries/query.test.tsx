// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { AssignmentList, Reading } from '../../contract/resources.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useCallQuery, useCalls, useReadingQuery, useWorkDays } from './query.tsx';

const useFound = (text: string) => useCallQuery(useCalls().search.find({ text, limit: 1 }));

const useProjects = (County = '') =>
  useReadingQuery<AssignmentList>(({ assignments }, how) =>
    assignments.projects({ ...how, ...(County !== '' && { County }) }),
  );

const setUp = async () => {
  const asked: string[] = [];
  const state = { isBroken: false };
  const { render } = await createTestWindow({
    search: {
      find: ({ text }) => {
        asked.push(text);
        if (state.isBroken) throw new DeskError('data/corrupt', 'no');
        return { protocols: [], protocolTotal: text.length, assignments: [], assignmentTotal: 0, cached: 0 };
      },
    },
  });
  const { result, rerender } = render(useFound, 'mill');
  await waitFor(() => expect(result.current.value?.protocolTotal).toBe(4));
  return { asked, state, result, rerender };
};

it('keeps the answer to one question until the next is answered', async () => {
  const { result, rerender } = await setUp();
  rerender('mills');
  expect(result.current.value?.protocolTotal).toBe(4);
  await waitFor(() => expect(result.current.value?.protocolTotal).toBe(5));
});

it('has an error or a value, and asks again on reload', async () => {
  const { asked, state, result } = await setUp();
  state.isBroken = true;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current).toMatchObject({ value: undefined, error: { code: 'data/corrupt' } }));
  state.isBroken = false;
  act(() => result.current.reload());
  await waitFor(() => expect(result.current).toMatchObject({ value: {}, error: undefined }));
  expect(asked).toEqual(['mill', 'mill', 'mill']);
});

const reading = (County: string, source: 'service' | 'cache'): Reading<AssignmentList> => ({
  value: { Items: [], Count: 0, TotalCount: County.length },
  unreadable: 0,
  source,
  fetchedAtMs: 1,
});

/** A service whose responses the test sends. */
const heldService = () => {
  const waiting: { resolve: (value: Reading<AssignmentList>) => void; reject: (error: unknown) => void }[] = [];
  return {
    ask: () => new Promise<Reading<AssignmentList>>((resolve, reject) => waiting.push({ resolve, reject })),
    next: () => waiting.shift() ?? expect.fail('nobody asked the service'),
    waiting,
  };
};

it('shows offline data until the service has answered', async () => {
  const service = heldService();
  const { render } = await createTestWindow({
    assignments: { projects: ({ offline }) => (offline ? reading('', 'cache') : service.ask()) },
  });
  const { result } = render(() => useProjects(), undefined);
  expect(result.current).toMatchObject({ value: undefined, busy: true });
  await waitFor(() => expect(result.current.value?.source).toBe('cache'));
  expect(result.current.busy).toBe(true);
  await act(async () => service.next().resolve(reading('', 'service')));
  await waitFor(() => expect(result.current).toMatchObject({ value: { source: 'service' }, busy: false }));
});

it('keeps the list of one county until the next is there', async () => {
  const { render } = await createTestWindow({
    assignments: {
      projects: ({ County = '', offline }) => {
        if (offline) throw new DeskError('cache/missing', 'nothing');
        return reading(County, 'service');
      },
    },
  });
  const { result, rerender } = render((county: string) => useProjects(county), 'York');
  await waitFor(() => expect(result.current.value?.value.TotalCount).toBe(4));
  rerender('Kent and Sussex');
  expect(result.current).toMatchObject({ value: { value: { TotalCount: 4 } }, busy: true });
  await waitFor(() => expect(result.current.value?.value.TotalCount).toBe(15));
});

it('shows next to an error only what answers this very question', async () => {
  const { render } = await createTestWindow({
    assignments: {
      projects: ({ County = '', offline }) => {
        if (County !== 'York') throw new DeskError(offline ? 'cache/missing' : 'service/failed', 'no');
        return reading(County, 'service');
      },
    },
  });
  const { result, rerender } = render((county: string) => useProjects(county), 'York');
  await waitFor(() => expect(result.current.value).toBeDefined());
  rerender('Kent');
  await waitFor(() => expect(result.current.error?.code).toBe('service/failed'));
  expect(result.current).toMatchObject({ value: undefined, busy: false });
});

it('keeps offline data next to the error of the service', async () => {
  const service = heldService();
  const { render } = await createTestWindow({
    assignments: { projects: ({ offline }) => (offline ? reading('', 'cache') : service.ask()) },
  });
  const { result } = render(() => useProjects(), undefined);
  await waitFor(() => expect(result.current.value).toBeDefined());
  await act(async () => service.next().reject(new DeskError('service/failed', 'no')));
  await waitFor(() => expect(result.current.error?.code).toBe('service/failed'));
  expect(result.current.value?.source).toBe('cache');
});

it('asks the service again on reload and leaves what is shown', async () => {
  const service = heldService();
  const { render } = await createTestWindow({ assignments: { projects: () => service.ask() } });
  const { result } = render(() => useProjects(), undefined);
  await waitFor(() => expect(service.waiting).toHaveLength(2));
  await act(async () => service.next().resolve(reading('', 'service')));
  await waitFor(() => expect(result.current.busy).toBe(false));
  act(() => result.current.reload());
  await waitFor(() => expect(result.current).toMatchObject({ busy: true, value: { source: 'service' } }));
  // The reload made only one call; the second call of the start is still pending.
  expect(service.waiting).toHaveLength(2);
});

it('begins the days again when the computer changes its time zone', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TZ', 'Europe/Stockholm');
  const { render } = await createTestWindow({});
  const { result, rerender } = render(useWorkDays, undefined);
  const before = result.current.todayMs;
  vi.stubEnv('TZ', 'Asia/Kathmandu');
  rerender(undefined);
  expect(result.current.todayMs).not.toBe(before);
  expect(new Date(result.current.todayMs).getHours()).toBe(0);
});

// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { DeskError } from '../../contract/errors.ts';
import type { AssignmentList, Reading } from '../../contract/resources.ts';
import { createTestWindow } from '../testing/render-query.tsx';
import { useProjects } from './assignments.ts';
import { followService } from './follow-service.ts';

const answer = (source: 'service' | 'cache'): Reading<AssignmentList> => ({
  value: { Items: [], Count: 0, TotalCount: 0 },
  unreadable: 0,
  source,
  fetchedAtMs: 1,
});

/** A page that shows what the first answer left, and a service that holds the next until the test gives it. */
const setUp = async (first: () => Reading<AssignmentList>) => {
  const answers = [first];
  let next: PromiseWithResolvers<Reading<AssignmentList>> | undefined;
  const { render, client } = await createTestWindow({
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
  const stop = followService(client);
  const settled = seen.length;
  return {
    result,
    stop,
    online: () => dispatchEvent(new Event('online')),
    asked: () => next,
    /** How often the page was drawn since. */
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
  const { result, online, asked, drawn, stop } = await setUp(first);
  online();
  await waitFor(() => expect(asked()).toBeDefined());
  expect(drawn()).toBe(0);
  await act(async () => asked()?.resolve(answer('service')));
  await waitFor(() => expect(result.current).toMatchObject({ reading: { source: 'service' }, error: undefined }));
  stop();
});

it('shows what the next attempt failed with', async () => {
  const { result, online, asked, stop } = await setUp(() => answer('cache'));
  online();
  await waitFor(() => expect(asked()).toBeDefined());
  await act(async () => asked()?.reject(new DeskError('service/failed', 'no')));
  await waitFor(() => expect(result.current.error?.code).toBe('service/failed'));
  expect(result.current).toMatchObject({ reading: { source: 'cache' }, busy: false });
  stop();
});

it('drops its answer when somebody has asked meanwhile', async () => {
  const { result, online, asked, stop } = await setUp(() => answer('cache'));
  online();
  await waitFor(() => expect(asked()).toBeDefined());
  const quiet = asked();
  act(() => result.current.reload());
  await waitFor(() => expect(asked()).not.toBe(quiet));
  await act(async () => quiet?.resolve({ ...answer('service'), fetchedAtMs: 7 }));
  await act(async () => asked()?.resolve({ ...answer('service'), fetchedAtMs: 9 }));
  await waitFor(() => expect(result.current.reading?.fetchedAtMs).toBe(9));
  stop();
});

it('asks nothing where the service has answered', async () => {
  const { online, asked, stop } = await setUp(() => answer('service'));
  online();
  await act(async () => {});
  expect(asked()).toBeUndefined();
  stop();
});

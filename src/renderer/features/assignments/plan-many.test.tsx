// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { speakEnglish } from '../../words/testing/speak-english.ts';
import { PlanMany } from './plan-many.tsx';

speakEnglish();

const known = '00000000-0000-4000-8000-0000000000a1';
const unknown = '00000000-0000-4000-8000-0000000000a2';
const earlier = 1_800_000_000;
const assignment = {
  FacilityId: 'FAC-1',
  AssignmentStatus: 'PENDING',
  FirstName: 'Ada',
  LastName: 'Berg',
  Address: 'Elveveien 97',
  City: 'Bergen',
  Performer: 'Lift AB',
  StartTime: earlier,
};

const Planning = ({ ids }: { readonly ids: readonly string[] }) => {
  const [isOpen, setOpen] = useState(true);
  return <PlanMany ids={isOpen ? ids : undefined} onClose={() => {}} onPlanned={() => setOpen(false)} />;
};

/** Submits the form, as Enter does in a field. */
const enterIn = (field: HTMLElement): void => field.closest('form')?.requestSubmit();

it('plans by Enter in the field, and says which dates an undo restored and which it cleared', async () => {
  const sent: unknown[] = [];
  await renderPage(<Planning ids={[known, unknown]} />, {
    assignments: {
      timeUnit: () => 'seconds',
      get: ({ AssignmentId }) => ({
        assignment: { ...assignment, AssignmentId },
        fetchedAtMs: 0,
        ...(AssignmentId === known && { planAfter: { PlanAfter: earlier, respondedAtMs: 0 } }),
      }),
      planAfter: ({ AssignmentId, PlanAfter }) => {
        sent.push([AssignmentId, PlanAfter]);
        return { AssignmentId, PlanAfter: PlanAfter ?? 0, waiting: false };
      },
    },
  });
  const field = screen.getByRole('textbox', { name: 'Date, time optional' });
  fireEvent.change(field, { target: { value: '3/1/2099' } });
  enterIn(field);
  await screen.findByText(/^2 assignments are planned after Mar 1, 2099/);
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByText(
    'The earlier date of 1 assignment was restored. The plan-after date of 1 assignment was cleared.',
  );
  expect(sent.slice(2)).toEqual([
    [known, earlier],
    [unknown, undefined],
  ]);
});

it('says how many changes wait for the service, until they are sent', async () => {
  const { emit } = await renderPage(<Planning ids={[known, unknown]} />, {
    assignments: {
      timeUnit: () => 'seconds',
      get: ({ AssignmentId }) => ({ assignment: { ...assignment, AssignmentId }, fetchedAtMs: 0 }),
      planAfter: ({ AssignmentId, PlanAfter = 0 }) => ({ AssignmentId, PlanAfter, waiting: true }),
    },
  });
  const changes = [known, unknown].map((AssignmentId, id) => {
    return { id, kind: 'plan-after', AssignmentId, PlanAfter: earlier, createdAtMs: 0 } as const;
  });
  const pend = (revision: number, value: typeof changes) => act(() => emit({ type: 'outbox', revision, value }));
  pend(2, changes);
  const field = screen.getByRole('textbox', { name: 'Date, time optional' });
  fireEvent.change(field, { target: { value: '3/1/2099' } });
  enterIn(field);
  const text = () => screen.getByText(/^2 assignments are planned after/).textContent;
  await waitFor(() => expect(text()).toContain('2 changes are sent when the service can be reached.'));
  pend(3, changes.slice(1));
  expect(text()).toContain('1 change is sent when the service can be reached.');
  pend(4, []);
  expect(text()).not.toContain('can be reached');
});

it('plans in the unit of the service, also where no assignment has a start', async () => {
  const sent: unknown[] = [];
  await renderPage(<Planning ids={[known]} />, {
    assignments: {
      get: ({ AssignmentId }) => ({ assignment: { ...assignment, AssignmentId, StartTime: 0 }, fetchedAtMs: 0 }),
      timeUnit: () => 'milliseconds',
      planAfter: ({ AssignmentId, PlanAfter = 0 }) => {
        sent.push(PlanAfter);
        return { AssignmentId, PlanAfter, waiting: false };
      },
    },
  });
  const field = screen.getByRole('textbox', { name: 'Date, time optional' });
  fireEvent.change(field, { target: { value: '3/1/2099' } });
  enterIn(field);
  await waitFor(() => expect(sent).toEqual([new Date(2099, 2, 1, 8).getTime()]));
});

it('keeps a choice of dates that was begun while earlier dates were still being set', async () => {
  const planned: string[] = [];
  const setting = Promise.withResolvers<void>();
  const planning = (ids: readonly string[] | undefined) => (
    <PlanMany ids={ids} onClose={() => {}} onPlanned={() => planned.push(`${ids}`)} />
  );
  const { rerender } = await renderPage(planning([known]), {
    assignments: {
      timeUnit: () => 'seconds',
      planAfter: async ({ AssignmentId, PlanAfter = 0 }) => {
        await setting.promise;
        return { AssignmentId, PlanAfter, waiting: false };
      },
    },
  });
  const field = () => screen.getByRole('textbox', { name: 'Date, time optional' });
  fireEvent.change(field(), { target: { value: '3/1/2099' } });
  enterIn(field());
  await screen.findAllByText('Changing dates: 0 of 1');
  rerender(planning(undefined));
  rerender(planning([unknown]));
  await act(async () => setting.resolve());
  await screen.findByText(/^1 assignment is planned after Mar 1, 2099/);
  expect(planned).toEqual([]);
});

it('leaves the dates that are not set yet as they are when it is cancelled', async () => {
  const setting = Promise.withResolvers<void>();
  const sent: string[] = [];
  await renderPage(<Planning ids={[known, unknown]} />, {
    assignments: {
      timeUnit: () => 'seconds',
      planAfter: async ({ AssignmentId, PlanAfter = 0 }) => {
        sent.push(AssignmentId);
        await setting.promise;
        return { AssignmentId, PlanAfter, waiting: false };
      },
    },
  });
  const field = screen.getByRole('textbox', { name: 'Date, time optional' });
  fireEvent.change(field, { target: { value: '3/1/2099' } });
  enterIn(field);
  await waitFor(() => expect(sent).toEqual([known]));
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await act(async () => setting.resolve());
  await screen.findByText(/^1 assignment is planned after Mar 1, 2099/);
  expect(sent).toEqual([known]);
});
